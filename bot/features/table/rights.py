"""Permission checks at a table, for each action and place.

A table belongs to the server in which it was opened, or to the direct messages. Its public messages can be
used only there. A player at the table has a private hand everywhere, and can leave the table from everywhere,
since they may have left the server.
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
    """Return whether this comes from the table's own server, or from its own direct messages."""
    stored = table.stored
    if stored.guild_id is not None or interaction.guild_id is not None:
        return interaction.guild_id == stored.guild_id
    return interaction.channel_id == stored.channel_id


def must_reach(interaction: Interaction, table: Table, *, anywhere: bool = False) -> Table:
    """Return the table if this person may use it from here: at home, or as one of its players `anywhere`.

    Raises:
        Refused: they may not. For strangers elsewhere, the table seems not to exist.
    """
    if at_home(interaction, table):
        must_see(interaction, table)
        return table
    # a table shown only in a hand has no home
    anywhere = anywhere or is_hand_only(table)
    if interaction.user.id not in (*table.people(), table.stored.host_id):
        raise Refused("no_table", table=table.id)
    if anywhere:
        return table
    key = "elsewhere" if table.stored.guild_id is not None else "elsewhere_direct"
    raise Refused(key, table=table.id, url=table_url(table))


def must_see(interaction: Interaction, table: Table) -> None:
    """Check that this person may see the table.

    Strangers may not see a practice game, a game played in the hand only, one in a channel hidden from them
    or, unless they are moderators, a private one.

    Raises:
        Refused: they may not see it.
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
        """Return the controls below an unexpected error, if the table is in sight."""
        if not at_home(answer.interaction, self._table):
            return []
        return table_slots.TROUBLE.controls(answer.say, table_slots.Trouble(self._table, code))


# -- the target of a control ----------------------------------------------------------------------


async def find_table(pressed: Pressed, place: int = 0, *, anywhere: bool = False) -> Table:
    """Return the table that the custom id names at `place`.

    The press must come from the table's own server. With `anywhere`, its players may be elsewhere, and the
    answer must be private to them.

    Raises:
        Refused: the table does not exist, or it cannot be reached from here.
        InvalidCustomId: the id does not name a table.
    """
    table = await pressed.service(Tables).get(pressed.ref.number(place))
    pressed.subject = TableSubject(must_reach(pressed.interaction, table, anywhere=anywhere))
    return table


async def _find_lobby(pressed: Pressed) -> Table:
    table = await find_table(pressed)
    table.must_be("lobby")
    return table


TABLE = Reach(find_table)
"""A table. Its controls can be pressed only in its own server."""
HAND = Reach(partial(find_table, anywhere=True))
"""A seat at a table. Its player can press the controls anywhere."""
LOBBY = Reach(_find_lobby)
"""A table before its cards are dealt."""


# -- permission to press it -----------------------------------------------------------------------


async def _must_sit(answer: Answer, table: Table) -> None:
    if not table.seats_of(answer.user_id):
        raise Refused("not_seated")


async def _must_host(answer: Answer, table: Table) -> None:
    if answer.user_id != table.stored.host_id:
        raise Refused("host_only", host=table.stored.host_id)


async def _must_run(answer: Answer, table: Table) -> None:
    belongs = answer.user_id in (*table.people(), table.stored.host_id)
    if not belongs and not moderates(answer.interaction, table.stored.guild_id):
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
