"""What the review of a game says: each decision as the choices that lead to it, what it cost, the curve.

The decisions are put into words in a worker, since the game is played once more for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from bot import presenters
from bot.locales import Words, words
from bot.presenters.base import AnyPresenter, routes
from bot.presenters.voice import unmarked
from bot.render import curves, layout
from bot.render.blocks import Block, Box, Column, frozen
from bot.render.blocks import Words as Sentence
from bot.render.parts import CHIP, INNER, alt_text, text_width
from bot.render.scene import Align, Item, Look, Panel, Rect, Scene, Size, Sprite, Text, Weight
from bot.render.text import written
from bot.render.theme import RADIUS_PANEL, RADIUS_SMALL, seat_colour
from engine import catalog
from engine.ai.review import Judged, Review
from engine.game import Action

SIGNS: Final = "XYZ"
"""The letters of turning points; those of seats begin at the other end of the alphabet."""
BETWEEN: Final = " · "
MOST_CLAUSES: Final = 2
_PLOT: Final = 420
_PAD: Final = 20


class Way(NamedTuple):
    """A decision as people met it: the choices to what was played, and to what was best."""

    played: str
    best: str


def ways(facts: Mapping[str, Any]) -> dict[int, Way]:
    """Decisions in the words of their choices, by the acts before them; for a worker process.

    `facts`: the `game`, its `setup`, the `acts` (seats, and their actions as JSON), the `look` of words, and
    of the `decisions` that are wanted the best one as JSON, by the acts before it.
    """
    setup, look = facts["setup"], facts["look"]
    game, presenter = catalog.get(facts["game"]).at(setup.version), presenters.get(facts["game"])
    wanted: Mapping[int, list[object]] = facts["decisions"]
    state, found = game.deal(setup), dict[int, Way]()
    for number, (seat, data) in enumerate(facts["acts"][: max(wanted, default=-1) + 1]):
        action = game.action(data)
        if number in wanted:
            seen, actions = state.observe(seat), state.legal_actions(seat)
            labels = _labels(presenter, seen, actions, look)
            found[number] = Way(labels.get(action, ""), labels.get(game.action(wanted[number]), ""))
        state.apply(seat, action)
    return found


def _labels(presenter: AnyPresenter, seen: Any, actions: Sequence[Action], look: Look) -> dict[Action, str]:
    """Every decision as the choices that lead to it."""
    found = routes(presenter.choices(seen, actions, look), actions)
    return {way.action: BETWEEN.join(_telling(way.labels)) for way in reversed(found)}


def _telling(labels: Sequence[str]) -> Iterator[str]:
    """The labels of a way without those that only lead on: "Otherwise…" says nothing of what was chosen."""
    for place, label in enumerate(labels, 1):
        if place == len(labels) or not label.endswith("…"):
            yield label


def because(presenter: AnyPresenter, one: Judged, locale: str) -> str:
    """What the best decision brings and the played one does not, in the game's terms; empty where it has no
    words for them, or no reader would see a difference."""
    say, told = words(locale), list[str]()
    for difference in one.differences:
        key = f"{presenter.key}.measure.{difference.measure}"
        better, other = _figure(difference.better), _figure(difference.other)
        if key in say and better != other:
            told.append(say(key, better=better, other=other))
    return say("table.and").join(told[:MOST_CLAUSES])


def _figure(value: float) -> str:
    text = f"{abs(value):.1f}".removesuffix(".0") if abs(value) < 9.95 else f"{abs(value):.0f}"
    return f"−{text}" if value < 0 and text != "0" else text


def percent(share: float) -> int:
    """A share of the win as wins in a hundred games."""
    return round(100 * share)


@dataclass(frozen=True, slots=True)
class Turning:
    """A turning point: its letter, the decision, the chance then and afterwards, and its way."""

    sign: str
    one: Judged
    then: float
    way: Way

    @property
    def own(self) -> bool:
        """Whether what was played has turned it, and not luck."""
        return self.one.clear and 2 * self.one.loss >= self.one.chance - self.then > 0


def turnings(review: Review, found: Mapping[int, Way]) -> Iterator[Turning]:
    """The turning points of a game, with their letters."""
    curve = review.curve()
    for sign, at in zip(SIGNS, review.turnings(len(SIGNS)), strict=False):
        one = review.decisions[at]
        yield Turning(sign, one, curve[at + 1], found.get(one.act, Way("", "")))


def curve_scene(review: Review, points: Sequence[Turning], title: str, look: Look) -> Scene:
    """The chances of a seat through a game, and below them what turned it."""
    say = words(look.locale)
    blocks: list[Block] = [
        Column(
            (
                Sentence(say("review.picture"), (Size.LARGE, Size.TITLE), Weight.DISPLAY, "accent", lines=2),
                Sentence(title, (Size.CLEAR,), colour="muted"),
            ),
            4,
        ),
        _plot(review, points),
        Column([_turning(point, say) for point in points], 16),
    ]
    said = [f"{say('review.picture')}. {title}.", say("review.ends", n=percent(review.share))]
    said += [f"{point.sign}: {_change(point, say)}. {_told(point, say)}." for point in points]
    foot = Sentence(say("review.foot"), (Size.CLEAR,), colour="muted", lines=3)
    return frozen(Column(blocks, 28), alt_text(*map(unmarked, said)), look, foot=foot)


def _plot(review: Review, points: Sequence[Turning]) -> Block:
    """The curve between its figures; over it the letters of the turning points."""
    curve = review.curve()
    marks = tuple(review.decisions.index(point.one) for point in points)
    figures = [f"{n} %" for n in (100, 50, 0)]
    wide = max(text_width(figure, Size.CLEAR) for figure in figures)

    def draw(area: Rect) -> Iterator[Item]:
        yield Panel(area, "panel", RADIUS_PANEL)
        left, right = layout.across(area.inset(_PAD, _PAD), (wide, None), gap=16)
        signs, plot = layout.down(right, (CHIP, None), gap=0)
        for figure, y in zip(figures, curves.levels(plot), strict=True):
            yield Text(
                Rect(left.x, y - 30, left.w, 60), figure, Size.CLEAR, colour="muted", align=Align.RIGHT
            )
        yield Sprite("house.chances", (curve, seat_colour(review.seat), marks), plot)
        centres = [plot.x + round(curves.along(at, len(curve), plot.w)) for at in marks]
        turned = Rect(signs.y, signs.x, signs.h, signs.w)
        for point, box in zip(points, layout.apart(centres, CHIP + 8, turned), strict=True):
            yield from _chip(Rect(box.y + 4, box.x, CHIP, CHIP), point.sign)

    return Box(_PLOT + CHIP + 2 * _PAD, draw)


def _chip(area: Rect, sign: str) -> Iterator[Item]:
    yield Panel(area, "accent", RADIUS_SMALL)
    yield Text(area, sign, Size.CLEAR, Weight.BOLD, "accent_ink", Align.CENTRE)


def _turning(point: Turning, say: Words) -> Block:
    """A turning point: its letter, when it was and what the chance did; below that what turned it."""
    head = Sentence(_change(point, say), (Size.CLEAR,), Weight.BOLD)
    lines = Column((head, Sentence(_told(point, say), (Size.CLEAR,), lines=2, colour="muted")))

    def draw(area: Rect) -> Iterator[Item]:
        sign, right = layout.across(area, (CHIP, None), gap=20)
        yield from _chip(sign._replace(y=area.y + 4, h=CHIP), point.sign)
        yield from lines.items(right)

    return Box(lines.height(INNER - CHIP - 20), draw)


def _change(point: Turning, say: Words) -> str:
    facts = {"before": percent(point.one.chance), "after": percent(point.then)}
    return say("review.turning", act=point.one.act + 1, **facts)


def _told(point: Turning, say: Words) -> str:
    """What turned it, in words that our fonts can write."""
    if not point.own:
        return say("review.luck_good" if point.then > point.one.chance else "review.luck_bad")
    told = say("review.own", played=point.way.played, best=point.way.best)
    return written(unmarked(told))
