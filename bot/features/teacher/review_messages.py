"""What a person reads of a review of their game: the one moral, and on demand every decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from discord import ButtonStyle

from bot import presenters
from bot.features.table import picture_look, word_look
from bot.features.table import slots as table_slots
from bot.locales import Words, words
from bot.presenters.review import Way, curve_scene, luckiest, moral_of, percent, turnings, when_said
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
        told = say(f"review.{key}", n=percent(abs(found.luck)))
        return f"{told} {_luck(found, ways, say) if key in ('lucky', 'unlucky') else ''}".rstrip()
    one, way = moral
    facts = {"n": percent(one.loss), "best": inert(way.best), "played": inert(way.played)}
    when = when_said(way, number_of(found, one), say)
    return f"{say('review.moral', when=when, **facts)} {_because(table, one, locale)}".rstrip()


def number_of(found: Review, one: Judged) -> int:
    """Return the number of a decision among the player's own, counted from 1."""
    return found.decisions.index(one) + 1


def _luck(found: Review, ways: Mapping[int, Way], say: Words) -> str:
    """Return the largest stroke of luck as a sentence, or "" without a line about it."""
    one = luckiest(found)
    way = ways.get(one.act) if one else None
    if one is None or way is None or not (line := way.gained if found.luck > 0 else way.lost):
        return ""
    return say("review.luck_was", when=when_said(way, number_of(found, one), say), line=inert(line))


def _because(table: Table, one: Judged, locale: str) -> str:
    """Return why the best decision was better, as a sentence of its own, or "" if nothing visible says it."""
    if one.reason is None:
        return ""
    return presenters.get(table.game.key).because(one.reason, word_look(table, locale))


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
    lines = [_line(number_of(found, one), one, ways.get(one.act), say) for one in on_page(found, at)]
    turning = pager(say, at, pages_of(found), "review", table.id)
    on = _try_again(table, found, ways, locale)
    on += [*table_slots.REVIEW.controls(say, table), *table_slots.NEXT_GAME.controls(say, table)]
    return page(say("review.heading"), picture, "\n".join(lines), turning, on, picture_name=PICTURE)


def _line(number: int, one: Judged, way: Way | None, say: Words) -> str:
    """A decision and what it cost, where that is sure; where it is not, what it may have cost."""
    facts = {"number": number, "played": inert(way.played) if way else "", "n": percent(one.loss)}
    if way and way.when:
        facts["number"] = f"{number} · {way.when}"
    if not facts["n"]:
        return say("review.line", **facts)
    if not one.clear or way is None:
        return say("review.line_maybe", **facts)
    return say("review.line_lost", best=inert(way.best), **facts)
