"""The pictures of Molecular: the table, and the drawing of the finished molecule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.locales import words
from bot.presenters.base import Keepsake
from bot.presenters.extras import RDKIT
from bot.presenters.molecular import chart, queries
from bot.presenters.molecular.queries import Lettering
from bot.presenters.molecular.words import GROUND, Voice, formula
from bot.render import layout
from bot.render import text as letters
from bot.render.blocks import TOP, Block, Box, Column, Flow, Grid, Paragraph, Piece, Spaced, frozen
from bot.render.parts import (
    ALT,
    INNER,
    MARGIN,
    alt_text,
    band,
    clear_person,
    header,
    seat_panel,
    sentence,
    text_width,
)
from bot.render.scene import (
    BASE_WIDTH,
    Align,
    Fit,
    Item,
    ItemGroup,
    Look,
    Panel,
    Rect,
    Scene,
    Size,
    Sprite,
    Text,
    Weight,
)
from bot.render.theme import GRID, seat_letter
from engine.game import Outcome
from engine.molecular import groups
from engine.molecular.board import board_of
from engine.molecular.cards import REAGENTS
from engine.molecular.observation import Observation

TABLE_BOARD: Final = 1090
"""How high the molecule may become on the table, in pixels."""
LEAST_STEP: Final = 20
"""A box of the turn track is at least so wide, in pixels; without the room there is no track."""
COUNTER_LINES: Final = 3
"""How many lines the counters on groups may take; the groups with the most come first."""
_LINE: Final = Size.BODY + GRID
"""How high a line of counters is, in pixels."""
FEW_SEATS: Final = 2
"""How many players sit side by side; three, where they would fill more than two lines."""


def _name(voice: Voice, seat: int) -> str:
    return voice.drawn(seat)


def _pile(seen: Observation, voice: Voice) -> str:
    """How many tiles are left to draw."""
    return voice("picture.pile", tiles=voice("tiles", n=seen.tiles.pile))


def _header(seen: Observation, voice: Voice) -> list[Item]:
    """Round and turn track; how many tiles are left to draw; what scored last."""
    left, news = voice("picture.round", round=seen.round, rounds=seen.rounds), _news(seen, voice)
    wide = text_width(left, Size.CLEAR, Weight.BOLD)
    pile = _pile(seen, voice)
    right = text_width(pile, Size.BODY)
    said = min(INNER, text_width(news, Size.CLEAR, Weight.BOLD))
    items: list[Item] = [
        *header(Rect(MARGIN, 16, wide, 60), left),
        Text(Rect(BASE_WIDTH - MARGIN - right, 16, right, 60), pile, Size.BODY, colour="muted"),
        Text(Rect(MARGIN, 80, said, 60), news, Size.CLEAR, Weight.BOLD, "accent", fit=Fit.ELLIPSIS),
    ]
    beside = Rect(MARGIN + wide + 24, 30, INNER - wide - right - 48, 32)
    below = Rect(MARGIN + said + 24, 94, INNER - said - 24, 32)
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
            Panel(box, "panel_high", 32, "edge", 3),
            Sprite(
                "molecular.sign",
                ("reagent" if reagent else "active", "accent"),
                Rect(box.x + 18, box.y + 12, 40, 40),
            ),
            Text(Rect(box.x + 68, box.y, box.w - 92, box.h), name, Size.CLEAR, Weight.BOLD),
        )
        yield ItemGroup(box, inside)

    return Piece(text_width(name, Size.CLEAR, Weight.BOLD) + 94, 64, draw)


def _carrying(seen: Observation) -> list[tuple[int, int]]:
    """How many counters lie on which group, the most first."""
    held = [(count, group) for group, count in enumerate(seen.counters) if count]
    return sorted(held, key=lambda one: (-one[0], one[1]))


def _counters(seen: Observation, voice: Voice) -> Box:
    """The reference card: which groups carry handicap counters."""
    held = _carrying(seen)
    if not held:
        return Box(0, lambda _: ())
    each = [voice("picture.counter", group=voice.group(group), n=count) for count, group in held]
    label = voice("picture.counters")
    wide = text_width(label, Size.BODY, Weight.BOLD)
    for left_out in range(len(each)):
        told = each[: len(each) - left_out]
        if left_out:
            told.append(voice("picture.more", n=left_out))
        # lines break after a dot, never within a group or before one
        said = "\u00a0· ".join(one.replace(" ", "\u00a0") for one in told)
        block = letters.wrap(said, Size.BODY, Weight.MEDIUM, INNER - wide - 16, COUNTER_LINES)
        if not block.cut:
            break
    lines = len(block.lines)

    def draw(area: Rect) -> Iterator[Item]:
        first, rest = layout.across(area, (wide, None), gap=16)
        yield Text(first._replace(h=_LINE), label, Size.BODY, Weight.BOLD, "muted")
        yield Text(rest, said, Size.BODY, max_lines=lines, fit=Fit.ELLIPSIS)

    return Box(_LINE * lines, draw)


def _seat(area: Rect, seen: Observation, seat: int, voice: Voice) -> ItemGroup:
    """A player: name and score; outlined when it is their turn."""
    score = str(seen.scores[seat])
    room = area.inset(16, 4)
    name, right = layout.across(room, (None, text_width(score, Size.TITLE, Weight.DISPLAY)))
    items = (
        seat_panel(area, lit=seat in seen.to_act),
        *clear_person(name, seat, voice.drawn(seat)),
        Text(right, score, Size.TITLE, Weight.DISPLAY, align=Align.RIGHT),
    )
    return ItemGroup(area, items)


def _seats(seen: Observation, voice: Voice) -> Grid:
    def panel(seat: int) -> Box:
        return Box(80, lambda area: (_seat(area, seen, seat, voice),))

    most = FEW_SEATS if seen.seats <= 2 * FEW_SEATS else 3
    return Grid([panel(seat) for seat in range(seen.seats)], min(seen.seats, most))


def _news(seen: Observation, voice: Voice) -> str:
    """What scored last, in a line; before that, a question."""
    last = seen.last
    if last is None:
        return voice("picture.start")
    what = voice.element(last.what) if last.verb == "tile" else voice.group(last.what)
    return voice("picture.last", name=_name(voice, last.seat), what=what, points=last.points)


def table(seen: Observation, look: Look) -> Scene:
    """The table: who has what, what lasts, the counters; below them the molecule with its lettered cells."""
    voice = Voice(look)
    lettering = queries.lettering(seen)
    above = Column(
        (
            Box(132, lambda _: _header(seen, voice)),
            Spaced(_seats(seen, voice), 12),
            Spaced(_actives(seen, voice), 12),
            Spaced(_counters(seen, voice), 12),
        )
    )

    def drawn(top: Block) -> chart.Chart:
        area = band(TOP + top.height(INNER), 0)
        return chart.chart(
            queries.table(seen), area, TABLE_BOARD, lettering, last=seen.last_cell, lowest=True
        )

    outside = outside_of(seen, lettering, (drawn(above),), voice)
    above = Column((above, Spaced(Paragraph(outside, lines=2), 12)))
    alt = alt_text(*_table_said(seen, voice, lettering, outside))
    return frozen(Column((above, _board(drawn(above)))), alt, look, ground=GROUND)


def _board(shown: chart.Chart) -> Box:
    """The molecule, which is drawn where it will lie."""
    return Box(shown.height, lambda area: (ItemGroup(area, shown.items),))


def outside_of(seen: Observation, lettering: Lettering, shown: Sequence[chart.Chart], voice: Voice) -> str:
    """What of the molecule a picture has no room for, and where to see it; empty where it shows all."""
    laid = queries.table(seen)
    tiles, names = chart.outside(laid, lettering, shown)
    parts = [voice("picture.tiles", n=tiles)] if tiles else []
    if names:
        parts.append(voice("picture.cells", n=len(names), cells=voice.listed(names)))
    if not parts:
        return ""
    if chart.fits_large(laid, INNER, TABLE_BOARD):
        return voice("picture.at_table", what=voice.all(parts))
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
        sentence(_pile(seen, voice)),
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
        parts.append(voice("alt.active", cards=voice.listed(map(voice.effector, cards))))
    if lettering.names:
        parts.append(voice("alt.cells", cells=queries.lettered(laid, lettering, voice)))
    carrying = [f"{voice.group(group)} {count}" for count, group in _carrying(seen)]
    parts.append(_as_many("counters", carrying, parts, voice))
    parts.append(_as_many("groups", held_groups, parts, voice))
    return parts


def _as_many(what: str, each: Sequence[str], before: Sequence[str], voice: Voice) -> str:
    """As many counters or groups as the alt text has room for after what is said before."""
    said = ""
    for left_out in range(len(each)):
        more = [voice("picture.more", n=left_out)] if left_out else []
        listed = voice.listed([*each[: len(each) - left_out], *more])
        said = voice(f"alt.{what}", **{what: listed})
        if len(" ".join([*filter(None, before), said])) <= ALT:
            break
    return said


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
