"""Any optional feature can be deleted with its folder: everything else still works."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import grimp
import pytest

from tests.house.tree import ROOT

FEATURES = "bot.features"
REQUIRED = frozenset(("play", "privacy", "settings", "table"))
"""Features that every bot needs."""
PLAYED = "tests/flows/test_every_command.py"
"""Plays games and uses every command."""

PLAIN = [word for plugin in ("cacheprovider", "cov", "syrupy", "xdist") for word in ("-p", f"no:{plugin}")]
"""What pytest leaves out, to start sooner."""

TRANSCRIPT = ("HTTP ", "GATEWAY ", "DROPPED ")
"""The beginnings of lines that say what the fake Discord saw."""


@cache
def imported() -> dict[str, frozenset[str]]:
    """Return, by feature, the other features that it imports."""
    graph = grimp.build_graph("bot", cache_dir=None)
    names = {module.rpartition(".")[2] for module in graph.find_children(FEATURES)}
    return {
        name: frozenset(
            module.split(".")[2]
            for inside in graph.find_descendants(f"{FEATURES}.{name}") | {f"{FEATURES}.{name}"}
            for module in graph.find_modules_directly_imported_by(inside)
            if module.startswith(f"{FEATURES}.")
        )
        - {name}
        for name in names
    }


def needed_by(names: Iterable[str]) -> frozenset[str]:
    """Return these features and all that they import, directly or not."""
    found, left = set[str](), set(names)
    while left:
        name = left.pop()
        found.add(name)
        left |= imported()[name] - found
    return frozenset(found)


@cache
def that_need(name: str) -> frozenset[str]:
    """Return this feature and all that cannot be imported without it."""
    return frozenset(each for each in imported() if name in needed_by([each]))


OPTIONAL = sorted(imported().keys() - needed_by(REQUIRED))
PAIRS = {(gone, kept) for gone in OPTIONAL for kept in OPTIONAL if kept not in that_need(gone)}
"""Every optional feature with each one that must work without it."""


def parted(gone: frozenset[str]) -> set[tuple[str, str]]:
    """Return the pairs of which only the second is left where these features are deleted."""
    return {(lost, kept) for lost, kept in PAIRS if lost in gone and kept not in gone}


@cache
def groups() -> tuple[frozenset[str], ...]:
    """Return a few groups of features such that each of `PAIRS` is parted by one of them.

    A feature that needs another one without importing it fails in one of these copies. A copy for each
    feature would say no more about two of them, and there would be twice as many.
    """
    rng, left, found = random.Random(0), set(PAIRS), list[frozenset[str]]()
    while left:
        draws = ([name for name in OPTIONAL if rng.random() < 0.35] for _ in range(400))
        several = [frozenset[str]().union(*map(that_need, names)) for names in draws]
        found.append(max(several, key=lambda gone: len(parted(gone) & left)))
        left -= parted(found[-1])
    return tuple(found)


def run_without(gone: frozenset[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `PLAYED` in a copy of the project without these folders."""
    for path in ROOT.iterdir():
        if path.name in ("assets", "engine", "playground", "tests", "pyproject.toml"):
            (folder / path.name).symlink_to(path)
    features = folder / "bot" / "features"
    features.mkdir(parents=True)
    for source, copy, without in (
        (ROOT / "bot", features.parent, {"features"}),
        (ROOT / "bot/features", features, gone),
    ):
        for path in source.iterdir():
            if path.name not in without:
                (copy / path.name).symlink_to(path)
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "COV_"))}
    return subprocess.run(
        (sys.executable, "-m", "pytest", *PLAIN, PLAYED),
        cwd=folder,
        env={**env, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def must_work_without(gone: frozenset[str], folder: Path) -> None:
    done = run_without(gone, folder)
    said = [line for line in done.stdout.splitlines() if not line.startswith(TRANSCRIPT)]
    assert done.returncode == 0, "\n".join([f"without {sorted(gone)}", *said, done.stderr])[-6000:]
    assert "1 passed" in done.stdout


@pytest.mark.long
@pytest.mark.parametrize("group", range(len(groups())))
def test_each_feature_works_without_each_other_one(group: int, tmp_path: Path) -> None:
    must_work_without(groups()[group], tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("name", OPTIONAL)
def test_everything_else_works_without(name: str, tmp_path: Path) -> None:
    must_work_without(that_need(name), tmp_path)


@pytest.mark.long
def test_the_bot_works_without_any_optional_feature(tmp_path: Path) -> None:
    must_work_without(frozenset(OPTIONAL), tmp_path)


def test_the_groups_part_every_two_features() -> None:
    assert set[tuple[str, str]]().union(*map(parted, groups())) == PAIRS
    assert all(gone == frozenset[str]().union(*map(that_need, gone)) for gone in groups())
    assert len(groups()) < len(OPTIONAL) / 2


def test_most_features_are_optional() -> None:
    assert needed_by(REQUIRED) == REQUIRED | {"house_rules"}
