"""The scenes of Molecular: the table, a hand, one group, one effector."""

from __future__ import annotations

from typing import Final

from bot.presenters.molecular import chart, painters, sight
from bot.presenters.molecular.words import Voice
from bot.render import layout
from bot.render import text as letters
from bot.render.parts import alt_text, person, text_width
from bot.render.scene import (
    Align,
    Fit,
    Group,
    Item,
    Look,
    Panel,
    Rect,
    Scene,
    Size,
    Spot,
    Sprite,
    Text,
    Weight,
)
from bot.render.theme import RADIUS_CARD, RADIUS_SMALL, seat_letter
from engine.molecular.cards import BOX, EFFECTOR, ELEMENT, REAGENTS, SHAPE_KIND
from engine.molecular.observation import Observation

WIDTH: Final = 1280
MARGIN: Final = 24
INNER: Final = WIDTH - 2 * MARGIN
TABLE_BOARD: Final = 1090
"""How high the molecule may become on the table."""
HAND_BOARD: Final = 900
PAINTED: Final = painters.__name__
"""The module that registers the painters named here."""


def _name(voice: Voice, seat: int) -> str:
    name = voice.look.name(seat)
    return letters.normal(name) if letters.drawable(name) else seat_letter(seat)


def _header(seen: Observation, voice: Voice) -> list[Item]:
    """Round and turn track; what is left face down."""
    left = voice("picture.round", round=seen.round, rounds=seen.rounds)
    wide = text_width(left, Size.BODY, Weight.BOLD)
    items: list[Item] = [Text(Rect(MARGIN, 16, wide, 56), left, Size.BODY, Weight.BOLD)]
    piles = voice("picture.piles", tiles=seen.tiles.pile, groups=seen.cards.pile, effectors=seen.effectors)
    right = text_width(piles, Size.SMALL)
    items.append(Text(Rect(WIDTH - MARGIN - right, 16, right, 56), piles, colour="muted", align=Align.RIGHT))
    room = WIDTH - 2 * MARGIN - wide - right - 48
    track = min(room, seen.rounds * 40)
    if track >= seen.rounds * 14:
        x = MARGIN + wide + 24
        items.append(Sprite("molecular.track", (seen.round, seen.rounds), Rect(x, 28, track, 32)))
    return items


def _actives(seen: Observation, voice: Voice, y: int) -> tuple[list[Item], int]:
    """What lasts for everybody, as chips with the symbol and the name; and where the next thing goes."""
    cards = [*seen.actives, *([seen.reagent] if seen.reagent >= 0 else [])]
    items: list[Item] = []
    x, top = MARGIN, y
    for card in cards:
        name = voice.effector(card)
        wide = text_width(name, Size.SMALL, Weight.BOLD) + 76
        if x + wide > WIDTH - MARGIN:
            x, top = MARGIN, top + 60
        box = Rect(x, top, wide, 52)
        kind = "reagent" if card in REAGENTS else "active"
        ground = "panel_high"
        inside: tuple[Item, ...] = (
            Panel(box, ground, 26, "edge", 3),
            Sprite("molecular.sign", (kind, "accent"), Rect(x + 16, top + 10, 32, 32)),
            Text(Rect(x + 56, top, wide - 72, 52), name, Size.SMALL, Weight.BOLD),
        )
        items.append(Group(box, inside))
        x += wide + 12
    return items, top + 64 if cards else y


def _counters(seen: Observation, voice: Voice, y: int) -> tuple[list[Item], int]:
    """The reference card: which groups carry handicap counters."""
    held = [(count, group) for group, count in enumerate(seen.counters) if count]
    if not held:
        return [], y
    held.sort(key=lambda one: (-one[0], one[1]))
    said = " · ".join(f"{voice.group(group)} −{count}".replace(" ", "\u00a0") for count, group in held)
    label = voice("picture.counters")
    wide = text_width(label, Size.SMALL, Weight.BOLD)
    room = Rect(MARGIN + wide + 16, y, INNER - wide - 16, 88)
    lines = 1 if text_width(said, Size.SMALL) <= room.w else 2
    room = Rect(room.x, y, room.w, 44 * lines)
    return [
        Text(Rect(MARGIN, y, wide, 44), label, Size.SMALL, Weight.BOLD, "muted"),
        Text(room, said, Size.SMALL, max_lines=lines, fit=Fit.ELLIPSIS),
    ], y + 44 * lines + 12


def _seat(area: Rect, seen: Observation, seat: int, voice: Voice) -> Group:
    """A player: name, score, tiles and cards held; outlined when it is their turn."""
    turn = seat in seen.to_act
    items: list[Item] = [
        Panel(area, "panel_high" if turn else "panel", RADIUS_CARD, "accent" if turn else None, 4 * turn)
    ]
    name, below = layout.down(area.inset(14, 8), (46, None), gap=2)
    score = str(seen.scores[seat])
    wide = text_width(score, Size.TITLE, Weight.DISPLAY)
    items += person(Rect(name.x, name.y, name.w, name.h), seat, voice.look.name(seat), weight=Weight.BOLD)
    items.append(Text(Rect(below.x, below.y, wide, below.h), score, Size.TITLE, Weight.DISPLAY))
    x = below.right
    for what, count in (("group", len(seen.cards.held[seat])), ("tile", len(seen.tiles.held[seat]))):
        label = str(count)
        room = text_width(label, Size.SMALL, Weight.MEDIUM)
        x -= room
        items.append(Text(Rect(x, below.y, room, below.h), label, colour="muted"))
        side = (30, 40) if what == "group" else (38, 42)
        x -= side[0] + 6
        place = Rect(x, below.y + (below.h - side[1]) // 2, *side)
        items.append(Sprite("molecular.back", (what,), place))
        x -= 14
    return Group(area, tuple(items))


def _seats(seen: Observation, voice: Voice, y: int) -> tuple[list[Item], int]:
    columns = seen.seats if seen.seats <= 4 else 4
    rows = -(-seen.seats // columns)
    items: list[Item] = []
    boxes = layout.grid(Rect(MARGIN, y, INNER, rows * 122 + (rows - 1) * 12), columns, rows, gap=12)
    for seat, box in zip(range(seen.seats), boxes, strict=False):
        items.append(_seat(box, seen, seat, voice))
    return items, y + rows * 122 + (rows - 1) * 12


def _news(seen: Observation, voice: Voice) -> str:
    """What scored last, in a line."""
    last = seen.last
    if last is None:
        return voice("picture.start")
    what = voice.element(last.what) if last.verb == "tile" else voice.group(last.what)
    return voice("picture.last", name=_name(voice, last.seat), what=what, points=last.points)


def _line(area: Rect, string: str, colour: str = "muted", weight: Weight = Weight.MEDIUM) -> Text:
    return Text(area, string, Size.SMALL, weight, colour, fit=Fit.ELLIPSIS)


def table_scene(seen: Observation, look: Look) -> Scene:
    """The table: the molecule with its lettered cells, who has what, what lasts, the counters."""
    voice = Voice(look)
    table = sight.table(seen)
    spilling = sight.spilling(seen)
    names = table.ends if spilling else table.letters
    if seen.over:
        names = {}
    items = _header(seen, voice)
    items.append(_line(Rect(MARGIN, 76, INNER, 48), _news(seen, voice), "accent", Weight.BOLD))
    lasting, y = _actives(seen, voice, 132)
    items += lasting
    shown = chart.chart(
        table, Rect(MARGIN, y, INNER, 0), TABLE_BOARD, letters=names, last=seen.last_cell, on_tiles=spilling
    )
    items.append(Group(Rect(MARGIN, y, INNER, shown.height), shown.items))
    y += shown.height + 12
    if shown.outside:
        said = voice("picture.outside", n=len(shown.outside), cells=", ".join(shown.outside))
        items.append(_line(Rect(MARGIN, y, INNER, 44), said))
        y += 52
    counters, y = _counters(seen, voice, y)
    items += counters
    seats, y = _seats(seen, voice, y)
    items += seats
    return Scene(WIDTH, y + MARGIN, tuple(items), _table_alt(seen, voice, names), look)


CORNERS = {"nw": (-1, -1), "ne": (1, -1), "sw": (-1, 1), "se": (1, 1)}
"""The corners of the board, as signs of column and row."""
CLOSE_BOARD = 1000
"""How high a close look at the board may be."""


def closeup_scenes(seen: Observation, look: Look) -> tuple[tuple[str, Scene], ...]:
    """The corners of a molecule that is drawn small on the table, as large as tiles come."""
    table = sight.table(seen)
    if chart.fits_large(table, INNER, TABLE_BOARD):
        return ()
    voice = Voice(look)
    found = []
    for corner, signs in CORNERS.items():
        cell = chart.towards(table, signs)
        area = Rect(MARGIN, MARGIN, INNER, 0)
        shown = chart.chart(
            table, area, CLOSE_BOARD, letters=table.letters, last=seen.last_cell, close_to=cell
        )
        items = (Group(Rect(MARGIN, MARGIN, INNER, shown.height), shown.items),)
        said = voice(f"closeup.{corner}")
        found.append((corner, Scene(WIDTH, shown.height + 2 * MARGIN, items, f"{said}.", look)))
    return tuple(found)


def _table_alt(seen: Observation, voice: Voice, names: dict[int, str]) -> str:
    table = sight.table(seen)
    atoms: dict[str, int] = {}
    for code in seen.board:
        element = ELEMENT[SHAPE_KIND[code & 255]]
        atoms[element] = atoms.get(element, 0) + 1
    formula = " ".join(f"{one}{atoms[one]}" for one in sorted(atoms))
    groups = [f"{voice.group(g)} {n}" for g, n in enumerate(table.counts()) if n]
    parts = [
        voice("alt.table", round=seen.round, rounds=seen.rounds, tiles=len(seen.board), formula=formula),
        _news(seen, voice) + ".",
    ]
    for seat in range(seen.seats):
        facts = {
            "name": voice.look.name(seat) or seat_letter(seat),
            "points": seen.scores[seat],
            "tiles": len(seen.tiles.held[seat]),
            "groups": len(seen.cards.held[seat]),
        }
        parts.append(voice("alt.seat_turn" if seat in seen.to_act else "alt.seat", **facts))
    cards = [*seen.actives, *([seen.reagent] if seen.reagent >= 0 else [])]
    if cards:
        parts.append(voice("alt.active", cards=", ".join(map(voice.effector, cards))))
    if groups:
        parts.append(voice("alt.groups", groups=", ".join(groups)))
    if names:
        parts.append(voice("alt.cells", cells=", ".join(names.values())))
    held = [f"{voice.group(g)} {n}" for g, n in enumerate(seen.counters) if n]
    if held:
        parts.append(voice("alt.counters", counters=", ".join(held)))
    return alt_text(*parts)


# a hand


def _may(seen: Observation, verb: str) -> bool:
    """Whether the viewer can use tiles, or group cards, now."""
    if seen.viewer not in seen.to_act:
        return False
    pending = seen.pending
    if pending is not None:
        return pending.verb == verb or (verb == "group" and pending.verb == "give")
    audited = seen.used if EFFECTOR["audit"] in seen.actives else 0
    if verb == "group":
        return bool(seen.actions and not audited & 4)
    free = seen.reagent == EFFECTOR["catalyst"] and not seen.tiled
    return free or bool(seen.actions and not audited & 1)


def _pool(seen: Observation, y: int) -> tuple[list[Item], int]:
    """The tiles of the pool, numbered; those that fit nowhere are pale and not numbered in accent."""
    pool = sight.pool(seen)
    if not pool:
        return [], y
    side = min(196, (INNER - 16 * (len(pool) - 1)) // len(pool))
    boxes = layout.spread(Rect(MARGIN, y, INNER, side), len(pool), side, side, gap=24)
    playable = _may(seen, "tile")
    board = sight.table(seen).board
    items: list[Item] = []
    for kind, box in zip(pool, boxes, strict=True):
        fits = board.takes(1 << kind)
        items.append(Sprite("molecular.rack", (kind, not fits), box))
        chip = Rect(box.x + (side - 72) // 2, box.bottom + 6, 72, 50)
        on = playable and fits
        items.append(Panel(chip, "accent" if on else "panel_high", RADIUS_SMALL))
        ink = "accent_ink" if on else "muted"
        items.append(Text(chip, str(pool.index(kind) + 1), Size.BODY, Weight.BOLD, ink, Align.CENTRE))
    return items, y + side + 64


def _card(box: Rect, seen: Observation, group: int, voice: Voice) -> Group:
    """A group card as it lies in the hand: points, structure, name, and what it is worth now."""
    score = sight.worth(seen, group)
    ripe = score.total > 0
    items: list[Item] = [
        Panel(box, "paper", RADIUS_CARD),
        Text(Rect(box.x + 16, box.y + 10, 96, 60), str(score.base), Size.TITLE, Weight.DISPLAY, "ink"),
    ]
    if score.counters:
        chip = Rect(box.right - 104, box.y + 16, 88, 48)
        items.append(Panel(chip, "ink", RADIUS_SMALL))
        items.append(
            Text(chip, f"−{score.counters * score.weight}", Size.SMALL, Weight.BOLD, "paper", Align.CENTRE)
        )
    foot = Rect(box.x, box.bottom - 64, box.w, 64)
    name = Rect(box.x + 12, foot.y - 54, box.w - 24, 48)
    drawing = Rect(box.x + 16, box.y + 76, box.w - 32, name.y - box.y - 84)
    items.append(Sprite("molecular.structure", (group,), drawing))
    items.append(
        Text(name, voice.group(group), Size.SMALL, Weight.BOLD, "ink", Align.CENTRE, fit=Fit.ELLIPSIS)
    )
    on = ripe and _may(seen, "group")
    strip = foot.inset(12, 6)
    items.append(Panel(strip, "accent" if on else "paper_low", RADIUS_SMALL))
    said = voice("picture.unripe")
    if score.examples:
        said = voice("picture.worth", points=score.total, n=score.examples)
    ink = "accent_ink" if on else "ink"
    items.append(Text(strip, said, Size.SMALL, Weight.BOLD, ink, Align.CENTRE, fit=Fit.ELLIPSIS))
    return Group(box, tuple(items))


def _cards(seen: Observation, voice: Voice, y: int) -> tuple[list[Item], int]:
    hand = sight.hand(seen)
    if not hand:
        return [], y
    columns = min(4, max(3, len(hand)))
    items: list[Item] = []
    for start in range(0, len(hand), columns):
        some = hand[start : start + columns]
        width = (INNER - 16 * (columns - 1)) // columns
        boxes = layout.spread(Rect(MARGIN, y, INNER, 380), len(some), width, 380, gap=16)
        items += [_card(box, seen, group, voice) for box, group in zip(boxes, some, strict=True)]
        y += 396
    return items, y


def _own_letters(seen: Observation) -> dict[int, str]:
    """The letters of the cells that a tile of the viewer's pool fits."""
    table = sight.table(seen)
    if sight.spilling(seen):
        return table.ends
    cells = {code >> 3 & (1 << 18) - 1 for code in table.board.placements(set(sight.pool(seen)))}
    return {cell: name for cell, name in table.letters.items() if cell in cells}


def hand_scene(seen: Observation, look: Look) -> Scene:
    """A hand: pool, group cards, and the molecule with the cells that the own tiles fit."""
    voice = Voice(look)
    seat = -1 if seen.viewer is None else seen.viewer
    note = _note(seen, voice)
    wide = min(text_width(note, Size.BODY, Weight.BOLD), INNER - 300) if note else 0
    items: list[Item] = []
    if seat >= 0:
        head = Rect(MARGIN, 20, INNER - wide - 24, 56)
        items += person(head, seat, look.name(seat), Size.BODY, weight=Weight.BOLD)
    if note:
        area = Rect(WIDTH - MARGIN - wide, 20, wide, 56)
        items.append(Text(area, note, Size.BODY, Weight.BOLD, "accent", Align.RIGHT, fit=Fit.ELLIPSIS))
    tiles, y = _pool(seen, 92)
    items += tiles
    cards, y = _cards(seen, voice, y + 8)
    items += cards
    spilling = sight.spilling(seen) and seat in seen.to_act
    names = _own_letters(seen) if spilling or not sight.spilling(seen) else {}
    shown = chart.chart(
        sight.table(seen),
        Rect(MARGIN, y, INNER, 0),
        HAND_BOARD,
        letters={} if seen.over else names,
        last=seen.last_cell,
        on_tiles=spilling,
    )
    items.append(Group(Rect(MARGIN, y, INNER, shown.height), shown.items))
    y += shown.height
    if shown.outside:
        said = voice("picture.outside", n=len(shown.outside), cells=", ".join(shown.outside))
        items.append(_line(Rect(MARGIN, y + 8, INNER, 44), said))
        y += 52
    return Scene(WIDTH, y + MARGIN, tuple(items), _hand_alt(seen, voice, names), look)


def _note(seen: Observation, voice: Voice) -> str:
    """What is asked of the viewer."""
    if seen.over or seen.viewer not in seen.to_act:
        return ""
    if seen.pending is not None:
        return voice("hand.choose", effector=voice.effector(seen.pending.card))
    if not seen.actions:
        return voice("hand.free")
    return voice("hand.actions", n=seen.actions)


def _hand_alt(seen: Observation, voice: Voice, names: dict[int, str]) -> str:
    tiles = [f"{n} {voice.element(kind)} ({voice.bonds(kind)})" for n, kind in enumerate(sight.pool(seen), 1)]
    cards = [
        voice("alt.card", group=voice.group(group), points=sight.worth(seen, group).total)
        for group in sight.hand(seen)
    ]
    parts = [voice("alt.hand", tiles=", ".join(tiles) or "–", cards=", ".join(cards) or "–")]
    if names:
        parts.append(voice("alt.cells", cells=", ".join(names.values())))
    return alt_text(*parts, _note(seen, voice))


# cards


def group_scene(group: int, look: Look) -> Scene:
    """One group card, large."""
    voice, card = Voice(look), BOX.groups[group]
    box = Rect(32, 32, 800, 720)
    items: tuple[Item, ...] = (
        Panel(box, "paper", 32),
        Text(Rect(80, 64, 200, 130), str(card.base), Size.HUGE, Weight.DISPLAY, "ink"),
        Text(
            Rect(300, 84, 492, 72),
            voice("picture.copies", n=card.copies),
            Size.BODY,
            Weight.MEDIUM,
            "ink_soft",
            Align.RIGHT,
        ),
        Sprite("molecular.structure", (group,), Rect(72, 220, 720, 400)),
        Text(
            Rect(72, 640, 720, 80),
            voice.group(group),
            Size.LARGE,
            Weight.BOLD,
            "ink",
            Align.CENTRE,
            fit=Fit.ELLIPSIS,
        ),
    )
    said = voice("alt.group", group=voice.group(group), points=card.base, drawing=card.drawing)
    return Scene(864, 784, (Group(box, items),), alt_text(said), look)


def effector_scene(card: int, look: Look) -> Scene:
    """One effector, large: its symbols, its name and what it does."""
    voice, effector = Voice(look), BOX.effectors[card]
    box = Rect(32, 32, 800, 720)
    kind = voice("picture.and").join(voice(f"symbol.{symbol}") for symbol in effector.symbols)
    items: list[Item] = [Panel(box, "ink", 32, "paper", 6)]
    for number, symbol in enumerate(effector.symbols):
        items.append(Sprite("molecular.sign", (symbol, "accent"), Rect(80 + 140 * number, 88, 112, 112)))
    items += [
        Text(Rect(80, 232, 704, 56), kind, Size.BODY, Weight.MEDIUM, "paper"),
        Text(
            Rect(80, 300, 704, 92), voice.effector(card), Size.LARGE, Weight.BOLD, "paper", fit=Fit.ELLIPSIS
        ),
        Text(
            Rect(80, 424, 704, 300),
            voice.effect(card),
            Size.TITLE,
            colour="paper",
            spot=Spot.TOP,
            max_lines=6,
        ),
    ]
    said = f"{voice.effector(card)}. {kind}. {voice.effect(card)}"
    return Scene(864, 784, (Group(box, tuple(items)),), alt_text(said), look)
