"""/settings: what a person prefers, changed in place."""

from __future__ import annotations

from discord import ButtonStyle
from msgspec.structs import replace

from bot.store.prefs import Pings, Prefs
from bot.views import ids
from bot.views.components import Beside, Line, Message, button, page, select
from bot.views.context import Answer, Handlers, Pressed
from bot.views.names import plain

handlers = Handlers[Pressed]()

SWITCHES = ("contrast", "large", "text_only", "confirm")
PINGS: tuple[Pings, ...] = ("mention", "direct", "none")


def settings_message(answer: Answer) -> Message:
    """All that a person may prefer, as it is, each with the button that changes it."""
    say, prefs = answer.say, answer.prefs
    lines = [
        Beside(
            say("settings.line", name=say(f"settings.{key}"), note=say(f"settings.{key}_note")),
            button(
                say("settings.on" if on else "settings.off"),
                ids.make("set", key, "no" if on else "yes"),
                style=ButtonStyle.success if on else ButtonStyle.secondary,
            ),
        )
        for key in SWITCHES
        for on in (_is_on(prefs, key),)
    ]
    ways = [
        Line(way, say(f"settings.pings_{way}"), say(f"settings.pings_{way}_note"), chosen=way == prefs.pings)
        for way in PINGS
    ]
    menu = select(say("settings.pings"), ids.make("set-pings"), ways)
    return page(say("settings.heading"), *lines, say("settings.pings_line"), [menu])


def _is_on(prefs: Prefs, key: str) -> bool:
    return prefs.palette == "contrast" if key == "contrast" else bool(getattr(prefs, key))


@handlers.on("settings")
async def _settings(pressed: Pressed) -> None:
    await pressed.private(settings_message(pressed))


@handlers.on("set")
async def _set(pressed: Pressed) -> None:
    """Turn one switch: `set:key:yes` or `set:key:no`."""
    key, on = pressed.ref.word(0), pressed.ref.word(1) == "yes"
    if key not in SWITCHES:
        raise ids.Forged(key)
    change = {"palette": "contrast" if on else "default"} if key == "contrast" else {key: on}
    await _keep(pressed, replace(pressed.prefs, **change))


@handlers.on("set-pings")
async def _set_pings(pressed: Pressed) -> None:
    way = next((way for way in PINGS if way == pressed.value), None)
    if way is None:
        raise ids.Forged(pressed.value)
    await _keep(pressed, replace(pressed.prefs, pings=way))


async def _keep(pressed: Pressed, prefs: Prefs) -> None:
    name = plain(pressed.interaction.user.display_name)
    await pressed.app.preferences.put(pressed.user_id, name, prefs, pressed.tables.clock.now())
    await pressed.turn(settings_message(pressed))
