"""Pin every package: `python tools/lock.py` after a change of the dependencies in pyproject.toml.

It writes two files, neither of which names a host:

- `requirements.lock`: everything for work and tests, each file with its hashes; `tools/dev.py`
  installs it.
- `requirements.txt`: what a running bot needs, the same versions with the same hashes. A host that builds
  from a Git push looks for it. The Procfile runs the bot from the folder (`python -m bot`), because a folder
  has no hash and pip wants hashes for all packages or none.

Pins name their extras: pip looks up `coverage[toml]` separately from `coverage`, and without a pin it takes
the newest version, for which there is no hash.

Needs uv (`pip install uv`). `--upgrade` takes the newest versions that pyproject.toml allows.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
DEPLOY = ROOT / "requirements.txt"
HEADER = "# Written by tools/lock.py from pyproject.toml; edit that and run it again.\n"


def compile_pins(target: Path, *more: str) -> None:
    """Let uv resolve pyproject.toml for every platform into `target`."""
    uv = shutil.which("uv")
    if uv is None:
        sys.exit("lock.py: uv is missing: pip install uv")
    words = [uv, "pip", "compile", "pyproject.toml", "--universal", "--python-version", "3.11", "--quiet"]
    words += ["--no-header", "--no-annotate", "--no-strip-extras", "--no-emit-index-url"]
    words += ["--output-file", target.name, *more]
    done = subprocess.run(words, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(done.returncode)


def main() -> None:
    """Write both files."""
    upgrade = ["--upgrade"] if "--upgrade" in sys.argv[1:] else []
    compile_pins(LOCK, "--extra", "dev", "--generate-hashes", *upgrade)
    compile_pins(DEPLOY, "--constraint", LOCK.name, "--generate-hashes", "--upgrade")
    LOCK.write_text(HEADER + LOCK.read_text())
    DEPLOY.write_text(HEADER + DEPLOY.read_text())


if __name__ == "__main__":
    main()
