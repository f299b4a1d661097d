"""Why did it do that? Told beside the other answer to why, from what the asker may know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.features.teacher.service import last_moves
from bot.locales import words
from bot.table import thinking
from bot.table.table_kinds import opponents
from bot.workers.errors import NoAnswer
from engine.ai.advice import Difference
from engine.ai.motive import Motive
from tests.support.discord.lobbies import arrange, choose
from tests.support.discord.room_play import alone, dealt, hand_of, the_table
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.waiting import until

pytestmark = pytest.mark.simcord(check_errors=False)

say = words("en")
WHY = say("table.why")


async def play_on(room: Any, enough: Callable[[set[int]], bool]) -> Any:
    """Let the people do the first thing that they may until these seats have moved, or the game is over."""
    table = the_table(room)
    people = [seat for seat, sitter in enumerate(table.sitters) if sitter.user_id is not None]
    moved = set[int]()
    while table.outcome() is None:
        waiting = await until(lambda: set(table.waiting()) & set(people) or (table.outcome() and {-1}))
        moved = {seat for seat, _ in await room.bot.tables.acts(table)}
        if waiting == {-1} or enough(moved):
            break
        seat = min(waiting)
        await table.act(seat, None, table.legal[seat][0])
    await room.env.settle()
    return table


async def until_it_moved(room: Any) -> Any:
    """Let Ann move until her opponent has moved too and it is her turn again."""
    return await play_on(room, lambda moved: 1 in moved)


@pytest.mark.parametrize("game", ["molecular", "compound_capture"])
async def test_why_tells_of_the_last_move_of_the_opponent(room: Any, game: str) -> None:
    board = await alone(room, game)
    table = await until_it_moved(room)
    hand = await hand_of(room, room.ann, board)
    await room.ann.click(board, label=WHY)
    told = said(hand)
    assert say("motive.heading", name=table.sitters[1].name) in told
    assert say("hand.back_to") in str(hand.components)
    assert say("why.nothing") not in told
    assert say("motive.heading", name=table.sitters[1].name) not in str(room.channel.last_message.components)


async def test_what_follows_by_others_is_no_part_of_the_answer(room: Any) -> None:
    """The last action of a turn of Duel 52 begins the turn of the other one: that is not what it did."""
    await alone(room, "duel52")
    table = await until_it_moved(room)
    acts = await room.bot.tables.acts(table)
    last = last_moves(table.game, table.setup(), acts, opponents(table))[0]
    assert [event.kind for event in last.events if event.seat == 0][:1] == ["turn"]
    assert last.done
    assert all(event.seat != 0 for event in last.done)


async def test_it_is_told_from_the_observation_of_who_asks(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await alone(room, "compound_capture")
    table = await until_it_moved(room)
    asked = list[Any]()

    async def advise(work: Any, *about: Any, whose: Any = None) -> Any:
        asked.append(about)
        return work(*about)

    monkeypatch.setattr(room.bot.tables.thinker, "advise", advise)
    await room.ann.click(board, label=WHY)
    ((_, _, moves),) = asked
    made = last_moves(table.game, table.setup(), await room.bot.tables.acts(table), opponents(table))
    assert [before for before, _ in moves] == [move.before.observe(0) for move in made]
    assert all(told is None or not told.secret for _, told in moves)


async def test_nobody_is_told_where_several_people_play(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="molecular")
    lobby = room.channel.last_message
    await room.ben.click(lobby, label="Join or leave")
    await arrange(room.ann, lobby, opponents="1")
    await room.ann.click(lobby, label="Start")
    table = await play_on(room, lambda moved: 2 in moved)
    told = said((await room.ann.click(room.channel.last_message, label=WHY)).response)
    assert say("motive.heading", name=table.sitters[2].name) not in told


async def test_who_only_looks_on_is_not_told(room: Any) -> None:
    board = await alone(room)
    table = await until_it_moved(room)
    told = said((await room.cleo.click(board, label=WHY)).response)
    assert say("motive.heading", name=table.sitters[1].name) not in told


async def test_several_opponents_can_be_asked_about(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="molecular")
    lobby = room.channel.last_message
    await arrange(room.ann, lobby, opponents="2")
    await room.ann.click(lobby, label="Start")
    table = await play_on(room, lambda moved: {1, 2} <= moved)
    first = (await room.ann.click(room.channel.last_message, label=WHY)).response
    assert {f"v:why:{table.id}:1", f"v:why:{table.id}:2"} <= set(custom_ids(first.components))
    for seat in (1, 2):
        other = (await room.ann.click(first, custom_id=f"v:why:{table.id}:{seat}")).response
        assert say("motive.heading", name=table.sitters[seat].name) in said(other)


async def test_after_the_end_everybody_may_ask(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    used = list[str]()
    tell = thinking.hindsight_of
    monkeypatch.setattr(
        "bot.features.teacher.handlers.hindsight_of", lambda *about: used.append("own view") or tell(*about)
    )
    await room.ann.slash(room.channel, "play", game="molecular")
    lobby = room.channel.last_message
    await choose(room.ann, lobby, rounds="1")
    await arrange(room.ann, lobby, opponents="1")
    await room.ann.click(lobby, label="Start")
    table = await play_on(room, lambda _: False)
    assert table.outcome() is not None
    await until(lambda: table.phase == "over")
    await room.env.settle()
    told = said((await room.cleo.click(room.channel.last_message, label=WHY)).response)
    assert used == ["own view"]
    assert say("motive.heading", name=table.sitters[1].name) in told


async def test_without_an_answer_the_other_one_is_told(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    board = await alone(room)
    await until_it_moved(room)

    async def advise(*_: Any, **__: Any) -> Any:
        raise NoAnswer

    monkeypatch.setattr(room.bot.tables.thinker, "advise", advise)
    told = said((await room.ann.click(board, label=WHY)).response)
    assert say("trouble.no_answer") in told
    assert say("why.heading", table=the_table(room).id) in told


@pytest.mark.long
@pytest.mark.parametrize(
    ("found", "key"),
    [
        (Motive(2, 2, 0.0, 1.0, ()), "hidden"),
        (Motive(9, 1, 0.1, 0.01, ()), "gain"),
        (Motive(9, 1, -0.1, 0.01, (Difference("points", 2.0, 5.0),)), "slip"),
        (Motive(9, 9, 0.0, 0.1, (), forced=4), "usual"),
        (Motive(9, 7, 0.0, 0.1, (), forced=7), "only"),
        (Motive(9, 1, -0.1, 0.01, (Difference("points", 2.0, 5.0),), (), 5), "held"),
        (Motive(9, 1, 0.0, 0.1, (Difference("points", 5.0, 2.0),)), "open"),
    ],
)
async def test_each_motive_has_its_words(
    room: Any, monkeypatch: pytest.MonkeyPatch, found: Motive, key: str
) -> None:
    board = await alone(room)
    name = (await until_it_moved(room)).sitters[1].name

    async def advise(*_: Any, **__: Any) -> Any:
        return 0, found

    monkeypatch.setattr(room.bot.tables.thinker, "advise", advise)
    told = said((await room.ann.click(board, label=WHY)).response)
    assert say(f"motive.{key}", name=name, n=found.usual, worlds=found.worlds) in told
    assert ("on average" in told) == bool(found.evidence)


async def test_a_game_without_a_study_explains_as_ever(room: Any) -> None:
    board = await dealt(room)
    assert say("why.heading", table=1) in said((await room.ann.click(board, label=WHY)).response)
