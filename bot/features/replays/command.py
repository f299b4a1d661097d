"""/replay: a finished game once more, move by move."""

from __future__ import annotations

from discord import app_commands

from bot.features.replays.handlers import list_replays, opened, take_up
from bot.features.replays.messages import day_of, label_of
from bot.features.replays.service import code_of, shared
from bot.locales import words
from bot.presenters import offers
from bot.presenters.voice import clipped
from bot.table.registry import Tables
from bot.typed_names import matches_typed
from bot.ui.app import Connected, Interaction
from bot.ui.commands.autocomplete import MOST, Choices, completes
from bot.ui.context import Answer

say = words("en")


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the command on the tree."""
    tree.add_command(replay)


@app_commands.command(name="replay", description=say("command.replay"))
@app_commands.describe(table=say("command.replay_table"), code=say("command.replay_code"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def replay(interaction: Interaction, table: int | None = None, code: str = "") -> None:
    """Take up a finished game, or list one's own."""
    answer = Answer.to(interaction)
    if code:
        found = await shared(answer.service(Tables), code)
        await take_up(answer, found, code_of(found))
    elif table is not None:
        await take_up(answer, await opened(answer, str(table)), str(table))
    else:
        await answer.private(await list_replays(answer))


@completes("table", replay)
async def _finished(answer: Answer, current: str) -> Choices:
    locale = answer.locale
    found, _ = await answer.service(Tables).finished(answer.user_id, 4 * MOST)
    named = [
        (f"{one.id} · {day_of(one)} · {label_of(one, locale)}", one.id) for one in found if offers(one.game)
    ]
    return [
        app_commands.Choice(name=clipped(name, 100), value=value)
        for name, value in named
        if matches_typed(current, name)
    ]
