"""/settings: what a person prefers, how a channel shows its tables and how they begin, changed in place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from bot.features.settings.server_handlers import may_set_server
from bot.locales import languages
from bot.store.days import DAY_MS
from bot.store.prefs import Pictures, Pings, Prefs
from bot.tables.ports import Refused
from bot.ui import custom_ids as ids
from bot.ui.components import Beside, Control, MenuLine, Message, button, page, select
from bot.ui.context import Answer, Handlers, Pressed, Submitted
from bot.ui.effective_settings import channel_to_set, may_set_here, server_here, switch_line
from bot.ui.feature_loader import load
from bot.ui.live.publisher import TablePublisher
from bot.ui.names import account_name
from bot.ui.table.table_defaults import WIDER, language_lines, opening_form, opening_words, read_opening

handlers, forms = Handlers[Pressed](), Handlers[Submitted]()

SHOWN = ("contrast", "large", "text_only", "still")
"""What concerns pictures: a channel has it too."""
SWITCHES = (*SHOWN, "confirm", "hints", "named")
PINGS: tuple[Pings, ...] = ("mention", "direct", "none")
HOLIDAYS = (1, 3, 7, 14)
"""For how many days somebody may go on holiday at a time."""
HOLIDAYS_A_YEAR = 28
P = TypeVar("P", bound=Pictures)


def settings_message(answer: Answer) -> Message:
    """All that a person may prefer, as it is, each with the button that changes it."""
    say, prefs = answer.say, answer.prefs
    lines = _lines(answer, prefs, SWITCHES, lambda key, way: ids.make("set", key, way))
    ways = [
        MenuLine(
            way, say(f"settings.pings_{way}"), say(f"settings.pings_{way}_note"), chosen=way == prefs.pings
        )
        for way in PINGS
    ]
    menu = select(say("settings.pings"), ids.make("set-pings"), ways)
    spoken = language_lines(say("settings.language_discord"), prefs.locale)
    language = select(say("settings.language"), ids.make("set-language"), spoken)
    rest = say("night.rests_no" if prefs.at_night else "night.rests_yes") if prefs.zone else ""
    zone = Beside(
        say("night.zone_line", zone=prefs.zone or say("night.zone_none")) + rest,
        button(say("night.set_zone"), ids.make("night-zone")),
    )
    wider = [button(say("settings.here"), ids.make("settings-here"))] if may_set_here(answer) else []
    if may_set_server(answer):
        wider.append(button(say("server.open"), ids.make("server")))
    # each heading stands above the list that it speaks of
    asked: list[str | list[Control]] = [say("settings.pings_line"), [menu]]
    asked += [_holiday_line(answer), [_holiday_menu(answer)], _language_line(answer), [language]]
    return page(say("settings.heading"), *lines, *asked, zone, wider)


def _language_line(answer: Answer) -> str:
    """Return the heading of the languages, with a line for readers of another form who did not choose this
    one, in their own script."""
    say, own_script = answer.say, f"language.text.{answer.interaction.locale.value}"
    line = say("settings.language_line")
    return line if answer.prefs.locale or own_script not in say else f"{line}\n-# {say(own_script)}"


def _holiday_line(answer: Answer) -> str:
    until = answer.prefs.holiday
    if until > answer.tables.clock.now():
        return answer.say("holiday.until", at=until // 1000)
    return answer.say("holiday.line")


def _holiday_menu(answer: Answer) -> Control:
    """For how many days from now on clocks are to wait."""
    say, left = answer.say, HOLIDAYS_A_YEAR - _taken(answer.prefs, _year(answer))
    ways = [MenuLine("0", say("holiday.none"), say("holiday.none_note"))]
    ways += [
        MenuLine(str(n), say("holiday.days", n=n), say("holiday.left", n=left)) for n in HOLIDAYS if n <= left
    ]
    return select(say("holiday.label"), ids.make("set-holiday"), ways)


def _taken(prefs: Prefs, this: int) -> int:
    """How many days of holiday somebody has taken this year."""
    year, days = prefs.holiday_days
    return days if year == this else 0


def _year(answer: Answer) -> int:
    return datetime.fromtimestamp(answer.tables.clock.now() / 1000, UTC).year


async def channel_message(answer: Answer) -> Message:
    """How the channel shows its tables to everybody, and how they begin, each with what changes it.

    Raises:
        Refused: the person may not change it, or this is no channel of a server.
    """
    channel_id, say = channel_to_set(answer), answer.say
    pictures = await answer.app.preferences.channels.of(channel_id)
    lines = _lines(answer, pictures, SHOWN, lambda key, way: ids.make("set-here", key, way), own=False)
    own = await answer.app.preferences.openings.of(channel_id)
    told = opening_words(own.before(await server_here(answer)), say)
    note = say("server.here_begin_note")
    begin = Beside(
        say("server.line", name=say("server.begin"), told=told, note=note),
        button(say("server.change"), ids.make("here-begin")),
    )
    back = button(say("settings.mine"), ids.make("settings", "back"))
    more = [line for each in load().values() for make in each.channel_lines for line in await make(answer)]
    heading = say("settings.here_heading", channel=f"<#{channel_id}>")
    return page(heading, *lines, begin, *more, [back])


def _lines(
    answer: Answer, prefs: Pictures, keys: Sequence[str], way: Callable[[str, str], str], *, own: bool = True
) -> list[Beside]:
    """A line for each switch; `own`: they hold for one person alone."""
    say, notes = answer.say, "note" if own else "here"
    return [
        switch_line(
            say,
            say(f"settings.{key}"),
            say(f"settings.{key}_{notes}"),
            partial(way, key),
            on=_is_on(prefs, key),
        )
        for key in keys
    ]


def _is_on(prefs: Pictures, key: str) -> bool:
    return prefs.palette == "contrast" if key == "contrast" else bool(getattr(prefs, key))


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
    now, year = pressed.tables.clock.now(), _year(pressed)

    def change(prefs: Prefs) -> Prefs:
        if not days:
            return replace(prefs, holiday=0)
        taken = _taken(prefs, year)
        if taken + days > HOLIDAYS_A_YEAR:
            raise Refused("holiday_spent", most=HOLIDAYS_A_YEAR, n=taken)
        return replace(prefs, holiday=now + days * DAY_MS, holiday_days=(year, taken + days))

    await _keep(pressed, change)


@handlers.on("settings-here")
async def _settings_here(pressed: Pressed) -> None:
    await pressed.turn(await channel_message(pressed))


@handlers.on("set-here")
async def _set_here(pressed: Pressed) -> None:
    """Turn one switch of the channel, `set-here:key:yes` or `:no`, and show its tables anew, those in its
    threads as well."""
    channel_id, key, on = channel_to_set(pressed), pressed.ref.word(0), pressed.ref.word(1) == "yes"
    if key not in SHOWN:
        raise ids.InvalidCustomId(key)
    preferences = pressed.app.preferences
    await preferences.channels.change(channel_id, lambda pictures: _with(pictures, key, on=on))
    guild = pressed.interaction.guild
    threads = [each.id for each in (guild.threads if guild else ()) if each.parent_id == channel_id]
    for table in await pressed.tables.in_channel(channel_id, threads):
        pressed.app.service(TablePublisher).show_again(table)
    await pressed.turn(await channel_message(pressed))


@handlers.on("here-begin")
async def _ask_begin(pressed: Pressed) -> None:
    own = await pressed.app.preferences.openings.of(channel_to_set(pressed))
    around = await server_here(pressed)
    await pressed.ask(opening_form(ids.make("here-begin"), own, pressed.say, around=around))


@forms.on("here-begin")
async def _set_begin(submitted: Submitted) -> None:
    """How tables of the channel begin from now on; those that are open stay as they are."""
    channel_id = channel_to_set(submitted)
    await submitted.app.preferences.openings.put(channel_id, read_opening(submitted))
    await submitted.turn(await channel_message(submitted))


async def _keep(pressed: Pressed, change: Callable[[Prefs], Prefs]) -> None:
    name = account_name(pressed.interaction.user)
    await pressed.app.preferences.change(pressed.user_id, name, change, pressed.tables.clock.now())
    await pressed.turn(settings_message(pressed))
