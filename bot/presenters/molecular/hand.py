"""A hand of Molecular: the pool, the group cards, and the molecule with the cells that the own tiles fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from itertools import product
from typing import Final

from bot.presenters.molecular import chart, queries
from bot.presenters.molecular.chart import CLEAR, ROOMY, Chart, Window, around
from bot.presenters.molecular.queries import Lettering
from bot.presenters.molecular.scenes import outside_of
from bot.presenters.molecular.words import GROUND, Voice
from bot.presenters.new_cards import newly_held
from bot.presenters.telling import Told
from bot.render import layout
from bot.render import text as letters
from bot.render.blocks import Box, Column, Flow, Paragraph, Piece, Spaced, frozen
from bot.render.pages.standings import SeatScore, Standings
from bot.render.parts import INNER, MARGIN, alt_text, as_new, band
from bot.render.scene import Align, Item, ItemGroup, Look, Panel, Rect, Scene, Size, Sprite, Text, Weight
from bot.render.theme import RADIUS_CARD, RADIUS_SMALL
from engine.game import Event, Seat
from engine.molecular.board import cell_of
from engine.molecular.moves import Move
from engine.molecular.observation import Observation
from engine.molecular.turns import may_use

BOARD: Final = 600
"""How high the molecule may become, in pixels."""
MOST: Final = (1130, 1270, 1420, 1600)
"""How high the hand may become, in pixels, tried in turn: the first leaves room for the buttons on a phone.
Where parts of a molecule would make it higher than the last, all of it is drawn small."""
PARTS: Final = ((1, BOARD, 1), (2, BOARD, 2), (1, 610, 2), (1, 400, 3))
"""How parts of a molecule that would be small as a whole are laid out, tried in turn: how many side by side,
how high each, in pixels, and how many at most."""
CROPS: Final = ((2, 404, 8), (3, 328, 15))
"""The same for parts so small that one no longer sees the molecule in them."""
CRUMBS: Final = ((4, 204, 24),)
"""The same for a cell each with its neighbours."""
TRIED: Final = ((ROOMY, PARTS), (74, PARTS), (CLEAR, PARTS), (ROOMY, CROPS), (CLEAR, CROPS), (CLEAR, CRUMBS))
"""How wide a cell is at least that need not be drawn larger, in pixels, and in which parts that is tried: the
more crowded the molecule, the less."""
CARD_COLUMNS: Final = 3
"""No more cards lie side by side, so that even the longest structure has letters on its atoms."""
WORTH: Final = 212
"""How wide it is that says beside the structure of a low group card what that is worth, in pixels."""
CARD: Final = 1000
"""Number of the first group card among the cards of a hand: tiles come before it."""
NUMBER: Final = 72
"""How wide the number of a tile is, in pixels."""
NAME: Final = Size.CLEAR
"""The size of the name on a group card."""


def may_use_now(seen: Observation, verb: str) -> bool:
    """Whether the viewer can use tiles, or group cards, now."""
    if seen.viewer not in seen.to_act:
        return False
    pending = seen.pending
    if pending is not None:
        return pending.verb == verb or (verb == "group" and pending.verb == "give")
    return may_use(seen, verb)


def gained(events: Sequence[Event], seat: Seat) -> tuple[int, ...]:
    """See `bot.presenters.base.Presenter.gained`: tiles are numbered from 0, group cards from `CARD`."""
    return tuple(card for event in events for card in _got(event, seat))


def _got(event: Event, seat: Seat) -> tuple[int, ...]:
    facts: Told = event.facts
    if event.kind == "drew" and event.seat == seat and "kinds" in facts:
        return tuple(kind + CARD * (facts["what"] != "tiles") for kind in facts["kinds"])
    receiver = event.seat if event.kind == "poach" else facts.get("other")
    if event.kind in ("gave", "gave_back", "poach") and receiver == seat and "group" in facts:
        return (facts["group"] + CARD,)
    return ()


def _pool(seen: Observation, new: Container[int]) -> Box:
    """The tiles of the pool by kind, with number and count of each. Kinds that fit nowhere are pale."""
    pool = queries.kinds(seen)
    if not pool:
        return Box(0, lambda _: ())
    count = Counter(queries.pool(seen))
    side = min(140, (INNER - 16 * (len(pool) - 1)) // len(pool) - NUMBER)
    playable = may_use_now(seen, "tile")
    board = queries.table(seen).board

    def draw(area: Rect) -> Iterator[Item]:
        boxes = layout.spread(area._replace(h=side), len(pool), side + NUMBER, side, gap=24)
        for kind, box in zip(pool, boxes, strict=True):
            fits = board.takes(1 << kind)
            tile = Sprite("molecular.rack", (kind, not fits, count[kind]), box._replace(w=side))
            shown = as_new(tile) if kind in new else tile
            yield ItemGroup(shown.rect, (shown,), f"tile {kind}")
            chip = Rect(box.right - NUMBER + 4, box.y + (side - 56) // 2, NUMBER - 8, 56)
            on = playable and fits
            yield Panel(chip, "accent" if on else "panel_high", RADIUS_SMALL)
            ink = "accent_ink" if on else "muted"
            yield Text(chip, str(queries.number(seen, kind)), Size.CLEAR, Weight.BOLD, ink, Align.CENTRE)

    return Box(side, draw)


def _card(box: Rect, seen: Observation, group: int, voice: Voice, lines: int, *, new: bool) -> ItemGroup:
    """A group card as it lies in the hand: points, structure, name in so many lines, and what it is worth
    now."""
    score = queries.worth(seen, group)
    ripe = score.total > 0
    words = box.inset(14, 10)
    if box.w > 2 * box.h:  # lower than wide: the name above, what it is worth beside the structure
        name = Rect(words.x + 80, words.y, words.w - 80 - (102 if score.counters else 0), 62)
        drawing, side = layout.across(words._replace(y=words.y + 68, h=words.h - 68), (None, WORTH), gap=12)
        strip, worth_lines = layout.centred(side, WORTH, 128), 2
    else:
        strip, worth_lines = Rect(words.x, words.bottom - 64, words.w, 64), 1
        high = _name_height(lines)
        name = Rect(words.x, strip.y - 6 - high, words.w, high)
        drawing = Rect(words.x, box.y + 76, words.w, name.y - box.y - 80)
    base = Rect(words.x + 2, words.y, 78, 60)
    items: list[Item] = [
        Panel(box, "paper", RADIUS_CARD, *(("accent", 6) if new else ())),
        Text(base, str(score.base), Size.TITLE, Weight.DISPLAY, "ink"),
    ]
    if new:
        badge = Rect(base.right + 4, base.y + 8, 44, 44)
        items.append(Panel(badge, "accent", RADIUS_SMALL))
        items.append(Text(badge, "+", Size.CLEAR, Weight.BOLD, "accent_ink", Align.CENTRE))
    if score.counters:
        chip = Rect(words.right - 100, words.y + 4, 98, 58)
        # counters that subtract nothing, under Open access, are pale
        ground, ink = ("ink", "paper") if score.weight else ("paper_low", "ink_soft")
        many = voice("picture.held_counters", n=score.counters)
        items.append(Panel(chip, ground, RADIUS_SMALL))
        items.append(Text(chip, many, Size.CLEAR, Weight.BOLD, ink, Align.CENTRE))
    items.append(Sprite("molecular.structure", (group,), drawing))
    items += Paragraph(voice.group(group), (NAME, Size.BODY), Weight.BOLD, "ink", Align.CENTRE, lines).items(
        name
    )
    on = ripe and may_use_now(seen, "group")
    items.append(Panel(strip, "accent" if on else "paper_low", RADIUS_SMALL))
    said = voice("picture.unripe")
    less = score.counters * score.weight
    if score.examples:
        key = "picture.worth_less" if less else "picture.worth"
        said = voice(key, points=score.total, n=score.examples, less=less)
    ink, sizes = "accent_ink" if on else "ink", (Size.CLEAR, Size.BODY, Size.SMALL)
    items += Paragraph(said, sizes, Weight.BOLD, ink, Align.CENTRE, worth_lines).items(strip)
    return ItemGroup(box, tuple(items), f"group {group}")


def spots(_seen: Observation, move: Move) -> tuple[str, ...]:
    """The tile and its cell, or the group card, that a move is about; see
    `bot.presenters.base.Presenter.spots`."""
    if move.verb == "tile":
        return f"tile {move.what}", f"cell {cell_of(move.q, move.r)}"
    if move.verb == "spill":
        return (f"cell {cell_of(move.q, move.r)}",)
    return (f"group {move.what}",) if move.verb in ("group", "give") else ()


def _standings(seen: Observation, voice: Voice) -> Standings:
    """The points of all players."""
    scores = [SeatScore(seat, voice.drawn(seat), str(points)) for seat, points in enumerate(seen.scores)]
    return Standings(scores, -1 if seen.viewer is None else seen.viewer, voice("picture.scores"))


def _name_height(lines: int) -> int:
    """How high the name of a card is in so many lines."""
    return 8 + round(lines * NAME * letters.LINE)


def _cards(seen: Observation, voice: Voice, new: Container[int]) -> Flow:
    held = queries.hand(seen)
    columns = 2 if len(held) == 4 else CARD_COLUMNS
    width = (INNER - 16 * (columns - 1)) // columns
    names = [letters.wrap(voice.group(group), NAME, Weight.BOLD, width - 28, 2) for group in held]
    lines = 1 if columns == 2 else max((len(name.lines) for name in names), default=1)
    tall = 262 if columns == 2 else 304 + _name_height(lines)

    def piece(group: int) -> Piece:
        return Piece(
            width, tall, lambda box: (_card(box, seen, group, voice, lines, new=CARD + group in new),)
        )

    return Flow([piece(group) for group in held], 16, 16, Align.CENTRE, columns)


def hand(seen: Observation, look: Look, gained: Sequence[int] = ()) -> Scene:
    """A hand: pool, group cards, and the molecule with the cells that the own tiles fit. New tiles and cards
    are marked.

    Where the whole molecule would be small, only the parts are drawn in which there are such cells.
    """
    voice = Voice(look)
    new = newly_held((*queries.pool(seen), *(CARD + group for group in queries.hand(seen))), gained)
    above = Column(
        (
            Spaced(_standings(seen, voice), 8),
            Spaced(_pool(seen, new), 16),
            Spaced(_cards(seen, voice, new), 16),
        )
    )
    lettering, others = queries.own_lettering(seen), queries.lettering(seen)
    dots = () if others.on_tiles else others.names
    shown, bottom = _charts(seen, above.height(INNER), lettering, dots)
    held, outside = above, ""
    # the sentence takes room itself, and with less of it the molecule may lose more
    while (more := outside_of(seen, lettering, shown, voice)) and len(more) > len(outside):
        outside = more
        above = Column((held, Spaced(Paragraph(outside, (Size.CLEAR,), lines=2), 12)))
        shown, bottom = _charts(seen, above.height(INNER), lettering, dots)
    alt = alt_text(*_hand_said(seen, voice, lettering, outside, new))
    high = bottom - MARGIN - above.height(INNER)
    boards = Box(high, lambda area: (ItemGroup(area, tuple(item for one in shown for item in one.items)),))
    return frozen(Column((above, boards)), alt, look, top=MARGIN, ground=GROUND)


GAP: Final = 12
"""Between the parts of a molecule, in pixels."""


def _charts(
    seen: Observation, above: int, lettering: Lettering, dots: Container[int]
) -> tuple[list[Chart], int]:
    """The molecule below what is so high, and where it ends: in parts round the lettered cells where it would
    be small as a whole."""
    laid, area = queries.table(seen), band(MARGIN + above, 0)
    parts, tall, columns = _layout(laid, lettering, area)
    made, y = list[Chart](), area.y
    for first in range(0, len(parts), columns):
        line = parts[first : first + columns]
        lowest = first + columns >= len(parts)
        charts = [
            chart.chart(laid, at, tall, lettering, last=seen.last_cell, part=part, dots=dots, lowest=lowest)
            for part, at in zip(line, layout.row(area._replace(y=y), columns, GAP), strict=False)
        ]
        made += charts
        y += max(one.height for one in charts) + GAP
    return made, y - GAP


def _layout(
    laid: queries.MoleculeTable, lettering: Lettering, area: Rect
) -> tuple[Sequence[Window | None], int, int]:
    """The parts in which the molecule is drawn, None for all of it, how high each may be, and how many stand
    side by side: as low a hand as shows its letters clearly."""
    if chart.fits_large(laid, INNER, BOARD):
        return [None], BOARD, 1
    whole = around(chart.shown_cells(laid))
    lettered = [around([cell]).wider() for cell in lettering.names]
    for most, (wide, layouts) in product(MOST, TRIED if lettering.names else ()):
        tall = max(BOARD, most - area.y)
        if whole.fits(*chart.room_for(wide, INNER, tall)):
            return [None], tall, 1
        if found := _enlarged(whole, lettered, area, (wide, most), layouts):
            return found
    return [None], max(BOARD, MOST[0] - area.y), 1


def _enlarged(
    whole: Window,
    lettered: Sequence[Window],
    area: Rect,
    bounds: tuple[int, int],
    layouts: Sequence[tuple[int, int, int]],
) -> tuple[list[Window], int, int] | None:
    """Return parts of the molecule that together show all lettered cells with their neighbours, the greatest
    height of each part, and the number of parts side by side; None if there would be too many parts.

    `bounds`: the least width of a cell and the greatest height of the hand, in pixels.
    """
    wide, tallest = bounds
    for columns, high, most in layouts:
        room = chart.room_for(wide, layout.row(area, columns, GAP)[0].w, high)
        found = chart.joined(lettered, *room, near=False)
        if len(found) <= most and area.y + -(-len(found) // columns) * (high + GAP) <= tallest:
            return [_grown(window, whole, *room) for window in found], high, columns
    return None


def _grown(window: Window, whole: Window, halves: int, rows: int) -> Window:
    """A part with as much round it as there is room for."""
    part = window.within(whole)
    while (wider := part.wider().within(whole)) != part and wider.halves <= halves and wider.rows <= rows:
        part = wider
    return part


def _note(seen: Observation, voice: Voice) -> str:
    """What is asked of the viewer."""
    if seen.over or seen.viewer not in seen.to_act:
        return ""
    if seen.pending is not None:
        return voice("hand.choose", effector=voice.effector(seen.pending.card))
    if not seen.actions:
        return voice("hand.free")
    return voice("hand.actions", n=seen.actions)


def _card_said(seen: Observation, group: int, voice: Voice) -> str:
    """A group card in words: its points, the counters on its group, and what it is worth now."""
    score = queries.worth(seen, group)
    key = "alt.card_counters" if score.counters else "alt.card"
    facts = {"group": voice.group(group), "base": score.base, "points": score.total}
    return voice(key, n=score.counters, **facts)


def _more_said(count: int, voice: Voice, *, new: bool) -> str:
    """Return the count of equal tiles, and a mark if one of them is new."""
    return (f" ×{count}" if count > 1 else "") + (f" ({voice('alt.new')})" if new else "")


def _hand_said(
    seen: Observation, voice: Voice, lettering: Lettering, outside: str, new: Container[int]
) -> list[str]:
    """The hand in sentences, for its alt text."""
    # equal tiles have the same number, as in the picture and in the choices
    count = Counter(queries.pool(seen))
    tiles = [
        f"{queries.number(seen, kind)} {voice.tile(kind)}{_more_said(count[kind], voice, new=kind in new)}"
        for kind in count
    ]
    cards = [
        _card_said(seen, group, voice) + _more_said(1, voice, new=CARD + group in new)
        for group in queries.hand(seen)
    ]
    parts = [voice("alt.hand", tiles=voice.listed(tiles) or "–", cards=voice.listed(cards) or "–")]
    if lettering.names:
        parts.append(voice("alt.cells", cells=queries.lettered(queries.table(seen), lettering, voice)))
    note = _note(seen, voice)
    parts += [
        voice("alt.score", name=voice.look.name(seat), n=points) for seat, points in enumerate(seen.scores)
    ]
    return [*parts, outside and f"{outside}.", note and f"{note}."]
