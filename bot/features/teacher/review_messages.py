"""What a person reads of a review of their game: the one moral, and on demand every decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from discord import ButtonStyle

from bot import presenters
from bot.features.table import picture_look
from bot.features.table import slots as table_slots
from bot.locales import Words, words
from bot.presenters.review import Way, curve_scene, moral_of, percent, turnings
from bot.render.scene import Scene
from bot.table.table import Table
from bot.ui.components import Control, KeptPicture, Message, button, page
from bot.ui.names import inert
from bot.ui.navigation import pager
from engine.ai.review import Judged, Review

PICTURE: Final = "review.png"
DECISIONS: Final = 10
"""How many decisions a page has."""
MUCH: Final = 0.05
"""Luck that gave or took less than this share of the win kept its balance."""


def moral_line(table: Table, found: Review, ways: Mapping[int, Way], locale: str) -> str:
    """The one sentence after a game: what cost most, or what was luck; or that nothing was to be decided."""
    say, moral = words(locale), moral_of(found, ways)
    if not found.decisions:
        return say("review.no_choice")
    if moral is None:
        key = "even" if abs(found.luck) < MUCH else "lucky" if found.luck > 0 else "unlucky"
        if table.away(found.seat):  # it counts as lost, whatever luck did
            key = "fine"
        return say(f"review.{key}", n=percent(abs(found.luck)))
    one, way = moral
    clauses = presenters.get(table.game.key).clauses(one.differences, locale)
    return say(
        "review.moral",
        act=one.act + 1,
        n=percent(one.loss),
        best=inert(way.best),
        played=inert(way.played),
        because=say("review.because", clauses=clauses) if clauses else "",
    )


def moral_controls(table: Table, found: Review, ways: Mapping[int, Way], locale: str) -> list[Control]:
    """What may follow a moral: the position once more, and the review, where there is something to review;
    else another game."""
    say, controls = words(locale), _try_again(table, found, ways, locale)
    if found.decisions:
        controls.append(button(say("review.open"), "review", table.id, emoji="📈"))
    return controls or table_slots.NEXT_GAME.controls(say, table)


def _try_again(table: Table, found: Review, ways: Mapping[int, Way], locale: str) -> list[Control]:
    """The way to the position before the decision that cost most, where one did."""
    moral = moral_of(found, ways)
    if not moral:
        return []
    label = words(locale)("review.try_again")
    return [button(label, "try-again", table.id, moral[0].act, style=ButtonStyle.success)]


def pages_of(found: Review) -> int:
    """How many pages the decisions of a review take."""
    return max(1, -(-len(found.decisions) // DECISIONS))


def on_page(found: Review, at: int) -> Sequence[Judged]:
    """The decisions of one page."""
    return found.decisions[at * DECISIONS : (at + 1) * DECISIONS]


def review_scene(table: Table, found: Review, ways: Mapping[int, Way], locale: str) -> Scene:
    """The chances through the game, and what turned it."""
    title = presenters.get(table.game.key).title(locale)
    return curve_scene(found, list(turnings(found, ways)), title, picture_look(table, locale))


def review_message(
    table: Table,
    found: Review,
    ways: Mapping[int, Way],
    picture: Scene | KeptPicture,
    locale: str,
    *,
    at: int,
) -> Message:
    """A page of the review: the curve, and decisions with what each cost."""
    say = words(locale)
    lines = [_line(one, ways.get(one.act), say) for one in on_page(found, at)]
    turning = pager(say, at, pages_of(found), "review", table.id)
    on = _try_again(table, found, ways, locale)
    on += [*table_slots.REVIEW.controls(say, table), *table_slots.NEXT_GAME.controls(say, table)]
    return page(say("review.heading"), picture, "\n".join(lines), turning, on, picture_name=PICTURE)


def _line(one: Judged, way: Way | None, say: Words) -> str:
    """A decision and what it cost, where that is sure; where it is not, what it may have cost."""
    lost, played = percent(one.loss), inert(way.played) if way else ""
    if not lost:
        return say("review.line", act=one.act + 1, played=played)
    if not one.clear or way is None:
        return say("review.line_maybe", act=one.act + 1, played=played, n=lost)
    return say("review.line_lost", act=one.act + 1, played=played, n=lost, best=inert(way.best))
