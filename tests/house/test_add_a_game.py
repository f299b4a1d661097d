"""The game of docs/add-a-game.md is a real one: it keeps every law of the contract."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from engine import catalog, record
from engine.game import UnknownRules
from tests.conformance.test_kit import ALL_LAWS, check, hold
from tests.house.tree import ROOT, read

PAGE = Path("docs/add-a-game.md")


def blocks(language: str) -> list[str]:
    return [str(code) for code in re.findall(rf"```{language}\n(.*?)```", read(PAGE), re.DOTALL)]


def source() -> str:
    return blocks("python")[0]


def raised() -> str:
    """The game of the page after the change of its rules that the page shows."""
    code = source()
    (changes,) = blocks("diff")
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
    made("engine.high_card_1", blocks("python")[1], monkeypatch)
    monkeypatch.setattr(catalog, "PACKAGES", {**catalog.PACKAGES, "high_card": "engine.high_card"})
    catalog.get.cache_clear()
    yield present.GAME
    catalog.get.cache_clear()


@pytest.mark.parametrize("law", ALL_LAWS, ids=lambda law: law.__name__.removeprefix("test_"))
def test_the_game_of_the_page_keeps_the_law(law: Any, module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "PACKAGES", {**catalog.PACKAGES, "high_card": "high_card"})
    check(law, module.GAME, monkeypatch)


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


PAGES = [
    pytest.param({"high_card": source()}, id="new"),
    pytest.param({"high_card": raised(), "high_card_1": blocks("python")[1]}, id="raised"),
]


@pytest.mark.parametrize("files", PAGES)
def test_the_code_of_the_page_is_typed_and_tidy(files: dict[str, str], tmp_path: Path) -> None:
    for name, code in files.items():
        path = tmp_path / f"{name}.py"
        path.write_text(code.replace("from engine.high_card ", "from high_card "), encoding="utf-8")
    ruff = [sys.executable, "-m", "ruff"]
    style = ["--config", str(ROOT / "pyproject.toml")]
    for words in (["check", *style, "--ignore", "D1,ARG002,RUF012,RUF017"], ["format", "--check", *style]):
        done = subprocess.run([*ruff, *words, str(tmp_path)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_page_names_files_that_are_there() -> None:
    for name in re.findall(r"`((?:engine|bot|tests|assets)/[\w./]+\.\w+)`", read(PAGE)):
        if "high_card" not in name and "<" not in name:
            assert (ROOT / name).exists() or (ROOT / "tests/conformance" / name).exists(), name
