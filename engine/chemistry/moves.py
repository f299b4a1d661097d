"""The moves of Compound Capture and Chemistry Canasta: one type, and each value created only once.

| verb | fields | when |
|---|---|---|
| draw | what: STOCK or PILE | at the start of your turn, one choice for each of two cards |
| capture | what: compound; cards in the named order, the last one ends on top | after drawing |
| run | what: lowest number; the three cards in order | Canasta, after drawing, instead of a capture |
| claim | what: number; whose run (seat), which one (place) | Canasta, any time in your turn |
| discard | what: card | after drawing; in Canasta also after a run, and with one card left after a capture |
| end | | Canasta: nothing more after a capture |

In `cards` and `what` a wild card is WILD. If orders of the same cards differ only below the top of the
discard pile, the ascending one represents them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from operator import itemgetter
from typing import NamedTuple

from engine.chemistry.deck import BASIC, BOOK, KINDS, NEEDS, SIZES, WILD

STOCK, PILE = 0, 1
MOST_SEATS = 6
RUN = 3


class Move(NamedTuple):
    """One decision of one seat; fields that a verb does not need keep their defaults."""

    verb: str
    what: int = 0
    cards: tuple[int, ...] = ()
    seat: int = -1
    place: int = -1


DRAWS = (Move("draw", STOCK), Move("draw", PILE))
DISCARDS = tuple(Move("discard", card) for card in range(KINDS))
END = Move("end")


@cache
def claim(number: int, seat: int, place: int) -> Move:
    """Replace a wild card in a run by the element it represents."""
    return Move("claim", number, (), seat, place)


@cache
def run(start: int, cards: tuple[int, int, int]) -> Move:
    """Lay a run that starts at the number `start`."""
    return Move("run", start, cards)


@cache
def capture(compound: int, cards: tuple[int, ...]) -> Move:
    """Capture a compound with these cards."""
    return Move("capture", compound, cards)


@cache
def ways(compound: int, have: tuple[int, ...], wilds: int) -> tuple[Move, ...]:
    """Return every way to capture a compound with `have` cards of each needed element (in the order of
    NEEDS).

    The ways with the fewest wilds come first; among those, an element on top precedes a wild.
    """
    found = []
    needs, size = NEEDS[compound], SIZES[compound]
    for used in product(*(range(min(n, held), -1, -1) for (_, n), held in zip(needs, have, strict=True))):
        wild = size - sum(used)
        if wild > wilds or wild == size:
            continue
        cards = [WILD] * wild + [z for (z, _), count in zip(needs, used, strict=True) for _ in range(count)]
        found += [(wild, top == WILD, top, _topped(cards, top)) for top in set(cards)]
    found.sort()
    return tuple(capture(compound, cards) for _, _, _, cards in found)


def _topped(cards: Sequence[int], top: int) -> tuple[int, ...]:
    rest = sorted(cards)
    rest.remove(top)
    return (*rest, top)


_Relevant = Callable[[Sequence[int]], tuple[int, ...]]
_by_hand: tuple[tuple[_Relevant, dict[tuple[int, ...], tuple[Move, ...]]], ...] = tuple(
    (itemgetter(*(z for z, _ in needs), WILD), {}) for needs in NEEDS
)
"""For each compound, a getter of the relevant part of a hand (cards of each needed element, and wilds), and a
cache of the ways to capture it with such a hand."""


def captures(row: Sequence[int], hand: Sequence[int]) -> list[Move]:
    """Return all captures of face-up compounds from a hand (card counts by kind)."""
    found: list[Move] = []
    for compound in row:
        relevant, known = _by_hand[compound]
        held = relevant(hand)
        moves = known.get(held)
        if moves is None:
            have = tuple(min(hand[z], n) for z, n in NEEDS[compound])
            # fewer kinds of hands matter than there are: the clamped ones share their moves
            moves = known[held] = ways(compound, have, min(hand[WILD], SIZES[compound] - 1))
        if moves:
            found += moves
    return found


def missing(compound: int, hand: Sequence[int]) -> dict[int, int]:
    """Return the atoms a hand lacks for a compound, before any wilds are used."""
    return {z: n - hand[z] for z, n in NEEDS[compound] if hand[z] < n}


def lack(compound: int, hand: Sequence[int]) -> int:
    """Return how many cards a capture still lacks, with wilds used; 0 means it is possible now.

    A hand without any of its elements lacks at least one card, however many wilds it has.
    """
    held = 0
    for z, n in NEEDS[compound]:
        have = hand[z]
        held += have if have < n else n
    short = SIZES[compound] - held - hand[WILD]
    return max(short, 0 if held else 1)


def _patterns() -> Iterator[tuple[int, tuple[int, ...], tuple[Move | None, ...]]]:
    """Yield for each pattern of wilds their number, the offsets of the other kinds held, and a table of runs
    by the first kind held."""
    for shape in product((True, False), repeat=RUN):
        if not any(shape):
            continue
        held = [place for place in range(RUN) if shape[place]]
        table: list[Move | None] = [None] * KINDS
        for start in BASIC[: -RUN + 1]:
            a, b, c = (start + place if shape[place] else WILD for place in range(RUN))
            table[start + held[0]] = run(start, (a, b, c))
        yield RUN - len(held), tuple(place - held[0] for place in held[1:]), tuple(table)


_RUNS = tuple(sorted(_patterns(), key=lambda pattern: pattern[0]))
_ONES = int.from_bytes(b"\x7f" * KINDS, "little")
_HIGH = int.from_bytes(b"\x80" * KINDS, "little")


def runs(hand: bytearray) -> list[Move]:
    """Return all runs a hand (card counts by kind, one byte each) can lay."""
    found: list[Move] = []
    wilds = hand[WILD]
    # one flag a byte: adding 127 carries into the high bit exactly where at least one card is held
    flags = (int.from_bytes(hand, "little") + _ONES & _HIGH) >> 7 & ~1
    for used, steps, table in _RUNS:
        if used > wilds:
            break
        there = flags
        for step in steps:
            there &= flags >> 8 * step
        while there:
            low = there & -there
            move = table[low.bit_length() - 1 >> 3]
            if move is not None:
                found.append(move)
            there ^= low
    return found


def parse(data: object) -> Move:
    """Return the move of a JSON value: a list of verb, what, cards, seat and place.

    Raises:
        ValueError: there is no such move.
    """
    if not isinstance(data, list | tuple) or len(data) != len(Move._fields):
        raise ValueError("a move is a list of verb, what, cards, seat and place")
    verb, what, cards, seat, place = data
    if not isinstance(cards, list | tuple):
        raise ValueError("the cards of a move are a list")
    whole = type(what) is int and type(seat) is int and type(place) is int
    if not whole or type(verb) is not str or (cards and {type(card) for card in cards} != {int}):
        raise ValueError("a move has a verb and whole numbers")
    move = Move(verb, what, tuple(cards), seat, place)
    if not exists(move):
        raise ValueError(f"there is no move {list(data)!r:.80}")
    return move


def exists(move: object) -> bool:
    """Return whether this is a move of these games at all, legal or not."""
    if not isinstance(move, Move):
        return False
    verb, what, cards, seat, place = move
    if cards and not all(0 <= card < KINDS for card in cards):
        return False
    if verb == "draw":
        return move in DRAWS
    if verb == "discard":
        return 0 <= what < KINDS and move == DISCARDS[what]
    if verb == "capture":
        return 0 <= what < len(BOOK.compounds) and len(cards) <= max(SIZES) + 1 and (seat, place) == (-1, -1)
    if verb == "run":
        return 1 <= what <= len(BASIC) and len(cards) == RUN and (seat, place) == (-1, -1)
    if verb == "claim":
        return 1 <= what < KINDS and not cards and 0 <= seat < MOST_SEATS and 0 <= place < len(BASIC)
    return move == END
