"""Replays of every game: each position is that of the record, and nothing tells the end too early."""

from __future__ import annotations

from typing import Any, cast

import pytest
from msgspec.structs import replace

from bot import presenters
from bot.core.errors import Refused
from bot.features.replays.messages import ReplayPosition, replay_message, stops, turn_lines, views_of
from bot.features.replays.service import Replay
from bot.features.table.names import picture_look, word_look
from bot.locales import words
from bot.presenters.ending import headline
from bot.presenters.voice import unmarked
from bot.store.database import Database
from bot.store.games import UNDO, Entry, Sitter, Stored, StoredGame
from bot.store.terms import Terms
from bot.table.table import Table
from bot.table.table_context import TableContext
from engine import catalog, record
from engine.digests import digest
from engine.game import AnyState
from tests.support.processes.script import script

GOLDEN = script("golden")
NOWHERE = cast("Database", None)


class OfRecord(Table):
    """A table whose deal key is that of a record from a simulation, which has no seed."""

    __slots__ = ("dealt",)

    def setup(self, sitters: Any = None) -> Any:
        return SETUPS[self.stored.game]


SETUPS: dict[str, Any] = {}


def finished(key: str, acts: int | None = None) -> tuple[record.Record, Table, list[Entry]]:
    """The golden record of a game, and a table that ended so, or that has come as far as so many acts."""
    game = catalog.get(key)
    kept = GOLDEN.read(GOLDEN.path_of(game, GOLDEN.FOLDER)).record
    SETUPS[key] = record.setup_of(kept)
    stored = StoredGame(
        id=12,
        game=key,
        version=kept.version,
        phase="over" if acts is None else "live",
        options=kept.options,
        terms=Terms(),
        guild_id=1,
        channel_id=1,
        host_id=1,
        seed=bytes(32),
        nonce=bytes(16),
        created_at=0,
    )
    journal = [Entry(n, "act", step.seat, step.action, 0) for n, step in enumerate(kept.steps, 1)]
    names = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay"]
    sitters = [Sitter(names[seat], user_id=seat + 1) for seat in range(kept.seats)]
    context = TableContext.alone(NOWHERE)
    return kept, OfRecord(context, Stored(stored, sitters, journal[:acts], ())), journal


@pytest.fixture(autouse=True)
def _of_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.replays.service.Table", OfRecord)


def state_of(table: Table) -> AnyState:
    assert table.state is not None
    return table.state


@pytest.mark.long
@pytest.mark.parametrize("key", catalog.listed())
def test_each_position_is_that_of_the_record(key: str) -> None:
    kept, table, journal = finished(key)
    replay = Replay.of(NOWHERE, table, journal)
    assert replay.last == len(kept.steps)
    for number, state in record.replay(kept):
        there = state_of(replay.at(number))
        assert digest(key, there) == digest(key, state)
        for viewer in (None, *range(kept.seats)):
            assert there.observe(viewer) == state.observe(viewer)


def spoilers(table: Table) -> set[str]:
    """The sentences that tell how the game ended."""
    presenter, outcome = presenters.get(table.game.key), table.outcome()
    assert outcome is not None
    word, picture = word_look(table, "en"), picture_look(table, "en")
    told = {words("en")("table.over"), presenter.ending(outcome, word)}
    if len(table.sitters) > 1:  # alone it says no more than the points, which stand there from the start
        told.add(headline(presenter, outcome, picture))
    return {unmarked(each).strip() for each in told}


@pytest.mark.long
@pytest.mark.parametrize("key", catalog.listed())
def test_nothing_tells_the_end_before_it_is_there(key: str) -> None:
    """Neither words nor labels, alt texts, ids or file names; each step from another point of view.

    Most of the way some steps are enough. Towards the end, where it is most likely, each is looked at.
    """
    _, table, journal = finished(key)
    replay = Replay.of(NOWHERE, table, journal)
    hidden, views = spoilers(table), views_of(table)
    final = max(0, replay.last - 2 * len(views))
    for number, act in enumerate((*range(0, final, 4), *range(final, replay.last + 1))):
        where = ReplayPosition("12", views[number % len(views)], act)
        message = replay_message(replay, where, "en", {})
        said = unmarked(f"{message.view.to_components()} {list(message.pictures)}".replace("\\n", "\n"))
        alts = " ".join(unmarked(scene.alt) for scene in message.pictures.values())
        found = {each for each in hidden if each in said or each in alts}
        if act < replay.last:
            assert not found, (act, where.view)
            assert "v:end:" not in said
        else:
            assert found


@pytest.mark.parametrize("key", catalog.listed())
def test_turns_and_stops_lead_from_the_deal_to_the_end(key: str) -> None:
    _, table, journal = finished(key)
    replay = Replay.of(NOWHERE, table, journal)
    turns = replay.turns()
    assert (turns[0], turns[-1]) == (0, replay.last)
    assert list(turns) == sorted(set(turns))
    for act in range(0, replay.last + 1, 7):
        found = stops(replay, act)
        assert len(found) <= 25
        assert found == sorted(set(found))
        assert (found[0], found[-1]) == (0, replay.last)
        assert replay.turn_before(act) <= act <= replay.turn_after(act)
        lines = turn_lines(replay, ReplayPosition("1", "t", act), words("en"))
        assert [int(line.value) for line in lines] == found
        assert [int(line.value) for line in lines if line.chosen] == [act] * (act in found)


def test_a_game_that_goes_on_has_no_replay() -> None:
    _, table, journal = finished("atom_duel", 5)
    with pytest.raises(Refused, match="replay_early"):
        Replay.of(NOWHERE, table, journal[:5])


def test_what_was_taken_back_is_no_part_of_a_replay() -> None:
    _, table, journal = finished("atom_duel")
    first, *rest = journal
    slip = [first, Entry(2, UNDO, first.seat, [1], 0), *(replace(one, seq=one.seq + 2) for one in journal)]
    replay, straight = Replay.of(NOWHERE, table, slip), Replay.of(NOWHERE, table, journal)
    assert replay.last == straight.last == len(rest) + 1
    for act in (0, 1, 5, replay.last):
        assert state_of(replay.at(act)).fingerprint() == state_of(straight.at(act)).fingerprint()
