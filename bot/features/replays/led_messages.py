"""A replay that several people watch together: a public message whose steps one of them makes."""

from __future__ import annotations

from dataclasses import dataclass

from discord import ButtonStyle

from bot.features.replays.messages import PICTURE, ReplayPosition, position, views_of, ways_on
from bot.features.replays.service import Replay
from bot.locales import words
from bot.presenters.film import OPEN, TABLE
from bot.ui import custom_ids as ids
from bot.ui.components import Message, button, page


@dataclass(frozen=True, slots=True)
class Led:
    """Where they are, and who leads."""

    where: ReplayPosition
    leader: int


def led_message(replay: Replay, led: Led, locale: str, asker: int = 0) -> Message:
    """The position for everybody, as all saw it or with all hands open; `asker` would like to lead."""
    say, where = words(locale), led.where
    views = [view for view in (TABLE, OPEN) if view in views_of(replay.table)]
    ask = button(say("replay.ask"), ids.make("led-ask", *where.args, led.leader), emoji="👋")
    told, give = say("replay.leads", who=f"<@{led.leader}>"), []
    if asker:
        told += "\n" + say("replay.asks", who=f"<@{asker}>")
        there = ids.make("led-give", *where.args, led.leader, asker)
        give = [button(say("replay.give"), there, style=ButtonStyle.success)]
    controls = [*ways_on(replay, where, say, views, "led", led.leader), ask, *give]
    return page(told, *position(replay, where, locale, {}, controls), picture_name=PICTURE)
