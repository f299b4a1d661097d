"""/settings: what a person prefers, how a channel shows its tables, and how they begin."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from bot.features.table import language_lines, opening_words
from bot.locales import Words
from bot.store.prefs import Pictures, Pings, Prefs
from bot.ui import slots
from bot.ui.components import Control, MenuLine, Message, TextWithButton, button, page, select
from bot.ui.context import Answer
from bot.ui.effective_settings import (
    home_channel,
    server_here,
    switch_line,
)
from bot.ui.feature_loader import load
from bot.ui.rights import manages_channel, manages_server

SHOWN = ("contrast", "large", "text_only", "still")
"""The switches about pictures, which a channel has too."""
SWITCHES = (*SHOWN, "confirm", "hints", "named", "hand_only")
PINGS: tuple[Pings, ...] = ("mention", "direct", "none")
HOLIDAYS = (1, 3, 7, 14)
"""Lengths of a holiday in days."""
HOLIDAYS_A_YEAR = 28


def settings_message(answer: Answer) -> Message:
    """All that a person may prefer, as it is, each with the button that changes it."""
    say, prefs = answer.say, answer.prefs
    lines = _lines(answer, prefs, SWITCHES, "set")
    ways = [
        MenuLine(
            way, say(f"settings.pings_{way}"), say(f"settings.pings_{way}_note"), chosen=way == prefs.pings
        )
        for way in PINGS
    ]
    menu = select(say("settings.pings"), ways, "set-pings")
    spoken = language_lines(say("settings.language_discord"), prefs.locale)
    language = select(say("settings.language"), spoken, "set-language")
    rest = say("night.rests_no" if prefs.at_night else "night.rests_yes") if prefs.zone else ""
    zone = say("night.zone_line", zone=prefs.zone or say("night.zone_none")) + rest
    own = list[tuple[int, Control]]()
    if manages_channel(answer.interaction):
        own.append((80, button(say("settings.here"), "settings-here")))
    if manages_server(answer.interaction):
        own.append((90, button(say("server.open"), "server")))
    # in one row, since a message has no more than 40 components
    more = slots.SETTINGS.controls(say, None, own)
    # each heading stands above the list that it speaks of
    asked: list[str | list[Control]] = [say("settings.pings_line"), [menu]]
    asked += [f"{zone}\n{_holiday_line(answer)}", [_holiday_menu(answer)]]
    asked += [_language_line(answer), [language]]
    return page(say("settings.heading"), *lines, *asked, more)


def _language_line(answer: Answer) -> str:
    """Return the heading of the languages, with a line for readers of another form who did not choose this
    one, in their own script."""
    say, own_script = answer.say, f"language.text.{answer.interaction.locale.value}"
    line = say("settings.language_line")
    return line if answer.prefs.locale or own_script not in say else f"{line}\n-# {say(own_script)}"


def _holiday_line(answer: Answer) -> str:
    until = answer.prefs.holiday
    if until > answer.app.clock.now():
        return answer.say("holiday.until", at=until // 1000)
    return answer.say("holiday.line")


def _holiday_menu(answer: Answer) -> Control:
    """For how many days from now on clocks are to wait."""
    say, left = answer.say, HOLIDAYS_A_YEAR - days_taken(answer.prefs, year_now(answer))
    ways = [MenuLine("0", say("holiday.none"), say("holiday.none_note"))]
    ways += [
        MenuLine(str(n), say("holiday.days", n=n), say("holiday.left", n=left)) for n in HOLIDAYS if n <= left
    ]
    return select(say("holiday.label"), ways, "set-holiday")


def days_taken(prefs: Prefs, this: int) -> int:
    """Return the number of days of holiday that a person has taken this year."""
    year, days = prefs.holiday_days
    return days if year == this else 0


def year_now(answer: Answer) -> int:
    """Return the current year in UTC."""
    return datetime.fromtimestamp(answer.app.clock.now() / 1000, UTC).year


def settings_button(say: Words, _thing: None) -> Control:
    """Return the button that opens the settings of a person."""
    return button(say("help.settings"), "settings")


def back_button(say: Words, _thing: None) -> Control:
    """Return the button that leads back to the settings of a person."""
    return button(say("settings.mine"), "settings", "back")


async def channel_message(answer: Answer) -> Message:
    """Return the settings of a channel: how it shows tables and how they begin, each with its control."""
    channel_id, say = home_channel(answer.interaction), answer.say
    pictures = await answer.app.preferences.channels.of(channel_id)
    lines = _lines(answer, pictures, SHOWN, "set-here", own=False)
    own = await answer.app.preferences.openings.of(channel_id)
    told = opening_words(own.before(await server_here(answer)), say)
    note = say("server.here_begin_note")
    begin = TextWithButton(
        say("server.line", name=say("server.begin"), told=told, note=note),
        button(say("server.change"), "here-begin"),
    )
    back = button(say("settings.mine"), "settings", "back")
    more = [line for each in load().values() for make in each.channel_lines for line in await make(answer)]
    heading = say("settings.here_heading", channel=f"<#{channel_id}>")
    return page(heading, *lines, begin, *more, [back])


def _lines(
    answer: Answer, prefs: Pictures, keys: Sequence[str], verb: str, *, own: bool = True
) -> list[TextWithButton]:
    """A line for each switch; `own`: they hold for one person alone."""
    say, notes = answer.say, "note" if own else "here"
    return [
        switch_line(
            say,
            say(f"settings.{key}"),
            say(f"settings.{key}_{notes}"),
            verb,
            key,
            on=_is_on(prefs, key),
        )
        for key in keys
    ]


def _is_on(prefs: Pictures, key: str) -> bool:
    return prefs.palette == "contrast" if key == "contrast" else bool(getattr(prefs, key))
