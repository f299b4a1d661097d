"""What people do in the simulated Discord: challenge, change settings, save house rules."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from sqlalchemy import Connection

from bot.features.house_rules import rows as store
from bot.ui.live.members import Members
from tests.support.discord.lobbies import choose
from tests.support.discord.sent_messages import said
from tests.support.tables.results import finish
from tests.support.tables.tables import at_hand


def called(room: Any, since: int = 0) -> set[int]:
    """Whom the messages of the bot have pinged so far, after so many requests."""
    bodies = [entry.json or {} for entry in room.env.http_requests[since:]]
    data = [body.get("data", body) for body in bodies if isinstance(body, dict)]
    return {
        int(user) for one in data if one for user in (one.get("allowed_mentions") or {}).get("users") or ()
    }


def let_everyone_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Discord not tell who has left a server: people of results that a test makes up never joined it."""

    async def departed(*_: object) -> set[int]:
        return set()

    monkeypatch.setattr(Members, "departed", departed)


async def challenge(room: Any, by: Any, person: Any) -> Any:
    return await by.context_menu(room.channel, "Challenge", person)


def later(room: Any, patch: pytest.MonkeyPatch, minutes: float) -> None:
    """Let the wall clock be so many minutes ahead of what it shows now."""
    clock = room.bot.tables.clock
    at = clock.now() + int(minutes * 60_000)
    patch.setattr(clock, "now", lambda: at)


async def prefer(room: Any, who: str, *choices: str) -> Any:
    """Press these switches in /settings."""
    shown = await getattr(room, who).slash(room.channel, "settings")
    for custom_id in choices:
        shown = await getattr(room, who).click(shown.response, custom_id=custom_id)
    return shown.response


SEEING = {"view_channel": True, "send_messages": True}


MODERATING = discord.Permissions(manage_messages=True, **SEEING)
MANAGING = discord.Permissions(manage_guild=True, manage_channels=True, **SEEING)


def somebody(room: Any, name: str, permissions: discord.Permissions) -> Any:
    role = room.guild.create_role(name, permissions=permissions)
    return room.guild.add_member(room.env.create_user(name), roles=[role])


NAME = "Friday night"


def newest(room: Any) -> Any:
    return max(at_hand(room.bot.tables).values(), key=lambda table: table.id)


async def opened(room: Any, person: Any = None, **options: str) -> tuple[Any, Any]:
    """A lobby of Duel 52 with these options, and its table."""
    person = person or room.ann
    await person.slash(room.channel, "play", game="duel52")
    lobby = room.channel.last_message
    if options:
        await choose(person, lobby, **options)
    return lobby, newest(room)


async def save(person: Any, lobby: Any, name: str = NAME) -> Any:
    """Save the options of a lobby; what the person is told."""
    shown = await choose(person, lobby, house="keep")
    assert shown.ephemeral
    asked = await person.click(shown.response, label="Save as house rules…")
    assert asked.modal is not None, said(asked.response)
    return await person.submit_modal(asked, {"name": name})


async def saved(room: Any, name: str = NAME, **options: str) -> Any:
    """House rules of Ann in the channel, made in a lobby that is closed again."""
    lobby, table = await opened(room, **(options or {"variant": "teams"}))
    await save(room.ann, lobby, name)
    await table.cancel("closed")
    return await kept(room, name)


async def kept(room: Any, name: str = NAME, channel: Any = None) -> Any:
    channel_id = (channel or room.channel).id
    return await room.bot.tables.database.read_at_once(lambda c: store.named(c, channel_id, "duel52", name))


async def play(room: Any, *games: dict[str, Any]) -> None:
    """Games that ended, one after another, in the server of the room unless told otherwise."""

    def write(connection: Connection) -> None:
        for at, game in enumerate(games):
            finish(connection, **{"at": at, "game": "atom_duel", "guild_id": room.guild.id, **game})

    await room.bot.app.database.write_at_once(write)
