"""The bot knows its version where it is installed and where it runs from its folder."""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from bot.version import version
from tests.house.tree import read


def test_the_version_is_known_without_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    written = tomllib.loads(read(Path("pyproject.toml")))["project"]["version"]
    assert version() == written

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert version() == written
