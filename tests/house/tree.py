"""The files of the project, as git knows them."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
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


@cache
def read(path: Path) -> str:
    """A file of the project as text; read once, because most rules look at all files."""
    return (ROOT / path).read_text(encoding="utf-8")


def copy_to(tree: Path) -> None:
    """Copy the project, with what Python and mypy keep of it: without that, both take most of a minute."""
    for path in files():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, tree / path)  # what is kept holds for files of this time
    for folder in {path.parent for path in files() if path.suffix == ".py"}:
        for compiled in (ROOT / folder / "__pycache__").glob("*.pyc"):
            (tree / folder / "__pycache__").mkdir(exist_ok=True)
            shutil.copy2(compiled, tree / folder / "__pycache__")
    for kept in (ROOT / ".mypy_cache").rglob("*.db"):
        copy = tree / kept.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(kept)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)


def git(tree: Path, *words: str) -> str:
    """Run git in a copy of the project. Return what it says."""
    return subprocess.run(["git", *words], cwd=tree, capture_output=True, check=True, text=True).stdout


def begin_history(tree: Path) -> None:
    """Commit all files of a copy of the project, so that `touched` can tell what has changed since."""
    git(tree, "init", "--quiet")
    git(tree, "add", "--all")
    git(tree, *("-c", "user.name=nobody", "-c", "user.email=", "commit", "--quiet", "--message", "before"))


def touched(tree: Path) -> set[str]:
    """Return the files added or changed since `begin_history`. From now on git knows the new ones."""
    git(tree, "add", "--all")
    return set(filter(None, git(tree, "diff", "--cached", "--name-only", "-z").split("\0")))


def run_in(tree: Path, *words: str) -> None:
    """Run a module or script of Python in a copy of the project, whose own modules it sees."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "COV_"))}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=tree,
        env={**env, "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]


PYTEST = ("-m", "pytest", "-p", "no:cacheprovider", "-p", "no:cov", "-p", "no:xdist")
"""Run tests in a copy, in one process and without what takes time to load."""
