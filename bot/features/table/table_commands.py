"""The `/table` commands: repost, cancel, pings, computer, undo, pause and leave."""

from __future__ import annotations

import discord
from discord import app_commands

from bot import presenters
from bot.core.errors import Refused
from bot.features.table.consent_handlers import call_computer, take_a_pause, take_back
from bot.features.table.leaving_handlers import ask_to_close, ask_to_leave
from bot.features.table.publishing.publisher import TablePublisher
from bot.features.table.rights import CLOSER, PLAYER, RUNNER, must_reach
from bot.locales import words
from bot.store.games import OPEN_PHASES
from bot.store.queries import TableLine
from bot.table.people.habits import set_pings
from bot.table.registry import Tables
from bot.table.table import Table
from bot.ui import rights
from bot.ui.app import Connected, Interaction
from bot.ui.commands.autocomplete import Choices, completes
from bot.ui.components import page
from bot.ui.context import Answer
from bot.ui.discord_errors import MissingPermissions, missing_permissions
from bot.ui.effective_settings import server_here
from bot.ui.handlers import Who

say = words("en")
MOST_LISTED = 200
group = app_commands.Group(
    name="table",
    description=say("command.table"),
    allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
    allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
)


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Add the group to the command tree."""
    tree.add_command(group)


async def _which(answer: Answer, number: int | None) -> Table:
    """Return the table with this number, or the newest one in this channel.

    Raises:
        Refused: there is no such table.
    """
    if number is None:
        tables = await answer.service(Tables).in_channel(answer.interaction.channel_id or 0)
        if not tables:
            raise Refused("no_table_here")
        return tables[0]
    table = await answer.service(Tables).get(number)
    if table.phase not in OPEN_PHASES:
        raise Refused("no_table", table=number)
    return table


async def _which_at_home(answer: Answer, number: int | None, who: Who[Table]) -> Table:
    """Return the same table if it can be reached from here and `who` includes the person.

    Raises:
        Refused: the table cannot be reached, or `who` does not include the person.
    """
    table = must_reach(answer.interaction, await _which(answer, number))
    await who.must_include(answer, table)
    return table


async def _mine(answer: Answer, number: int | None) -> Table:
    """Return the person's table: by number, the newest in this channel, or their only one.

    They may be in another channel or server.

    Raises:
        Refused: the person sits at no such table, or at several.
    """
    if number is not None:
        table = must_reach(answer.interaction, await _which(answer, number), anywhere=True)
        await PLAYER.must_include(answer, table)
        return table
    tables = await answer.service(Tables).of_user(answer.user_id)
    in_channel = [table for table in tables if table.stored.channel_id == answer.interaction.channel_id]
    if in_channel:
        return max(in_channel, key=lambda table: table.id)
    elsewhere = await answer.service(Tables).in_other_processes(answer.user_id)
    if len(tables) + len(elsewhere) > 1:
        raise Refused("which_table")
    if elsewhere:
        raise elsewhere[0]
    if not tables:
        raise Refused("none_open")
    return tables[0]


@group.command(name="repost", description=say("command.table_repost"))
@app_commands.describe(table=say("command.table_number"))
async def repost(interaction: Interaction, table: int | None = None) -> None:
    """Post a table again at the end of this channel, for deleted messages and lost channels."""
    answer = Answer.to(interaction)
    chosen = await _which_at_home(answer, table, RUNNER)
    if interaction.channel_id != chosen.stored.channel_id:
        rights.must_stand(answer.interaction, await server_here(answer))
    else:
        rights.must_write(answer.interaction)
    channel = interaction.channel
    if interaction.guild_id is not None and (
        missing := missing_permissions(
            interaction.app_permissions, in_thread=isinstance(channel, discord.Thread)
        )
    ):
        raise MissingPermissions(missing)
    if channel is None or isinstance(channel, (discord.ForumChannel, discord.CategoryChannel)):
        raise Refused("no_table_here")
    answer.claim_post(chosen.id)
    await answer.defer(ephemeral=True)
    url = await answer.service(TablePublisher).repost(chosen, channel)
    await answer.private(page(answer.say("table.reposted", url=url), accent=None))


@group.command(name="cancel", description=say("command.table_cancel"))
@app_commands.describe(table=say("command.table_number"))
async def cancel(interaction: Interaction, table: int | None = None) -> None:
    """Close a table for good, after a confirmation."""
    answer = Answer.to(interaction)
    chosen = await _which_at_home(answer, table, CLOSER)
    await ask_to_close(answer, chosen)


@group.command(name="pings", description=say("command.table_pings"))
@app_commands.describe(table=say("command.table_of_mine"))
async def pings(interaction: Interaction, table: int | None = None) -> None:
    """Turn the pings of a table off or on again."""
    answer = Answer.to(interaction)
    chosen = await _mine(answer, table)
    was_quiet = answer.user_id in chosen.stored.terms.quiet
    await set_pings(chosen, answer.user_id, wanted=was_quiet)
    key = "table.pings_on" if was_quiet else "table.pings_off"
    await answer.private(page(answer.say(key, table=chosen.id), accent=None))


@group.command(name="computer", description=say("command.table_computer"))
@app_commands.describe(table=say("command.table_number"))
async def computer(interaction: Interaction, table: int | None = None) -> None:
    """Let the computer play for players who have kept a table waiting for a day, until they act."""
    answer = Answer.to(interaction)
    chosen = await _which_at_home(answer, table, RUNNER)
    await call_computer(answer, chosen)


@group.command(name="undo", description=say("command.table_undo"))
@app_commands.describe(table=say("command.table_of_mine"))
async def undo(interaction: Interaction, table: int | None = None) -> None:
    """Take back your last move, or ask the others to agree."""
    answer = Answer.to(interaction)
    await take_back(answer, await _mine(answer, table))


@group.command(name="pause", description=say("command.table_pause"))
@app_commands.describe(table=say("command.table_of_mine"))
async def pause(interaction: Interaction, table: int | None = None) -> None:
    """Stop all clocks of a table, once everyone there has agreed."""
    answer = Answer.to(interaction)
    await take_a_pause(answer, await _mine(answer, table))


@group.command(name="leave", description=say("command.table_leave"))
@app_commands.describe(table=say("command.table_of_mine"))
async def leave(interaction: Interaction, table: int | None = None) -> None:
    """Leave a table, after a confirmation. This works anywhere, since players may have left its server."""
    answer = Answer.to(interaction)
    await ask_to_leave(answer, await _mine(answer, table))


def _listed(tables: list[TableLine], locale: str, current: str) -> Choices:
    return [
        app_commands.Choice(name=f"{table.id} · {presenters.get(table.game).title(locale)}", value=table.id)
        for table in tables
        if str(table.id).startswith(current) and presenters.offers(table.game)
    ]


@completes("table", repost, cancel, computer)
async def _tables_here(answer: Answer, current: str) -> Choices:
    guild_id = answer.interaction.guild_id
    tables, _ = await answer.service(Tables).listed(
        guild_id, answer.user_id, MOST_LISTED, channels=rights.channels_in_sight(answer.interaction)
    )
    in_server = [table for table in tables if table.guild_id == guild_id]
    return _listed(in_server, answer.locale, current)


@completes("table", pings, undo, pause, leave)
async def _my_tables(answer: Answer, current: str) -> Choices:
    tables, _ = await answer.service(Tables).listed(None, answer.user_id, MOST_LISTED)
    return _listed(tables, answer.locale, current)
