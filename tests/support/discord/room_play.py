"""Playing in the simulated Discord: starting a table, opening a hand, moving, playing to the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from bot.locales import words
from bot.table.game_statistics import owed
from bot.table.table import Table
from tests.support.discord.forging import forge
from tests.support.discord.lobbies import arrange, choose
from tests.support.tables.tables import at_hand, first_act, settle
from tests.support.waiting import until


async def dealt(room: Any, game: str = "probe", **options: str) -> Any:
    """A table of two people and its message."""
    result = await room.ann.slash(room.channel, "play", game=game)
    lobby = result.response
    await room.ben.click(lobby.message, label="Join or leave")
    if options:
        await choose(room.ann, lobby.message, **options)
    await room.ann.click(lobby.message, label="Start")
    return result.response.message


def the_table(room: Any) -> Table:
    return next(iter(at_hand(room.bot.tables).values()))


def board_of(room: Any) -> Any:
    """Return the newest message of a table. Notifications may follow it, as plain text."""
    boards = (each for each in room.channel.history() if not each.content)
    return max(boards, key=lambda each: each.id)


async def play_out(room: Any) -> Any:
    table = the_table(room)
    while table.phase == "live" and table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][0])
    await settle(room.bot.tables)
    await room.env.settle()
    return table


say = words("en")


def shows(message: Any, words_of: str) -> bool:
    """Whether these words, or a button with this label, stand in a message."""
    return words_of in str(message.components).replace("\u2068", "").replace("\u2069", "")


async def hand_of(room: Any, person: Any, board: Any) -> Any:
    return (await person.click(board, label=say("table.hand"))).response


async def bids(room: Any, person: Any, board: Any, number: int) -> Any:
    hand = await hand_of(room, person, board)
    await person.click(hand, label=f"Bid {number}")
    await room.env.settle()


def posted(room: Any) -> str:
    """What the message of the newest table says, its alt texts too."""
    message = board_of(room)
    items = [item for block in message.components for item in block.children]
    texts = [getattr(item, "content", "") for item in items]
    alts = [media.description for item in items for media in getattr(item, "items", ())]
    return "\n".join([*texts, *alts])


async def poster(room: Any, who: str = "ann") -> Any:
    result = await getattr(room, who).slash(room.channel, "play")
    assert result.ephemeral
    return result.response


async def play_now(room: Any, game: str, who: str = "ann") -> Any:
    found = await forge(getattr(room, who), await poster(room, who), f"v:now:{game}")
    await room.env.settle()
    return found


async def alone(room: Any, game: str = "molecular", **arrangement: str) -> Any:
    """A table of Ann and one opponent; its message."""
    await room.ann.slash(room.channel, "play", game=game)
    lobby = room.channel.last_message
    await arrange(room.ann, lobby, opponents="1", **arrangement)
    await room.ann.click(lobby, label="Start")
    await room.env.settle()
    return room.channel.last_message


async def finished(room: Any) -> Table:
    """A game that Ann and Ben have played to its end."""
    await dealt(room, rounds="1")
    (table,) = at_hand(room.bot.tables).values()
    while table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][0])
    await until(lambda: table.phase == "over" and table.stored.shown == table.stored.edition)
    await until(lambda: owed(table) is None)
    return table


async def live(room: Any) -> Table:
    """A game that Ann and Ben play, with a move of Ann's in it."""
    await dealt(room)
    (table,) = at_hand(room.bot.tables).values()
    await until(lambda: any(seat in table.waiting() for seat in table.seats_of(room.ann.id)))
    await first_act(table, room.ann.id)
    return table


Open = Callable[[Any, Any], Awaitable[Any]]


def by_button(label: str) -> Open:
    async def press(room: Any, board: Any) -> Any:
        return await room.ann.click(board, label=label)

    return press


def by_command(command: str, /, **options: Any) -> Open:
    async def use(room: Any, board: Any) -> Any:
        return await room.ann.slash(room.channel, command, **options)

    return use


async def two_tables(room: Any, board: Any) -> Any:
    """/hand with several tables: a list, not a hand."""
    await dealt(room)
    return await room.ann.slash(room.channel, "hand")


KINDS: dict[str, Open] = {
    "lobby": by_command("play", game="probe"),
    "lobby of Atom Duel": by_command("play", game="atom_duel"),
    "hand": by_button("My hand"),
    "hand by command": by_command("hand"),
    "why": by_button("Why?"),
    "log": by_button("Log"),
    "rules of a table": by_button("Rules"),
    "more": by_button("More"),
    "closing": by_command("table cancel"),
    "rules": by_command("rules", game="atom_duel"),
    "card": by_command("card", name="atom_duel:Fe"),
    "cards": by_command("cards", game="atom_duel"),
    "periodic table": by_command("periodic"),
    "leaderboard": by_command("leaderboard", game="atom_duel"),
    "stats": by_command("stats"),
    "games": by_command("games"),
    "help": by_command("help"),
    "about": by_command("about"),
    "list of tables": two_tables,
}
