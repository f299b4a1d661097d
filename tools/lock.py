"""Pin every package: `python tools/lock.py` after a change of the dependencies in pyproject.toml.

It writes these files, which name no host:

- `requirements.lock`: everything for work and tests, each file with its hashes; `tools/dev.py`
  installs it.
- `requirements.txt`: what a running bot needs, the same versions with the same hashes. A host that builds
  from a Git push looks for it. The Procfile runs the bot from the folder (`python -m bot`), because a folder
  has no hash and pip wants hashes for all packages or none.
- `deploy/requirements/`: further packages of the image, for each extra and for building the wheel; and pip,
  for `tools/dev.py`.

Pins name their extras: pip looks up `coverage[toml]` separately from `coverage`, and without a pin it takes
the newest version, whose hash is missing.

Needs uv (`pip install uv`). `--upgrade` takes the newest versions that pyproject.toml allows.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
DEPLOY = ROOT / "requirements.txt"
IMAGE = ROOT / "deploy" / "requirements"
EXTRAS = ("cluster", "molecules", "print", "sentry", "speed")
"""Optional packages that an image can have (`--build-arg EXTRAS=…`)."""
HEADER = "# Written by tools/lock.py from pyproject.toml; edit that and run it again.\n"


def compile_pins(target: Path, *more: str, source: str = "pyproject.toml") -> None:
    """Let uv resolve a source of requirements for every platform into `target`."""
    uv = shutil.which("uv")
    if uv is None:
        sys.exit("lock.py: uv is missing: pip install uv")
    words = [uv, "pip", "compile", source, "--universal", "--python-version", "3.11", "--quiet"]
    words += ["--no-header", "--no-annotate", "--no-strip-extras", "--no-emit-index-url"]
    words += ["--output-file", str(target.relative_to(ROOT)), *more]
    done = subprocess.run(words, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(done.returncode)


def pins(text: str) -> dict[str, str]:
    """Return the blocks of a file by the requirement that each pins, such as `a==1`."""
    blocks = re.split(r"^(?=[^\s#])", text, flags=re.MULTILINE)[1:]
    return {re.split(r" [;\\]", block.splitlines()[0])[0].strip(): block for block in blocks}


def without(text: str, other: str) -> str:
    """Return a file of pins without those of another."""
    return "".join(block for name, block in pins(text).items() if name not in pins(other))


def write_for_image() -> None:
    """Write what the image installs besides `requirements.txt`: its extras, and what builds the wheel."""
    IMAGE.mkdir(exist_ok=True)
    hashed = ("--constraint", LOCK.name, "--generate-hashes", "--upgrade")
    for extra in EXTRAS:
        target = IMAGE / f"{extra}.txt"
        compile_pins(target, "--extra", extra, *hashed)
        target.write_text(HEADER + without(target.read_text(), DEPLOY.read_text()))
    build = IMAGE / "build.txt"
    build.write_text(
        "\n".join(tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"])
    )
    compile_pins(build, *hashed, source=str(build.relative_to(ROOT)))
    build.write_text(HEADER + "".join(pins(build.read_text()).values()))
    pip = IMAGE / "pip.txt"
    pip.write_text("pip\n")
    compile_pins(pip, *hashed, source=str(pip.relative_to(ROOT)))
    pip.write_text(HEADER + "".join(pins(pip.read_text()).values()))


def main() -> None:
    """Write all files."""
    upgrade = ["--upgrade"] if "--upgrade" in sys.argv[1:] else []
    compile_pins(LOCK, "--extra", "dev", "--generate-hashes", *upgrade)
    compile_pins(DEPLOY, "--constraint", LOCK.name, "--generate-hashes", "--upgrade")
    LOCK.write_text(HEADER + LOCK.read_text())
    DEPLOY.write_text(HEADER + DEPLOY.read_text())
    write_for_image()


if __name__ == "__main__":
    main()
