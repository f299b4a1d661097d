"""Lanes and triangles as boxes: where each card of the table lies in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.presenters.duel52.painters import Face
from bot.presenters.duel52.queries import left
from bot.presenters.duel52.words import Voice, letter, printed
from bot.render.blocks import Words
from bot.render.parts import CHIP, INNER, MARGIN
from bot.render.scene import Align, Group, Item, Panel, Rect, Size, Sprite, Text, Weight
from bot.render.theme import RADIUS_CARD, RADIUS_PANEL, RADIUS_SMALL, seat_colour, seat_letter
from engine.duel52.observation import Observation, Unit
from engine.playing_cards import LABELS

SIZES: Final = (
    (180, 252),
    (154, 216),
    (140, 196),
    (126, 176),
    (112, 157),
    (104, 146),
    (96, 134),
    (88, 123),
    (80, 112),
    (66, 92),
)
"""Width and height of a card on the table, largest first."""
GAP: Final = 8
LANE: Final = 64
"""How high the name of a lane is between its sides."""
TRIANGLE: Final = 72
"""How high the head of a triangle is."""
EDGE: Final = 6
"""Room above and below a pair for its frame."""
SIDE: Final = 4
"""Room left and right of a pair: two damaged cards of the smallest size just fit a column of a triangle."""
CLOSE: Final = 2
"""Between the two cards of a pair."""


@dataclass(frozen=True, slots=True)
class Block:
    """One card, or the two of a pair, that stay together in a row."""

    units: tuple[tuple[int, Unit], ...]

    def width(self, size: tuple[int, int]) -> int:
        """How wide it lies: damaged cards lie on their side."""
        wide = sum(size[1] if unit.damage else size[0] for _, unit in self.units)
        return wide + (CLOSE + 2 * SIDE if len(self.units) > 1 else 0)


def face(unit: Unit, position: int, *, private: bool) -> Face:
    """What a card shows: to everybody, or to its viewer in private."""
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


def is_spent(unit: Unit) -> bool:
    """Whether a card has made its attacks in this turn."""
    return unit.up and not unit.attacks


def blocks(row: Sequence[Unit]) -> list[Block]:
    """The cards of a row, pairs side by side at the place of their first card."""
    places = {unit.unit: (place, unit) for place, unit in enumerate(row, 1)}
    found = []
    for place, unit in enumerate(row, 1):
        if unit.mate < 0:
            found.append(Block(((place, unit),)))
        elif unit.unit < unit.mate:
            found.append(Block(((place, unit), places[unit.mate])))
    return found


def lines(row: Sequence[Unit], width: int, size: tuple[int, int]) -> list[list[Block]]:
    """The blocks of a row in as many lines as they need."""
    found: list[list[Block]] = []
    free = -1
    for block in blocks(row):
        wide = block.width(size)
        if free < wide:
            found.append([])
            free = width
        found[-1].append(block)
        free -= wide + GAP
    return found


def height(count: int, size: tuple[int, int]) -> int:
    """How high so many lines are."""
    return count * (size[1] + 2 * EDGE) + max(0, count - 1) * GAP


def fitting(
    groups: Sequence[Sequence[Sequence[Unit]]], width: int, room: int
) -> tuple[tuple[int, int], list[int]]:
    """The largest size at which all rows fit, and how high each group is: rows of a group lie side by side,
    the groups one below the other."""
    for size in SIZES:
        talls = [max(height(max(1, len(lines(row, width, size))), size) for row in group) for group in groups]
        blocks_ = [block for group in groups for row in group for block in blocks(row)]
        if sum(talls) <= room and all(block.width(size) <= width for block in blocks_):
            break
    return size, talls


def cards(
    row: Sequence[Unit], area: Rect, size: tuple[int, int], *, up: bool, private: bool, marks: frozenset[int]
) -> list[Item]:
    """The cards of a row in their area; the first line lies at its foot if `up`, else at its head.

    `marks` are the numbers of cards with a frame: those just looked at.
    """
    items: list[Item] = []
    step = size[1] + 2 * EDGE + GAP
    for number, line in enumerate(lines(row, area.w, size)):
        y = area.bottom - (number + 1) * step + GAP if up else area.y + number * step
        wide = sum(block.width(size) for block in line) + GAP * (len(line) - 1)
        x = area.x + (area.w - wide) // 2
        for block in line:
            items += _block(block, x, y, size, private=private, marks=marks)
            x += block.width(size) + GAP
    return items


def _block(
    block: Block, x: int, y: int, size: tuple[int, int], *, private: bool, marks: frozenset[int]
) -> list[Item]:
    items: list[Item] = []
    paired = len(block.units) > 1
    if paired:
        frame = Rect(x, y, block.width(size), size[1] + 2 * EDGE)
        items.append(Panel(frame, "panel_high", RADIUS_CARD, "text", 3))
        x += SIDE
    for position, unit in block.units:
        wide, tall = size if not unit.damage else (size[1], size[0])
        rect = Rect(x, y + EDGE + (size[1] - tall) // 2, wide, tall)
        if unit.unit in marks and not paired:
            items.append(Panel(rect.inset(-5), "accent", RADIUS_CARD))
        items.append(Sprite("duel52.unit", (face(unit, position, private=private),), rect))
        x += wide + CLOSE
    return items


def chips(area: Rect, seats: Sequence[int]) -> list[Item]:
    """The letters of the seats that play a side."""
    items: list[Item] = []
    for place, seat in enumerate(seats):
        box = Rect(area.x + place * (CHIP + 6), area.y, CHIP, CHIP)
        items.append(Panel(box, seat_colour(seat), RADIUS_SMALL))
        items.append(Text(box, seat_letter(seat), Size.SMALL, Weight.BOLD, "ink", Align.CENTRE))
    return items


def lane_word(seen: Observation, lane: int, voice: Voice) -> tuple[str, str]:
    """What stands between the sides of a lane, and its colour: the lane, or who has it alone."""
    here = [side for side in range(seen.setup.sides) if seen.row(side, lane)]
    name = voice.place(seen, lane)
    if not seen.pile and len(here) == 1:
        return voice("picture.alone", lane=name, side=seat_letter(here[0])), "accent"
    return name, "muted"


def lanes(
    seen: Observation, top: int, voice: Voice, *, below: int, room: int, private: bool
) -> tuple[list[Item], int]:
    """The three lanes as columns, the side `below` at the foot; both sides together have so much room. The
    items and where they end."""
    count = seen.setup.lanes
    width = (INNER - 16 * (count - 1)) // count
    inner = width - 2 * GAP
    sides = [[seen.row(side, lane) for lane in range(count)] for side in (1 - below, below)]
    size, (above, under) = fitting(sides, inner, room)
    tall = above + under + LANE + 2 * GAP
    marks = frozenset({seen.glimpse})
    items: list[Item] = []
    for lane in range(count):
        panel = Rect(MARGIN + lane * (width + 16), top, width, tall)
        word, colour = lane_word(seen, lane, voice)
        upper = Rect(panel.x + GAP, top + GAP, inner, above)
        middle = Rect(panel.x + GAP, upper.bottom, inner, LANE)
        lower = Rect(panel.x + GAP, middle.bottom, inner, under)
        inside: list[Item] = [
            Panel(panel, "panel", RADIUS_PANEL, "accent" if colour == "accent" else None, 4),
            *cards(seen.row(1 - below, lane), upper, size, up=True, private=private, marks=marks),
            *Words(word, (Size.CLEAR, Size.BODY, Size.SMALL), Weight.BOLD, colour, Align.CENTRE).items(
                middle
            ),
            *cards(seen.row(below, lane), lower, size, up=False, private=private, marks=marks),
        ]
        items.append(Group(panel, tuple(inside), f"lane {lane}"))
    return items, top + tall


def triangles(
    seen: Observation, top: int, voice: Voice, *, room: int, private: bool
) -> tuple[list[Item], int]:
    """The triangles one below the other, in each a column for every player; the cards together have so much
    room. The items and where they end."""
    lanes_, sides = seen.setup.lanes, seen.setup.sides
    column = (INNER - 2 * GAP) // sides
    inner = column - CHIP - 2 * GAP
    rows = [[seen.row(side, lane) for side in range(sides)] for lane in range(lanes_)]
    size, talls = fitting(rows, inner, room)
    marks = frozenset({seen.glimpse})
    items: list[Item] = []
    for lane, tall in enumerate(talls):
        panel = Rect(MARGIN, top, INNER, TRIANGLE + tall + GAP)
        word, colour = lane_word(seen, lane, voice)
        name = Rect(panel.x + 108, top + GAP, panel.w - 128, TRIANGLE - 12)
        inside: list[Item] = [
            Panel(panel, "panel", RADIUS_PANEL, "accent" if colour == "accent" else None, 4),
            Sprite("duel52.triangle", (str(lane + 1),), Rect(panel.x + 20, top + GAP, 72, 60)),
            Text(name, word, Size.CLEAR, Weight.BOLD, colour),
        ]
        for side in range(sides):
            head = Rect(panel.x + GAP + side * column, top + TRIANGLE + EDGE, CHIP, CHIP)
            inside += chips(head, (side,))
            area = Rect(head.right + GAP, top + TRIANGLE, inner, tall)
            inside += cards(rows[lane][side], area, size, up=False, private=private, marks=marks)
        items.append(Group(panel, tuple(inside), f"lane {lane}"))
        top = panel.bottom + GAP
    return items, top - GAP


def told(seen: Observation, voice: Voice, *, private: bool) -> list[str]:
    """The table in words, lane by lane: what the pictures show, and no more."""
    found = []
    for lane in range(seen.setup.lanes):
        sides = []
        for side in range(seen.setup.sides):
            row = seen.row(side, lane)
            said = ", ".join(_said(unit, place, voice, private=private) for place, unit in enumerate(row, 1))
            letters = "".join(seat_letter(seat) for seat in range(side, seen.setup.seats, seen.setup.sides))
            sides.append(voice("alt.row", side=letters, cards=said or voice("alt.none")))
        found.append(voice("alt.lane", lane=voice.place(seen, lane), rows="; ".join(sides)))
    return found


def _said(unit: Unit, position: int, voice: Voice, *, private: bool) -> str:
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
