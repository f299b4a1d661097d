"""The end-of-game picture to post: the winner and margin, the turning point, the curve of the game, and each
seat's best move.

Made in a worker because the game is replayed for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from bot import presenters
from bot.locales import Words, words
from bot.presenters.base import AnyPresenter
from bot.presenters.ending import headline, score_of
from bot.presenters.highlight import WIDTH
from bot.presenters.story import Story, TurningPoint, story
from bot.presenters.voice import drawn_name, unmarked
from bot.render import layout
from bot.render.blocks import Block, Box, Column, frozen
from bot.render.blocks import Paragraph as Sentence
from bot.render.lettering.bidi import isolated
from bot.render.pages import curves
from bot.render.parts import CHIP, INNER, alt_text, person, seat_panel, text_width
from bot.render.scene import (
    Align,
    Fit,
    Item,
    Look,
    Panel,
    Rect,
    Scene,
    Size,
    Sprite,
    Text,
    Weight,
)
from bot.render.text import written
from bot.render.theme import RADIUS_PANEL, seat_colour
from engine import catalog
from engine.game import Seat

_ROW: Final = 72
_SIDE, _RANK = 24, 56
_PAD: Final = 20
_HIGHEST: Final = 640
"""Maximum height of the table at the turning point, in pixels."""
_MOST: Final = 2600
"""Maximum height of the picture, in pixels. Discord shows only a small copy of taller ones."""
_CURVE: Final = 300
_CORNER: Final = 280
"""Width of the lower-left corner that stays free of anything important, in pixels."""


def made(facts: Mapping[str, Any]) -> Scene:
    """Return the picture of a finished game. Runs in a worker process.

    `facts` holds the `game`, its `setup`, the `acts` (seats, and their actions as JSON), and two looks:
    `look` for pictures and `spoken` for words.
    """
    game = catalog.get(facts["game"])
    presenter = presenters.get(game.key)
    acts = [(seat, game.action(data)) for seat, data in facts["acts"]]
    told = story(presenter, facts["setup"], acts, facts["look"], _writable(facts["spoken"]))
    return victory(presenter, told, facts["look"])


def victory(presenter: AnyPresenter, told: Story, look: Look) -> Scene:
    """Return the picture of a finished game."""
    say, outcome = words(look.locale), told.outcome
    title = headline(presenter, outcome, _writable(look))
    verdict = written(unmarked(presenter.verdict(outcome, _writable(look))))
    below = say("end.subtitle", game=presenter.title(look.locale), n=told.acts)
    ranked = sorted(range(len(outcome.standings)), key=lambda seat: (outcome.standings[seat].rank, seat))
    head = Column(
        (
            Sentence(title, (Size.LARGE, Size.TITLE), Weight.DISPLAY, "accent", lines=2),
            Sentence(verdict, (Size.CLEAR, Size.BODY), Weight.BOLD, lines=2),
            Sentence(below, (Size.CLEAR,), colour="muted"),
        ),
        4,
    )
    rest: list[Block] = [_turning(told, told.turning, say)] if told.turning is not None else []
    foot = None
    if told.curves and any(len(set(line)) > 1 for line in told.curves):
        rest.append(_curve(told, ranked, say))
    else:
        foot = Box(1, lambda _: ())
    alt = _alt(presenter, told, ranked, f"{title}. {verdict}" if verdict else f"{title}.", look)
    # Eight seats with two lines each leave no room for the curve, so the last ranks lose their second line.
    for feats in range(len(ranked), -1, -1):
        seats = [
            _seat(presenter, told, seat, say, look, best=told.best[seat] if place < feats else "")
            for place, seat in enumerate(ranked)
        ]
        scene = frozen(Column((head, Column(seats, 12), *rest), 28), alt, look, ground=told.ground, foot=foot)
        if scene.height <= _MOST:
            break
    return scene


def _writable(look: Look) -> Look:
    """Return the same look with names that fit into sentences of a picture."""
    names = (
        isolated(name) if written(name) else drawn_name(look, seat) for seat, name in enumerate(look.names)
    )
    return replace(look, names=tuple(names))


def _seat(presenter: AnyPresenter, told: Story, seat: Seat, say: Words, look: Look, *, best: str) -> Block:
    """A player's row: rank, name and score, with their best move below."""
    standing = told.outcome.standings[seat]
    score = score_of(presenter, told.outcome, seat, say)
    first = standing.rank == 1
    wide = text_width(score, Size.CLEAR, Weight.BOLD) if score else 0
    room = INNER - 2 * _SIDE - _RANK - 12
    feat = _feat(best, room)
    tall = _ROW + (feat.height(room) + 8 if best else 0)

    def draw(area: Rect) -> Iterator[Item]:
        yield seat_panel(area, lit=first)
        inner = area.inset(_SIDE, 6)
        line = inner._replace(h=_ROW - 12)
        rank, name, right = layout.across(line, (_RANK, None, wide), gap=12)
        colour = "accent" if first else "text"
        yield Text(rank, str(standing.rank), Size.TITLE, Weight.DISPLAY, colour)
        yield from person(name, seat, drawn_name(look, seat), Size.CLEAR, weight=Weight.BOLD)
        if score:
            yield Text(right, score, Size.CLEAR, Weight.BOLD, colour, Align.RIGHT)
        if best:
            under = Rect(name.x, line.bottom, inner.right - name.x, inner.bottom - line.bottom)
            yield from feat.items(under)

    return Box(tall, draw)


def _feat(best: str, room: int) -> Sentence:
    """A player's best move: in one line if a slightly smaller size allows it, else in two."""
    one = next((size for size in (Size.CLEAR, Size.BODY) if text_width(best, size) <= room), None)
    return Sentence(best, (one or Size.CLEAR,), colour="muted", lines=1 if one else 2)


def _turning(told: Story, turning: TurningPoint, say: Words) -> Block:
    """The turning point in words, with its picture below."""
    heading, move = say("end.turning"), _when(told, turning, say)
    wide = text_width(heading, Size.CLEAR, Weight.BOLD)

    def head(area: Rect) -> Iterator[Item]:
        left, right = layout.across(area, (wide, None))
        yield Text(left, heading, Size.CLEAR, Weight.BOLD, "accent")
        yield Text(right, move, Size.CLEAR, colour="muted", align=Align.RIGHT, fit=Fit.ELLIPSIS)

    words = Sentence(turning.words, (Size.CLEAR,), lines=3)
    picture = _table(turning.shown) if isinstance(turning.shown, Scene) else turning.shown
    inner = Column((Column((Box(60, head), words), 4), picture), 20)

    def draw(area: Rect) -> Iterator[Item]:
        yield Panel(area, "panel", RADIUS_PANEL)
        yield from inner.items(area.inset(_PAD, _PAD))

    return Box(inner.height(WIDTH) + 2 * _PAD, draw)


def _when(told: Story, turning: TurningPoint, say: Words) -> str:
    if turning.step:
        return say("end.step", step=turning.step, steps=told.steps)
    return say("end.move", act=turning.act, acts=told.acts)


def _table(table: Scene) -> Block:
    """The table at the turning point, as large as fits."""
    tall = min(round(WIDTH * table.height / table.width), _HIGHEST)

    def draw(area: Rect) -> Iterator[Item]:
        yield Sprite("house.picture", (table,), layout.fitted(area, table.width / table.height))

    return Box(tall, draw)


def _curve(told: Story, ranked: Sequence[Seat], say: Words) -> Block:
    """The course of the game: a curve for each seat with its letter at the end, the winner's on top."""
    series = tuple(told.curves[seat] for seat in ranked)
    colours = tuple(seat_colour(seat) for seat in ranked)

    def draw(area: Rect) -> Iterator[Item]:
        yield Panel(area, "panel", RADIUS_PANEL)
        left, plot, letters = layout.across(area.inset(_PAD, _PAD), (_CORNER, None, CHIP), gap=12)
        yield Text(left._replace(h=60), say("end.curve"), Size.CLEAR, Weight.BOLD, "accent")
        yield Sprite("house.curves", (series, colours, told.mark), plot)
        ends = curves.ends(series, plot)
        for seat, place in zip(ranked, layout.avoid_overlap(ends, CHIP + 2, letters), strict=True):
            yield from person(place, seat, "")

    return Box(max(_CURVE, (CHIP + 2) * len(ranked) + 2 * _PAD), draw)


def _alt(presenter: AnyPresenter, told: Story, ranked: Sequence[Seat], title: str, look: Look) -> str:
    say = words(look.locale)
    said = [title]
    for seat in ranked:
        rank, best = told.outcome.standings[seat].rank, told.best[seat]
        line = f"{rank}. {look.name(seat)}"
        if score := score_of(presenter, told.outcome, seat, say):
            line += f", {score}"
        said.append(f"{line}." + (f" {best}" if best else ""))
    if told.turning is not None:
        said.append(f"{say('end.turning')} ({_when(told, told.turning, say)}): {told.turning.words}")
    return alt_text(*said)
