"""A version of the rules means the same rules for ever: its golden records hold as long as it is played.

The records are written by `scripts/golden.py`, once for each version, while it is the present one.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from engine import catalog, record
from engine.game import Game
from tests.conformance.walk import every_game
from tests.house.tree import ROOT
from tests.support.probe import ProbeState

CHANGED = """{path}: {count} of its games are played no more as they were. The first is {first}

{key} no longer plays by rules {version} as it did. Unless that is a mistake:
  1. raise `version` of the game, so that new games go by the new rules;
  2. keep what was different in a module of its own, named in `earlier`: games under way end by it;
  3. run python scripts/golden.py, which writes the records of the new version.
docs/add-a-game.md shows it. The golden records of a version are never written again."""


def script() -> Any:
    spec = importlib.util.spec_from_file_location("golden", ROOT / "scripts" / "golden.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["golden"] = module  # msgspec looks up annotations there
    spec.loader.exec_module(module)
    return module


GOLDEN = script()
KEPT: Path = GOLDEN.FOLDER


def hold(game: Game[Any, Any], folder: Path | None = None) -> None:
    """Verify the golden records of a game by one version of its rules; says what to do where they fail."""
    path = GOLDEN.path_of(game, folder or KEPT)
    present = catalog.get(game.key).version == game.version
    if not path.exists():
        pytest.fail(
            f"{path.name} is missing: "
            + (f"run python scripts/golden.py {game.key}" if present else "take it from the history"),
            pytrace=False,
        )
    found = GOLDEN.read(path)
    assert len(found.games) >= GOLDEN.LEAST
    assert (found.record.game, found.record.version) == (game.key, game.version)
    wrong = []
    try:
        record.verify(found.record)
    except record.BadRecord as error:
        wrong.append(f"the record: {error}")
    for number, short in enumerate(found.games, 1):
        if said := GOLDEN.check(game, short):
            wrong.append(f"game {number}: {said}")
    if wrong:
        first = CHANGED.format(
            path=path.name, count=len(wrong), first=wrong[0], key=game.key, version=game.version
        )
        pytest.fail(first, pytrace=False)


@every_game
def test_every_version_played_plays_as_it_always_did(game: Game[Any, Any]) -> None:
    hold(game)


def test_no_record_is_kept_of_rules_that_are_not_played() -> None:
    played = {
        GOLDEN.path_of(game.at(version), KEPT).name
        for game in map(catalog.get, catalog.listed())
        for version in game.versions
    }
    assert {path.name for path in KEPT.iterdir()} <= played, "delete what nobody plays any more"


# -- the records can fail ---------------------------------------------------------------------


def test_rules_that_change_without_a_new_version_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProbeState, "_looker", lambda state: len(state.hands) - 1)
    with pytest.raises(pytest.fail.Exception, match="no longer plays by rules 2") as caught:
        hold(catalog.get("probe"))
    assert "raise `version`" in str(caught.value)
    hold(catalog.get("probe").at(1))  # what is kept apart does not change with it


def test_earlier_rules_that_change_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    old = catalog.get("probe").at(1)
    monkeypatch.setattr(type(old), "position", ProbeState)
    with pytest.raises(pytest.fail.Exception, match="no longer plays by rules 1"):
        hold(old)


def test_a_version_without_records_is_noticed(tmp_path: Path) -> None:
    for version, todo in ((2, "run python scripts/golden.py probe"), (1, "take it from the history")):
        with pytest.raises(pytest.fail.Exception, match=todo):
            hold(catalog.get("probe").at(version), tmp_path)


def test_the_script_writes_what_is_missing_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(catalog, "PACKAGES", {"probe": catalog.PACKAGES["probe"]})
    old = tmp_path / "probe-v1.json.gz"
    shutil.copy(KEPT / old.name, old)
    before = old.read_bytes()
    assert GOLDEN.main([], tmp_path) == 0
    assert capsys.readouterr().out == "probe-v2.json.gz: 40 games\n"
    hold(catalog.get("probe"), tmp_path)
    written = (tmp_path / "probe-v2.json.gz").read_bytes()
    # the rules change, and somebody would like the records to follow
    monkeypatch.setattr(ProbeState, "_looker", lambda state: len(state.hands) - 1)
    assert GOLDEN.main([], tmp_path) == 0
    assert GOLDEN.main(["probe"], tmp_path) == 1
    assert "raise its version (docs/add-a-game.md)" in capsys.readouterr().err
    assert (tmp_path / "probe-v2.json.gz").read_bytes() == written
    assert old.read_bytes() == before
    # a new version gets records of its own
    monkeypatch.setattr(type(catalog.get("probe")), "version", 3)
    assert GOLDEN.main(["probe"], tmp_path) == 0
    assert {path.name for path in tmp_path.iterdir()} == {f"probe-v{n}.json.gz" for n in (1, 2, 3)}
    assert GOLDEN.main(["porbe"], tmp_path) == 1
    assert "no game is called 'porbe'" in capsys.readouterr().err


@every_game
def test_the_records_show_every_value_and_number_of_seats(game: Game[Any, Any]) -> None:
    """Those that the script would write now; what an option brings later has records with a new version."""
    setups = list(GOLDEN.setups(game))
    assert setups[0].options == game.defaults()
    for option in game.options:
        assert {setup.options[option.key] for setup in setups} == set(option.values)
    everywhere = {n for setup in setups for n in game.seats(setup.options)}
    assert {setup.seats for setup in setups} == everywhere
