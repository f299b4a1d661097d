"""Lanes and triangles as blocks: one row each, with a column per side, as tall as its cards need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.presenters.duel52.painters import Face
from bot.presenters.duel52.queries import holder, is_empty, is_shared, left, seats_of
from bot.presenters.duel52.words import Voice, letter, printed
from bot.render import layout
from bot.render.blocks import Block, Box, Column, Flow, Paragraph, Piece, Tagged
from bot.render.parts import INNER
from bot.render.scene import Align, Item, ItemGroup, Line, Panel, Rect, Size, Sprite, Text, Weight
from bot.render.theme import GRID, RADIUS_CARD, seat_letter
from engine.duel52.observation import LaneUnit, Observation
from engine.playing_cards import LABELS

SIZES: Final = (
    (140, 196),
    (126, 176),
    (112, 157),
    (104, 146),
    (96, 134),
    (88, 123),
    (80, 112),
    (72, 101),
    (66, 92),
)
"""Width and height of a card on the table, largest first."""
COMFORT: Final = SIZES[4]
"""The smallest size used when there is a choice."""
NARROW: Final = 80
"""The width below which cards lie closer together: five to a line of a triangle."""
GUTTER: Final = 128
"""Width of the lane name to the left of its sides."""
PAD: Final = 4
"""Space above and below the cards of a lane."""
EDGE: Final = 6
"""Space above and below a pair for its frame."""
SIDE: Final = 4
"""Space left and right of a pair."""
CLOSE: Final = 2
"""Space between the two cards of a pair."""


@dataclass(frozen=True, slots=True)
class Fighter:
    """A single card or a pair that stays together in a row. Each card has its place in the row."""

    units: tuple[tuple[int, LaneUnit], ...]

    def width(self, size: tuple[int, int]) -> int:
        """Return the width. Damaged cards lie on their side."""
        wide = sum(_lying(unit, size)[0] for _, unit in self.units)
        return wide + (CLOSE + 2 * SIDE if len(self.units) > 1 else 0)

    def piece(self, size: tuple[int, int], *, private: bool, marks: frozenset[int]) -> Piece:
        """Return this as a piece of its row, with room for a frame."""
        draw = partial(self._draw, size=size, private=private, marks=marks)
        return Piece(self.width(size), size[1] + 2 * EDGE, draw)

    def _draw(
        self, area: Rect, size: tuple[int, int], *, private: bool, marks: frozenset[int]
    ) -> Iterator[Item]:
        paired, x = len(self.units) > 1, area.x
        if paired:
            yield Panel(area, "panel_high", RADIUS_CARD, "text", 3)
            x += SIDE
        for place, unit in self.units:
            wide, tall = _lying(unit, size)
            rect = Rect(x, area.y + (area.h - tall) // 2, wide, tall)
            shown: tuple[Item, ...] = (Sprite("duel52.unit", (face(unit, place, private=private),), rect),)
            box = rect
            if unit.unit in marks and not paired:
                box = rect.inset(-3 if size[0] < NARROW else -5)
                shown = (Panel(box, "accent", RADIUS_CARD), *shown)
            yield ItemGroup(box, shown, f"unit {unit.unit}")
            x += wide + CLOSE


def _lying(unit: LaneUnit, size: tuple[int, int]) -> tuple[int, int]:
    return (size[1], size[0]) if unit.damage else size


def face(unit: LaneUnit, position: int, *, private: bool) -> Face:
    """Return what a card shows to everyone, or in private to its viewer."""
    known = unit.up or (private and unit.shown)
    rank, suit = printed(unit.card) if known else ("", "")
    return Face(
        rank,
        suit,
        back=not unit.up,
        letter="" if known or unit.locked else letter(position),
        damage=unit.damage,
        left=left(unit) if unit.damage else 0,
        frozen=unit.frozen,
        locked=unit.locked,
        spent=is_spent(unit),
    )


def is_spent(unit: LaneUnit) -> bool:
    """Return whether a card has made all its attacks this turn."""
    return unit.up and not unit.attacks


def fighters(row: Sequence[LaneUnit]) -> list[Fighter]:
    """Return the cards of a row, with pairs side by side at the place of their first card."""
    places = {unit.unit: (place, unit) for place, unit in enumerate(row, 1)}
    found = []
    for place, unit in enumerate(row, 1):
        if unit.mate < 0:
            found.append(Fighter(((place, unit),)))
        elif unit.unit < unit.mate:
            found.append(Fighter(((place, unit), places[unit.mate])))
    return found


def columns(area: Rect, sides: int) -> tuple[Rect, ...]:
    """Return the areas of the sides in a lane, to the right of its name."""
    return layout.row(Rect(area.x + GUTTER, area.y, area.w - GUTTER - GRID, area.h), sides)


@dataclass(frozen=True, slots=True)
class Lane:
    """A lane or triangle: its name, and by tag the cards of each side in column order.

    `taken` is shown in the first empty column. It names the side that has the lane to itself.
    """

    name: Block
    rows: Mapping[str, Flow]
    taken: str

    def height(self, width: int) -> int:
        """Return the height that its fullest side needs."""
        places = columns(Rect(0, 0, width, 0), len(self.rows))
        tall = [row.height(place.w) for row, place in zip(self.rows.values(), places, strict=True)]
        return 2 * PAD + max(self.name.height(GUTTER - 3 * GRID), *tall)

    def items(self, area: Rect) -> Iterator[Item]:
        """Yield its background, its name, and the cards from left to right."""
        inner = area.inset(0, PAD)
        yield Panel(area, "panel", RADIUS_CARD, "accent" if self.taken else None, 4)
        name = inner._replace(x=inner.x + GRID, w=GUTTER - 3 * GRID)
        yield from self.name.items(_centred(self.name, name))
        words = Paragraph(self.taken, (Size.CLEAR,), Weight.BOLD, "accent", Align.CENTRE)
        for place, (tag, row) in zip(columns(inner, len(self.rows)), self.rows.items(), strict=True):
            x = place.x - GRID
            yield Line((x, area.y + 2 * GRID), (x, area.bottom - 2 * GRID), "edge", 2)
            shown = row.items(_centred(row, place)) if row.pieces else words.items(place)
            yield ItemGroup(place.inset(-GRID, 0), tuple(shown), tag)  # a frame extends beyond its card
            if not row.pieces:
                words = Paragraph("")


def _centred(block: Block, area: Rect) -> Rect:
    """Return the area of a block centred vertically."""
    tall = block.height(area.w)
    return Rect(area.x, area.y + (area.h - tall) // 2, area.w, tall)


def _name(lane: int, voice: Voice, *, triangles: bool) -> Block:
    number = str(lane + 1)
    if triangles:
        return Box(80, lambda area: [Sprite("duel52.triangle", (number,), layout.centred(area, 92, 80))])
    word = Paragraph(voice("picture.lane"), (Size.BODY, Size.SMALL), Weight.MEDIUM, "muted", Align.CENTRE)
    return Column((word, Box(64, partial(_circled, number=number))))


def _circled(area: Rect, number: str) -> Iterator[Item]:
    """The number of a lane, drawn as in the choices."""
    circle = layout.centred(area, 64, 64)
    yield Panel(circle, None, 32, "text", 3)
    yield Text(circle, number, Size.CLEAR, Weight.BOLD, "text", Align.CENTRE)


def board(seen: Observation, order: Sequence[int], voice: Voice, *, room: int, private: bool) -> Block:
    """Return all lanes one below another, within `room` pixels. `order` lists the sides from left to right.

    A card that was just looked at has a frame.
    """
    rows = [[fighters(seen.row(side, lane)) for side in order] for lane in range(seen.setup.lanes)]
    marks, lanes = frozenset({seen.glimpse}), []
    size = _fitting(rows, room)
    for lane, row in enumerate(rows):
        flows = {
            f"lane {lane} side {side}": _flow(held, size, private=private, marks=marks)
            for side, held in zip(order, row, strict=True)
        }
        taken = ""
        if not seen.pile and (owner := holder(seen, lane)) >= 0:
            key = "picture.held" if is_empty(seen, lane) else "picture.alone"
            taken = voice(key, side="".join(map(seat_letter, seats_of(seen, owner))))
        elif is_shared(seen, lane):
            taken = voice("picture.shared")
        name = _name(lane, voice, triangles=len(order) > 2)
        lanes.append(Tagged(Lane(name, flows, taken), f"lane {lane}"))
    return Column(lanes, GRID)


def _flow(
    row: Sequence[Fighter],
    size: tuple[int, int],
    *,
    private: bool = False,
    marks: frozenset[int] = frozenset(),
) -> Flow:
    gap = GRID if size[0] >= NARROW else GRID // 2
    return Flow([one.piece(size, private=private, marks=marks) for one in row], gap, GRID)


def _fitting(rows: Sequence[Sequence[Sequence[Fighter]]], room: int) -> tuple[int, int]:
    """Return the common size of all cards: the largest that fits.

    A slightly smaller size is preferred to more lines.
    """
    width = columns(Rect(0, 0, INNER, 0), len(rows[0]))[0].w
    found: list[tuple[int, tuple[int, int]]] = []
    for size in SIZES:
        lines = [max(1, *(len(_flow(side, size).lines(width)) for side in lane)) for lane in rows]
        tall = sum(count * (size[1] + 2 * EDGE + GRID) + 2 * PAD for count in lines)
        if tall <= room and all(one.width(size) <= width for lane in rows for side in lane for one in side):
            found.append((sum(lines), size))
    fewest = min((lines for lines, size in found if size >= COMFORT), default=None)
    return next((size for lines, size in found if fewest in (None, lines)), SIZES[-1])


def told(seen: Observation, voice: Voice, *, private: bool) -> list[str]:
    """Return the table in words, lane by lane, with exactly what the pictures show."""
    found = []
    for lane in range(seen.setup.lanes):
        sides = []
        for side in range(seen.setup.sides):
            row = seen.row(side, lane)
            said = voice.listed(
                _said(unit, place, voice, private=private) for place, unit in enumerate(row, 1)
            )
            letters = "".join(map(seat_letter, seats_of(seen, side)))
            sides.append(voice("alt.row", side=letters, cards=said or voice("alt.none")))
        said = voice("alt.lane", lane=voice.place(seen, lane), rows=voice("alt.semicolon").join(sides))
        if is_empty(seen, lane) and (owner := holder(seen, lane)) >= 0:
            side_letters = "".join(map(seat_letter, seats_of(seen, owner)))
            said += " " + voice("alt.held", side=side_letters)
        elif is_shared(seen, lane):
            said += " " + voice("alt.shared")
        found.append(said)
    return found


def _said(unit: LaneUnit, position: int, voice: Voice, *, private: bool) -> str:
    if unit.up:
        text = LABELS[unit.card]
    elif private and unit.shown:
        text = voice("alt.known_base" if unit.locked else "alt.known", card=LABELS[unit.card])
    else:
        text = voice("alt.base" if unit.locked else "alt.back", letter=letter(position))
    if unit.damage:
        text += voice("alt.damage", n=unit.damage, left=left(unit))
    if unit.frozen:
        text += voice("alt.frozen")
    if unit.mate >= 0:
        text += voice("alt.paired")
    if is_spent(unit):
        text += voice("alt.spent")
    return text
