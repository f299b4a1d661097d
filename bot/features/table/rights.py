"""Who may do what at a table, and from where.

A table belongs to the server in which it was opened, or to the direct messages. What everyone sees of it and
what changes it is done there and nowhere else. Someone who sits at a table has a private hand wherever they
are, and can leave it from there: they may have left the server.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bot.core.errors import Refused
from bot.features.table import slots as table_slots
from bot.features.table.names import table_url, word_look
from bot.table.registry import Tables
from bot.table.table import Table
from bot.table.table_kinds import is_hand_only
from bot.ui.effective_settings import games_of, server_here
from bot.ui.handlers import Reach, Who
from bot.ui.rights import in_sight, is_among, moderates, must_open

if TYPE_CHECKING:
    from bot.render.scene import Look
    from bot.ui.app import Interaction
    from bot.ui.components import Control
    from bot.ui.context import Answer, Pressed


def at_home(interaction: Interaction, table: Table) -> bool:
    """Whether this comes from the table's own server, or from the direct messages that it stands in."""
    stored = table.stored
    if stored.guild_id is not None or interaction.guild_id is not None:
        return interaction.guild_id == stored.guild_id
    return interaction.channel_id == stored.channel_id


def must_reach(interaction: Interaction, table: Table, *, anywhere: bool = False) -> Table:
    """The table, if this person may do something with it from here: at home, or `anywhere` who sits there.

    Raises:
        Refused: they may not. To strangers elsewhere it is as if there were no such table.
    """
    if at_home(interaction, table):
        must_see(interaction, table)
        return table
    # a table that only the hand shows is at home nowhere
    anywhere = anywhere or is_hand_only(table)
    if interaction.user.id not in (*table.people(), table.stored.host_id):
        raise Refused("no_table", table=table.id)
    if anywhere:
        return table
    key = "elsewhere" if table.stored.guild_id is not None else "elsewhere_direct"
    raise Refused(key, table=table.id, url=table_url(table))


def must_see(interaction: Interaction, table: Table) -> None:
    """Return unless this person is a stranger to a table that is private, in one hand only, or out of sight.

    Raises:
        Refused: they are.
    """
    terms, user_id = table.stored.terms, interaction.user.id
    if (terms.practice or terms.hand_only) and user_id not in (*table.people(), table.stored.host_id):
        raise Refused("no_table", table=table.id)
    guild_id, moderator = table.stored.guild_id, moderates(interaction, table.stored.guild_id)
    if user_id in (*table.people(), *terms.left.values(), *terms.guests, table.stored.host_id):
        return
    if terms.access == "private" and not (moderator or terms.admits(user_id)):
        raise Refused("private_table")
    if guild_id is not None and not in_sight(interaction, table.stored.channel_id, unknown=moderator):
        raise Refused("no_table", table=table.id)


class TableSubject:
    """A table as the subject of an answer."""

    def __init__(self, table: Table) -> None:
        self.game = table.game.key
        self._table = table

    def look(self, locale: str) -> Look:
        """Return the names of its players."""
        return word_look(self._table, locale)

    def controls(self, answer: Answer, code: str) -> list[Control]:
        """Return the controls below the words of an unforeseen failure, if the table is in sight."""
        if not at_home(answer.interaction, self._table):
            return []
        return table_slots.TROUBLE.controls(answer.say, table_slots.Trouble(self._table, code))


# -- what a control acts on -----------------------------------------------------------------------


async def find_table(pressed: Pressed, place: int = 0, *, anywhere: bool = False) -> Table:
    """Return the table that the custom id names at `place`.

    The press must come from the table's own server. With `anywhere` its players may be elsewhere: then the
    answer must be private to them.

    Raises:
        Refused: no table has this number, or it cannot be reached from here.
        InvalidCustomId: the id names no table.
    """
    table = await pressed.service(Tables).get(pressed.ref.number(place))
    pressed.subject = TableSubject(must_reach(pressed.interaction, table, anywhere=anywhere))
    return table


async def _find_lobby(pressed: Pressed) -> Table:
    table = await find_table(pressed)
    table.must_be("lobby")
    return table


TABLE = Reach(find_table)
"""A table: its controls can be pressed only in its own server."""
HAND = Reach(partial(find_table, anywhere=True))
"""A seat at a table. The person who sits there can press its controls anywhere."""
LOBBY = Reach(_find_lobby)
"""A table before its cards are dealt."""


# -- who may press it -----------------------------------------------------------------------------


async def _must_sit(answer: Answer, table: Table) -> None:
    if not table.seats_of(answer.user_id):
        raise Refused("not_seated")


async def _must_host(answer: Answer, table: Table) -> None:
    if answer.user_id != table.stored.host_id:
        raise Refused("host_only", host=table.stored.host_id)


async def _must_run(answer: Answer, table: Table) -> None:
    mine = answer.user_id in (*table.people(), table.stored.host_id)
    if not mine and not moderates(answer.interaction, table.stored.guild_id):
        raise Refused("run_rights", table=table.id)


async def _must_close(answer: Answer, table: Table) -> None:
    host, guild_id = table.stored.host_id, table.stored.guild_id
    if answer.user_id == host or moderates(answer.interaction, guild_id):
        return
    server = await server_here(answer)
    if guild_id is None or not is_among(answer.interaction, server.close_by, server.close_role):
        key = "close_role" if server.close_by == "role" else "cancel_rights"
        raise Refused(key, host=host, role=server.close_role)


async def _must_open_such(answer: Answer, table: Table) -> None:
    server = await server_here(answer)
    must_open(answer.interaction, table.game.key, server, games_of(server), answer.locale)


async def _must_invite(answer: Answer, table: Table) -> None:
    await _must_sit(answer, table)
    if table.stored.terms.access != "open":
        await _must_host(answer, table)


PLAYER = Who(_must_sit)
"""People who sit at the table."""
HOST = Who(_must_host)
"""The host of the table."""
RUNNER = Who(_must_run)
"""People who sit at the table, its host, and the moderators of its server."""
CLOSER = Who(_must_close)
"""The host of the table, the moderators of its server, and everyone whom the server lets close tables."""
OPENER = Who(_must_open_such)
"""People who may open a table of this game here."""
INVITER = Who(_must_invite)
"""People who sit at an open table, or only the host if it is not open."""
