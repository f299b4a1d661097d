"""A hand of up to 54 cards, usable on a phone: one cell for each rank, with the number of each suit.

Ranks that have something to play are lifted on an accent edge; the Blade is framed; a suit with three
identical cards, an atom, is marked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.presenters.atom.scenes import GROUND, blade_name, blade_pill, blade_width, table, team_points
from bot.presenters.atom.sets import TALL, laid
from bot.presenters.atom.words import Voice
from bot.render import layout
from bot.render import text as letters
from bot.render.blocks import Block, Box, Column, Grid, Paragraph, RightOfCorner, Spaced, frozen
from bot.render.pages.standings import SeatScore, Standings
from bot.render.parts import INNER, MARGIN, alt_text, person, text_width
from bot.render.playing_cards import colour_of
from bot.render.scene import (
    Align,
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
from bot.render.theme import RADIUS_CARD, RADIUS_SMALL, seat_letter
from engine.atom.cards import ORDER, POINTS, by_rank, counts, total, unpacked
from engine.atom.moves import Move
from engine.atom.observation import Observation
from engine.atom.options import offer
from engine.atom.plays import beats, nukes, rung, shape
from engine.atom.sides import CALLERS, UNKNOWN
from engine.playing_cards import CLUBS, DIAMONDS, HEARTS, JOKER, RANK_LABELS, SPADES, SUIT_NAMES

_COLUMNS: Final = 4
_CELL: Final = 152
_SIGN: Final = 38
"""Side of the sign of a suit, in pixels."""
_TOLD: Final = 600
"""Room for what is said of the cards to beat."""
_LIFT: Final = 10
_CALLER: Final = 420
"""The most room for the caller's name, so that what is said of it stays legible."""
SUIT_ORDER: Final = (SPADES, HEARTS, CLUBS, DIAMONDS)


def playable(seen: Observation, hand: list[int], rank: int) -> bool:
    """Whether this rank of the hand has anything that may be played now."""
    if not seen.best:
        return True
    packs = seen.packs
    jokers = 0 if rank in (JOKER, seen.blade) else hand[JOKER]
    standing = seen.rung
    for move in offer(rank, hand[rank], jokers, packs).every:
        play = shape(move.cards, packs)
        if play and standing and beats(rung(play, seen.blade, seen.low), standing):
            return True
    return False


def _mark(seen: Observation, rank: int, packed: int, voice: Voice) -> str:
    """The word on a cell: Blade, nuke, atom or bomb."""
    if rank == seen.blade:
        return voice("picture.blade")
    by_suit = counts(packed)
    if rank != JOKER and min(by_suit) >= nukes(seen.packs)[0]:
        return voice("picture.nuke")
    if max(by_suit) >= 3:
        return voice("picture.atom")
    return voice("picture.bomb") if total(packed) >= 4 else ""


def _cell(
    area: Rect, seen: Observation, rank: int, packed: int, voice: Voice, *, lifted: bool, faint: bool
) -> ItemGroup:
    """One rank: its name, how many, what they make, and how many of each suit."""
    ground = "paper_low" if faint else "paper"
    ink = "ink_soft" if faint else "ink"
    card = Rect(area.x, area.y if lifted else area.bottom - _CELL, area.w, _CELL)
    items: list[Item] = []
    if lifted:
        items.append(Panel(Rect(card.x + 24, card.bottom + 2, card.w - 48, 8), "accent", 4))
    blade = rank == seen.blade
    if blade:
        items.append(Panel(card, "accent", RADIUS_CARD))
    items.append(Panel(card.inset(7) if blade else card, ground, RADIUS_CARD - 7 * blade))
    upper, lower = layout.down(card.inset(8, 7), (90, 48), gap=0)
    label = RANK_LABELS[rank]
    name, rest = layout.across(
        upper.inset(4, 0), (text_width(label, Size.LARGE, Weight.DISPLAY), None), gap=8
    )
    items.append(Text(name._replace(h=84), label, Size.LARGE, Weight.DISPLAY, ink))
    many, mark = layout.down(rest, (45, 45), gap=0)
    if total(packed) > 1:
        number = voice("picture.multiple", n=total(packed))
        items.append(Text(many, number, Size.CLEAR, Weight.BOLD, ink, Align.RIGHT))
    if said := _mark(seen, rank, packed, voice):
        wide = text_width(said, Size.CLEAR, Weight.BOLD) + 14
        pill = Rect(mark.right - wide, mark.y, wide, mark.h)
        items.append(Panel(pill, "accent" if blade else "ink", RADIUS_SMALL))
        colour = "accent_ink" if blade else "paper"
        items.append(Text(pill, said, Size.CLEAR, Weight.BOLD, colour, Align.CENTRE))
    return ItemGroup(area, (*items, *_suits(lower, rank, packed)), f"rank {rank}")


def spots(_seen: Observation, move: Move) -> tuple[str, ...]:
    """The ranks that a move is about; see `bot.presenters.base.Presenter.spots`."""
    return tuple(sorted({f"rank {card >> 2}" for card in move.cards})) if move.verb == "play" else ()


def _suits(area: Rect, rank: int, packed: int) -> Iterator[Item]:
    """The foot of a cell: each suit with its number; three identical cards on the accent."""
    by_suit = counts(packed)
    # black jokers and red ones share the room of four suits
    order = (0, 1) if rank == JOKER else SUIT_ORDER
    for slot, suit in zip(layout.row(area, len(order), gap=0), order, strict=True):
        many = by_suit[suit]
        if not many:
            continue
        number = str(many) if many > 1 else ""  # a sign alone is one card, so pairs and atoms stand out
        wide = text_width(number, Size.CLEAR, Weight.BOLD) - 2 if number else 0
        both = layout.centred(slot, _SIGN + wide, slot.h)
        if many >= 3:
            yield Panel(slot, "accent", RADIUS_SMALL)
        sign = Rect(both.x, both.y + (both.h - _SIGN) // 2, _SIGN, _SIGN)
        if rank == JOKER:
            yield Sprite("cards.joker", (colour_of("red" if suit else "black"),), sign)
        else:
            name = SUIT_NAMES[suit]
            yield Sprite("cards.suit", (name, colour_of(name)), sign)
        if number:
            yield Text(Rect(sign.right, both.y, wide, both.h), number, Size.CLEAR, Weight.BOLD, "ink")


def now(seen: Observation, voice: Voice) -> str:
    """What the owner of the hand has to do, in a few words."""
    viewer = seen.viewer
    if viewer in seen.to_act:
        if seen.phase == "call":
            return voice("picture.your_call")
        if seen.best:
            return voice("picture.your_turn")
        return voice("picture.your_lead")
    name = voice.drawn(seen.to_act[0])
    if name:
        return voice("picture.waiting", name=name)
    return voice("picture.waiting_nobody")


def side(seen: Observation, voice: Voice) -> str:
    """Who is on the side of the owner, as far as they know."""
    viewer = seen.viewer or 0
    if seen.phase == "call":
        return voice("picture.calls_own" if viewer == seen.caller else "picture.calls")
    mine = seen.sides[viewer]
    friends = [seat for seat, which in enumerate(seen.sides) if which == mine and seat != viewer]
    names = [voice.drawn(seat) for seat in friends]
    if seen.seats == 4:
        return voice("picture.with", names=names[0] or seat_letter(friends[0]))
    hidden = UNKNOWN in seen.sides
    shown = voice("comma").join(name or seat_letter(seat) for seat, name in zip(friends, names, strict=True))
    if mine == CALLERS:
        if not friends:
            return voice("picture.with_unknown")
        return voice("picture.with_more" if hidden else "picture.with_five", names=shown)
    key = "against_unknown" if not friends else "against_more" if hidden else "against"
    # a partner who has shown the card is against whoever holds none, and stands at the table as one
    known = [seen.caller, *(s for s, which in enumerate(seen.sides) if which == CALLERS and s != seen.caller)]
    foes = [voice.drawn(seat) for seat in known]
    short = [letters.ellipsis(name, Size.SMALL, Weight.MEDIUM, _CALLER // len(foes)) for name in foes]
    others = [name or seat_letter(seat) for seat, name in zip(known, short, strict=True)][1:]
    against = voice.listed([short[0] or voice("picture.the_caller"), *others])
    return voice(f"picture.{key}", caller=against, names=shown)


def _standing(area: Rect, seen: Observation, voice: Voice) -> Iterator[Item]:
    """What is to be beaten: who played it, what it is and the points in the trick, and the cards."""
    yield Panel(area, "panel", RADIUS_CARD)
    left, right = layout.across(area.inset(16, 14), (_TOLD, None), gap=16)
    play = shape(seen.best, seen.packs)
    kind = voice.kind(play) if play else ""
    name, below = layout.column(left, 2, gap=8)
    yield from person(name, seen.best_seat, voice.drawn(seen.best_seat), Size.CLEAR, weight=Weight.BOLD)
    what, pot = layout.across(below, (text_width(kind, Size.CLEAR), None), gap=24)
    yield Text(what, kind, Size.CLEAR)
    points = voice("picture.pot", n=seen.pot) if seen.pot else voice("picture.no_pot")
    yield Text(pot, points, Size.CLEAR, Weight.BOLD, "accent" if seen.pot else "muted")
    yield from laid(right, seen.best, voice, align=Align.RIGHT)


def _friends(seen: Observation, voice: Voice) -> Block:
    """Who is on the side of the owner, and at the right the Blade."""
    said = Paragraph(side(seen, voice), (Size.CLEAR, Size.BODY, Size.SMALL), colour="muted", lines=2)
    wide = blade_width(seen, voice)

    def draw(area: Rect) -> Iterator[Item]:
        left, right = layout.across(area, (None, wide), gap=24)
        yield from said.items(left)
        yield from blade_pill(right._replace(h=56), seen, voice)

    return Box(max(56, said.height(INNER - wide - 24)), draw)


def _took(seen: Observation, voice: Voice) -> str:
    """The points of both teams; with five players, whose sides are hidden, those of the owner."""
    mine = seen.viewer or 0
    if seen.seats == 5:
        return voice("picture.took", n=seen.captured[mine])
    points = team_points(seen)
    return voice("picture.team_took", ours=points[mine % 2], theirs=points[1 - mine % 2])


def _holds(seen: Observation, voice: Voice) -> str:
    """How many cards the hand has, and the points in them."""
    held = sum(total(packed) * POINTS[rank] for rank, packed in enumerate(_ranks(seen)))
    cards = sum(seen.hand)
    return voice("picture.holds", n=cards, points=held) if cards else voice("picture.nothing_left")


def _foot(seen: Observation, voice: Voice, above: int) -> Block:
    """At the right what the sides have taken and what the hand has; `above` it are so many pixels."""
    block = Column(
        (
            Paragraph(_took(seen, voice), (Size.CLEAR,), Weight.BOLD, align=Align.RIGHT),
            Paragraph(_holds(seen, voice), (Size.CLEAR,), colour="muted", align=Align.RIGHT),
            _others(seen, voice),
        )
    )
    # as high as the corner that others may cover, in the finished picture
    share = (MARGIN + above) * 12 // 88 + 1 - MARGIN
    foot = RightOfCorner(block)
    return Box(max(foot.height(INNER), share), foot.items)


def _others(seen: Observation, voice: Voice) -> Standings:
    """The numbers of cards that the other players hold."""
    viewer = seen.viewer or 0
    others = [seat for seat in range(seen.seats) if seat != viewer]
    scores = [SeatScore(seat, voice.drawn(seat), str(seen.left[seat])) for seat in others]
    return Standings(scores, label=voice("picture.cards_left"), align=Align.RIGHT)


def _ranks(seen: Observation) -> list[int]:
    """By rank: the packed counts of the hand."""
    return by_rank(card for card, many in enumerate(seen.hand) for _ in range(many))


def _cells(seen: Observation, voice: Voice) -> Grid:
    """The ranks of the hand from low to high; to follow, those with something to play are lifted, the others
    faint."""
    held = _ranks(seen)
    following = seen.viewer in seen.to_act and bool(seen.best)

    def cell(rank: int) -> Box:
        able = following and playable(seen, held, rank)
        return Box(
            _LIFT * following + _CELL,
            lambda area: (
                _cell(area, seen, rank, held[rank], voice, lifted=able, faint=following and not able),
            ),
        )

    return Grid([cell(rank) for rank in _order(seen) if held[rank]], _COLUMNS)


def _order(seen: Observation) -> tuple[int, ...]:
    """The ranks from low to high: jokers, the Blade on top."""
    return (JOKER, *(rank for rank in ORDER if rank != seen.blade), seen.blade)


def hand(seen: Observation, look: Look) -> Scene:
    """The hand of the observer, 1280 wide and as high as its ranks need; after the end, when nobody holds a
    card, the table with those who have won."""
    if seen.phase == "over":
        return table(seen, look)
    voice = Voice(look)
    standing = Box(TALL + 28 if seen.best else 0, lambda area: _standing(area, seen, voice))
    block = Column((Spaced(standing, 4), Spaced(_friends(seen, voice), 4), _cells(seen, voice)), 4)
    foot = _foot(seen, voice, block.height(INNER) + 8)
    return frozen(Column((block, foot), 8), _alt(seen, voice), look, top=MARGIN, ground=GROUND)


def _alt(seen: Observation, voice: Voice) -> str:
    """The hand in sentences."""
    held = _ranks(seen)
    groups = []
    for rank in _order(seen):
        cards = tuple(unpacked(rank, held[rank]))
        if cards:
            name, mark = voice.rank(rank), _mark(seen, rank, held[rank], voice)
            name = voice("alt.marked", rank=name, mark=mark) if mark else name
            groups.append(voice("alt.group", rank=name, cards=voice.cards(cards)))
    pot = voice("picture.pot", n=seen.pot)
    beat = voice(
        "alt.now", name=voice.look.name(seen.best_seat), said=voice.set(seen.best, seen.seats), pot=pot
    )
    said = voice("alt.hand", title=voice("picture.hand", n=sum(seen.hand)), now=now(seen, voice))
    held_said = voice("alt.said", text=voice("alt.semicolon").join(groups))
    known = [beat] if seen.best else []
    known += [_holds(seen, voice)] if groups else []
    others = (seat for seat in range(seen.seats) if seat != seen.viewer)
    known += [voice("alt.cards_left", name=voice.look.name(seat), n=seen.left[seat]) for seat in others]
    known += [side(seen, voice), _took(seen, voice), blade_name(seen, voice)]
    told = (voice("alt.said", text=text) for text in known)
    return alt_text(said, held_said if groups else voice("picture.nothing_left"), *told)
