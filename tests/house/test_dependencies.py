"""What is imported is declared in pyproject.toml, and what is declared is imported."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import grimp
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.tree import read, texts

PROJECT: dict[str, Any] = tomllib.loads(read(Path("pyproject.toml")))["project"]
SHIPPED = ("bot", "engine", "playground")
OURS = {*SHIPPED, "tests", "tools"}
BY_NAME = {
    "aiosqlite": "SQLAlchemy loads it by the URL of a database",
    "asyncpg": "SQLAlchemy loads it by the URL of a database",
    "python-dotenv": "pydantic-settings reads `.env` with it; older ones swallow a byte order mark",
    "orjson": "discord.py reads JSON with it where it is there",
    "tzdata": "zoneinfo reads it where the machine has no time zones",
}
TOOLS = {
    "cyclonedx-bom": "a command",
    "hatchling": "builds the wheel",
    "import-linter": "a command",
    "mypy": "a command",
    "pytest-asyncio": "a plugin",
    "pytest-cov": "a plugin",
    "pytest-xdist": "a plugin",
    "ruff": "a command",
    "syrupy": "a plugin",
    "types-cachetools": "types alone",
}


def test_the_wheel_is_built_by_what_the_lock_names() -> None:
    """An image installs locked packages alone; what builds the wheel in it would be whatever is newest."""
    builder = tomllib.loads(read(Path("pyproject.toml")))["build-system"]["requires"]
    locked = read(Path("requirements.lock")).splitlines()
    assert [line.removesuffix(" \\") for line in locked if line.startswith("hatchling==")] == builder


def declared(*extras: str) -> set[str]:
    """The names of what is installed, with the extras."""
    groups = [PROJECT["dependencies"], *(PROJECT["optional-dependencies"][extra] for extra in extras)]
    return {canonicalize_name(Requirement(text).name) for group in groups for text in group}


@cache
def imports() -> tuple[tuple[Path, str], ...]:
    """Every Python file of ours with each distribution that it imports."""
    homes, found = metadata.packages_distributions(), []
    graph = grimp.build_graph(*OURS, include_external_packages=True, cache_dir=None)
    for path in texts(".py"):
        module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        if path.parts[0] not in OURS:
            continue
        # migrations are no modules, because their names begin with a digit
        names = (
            graph.find_modules_directly_imported_by(module) if module in graph.modules else named(read(path))
        )
        tops = {name.partition(".")[0] for name in names} - sys.stdlib_module_names - OURS
        found += [(path, canonicalize_name(homes.get(top, [top])[0])) for top in tops]
    return tuple(found)


def named(code: str) -> set[str]:
    """The modules that a piece of code imports by their whole names."""
    nodes = list(ast.walk(ast.parse(code)))
    whole = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return whole | {
        node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level
    }


def imported(*roots: str) -> Mapping[str, list[str]]:
    """The distributions that files below these folders import, each with those files."""
    found = defaultdict(list)
    for path, name in imports():
        if path.parts[0] in roots:
            found[name].append(str(path))
    return found


@pytest.mark.parametrize(
    ("roots", "extras"),
    [(SHIPPED, ("cluster", "molecules", "print", "sentry", "speed")), (tuple(OURS), ("dev",))],
    ids=["shipped", "all"],
)
def test_every_import_is_declared(roots: tuple[str, ...], extras: tuple[str, ...]) -> None:
    known = declared(*extras)
    assert {name: files for name, files in imported(*roots).items() if name not in known} == {}


def test_time_zones_are_known_on_a_machine_without_any() -> None:
    assert "tzdata" in declared()
    parser = "bot.store.time_zones"
    line = f"from {parser} import zone_of; print(zone_of('Europe/Berlin'), zone_of('new york'))"
    bare = {**os.environ, "PYTHONTZPATH": ""}
    done = subprocess.run([sys.executable, "-c", line], env=bare, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["Europe/Berlin", "America/New_York"]


def test_every_dependency_is_imported() -> None:
    assert declared() - imported(*SHIPPED).keys() - BY_NAME.keys() == set()
    assert declared("dev") - imported(*OURS).keys() - BY_NAME.keys() - TOOLS.keys() == set()
