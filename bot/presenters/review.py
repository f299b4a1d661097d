"""The review of a game in words and pictures: the decisions, what they cost, and the curve of the win chance.

Decisions are put into words in a worker because the game is replayed for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from bot import presenters
from bot.locales import Words, words
from bot.presenters.base import AnyPresenter
from bot.presenters.paths import Route, in_words, ways_to
from bot.presenters.story import greatest_line
from bot.presenters.voice import undecorated, unmarked
from bot.render import layout
from bot.render.blocks import Block, Box, Column, frozen
from bot.render.blocks import Paragraph as Sentence
from bot.render.pages import curves
from bot.render.parts import CHIP, INNER, alt_text, text_width
from bot.render.scene import Align, Item, Look, Panel, Rect, Scene, Size, Sprite, Text, Weight
from bot.render.theme import RADIUS_PANEL, RADIUS_SMALL, seat_colour
from engine import catalog
from engine.ai.review import Judged, Review
from engine.game import Event, Seat, Setup

SIGNS: Final = "XYZ"
"""Letters of turning points. Seat letters start at the other end of the alphabet."""
TRIED: Final = 3
"""Number of costly decisions to try for the moral. Some read the same as the best move."""
_PLOT: Final = 420
_PAD: Final = 20


class Way(NamedTuple):
    """A decision as the player saw it: the choices that lead to the action played, and to the best one.

    `when` is its moment in the game. `gained` and `lost` are the most telling lines about the player and
    about the others until the player's next decision, or "".
    """

    played: str
    best: str
    when: str = ""
    gained: str = ""
    lost: str = ""


def ways(facts: Mapping[str, Any]) -> dict[int, Way]:
    """Return decisions in the words of their choices, by the number of acts before them. Runs in a worker.

    `facts` holds the `game`, its `setup`, the `acts` (seats, and their actions as JSON), the `look` of the
    words, and `decisions`: the best action as JSON, by the number of acts before it.
    """
    setup, look = facts["setup"], facts["look"]
    game, presenter = catalog.get(facts["game"]).at(setup.version), presenters.get(facts["game"])
    wanted: Mapping[int, list[object]] = facts["decisions"]
    state, found = game.deal(setup), dict[int, Way]()
    told: _Following | None = None
    for number, (seat, data) in enumerate(facts["acts"]):
        action = game.action(data)
        if told is not None and seat == told.seat and len(state.legal_actions(seat)) > 1:
            found[told.act] = told.added_to(found[told.act], presenter, setup, look)
            told = None
            if len(found) == len(wanted):
                break
        state.events = None if told is None else []
        if number in wanted:
            seen, actions = state.observe(seat), state.legal_actions(seat)
            tree, best = presenter.choices(seen, actions, look), game.action(wanted[number])
            made = ways_to(tree, actions)
            way = _way(made.get(action), made.get(best), words(look.locale))
            found[number], told = way._replace(when=presenter.when(seen, look)), _Following(number, seat)
        state.apply(seat, action)
        if told is not None:
            told.hear(state.events or ())
    if told is not None:
        found[told.act] = told.added_to(found[told.act], presenter, setup, look)
    return found


class _Following:
    """The public events after a decision, until the same seat decides again."""

    def __init__(self, act: int, seat: Seat) -> None:
        self.act, self.seat = act, seat
        self._heard: list[Event] = []

    def hear(self, events: Iterable[Event]) -> None:
        """Add what happened."""
        self._heard += [cut for event in events if (cut := event.seen_by(None)) is not None]

    def added_to(self, way: Way, presenter: AnyPresenter, setup: Setup, look: Look) -> Way:
        """Return the decision with the most telling line about the seat, and that about the others."""
        others = [seat for seat in range(setup.seats) if seat != self.seat]
        gained = greatest_line(presenter, self._heard, (self.seat,), look, setup, only=True)
        lost = greatest_line(presenter, self._heard, others, look, setup, only=True)
        return way._replace(gained=gained, lost=lost)


def _way(played: Route | None, best: Route | None, say: Words) -> Way:
    """Return both decisions in words.

    A review shows no position, so moves that differ only in a place on the picture read the same. The better
    one is then described as the same move in another place.
    """
    way = Way(*(in_words(one, alone=True) if one else "" for one in (played, best)))
    if played and best and way.played == way.best and in_words(played) != in_words(best):
        return way._replace(best=say("review.elsewhere"))
    return way


def percent(share: float) -> int:
    """Convert a win probability to wins in a hundred games."""
    return round(100 * share)


def moral_of(review: Review, found: Mapping[int, Way]) -> tuple[Judged, Way] | None:
    """Return the decision most worth learning from: the costliest that reads differently from the best."""
    for one in review.costly[:TRIED]:
        way = found.get(one.act)
        if way is not None and way.played and way.best and way.played != way.best:
            return one, way
    return None


@dataclass(frozen=True, slots=True)
class Turning:
    """A turning point: its letter, the number of the player's decision, and the decision with its wording.

    `then` is the win chance after it, and `moral` says whether it is the moral of the game.
    """

    sign: str
    number: int
    one: Judged
    then: float
    way: Way
    moral: bool = False

    @property
    def own(self) -> bool:
        """Whether the move played turned the game, and not luck. Always true for the moral, even if luck made
        up for it."""
        return self.moral or (self.one.clear and 2 * self.one.loss >= self.one.chance - self.then > 0)


def turnings(review: Review, found: Mapping[int, Way]) -> Iterator[Turning]:
    """Yield the turning points of a game with their letters. They always include the moral."""
    curve, moral = review.curve(), moral_of(review, found)
    learnt = review.decisions.index(moral[0]) if moral else None
    for sign, at in zip(SIGNS, review.turnings(len(SIGNS), among=learnt), strict=False):
        one = review.decisions[at]
        yield Turning(sign, at + 1, one, curve[at + 1], found.get(one.act, Way("", "")), at == learnt)


def curve_scene(review: Review, points: Sequence[Turning], title: str, look: Look) -> Scene:
    """Return the picture of a seat's win chance through a game, with the turning points below."""
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
    """The curve with its axis labels, and the letters of the turning points above it."""
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
        for point, box in zip(points, layout.avoid_overlap(centres, CHIP + 8, turned), strict=True):
            yield from _chip(Rect(box.y + 4, box.x, CHIP, CHIP), point.sign)

    return Box(_PLOT + CHIP + 2 * _PAD, draw)


def _chip(area: Rect, sign: str) -> Iterator[Item]:
    yield Panel(area, "accent", RADIUS_SMALL)
    yield Text(area, sign, Size.CLEAR, Weight.BOLD, "accent_ink", Align.CENTRE)


def _turning(point: Turning, say: Words) -> Block:
    """A turning point: its letter, the act and the change in chance, and below it the reason."""
    head = Sentence(_change(point, say), (Size.CLEAR,), Weight.BOLD)
    lines = Column((head, Sentence(_told(point, say), (Size.CLEAR,), lines=2, colour="muted")))

    def draw(area: Rect) -> Iterator[Item]:
        sign, right = layout.across(area, (CHIP, None), gap=20)
        yield from _chip(sign._replace(y=area.y + 4, h=CHIP), point.sign)
        yield from lines.items(right)

    return Box(lines.height(INNER - CHIP - 20), draw)


def _change(point: Turning, say: Words) -> str:
    facts = {"before": percent(point.one.chance), "after": percent(point.then)}
    when = when_said(point.way, point.number, say)
    return say("review.turning", when=when[:1].upper() + when[1:], **facts)


def when_said(way: Way, number: int, say: Words) -> str:
    """Return the moment of the player's decision with this number, counted from 1."""
    return way.when or say("review.when", n=number)


def luckiest(review: Review) -> Judged | None:
    """Return the decision after which luck did most of what it did in the whole game, or None."""
    sign = 1 if review.luck > 0 else -1
    found = max(review.decisions, key=lambda one: sign * one.luck, default=None)
    return found if found is not None and sign * found.luck > 0 else None


def luck_said(way: Way, say: Words, *, good: bool) -> str:
    """Return the luck after a decision in words: a line about the play that followed, or a general word."""
    line = (way.gained or way.lost) if good else (way.lost or way.gained)
    return line or say("review.luck_good" if good else "review.luck_bad")


def _told(point: Turning, say: Words) -> str:
    """Return what turned the game, in words for a picture."""
    if not point.own:
        good = point.then > point.one.chance
        return luck_said(point.way, say, good=good)
    told = say("review.own", played=point.way.played, best=point.way.best)
    return undecorated(told)
