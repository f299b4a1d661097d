"""Who may do what from where: the one place that decides it.

A table and a tournament belong to the server in which they were opened (a table in direct messages to
those). What everybody sees of them, and what changes them, is done there and nowhere else; rights such as
Manage Messages count there alone. A person who sits at a table has a private hand wherever they are.
"""

from __future__ import annotations

from bot.tables.ports import Refused
from bot.tables.table import Table
from bot.tables.tournament import Tournament
from bot.views.app import Interaction
from bot.views.names import table_url


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
        return table
    if interaction.user.id not in (*table.people(), table.stored.host_id):
        raise Refused("no_table", table=table.id)
    if anywhere:
        return table
    key = "elsewhere" if table.stored.guild_id is not None else "elsewhere_direct"
    raise Refused(key, table=table.id, url=table_url(table))


def moderates(interaction: Interaction, guild_id: int | None) -> bool:
    """Whether this person may manage messages in that server, and acts there."""
    return interaction.guild_id == guild_id is not None and interaction.permissions.manage_messages


def must_run(interaction: Interaction, table: Table, *, seated: bool = False) -> None:
    """Return if this person may close the table: its host, or who may manage messages in its server.

    `seated`: it is something that everybody who sits there may do.

    Raises:
        Refused: they may not, or not from here.
    """
    must_reach(interaction, table)
    mine = interaction.user.id == table.stored.host_id or (seated and interaction.user.id in table.people())
    if not mine and not moderates(interaction, table.stored.guild_id):
        raise Refused("cancel_rights", host=table.stored.host_id)


def must_reach_tournament(interaction: Interaction, tournament: Tournament) -> Tournament:
    """The tournament, if this is its server.

    Raises:
        Refused: it is another; as if there were no such tournament.
    """
    if interaction.guild_id != tournament.stored.guild_id:
        raise Refused("no_tournament", tournament=tournament.id)
    return tournament


def must_organise(interaction: Interaction, tournament: Tournament) -> None:
    """Return if this person may run the tournament: its organiser, or who may manage messages there.

    Raises:
        Refused: neither, or not from here.
    """
    must_reach_tournament(interaction, tournament)
    tournament.must_organise(
        interaction.user.id, moderator=moderates(interaction, tournament.stored.guild_id)
    )
