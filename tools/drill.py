"""Rehearse what docs/operations.md says: upgrade, roll back, back up, restore, on copies and from end to end.

    python tools/drill.py [postgresql://…]

Without an address it uses a SQLite file made from the database of an older schema kept for tests. With one it
uses that PostgreSQL database, which must be empty, and pg_dump and pg_restore from the path. It prints each
step and exits with 1 at the first that does not do what the page says.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "store" / "corpus"
OLD = "0007"
"""An old schema that has games in progress."""


class Drill:
    """One rehearsal in a folder."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.environment = {**os.environ, "DATABASE_URL": url, "DISCORD_TOKEN": "", "VALENCE_BACKUPS": ""}

    def do(self, *words: str | Path, fails: bool = False) -> str:
        """Run one step and return its output.

        Raises:
            SystemExit: it failed, or succeeded although it should have failed.
        """
        said = " ".join(map(str, words))
        print(f"$ {said}", flush=True)
        command = [str(word) for word in words]
        if command[0] == "valence":
            command[:1] = [sys.executable, "-m", "bot"]
        done = subprocess.run(
            command, cwd=self.folder, env={**self.environment, "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        out = done.stdout + done.stderr
        if bool(done.returncode) is not fails:
            sys.exit(f"drill: `{said}` ended with {done.returncode}\n{out}")
        return out


def sqlite(folder: Path) -> None:
    """Upgrade an old file, roll back, upgrade again, back up, lose the file, restore."""
    file = folder / "valence.db"
    file.write_bytes(gzip.decompress((CORPUS / f"{OLD}.sqlite.gz").read_bytes()))
    drill = Drill(folder, f"sqlite:///{file}")
    drill.do("valence", "db", "check", fails=True)  # an upgrade is due
    drill.do("valence", "db", "upgrade")
    drill.do("valence", "db", "check")
    (before,) = folder.glob("valence.db.before-0*")
    drill.do("valence", "db", "restore", before, "--yes")
    drill.do("valence", "db", "check")
    drill.do("valence", "db", "backup", folder / "today.db")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    drill.do("valence", "db", "check", fails=True)  # the file is damaged
    drill.do("valence", "db", "restore", folder / "today.db", "--yes")
    drill.do("valence", "db", "check")


def postgres(folder: Path, url: str) -> None:
    """Upgrade an old database, roll back to its dump, upgrade again, lose everything, restore."""
    drill = Drill(folder, url)
    upgrade = f"asyncio.run(migrate.upgrade({url!r}, {OLD!r}))"
    older = f"import asyncio; from bot.store.backend import migrate; {upgrade}"
    drill.do(sys.executable, "-c", older)
    for name in ("before.dump", "today.dump"):
        dump = folder / name
        drill.do("pg_dump", "--format=custom", f"--file={dump}", url)
        drill.do("valence", "db", "upgrade")
        drill.do("valence", "db", "check")
        drill.do("psql", "--quiet", url, "--command=DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        drill.do("valence", "db", "check", fails=True)  # the database is empty
        drill.do("pg_restore", "--exit-on-error", "--no-owner", f"--dbname={url}", dump)
        drill.do("valence", "db", "check", fails=name == "before.dump")  # an upgrade is due
        drill.do("valence", "db", "upgrade")
        drill.do("valence", "db", "check")


def main(words: list[str]) -> int:
    """Run the rehearsal."""
    with tempfile.TemporaryDirectory() as made:
        if words:
            postgres(Path(made), words[0])
        else:
            sqlite(Path(made))
    print("All of it did what the page says.", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
