"""Channels and threads of a Discord in memory, and as discord.py hands them out.

Threads are made by whoever plays in them; people archive, lock and delete them. As in life, an edit in an
archived thread is refused, a new message opens it again unless it is locked, and of one that was deleted
nothing is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import discord

from bot.ui.discord_errors import ARCHIVED, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE
from tests.support.discord.forging import refusal

if TYPE_CHECKING:
    from tests.sim.discord_in_memory import Client

NO_RIGHTS, HAS_THREAD = 50013, 160004
BOT, GUILD = 42, 70
"""The user that the bot is, and the one server."""


@dataclass(slots=True)
class Room:
    """A thread."""

    id: int
    parent_id: int
    name: str
    archived: bool = False
    locked: bool = False
    deleted: bool = False

    def write(self, *, edit: bool) -> None:
        """Somebody writes in it.

        Raises:
            HTTPException: it is gone, or shut.
        """
        if self.deleted:
            raise refusal(404, UNKNOWN_CHANNEL)
        if self.archived and (edit or self.locked):
            raise refusal(400, ARCHIVED)
        self.archived = False

    def spoil(self, how: str) -> None:
        """What people do to it: `archived`, `locked` (and archived), `deleted`."""
        self.archived |= how in ("archived", "locked")
        self.locked |= how == "locked"
        self.deleted |= how == "deleted"


class Text(discord.TextChannel):
    """A channel of a server, as one process has it."""

    def __init__(self, client: Client, channel_id: int) -> None:
        self._there = client.there
        self._client = client
        self.id = channel_id
        self.guild = server_of(client)
        self._type = discord.ChannelType.text.value

    async def create_thread(self, *, name: str, **_: Any) -> Any:  # type: ignore[override]
        made = await self._there.call(lambda: self._there.open_thread(self.id, name))
        return Thread(self._client, made)


class Thread(discord.Thread):
    """A thread, as one process has it; what becomes of it later it does not know."""

    def __init__(self, client: Client, room: Room) -> None:
        self._there = client.there
        self._room = room
        self.id = room.id
        self.guild = server_of(client)
        self.name = room.name
        self.parent_id = room.parent_id
        self.owner_id = BOT
        self.archived, self.locked = room.archived, room.locked

    async def edit(self, *, archived: bool) -> Any:  # type: ignore[override]
        def act() -> None:
            if self._room.deleted:
                raise refusal(404, UNKNOWN_CHANNEL)
            if self._room.locked:
                raise refusal(403, NO_RIGHTS)
            self._room.archived = archived

        await self._there.call(act)

    async def add_user(self, _user: Any) -> None:  # type: ignore[override]
        await self._there.call(lambda: self._room.write(edit=True))


def channel_of(client: Client, channel_id: int) -> Text | Thread:
    """A channel or thread as discord.py has it.

    Raises:
        HTTPException: it was deleted.
    """
    room = client.there.threads.get(channel_id)
    if room is None:
        return Text(client, channel_id)
    if room.deleted:
        raise refusal(404, UNKNOWN_CHANNEL)
    return Thread(client, room)


def server_of(client: Client) -> Any:
    """The one server, of whose rights nothing is known here."""
    there = client.there

    async def fetch_member(user_id: int) -> object:
        return user_id  # nobody leaves

    async def query_members(*, user_ids: list[int], **_: object) -> list[Any]:
        return [SimpleNamespace(id=user_id) for user_id in user_ids]

    async def active_threads() -> list[Thread]:
        rooms = await there.call(
            lambda: [room for room in there.threads.values() if not (room.archived or room.deleted)]
        )
        return [Thread(client, room) for room in rooms]

    return SimpleNamespace(
        id=GUILD,
        active_threads=active_threads,
        fetch_member=fetch_member,
        query_members=query_members,
        unavailable=False,
        get_channel_or_thread=lambda _channel_id: None,
        get_channel=lambda _channel_id: None,
        me=None,
    )


def thread_under(client: Client, channel_id: int, number: int) -> Any:
    """What opens a thread under a message of a channel, by its number."""
    there = client.there

    async def create_thread(*, name: str, **_: Any) -> Thread:
        def act() -> Room:
            posted = there.channel(channel_id).get(number)
            if posted is None or posted.deleted:
                raise refusal(404, UNKNOWN_MESSAGE)
            if posted.id in there.threads:
                raise refusal(400, HAS_THREAD)
            return there.open_thread(posted.channel_id, name, number=posted.id)

        return Thread(client, await there.call(act))

    return create_thread
