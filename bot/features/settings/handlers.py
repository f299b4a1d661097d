"""Presses and forms of /settings, for a person and for a channel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec.structs import replace

from bot import custom_ids as ids
from bot.core.errors import Refused
from bot.features.settings.messages import (
    HOLIDAYS,
    HOLIDAYS_A_YEAR,
    PINGS,
    SHOWN,
    SWITCHES,
    channel_message,
    days_taken,
    settings_message,
    year_now,
)
from bot.features.table import WIDER, TablePublisher, opening_form, read_opening
from bot.locales import languages
from bot.store.days import DAY_MS
from bot.store.prefs import Pictures, Prefs
from bot.table.registry import Tables
from bot.ui.context import Pressed, Submitted
from bot.ui.effective_settings import home_channel, server_here
from bot.ui.handlers import Handlers
from bot.ui.names import account_name
from bot.ui.rights import CHANNEL_MANAGER

handlers, forms = Handlers[Pressed](), Handlers[Submitted]()

P = TypeVar("P", bound=Pictures)


def _with(prefs: P, key: str, *, on: bool) -> P:
    change = {"palette": "contrast" if on else "default"} if key == "contrast" else {key: on}
    return replace(prefs, **change)


@handlers.on("settings")
async def _settings(pressed: Pressed) -> None:
    """All settings: below whatever led here, or in place of those of the channel (`settings:back`)."""
    if pressed.ref.word(0) == "back":
        await pressed.turn(settings_message(pressed))
    else:
        await pressed.private(settings_message(pressed))


@handlers.on("set")
async def _set(pressed: Pressed) -> None:
    """Turn one switch: `set:key:yes` or `set:key:no`."""
    key, on = pressed.ref.word(0), pressed.ref.word(1) == "yes"
    if key not in SWITCHES:
        raise ids.InvalidCustomId(key)
    await _keep(pressed, lambda prefs: _with(prefs, key, on=on))


@handlers.on("set-pings")
async def _set_pings(pressed: Pressed) -> None:
    way = next((way for way in PINGS if way == pressed.value), None)
    if way is None:
        raise ids.InvalidCustomId(pressed.value)
    await _keep(pressed, lambda prefs: replace(prefs, pings=way))


@handlers.on("set-language")
async def _set_language(pressed: Pressed) -> None:
    """Speak to the person alone in this language, or in that of their Discord."""
    if pressed.value not in {WIDER, *languages()}:
        raise ids.InvalidCustomId(pressed.value)
    locale = "" if pressed.value == WIDER else pressed.value
    await _keep(pressed, lambda prefs: replace(prefs, locale=locale))


@handlers.on("set-holiday")
async def _set_holiday(pressed: Pressed) -> None:
    """Go on holiday for so many days, or come back from it; days that were not used are not given back."""
    days = int(pressed.value) if pressed.value.isdecimal() else -1
    if days not in (0, *HOLIDAYS):
        raise ids.InvalidCustomId(pressed.value)
    now, year = pressed.app.clock.now(), year_now(pressed)

    def change(prefs: Prefs) -> Prefs:
        if not days:
            return replace(prefs, holiday=0)
        taken = days_taken(prefs, year)
        if taken + days > HOLIDAYS_A_YEAR:
            raise Refused("holiday_spent", most=HOLIDAYS_A_YEAR, n=taken)
        return replace(prefs, holiday=now + days * DAY_MS, holiday_days=(year, taken + days))

    await _keep(pressed, change)


@handlers.on("settings-here", who=CHANNEL_MANAGER)
async def _settings_here(pressed: Pressed) -> None:
    await pressed.turn(await channel_message(pressed))


@handlers.on("set-here", who=CHANNEL_MANAGER)
async def _set_here(pressed: Pressed) -> None:
    """Turn one switch of the channel, `set-here:key:yes` or `:no`, and show its tables anew, those in its
    threads as well."""
    channel_id, key, on = home_channel(pressed.interaction), pressed.ref.word(0), pressed.ref.word(1) == "yes"
    if key not in SHOWN:
        raise ids.InvalidCustomId(key)
    preferences = pressed.app.preferences
    await preferences.channels.change(channel_id, lambda pictures: _with(pictures, key, on=on))
    guild = pressed.interaction.guild
    threads = [each.id for each in (guild.threads if guild else ()) if each.parent_id == channel_id]
    for table in await pressed.service(Tables).in_channel(channel_id, threads):
        pressed.service(TablePublisher).show_again(table)
    await pressed.turn(await channel_message(pressed))


@handlers.on("here-begin", who=CHANNEL_MANAGER)
async def _ask_begin(pressed: Pressed) -> None:
    own = await pressed.app.preferences.openings.of(home_channel(pressed.interaction))
    around = await server_here(pressed)
    await pressed.ask(opening_form(ids.make("here-begin"), own, pressed.say, around=around))


@forms.on("here-begin", who=CHANNEL_MANAGER)
async def _set_begin(submitted: Submitted) -> None:
    """How tables of the channel begin from now on; those that are open stay as they are."""
    channel_id = home_channel(submitted.interaction)
    await submitted.app.preferences.openings.put(channel_id, read_opening(submitted))
    await submitted.turn(await channel_message(submitted))


async def _keep(pressed: Pressed, change: Callable[[Prefs], Prefs]) -> None:
    name = account_name(pressed.interaction.user)
    await pressed.app.preferences.change(pressed.user_id, name, change, pressed.app.clock.now())
    await pressed.turn(settings_message(pressed))
