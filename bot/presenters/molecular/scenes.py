"""The pictures of Molecular: the table, a hand, and the drawing of the finished molecule."""

from __future__ import annotations

from typing import Final

from bot.locales import words
from bot.presenters.base import Keepsake
from bot.presenters.extras import RDKIT
from bot.presenters.molecular import chart, queries
from bot.presenters.molecular.queries import Lettering
from bot.presenters.molecular.words import Voice, formula
from bot.render import layout
from bot.render import text as letters
from bot.render.parts import INNER, MARGIN, alt_text, hand_head, person, seat_panel, text_width
from bot.render.scene import (
    BASE_WIDTH,
    Align,
    Fit,
    Group,
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
from bot.render.theme import RADIUS_CARD, RADIUS_SMALL, seat_letter
from engine.game import Outcome
from engine.molecular import groups
from engine.molecular.board import board_of
from engine.molecular.cards import REAGENTS
from engine.molecular.observation import Observation
from engine.molecular.turns import may_use

TABLE_BOARD: Final = 1090
"""How high the molecule may become on the table, in pixels."""
HAND_BOARD: Final = 900
"""How high it may become under a hand, in pixels."""
HAND_HEIGHT: Final = 1840
"""A molecule that would be small there may be higher, as long as the whole hand is not higher than so
many pixels."""
LEAST_STEP: Final = 20
"""A box of the turn track is at least so wide, in pixels; without the room there is no track."""
COUNTER_LINES: Final = 4
"""How many lines the counters on groups may take; the groups with the most come first."""
CARD_COLUMNS: Final = 3
"""No more cards lie side by side, so that even the longest structure has letters on its atoms."""


def _name(voice: Voice, seat: int) -> str:
    return letters.written(voice.look.name(seat)) or seat_letter(seat)


def _header(seen: Observation, voice: Voice) -> list[Item]:
    """Round and turn track; what is left face down; what scored last."""
    left, news = voice("picture.round", round=seen.round, rounds=seen.rounds), _news(seen, voice)
    wide = text_width(left, Size.BODY, Weight.BOLD)
    piles = voice(
        "picture.piles",
        tiles=voice("tiles", n=seen.tiles.pile),
        groups=voice("group_cards", n=seen.cards.pile),
        effectors=voice("effectors", n=seen.effectors),
    )
    right = text_width(piles, Size.SMALL)
    said = min(INNER, text_width(news, Size.SMALL, Weight.BOLD))
    items: list[Item] = [
        Text(Rect(MARGIN, 16, wide, 56), left, Size.BODY, Weight.BOLD),
        Text(Rect(BASE_WIDTH - MARGIN - right, 16, right, 56), piles, colour="muted", align=Align.RIGHT),
        _line(Rect(MARGIN, 76, said, 48), news, "accent", Weight.BOLD),
    ]
    beside = Rect(MARGIN + wide + 24, 28, INNER - wide - right - 48, 32)
    below = Rect(MARGIN + said + 24, 84, INNER - said - 24, 32)
    room = beside if beside.w >= seen.rounds * LEAST_STEP else below
    if room.w >= seen.rounds * LEAST_STEP:
        track = min(room.w, seen.rounds * 40)
        x = room.x if room is beside else room.right - track
        items.append(Sprite("molecular.track", (seen.round, seen.rounds), Rect(x, room.y, track, 32)))
    return items


def _actives(seen: Observation, voice: Voice, y: int) -> tuple[list[Item], int]:
    """What lasts for everybody, as chips with the symbol and the name; and where the next thing goes."""
    cards = [*seen.actives, *([seen.reagent] if seen.reagent >= 0 else [])]
    items: list[Item] = []
    x, top = MARGIN, y
    for card in cards:
        name = voice.effector(card)
        wide = text_width(name, Size.SMALL, Weight.BOLD) + 76
        if x + wide > BASE_WIDTH - MARGIN:
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
    each = [voice("picture.counter", group=voice.group(group), n=count) for count, group in held]
    label = voice("picture.counters")
    wide = text_width(label, Size.SMALL, Weight.BOLD)
    across = INNER - wide - 16
    for left_out in range(len(each)):
        told = each[: len(each) - left_out]
        if left_out:
            told.append(voice("picture.more", n=left_out))
        # lines break after a dot, never within a group or before one
        said = "\u00a0· ".join(one.replace(" ", "\u00a0") for one in told)
        block = letters.wrap(said, Size.SMALL, Weight.MEDIUM, across, COUNTER_LINES)
        if not block.cut:
            break
    lines = len(block.lines)
    room = Rect(MARGIN + wide + 16, y, across, 44 * lines)
    return [
        Text(Rect(MARGIN, y, wide, 44), label, Size.SMALL, Weight.BOLD, "muted"),
        Text(room, said, Size.SMALL, max_lines=lines, fit=Fit.ELLIPSIS),
    ], y + 44 * lines + 12


def _seat(area: Rect, seen: Observation, seat: int, voice: Voice) -> Group:
    """A player: name, score, tiles and cards held; outlined when it is their turn."""
    turn = seat in seen.to_act
    items: list[Item] = [seat_panel(area, lit=turn)]
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
    """What scored last, in a line; before that, a question."""
    last = seen.last
    if last is None:
        return voice("picture.start")
    what = voice.element(last.what) if last.verb == "tile" else voice.group(last.what)
    return voice("picture.last", name=_name(voice, last.seat), what=what, points=last.points)


def _line(area: Rect, string: str, colour: str, weight: Weight) -> Text:
    return Text(area, string, Size.SMALL, weight, colour, fit=Fit.ELLIPSIS)


def table(seen: Observation, look: Look) -> Scene:
    """The table: the molecule with its lettered cells, who has what, what lasts, the counters."""
    voice = Voice(look)
    lettering = queries.lettering(seen)
    items = _header(seen, voice)
    lasting, y = _actives(seen, voice, 132)
    items += lasting
    area = Rect(MARGIN, y, INNER, 0)
    shown = chart.chart(queries.table(seen), area, TABLE_BOARD, lettering, last=seen.last_cell)
    items.append(Group(Rect(MARGIN, y, INNER, shown.height), shown.items))
    outside = _outside(seen, shown, voice)
    lines, y = _outside_lines(outside, y + shown.height + 12)
    items += lines
    counters, y = _counters(seen, voice, y)
    items += counters
    seats, y = _seats(seen, voice, y)
    items += seats
    alt = alt_text(*_table_said(seen, voice, lettering, outside))
    return Scene(BASE_WIDTH, y + MARGIN, tuple(items), alt, look)


def _outside(seen: Observation, shown: chart.Chart, voice: Voice) -> str:
    """What of the molecule a picture has no room for, and where to see it; empty where it shows all."""
    names = shown.outside
    parts = [voice("picture.tiles", n=shown.tiles_outside)] if shown.tiles_outside else []
    if names:
        parts.append(voice("picture.cells", n=len(names), cells=", ".join(names)))
    if not parts:
        return ""
    # a finished table offers the drawing in place of close looks
    button = voice("keepsake.label") if seen.over else words(voice.look.locale)("table.closer")
    return voice("picture.outside", button=button, what=voice.all(parts))


def _outside_lines(said: str, y: int) -> tuple[list[Item], int]:
    """That in at most two lines, and where the next thing goes."""
    if not said:
        return [], y
    lines = 1 if text_width(said, Size.SMALL) <= INNER else 2
    area = Rect(MARGIN, y, INNER, 44 * lines)
    return [Text(area, said, Size.SMALL, max_lines=lines, fit=Fit.ELLIPSIS)], y + 44 * lines + 8


def _table_said(seen: Observation, voice: Voice, lettering: Lettering, outside: str) -> list[str]:
    """The table in sentences, for its alt text."""
    laid = queries.table(seen)
    atoms = " ".join(f"{one}{n}" for one, n in sorted(groups.formula(laid.board).items()))
    held_groups = [f"{voice.group(g)} {n}" for g, n in enumerate(laid.counts()) if n]
    tiles = voice("tiles", n=len(seen.board))
    parts = [
        voice("alt.table", round=seen.round, rounds=seen.rounds, tiles=tiles, formula=atoms),
        _news(seen, voice) + ("." if seen.last else ""),
        outside and f"{outside}.",
    ]
    for seat in range(seen.seats):
        facts = {
            "name": voice.look.name(seat) or seat_letter(seat),
            "points": voice.points(seen.scores[seat]),
            "tiles": voice("tiles", n=len(seen.tiles.held[seat])),
            "groups": voice("group_cards", n=len(seen.cards.held[seat])),
        }
        parts.append(voice("alt.seat_turn" if seat in seen.to_act else "alt.seat", **facts))
    cards = [*seen.actives, *([seen.reagent] if seen.reagent >= 0 else [])]
    if cards:
        parts.append(voice("alt.active", cards=", ".join(map(voice.effector, cards))))
    if held_groups:
        parts.append(voice("alt.groups", groups=", ".join(held_groups)))
    if lettering.names:
        parts.append(voice("alt.cells", cells=queries.lettered(laid, lettering, voice)))
    held = [f"{voice.group(g)} {n}" for g, n in enumerate(seen.counters) if n]
    if held:
        parts.append(voice("alt.counters", counters=", ".join(held)))
    return parts


# a hand


def may_use_now(seen: Observation, verb: str) -> bool:
    """Whether the viewer can use tiles, or group cards, now."""
    if seen.viewer not in seen.to_act:
        return False
    pending = seen.pending
    if pending is not None:
        return pending.verb == verb or (verb == "group" and pending.verb == "give")
    return may_use(seen, verb)


def _pool(seen: Observation, y: int) -> tuple[list[Item], int]:
    """The tiles of the pool, numbered; those that fit nowhere are pale and not numbered in accent."""
    pool = queries.pool(seen)
    if not pool:
        return [], y
    side = min(196, (INNER - 16 * (len(pool) - 1)) // len(pool))
    boxes = layout.spread(Rect(MARGIN, y, INNER, side), len(pool), side, side, gap=24)
    playable = may_use_now(seen, "tile")
    board = queries.table(seen).board
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
    score = queries.worth(seen, group)
    ripe = score.total > 0
    items: list[Item] = [
        Panel(box, "paper", RADIUS_CARD),
        Text(Rect(box.x + 16, box.y + 10, 96, 60), str(score.base), Size.TITLE, Weight.DISPLAY, "ink"),
    ]
    if score.counters:
        chip = Rect(box.right - 104, box.y + 16, 88, 48)
        # counters that subtract nothing, under Open access, are pale
        ground, ink = ("ink", "paper") if score.weight else ("paper_low", "ink_soft")
        many = voice("picture.held_counters", n=score.counters)
        items.append(Panel(chip, ground, RADIUS_SMALL))
        items.append(Text(chip, many, Size.SMALL, Weight.BOLD, ink, Align.CENTRE))
    foot = Rect(box.x, box.bottom - 64, box.w, 64)
    name = Rect(box.x + 12, foot.y - 54, box.w - 24, 48)
    drawing = Rect(box.x + 16, box.y + 76, box.w - 32, name.y - box.y - 84)
    items.append(Sprite("molecular.structure", (group,), drawing))
    items.append(
        Text(name, voice.group(group), Size.SMALL, Weight.BOLD, "ink", Align.CENTRE, fit=Fit.ELLIPSIS)
    )
    on = ripe and may_use_now(seen, "group")
    strip = foot.inset(12, 6)
    items.append(Panel(strip, "accent" if on else "paper_low", RADIUS_SMALL))
    said = voice("picture.unripe")
    less = score.counters * score.weight
    if score.examples:
        key = "picture.worth_less" if less else "picture.worth"
        said = voice(key, points=score.total, n=score.examples, less=less)
    ink = "accent_ink" if on else "ink"
    items.append(Text(strip, said, Size.SMALL, Weight.BOLD, ink, Align.CENTRE, fit=Fit.ELLIPSIS))
    return Group(box, tuple(items))


def _cards(seen: Observation, voice: Voice, y: int) -> tuple[list[Item], int]:
    held = queries.hand(seen)
    if not held:
        return [], y
    items: list[Item] = []
    columns = 2 if len(held) == 4 else CARD_COLUMNS
    width = (INNER - 16 * (columns - 1)) // columns
    for start in range(0, len(held), columns):
        some = held[start : start + columns]
        boxes = layout.spread(Rect(MARGIN, y, INNER, 380), len(some), width, 380, gap=16)
        items += [_card(box, seen, group, voice) for box, group in zip(boxes, some, strict=True)]
        y += 396
    return items, y


def hand(seen: Observation, look: Look) -> Scene:
    """A hand: pool, group cards, and the molecule with the cells that the own tiles fit."""
    voice = Voice(look)
    items = head_of(seen, voice)
    tiles, y = _pool(seen, 92)
    items += tiles
    cards, y = _cards(seen, voice, y + 8)
    items += cards
    lettering = queries.own_lettering(seen)
    others = queries.lettering(seen)
    laid, area, most = queries.table(seen), Rect(MARGIN, y, INNER, 0), HAND_BOARD
    if not chart.fits_large(laid, INNER, HAND_BOARD):
        most = max(HAND_BOARD, HAND_HEIGHT - y)
    dots = () if others.on_tiles else others.names
    shown = chart.chart(laid, area, most, lettering, last=seen.last_cell, dots=dots)
    items.append(Group(Rect(MARGIN, y, INNER, shown.height), shown.items))
    y += shown.height
    outside = _outside(seen, shown, voice)
    if outside:
        lines, y = _outside_lines(outside, y + 8)
        items += lines
    alt = alt_text(*_hand_said(seen, voice, lettering, outside))
    return Scene(BASE_WIDTH, y + MARGIN, tuple(items), alt, look)


def head_of(seen: Observation, voice: Voice) -> list[Item]:
    """Whose hand it is, and what is asked of them."""
    name = "" if seen.viewer is None else voice.look.name(seen.viewer)
    return hand_head(seen.viewer, name, _note(seen, voice))


def _note(seen: Observation, voice: Voice) -> str:
    """What is asked of the viewer."""
    if seen.over or seen.viewer not in seen.to_act:
        return ""
    if seen.pending is not None:
        return voice("hand.choose", effector=voice.effector(seen.pending.card))
    if not seen.actions:
        return voice("hand.free")
    return voice("hand.actions", n=seen.actions)


def _hand_said(seen: Observation, voice: Voice, lettering: Lettering, outside: str) -> list[str]:
    """The hand in sentences, for its alt text."""
    # equal tiles have the same number, as in the picture and in the choices
    pool = queries.pool(seen)
    tiles = [f"{pool.index(kind) + 1} {voice.tile(kind)}" for kind in pool]
    cards = [
        voice("alt.card", group=voice.group(group), points=queries.worth(seen, group).total)
        for group in queries.hand(seen)
    ]
    parts = [voice("alt.hand", tiles=", ".join(tiles) or "–", cards=", ".join(cards) or "–")]
    if lettering.names:
        parts.append(voice("alt.cells", cells=queries.lettered(queries.table(seen), lettering, voice)))
    note = _note(seen, voice)
    return [*parts, outside and f"{outside}.", note and f"{note}."]


# the end


def keepsake(outcome: Outcome, _seen: Observation, look: Look) -> Keepsake | None:
    """The molecule as chemists draw it."""
    if not outcome.facts.get("tiles"):
        return None
    voice = Voice(look)
    return Keepsake(
        label=voice("keepsake.label"),
        name="molecule.png",
        text=voice("keepsake.text" if len(outcome.standings) > 1 else "keepsake.text_solo"),
        alt=voice("keepsake.alt", formula=formula(groups.formula(board_of(outcome.facts["tiles"])))),
        make="engine.molecular.reference:drawing",
        facts={**outcome.facts, "width": 1280, "height": 900},
        needs=RDKIT,
    )
