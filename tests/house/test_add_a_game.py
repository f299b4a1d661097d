"""The game of docs/add-a-game.md is a real one: what the page shows is all that a game needs."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from engine import catalog, record
from engine.game import UnknownRules
from tests.house.tree import PYTEST, ROOT, begin_history, copy_to, git, read, run_in, touched
from tests.support.games.laws import ALL_LAWS, hold

PAGE = Path("docs/add-a-game.md")
RULES, OLD_RULES = "engine/high_card.py", "engine/high_card_1.py"
STRINGS = {f"bot/locales/{language}/high_card.toml" for language in ("en", "zh-CN")}
FILES = {RULES, "bot/presenters/high_card.py", *STRINGS}
"""What a game is, with its line in the catalog. This one has no card data."""
KEPT = (
    "tests/conformance/golden/high_card-v1.",
    "tests/conformance/__snapshots__/test_golden_pictures/",
    "tests/presenters/__snapshots__/test_sentences/",
)
"""Where the commands of the page keep its golden games, pictures and sentences."""
CATALOG = "engine/catalog.py"

ASKED = (
    "high_card",  # whatever is asked of each game of the catalog
    *("test_layers", "test_locales", "test_citations", "a_folder_says"),
    *("every_string", "every_key", "every_language", "no_games_are_kept", "nothing_is_kept"),
)
"""The tests that look at games, in words of pytest's -k."""

OF_OTHERS = sorted(
    f"tests/{layer}/{package.split('.')[1]}"
    for layer in ("engine", "presenters")
    for package in catalog.PACKAGES.values()
    if package.startswith("engine.")
)
"""Folders with the tests of other games alone; importing them takes as long as all that is asked."""


@cache
def blocks() -> dict[str, str]:
    """The files of the page: each block of code by the path that the text names last before it."""
    found = {}
    for block in re.finditer(r"```(?:python|toml)\n(.*?)```", read(PAGE), re.DOTALL):
        before = read(PAGE)[: block.start()]
        found[re.findall(r"`([\w/-]+high_card\w*\.\w+)`", before)[-1]] = block[1]
    return found


def source() -> str:
    return blocks()[RULES]


def raised() -> str:
    """The game of the page after the change of its rules that the page shows."""
    code = source()
    (changes,) = re.findall(r"```diff\n(.*?)```", read(PAGE), re.DOTALL)
    for chunk in changes.split("\n\n"):
        lines = chunk.splitlines()
        before = "".join(f"{line[1:]}\n" for line in lines if line.startswith("-"))
        after = "".join(f"{line[1:]}\n" for line in lines if line.startswith("+"))
        assert code.count(before) == 1, before
        code = code.replace(before, after)
    return code


def made(name: str, code: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    module = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)  # msgspec looks up annotations there
    exec(code, module.__dict__)
    return module


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Any:
    return made("high_card", source(), monkeypatch)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The modules of the page once version 2 is played."""
    present = made("engine.high_card", raised(), monkeypatch)
    made("engine.high_card_1", blocks()[OLD_RULES], monkeypatch)
    monkeypatch.setattr(catalog, "PACKAGES", {**catalog.PACKAGES, "high_card": "engine.high_card"})
    catalog.get.cache_clear()
    yield present.GAME
    catalog.get.cache_clear()


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project to which the game of the page has been added, and nothing else."""
    tree = tmp_path_factory.mktemp("project")
    copy_to(tree)
    begin_history(tree)
    for name in FILES:
        (tree / name).write_text(blocks()[name], encoding="utf-8")
    (line,) = re.findall(r"^    \"high_card\": .*\n", read(PAGE), re.MULTILINE)
    listed = read(Path(CATALOG))
    (tree / CATALOG).write_text(listed.replace("PACKAGES = {\n", f"PACKAGES = {{\n{line}"), encoding="utf-8")
    return tree


@pytest.mark.long
def test_the_game_of_the_page_is_complete(tree: Path) -> None:
    """Laws, words, pictures, a whole game through the bot, lint and types: with no other file touched."""
    run_in(tree, "tools/golden.py", "high_card")
    kept = ("tests/conformance/test_golden_pictures.py", "tests/presenters/test_sentences.py")
    run_in(tree, *PYTEST, *kept, "-k", "high_card", "--snapshot-update")
    left_out = ("tests/e2e", "tests/house/test_add_a_game.py", *OF_OTHERS)
    here = [f"--ignore={path}" for path in left_out]
    run_in(tree, *PYTEST, "tests", *here, "-m", "not soak and not browser", "-k", " or ".join(ASKED))
    run_in(tree, "-m", "ruff", "check", "--no-cache", "bot", "engine")
    run_in(tree, "-m", "ruff", "format", "--no-cache", "--check", "bot", "engine")
    run_in(tree, "-m", "mypy", *(name for name in sorted(FILES) if name.endswith(".py")))
    changed = touched(tree)
    assert {name for name in changed if not name.startswith(KEPT)} == {*FILES, CATALOG}
    assert len(changed) > len(FILES) + 1, "golden games and pictures were kept"
    added = git(tree, "diff", "--cached", "--numstat", CATALOG).split()
    assert added == ["1", "0", CATALOG]


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("law", ALL_LAWS, ids=lambda law: law.__name__.removeprefix("test_"))
def test_both_versions_of_the_page_keep_the_law(law: Any, later: Any, version: int) -> None:
    hold(law, later.at(version))


def test_a_game_of_the_page_ends_by_the_rules_it_began_with(module: Any, later: Any) -> None:
    """A record from before the change of the rules holds after it, and by no other rules."""
    setup = module.GAME.setup(3, bytes(32))
    state, done, wins = module.GAME.deal(setup), [], {}
    while seats := state.to_act():
        done.append((seats[0], state.legal_actions(seats[0])[0]))
        state.apply(*done[-1])
    assert setup.version == 1
    assert record.play(setup, done).won == state.won
    assert record.verify(record.write(setup, done)).outcome() == state.outcome()
    for version in later.versions:
        state = later.at(version).deal(later.at(version).setup(2, bytes(32)))
        state.hands = [[3], [7]]
        for seat in (0, 1):
            state.apply(seat, state.legal_actions(seat)[0])
        wins[version] = state.won
    assert wins == {1: [0, 1], 2: [1, 0]}
    with pytest.raises(UnknownRules):
        later.at(3)


def test_the_rules_after_their_change_are_typed_and_tidy(tmp_path: Path) -> None:
    for name, code in {"high_card": raised(), "high_card_1": blocks()[OLD_RULES]}.items():
        path = tmp_path / f"{name}.py"
        path.write_text(code.replace("from engine.high_card ", "from high_card "), encoding="utf-8")
    style = ("--config", str(ROOT / "pyproject.toml"), str(tmp_path))
    run_in(ROOT, "-m", "ruff", "check", *style)
    run_in(ROOT, "-m", "ruff", "format", "--check", *style)
    run_in(ROOT, "-m", "mypy", "--strict", "--config-file=", str(tmp_path))


def test_the_page_names_files_that_are_there() -> None:
    for name in re.findall(r"`((?:engine|bot|tests|assets)/[\w./]+\.\w+)`", read(PAGE)):
        if "high_card" not in name and "<" not in name:
            assert (ROOT / name).exists() or (ROOT / "tests/conformance" / name).exists(), name
