"""After a game: one sentence, **Try again**, and the review, through the real bot, for one person alone."""

from __future__ import annotations

from typing import Any

import pytest

from bot import custom_ids as ids
from bot import presenters
from bot.features.teacher.review_service import Reviews
from bot.locales import words
from bot.table.journal import standing
from bot.table.people import leaving
from bot.ui.components import page
from bot.ui.context import Answer
from tests.support.discord.forging import double_click, forge
from tests.support.discord.lobbies import choose
from tests.support.discord.reviewed_games import BLUNDER, end_of, moral, played
from tests.support.discord.room_play import board_of, dealt
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.games.probe_study import taught
from tests.support.tables.tables import at_hand, journal_of
from tests.support.waiting import until

say = words("en")
PICTURE, ASK, TRY, REVIEW = say("end.picture"), say("review.ask"), say("review.try_again"), say("review.open")


@pytest.fixture(autouse=True)
def _taught(monkeypatch: pytest.MonkeyPatch) -> None:
    taught(monkeypatch)


async def test_one_sentence_tells_what_cost_most(room: Any) -> None:
    _, board = await played(room)
    shown = await moral(room, room.ann, board)
    assert shown.ephemeral
    text = said(shown)
    assert "Your costliest move was **Pass** (your move 3)" in text
    assert "more of 100 games" in text
    assert say("review.coming") not in text
    assert [each.filename for each in shown.attachments] == ["end.png"]
    assert "costliest move" not in str(room.channel.last_message.components)


async def test_the_picture_of_the_end_tells_it_only_to_those_who_ask(room: Any) -> None:
    """The hand offers it as well, and players do not read the same sentence twice unasked."""
    _, board = await played(room)
    end = (await room.ann.click(board, label=PICTURE)).response
    await room.env.settle()
    assert "costliest move" not in said(end)
    assert say("review.coming") not in said(end)
    asked = (await room.ann.click(end, label=say("review.learn"))).response
    await until(lambda: "costliest move" in said(asked))
    assert (asked.id, len(asked.attachments)) == (end.id, 1), "it appears under the same picture"


async def test_the_hand_leads_to_the_sentence_alone(room: Any) -> None:
    table, board = await played(room)
    hand = (await forge(room.ann, board, f"v:hand:{table.id}:0")).response
    asked = await room.ann.click(hand, label=say("review.learn"))
    await until(lambda: say("review.coming") not in said(asked.response))
    shown = asked.response
    assert shown.ephemeral
    assert "costliest move" in said(shown)
    assert not shown.attachments


@pytest.mark.parametrize("alone", [False, True])
async def test_who_asks_again_before_it_appears_gets_it(
    room: Any, monkeypatch: pytest.MonkeyPatch, alone: bool
) -> None:
    """And what comes later does not replace what has been pressed since."""
    late: list[Answer] = []
    show_later = Answer.show_later

    async def later(answer: Answer, *_: Any, **__: Any) -> None:
        late.append(answer)

    monkeypatch.setattr(Answer, "show_later", later)
    table, board = await played(room)
    if alone:
        first = (await forge(room.ann, board, f"v:moral:{table.id}")).response
    else:
        end = (await forge(room.ann, board, f"v:end:{table.id}")).response
        first = (await room.ann.click(end, label=say("review.learn"))).response
    assert say("review.coming") in said(first)
    await until(lambda: late)
    again = await room.ann.click(first, label=ASK)
    assert "costliest move" in said(again.response)
    await show_later(late[0], page("Too late."))
    assert "costliest move" in said(again.response)


async def test_who_played_well_hears_what_was_luck(room: Any) -> None:
    _, board = await played(room, blunder=-1)
    shown = await moral(room, room.ben, board)
    assert "no real mistakes" in said(shown)
    assert not [each for each in custom_ids(shown.components) if each.startswith("v:try-again")]
    review = (await room.ben.click(shown, label=REVIEW)).response
    offered = {ids.parse(each).verb for each in custom_ids(review.components)}
    assert {"replay", "again"} <= offered, "and finds the way on from it"


async def test_who_only_watched_learns_nothing(room: Any) -> None:
    _, board = await played(room)
    shown = (await room.cleo.click(board, label=PICTURE)).response
    assert "review" not in str(shown.components)
    assert say("review.coming") not in said(shown)


async def test_the_position_is_played_again_against_the_computer(room: Any) -> None:
    table, board = await played(room)
    shown = await moral(room, room.ann, board)
    hand = (await room.ann.click(shown, label=TRY)).response
    assert hand.ephemeral
    (again,) = at_hand(room.bot.tables).values()
    assert again.stored.terms.practice == table.id
    assert again.acts == BLUNDER
    assert "Your turn" in said(hand)
    assert f"Practice from table {table.id}" in said(hand)
    await room.ann.click(hand, label="Pass")
    assert again.acts > BLUNDER


async def test_practice_is_nobody_elses_business(room: Any) -> None:
    """Nobody finds it in /games, and what anyone looks up is not about it."""
    _, board = await played(room)
    await room.ann.click(await moral(room, room.ann, board), label=TRY)
    (again,) = at_hand(room.bot.tables).values()
    for person in (room.ann, room.cleo):
        assert f"Table {again.id}" not in said((await person.slash(room.channel, "games")).response)
    rules = said((await room.cleo.slash(room.channel, "rules")).response)
    assert presenters.title(again.game.key, "en") not in rules
    assert presenters.title(presenters.offered()[0], "en") in rules


async def test_the_end_of_practice_leads_to_the_same_position_once_more(room: Any) -> None:
    table, board = await played(room)
    shown = await moral(room, room.ann, board)
    hand = (await room.ann.click(shown, label=TRY)).response
    (first,) = at_hand(room.bot.tables).values()
    hand = await end_of(room, hand, first)
    stranger = await forge(room.ben, board, f"v:retry:{first.id}")
    assert say("refused.no_table", table=first.id) in said(stranger.response)
    hand = (await room.ann.click(hand, label=TRY)).response
    assert "Your turn" in said(hand)
    second = at_hand(room.bot.tables)[first.id + 1]
    assert (second.acts, second.stored.terms.practice) == (BLUNDER, table.id)
    await room.ann.click(await end_of(room, hand, second), label=TRY)
    third = at_hand(room.bot.tables)[second.id + 1]
    assert (third.acts, third.stored.terms.position) == (BLUNDER, BLUNDER)


async def test_the_same_position_comes_again_though_moves_before_it_were_taken_back(room: Any) -> None:
    """Undo at once takes back what was copied; the practice then goes another way."""
    table, board = await played(room)
    shown = await moral(room, room.ann, board)
    hand = (await room.ann.click(shown, label=TRY)).response
    (first,) = at_hand(room.bot.tables).values()
    await forge(room.ann, hand, f"v:undo:{first.id}")
    await room.env.settle()
    taken_back = [one for one in await journal_of(room.bot.tables, first) if one.kind == "undo"]
    assert taken_back
    assert first.acts < BLUNDER
    await first.act(0, first.decisions[0], first.legal[0][-1])
    await room.ann.click(await end_of(room, hand, first), label=TRY)
    again = at_hand(room.bot.tables)[first.id + 1]
    before = standing(await journal_of(room.bot.tables, table))[:BLUNDER]
    copied = await journal_of(room.bot.tables, again)
    assert [(one.seat, one.data) for one in copied] == [(one.seat, one.data) for one in before]


async def test_nobody_tries_a_game_again_that_was_no_practice(room: Any) -> None:
    table, board = await played(room)
    assert "v:retry" not in str(board.components)
    refused = await forge(room.ann, board, f"v:retry:{table.id}")
    assert say("refused.no_practice") in said(refused.response)


async def test_a_double_click_opens_one_table(room: Any) -> None:
    table, board = await played(room)
    shown = await moral(room, room.ann, board)
    await double_click(room.ann, shown, f"v:try-again:{table.id}:{BLUNDER}")
    await room.env.settle()
    assert len(at_hand(room.bot.tables)) == 1


@pytest.mark.long
@pytest.mark.simcord(check_errors=False)
@pytest.mark.parametrize("what", ["v:try-again:1:4", "v:try-again:1:999", "v:review:1", "v:moral:1"])
async def test_what_is_not_theirs_nobody_opens(room: Any, what: str) -> None:
    """Ann's decisions are not Ben's to try, and no table has a thousandth one; who watched has no review."""
    table, board = await played(room)
    person = room.ann if "try" in what else room.cleo
    answer = await forge(person, board, what.replace(":1", f":{table.id}", 1))
    assert say("refused.no_practice") in said(answer.response)
    assert not at_hand(room.bot.tables)


async def test_the_review_shows_the_curve_and_every_decision(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.teacher.review_messages.DECISIONS", 2)
    _, board = await played(room)
    shown = await moral(room, room.ann, board)
    opened = (await room.ann.click(shown, label=REVIEW)).response
    assert opened.ephemeral
    assert [each.filename for each in opened.attachments] == ["review.png"]
    assert "**1** · Bid 0" in said(opened)
    assert TRY in str(opened.components)
    turned = (await room.ann.click(opened, label=say("cards.later"))).response
    assert "**3** · Pass" in said(turned)
    assert "better: " in said(turned)
    assert [each.filename for each in turned.attachments] == ["review.png"]


async def test_until_it_is_made_the_review_says_so(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table, board = await played(room)

    async def none(*_: object) -> None:
        return None

    monkeypatch.setattr(room.bot.app.service(Reviews), "find", none)
    shown = (await forge(room.ann, board, f"v:review:{table.id}")).response
    assert say("review.coming") in said(shown)
    again = (await forge(room.ann, board, f"v:moral:{table.id}:end")).response
    assert say("review.coming") in said(again)
    assert again.ephemeral


async def blind(room: Any) -> tuple[Any, Any]:
    """A finished game in which nobody had a choice: its table, and its message."""
    opened = (await room.ann.slash(room.channel, "play", game="chemistry_battle")).response
    for person in (room.ben, room.cleo):
        await person.click(opened.message, label="Join or leave")
    await choose(room.ann, opened.message, blind="yes")
    await room.ann.click(opened.message, label="Start")
    (table,) = at_hand(room.bot.tables).values()
    while table.waiting():
        seat = table.waiting()[0]
        (action,) = table.legal[seat]
        await table.act(seat, table.decisions[seat], action)
    await until(lambda: table.phase == "over" and table.stored.shown == table.stored.edition)
    return table, board_of(room)


async def test_who_never_had_a_choice_hears_so(room: Any) -> None:
    table, board = await blind(room)
    shown = await moral(room, room.ann, board)
    assert say("review.no_choice") in said(shown)
    offered = {ids.parse(each).verb for each in custom_ids(shown.components)}
    assert not offered & {"review", "try-again", "moral"}
    assert "again" in offered
    asked = (await forge(room.ann, board, f"v:review:{table.id}")).response
    assert asked.ephemeral
    assert said(asked) == say("review.no_choice")
    refused = (await forge(room.ann, board, f"v:try-again:{table.id}:999")).response
    assert say("refused.no_practice") in said(refused)


@pytest.mark.simcord(check_errors=False)
@pytest.mark.parametrize("what", ["v:try-again:1:0", "v:review:1", "v:moral:1"])
async def test_a_game_closed_right_after_the_deal_has_none(room: Any, what: str) -> None:
    await dealt(room)
    (table,) = at_hand(room.bot.tables).values()
    asked = (await room.ann.slash(room.channel, "table cancel")).response
    await room.ann.click(asked, custom_id=f"v:close-yes:{table.id}")
    await room.env.settle()
    board = room.channel.last_message
    assert table.outcome() is None
    assert not any(f"v:{verb}:" in str(board.components) for verb in ("review", "try-again", "moral", "end"))
    answer = await forge(room.ann, board, what.replace(":1", f":{table.id}", 1))
    assert answer.response.ephemeral
    assert said(answer.response) in {say("refused.no_practice"), say("refused.end_early")}


async def test_who_left_right_after_the_deal_has_none(room: Any) -> None:
    await dealt(room, rounds="2")
    (table,) = at_hand(room.bot.tables).values()
    await leaving.leave_game(table, room.ben.id, "random", "Marie")
    while table.phase == "live":
        await until(lambda: table.phase == "over" or table.waiting() == (0,))
        if table.phase == "live":
            await table.act(0, None, table.legal[0][0])
    await until(lambda: table.stored.shown == table.stored.edition)
    board = board_of(room)
    shown = (await room.ben.click(board, label=PICTURE)).response
    assert "review" not in str(shown.components)
    assert "moral" not in str(shown.components)
    assert REVIEW in str((await moral(room, room.ann, board)).components)


async def test_a_replay_marks_what_the_own_review_says_and_nobody_elses(room: Any) -> None:
    table, board = await played(room)
    await moral(room, room.ann, board)
    there = f"v:replay:{table.id}:t:{BLUNDER + 1}:on"
    shown = (await forge(room.ann, board, there)).response
    assert shown.ephemeral
    assert "**?**" in said(shown) or "**??**" in said(shown)
    before = (await forge(room.ann, shown, f"v:replay:{table.id}:t:{BLUNDER}:on")).response
    assert "**?" not in said(before)
    for person in (room.ben, room.cleo):
        shown = (await forge(person, board, there)).response
        assert "**?" not in said(shown)
