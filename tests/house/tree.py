"""The files of the project, as git knows them."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PINS = {"requirements.lock", "requirements.txt"}
TEXT = {
    *("", ".md", ".py", ".toml", ".txt", ".lock", ".cfg", ".ini", ".yml", ".yaml", ".js", ".css", ".html"),
    *(".json", ".mako", ".example", ".sh", ".ambr", ".svg"),
}


@cache
def files() -> tuple[Path, ...]:
    """What git tracks, as paths from the root; what is not yet added is nobody's business."""
    words = ["git", "ls-files", "-z"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return tuple(Path(name) for name in sorted(filter(None, listed)) if (ROOT / name).is_file())


def texts(*suffixes: str) -> list[Path]:
    """The text files, or those with these endings."""
    return [path for path in files() if path.suffix in (suffixes or TEXT)]


def read(path: Path) -> str:
    """A file of the project as text."""
    return (ROOT / path).read_text(encoding="utf-8")
