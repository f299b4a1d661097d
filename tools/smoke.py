"""Try Valence with each further Python that is here: `python tools/smoke.py`.

The tests run with the interpreter that is found first. Every other one from 3.11 on gets a fresh environment
with the locked packages that a running bot needs, plays games and looks after itself. Exit code 1 where one
cannot.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ((3, 11), (3, 12), (3, 13), (3, 14))
TELL = "import sys; print('%d.%d' % sys.version_info[:2])"


def others() -> list[str]:
    """The further interpreters that work, by path: on the path, and where pyenv keeps them."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = []
    for major, minor in VERSIONS:
        name = f"python{major}.{minor}"
        places = [shutil.which(name), *map(str, sorted(kept.glob(f"*/bin/{name}")))]
        works = [path for path in places if path and _is(path, f"{major}.{minor}")]
        if works and (major, minor) != sys.version_info[:2]:
            found.append(works[0])
    return found


def _is(path: str, version: str) -> bool:
    """A shim may stand for a version that is not installed."""
    told = subprocess.run([path, "-c", TELL], capture_output=True, text=True, check=False)
    return told.stdout.strip() == version


def smoke(python: str, folder: Path) -> bool:
    """Whether Valence works with this interpreter."""
    ours = folder / "bin" / "python"
    quiet = ("-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet")
    locked = ("--require-hashes", "--requirement", str(ROOT / "requirements.txt"))
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{folder / 'valence.db'}", "DISCORD_TOKEN": ""}
    steps = (
        [python, "-m", "venv", str(folder)],
        [str(ours), *quiet, *locked],
        [str(ours), "-m", "bot", "db", "upgrade"],
        [str(ours), "-m", "bot", "simulate", "duel52", "--games", "5"],
        [str(ours), "-m", "bot", "arena", "canasta", "--players", "casual,steady", "--games", "2"],
        [str(ours), "-m", "bot", "render", "atom_duel", "--out", str(folder / "table.png")],
        [
            str(ours),
            "-W",
            "error::SyntaxWarning",
            "-m",
            "compileall",
            "-q",
            "-f",
            "engine",
            "bot",
            "playground",
        ],
    )
    for step in steps:
        print("  $", " ".join(step[1:])[:100], flush=True)
        if subprocess.run(step, cwd=ROOT, env=environment, check=False, stdout=subprocess.DEVNULL).returncode:
            return False
    return True


def main() -> int:
    """Try them all."""
    failed = []
    for python in others():
        print(f"== {python}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            if not smoke(python, Path(folder)):
                failed.append(python)
    print(f"Failed: {', '.join(failed)}" if failed else "No further Python fails.", flush=True)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
