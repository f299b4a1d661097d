"""The version of Valence, installed or run from its folder."""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path


def version() -> str:
    """Return the number of this version.

    A host that builds from a Git push installs the bot's dependencies and runs it from the folder (the
    Procfile). No package is installed there, so the number is read from pyproject.toml.
    """
    try:
        return metadata.version("valence")
    except metadata.PackageNotFoundError:
        project = Path(__file__).parents[1] / "pyproject.toml"
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])
