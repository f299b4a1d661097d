"""A no holds for a while, for every kind of request before it and after it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.store.contacts import FORGOTTEN_MS, PAUSES_MS
from bot.table import lobby
from tests.support.discord.asking import REQUESTS, Scene, ask, last_table, scene, with_lobby
from tests.support.discord.keys import part
from tests.support.discord.people import later
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import at_hand

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about

MINUTES = [pause / 60_000 for pause in PAUSES_MS]


async def _said(here: Scene, _kind: str) -> None:
    """Ben presses **Not this time**."""
    await here.room.ben.click(here.room.channel.last_message, label="Not this time")


async def _closed(here: Scene, kind: str) -> None:
    await (here.table if kind == "knock" else last_table(here.room)).cancel("closed")


async def _expired(here: Scene, kind: str) -> None:
    await (here.table if kind == "knock" else last_table(here.room)).cancel("expired")


async def _left(here: Scene, kind: str) -> None:
    table = here.table if kind == "knock" else last_table(here.room)
    await lobby.leave(table, table.stored.host_id)


async def _unanswered(_here: Scene, _kind: str) -> None:
    """Ben does nothing at all."""


NOES: dict[str, Callable[[Scene, str], Awaitable[None]]] = {
    "said": _said,
    "closed": _closed,
    "expired": _expired,
    "left": _left,
    "unanswered": _unanswered,
}
CASES = [(kind, no) for kind in REQUESTS for no in NOES if no != "said" or kind in ("challenge", "knock")]


@pytest.mark.parametrize(("kind", "no"), CASES)
async def test_after_a_no_every_way_of_asking_has_to_wait(
    room: Any, monkeypatch: pytest.MonkeyPatch, kind: str, no: str
) -> None:
    here = await scene(room)
    reached, _ = await ask(here, kind)
    assert reached
    await NOES[no](here, kind)
    await room.env.settle()
    if here.table.phase != "lobby":
        here = await with_lobby(here)
    for other in REQUESTS:
        if (kind, no, other) in (
            ("knock", "unanswered", "knock"),
            ("play again", "unanswered", "play again"),
        ):
            continue  # it still stands, and is not made again
        reached, read = await ask(here, other)
        assert not reached, other
        if other != "seek":  # it calls others, and names no one
            assert part("refused.ask_later") in read, other
            assert f"<@{room.ben.id}>" in read, other
    later(room, monkeypatch, MINUTES[0] + 0.1)
    again = "challenge" if kind != "challenge" else "invite"
    assert (await ask(here, again))[0], "the pause is over"
    later(room, monkeypatch, MINUTES[0] + 0.1)
    assert not (await ask(here, again))[0], "and the next one is longer"


async def test_the_pauses_grow_over_all_ways_of_asking_and_say_when_they_end(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, clock = await scene(room), room.bot.tables.clock
    for kind, minutes in zip(("challenge", "invite", "knock", "play again"), MINUTES, strict=True):
        later(room, monkeypatch, 0)
        reached, read = await ask(here, kind)
        assert reached, read
        _, read = await ask(here, "challenge")
        until = clock.now() + int(minutes * 60_000)
        assert f"<t:{-(-until // 1000)}:R>" in read
        later(room, monkeypatch, minutes + 0.1)
    assert (await ask(here, "challenge"))[0]
    for table in at_hand(room.bot.tables).values():
        await table.cancel("closed")  # or there are as many lobbies as there may be
    later(room, monkeypatch, MINUTES[-1] + FORGOTTEN_MS / 60_000 + 1)
    assert (await ask(here, "challenge"))[0]
    later(room, monkeypatch, MINUTES[0] + 0.1)
    assert (await ask(here, "challenge"))[0], "after a week it is the first again"


async def test_other_people_can_be_asked_meanwhile(room: Any) -> None:
    here = await scene(room)
    await ask(here, "challenge")
    shown = await room.ann.context_menu(room.channel, "Challenge", room.cleo)
    assert part("refused.ask_later") not in said(shown.response)
    shown = await room.ben.context_menu(room.channel, "Challenge", room.ann)
    assert part("refused.ask_later") not in said(shown.response)


@pytest.mark.parametrize("label", ["I'm in", "Join or leave"])
async def test_a_yes_ends_the_pause(room: Any, label: str) -> None:
    here = await scene(room)
    await ask(here, "invite")
    table = last_table(room)
    shown = room.channel.last_message
    if label == "Join or leave":
        shown = next(each for each in room.channel.history() if each.id == table.stored.message_id)
    await room.ben.click(shown, label=label)
    assert room.ben.id in table.people()
    assert (await ask(here, "challenge"))[0]


async def test_a_request_that_was_refused_or_lost_does_not_count(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await scene(room)
    await room.ann.slash(room.channel, "play", game="atom")

    async def broken(*_: object, **__: object) -> None:
        raise OSError("the line is gone")

    for kind, name in (
        ("challenge", "bot.features.challenge.command.open_lobby"),
        ("challenge", "bot.ui.context.Answer.notify"),
        ("invite", "bot.ui.context.Answer.notify"),
        ("invite", "bot.table.people.guests.invite"),
        ("knock", "bot.table.people.guests.knock"),
        ("play again", "bot.features.play.handlers.open_lobby"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(name, broken)
            reached, _ = await ask(here, kind)
        assert not reached, name
    assert (await ask(here, "knock"))[0]
