"""The pictures of Duel 52: the table, and a hand above the table as its owner knows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from bot.presenters.duel52 import board
from bot.presenters.duel52.painters import Face
from bot.presenters.duel52.queries import before, seats_of, side_of
from bot.presenters.duel52.words import GROUND, Voice, printed
from bot.presenters.new_cards import newly_held
from bot.presenters.telling import Told
from bot.render import layout
from bot.render.blocks import Block, Box, Column, Flow, Grid, Paragraph, Piece, Spaced, frozen
from bot.render.parts import (
    CHIP,
    CORNER,
    INNER,
    MARGIN,
    alt_text,
    as_new,
    clear_person,
    header,
    seat_panel,
    sentence,
    text_width,
)
from bot.render.scene import BASE_WIDTH, Align, Item, ItemGroup, Look, Rect, Scene, Size, Sprite, Text, Weight
from bot.render.theme import GRID, seat_letter
from engine.duel52.marks import SHOWN
from engine.duel52.moves import Move
from engine.duel52.observation import HIDDEN, Observation
from engine.game import Event, Seat
from engine.playing_cards import LABELS

STRIP: Final = 72
"""Height of a player's panel."""
HIGHEST: Final = 1240
"""Height in pixels to which lanes may extend at the table before their cards shrink."""
LOWEST: Final = 820
"""Height to which lanes may extend in a hand, which shares the screen with its choices."""
CARD: Final = (120, 168)
"""Width and height of a card of a hand at its largest."""
NAME: Final = 56
"""Height of a power's name below its card."""
PILE: Final = 88
"""Height of the piles at the foot."""


def _said(seen: Observation, voice: Voice) -> str:
    """Return the state of the game, for the head of the table."""
    if seen.over:
        return voice("picture.over")
    if before(seen):
        return voice("picture.bet")
    return voice("picture.turn", turn=seen.turns, n=seen.actions)


def _seat(area: Rect, seen: Observation, seat: int, voice: Voice, *, worded: bool) -> Iterator[Item]:
    """Draw a player: name, turn, and number of cards, in words or on a back."""
    lit = seat in seen.to_act or (seen.over and seen.ranks[seat] == 1)
    inner = area.inset(14, 4)
    count = seen.counts[seat]
    said = voice("picture.cards", n=count)
    wide = text_width(said, Size.CLEAR, Weight.BOLD) if worded else 72
    held = Rect(inner.right - wide, inner.y, wide, inner.h)
    yield ItemGroup(
        area,
        (
            seat_panel(area, lit=lit),
            *clear_person(inner._replace(w=held.x - GRID - inner.x), seat, voice.drawn(seat)),
            Text(held, said, Size.CLEAR, Weight.BOLD)
            if worded
            else Sprite("duel52.pile", (str(count),), held),
        ),
    )


def _seats(seen: Observation, order: Sequence[int], voice: Voice, *, piled: bool) -> Box:
    """The players above the columns of their sides, partners one below the other.

    If `piled`, the draw pile is to their left, because it has no other place.
    """
    setup = seen.setup
    lines = setup.seats // setup.sides

    def draw(area: Rect) -> Iterator[Item]:
        if piled:
            place = Rect(area.x + (board.GUTTER - 3 * GRID - 80) // 2 + GRID, area.y, 80, STRIP)
            yield Sprite("duel52.pile", (str(seen.pile),), place)
        for side, place in zip(order, board.columns(area, len(order)), strict=True):
            boxes = layout.column(place, lines, GRID)
            for seat, box in zip(seats_of(seen, side), boxes, strict=True):
                yield from _seat(box, seen, seat, voice, worded=setup.sides == 2)

    return Box(lines * (STRIP + GRID) - GRID, draw)


def _framed(seen: Observation, above: Sequence[Block], first: int, voice: Voice, *, private: bool) -> Column:
    """Return the blocks above the sides and their lanes. Sides run from left to right, starting
    with `first`."""
    sides = seen.setup.sides
    order = [(first + place) % sides for place in range(sides)]
    top = (*above, _seats(seen, order, voice, piled=private))
    room = (LOWEST if private else HIGHEST) - Column(top, GRID).height(INNER)
    return Column((*top, board.board(seen, order, voice, room=room, private=private)), GRID)


def _piles(seen: Observation, voice: Voice) -> Flow:
    """The draw pile and the discard pile, for the foot of a picture."""

    def words(string: str) -> Piece:
        text = Paragraph(string, (Size.CLEAR,), colour="muted", align=Align.RIGHT)
        return Piece(text_width(string, Size.CLEAR), PILE, text.items)

    def sprite(wide: int, painter: str, shown: str | Face) -> Piece:
        return Piece(wide, PILE, lambda area: [Sprite(painter, (shown,), area)])

    pieces = [words(voice("picture.pile")), sprite(80, "duel52.pile", str(seen.pile))]
    if seen.gone:
        last = seen.gone[-1]
        pieces.append(words(voice("picture.gone", n=len(seen.gone))))
        if last.way == SHOWN:
            pieces.append(sprite(64, "duel52.unit", Face(*printed(last.card))))
        else:
            pieces.append(sprite(64, "cards.back", ""))
    return Flow(pieces, 20, align=Align.RIGHT)


def table(seen: Observation, look: Look) -> Scene:
    """Return the public view of the table, regardless of the observer."""
    voice = Voice(look)
    said = partial(header, left=_said(seen, voice))
    end = [Paragraph(line, (Size.CLEAR,), Weight.BOLD, "accent", lines=2) for line in _end(seen, voice)]
    block = _framed(seen, (Box(60, said), *end), 0, voice, private=False)
    return frozen(block, _table_alt(seen, voice), look, bottom=GRID, ground=GROUND, foot=_piles(seen, voice))


def _end(seen: Observation, voice: Voice) -> list[str]:
    """Return how the duel ended: the last attack, and the cards each side has left. Empty before the end."""
    if not seen.over:
        return []
    said = []
    if blow := seen.last:
        by, hit = (
            voice.all([LABELS[one.card] if one.card != HIDDEN else voice("a_back") for one in hits])
            for hits in (blow.attackers, blow.targets)
        )
        place = voice.inside(blow.lane, triangles=seen.setup.sides > 2)
        name = voice.drawn(blow.seat)
        said.append(voice("picture.blow", name=name, by=by, hit=hit, lane=place))
    rows = [[seen.row(side, lane) for lane in range(seen.setup.lanes)] for side in range(seen.setup.sides)]
    left = [f"{voice.letters(seen, side)}\u00a0{sum(map(len, row))}" for side, row in enumerate(rows)]
    said.append(voice("picture.left_over", cards=voice.listed(left)))
    return said


def _table_alt(seen: Observation, voice: Voice) -> str:
    turn = voice("alt.turn", turn=seen.turns, n=seen.actions)
    if seen.over or before(seen):
        turn = voice("alt.over" if seen.over else "alt.before")
    pile = voice("alt.pile", n=seen.pile)
    return alt_text(
        turn,
        sentence(_said(seen, voice)) if before(seen) else "",
        *_end(seen, voice),
        pile,
        *_seats_said(seen, voice),
        *board.told(seen, voice, private=False),
        _gone_said(seen, voice),
    )


def _gone_said(seen: Observation, voice: Voice) -> str:
    """Return the discard pile as everyone sees it, in words."""
    open_ = [LABELS[one.card] for one in seen.gone if one.way == SHOWN]
    return voice("alt.gone", n=len(seen.gone), cards=voice.listed(open_) or voice("alt.none"))


def _seats_said(seen: Observation, voice: Voice) -> list[str]:
    """Return each player's letter, name and number of cards, in words."""
    return [
        voice("alt.seat", letter=seat_letter(seat), name=voice.look.name(seat), n=count)
        + (voice("alt.acts") if seat in seen.to_act else ".")
        for seat, count in enumerate(seen.counts)
    ]


def gained(events: Sequence[Event], seat: Seat) -> tuple[int, ...]:
    """See `bot.presenters.base.Presenter.gained`."""
    drawn: list[Told] = [event.facts for event in events if event.kind == "draw" and event.seat == seat]
    return tuple(facts["card"] for facts in drawn if "card" in facts)


def _held(seen: Observation, seat: int, voice: Voice, room: int, new: Sequence[int] = ()) -> Block:
    """The cards of a hand within `room` pixels, with the names of their powers if they fit.

    The choices name the powers too.
    """
    held, gap = seen.hands[seat], 2 * GRID
    if not held:
        # Before the first turn of solo, the player has cards they have not seen yet.
        unseen = seen.counts[seat]
        said = voice("hand.unseen", n=unseen) if unseen else voice("hand.empty")
        return Paragraph(said, (Size.CLEAR,), colour="muted", align=Align.CENTRE)
    fresh = newly_held(held, new)
    wide = min(CARD[0], (room - gap * (len(held) - 1)) // len(held))
    tall = wide * CARD[1] // CARD[0]
    names = [voice.power(card >> 2, vampiric=seen.vampiric) for card in held]
    slots = [max(wide, text_width(name, Size.CLEAR)) for name in names]
    named = sum(slots) + gap * (len(held) - 1) <= room

    def draw(area: Rect, card: int, name: str) -> Iterator[Item]:
        face = Sprite("cards.face", printed(card), layout.centred(area._replace(h=tall), wide, tall))
        yield ItemGroup(face.rect, (as_new(face) if card in fresh else face,), f"held {card}")
        if named:
            below = Rect(area.x, area.y + tall, area.w, NAME)
            yield Text(below, name, Size.CLEAR, Weight.MEDIUM, align=Align.CENTRE)

    pieces = [
        Piece(slot if named else wide, tall + named * NAME, partial(draw, card=card, name=name))
        for card, name, slot in zip(held, names, slots, strict=True)
    ]
    return Flow(pieces, gap, align=Align.CENTRE)


def spots(seen: Observation, move: Move) -> tuple[str, ...]:
    """The cards and the lane that a move is about; see `bot.presenters.base.Presenter.spots`."""
    found = [f"held {move.card}"] if move.card >= 0 else []
    if move.lane >= 0:
        found.append(f"lane {move.lane} side {side_of(seen, seen.viewer or 0)}")
    if move.verb != "bet":
        found += [f"unit {unit}" for unit in (move.unit, move.target, move.second) if unit >= 0]
    return tuple(found)


def hand(seen: Observation, look: Look, new: Sequence[int] = ()) -> Scene:
    """Return the observer's cards, the new ones marked, and the table with the backs the observer knows."""
    voice, seat = Voice(look), seen.viewer
    if seat is None:
        nobody = voice("hand.empty")
        return frozen(Paragraph(nobody, colour="muted"), nobody, look, ground=GROUND)
    above: list[Block] = []
    foot = _held(seen, seat, voice, BASE_WIDTH - CORNER - MARGIN, new)
    if seen.setup.key == "solo":
        # both hands next to each other, starting with the side to act first
        both = [_named(seen, held, voice) for held in (seat, 1 - seat)]
        above.append(Spaced(Grid(both, 2, 2 * GRID), GRID))
        foot = _piles(seen, voice)
    block = _framed(seen, above, side_of(seen, seat), voice, private=True)
    return frozen(
        block, _hand_alt(seen, seat, voice, new), look, top=12, bottom=GRID, ground=GROUND, foot=foot
    )


def _named(seen: Observation, seat: int, voice: Voice) -> Block:
    """A hand in solo, below the name of its side."""
    name = Box(CHIP, partial(clear_person, seat=seat, name=voice.drawn(seat)))
    return Column((name, _held(seen, seat, voice, (INNER - 2 * GRID) // 2)), GRID)


def _hand_alt(seen: Observation, seat: int, voice: Voice, new: Sequence[int]) -> str:
    said = []
    for one, held in enumerate(seen.hands):
        if held or one == seat:
            cards = voice.listed(
                f"{LABELS[card]} {voice.power(card >> 2, vampiric=seen.vampiric)}" for card in held
            )
            if not cards and seen.counts[one]:
                said.append(sentence(voice("hand.unseen", n=seen.counts[one])))
                continue
            key = "alt.hand" if cards else "alt.no_hand"
            said.append(voice(key, name=voice.look.name(one) or seat_letter(one), cards=cards))
    if fresh := newly_held(seen.hands[seat], new):
        said.append(voice("alt.new", cards=voice.listed(LABELS[card] for card in fresh)))
    pile = voice("alt.pile", n=seen.pile)
    gone = _gone_said(seen, voice) if seen.setup.key == "solo" else ""
    return alt_text(*said, pile, *_seats_said(seen, voice), *board.told(seen, voice, private=True), gone)
