"""A hand of up to 54 cards, usable on a phone: one cell for each rank, with the number of each suit.

Ranks that have something to play are lifted on an accent edge; the Blade is framed; a suit with three
identical cards, an atom, is marked.
"""

from __future__ import annotations

from typing import Final

from bot.presenters.atom.scenes import GROUND
from bot.presenters.atom.words import Voice
from bot.render import text as letters
from bot.render.blocks import Box, Column, Grid, Spaced, Words, frozen
from bot.render.parts import HEAD, alt_text, hand_head, text_width
from bot.render.playing_cards import colour_of
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
    Sprite,
    Text,
    Weight,
)
from bot.render.theme import RADIUS_CARD, RADIUS_SMALL, seat_letter
from engine.atom.cards import ORDER, POINTS, by_rank, counts, total, unpacked
from engine.atom.observation import Observation
from engine.atom.options import offer
from engine.atom.plays import beats, nukes, rung, shape
from engine.atom.sides import CALLERS, UNKNOWN
from engine.playing_cards import CLUBS, DIAMONDS, HEARTS, JOKER, RANK_LABELS, SPADES, SUIT_NAMES

_COLUMNS: Final = 5
_CELL: Final = 168
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
) -> Group:
    """One rank: its name, how many, and how many of each suit."""
    ground = "paper_low" if faint else "paper"
    ink = "ink_soft" if faint else "ink"
    card = Rect(area.x, area.y + _LIFT * (not lifted), area.w, _CELL)
    items: list[Item] = []
    if lifted:
        items.append(Panel(Rect(card.x + 24, card.bottom + 2, card.w - 48, 8), "accent", 4))
    blade = rank == seen.blade
    if blade:
        items.append(Panel(card, "accent", RADIUS_CARD))
    items.append(Panel(card.inset(7) if blade else card, ground, RADIUS_CARD - 7 * blade))
    label = RANK_LABELS[rank]
    wide = text_width(label, Size.LARGE, Weight.DISPLAY)
    items.append(Text(Rect(card.x + 16, card.y + 8, wide, 96), label, Size.LARGE, Weight.DISPLAY, ink))
    many = voice("picture.multiple", n=total(packed))
    items.append(
        Text(Rect(card.right - 108, card.y + 8, 90, 48), many, Size.BODY, Weight.BOLD, ink, Align.RIGHT)
    )
    mark = _mark(seen, rank, packed, voice)
    if mark:
        room = card.w - 16 - wide - 8 - 12
        across = min(room, text_width(mark, Size.SMALL, Weight.BOLD) + 12)
        pill = Rect(card.right - 12 - across, card.y + 58, across, 46)
        items.append(Panel(pill, "accent" if blade else "ink", RADIUS_SMALL))
        colour = "accent_ink" if blade else "paper"
        items.append(Text(pill, mark, Size.SMALL, Weight.BOLD, colour, Align.CENTRE, fit=Fit.ELLIPSIS))
    items += _suits(card, rank, packed)
    return Group(area, tuple(items))


def _suits(card: Rect, rank: int, packed: int) -> list[Item]:
    """The foot of a cell: each suit with its number; three identical cards on the accent."""
    items: list[Item] = []
    by_suit = counts(packed)
    # black jokers and red ones share the room of four suits
    order = (0, 1) if rank == JOKER else SUIT_ORDER
    step = (card.w - 22) // len(order)
    sign = text_width(RANK_LABELS[JOKER], Size.SMALL, Weight.BOLD) if rank == JOKER else 24
    for place, suit in enumerate(order):
        many = by_suit[suit]
        if not many:
            continue
        slot = Rect(card.x + 11 + place * step, card.y + 110, 52, 46)
        if rank == JOKER:
            slot = Rect(slot.x, slot.y, sign + 32, slot.h)
        if many >= 3:
            items.append(Panel(slot, "accent", RADIUS_SMALL))
        # a sign alone is one card, so pairs and atoms stand out
        left = slot.x + (1 if many > 1 else 14)
        if rank == JOKER:
            colour = colour_of("red" if suit else "black")
            star = Rect(left, slot.y, sign, slot.h)
            items.append(Text(star, RANK_LABELS[JOKER], Size.SMALL, Weight.BOLD, colour))
        else:
            name = SUIT_NAMES[suit]
            items.append(Sprite("cards.suit", (name, colour_of(name)), Rect(left, slot.y + 11, sign, 25)))
        if many > 1:
            number = Rect(slot.x + sign + 2, slot.y, slot.w - sign - 2, slot.h)
            items.append(Text(number, str(many), Size.SMALL, Weight.BOLD, "ink"))
    return items


def now(seen: Observation, voice: Voice) -> str:
    """What the owner of the hand has to do, in a few words."""
    viewer = seen.viewer
    if seen.phase == "over":
        return voice("picture.over")
    if viewer in seen.to_act:
        if seen.phase == "call":
            return voice("picture.your_call")
        if seen.best:
            return voice("picture.to_beat", set=voice.set(seen.best, seen.seats))
        return voice("picture.your_lead")
    name = letters.written(voice.look.name(seen.to_act[0]))
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
    names = [letters.written(voice.look.name(seat)) for seat in friends]
    if seen.seats == 4:
        return voice("picture.with", names=names[0] or seat_letter(friends[0]))
    hidden = UNKNOWN in seen.sides
    shown = voice("comma").join(name or seat_letter(seat) for seat, name in zip(friends, names, strict=True))
    if mine == CALLERS:
        if not friends:
            return voice("picture.with_unknown")
        return voice("picture.with_more" if hidden else "picture.with_five", names=shown)
    key = "against_unknown" if not friends else "against_more" if hidden else "against"
    name = letters.written(voice.look.name(seen.caller))
    short = letters.ellipsis(name, Size.SMALL, Weight.MEDIUM, _CALLER) or voice("picture.the_caller")
    return voice(f"picture.{key}", caller=short, names=shown)


def _note(seen: Observation, voice: Voice) -> str:
    """What is asked of the owner of the hand; empty where nothing is."""
    return now(seen, voice) if seen.viewer in seen.to_act else ""


def _holds(seen: Observation, voice: Voice) -> str:
    """How many cards the hand has, and how many points are in it."""
    held = [total(packed) * POINTS[rank] for rank, packed in enumerate(_ranks(seen))]
    cards, points = voice("picture.hand", n=sum(seen.hand)), voice("picture.hand_points", n=sum(held))
    return f"{cards} · {points}" if sum(seen.hand) else voice("picture.nothing_left")


def _ranks(seen: Observation) -> list[int]:
    """By rank: the packed counts of the hand."""
    return by_rank(card for card, many in enumerate(seen.hand) for _ in range(many))


def _cells(seen: Observation, voice: Voice) -> Grid:
    """The ranks of the hand from low to high; to follow, those with nothing to play are faint."""
    held = _ranks(seen)
    following = seen.viewer in seen.to_act and bool(seen.best)

    def cell(rank: int) -> Box:
        able = following and playable(seen, held, rank)
        return Box(
            _LIFT + _CELL,
            lambda area: (
                _cell(area, seen, rank, held[rank], voice, lifted=able, faint=following and not able),
            ),
        )

    return Grid([cell(rank) for rank in _order(seen) if held[rank]], _COLUMNS)


def _order(seen: Observation) -> tuple[int, ...]:
    """The ranks from low to high: jokers, the Blade on top."""
    return (JOKER, *(rank for rank in ORDER if rank != seen.blade), seen.blade)


def hand(seen: Observation, look: Look) -> Scene:
    """The hand of the observer, 1280 wide and as high as its ranks need."""
    voice = Voice(look)
    name = "" if seen.viewer is None else look.name(seen.viewer)
    head = Box(HEAD.h, lambda _: hand_head(seen.viewer, name, _note(seen, voice)))
    waits = "" if _note(seen, voice) else now(seen, voice)
    lines = Column([Words(line, colour="muted") for line in (waits, side(seen, voice), _holds(seen, voice))])
    return frozen(
        Column((head, Spaced(lines, 8), _cells(seen, voice)), 4),
        _alt(seen, voice),
        look,
        top=HEAD.y,
        ground=GROUND,
    )


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
    said = voice("alt.hand", title=voice("picture.hand", n=sum(seen.hand)), now=now(seen, voice))
    held_said = voice("alt.said", text=voice("alt.semicolon").join(groups))
    friends = voice("alt.said", text=side(seen, voice))
    return alt_text(said, held_said if groups else voice("picture.nothing_left"), friends)
