"""The pictures of Molecular: the table, a hand, and the drawing of the finished molecule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.locales import words
from bot.presenters.base import Keepsake
from bot.presenters.extras import RDKIT
from bot.presenters.molecular import chart, queries
from bot.presenters.molecular.queries import Lettering
from bot.presenters.molecular.words import GROUND, Voice, formula
from bot.render import layout
from bot.render import text as letters
from bot.render.blocks import TOP, Box, Column, Flow, Grid, Piece, Spaced, Words, frozen
from bot.render.parts import HEAD, INNER, MARGIN, alt_text, band, hand_head, person, seat_panel, text_width
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
from bot.render.theme import GRID, RADIUS_CARD, RADIUS_SMALL, seat_letter
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
_LINE: Final = Size.SMALL + GRID
"""How high a line of small words is, in pixels."""
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
        Text(Rect(MARGIN, 76, said, 48), news, Size.SMALL, Weight.BOLD, "accent", fit=Fit.ELLIPSIS),
    ]
    beside = Rect(MARGIN + wide + 24, 28, INNER - wide - right - 48, 32)
    below = Rect(MARGIN + said + 24, 84, INNER - said - 24, 32)
    room = beside if beside.w >= seen.rounds * LEAST_STEP else below
    if room.w >= seen.rounds * LEAST_STEP:
        track = min(room.w, seen.rounds * 40)
        x = room.x if room is beside else room.right - track
        items.append(Sprite("molecular.track", (seen.round, seen.rounds), Rect(x, room.y, track, 32)))
    return items


def _actives(seen: Observation, voice: Voice) -> Flow:
    """What lasts for everybody, as chips with the symbol and the name."""
    cards = [*seen.actives, *([seen.reagent] if seen.reagent >= 0 else [])]
    return Flow([_active(voice.effector(card), reagent=card in REAGENTS) for card in cards])


def _active(name: str, *, reagent: bool) -> Piece:
    def draw(box: Rect) -> Iterator[Item]:
        inside: tuple[Item, ...] = (
            Panel(box, "panel_high", 26, "edge", 3),
            Sprite(
                "molecular.sign",
                ("reagent" if reagent else "active", "accent"),
                Rect(box.x + 16, box.y + 10, 32, 32),
            ),
            Text(Rect(box.x + 56, box.y, box.w - 72, box.h), name, Size.SMALL, Weight.BOLD),
        )
        yield Group(box, inside)

    return Piece(text_width(name, Size.SMALL, Weight.BOLD) + 76, 52, draw)


def _counters(seen: Observation, voice: Voice) -> Box:
    """The reference card: which groups carry handicap counters."""
    held = [(count, group) for group, count in enumerate(seen.counters) if count]
    if not held:
        return Box(0, lambda _: ())
    held.sort(key=lambda one: (-one[0], one[1]))
    each = [voice("picture.counter", group=voice.group(group), n=count) for count, group in held]
    label = voice("picture.counters")
    wide = text_width(label, Size.SMALL, Weight.BOLD)
    for left_out in range(len(each)):
        told = each[: len(each) - left_out]
        if left_out:
            told.append(voice("picture.more", n=left_out))
        # lines break after a dot, never within a group or before one
        said = "\u00a0· ".join(one.replace(" ", "\u00a0") for one in told)
        block = letters.wrap(said, Size.SMALL, Weight.MEDIUM, INNER - wide - 16, COUNTER_LINES)
        if not block.cut:
            break
    lines = len(block.lines)

    def draw(area: Rect) -> Iterator[Item]:
        first, rest = layout.across(area, (wide, None), gap=16)
        yield Text(first._replace(h=_LINE), label, Size.SMALL, Weight.BOLD, "muted")
        yield Text(rest, said, Size.SMALL, max_lines=lines, fit=Fit.ELLIPSIS)

    return Box(_LINE * lines, draw)


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


def _seats(seen: Observation, voice: Voice) -> Grid:
    def panel(seat: int) -> Box:
        return Box(122, lambda area: (_seat(area, seen, seat, voice),))

    return Grid([panel(seat) for seat in range(seen.seats)], min(seen.seats, 4))


def _news(seen: Observation, voice: Voice) -> str:
    """What scored last, in a line; before that, a question."""
    last = seen.last
    if last is None:
        return voice("picture.start")
    what = voice.element(last.what) if last.verb == "tile" else voice.group(last.what)
    return voice("picture.last", name=_name(voice, last.seat), what=what, points=last.points)


def table(seen: Observation, look: Look) -> Scene:
    """The table: the molecule with its lettered cells, who has what, what lasts, the counters."""
    voice = Voice(look)
    lettering = queries.lettering(seen)
    above = Column((Box(116, lambda _: _header(seen, voice)), Spaced(_actives(seen, voice), 12)))
    area = band(TOP + above.height(INNER), 0)
    shown = chart.chart(queries.table(seen), area, TABLE_BOARD, lettering, last=seen.last_cell)
    outside = _outside(seen, shown, voice)
    below = (Spaced(Words(outside, lines=2), 8), Spaced(_counters(seen, voice), 12), _seats(seen, voice))
    alt = alt_text(*_table_said(seen, voice, lettering, outside))
    return frozen(Column((above, Spaced(_board(shown), 12), *below)), alt, look, ground=GROUND)


def _board(shown: chart.Chart) -> Box:
    """The molecule, which is drawn where it will lie."""
    return Box(shown.height, lambda area: (Group(area, shown.items),))


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


def _pool(seen: Observation) -> Box:
    """The tiles of the pool, numbered; those that fit nowhere are pale and not numbered in accent."""
    pool = queries.pool(seen)
    if not pool:
        return Box(0, lambda _: ())
    side = min(196, (INNER - 16 * (len(pool) - 1)) // len(pool))
    playable = may_use_now(seen, "tile")
    board = queries.table(seen).board

    def draw(area: Rect) -> Iterator[Item]:
        boxes = layout.spread(area._replace(h=side), len(pool), side, side, gap=24)
        for kind, box in zip(pool, boxes, strict=True):
            fits = board.takes(1 << kind)
            yield Sprite("molecular.rack", (kind, not fits), box)
            chip = Rect(box.x + (side - 72) // 2, box.bottom + 6, 72, 50)
            on = playable and fits
            yield Panel(chip, "accent" if on else "panel_high", RADIUS_SMALL)
            ink = "accent_ink" if on else "muted"
            yield Text(chip, str(pool.index(kind) + 1), Size.BODY, Weight.BOLD, ink, Align.CENTRE)

    return Box(side + 64, draw)


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


def _cards(seen: Observation, voice: Voice) -> Flow:
    held = queries.hand(seen)
    columns = 2 if len(held) == 4 else CARD_COLUMNS
    width = (INNER - 16 * (columns - 1)) // columns

    def piece(group: int) -> Piece:
        return Piece(width, 380, lambda box: (_card(box, seen, group, voice),))

    return Flow([piece(group) for group in held], 16, 16, Align.CENTRE, columns)


def hand(seen: Observation, look: Look) -> Scene:
    """A hand: pool, group cards, and the molecule with the cells that the own tiles fit."""
    voice = Voice(look)
    head = Box(HEAD.h + 16, lambda _: head_of(seen, voice))
    above = Column((head, _pool(seen), Box(8, lambda _: ()), Spaced(_cards(seen, voice), 16)))
    area = band(HEAD.y + above.height(INNER), 0)
    lettering, others = queries.own_lettering(seen), queries.lettering(seen)
    laid, most = queries.table(seen), HAND_BOARD
    if not chart.fits_large(laid, INNER, HAND_BOARD):
        most = max(HAND_BOARD, HAND_HEIGHT - area.y)
    dots = () if others.on_tiles else others.names
    shown = chart.chart(laid, area, most, lettering, last=seen.last_cell, dots=dots)
    outside = _outside(seen, shown, voice)
    below = Column((_board(shown), Spaced(Words(outside, lines=2), 8)), gap=8)
    alt = alt_text(*_hand_said(seen, voice, lettering, outside))
    return frozen(Column((above, below)), alt, look, top=HEAD.y, ground=GROUND)


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
