"""Whether a channel is told each morning about the deal of the day: shown, and switched by who manages it."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from bot.features.daily import morning_rows as mornings
from bot.features.daily.morning_rows import Morning
from bot.features.daily.mornings import first_after, next_at
from bot.features.settings.messages import channel_message
from bot.store.time_zones import LONGEST_ZONE, zone_name, zone_of
from bot.tables.ports import Refused
from bot.ui import custom_ids as ids
from bot.ui.components import Beside, MenuLine, button
from bot.ui.context import Answer, Handlers, Pressed, Submitted
from bot.ui.effective_settings import channel_to_set, public_locale, switch_line
from bot.ui.errors import MissingPermissions, missing_permissions
from bot.ui.forms import FormField, TextField, form

handlers, forms = Handlers[Pressed](), Handlers[Submitted]()


def _at_home(answer: Answer) -> bool:
    """Whether the bot is in this server: where a person alone has brought it, it posts nothing by itself."""
    interaction = answer.interaction
    return interaction.is_guild_integration() or not interaction.is_user_integration()


async def morning_line(answer: Answer, verb: str) -> list[Beside]:
    """Whether the channel is told, with the button that changes it: `verb:yes` or `verb:no`; nothing where
    the bot is not at home."""
    if not _at_home(answer):
        return []
    channel_id, say = channel_to_set(answer), answer.say
    found = await answer.tables.database.read_at_once(lambda c: mornings.morning_of(c, channel_id))
    note = say("morning.next", at=next_at(found, answer.tables.clock.now())) if found else say("morning.note")
    name = say("morning.name", channel=f"<#{channel_id}>")
    return [switch_line(say, name, note, partial(ids.make, verb), on=found is not None)]


async def switch(answer: Answer, word: str) -> None:
    """Switch it on (`yes`) or off (`no`) in this channel; it begins with the next morning.

    Raises:
        Refused: the person may not do so.
        MissingPermissions: the bot may not write there.
        StoreError: it was not stored.
    """
    channel_id, guild_id = channel_to_set(answer), answer.interaction.guild_id
    if word not in ("yes", "no") or guild_id is None or not _at_home(answer):
        raise ids.InvalidCustomId(word)
    morning = None
    if word == "yes":
        if missing := missing_permissions(answer.interaction.app_permissions):
            raise MissingPermissions(missing)
        wanted = Morning(guild_id=guild_id, locale=await public_locale(answer))
        morning = replace(wanted, told=first_after(wanted, answer.tables.clock.now()))
    await answer.tables.database.write_at_once(lambda c: mornings.put_morning(c, channel_id, morning))


async def channel_line(answer: Answer) -> list[Beside]:
    """Return the lines of the morning message among the settings of a channel."""
    lines, found = await morning_line(answer, "here-morning"), await _wanted(answer)
    if lines and found is not None:
        say = answer.say
        told = say("morning.at", hour=_hour(found.hour), zone=found.zone)
        lines.append(Beside(told, button(say("morning.change"), ids.make("here-morning-time"))))
    return lines


async def _wanted(answer: Answer) -> Morning | None:
    channel_id = channel_to_set(answer)
    return await answer.tables.database.read_at_once(lambda c: mornings.morning_of(c, channel_id))


def _hour(hour: int) -> str:
    return f"{hour}:00"


@handlers.on("here-morning")
async def _set_morning(pressed: Pressed) -> None:
    """Tell this channel each morning about the deal of the day, or no more."""
    await switch(pressed, pressed.ref.word(0))
    await pressed.turn(await channel_message(pressed))


@handlers.on("here-morning-time")
async def _ask_time(pressed: Pressed) -> None:
    """Ask from which hour on, and in which zone, the channel is told."""
    say, found = pressed.say, await _wanted(pressed) or Morning(guild_id=0)
    hours = [MenuLine(str(hour), _hour(hour), chosen=hour == found.hour) for hour in range(24)]
    zone = pressed.prefs.zone if found.zone == "UTC" else found.zone
    fields: list[FormField | TextField] = [
        FormField("hour", say("morning.ask_hour"), hours),
        TextField(
            "zone", say("morning.ask_zone"), LONGEST_ZONE, say("morning.zone_note"), zone or "UTC", long=False
        ),
    ]
    await pressed.ask(form(say("morning.time"), ids.make("here-morning-time"), fields))


@forms.on("here-morning-time")
async def _set_time(submitted: Submitted) -> None:
    """Change the hour of this channel's summary. There is still one a day.

    Raises:
        Refused: the zone is unknown, or the summary was switched off meanwhile.
    """
    channel_id, found = channel_to_set(submitted), await _wanted(submitted)
    zone, hour = zone_of(submitted.field("zone")), submitted.field("hour")
    if not hour.isdecimal() or int(hour) not in range(24):
        raise ids.InvalidCustomId(hour)
    if zone is None:
        raise Refused("zone_unknown")
    if found is None:
        raise Refused("no_morning")
    wanted, now = replace(found, hour=int(hour), zone=zone_name(zone)), submitted.tables.clock.now()
    first = first_after(wanted, now)
    morning = wanted if wanted.was_told(first) else replace(wanted, told=first)
    await submitted.tables.database.write_at_once(lambda c: mornings.put_morning(c, channel_id, morning))
    await submitted.turn(await channel_message(submitted))
