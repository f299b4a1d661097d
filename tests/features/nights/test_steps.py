"""The steps of a night that are owed until Discord has taken them: reminders, lobby, calls, its message."""

from __future__ import annotations

from typing import Any

import aiohttp
import discord
import pytest

from bot.features.nights.service import GIVEN_UP_MS, MINUTE_MS, Nights
from bot.features.table.names import table_url
from bot.store.days import DAY_MS
from bot.store.prefs import Prefs
from bot.table.people.reserved_seats import arrive
from tests.support.discord.forging import refusal
from tests.support.discord.keys import part
from tests.support.discord.nights import (
    at,
    comes,
    due,
    kept_for,
    night_cut_off,
    now,
    planned,
    process_ends,
    said_all,
    the_night,
)
from tests.support.discord.people import called
from tests.support.discord.sent_messages import said

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about

SILENCE = [refusal(500, 0), aiohttp.ClientConnectionError("broken")]
SILENT = pytest.mark.parametrize("error", SILENCE, ids=["500", "broken"])
HOUR_MS = 60 * MINUTE_MS


class Silence:
    """Discord fails some calls of a method: those whose number is among `which`, from 1."""

    def __init__(
        self, patch: pytest.MonkeyPatch, owner: type, name: str, error: Exception, which: Any
    ) -> None:
        self.calls = 0
        real = getattr(owner, name)

        async def call(*given: Any, **facts: Any) -> Any:
            self.calls += 1
            if self.calls in which:
                raise error
            return await real(*given, **facts)

        patch.setattr(owner, name, call)


async def owed(room: Any, when: int) -> list[str]:
    night = await the_night(room)
    return sorted(call.kind for call in await due(room, night) if call.due_at <= when + HOUR_MS)


def lobbies(room: Any) -> int:
    """The number of lobbies in the channel."""
    messages = room.env.backend.messages[room.channel.id].values()
    return sum("v:join:1" in str(message.components) for message in messages)


@SILENT
@pytest.mark.parametrize("which", [{1}, {2}, {3}, {1, 2}, {1, 2, 3, 4}], ids=str)
async def test_a_lobby_is_posted_and_its_guests_called_once_discord_answers(
    room: Any, monkeypatch: pytest.MonkeyPatch, error: Exception, which: set[int]
) -> None:
    message = await planned(room)
    await comes(room, room.ben, message)
    night, before = await the_night(room), len(room.env.http_requests)
    Silence(monkeypatch, discord.abc.Messageable, "send", error, which)
    for minutes in range(6):
        await at(room, night.starts_at + 1 + minutes * MINUTE_MS)
    table = await kept_for(room)
    assert table.stored.message_id is not None
    assert table_url(table) in now(room, message)
    calls = [entry for entry in room.env.http_requests[before:] if "v:come:1" in str(entry.json)]
    assert lobbies(room) == 1
    assert len(calls) == 1
    assert called(room, before) == {room.ann.id, room.ben.id}
    assert await due(room, night) == []


async def test_a_direct_message_is_not_repeated_with_the_call_that_is(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await planned(room)
    await room.bot.app.preferences.put(room.ben.id, "ben", Prefs(pings="direct"), 0)
    await comes(room, room.ben, message)
    night = await the_night(room)
    sent = Silence(monkeypatch, discord.abc.Messageable, "send", refusal(500, 0), {3, 4})
    for minutes in range(4):
        await at(room, night.starts_at + 1 + minutes * MINUTE_MS)
    assert sent.calls == 5, "the lobby, the letter, and the call three times"


async def test_each_message_of_a_call_has_a_nonce_of_its_own(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord compares the nonces of all messages of a bot, wherever they are."""
    message = await planned(room)
    for person in (room.ben, room.cleo):
        await room.bot.app.preferences.put(person.id, person.name, Prefs(pings="direct"), 0)
        await comes(room, person, message)
    night, before = await the_night(room), len(room.env.http_requests)
    await at(room, night.starts_at - 30 * MINUTE_MS)
    await at(room, night.starts_at + 1)
    bodies = [entry.json for entry in room.env.http_requests[before:] if isinstance(entry.json, dict)]
    nonces = [body["nonce"] for body in bodies if body.get("nonce")]
    assert len(nonces) == 3 + 1 + 3, "a reminder, the lobby and a call"
    assert len(set(nonces)) == len(nonces)
    assert max(map(len, nonces)) <= 25


@SILENT
@pytest.mark.parametrize("early", [DAY_MS, 30 * MINUTE_MS], ids=["day", "soon"])
async def test_a_reminder_is_sent_once_discord_answers(
    room: Any, monkeypatch: pytest.MonkeyPatch, error: Exception, early: int
) -> None:
    await planned(room, hours=30)
    night, before = await the_night(room), len(room.env.http_requests)
    Silence(monkeypatch, discord.abc.Messageable, "send", error, {1, 2})
    for minutes in range(5):
        await at(room, night.starts_at - early + minutes * MINUTE_MS)
    told = [entry for entry in room.env.http_requests[before:] if "begins <t:" in str(entry.json)]
    assert len(told) == 1
    assert called(room, before) == {room.ann.id}


async def test_a_reminder_that_comes_too_late_is_dropped(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    await planned(room, hours=30)
    night, before = await the_night(room), len(room.env.http_requests)
    with monkeypatch.context() as patch:
        Silence(patch, discord.abc.Messageable, "send", refusal(500, 0), range(99))
        await at(room, night.starts_at - DAY_MS)
    assert await owed(room, night.starts_at) == ["day", "soon", "start"]
    await at(room, night.starts_at - DAY_MS + 31 * MINUTE_MS)
    assert called(room, before) == set()
    assert await owed(room, night.starts_at) == ["soon", "start"]


async def test_what_discord_refuses_is_not_tried_again(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    await planned(room)
    night = await the_night(room)
    sent = Silence(monkeypatch, discord.abc.Messageable, "send", refusal(403, 50013), range(99))
    edited = Silence(monkeypatch, discord.PartialMessage, "edit", refusal(403, 50001), range(99))
    await at(room, night.starts_at + 1)
    tries = sent.calls, edited.calls
    assert min(tries) >= 1
    await at(room, night.starts_at + 5 * MINUTE_MS)
    assert (sent.calls, edited.calls) == tries
    assert await owed(room, night.starts_at) == []


async def test_a_defect_in_a_step_does_not_end_it(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    message = await planned(room)
    Silence(monkeypatch, discord.PartialMessage, "edit", RuntimeError("a defect"), {1})
    await room.bot.app.service(Nights).cancel(1)
    await said_all(room)
    await at(room, room.bot.app.service(Nights)._clock.now() + MINUTE_MS)
    assert part("night.cancelled") in now(room, message)
    room.env.errors  # noqa: B018 - read, and with that forgiven


@pytest.mark.long
@SILENT
@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("end", ["cancelled", "empty", "missed", "open"])
async def test_what_becomes_of_a_night_is_shown_once_discord_answers(
    room: Any, monkeypatch: pytest.MonkeyPatch, error: Exception, restarted: bool, end: str
) -> None:
    message = await planned(room)
    night = await the_night(room)
    when = night.starts_at + (121 * MINUTE_MS if end == "missed" else 1)
    if end == "empty":
        await comes(room, room.ann, message, "No")
    before = now(room, message)
    with monkeypatch.context() as patch:
        Silence(patch, discord.PartialMessage, "edit", error, range(99))
        if end == "cancelled":
            await room.bot.app.service(Nights).cancel(1)
            await said_all(room)
            when = room.bot.app.service(Nights)._clock.now()
        else:
            await at(room, when)
        assert (await the_night(room)).phase == end
        assert now(room, message) == before
    if restarted:
        await process_ends(room)
    await at(room, when + 2 * MINUTE_MS)
    shown = now(room, message)
    assert part(f"night.{end}") in shown
    assert "custom_id" not in shown
    if end == "open":
        assert table_url(await kept_for(room)) in shown
    assert await due(room, night) == []


async def test_a_step_that_never_succeeds_is_given_up(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    await planned(room)
    night = await the_night(room)
    edited = Silence(monkeypatch, discord.PartialMessage, "edit", refusal(500, 0), range(99))
    await at(room, night.starts_at + 1)
    tries = edited.calls
    assert tries >= 1
    await at(room, night.starts_at + GIVEN_UP_MS + 1)
    assert edited.calls == tries
    assert await owed(room, night.starts_at + GIVEN_UP_MS) == []


async def test_guests_whose_call_a_stop_kept_back_are_called_once_by_the_next_process(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await planned(room)
    await comes(room, room.ben, message)
    await comes(room, room.cleo, message)
    night = await the_night(room)
    with monkeypatch.context() as patch:  # the process ends as soon as the lobby is stored
        patch.setattr(type(room.bot.app.service(Nights)._stage), "night_opens", night_cut_off)
        await at(room, night.starts_at + 1)
    table, before = await kept_for(room), len(room.env.http_requests)
    await arrive(table, room.cleo.id)
    await process_ends(room)
    await at(room, night.starts_at + 2 * MINUTE_MS)
    assert called(room, before) == {room.ann.id, room.ben.id}, "Cleo has come"
    before = len(room.env.http_requests)
    await at(room, night.starts_at + 3 * MINUTE_MS)
    assert called(room, before) == set()


async def test_guests_who_were_called_are_not_called_again(room: Any) -> None:
    await planned(room)
    night, before = await the_night(room), len(room.env.http_requests)
    await at(room, night.starts_at + 1)
    assert called(room, before) == {room.ann.id}
    before = len(room.env.http_requests)
    await at(room, night.starts_at + 3 * MINUTE_MS)
    assert called(room, before) == set()


async def test_nobody_is_called_to_a_lobby_that_has_closed(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await planned(room)
    night = await the_night(room)
    with monkeypatch.context() as patch:
        patch.setattr(type(room.bot.app.service(Nights)._stage), "night_opens", night_cut_off)
        await at(room, night.starts_at + 1)
    await (await kept_for(room)).cancel("")
    before = len(room.env.http_requests)
    await at(room, night.starts_at + 2 * MINUTE_MS)
    assert called(room, before) == set()
    assert await due(room, night) == []


async def unnoted(room: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A night whose process ended right after the answer, before its message was noted; that message."""
    with monkeypatch.context() as patch:

        async def stop(*_: Any) -> None:
            return

        patch.setattr(type(room.bot.app.service(Nights)), "set_message", stop)
        message = await planned(room)
    await process_ends(room)
    assert (await the_night(room)).message_id is None
    return message


def looking(room: Any, patch: pytest.MonkeyPatch, error: Exception, which: set[int]) -> list[str]:
    """Let Discord fail these of the requests for the answer to a command; the requests so far."""
    real, asked = type(room.bot.http).request, list[str]()

    async def request(http: Any, route: Any, **facts: Any) -> Any:
        if route.path.endswith("/@original"):
            asked.append(route.path)
            if len(asked) in which:
                raise error
        return await real(http, route, **facts)

    patch.setattr(type(room.bot.http), "request", request)
    return asked


def nights_shown(room: Any) -> int:
    """The number of messages of the night in the channel."""
    messages = room.env.backend.messages[room.channel.id].values()
    return sum("v:night:1:yes" in str(message.components) for message in messages)


def in_minutes(room: Any, minutes: float) -> int:
    return int(room.bot.app.service(Nights)._clock.now() + minutes * MINUTE_MS)


async def test_a_message_that_was_not_noted_is_found_by_the_next_process(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.ann.slash(room.channel, "play", game="canasta")
    message = await unnoted(room, monkeypatch)
    await room.ann.slash(room.channel, "play", game="canasta")
    await at(room, in_minutes(room, 2))
    night = await the_night(room)
    assert night.message_id == message.id
    assert await owed(room, night.starts_at) == ["soon", "start"]


@pytest.mark.parametrize("end", ["cancelled", "missed"])
async def test_a_night_that_ends_before_its_message_is_found_is_shown_as_ended(
    room: Any, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    message = await unnoted(room, monkeypatch)
    if end == "cancelled":
        await room.bot.app.service(Nights).cancel(1)
        await said_all(room)
        await at(room, in_minutes(room, 2))
    else:
        late = (await the_night(room)).starts_at + 125 * MINUTE_MS
        await at(room, late)
        await at(room, late + 2 * MINUTE_MS)
    assert part(f"night.{end}") in now(room, message)


async def test_a_message_is_looked_for_again_if_discord_does_not_answer(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await unnoted(room, monkeypatch)
    asked = looking(room, monkeypatch, refusal(500, 0), {1, 2})
    for minutes in range(2, 6):
        await at(room, in_minutes(room, minutes))
    assert len(asked) == 3
    assert (await the_night(room)).message_id == message.id


@pytest.mark.parametrize("hindered", ["deleted", "expired", "never posted"])
async def test_a_night_whose_message_cannot_be_found_is_posted_once(
    room: Any, monkeypatch: pytest.MonkeyPatch, hindered: str
) -> None:
    message = await unnoted(room, monkeypatch)
    expired = {1} if hindered == "expired" else set[int]()
    asked = looking(room, monkeypatch, refusal(401, 50027), expired)
    if hindered != "expired":
        room.env.backend.messages[room.channel.id].pop(message.id)
    before = nights_shown(room)
    await at(room, in_minutes(room, 2))
    await at(room, in_minutes(room, 4))
    assert len(asked) == 1
    night = await the_night(room)
    assert night.phase == "planned"
    assert night.token is None
    assert nights_shown(room) == before + 1
    assert night.message_id not in (None, message.id)
    assert await owed(room, night.starts_at) == ["soon", "start"]
    posted = next(each for each in room.channel.history() if each.id == night.message_id)
    await comes(room, room.ben, posted)
    assert "ben" in now(room, posted)


async def test_a_night_is_posted_again_if_discord_did_not_answer(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await unnoted(room, monkeypatch)
    room.env.backend.messages[room.channel.id].pop(message.id)
    Silence(monkeypatch, discord.abc.Messageable, "send", refusal(500, 0), {1, 2})
    for minutes in range(2, 9):
        await at(room, in_minutes(room, minutes))
    assert nights_shown(room) == 1
    assert (await the_night(room)).message_id is not None


async def test_the_token_of_a_press_is_kept_only_until_the_message_is_noted(room: Any) -> None:
    await planned(room)
    assert (await the_night(room)).token is None


async def test_a_message_that_was_not_noted_is_noted_by_the_first_press(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await unnoted(room, monkeypatch)
    shown = await room.cleo.slash(room.channel, "night list")
    assert f"/{room.channel.id})" in said(shown.response)
    await comes(room, room.ben, message)
    assert (await the_night(room)).message_id == message.id
