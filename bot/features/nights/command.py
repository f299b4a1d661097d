"""/night plan, list and cancel: nights planned ahead."""

from __future__ import annotations

from discord import app_commands

from bot import presenters
from bot.features.house_rules.rules_option import offer_rules, rules_asked
from bot.features.nights.handlers import PLANNER, ask_to_call_off, begin_plan, nights_message
from bot.features.nights.messages import seats_of, title_of
from bot.features.nights.service import MOST_IN_SERVER, Nights
from bot.locales import words
from bot.presenters.voice import clipped
from bot.typed_names import matches_typed
from bot.ui.app import Connected, Interaction
from bot.ui.commands.autocomplete import Choices, completes
from bot.ui.commands.game_option import known_game, offer
from bot.ui.context import Answer
from bot.ui.rights import MODERATOR, channels_in_sight

say = words("en")
MOST_SEATS = max(seats_of(game)[-1] for game in presenters.offered())
group = app_commands.Group(
    name="night",
    description=say("command.night"),
    allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
    allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
)


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the group on the tree."""
    tree.add_command(group)


@group.command(name="plan", description=say("command.night_plan"))
@app_commands.describe(
    when=say("command.night_when"),
    game=say("command.seek_game"),
    seats=say("command.night_seats"),
    rules=say("command.play_rules"),
)
async def plan(
    interaction: Interaction,
    when: str = "",
    game: str = "",
    seats: app_commands.Range[int, 0, MOST_SEATS] = 0,
    rules: str = "",
) -> None:
    """Plan a night in this channel, by house rules where some are named; whoever has never said where they
    live is asked first."""
    answer, key = Answer.to(interaction), known_game(game) if game else ""
    by = await rules_asked(answer, key, rules) if rules else None
    await begin_plan(answer, key, when, seats, by)


offer(plan)
offer_rules(plan)


@group.command(name="list", description=say("command.night_list"))
async def planned(interaction: Interaction) -> None:
    """The nights that are planned in this server."""
    answer = Answer.to(interaction)
    await answer.private(await nights_message(answer, 0))


@group.command(name="cancel", description=say("command.night_cancel"))
@app_commands.describe(number=say("command.night_number"))
async def cancel(interaction: Interaction, number: int) -> None:
    """Call a night off; asks first."""
    await ask_to_call_off(Answer.to(interaction), number)


@completes("number", cancel)
async def _numbers(answer: Answer, current: str) -> Choices:
    """The nights here that the person may call off."""
    guild_id, seen = answer.interaction.guild_id or 0, channels_in_sight(answer.interaction)
    found, _ = await answer.service(Nights).of_guild(guild_id, MOST_IN_SERVER, channels=seen)
    called = {
        night.id: f"{night.id} · {title_of(night.game, answer.locale)}"
        for night in found
        if await (PLANNER | MODERATOR).includes(answer, night)
    }
    return [
        app_commands.Choice(name=clipped(name, 100), value=number)
        for number, name in called.items()
        if matches_typed(current, name)
    ]
