"""/table repost, pings, computer, undo, pause, leave and cancel: showing a table again, fewer pings, an
opponent for whoever is away, a move taken back, a pause, getting up, closing."""

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
from bot.table.other_processes import tables_in_other_processes
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
    """Put the group on the tree."""
    tree.add_command(group)


async def _which(answer: Answer, number: int | None) -> Table:
    """The table of that number, or the newest of this channel.

    Raises:
        Refused: there is none.
    """
    if number is None:
        here = await answer.service(Tables).in_channel(answer.interaction.channel_id or 0)
        if not here:
            raise Refused("no_table_here")
        return here[0]
    table = await answer.service(Tables).get(number)
    if table.phase not in OPEN_PHASES:
        raise Refused("no_table", table=number)
    return table


async def _which_at_home(answer: Answer, number: int | None, who: Who[Table]) -> Table:
    """Return the same table, if it can be reached from here and `who` includes the person.

    Raises:
        Refused: it cannot, or they may not.
    """
    table = must_reach(answer.interaction, await _which(answer, number))
    await who.must_include(answer, table)
    return table


async def _mine(answer: Answer, number: int | None) -> Table:
    """Return the person's table: that of the number, the newest of this channel, or else the only one.

    They may be elsewhere.

    Raises:
        Refused: they sit at no such table, or at several.
    """
    if number is not None:
        found = must_reach(answer.interaction, await _which(answer, number), anywhere=True)
        await PLAYER.must_include(answer, found)
        return found
    tables = await answer.service(Tables).of_user(answer.user_id)
    here = [table for table in tables if table.stored.channel_id == answer.interaction.channel_id]
    if here:
        return max(here, key=lambda table: table.id)
    away = await tables_in_other_processes(answer.service(Tables), answer.user_id)
    if len(tables) + len(away) > 1:
        raise Refused("which_table")
    if away:
        raise away[0]
    if not tables:
        raise Refused("none_open")
    return tables[0]


@group.command(name="repost", description=say("command.table_repost"))
@app_commands.describe(table=say("command.table_number"))
async def repost(interaction: Interaction, table: int | None = None) -> None:
    """Show a table again, down here; for deleted messages and lost channels."""
    answer = Answer.to(interaction)
    found = await _which_at_home(answer, table, RUNNER)
    if interaction.channel_id != found.stored.channel_id:
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
    answer.claim_post(found.id)
    await answer.defer(ephemeral=True)
    url = await answer.service(TablePublisher).repost(found, channel)
    await answer.private(page(answer.say("table.reposted", url=url), accent=None))


@group.command(name="cancel", description=say("command.table_cancel"))
@app_commands.describe(table=say("command.table_number"))
async def cancel(interaction: Interaction, table: int | None = None) -> None:
    """Close a table for good; asks first."""
    answer = Answer.to(interaction)
    found = await _which_at_home(answer, table, CLOSER)
    await ask_to_close(answer, found)


@group.command(name="pings", description=say("command.table_pings"))
@app_commands.describe(table=say("command.table_of_mine"))
async def pings(interaction: Interaction, table: int | None = None) -> None:
    """Stop the pings of a table, or let them begin again."""
    answer = Answer.to(interaction)
    found = await _mine(answer, table)
    wanted = answer.user_id in found.stored.terms.quiet
    await set_pings(found, answer.user_id, wanted=wanted)
    key = "table.pings_on" if wanted else "table.pings_off"
    await answer.private(page(answer.say(key, table=found.id), accent=None))


@group.command(name="computer", description=say("command.table_computer"))
@app_commands.describe(table=say("command.table_number"))
async def computer(interaction: Interaction, table: int | None = None) -> None:
    """Let the computer play for who has kept a table waiting for a day, until they press."""
    answer = Answer.to(interaction)
    found = await _which_at_home(answer, table, RUNNER)
    await call_computer(answer, found)


@group.command(name="undo", description=say("command.table_undo"))
@app_commands.describe(table=say("command.table_of_mine"))
async def undo(interaction: Interaction, table: int | None = None) -> None:
    """Take back one's last move, or ask the others whether they agree."""
    answer = Answer.to(interaction)
    await take_back(answer, await _mine(answer, table))


@group.command(name="pause", description=say("command.table_pause"))
@app_commands.describe(table=say("command.table_of_mine"))
async def pause(interaction: Interaction, table: int | None = None) -> None:
    """Let nobody's clock run, once everybody who sits there has agreed."""
    answer = Answer.to(interaction)
    await take_a_pause(answer, await _mine(answer, table))


@group.command(name="leave", description=say("command.table_leave"))
@app_commands.describe(table=say("command.table_of_mine"))
async def leave(interaction: Interaction, table: int | None = None) -> None:
    """Get up from a table; asks first. Anywhere, since who sits there may have left its server."""
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
    found, _ = await answer.service(Tables).listed(
        guild_id, answer.user_id, MOST_LISTED, channels=rights.channels_in_sight(answer.interaction)
    )
    here = [table for table in found if table.guild_id == guild_id]
    return _listed(here, answer.locale, current)


@completes("table", pings, undo, pause, leave)
async def _my_tables(answer: Answer, current: str) -> Choices:
    found, _ = await answer.service(Tables).listed(None, answer.user_id, MOST_LISTED)
    return _listed(found, answer.locale, current)
