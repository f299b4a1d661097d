"""Who watches a table sees what everybody sees, whatever is hidden there: in many kinds of tables."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.features.table.board import board_message
from bot.features.watching.messages import Watch, watch_message
from bot.store.games import Entry
from bot.table.recent import Recent
from bot.table.table import RECENT_EVENTS, Table
from bot.ui.components import Message
from engine import catalog
from engine.game import AnyGame, as_json
from engine.setups import Kind, covering
from tests.support.tables.replayed import a_table

KEYS = [key for key in catalog.listed() if key != "probe"]
MOST_ACTS = 60
MOST_TABLES = 30
"""About how many kinds of tables of a game are watched: Molecular alone has two hundred."""
WATCHES = (Watch(), Watch(guess=0, since=0))


def a_game(game: AnyGame, kind: Kind, rng: random.Random) -> Table:
    """A table of this kind, some way into a random game."""
    table = a_table(game, kind, ())
    state, journal = game.deal(table.setup()), list[Entry]()
    for number in range(1, rng.randrange(MOST_ACTS) + 1):
        if not (waiting := state.to_act()):
            break
        seat = rng.choice(waiting)
        action = rng.choice(state.legal_actions(seat))
        journal.append(Entry(number, "act", seat, as_json(action), 0))
        state.push(seat, action)
    return a_table(game, kind, journal)


def world_of(table: Table, kind: Kind, rng: random.Random) -> Table:
    """The same table in another world that the public cannot tell from it, and with nothing secret left in
    what has happened."""
    other = a_table(table.game, kind, ())
    assert table.state is not None
    other.state = table.game.sample(table.state.observe(None), rng)
    other.seq, other.acts, other.legal, other.decisions = table.seq, table.acts, [], []
    other.recent = Recent(RECENT_EVENTS)
    other.recent.add([cut for event in table.recent if (cut := event.seen_by(None))], None)
    return other


def looks(message: Message) -> tuple[Any, ...]:
    """All that a message shows: words and controls, pictures and their alt texts."""
    return message.view.to_components(), message.pictures, message.files, message.raw


@pytest.mark.parametrize("key", KEYS)
def test_a_watcher_sees_nothing_that_is_hidden(key: str) -> None:
    game, rng = catalog.get(key), random.Random(key)
    differed, kinds = 0, covering(game)
    for kind in kinds[:: max(1, len(kinds) // MOST_TABLES)]:
        table = a_game(game, kind, rng)
        other = world_of(table, kind, rng)
        assert table.state is not None
        assert other.state is not None
        seats = range(kind.seats)
        differed += any(table.state.observe(seat) != other.state.observe(seat) for seat in seats)
        for watch in WATCHES:
            seen, same = (watch_message(each, watch, "en") for each in (table, other))
            assert looks(seen) == looks(same), kind
    # a game whose cards all lie open has one world
    assert differed or key == "chemistry_battle"


@pytest.mark.parametrize("key", KEYS)
def test_a_watcher_sees_the_picture_of_the_table(key: str) -> None:
    game, rng = catalog.get(key), random.Random(key)
    for kind in covering(game)[:6]:
        table = a_game(game, kind, rng)
        view, board = watch_message(table, Watch(), "en"), board_message(table)
        assert view.pictures == board.pictures
