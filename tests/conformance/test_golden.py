"""Golden games: a version means the same rules for ever, and nobody sees anything else by chance.

The games and what was seen of them are written by `tools/golden.py`; what they cover is said there.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import catalog, record
from engine.game import Event, Game, Option
from engine.setups import every_kind
from tests.conformance.walk import every_game
from tests.house.tree import ROOT
from tests.support.games.probe import ProbeState
from tests.support.processes.script import script

CHANGED = """{path}: {count} of its games are played no more as they were. The first is {first}

{key} no longer plays by rules {version} as it did. Unless that is a mistake:
  1. raise `version` of the game, so that new games go by the new rules;
  2. keep what was different in a module of its own, named in `earlier`: games under way end by it;
  3. run python tools/golden.py, which writes the games of the new version.
docs/add-a-game.md shows it. The golden games of a version are never written again."""

SEEN = """{path}: {count} of its games are played as they were, but seen otherwise. The first is {first}

To compare, run this here and in a checkout of the last commit:
  python tools/golden.py --show {name} {game} {step}
If it is meant: python tools/golden.py --accept {key}, and say why in the commit."""


SOME = 15
"""Maximum number, about, of games of a version in `make test`; `make long` plays all."""
GOLDEN = script("golden")
KEPT: Path = GOLDEN.FOLDER


def hold(game: Game[Any, Any], folder: Path | None = None, each: int = 1) -> None:
    """Verify each so manieth golden game of a game by one version of its rules; says what to do else."""
    folder = folder or KEPT
    path, seen_path = GOLDEN.path_of(game, folder), GOLDEN.seen_path_of(game, folder)
    present = catalog.get(game.key).version == game.version
    for name in (path, seen_path):
        if not name.exists():
            again = present or (name == seen_path and path.exists())
            todo = f"run python tools/golden.py {game.key}" if again else "take it from the history"
            pytest.fail(f"{name.name} is missing: {todo}", pytrace=False)
    found, seen = GOLDEN.read(path), GOLDEN.read_seen(seen_path)
    assert len(found.games) >= GOLDEN.LEAST
    assert len(found.games) == len(seen)
    assert (found.record.game, found.record.version) == (game.key, game.version)
    wrong, otherwise = [], []
    try:
        record.verify(found.record)
    except record.BadRecord as error:
        wrong.append(f"the record: {error}")
    numbered = list(enumerate(zip(found.games, seen, strict=True), 1))
    for number, (short, before) in numbered[::each]:
        try:
            now = GOLDEN.watched(game, short)
        except GOLDEN.Changed as changed:
            wrong.append(f"game {number}: {changed}")
            continue
        if found_other := GOLDEN.difference(short.seats, before, now):
            step, what = found_other
            seat, action = short.acts[step - 1] if step else (-1, [])
            after = f"step {step} (seat {seat + 1}: {action})" if step else "the deal"
            table = GOLDEN.kind_of(game, short)
            otherwise.append((number, step, f"game {number} ({table}), after {after}: {what}"))
    words = {"key": game.key, "version": game.version}
    if wrong:
        said = CHANGED.format(path=path.name, count=len(wrong), first=wrong[0], **words)
        pytest.fail(said, pytrace=False)
    if otherwise:
        number, step, first = otherwise[0]
        name = path.name.removesuffix(".json.gz")
        where = {"path": seen_path.name, "name": name, "game": number, "step": step}
        pytest.fail(SEEN.format(count=len(otherwise), first=first, **where, **words), pytrace=False)


@pytest.mark.parametrize("key", catalog.listed())
def test_some_games_are_played_and_seen_as_they_always_were(key: str) -> None:
    game = catalog.get(key)
    count = len(GOLDEN.read(GOLDEN.path_of(game, KEPT)).games)
    # an odd step meets both those played at random and those of the strongest opponent
    hold(game, each=max(5, count // SOME) | 1)


@every_game
@pytest.mark.long
def test_every_version_is_played_and_seen_as_it_always_was(game: Game[Any, Any]) -> None:
    hold(game)


def test_no_games_are_kept_of_rules_that_are_not_played() -> None:
    played = {
        path(game.at(version), KEPT).name
        for game in map(catalog.get, catalog.listed())
        for version in game.versions
        for path in (GOLDEN.path_of, GOLDEN.seen_path_of)
    }
    assert {path.name for path in KEPT.iterdir()} <= played, "delete what nobody plays any more"


@pytest.mark.parametrize("key", catalog.listed())
def test_the_games_show_every_choice_often_and_every_two_choices_together(key: str) -> None:
    """Counted by the rules alone. What an option brings later gets games of its own."""
    game = catalog.get(key)
    kinds = [GOLDEN.kind_of(game, short) for short in GOLDEN.read(GOLDEN.path_of(game, KEPT)).games]
    assert GOLDEN.missing(game, kinds) == [], f"run python tools/golden.py {key}"
    once, twice = Counter[Any](), set[Any]()
    for kind in kinds:
        choices = GOLDEN.choices(kind)
        once.update(choices)
        twice.update(combinations(choices, 2))
    for kind in every_kind(game):
        choices = GOLDEN.choices(kind)
        assert min(once[choice] for choice in choices) >= GOLDEN.EACH
        assert twice >= set(combinations(choices, 2))


def test_the_size_of_what_is_kept() -> None:
    """Earlier versions have a budget of their own: their games go when no table needs them any more."""
    sizes = {path.name: path.stat().st_size for path in KEPT.iterdir()}
    current = {f"{key}-v{catalog.get(key).version}" for key in catalog.listed()}
    assert sum(size for name, size in sizes.items() if name.split(".")[0] in current) < 2_000_000
    assert sum(sizes.values()) < 3_500_000


# -- the games can fail -----------------------------------------------------------------------


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


def first_look(seats: int) -> tuple[int, int]:
    """The first golden game of the probe for at least so many, and the first step at which a seat looks."""
    games = GOLDEN.read(GOLDEN.path_of(catalog.get("probe"), KEPT)).games
    number, short = next((n, short) for n, short in enumerate(games, 1) if short.seats >= seats)
    return number, next(step for step, (_, act) in enumerate(short.acts, 1) if act[0] == "look")


def test_an_observation_that_changes_for_one_seat_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    number, step = first_look(seats=2)
    plain = ProbeState.observe

    def observe(state: ProbeState, viewer: int | None) -> Any:
        seen = plain(state, viewer)
        return msgspec.structs.replace(seen, stock=()) if viewer == 1 and state.phase == "lay" else seen

    monkeypatch.setattr(ProbeState, "observe", observe)
    with pytest.raises(pytest.fail.Exception) as caught:
        hold(catalog.get("probe"))
    said = str(caught.value)
    assert f"probe-v2 {number} {step}\n" in said
    assert f"after step {step} (seat " in said
    assert ": the observation for seat 2\n" in said
    assert "--accept probe" in said


def test_an_observation_of_the_deal_that_changes_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = ProbeState.observe
    monkeypatch.setattr(
        ProbeState, "observe", lambda s, v: msgspec.structs.replace(plain(s, v), ties="nobody")
    )
    with pytest.raises(
        pytest.fail.Exception, match="after the deal: the observation for seat 1, a spectator"
    ):
        hold(catalog.get("probe"))


def test_an_event_that_changes_for_some_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    _, step = first_look(seats=1)
    plain = Event.seen_by

    def leaking(event: Event, viewer: int | None) -> Event | None:
        if event.secret and viewer is None:
            return Event(event.kind, event.seat, {**event.facts, **event.secret})
        return plain(event, viewer)

    monkeypatch.setattr(Event, "seen_by", leaking)
    with pytest.raises(
        pytest.fail.Exception, match=rf"after step {step} \(seat .*: the events for a spectator"
    ):
        hold(catalog.get("probe"))


def test_an_offer_that_changes_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = ProbeState.legal_actions
    monkeypatch.setattr(ProbeState, "legal_actions", lambda s, seat: plain(s, seat)[::-1])
    with pytest.raises(pytest.fail.Exception, match="after the deal: what may be decided for seat 1\n"):
        hold(catalog.get("probe"))


def test_a_change_that_the_short_digests_miss_is_noticed() -> None:
    before = GOLDEN.read_seen(GOLDEN.seen_path_of(catalog.get("probe"), KEPT))[0]
    now = msgspec.structs.replace(before, all=bytes(8))
    assert GOLDEN.difference(2, before, before) is None
    assert "do not show" in GOLDEN.difference(2, before, now)[1]


def test_files_that_are_missing_are_noticed(tmp_path: Path) -> None:
    for version, todo in ((2, "run python tools/golden.py probe"), (1, "take it from the history")):
        with pytest.raises(pytest.fail.Exception, match=todo):
            hold(catalog.get("probe").at(version), tmp_path)
    shutil.copy(KEPT / "probe-v1.json.gz", tmp_path)
    with pytest.raises(pytest.fail.Exception, match=r"probe-v1\.seen\.gz is missing: run python"):
        hold(catalog.get("probe").at(1), tmp_path)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_script_adds_what_is_missing_and_alters_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(catalog, "PACKAGES", {"probe": catalog.PACKAGES["probe"]})
    for name in ("probe-v1.json.gz", "probe-v1.seen.gz"):
        shutil.copy(KEPT / name, tmp_path)
    before = contents(tmp_path)
    assert GOLDEN.main([], tmp_path) == 0
    assert re.fullmatch(r"probe-v2\.json\.gz: (\d+) games more, \1 in all\n", capsys.readouterr().out)
    hold(catalog.get("probe"), tmp_path)
    assert GOLDEN.main([], tmp_path) == 0
    assert capsys.readouterr().out == ""
    written = contents(tmp_path)
    assert written.items() > before.items()
    # the rules change, and somebody would like the games to follow
    plain = ProbeState._looker
    monkeypatch.setattr(ProbeState, "_looker", lambda state: len(state.hands) - 1)
    for words in ([], ["probe"], ["--accept"], ["--accept", "probe"]):
        assert GOLDEN.main(words, tmp_path) == 1
        assert "raise its version (docs/add-a-game.md)" in capsys.readouterr().err
    assert contents(tmp_path) == written
    # a new version gets games of its own
    monkeypatch.setattr(ProbeState, "_looker", plain)
    monkeypatch.setattr(type(catalog.get("probe")), "version", 3)
    assert GOLDEN.main(["probe"], tmp_path) == 0
    assert {name.split(".")[0] for name in contents(tmp_path)} == {f"probe-v{n}" for n in (1, 2, 3)}
    assert contents(tmp_path).items() > written.items()
    assert GOLDEN.main(["porbe"], tmp_path) == 1
    assert "no game is called 'porbe'" in capsys.readouterr().err


def test_games_are_added_to_those_of_a_version_when_an_option_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value that plays as before needs no new version, but games that show it."""
    shutil.copytree(KEPT, tmp_path, dirs_exist_ok=True)
    game = catalog.get("probe")
    before = (
        GOLDEN.read(GOLDEN.path_of(game, tmp_path)),
        GOLDEN.read_seen(GOLDEN.seen_path_of(game, tmp_path)),
    )
    later = Option("mood", ("calm", "merry"), "calm")
    monkeypatch.setattr(type(game), "options", (*game.options, later))
    hold(game, tmp_path)
    assert GOLDEN.main(["probe"], tmp_path) == 0
    hold(game, tmp_path)
    after = GOLDEN.read(GOLDEN.path_of(game, tmp_path)), GOLDEN.read_seen(GOLDEN.seen_path_of(game, tmp_path))
    count = len(before[1])
    assert (after[0].record, after[0].games[:count], after[1][:count]) == (
        before[0].record,
        before[0].games,
        before[1],
    )
    merry = [short for short in after[0].games if short.options.get("mood") == "merry"]
    assert len(merry) >= GOLDEN.EACH


def test_what_is_seen_otherwise_on_purpose_is_accepted_and_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(KEPT, tmp_path, dirs_exist_ok=True)
    before = contents(tmp_path)
    assert GOLDEN.main(["--accept", "probe"], tmp_path) == 0
    assert contents(tmp_path) == before
    plain = ProbeState.observe
    monkeypatch.setattr(
        ProbeState, "observe", lambda s, v: msgspec.structs.replace(plain(s, v), ties="nobody")
    )
    assert GOLDEN.main(["--accept", "probe"], tmp_path) == 0
    said = capsys.readouterr().out
    assert re.search(r"probe-v2\.seen\.gz: (\d+) of \1 games are seen otherwise", said)
    changed = {name for name, raw in contents(tmp_path).items() if raw != before[name]}
    assert changed == {"probe-v1.seen.gz", "probe-v2.seen.gz"}
    hold(catalog.get("probe"), tmp_path)
    assert GOLDEN.main(["--show", "probe-v2", "1", "0"], tmp_path) == 0
    shown = msgspec.json.decode(capsys.readouterr().out)
    assert shown["seen"]["seat 1"]["the observation"]["ties"] == "nobody"
    assert GOLDEN.main(["--show", "probe-v2", "999", "0"], tmp_path) == 1
    assert GOLDEN.main(["--show", "probe-v9", "1", "0"], tmp_path) == 1
    assert GOLDEN.main(["--show", "probe-v2"], tmp_path) == 2


def test_what_is_seen_is_the_same_in_every_process() -> None:
    """Sets have another order in each; nothing seen may depend on it."""
    code = (
        "import sys; sys.path.insert(0, 'tools'); import golden; from engine import catalog\n"
        "for key in catalog.listed():\n"
        "    game = catalog.get(key); games = golden.read(golden.path_of(game, golden.FOLDER)).games\n"
        "    print(key, golden.watched(game, games[0]))"
    )
    told = set()
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, check=True)
        told.add(ran.stdout)
    assert len(told) == 1
    assert b"molecular SeenGame(" in told.pop()
