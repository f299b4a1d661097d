"""A hint in the hand: what it says, who gets one, and that nobody else hears of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.features.table.hand.messages import HAND_PICTURE
from bot.features.table.hand.seat_view import SeatView
from bot.features.teacher import handlers as teacher
from bot.locales import words
from bot.presenters.paths import in_words, ways_to
from bot.table.people import leaving
from bot.ui import context
from bot.ui.names import inert
from bot.workers.errors import NoAnswer
from engine.ai.advice import Advice, Worse
from engine.game import AnyGame
from engine.reason import Reason, pattern_for
from tests.support.discord.forging import forge
from tests.support.discord.lobbies import arrange
from tests.support.discord.people import prefer
from tests.support.discord.room_play import alone, dealt, hand_of, the_table
from tests.support.discord.sent_messages import custom_ids, said, verbs

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about

say = words("en")
HINT = say("hand.hint")


@pytest.mark.parametrize("game", ["molecular", "compound_capture", "canasta"])
async def test_a_hint_stands_in_the_place_of_the_hand(room: Any, game: str) -> None:
    board = await alone(room, game)
    hand, table = await hand_of(room, room.ann, board), the_table(room)
    answer = await room.ann.click(hand, label=HINT)
    told = said(answer.response)
    assert answer.response.id == hand.id
    assert say("hint.heading", table=table.id) in told
    assert "of 100 games" in told
    again = (await room.ann.click(answer.response, label=say("hand.back_to"))).response
    assert said((await room.ann.click(again, label=HINT)).response) == told
    public = str(room.channel.last_message.components)
    assert not any(line in public for line in told.splitlines())
    assert table.acts == 0 or table.waiting() == (0,)


async def test_a_hint_that_ran_out_of_time_says_the_same_again(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine it tries less or more each time."""
    hand = await hand_of(room, room.ann, await alone(room))
    asked, tried = teacher.asked, list[Any]()

    async def hasty(*about: Any) -> Any:
        tried.append(await asked(*about))
        return replace(tried[-1], chance=0.5 + len(tried) / 100)

    monkeypatch.setattr(teacher, "asked", hasty)
    first = (await room.ann.click(hand, label=HINT)).response
    again = (await room.ann.click(first, label=say("hand.back_to"))).response
    assert "51 of 100 games" in said((await room.ann.click(again, label=HINT)).response)
    assert len(tried) == 1


async def test_the_hint_can_be_played(room: Any) -> None:
    hand, table = await hand_of(room, room.ann, await alone(room)), the_table(room)
    acts, seat = table.acts, table.waiting()[0]
    hint = (await room.ann.click(hand, label=HINT)).response
    play = next(i for i in custom_ids(hint.components) if i.startswith("v:go:"))
    played = (await room.ann.click(hint, custom_id=play)).response
    assert played.id == hand.id
    assert table.acts > acts
    assert seat == 0


async def test_an_old_hint_shows_the_hand(room: Any) -> None:
    hand, table = await hand_of(room, room.ann, await alone(room)), the_table(room)
    await table.act(0, None, table.legal[0][0])
    await room.env.settle()
    answer = await room.ann.click(hand, label=HINT)
    assert say("refused.stale") in said(answer.response)
    assert verbs(answer.response) & {"go", "sel", "pick", "hand"}


async def test_with_other_people_there_is_none(room: Any) -> None:
    board = await dealt(room, "molecular")
    hand = (await room.ann.click(board, label="My hand")).response
    assert "hint" not in verbs(hand)
    table = the_table(room)
    forged = f"v:hint:{table.id}:0:{table.decisions[0]}"
    assert say("refused.no_hints") in said((await forge(room.ann, hand, forged)).response)


async def test_who_has_left_counts_still(room: Any) -> None:
    board, table = await dealt(room, "molecular"), the_table(room)
    await leaving.leave_game(table, room.ben.id, "steady", "Marie")
    await room.env.settle()
    assert table.people() == [room.ann.id]
    assert "hint" not in verbs(await hand_of(room, room.ann, board))


async def test_a_table_may_go_without(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="molecular")
    lobby = room.channel.last_message
    await arrange(room.ann, lobby, hints="no")
    assert say("lobby.hints_no") in str(room.channel.last_message.components)
    await arrange(room.ann, lobby, opponents="1")
    await room.ann.click(lobby, label="Start")
    await room.env.settle()
    board = room.channel.last_message
    assert not the_table(room).stored.terms.hints
    assert "hint" not in verbs(await hand_of(room, room.ann, board))


async def test_a_person_may_go_without(room: Any) -> None:
    board = await alone(room)
    assert "hint" in verbs(await hand_of(room, room.ann, board))
    await prefer(room, "ann", "v:set:hints:no")
    assert "hint" not in verbs(await hand_of(room, room.ann, board))


async def test_a_hint_that_takes_long_stands_there_in_the_end(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = await hand_of(room, room.ann, await alone(room))
    monkeypatch.setattr(context, "PATIENCE", 0.0)
    answer = (await room.ann.click(hand, label=HINT)).response
    assert say("hint.heading", table=the_table(room).id) in said(answer)


async def test_without_an_answer_there_are_words(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    hand = await hand_of(room, room.ann, await alone(room))

    async def advise(*_: Any, **__: Any) -> Any:
        raise NoAnswer

    monkeypatch.setattr(room.bot.tables.thinker, "advise", advise)
    assert say("trouble.no_answer") in said((await room.ann.click(hand, label=HINT)).response)


def answering(monkeypatch: pytest.MonkeyPatch, room: Any, advice: Advice) -> None:
    """Have the teacher always give this advice."""

    async def advise(*_: Any, **__: Any) -> Any:
        return advice

    monkeypatch.setattr(room.bot.tables.thinker, "advise", advise)


def a_reason(game: AnyGame, seen: Any, actions: Sequence[Any]) -> tuple[Any, Reason]:
    """A decision that a pattern speaks for, and the pattern."""
    found = ((action, pattern_for(game.patterns, seen, action)) for action in actions)
    return next((action, reason) for action, reason in found if reason is not None)


@pytest.mark.parametrize("clear", [True, False])
async def test_it_says_what_can_be_seen(room: Any, monkeypatch: pytest.MonkeyPatch, clear: bool) -> None:
    hand, table = await hand_of(room, room.ann, await alone(room)), the_table(room)
    view = SeatView(table, 0, "en")
    best, reason = a_reason(table.game, view.observation, view.legal)
    other = next(action for action in view.legal if action.what != best.what)
    lead = 0.1 if clear else 0.001
    answering(monkeypatch, room, Advice(best, other, 0.6, lead, 0.01, (), None, reason))
    told = said((await room.ann.click(hand, label=HINT)).response)
    assert view.presenter.because(reason, view.look) in told
    assert "60 of 100" in told
    way = inert(in_words(ways_to(view.tree, view.legal)[other]))
    assert (say("hint.as_good", way=way) in told) is not clear


async def test_what_speaks_for_both_is_told_with_the_difference(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand, table = await hand_of(room, room.ann, await alone(room)), the_table(room)
    view = SeatView(table, 0, "en")
    best, reason = a_reason(table.game, view.observation, view.legal)
    other = next(action for action in view.legal if action.what != best.what)
    answering(monkeypatch, room, Advice(best, other, 0.6, 0.1, 0.01, (), merit=reason))
    told = said((await room.ann.click(hand, label=HINT)).response)
    way = inert(in_words(ways_to(view.tree, view.legal)[other]))
    assert view.presenter.because(reason, view.look) in told
    assert say("hint.better", way=way, n=10) in told


@pytest.mark.parametrize("chance", [0.02, 0.95])
async def test_a_chance_that_samples_cannot_tell_from_none_or_all_is_not_told(
    room: Any, monkeypatch: pytest.MonkeyPatch, chance: float
) -> None:
    hand, table = await hand_of(room, room.ann, await alone(room)), the_table(room)
    best, second = table.legal[0][:2]
    answering(monkeypatch, room, Advice(best, second, chance, 0.01, 0.01, ()))
    assert "of 100 games" not in said((await room.ann.click(hand, label=HINT)).response)


async def test_the_picture_of_a_hint_rings_what_to_play(room: Any) -> None:
    hand = await hand_of(room, room.ann, await alone(room))
    plain = await hand.attachments[0].read()
    hint = (await room.ann.click(hand, label=HINT)).response
    assert hint.attachments[0].filename == HAND_PICTURE
    assert await hint.attachments[0].read() != plain


async def test_where_nothing_was_tried_no_chance_is_told(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a card of Atom Duel only looks: there is nothing to compare."""
    hand, table = await hand_of(room, room.ann, await alone(room)), the_table(room)

    async def advise(*_: Any, **__: Any) -> Any:
        return Advice(table.legal[0][0], None, None, 0.0, 0.0, ())

    monkeypatch.setattr(room.bot.tables.thinker, "advise", advise)
    told = said((await room.ann.click(hand, label=HINT)).response)
    assert "that is worth a try" in told
    assert "of 100 games" not in told


async def test_where_the_best_two_are_level_it_says_what_is_worse(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand, table = await hand_of(room, room.ann, await alone(room)), the_table(room)
    view = SeatView(table, 0, "en")
    ways = ways_to(view.tree, view.legal)
    best, second, third = list(ways)[:3]
    worse = Worse(third, 0.08, ())

    async def advise(*_: Any, **__: Any) -> Any:
        return Advice(best, second, 0.6, 0.01, 0.01, (), worse)

    monkeypatch.setattr(room.bot.tables.thinker, "advise", advise)
    told = said((await room.ann.click(hand, label=HINT)).response)
    way = inert(in_words(ways[third]))
    assert "are equally good" in told
    assert say("hint.worse_by", way=way, n=8) in told


async def test_what_reads_like_the_best_is_not_called_worse(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand, table = await hand_of(room, room.ann, await alone(room)), the_table(room)
    best, second = table.legal[0][:2]

    async def advise(*_: Any, **__: Any) -> Any:
        return Advice(best, second, 0.6, 0.01, 0.01, (), Worse(second, 0.08, ()))

    monkeypatch.setattr(room.bot.tables.thinker, "advise", advise)
    assert "worse" not in said((await room.ann.click(hand, label=HINT)).response)


async def test_a_small_lead_is_called_a_little_and_never_none(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That one is worse is sure; "clearly" would say by how much."""
    hand, table = await hand_of(room, room.ann, await alone(room)), the_table(room)
    view = SeatView(table, 0, "en")
    ways = ways_to(view.tree, view.legal)
    best, second, third = list(ways)[:3]

    async def advise(*_: Any, **__: Any) -> Any:
        return Advice(best, second, 0.6, 0.01, 0.01, (), Worse(third, 0.004, ()))

    monkeypatch.setattr(room.bot.tables.thinker, "advise", advise)
    told = said((await room.ann.click(hand, label=HINT)).response)
    way = inert(in_words(ways[third]))
    assert say("hint.worse_little", way=way, n=1) in told


async def test_the_hand_whose_cells_a_hint_names_is_shown_with_it(room: Any) -> None:
    """A player who reads "Tile 2 (carbon) in cell E" needs to see cell E."""
    hand = await hand_of(room, room.ann, await alone(room))
    hint = (await room.ann.click(hand, label=HINT)).response
    shown = SeatView(the_table(room), 0, "en").scene
    assert [file.filename for file in hint.attachments] == [HAND_PICTURE]
    assert shown.alt in str(hint.components)
