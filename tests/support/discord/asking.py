"""All the ways in which Ann can ask Ben to play, or for a seat, in the simulated Discord."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from bot.table.table import Table
from tests.support.discord.lobbies import arrange
from tests.support.discord.people import called, challenge, newest
from tests.support.discord.room_play import board_of, dealt, play_out
from tests.support.discord.sent_messages import said


@dataclass
class Scene:
    """A room in which Ann and Ben have played a slow game, Ben has a lobby by invitation, and he wants to be
    called when someone looks for people."""

    room: Any
    board: Any
    """The message of the finished game."""
    lobby: Any
    """The message of Ben's lobby."""
    table: Table
    """The table of Ben's lobby."""


async def scene(room: Any) -> Scene:
    """Set the room up for every kind of request."""
    await dealt(room)
    await play_out(room)
    board = board_of(room)
    shown = await room.ben.slash(room.channel, "games")
    await room.ben.click(shown.response, custom_id="v:seek-on")
    return await with_lobby(Scene(room, board, None, last_table(room)))


def last_table(room: Any) -> Table:
    """Return the newest table in memory, open or not."""
    found: Table = max(room.bot.tables.cache.values(), key=lambda table: table.id)
    return found


async def with_lobby(here: Scene) -> Scene:
    """Open another lobby of Ben's by invitation."""
    room = here.room
    await room.ben.slash(room.channel, "play", game="atom")
    lobby, table = room.channel.last_message, newest(room)
    await arrange(room.ben, lobby, place="here-invited")
    return Scene(room, here.board, lobby, table)


async def _challenge(here: Scene) -> Any:
    return await challenge(here.room, here.room.ann, here.room.ben)


async def _invite(here: Scene) -> Any:
    room = here.room
    lobby = (await room.ann.slash(room.channel, "play", game="atom_duel")).response
    return await room.ann.select(lobby, [room.ben], custom_id=f"v:invite:{newest(room).id}")


async def _knock(here: Scene) -> Any:
    return await here.room.ann.click(here.lobby, label="Join or leave")


async def _play_again(here: Scene) -> Any:
    return await here.room.ann.click(here.board, label="Play again")


async def _seek(here: Scene) -> Any:
    return await here.room.ann.slash(here.room.channel, "seek", game="duel52")


REQUESTS: dict[str, Callable[[Scene], Awaitable[Any]]] = {
    "challenge": _challenge,
    "invite": _invite,
    "knock": _knock,
    "play again": _play_again,
    "seek": _seek,
}
"""Every kind of request, made by Ann to Ben."""


async def ask(here: Scene, kind: str) -> tuple[bool, str]:
    """Let Ann ask Ben. Return whether that called him, and what she read."""
    room = here.room
    room.bot.app.debouncer._clicked.clear()  # much later, not a double click
    before = len(room.env.http_requests)
    result = await REQUESTS[kind](here)
    await room.env.settle()
    answers = [result.response, *result.followups]
    return room.ben.id in called(room, before), "\n".join(said(each) for each in answers if each is not None)
