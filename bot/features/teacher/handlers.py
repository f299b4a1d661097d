"""What the teacher is asked: a hint in the hand, and why an opponent did what it did."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from discord import ButtonStyle

from bot import presenters
from bot.core.errors import Refused
from bot.features.table import (
    HAND_PICTURE,
    SeatView,
    choice_button,
    lines_of,
    own_seat,
    picture_look,
    show_hand,
    show_side_answer,
    view_of,
    viewer_of,
    word_look,
)
from bot.features.table import slots as table_slots
from bot.features.table.rights import HAND, TABLE
from bot.features.teacher.hint_words import HintWords
from bot.features.teacher.service import OpponentMove, last_moves, may_ask_why
from bot.presenters.base import AnyPresenter, Perspective
from bot.presenters.paths import in_words, ways_to
from bot.presenters.voice import clipped
from bot.render.parts import ringed
from bot.render.scene import Look
from bot.table.game_runner import steady
from bot.table.registry import Tables
from bot.table.table import Table
from bot.table.table_kinds import can_hint, opponents
from bot.table.thinking import hindsight_of, hint, motive_of
from bot.ui.components import button, page
from bot.ui.context import Pressed
from bot.ui.handlers import Handlers
from bot.ui.names import inert
from bot.workers.errors import NoAnswer
from engine.ai.advice import Advice
from engine.ai.motive import visible_event
from engine.game import Seat, Viewer

handlers = Handlers[Pressed]()

MOST_LINES, MOST_SIGNS = 2, 800
"""How much of what an opponent did is repeated, and how long the answer to why may be."""
MOST_WHY = 3000
"""Characters in which the table says why, next to the motive of an opponent."""


@handlers.on("hint", HAND)
async def _hint(pressed: Pressed, table: Table) -> None:
    """What the teacher would do, in the place of the hand: `hint:table:seat:decision`."""
    seat, decision = own_seat(table, pressed.ref.number(1), pressed.user_id), pressed.ref.number(2)
    view = view_of(pressed, table, seat)
    if view.decision == decision and not view.hints:
        raise Refused("no_hints")
    if view.decision == decision:
        advice = await _advice(pressed, view)
    if view.decision != decision or not view.holds or not can_hint(table, seat):
        await show_hand(pressed, view_of(pressed, table, seat), notice=pressed.say("refused.stale"))
        return
    await _show_hint(pressed, view, advice)


async def _advice(pressed: Pressed, view: SeatView) -> Advice:
    """What the teacher says of the decision before a seat. It is asked once: where its time is up before all
    is tried, it would say something else each time."""
    table, about = view.table, (view.seat, view.decision)
    if table.hinted is None or table.hinted[0] != about:
        told = await asked(pressed, hint, table.game.key, view.observation, view.legal)
        table.hinted = about, told
    return table.hinted[1]


async def asked(pressed: Pressed, work: Any, *about: object) -> Any:
    """What comes of a function of the teacher; where that takes long, Discord is told to wait.

    Raises:
        NoAnswer: nothing came of it in time.
    """
    task = asyncio.ensure_future(pressed.service(Tables).thinker.advise(work, *about, whose=pressed.user_id))
    try:
        await asyncio.wait({task}, timeout=pressed.seconds_left)
        if not task.done():
            await pressed.acknowledge()
        return await task
    finally:
        task.cancel()


async def _show_hint(pressed: Pressed, view: SeatView, advice: Advice) -> None:
    say, table = pressed.say, view.table
    hint_words = HintWords(view.presenter, word_look(table, pressed.locale), view.tree, view.legal)
    label = say("hint.play" if advice.clear or advice.second is None else "hint.play_first")
    heading = say("hint.heading", table=table.id)
    picture = ringed(view.scene, view.presenter.spots(view.observation, advice.best))
    message = page(heading, hint_words.text(advice), picture, picture_name=HAND_PICTURE)
    play = choice_button(label, view, hint_words.ways[advice.best].path, style=ButtonStyle.success)
    await show_side_answer(pressed, table, message, play)


@handlers.on("why", TABLE)
async def _why(pressed: Pressed, table: Table) -> None:
    """How the last result came about, and why an opponent did what it did: the one that moved last, or the
    one that was asked for, `why:table:seat`."""
    say = pressed.say
    if table.state is None:
        raise Refused("not_started")
    viewer, look = viewer_of(pressed, table), word_look(table, pressed.locale)
    told = presenters.get(table.game.key).explain(table.state.observe(viewer), look)
    asked = pressed.ref.number(1) if pressed.ref.word(1) else None
    motive = await _why_so(pressed, table, viewer, asked)
    others = opponents(table) if motive else []
    names = picture_look(table, pressed.locale)
    ask = [button(say("motive.ask", name=names.name(seat)), "why", table.id, seat) for seat in others]
    told = clipped(told, MOST_WHY) if told or motive else say("why.nothing")
    message = page(say("why.heading", table=table.id), told, motive)
    await show_side_answer(
        pressed,
        table,
        message,
        *(ask if len(ask) > 1 else ()),
        *table_slots.TROUBLE.controls(say, table_slots.Trouble(table)),
    )


async def _why_so(pressed: Pressed, table: Table, viewer: Viewer, chosen: Seat | None = None) -> str:
    """Why an opponent, the chosen one or the one that moved last, did what it did; empty where there is none
    that may be asked about."""
    if not may_ask_why(table, viewer):
        return ""
    acts = await pressed.service(Tables).acts(table)
    # the game is played once more, while presses elsewhere are to be answered
    moves = await asyncio.to_thread(last_moves, table.game, table.setup(), acts, opponents(table), chosen)
    if not moves:
        return ""
    presenter, look = presenters.get(table.game.key), word_look(table, pressed.locale)
    name = look.name(moves[0].seat)
    try:
        if table.outcome() is None:
            place, told = await _motive(pressed, table, moves, viewer, name)
        else:
            of = _whose(table, moves[0].seat, viewer, name)
            place, told = await _hindsight(pressed, presenter, moves, look, of)
    except NoAnswer:
        place, told = 0, pressed.say("trouble.no_answer")
    lines = lines_of(moves[place].done, table, viewer, pressed.locale)
    heading = pressed.say("motive.heading", name=name)
    return clipped("\n".join([heading, *(f"-# {line}" for line in lines[:MOST_LINES]), told]), MOST_SIGNS)


def _whose(table: Table, seat: Seat, viewer: Viewer, name: str) -> Perspective:
    """The decision of a seat, as it is told to who sits on another one or looks on."""
    return Perspective(name, against=len(table.sitters) == 2 and viewer is not None and viewer != seat)


async def _motive(
    pressed: Pressed, table: Table, moves: Sequence[OpponentMove], viewer: Viewer, name: str
) -> tuple[int, str]:
    """Of the last moves the one to tell of, and why it was made, as far as the viewer can know."""
    presenter = presenters.get(table.game.key)
    seen = [(move.before.observe(viewer), visible_event(move.events, move.seat, viewer)) for move in moves]
    place, found = await asked(pressed, motive_of, table.game.key, steady(table.game), seen)
    say = pressed.say
    if found.hidden:
        told = say("motive.hidden", name=name)
    elif found.explained_by_hand:
        told = say("motive.held", name=name)
    elif found.is_mistake:
        told = say("motive.slip", name=name)
    elif found.clear:
        told = say("motive.gain", name=name)
    elif found.is_forced:
        told = say("motive.only", name=name, n=found.forced, worlds=found.worlds)
    elif 2 * found.usual >= found.worlds:
        told = say("motive.usual", name=name, n=found.usual, worlds=found.worlds)
    else:
        told = say("motive.open", name=name)
    of = _whose(table, moves[place].seat, viewer, name)
    if brought := presenter.clauses(found.evidence, pressed.locale, of):
        key = "motive.with" if found.explained_by_hand and found.fitting else "motive.brought"
        told += " " + say(key, name=name, clauses=brought)
    elif brought := presenter.clauses(found.at_once, pressed.locale, of):
        told += " " + say("motive.at_once", name=name, clauses=brought)
    return place, told


async def _hindsight(
    pressed: Pressed, presenter: AnyPresenter, moves: Sequence[OpponentMove], look: Look, of: Perspective
) -> tuple[int, str]:
    """The same once all is over, from the opponent's own view."""
    name = of.name
    chosen = [move for move in moves if len(move.actions) > 1]
    if not chosen:
        return 0, pressed.say("motive.forced", name=name)
    seen = [(move.before.observe(move.seat), move.actions, move.action) for move in chosen]
    at, found = await asked(pressed, hindsight_of, presenter.key, seen)
    say, move = pressed.say, chosen[at]
    ways = ways_to(presenter.choices(seen[at][0], move.actions, look), move.actions)
    same = found.best == move.action
    other = found.second if same else found.best
    way = inert(in_words(ways[other], alone=True)) if other is not None else ""
    brought = presenter.clauses(found.differences, pressed.locale, of)
    if not found.clear:
        key = "level" if way else "same"
    elif same:
        key = "same_for" if brought else "same"
    else:
        key = "rather_for" if brought else "rather"
    n = round(100 * found.lead)
    return moves.index(move), say(f"motive.{key}", name=name, way=way, clauses=brought, n=n)
