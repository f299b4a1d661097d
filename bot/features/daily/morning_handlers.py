"""The morning message in the settings of a channel: on or off, its hour and its time zone."""

from __future__ import annotations

from msgspec.structs import replace

from bot import custom_ids as ids
from bot.core.errors import Refused
from bot.features.daily import morning_rows as mornings
from bot.features.daily.morning_rows import Morning
from bot.features.daily.morning_service import first_after
from bot.features.daily.morning_settings import morning_here, morning_line, switch
from bot.features.settings.messages import channel_message
from bot.store.time_zones import LONGEST_ZONE, zone_name, zone_of
from bot.ui.components import MenuLine, TextWithButton, button
from bot.ui.context import Answer, Pressed, Submitted
from bot.ui.effective_settings import home_channel
from bot.ui.forms import FormField, TextField, form
from bot.ui.handlers import Handlers
from bot.ui.rights import CHANNEL_MANAGER

handlers, forms = Handlers[Pressed](), Handlers[Submitted]()


async def channel_line(answer: Answer) -> list[TextWithButton]:
    """Return the lines of the morning message among the settings of a channel."""
    lines, found = await morning_line(answer, "here-morning"), await morning_here(answer)
    if lines and found is not None:
        say = answer.say
        told = say("morning.at", hour=_hour(found.hour), zone=found.zone)
        lines.append(TextWithButton(told, button(say("morning.change"), "here-morning-time")))
    return lines


def _hour(hour: int) -> str:
    return f"{hour}:00"


@handlers.on("here-morning", who=CHANNEL_MANAGER)
async def _set_morning(pressed: Pressed) -> None:
    """Tell this channel each morning about the deal of the day, or no more."""
    await switch(pressed, pressed.ref.word(0))
    await pressed.turn(await channel_message(pressed))


@handlers.on("here-morning-time", who=CHANNEL_MANAGER)
async def _ask_time(pressed: Pressed) -> None:
    """Ask from which hour on, and in which zone, the channel is told."""
    say, found = pressed.say, await morning_here(pressed) or Morning(guild_id=0)
    hours = [MenuLine(str(hour), _hour(hour), chosen=hour == found.hour) for hour in range(24)]
    zone = pressed.prefs.zone if found.zone == "UTC" else found.zone
    fields: list[FormField | TextField] = [
        FormField("hour", say("morning.ask_hour"), hours),
        TextField(
            "zone", say("morning.ask_zone"), LONGEST_ZONE, say("morning.zone_note"), zone or "UTC", long=False
        ),
    ]
    await pressed.ask(form(say("morning.time"), ids.make("here-morning-time"), fields))


@forms.on("here-morning-time", who=CHANNEL_MANAGER)
async def _set_time(submitted: Submitted) -> None:
    """Change the hour of this channel's summary. There is still one a day.

    Raises:
        Refused: the zone is unknown, or the summary was switched off meanwhile.
    """
    channel_id, found = home_channel(submitted.interaction), await morning_here(submitted)
    zone, hour = zone_of(submitted.field("zone")), submitted.field("hour")
    if not hour.isdecimal() or int(hour) not in range(24):
        raise ids.InvalidCustomId(hour)
    if zone is None:
        raise Refused("zone_unknown")
    if found is None:
        raise Refused("no_morning")
    wanted, now = replace(found, hour=int(hour), zone=zone_name(zone)), submitted.app.clock.now()
    first = first_after(wanted, now)
    morning = wanted if wanted.was_told(first) else replace(wanted, told=first)
    await submitted.app.database.write_at_once(lambda c: mornings.put_morning(c, channel_id, morning))
    await submitted.turn(await channel_message(submitted))
