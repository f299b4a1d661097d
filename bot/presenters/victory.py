"""The picture of the end that one would post: who won and by how much, where it turned, the curve of the
game, and what each seat did best. Made in a worker, since the game is played once more for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bot import presenters
from bot.locales import Words, words
from bot.presenters.base import AnyPresenter
from bot.presenters.ending import headline, score_of
from bot.presenters.story import Story, Turning, story
from bot.presenters.voice import unmarked
from bot.render import curves as _painters  # noqa: F401 - registers what is painted here
from bot.render import layout
from bot.render.blocks import Block, Box, Column, frozen
from bot.render.blocks import Words as Sentence
from bot.render.parts import alt_text, person, text_width
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
from bot.render.theme import RADIUS_CARD, RADIUS_PANEL, seat_colour
from engine import catalog
from engine.game import Seat

_ROW, _BEST = 72, 56
_TABLE: Final = 520
"""How wide the table at the turning point is, in pixels; it is no higher than this share of that."""
_HIGHEST: Final = 0.9
_CURVE: Final = 300
_CORNER: Final = 280
"""So wide is the corner at the lower left in which nothing stands that matters."""


def made(facts: Mapping[str, Any]) -> Scene:
    """The picture of a finished game, for a worker process.

    `facts`: the `game`, its `setup`, the `acts` (seats, and their actions as JSON), the `look` of pictures
    and that of words, `spoken`.
    """
    game = catalog.get(facts["game"])
    presenter = presenters.get(game.key)
    acts = [(seat, game.action(data)) for seat, data in facts["acts"]]
    told = story(presenter, facts["setup"], acts, facts["look"], facts["spoken"])
    return victory(presenter, told, facts["look"])


def victory(presenter: AnyPresenter, told: Story, look: Look) -> Scene:
    """The picture of a finished game."""
    say, outcome = words(look.locale), told.outcome
    title = headline(presenter, outcome, look)
    below = say("end.subtitle", game=presenter.title(look.locale), n=told.acts)
    ranked = sorted(range(len(outcome.standings)), key=lambda seat: (outcome.standings[seat].rank, seat))
    blocks: list[Block] = [
        Column(
            (
                Sentence(title, (Size.LARGE, Size.TITLE), Weight.DISPLAY, "accent", lines=2),
                Sentence(below, (Size.CLEAR,), colour="muted"),
            ),
            4,
        ),
        Column([_seat(presenter, told, seat, say, look) for seat in ranked], 12),
    ]
    if told.turning is not None:
        blocks.append(_turning(told.turning, told.acts, say))
    if told.curves and any(len(set(line)) > 1 for line in told.curves):
        blocks.append(_curve(told, ranked, say))
    return frozen(Column(blocks, 28), _alt(presenter, told, ranked, title, look), look, ground=told.ground)


def _seat(presenter: AnyPresenter, told: Story, seat: Seat, say: Words, look: Look) -> Block:
    """A player: rank, name, score, and below them what they did best."""
    standing, best = told.outcome.standings[seat], told.best[seat]
    score = score_of(presenter, told.outcome, seat, say)
    first = standing.rank == 1
    wide = text_width(score, Size.CLEAR, Weight.BOLD) if score else 0
    height = _ROW + (_BEST if best else 0)

    def draw(area: Rect) -> Iterator[Item]:
        if first:
            yield Panel(area, "panel_high", RADIUS_CARD, "accent", 4)
        else:
            yield Panel(area, "panel", RADIUS_CARD)
        inner = area.inset(24, 6)
        line = inner._replace(h=_ROW - 12)
        rank, name, right = layout.across(line, (56, None, wide), gap=12)
        colour = "accent" if first else "text"
        yield Text(rank, str(standing.rank), Size.TITLE, Weight.DISPLAY, colour)
        yield from person(name, seat, look.name(seat), Size.CLEAR, weight=Weight.BOLD)
        if score:
            yield Text(right, score, Size.CLEAR, Weight.BOLD, colour, Align.RIGHT)
        if best:
            under = Rect(name.x, line.bottom, inner.right - name.x, inner.bottom - line.bottom)
            yield from Sentence(best, (Size.CLEAR, Size.BODY, Size.SMALL), colour="muted").items(under)

    return Box(height, draw)


def _turning(turning: Turning, acts: int, say: Words) -> Block:
    """The table at the turning point, and beside it what happened."""
    table = turning.table
    tall = min(round(_TABLE * table.height / table.width), round(_TABLE * _HIGHEST))
    wide = round(tall * table.width / table.height)
    heading = say("end.turning")
    move = say("end.move", act=turning.act, acts=acts)

    def draw(area: Rect) -> Iterator[Item]:
        yield Panel(area, "panel", RADIUS_PANEL)
        picture, text = layout.across(area.inset(20, 20), (wide, None), gap=24)
        yield Sprite("house.picture", (table,), Rect(picture.x, picture.y, wide, tall))
        top, middle = layout.down(text, (116, None), gap=8)
        first, second = layout.down(top, (60, None), gap=0)
        yield Text(first, heading, Size.CLEAR, Weight.BOLD, "accent", fit=Fit.ELLIPSIS)
        yield Text(second, move, Size.SMALL, colour="muted", fit=Fit.ELLIPSIS)
        lines = max(1, middle.h // 52)
        yield Text(middle, turning.words, Size.BODY, max_lines=lines, fit=Fit.ELLIPSIS)

    return Box(max(tall, 280) + 40, draw)


def _curve(told: Story, ranked: Sequence[Seat], say: Words) -> Block:
    """How it went: a curve for each seat, the winner's on top."""
    series = tuple(told.curves[seat] for seat in ranked)
    colours = tuple(seat_colour(seat) for seat in ranked)

    def draw(area: Rect) -> Iterator[Item]:
        yield Panel(area, "panel", RADIUS_PANEL)
        left, plot = layout.across(area.inset(20, 20), (_CORNER, None), gap=12)
        yield Text(left._replace(h=60), say("end.curve"), Size.CLEAR, Weight.BOLD, "accent", fit=Fit.ELLIPSIS)
        yield Sprite("house.curves", (series, colours, told.mark), plot)

    return Box(_CURVE, draw)


def _alt(presenter: AnyPresenter, told: Story, ranked: Sequence[Seat], title: str, look: Look) -> str:
    say = words(look.locale)
    said = [f"{title}."]
    for seat in ranked:
        rank, best = told.outcome.standings[seat].rank, told.best[seat]
        line = f"{rank}. {look.name(seat)}"
        if score := score_of(presenter, told.outcome, seat, say):
            line += f", {score}"
        said.append(f"{line}." + (f" {best}" if best else ""))
    if told.turning is not None:
        move = say("end.move", act=told.turning.act, acts=told.acts)
        said.append(f"{say('end.turning')} ({move}): {told.turning.words}")
    return alt_text(*map(unmarked, said))
