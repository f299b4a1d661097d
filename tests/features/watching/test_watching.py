"""Watching a table as people press it: the view follows, guesses count, hands are shown by consent alone."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.watching import service as watched
from bot.features.watching import watchers
from bot.features.watching.watchers import Watchers
from bot.locales import words
from tests.support.discord.forging import answer_of, forge
from tests.support.discord.keys import part
from tests.support.discord.room_play import bids, board_of, dealt, play_out, shows, the_table
from tests.support.discord.sent_messages import custom_ids, said, verbs
from tests.support.tables.tables import at_hand

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
    assert room.cleo.id in room.bot.app.service(Watchers).of_table(the_table(room))
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
        assert say("refused.not_a_button") in said(answer_of(refused))
    seated = await forge(room.ben, board, f"v:guess:{table.id}", ("1",))
    assert say("refused.watch_seated") in said(answer_of(seated))
    assert table.stored.terms.guesses == {0: 1}
    await play_out(room)
    late = await forge(room.cleo, view, f"v:guess:{table.id}", ("1",))
    assert say("refused.guess_late") in said(answer_of(late))
    outcome = table.outcome()
    assert outcome is not None
    seen = watched.count_correct_guesses(table)
    right = watched.correct_guesses(table, outcome)
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


async def test_watchers_get_one_button_to_the_rematch(room: Any) -> None:
    board, first = await dealt(room), the_table(room)
    view = await watch(room, room.cleo, board)
    await play_out(room)
    board = board_of(room)
    assert verbs(view) == {"watch"}
    for person in (room.ann, room.ben):
        await person.click(board, label="Play again")
        await room.env.settle()
        if person is room.ann:
            early = await room.cleo.click(view, label=say("watch.next"))
            assert said(early.response) == say("refused.not_started")
    (rematch,) = [table for table in at_hand(room.bot.tables).values() if table.phase == "live"]
    assert rematch.id == first.stored.terms.next
    led = (await room.cleo.click(view, label=say("watch.next"))).response
    assert led.id == view.id
    assert f"table {rematch.id}" in said(led)
    assert room.bot.app.service(Watchers).of_table(rematch) == [room.cleo.id]


async def test_a_view_from_before_the_rematch_leads_there_too(room: Any) -> None:
    """Discord lets a view be changed for 15 minutes only; its button works for ever."""
    board, first = await dealt(room), the_table(room)
    view = await watch(room, room.cleo, board)
    await play_out(room)
    room.bot.app.service(Watchers).forget(room.cleo.id)
    await room.ann.click(board_of(room), label="Play again")
    view = (await room.cleo.click(view, label=say("hand.refresh"))).response
    assert f"v:watch:{first.stored.terms.next}" in list(custom_ids(view.components))


async def test_a_rematch_that_was_closed_is_told_as_such(room: Any) -> None:
    board, first = await dealt(room), the_table(room)
    view = await watch(room, room.cleo, board)
    await play_out(room)
    await room.ann.click(board_of(room), label="Play again")
    await room.env.settle()
    await at_hand(room.bot.tables)[first.stored.terms.next].cancel("closed")
    refused = (await room.cleo.click(view, label=say("watch.next"))).response
    assert part("refused.closed") in said(refused)
