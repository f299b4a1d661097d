"""What the teacher is asked: a hint in the hand."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from discord import ButtonStyle

from bot.presenters.base import Route, ways_to
from bot.tables.ports import Refused
from bot.tables.teaching import may_hint
from bot.tables.thinking import hint
from bot.views import ids
from bot.views.components import button, page
from bot.views.context import PATIENCE, Handlers, Pressed
from bot.views.names import inert, joined
from bot.views.presses.aside import show_aside
from bot.views.presses.play import own_seat, show_hand, view_of
from bot.views.seat_view import SeatView
from engine.ai.advice import Advice, Difference

handlers = Handlers[Pressed]()

MOST_CLAUSES = 2
"""In how many of the game's own terms a difference is told."""


@handlers.on("hint")
async def _hint(pressed: Pressed) -> None:
    """What the teacher would do, in the place of the hand: `hint:table:seat:decision`."""
    table = await pressed.table(anywhere=True)
    seat, decision = own_seat(table, pressed.ref.number(1), pressed.user_id), pressed.ref.number(2)
    view = view_of(pressed, table, seat)
    if view.decision == decision and not view.hints:
        raise Refused("no_hints")
    if view.decision == decision:
        advice = await asked(pressed, hint, table.game.key, view.observation, view.legal)
    if view.decision != decision or not view.holds or not may_hint(table, seat):
        await show_hand(pressed, view_of(pressed, table, seat), notice=pressed.say("refused.stale"))
        return
    await _show_hint(pressed, view, advice)


async def asked(pressed: Pressed, work: Any, *about: object) -> Any:
    """What comes of a function of the teacher; where that takes long, Discord is told to wait.

    Raises:
        NoAnswer: nothing came of it in time.
    """
    task = asyncio.ensure_future(
        pressed.tables.thinker.teach(work, *about, whose=pressed.interaction.channel_id)
    )
    try:
        await asyncio.wait({task}, timeout=max(0.0, pressed.since + PATIENCE - time.monotonic()))
        if not task.done():
            await pressed.interaction.response.defer()
        return await task
    finally:
        task.cancel()


async def _show_hint(pressed: Pressed, view: SeatView, advice: Advice) -> None:
    say, table, ways = pressed.say, view.table, ways_to(view.tree, view.legal)
    way = in_words(ways[advice.best])
    if advice.second is None:
        told = say("hint.only", way=way)
    elif not advice.clear:
        told = say("hint.same", way=way, other=in_words(ways[advice.second]))
    else:
        why = reason(pressed, view, advice, in_words(ways[advice.second]))
        told = f"{say('hint.move', way=way)}\n{why}"
    chance = say("hint.chance", n=round(100 * advice.chance))
    play = ids.make("go", table.id, view.seat, view.decision, ids.path_text(ways[advice.best].path))
    label = say("hint.play" if advice.clear or advice.second is None else "hint.play_first")
    message = page(say("hint.heading", table=table.id), f"{told}\n-# {chance}")
    await show_aside(pressed, table, message, button(label, play, style=ButtonStyle.primary))


def reason(pressed: Pressed, view: SeatView, advice: Advice, other: str) -> str:
    """Why the best decision and not the other, which reads so."""
    if found := clauses(pressed, view, advice.differences):
        return pressed.say("hint.clear", way=other, clauses=found)
    return pressed.say("hint.better", way=other, n=round(100 * advice.lead))


def clauses(pressed: Pressed, view: SeatView, found: Sequence[Difference]) -> str:
    """The differences that tell most, in the game's own terms."""
    told = [view.presenter.measure(difference, pressed.locale) for difference in found]
    return joined([clause for clause in told if clause][:MOST_CLAUSES], pressed.locale)


def in_words(route: Route) -> str:
    """A decision in the words of the buttons that lead to it."""
    return inert(" → ".join(route.labels))
