"""What the review of a game says: each decision as the choices that lead to it, what it cost, the curve.

The decisions are put into words in a worker, since the game is played once more for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from bot import presenters
from bot.locales import Words, words
from bot.presenters.voice import unmarked
from bot.presenters.ways import in_words, ways_to
from bot.render import curves, layout
from bot.render.blocks import Block, Box, Column, frozen
from bot.render.blocks import Words as Sentence
from bot.render.parts import CHIP, INNER, alt_text, text_width
from bot.render.scene import Align, Item, Look, Panel, Rect, Scene, Size, Sprite, Text, Weight
from bot.render.text import written
from bot.render.theme import RADIUS_PANEL, RADIUS_SMALL, seat_colour
from engine import catalog
from engine.ai.review import Judged, Review

SIGNS: Final = "XYZ"
"""The letters of turning points; those of seats begin at the other end of the alphabet."""
TRIED: Final = 3
"""Of so many decisions that cost most one is told: another way to the same reads the same."""
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
            tree, best = presenter.choices(seen, actions, look), game.action(wanted[number])
            made = ways_to(tree, actions)
            found[number] = Way(*(in_words(made[one]) if one in made else "" for one in (action, best)))
        state.apply(seat, action)
    return found


def percent(share: float) -> int:
    """A share of the win as wins in a hundred games."""
    return round(100 * share)


def moral_of(review: Review, found: Mapping[int, Way]) -> tuple[Judged, Way] | None:
    """The decision that one may learn most from: what cost most, where its choices read otherwise than those
    to the best."""
    for one in review.costly[:TRIED]:
        way = found.get(one.act)
        if way is not None and way.played and way.best and way.played != way.best:
            return one, way
    return None


@dataclass(frozen=True, slots=True)
class Turning:
    """A turning point: its letter, the decision, the chance then and afterwards, its way, and whether it is
    the moral of the game."""

    sign: str
    one: Judged
    then: float
    way: Way
    moral: bool = False

    @property
    def own(self) -> bool:
        """Whether what was played has turned it, and not luck; of the moral what was played is told, also
        where luck has made good for it."""
        return self.moral or (self.one.clear and 2 * self.one.loss >= self.one.chance - self.then > 0)


def turnings(review: Review, found: Mapping[int, Way]) -> Iterator[Turning]:
    """The turning points of a game, with their letters; the moral is always among them."""
    curve, moral = review.curve(), moral_of(review, found)
    learnt = review.decisions.index(moral[0]) if moral else None
    for sign, at in zip(SIGNS, review.turnings(len(SIGNS), among=learnt), strict=False):
        one = review.decisions[at]
        yield Turning(sign, one, curve[at + 1], found.get(one.act, Way("", "")), at == learnt)


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
    greatest = [review.decisions[at] for at in review.turnings(len(SIGNS))]
    marked = say("review.foot" if all(point.one in greatest for point in points) else "review.foot_costly")
    foot = Sentence(marked, (Size.CLEAR,), colour="muted", lines=3)
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
