"""Replays of finished games, through the real bot: every step, every point of view, and nothing too early."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from bot.features.replays.service import Replay, code_of, replay_of
from bot.locales import words
from bot.render.pool import StudioClosed
from bot.table.registry import Tables
from bot.ui.rate_limiter import RateLimiter
from tests.support.discord.forging import at_once, forge
from tests.support.discord.room_play import board_of, dealt
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.games.probe_study import policy
from tests.support.tables.tables import at_hand
from tests.support.waiting import until

say = words("en")
REPLAY, ON, BACK, TURN = (say(key) for key in ("replay.open", "replay.on", "replay.back", "replay.turn"))


async def played(room: Any) -> Any:
    """A finished game of Ann and Ben."""
    await dealt(room, rounds="2")
    (table,) = at_hand(room.bot.tables).values()
    while table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], policy(table.state, seat, random.Random(7)))
    await until(lambda: table.phase == "over" and table.stored.shown == table.stored.edition)
    return table


async def replay(room: Any, table: Any) -> Replay:
    return await replay_of(room.bot.tables, table)


def everything(message: Any) -> str:
    """All that a message says, in text, labels and alt texts."""
    return f"{said(message)} {message.components}"


async def test_a_game_is_stepped_through_to_its_end(room: Any) -> None:
    table = await played(room)
    last = (await replay(room, table)).last
    shown = (await room.ann.click(board_of(room), label=REPLAY)).response
    assert shown.ephemeral
    assert say("replay.deal") in said(shown)
    for act in range(1, last + 1):
        assert say("table.over") not in everything(shown), "nothing tells the end before it is there"
        again = (await room.ann.click(shown, label=ON)).response
        assert again.id == shown.id
        shown = again
        assert say("replay.step", n=act) in said(shown)
    assert say("table.over") in said(shown)
    assert f"v:end:{table.id}" in custom_ids(shown.components)
    back = (await room.ann.click(shown, label=BACK)).response
    assert say("replay.step", n=last - 1) in said(back)
    assert say("table.over") not in everything(back)


async def test_the_next_turn_is_where_another_seat_goes_on(room: Any) -> None:
    table = await played(room)
    found = await replay(room, table)
    shown = (await room.ann.click(board_of(room), label=REPLAY)).response
    for turn in found.turns()[1:]:
        shown = (await room.ann.click(shown, label=TURN)).response
        assert say("replay.step", n=turn) in said(shown)


async def test_one_jumps_and_looks_from_every_place(room: Any) -> None:
    table = await played(room)
    shown = (await room.ann.click(board_of(room), label=REPLAY)).response
    jump = f"v:replay-jump:{table.id}:0"
    assert jump in custom_ids(shown.components), "one begins at one's own seat"
    shown = (await forge(room.ann, shown, jump, ("3",))).response
    assert say("replay.step", n=3) in said(shown)
    for view, pictures in (("t", 1), ("0", 1), ("1", 1), ("o", 2)):
        shown = (await forge(room.ann, shown, f"v:replay-view:{table.id}:3", (view,))).response
        assert len(shown.attachments) == pictures
        assert say("replay.step", n=3) in said(shown)


async def test_the_command_lists_own_games_and_takes_one_up(room: Any) -> None:
    nothing = (await room.cleo.slash(room.channel, "replay")).response
    assert said(nothing) == say("replay.none")
    table = await played(room)
    shown = (await room.ann.slash(room.channel, "replay")).response
    assert shown.ephemeral
    assert "won" not in everything(shown)
    shown = (await forge(room.ann, shown, "v:replay", (str(table.id),))).response
    assert say("replay.deal") in said(shown)
    shown = (await room.ann.slash(room.channel, "replay", table=table.id)).response
    assert say("replay.deal") in said(shown)
    nothing = (await room.cleo.slash(room.channel, "replay")).response
    assert said(nothing) == say("replay.none")


async def test_a_code_opens_the_game_for_whoever_has_it(room: Any) -> None:
    table = await played(room)
    code = code_of(table)
    shown = (await room.ann.click(board_of(room), label=REPLAY)).response
    more = (await room.ann.click(shown, label=say("replay.more"))).response
    told = (await room.ann.click(more, label=say("replay.share"))).response
    assert told.ephemeral
    assert code in said(told)
    for written in (code, code.lower(), f" {code[:6]} {code[6:]}"):
        shown = (await room.cleo.slash(room.channel, "replay", code=written)).response
        assert say("replay.deal") in said(shown)
    more = (await room.cleo.click(shown, label=say("replay.more"))).response
    assert "v:replay-code" not in everything(more)
    shown = (await room.cleo.click(shown, label=ON)).response
    assert say("replay.step", n=1) in said(shown)


@pytest.mark.simcord(check_errors=False)
@pytest.mark.parametrize(
    "code", ["", "x", "1", "1-", "1-AAAAAAAAAAAA", "999-AAAAAAAAAAAA", "²-A", "1" * 40 + "-A"]
)
async def test_a_wrong_code_opens_nothing(room: Any, code: str) -> None:
    await played(room)
    shown = (await room.cleo.slash(room.channel, "replay", code=code or "-")).response
    assert say("refused.replay_code") in said(shown)


@pytest.mark.simcord(check_errors=False)
async def test_a_game_that_goes_on_is_not_gone_through(room: Any) -> None:
    await dealt(room, rounds="2")
    (table,) = at_hand(room.bot.tables).values()
    for person in (room.ann, room.cleo):
        for verb in ("replay", "replay-code"):
            shown = (await forge(person, board_of(room), f"v:{verb}:{table.id}")).response
            assert say("refused.replay_early") in said(shown)
    shown = (await room.cleo.slash(room.channel, "replay", code=code_of(table))).response
    assert say("refused.replay_code") in said(shown)


@pytest.mark.simcord(check_errors=False)
async def test_who_did_not_sit_there_shares_nothing(room: Any) -> None:
    table = await played(room)
    shown = (await room.cleo.click(board_of(room), label=REPLAY)).response
    more = (await room.cleo.click(shown, label=say("replay.more"))).response
    assert "v:replay-code" not in everything(more)
    answer = (await forge(room.cleo, shown, f"v:replay-code:{table.id}")).response
    assert say("refused.replay_share") in said(answer)


async def together(room: Any) -> tuple[Any, Any]:
    """A finished game, and the message in which Ann leads through it."""
    table = await played(room)
    shown = (await room.ann.click(board_of(room), label=REPLAY)).response
    more = (await room.ann.click(shown, label=say("replay.more"))).response
    return table, (await room.ann.click(more, label=say("replay.watch"))).response


async def test_only_the_leader_steps(room: Any) -> None:
    _, shown = await together(room)
    assert not shown.ephemeral
    assert f"<@{room.ann.id}> leads" in said(shown)
    assert "v:replay-play" not in everything(shown)
    refused = (await room.ben.click(shown, label=ON)).response
    assert refused.ephemeral
    assert "leads here" in said(refused)
    after = (await room.ann.click(shown, label=ON)).response
    assert after.id == shown.id
    assert say("replay.step", n=1) in said(after)


async def test_who_asks_is_let_lead(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.replays.shared_handlers.PATIENCE_SECONDS", 1e12)
    _, shown = await together(room)
    asked = (await room.cleo.click(shown, label=say("replay.ask"))).response
    assert asked.id == shown.id
    assert f"<@{room.cleo.id}> would like to lead" in said(asked)
    again = (await room.cleo.click(asked, label=say("replay.ask"))).response
    assert again.ephemeral
    given = (await room.ann.click(asked, label=say("replay.give"))).response
    assert f"<@{room.cleo.id}> leads" in said(given)
    after = (await room.cleo.click(given, label=TURN)).response
    assert say("replay.deal") not in said(after)


async def test_who_asks_leads_where_nothing_moves(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, shown = await together(room)
    monkeypatch.setattr("bot.features.replays.shared_handlers.PATIENCE_SECONDS", -1)
    after = (await room.cleo.click(shown, label=say("replay.ask"))).response
    assert f"<@{room.cleo.id}> leads" in said(after)


async def test_everybody_sees_the_table_or_all_hands_and_no_single_one(room: Any) -> None:
    table, shown = await together(room)
    ref = f"{code_of(table)}"
    assert f"v:led-view:{ref}:0:{room.ann.id}" in custom_ids(shown.components)
    shown = (await forge(room.ann, shown, f"v:led-view:{ref}:3:{room.ann.id}", ("o",))).response
    assert len(shown.attachments) == 2
    assert not shown.ephemeral


@pytest.mark.parametrize(("view", "seat"), [("1", 1), ("0", 0), ("t", None)])
async def test_one_plays_on_from_a_position(room: Any, view: str, seat: int | None) -> None:
    table = await played(room)
    found = await replay(room, table)
    shown = (await room.ann.click(board_of(room), label=REPLAY)).response
    shown = (await forge(room.ann, shown, f"v:replay-view:{table.id}:2", (view,))).response
    hand = (await room.ann.click(shown, label=say("replay.play"))).response
    assert hand.ephemeral
    (again,) = at_hand(room.bot.tables).values()
    assert again.stored.terms.practice == table.id
    assert again.acts >= 2
    mine = found.acts[2].seat if seat is None else seat
    assert [who.user_id for who in again.sitters].index(room.ann.id) == mine
    assert again.sitters[1 - mine].level is not None
    await room.env.settle()


async def test_whoever_has_the_code_plays_on(room: Any) -> None:
    table = await played(room)
    shown = (await room.cleo.slash(room.channel, "replay", code=code_of(table))).response
    hand = (await room.cleo.click(shown, label=say("replay.play"))).response
    assert hand.ephemeral
    (again,) = at_hand(room.bot.tables).values()
    assert room.cleo.id in again.people()
    await room.env.settle()
    assert say("replay.open") not in everything(hand)


@pytest.mark.parametrize(("label", "name"), [("replay.page", "html"), ("replay.gif", "gif")])
async def test_a_file_of_the_game_is_kept(room: Any, label: str, name: str) -> None:
    table = await played(room)
    shown = (await room.ann.click(board_of(room), label=REPLAY)).response
    kinds = (await room.ann.click(shown, label=say("replay.more"))).response
    assert kinds.ephemeral
    made = (await room.ann.click(kinds, label=say(label))).response
    assert [each.filename for each in made.attachments] == [f"valence-{table.id}.{name}"]
    assert say("table.over") not in everything(made)


class Films:
    """The worker that makes files, in a moment."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, thinker: Any) -> None:
        self.asked: list[Any] = []
        monkeypatch.setattr(thinker, "draw", self.draw)

    async def draw(self, *_: Any, whose: Any = None) -> bytes:
        self.asked.append(whose)
        for _ in range(20):  # what else was pressed comes in between
            await asyncio.sleep(0)
        return b"film"


async def test_one_person_has_one_file_made_at_a_time_and_one_a_minute(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever game, channel or kind of file; nobody else is affected."""
    table, app = await played(room), room.bot.app
    films = Films(monkeypatch, app.service(Tables).thinker)
    now = app.clock.monotonic()
    monkeypatch.setattr(app.clock, "monotonic", lambda: now)
    board, elsewhere = board_of(room), room.guild.create_text_channel("elsewhere")
    page, gif = (f"v:replay-file:{table.id}:0:{kind}" for kind in ("page", "gif"))
    app.rate_limiter = RateLimiter(app.clock, rate=1000)
    shown = await at_once([room.ann] * 15 + [room.ben], board, page)
    assert films.asked == [room.ann.id, room.ben.id]
    refused = [say("refused.film_again") in said(each.response) for each in shown]
    assert refused.count(False) == 2
    assert not refused[-1]
    there = (await room.ann.slash(elsewhere, "replay", table=table.id)).response
    now += 59
    for message, file in ((board, page), (board, gif), (there, gif)):
        assert say("refused.film_again") in said((await forge(room.ann, message, file)).response)
    now += 2
    assert say("replay.page_made") in said((await forge(room.ann, board, page)).response)
    assert films.asked == [room.ann.id, room.ben.id, room.ann.id]


@pytest.mark.simcord(check_errors=False)
async def test_a_file_that_could_not_be_made_does_not_count(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await played(room)

    async def lost(*_: Any, **__: Any) -> bytes:
        raise StudioClosed("the studio is closed")

    file = f"v:replay-file:{table.id}:0:page"
    with monkeypatch.context() as patch:
        patch.setattr(room.bot.tables.thinker, "draw", lost)
        await forge(room.ann, board_of(room), file)
    films = Films(monkeypatch, room.bot.tables.thinker)
    await forge(room.ann, board_of(room), file)
    assert films.asked == [room.ann.id]
