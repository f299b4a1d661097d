"""Watching a table as people press it: the view follows, guesses count, hands are shown by consent alone."""

from __future__ import annotations

from typing import Any

import pytest

from bot.locales import words
from bot.tables import watched
from bot.views import watchers
from tests.flows.test_board import play_out
from tests.flows.test_moving import said, the_table, verbs
from tests.flows.test_undo import bids, shows
from tests.flows.test_views import dealt
from tests.support.forging import forge

say = words("en")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Views change as soon as there is something new."""
    monkeypatch.setattr(watchers, "PAUSE_SECONDS", 0.0)


async def watch(room: Any, person: Any, board: Any) -> Any:
    return (await person.click(board, label=say("watch.label"))).response


async def test_who_sits_there_is_told_so_and_others_see_it_go_on(room: Any) -> None:
    board = await dealt(room, rounds="3")
    own = await watch(room, room.ann, board)
    assert said(own).endswith(say("refused.watch_seated"))
    view = await watch(room, room.cleo, board)
    assert view.ephemeral
    assert say("watch.follows") in said(view)
    assert verbs(view) == {"watch", "guess"}
    await bids(room, room.ann, board, 1)
    await bids(room, room.ben, board, 2)
    await room.env.settle()
    board = room.channel.last_message
    assert shows(board, say("watch.watching", n=1))
    assert room.cleo.id in room.bot.app.watchers.of_table(the_table(room))
    assert not shows(board, "cleo")
    again = (await room.cleo.click(view, label=say("hand.refresh"))).response
    assert say("watch.since") in said(again)


async def test_a_guess_is_changed_early_and_told_at_the_end(room: Any) -> None:
    board = await dealt(room, rounds="3")
    table = the_table(room)
    view = await watch(room, room.cleo, board)
    told = (await forge(room.cleo, view, f"v:guess:{table.id}", ("1",))).response
    assert say("watch.yours", name="ben") in said(told)
    told = (await forge(room.cleo, view, f"v:guess:{table.id}", ("0",))).response
    assert say("watch.yours", name="ann") in said(told)
    assert table.stored.terms.guesses == {0: 1}
    for value in ("2", "x", "-1"):
        refused = await forge(room.cleo, view, f"v:guess:{table.id}", (value,))
        assert say("refused.not_a_button") in said(refused.response)
    seated = await forge(room.ben, board, f"v:guess:{table.id}", ("1",))
    assert say("refused.watch_seated") in said(seated.response)
    assert table.stored.terms.guesses == {0: 1}
    await play_out(room)
    late = await forge(room.cleo, view, f"v:guess:{table.id}", ("1",))
    assert say("refused.guess_late") in said(late.response)
    outcome = table.outcome()
    assert outcome is not None
    seen = watched.foreseen(table)
    right = watched.came_true(table, outcome)
    board = room.channel.last_message
    if right is None:
        assert seen is None
        assert not shows(board, "saw it coming")
        return
    assert seen == (int(0 in right), 1)
    assert shows(board, say("watch.foreseen", right=seen[0], n=1))
    stats = (await room.cleo.slash(room.channel, "stats")).response
    assert say("watch.hits", right=seen[0], n=1) in said(stats)
    assert "came true" not in said((await room.ann.slash(room.channel, "stats")).response)


async def test_hands_are_shown_where_all_agree_and_hidden_when_one_does_not(room: Any) -> None:
    board = await dealt(room, "canasta")
    table = the_table(room)
    view = await watch(room, room.cleo, board)
    closed = await forge(room.cleo, view, f"v:watch-hands:{table.id}")
    assert say("refused.hands_closed") in said(closed.response)
    more = (await room.ann.click(board, label=say("table.more"))).response
    await room.ann.click(more, label=say("hands.show"))
    await room.env.settle()
    assert not table.stored.terms.hands
    board = room.channel.last_message
    assert shows(board, "would like to let watchers see all hands")
    await room.ben.click(board, label=say("consent.yes"))
    await room.env.settle()
    assert table.stored.terms.hands
    assert not table.stored.terms.peeked
    assert shows(room.channel.last_message, say("watch.hands_open"))
    hands = (await forge(room.cleo, view, f"v:watch-hands:{table.id}")).response
    assert say("watch.not_yet") in said(hands)
    own = await forge(room.ben, board, f"v:watch-hands:{table.id}")
    assert say("refused.watch_seated") in said(own.response)
    await forge(room.ben, board, f"v:hands-hide:{table.id}")
    await room.env.settle()
    assert not table.stored.terms.hands
    assert not shows(room.channel.last_message, say("watch.hands_open"))
    closed = await forge(room.cleo, view, f"v:watch-hands:{table.id}")
    assert say("refused.hands_closed") in said(closed.response)


async def test_a_game_whose_hands_last_offers_none_with_several_people(room: Any) -> None:
    board = await dealt(room, "duel52")
    more = (await room.ann.click(board, label=say("table.more"))).response
    assert "hands-show" not in verbs(more)
    refused = await forge(room.ann, board, f"v:hands-show:{the_table(room).id}")
    assert say("refused.hands_never") in said(refused.response)


async def test_nobody_sits_down_at_a_table_that_is_played(room: Any) -> None:
    """So no watcher who has seen hands ever holds some there."""
    board = await dealt(room)
    table = the_table(room)
    await watch(room, room.cleo, board)
    refused = await forge(room.cleo, board, f"v:join:{table.id}")
    assert say("refused.already_started") in said(refused.response)
    assert table.seats_of(room.cleo.id) == []
