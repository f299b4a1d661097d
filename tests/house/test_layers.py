"""Arrows run one way, and an opponent gets an observation and nothing else."""

from __future__ import annotations

import inspect
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from configparser import ConfigParser
from fnmatch import fnmatchcase
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import grimp
import msgspec
import pytest

from engine import catalog
from engine.arena import key_of
from engine.game import Game, State
from tests.conformance.walk import every_game
from tests.house.tree import ROOT, read, texts

LINT = [
    sys.executable,
    "-c",
    "import sys; from importlinter.cli import lint_imports_command as run; sys.exit(run())",
]


MOST_MODULES = 25


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    words = [*LINT, "--no-logo", "--no-cache"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=300)


def test_the_layers_hold() -> None:
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


BACKWARDS = {
    "engine/fair.py": "import time",
    "bot/render/theme.py": "import engine.game",
    "bot/presenters/base.py": "import discord",
    "bot/store/games.py": "import PIL",
    "bot/table/ports.py": "import bot.ui",
    "bot/ui/names.py": "import bot.table.table",
    "bot/ui/rights.py": "import alembic",
    "playground/model.py": "import engine",
    "bot/telemetry/metrics.py": "import playground",
    "bot/store/backend/urls.py": "import distributed",
    "bot/cli/arguments.py": "import tools",
    "bot/features/about/command.py": "import bot.features.privacy.handlers",
    "bot/features/seek/rows.py": "import bot.ui.names",
}
"""An import in each layer that its contract forbids."""


def test_each_contract_notices_an_arrow_that_runs_back(tmp_path: Path) -> None:
    skip = shutil.ignore_patterns("__pycache__", "data", "fonts", "page")
    for name in ("bot", "engine", "playground", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=skip)
    shutil.copy(ROOT / ".importlinter", tmp_path)
    for name, line in BACKWARDS.items():
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
    done = lint(tmp_path)
    verdicts = re.findall(r"^(.+) (KEPT|BROKEN)\b", done.stdout, re.MULTILINE)
    assert done.returncode == 1, done.stdout + done.stderr
    assert len(verdicts) == 14
    assert [name for name, verdict in verdicts if verdict == "KEPT"] == []


QUERIES = re.compile(r"^from sqlalchemy import .*\b(?:delete|insert|select|update)\b", re.MULTILINE)


def test_the_contract_names_every_module_of_a_feature_with_queries() -> None:
    contracts = ConfigParser()
    contracts.read(ROOT / ".importlinter", encoding="utf-8")
    named = contracts["importlinter:contract:services"]["source_modules"].split()
    paths = [path for path in texts(".py") if path.parts[:2] == ("bot", "features")]
    asking = [".".join(path.with_suffix("").parts) for path in paths if QUERIES.search(read(path))]
    assert "bot.features.teacher.review_rows" in asking
    assert [module for module in asking if not any(fnmatchcase(module, each) for each in named)] == []


@pytest.mark.parametrize(
    ("packages", "without", "most"),
    [
        (("bot.store",), (), 8),
        (("bot.table",), (), 8),
        (("bot.ui",), (), 5),
        (("bot.ui", "bot.features.table"), (), 9),
        (("bot.features",), ("bot.features.table",), 8),
    ],
)
def test_chains_of_imports_are_short(packages: tuple[str, ...], without: tuple[str, ...], most: int) -> None:
    """Imports that happen when the bot runs, within these packages."""
    graph = grimp.build_graph("bot", exclude_type_checking_imports=True)

    def modules(names: tuple[str, ...]) -> set[str]:
        return set(names).union(*map(graph.find_descendants, names))

    inside = modules(packages) - modules(without)

    @cache
    def levels_below(module: str) -> int:
        others = graph.find_modules_directly_imported_by(module) & inside
        return max((1 + levels_below(other) for other in others), default=0)

    assert [module for module in sorted(inside) if levels_below(module) > most] == []


@pytest.mark.parametrize("package", ["bot", "engine", "playground"])
def test_no_folder_has_more_modules_than_a_screen_shows(package: str) -> None:
    of_folder = Counter(path.parent for path in texts(".py") if path.parts[0] == package)
    assert of_folder
    assert {folder: count for folder, count in of_folder.items() if count > MOST_MODULES} == {}


def test_a_game_never_imports_another() -> None:
    graph = grimp.build_graph("engine")
    packages = [package for package in catalog.PACKAGES.values() if package.startswith("engine.")]
    # the games of chemistry are one family: what they share lies beside them
    families = {".".join(package.split(".")[:2]) for package in packages}
    assert families
    assert families <= graph.modules
    wrong = [
        (module, other)
        for family in families
        for module in graph.find_descendants(family) | {family}
        for other in graph.find_modules_directly_imported_by(module)
        if any(other.startswith(f"{rival}.") or other == rival for rival in families if rival != family)
    ]
    assert wrong == []


def test_a_presenter_never_imports_that_of_another_game() -> None:
    graph = grimp.build_graph("bot")
    mine: dict[str, str] = {}
    """By module of a presenter: the family whose it is."""
    for key, package in catalog.PACKAGES.items():
        if package.startswith("engine."):
            family = package.split(".")[1]
            for name in {f"bot.presenters.{family}", f"bot.presenters.{key}"} & graph.modules:
                mine |= dict.fromkeys(graph.find_descendants(name) | {name}, family)
    assert set(mine.values()) == {
        package.split(".")[1] for package in catalog.PACKAGES.values() if package.startswith("engine.")
    }
    # what several games share lies beside them, and knows none of them
    shared = {"bot.presenters"} | graph.find_descendants("bot.presenters")
    wrong = [
        (module, other)
        for module in sorted(shared)
        for other in graph.find_modules_directly_imported_by(module)
        if other in mine and mine[other] != mine.get(module)
    ]
    assert wrong == []


def decisions(game: Game[Any, Any], seed: int) -> Iterator[tuple[State[Any, Any], int]]:
    """Positions in which somebody has a choice, from all over a few random games."""
    rng = random.Random(seed)
    while True:
        seats = rng.choice(game.seats(game.defaults()))
        state = game.deal(game.setup(seats, key_of(seed, rng.randrange(2**32))))
        while waiting := state.to_act():
            seat = rng.choice(waiting)
            actions = state.legal_actions(seat)
            if len(actions) > 1 and rng.random() < 0.2:
                yield state, seat
            state.push(seat, rng.choice(actions))


@every_game
def test_an_opponent_decides_from_the_observation_alone(game: Game[Any, Any]) -> None:
    """What it is given has been through JSON, so no way leads from it to the hidden cards.

    A game by earlier rules has the opponents of today.
    """
    for name, choose in catalog.get(game.key).opponents.items():
        assert len(inspect.signature(choose).parameters) == 3, name
        for state, seat in islice(decisions(game, seed=3), 3):
            before = state.fingerprint()
            actions = state.legal_actions(seat)
            seen = msgspec.json.decode(msgspec.json.encode(state.observe(seat)), type=game.observation)
            first = choose(seen, actions, random.Random(7))
            assert first in actions
            assert choose(state.observe(seat), actions, random.Random(7)) == first
            world = game.sample(state.observe(seat), random.Random(1))
            assert choose(world.observe(seat), actions, random.Random(7)) == first
            assert state.fingerprint() == before


def defining_states() -> set[str]:
    """The modules in which the positions of the games are defined."""
    for key in catalog.listed():
        catalog.get(key)
    found: set[str] = set()
    kinds: list[type[Any]] = [State]
    while kinds:
        kind = kinds.pop()
        found.add(kind.__module__)
        kinds += kind.__subclasses__()
    return {module for module in found if module.startswith("engine.") and module != "engine.game"}


OPPONENTS = {"heuristic", "heuristics", "opponent", "opponents"}
"""Names of modules and folders that decide for a seat, apart from `engine.ai`."""


def with_their_own(minds: set[str], graph: grimp.ImportGraph) -> set[str]:
    """These modules and all that nobody else imports: weights, plans, chances."""
    users = {module: graph.find_modules_that_directly_import(module) for module in graph.modules}
    while own := {module for module in users.keys() - minds if users[module] and users[module] <= minds}:
        minds = minds | own
    return minds


def test_no_opponent_imports_a_position() -> None:
    graph = grimp.build_graph("engine")
    positions = defining_states()
    assert positions
    named = {
        module
        for module in graph.modules
        if module.startswith("engine.ai.") or OPPONENTS & set(module.split("."))
    }
    minds = with_their_own(named, graph)
    assert minds > named
    for module in minds:
        known = graph.find_modules_directly_imported_by(module)
        assert not known & (positions | {"engine.record", "engine.arena", "engine.catalog"}), module
