"""What a hand can do now, and what it lacks: worked out from an observation."""

from __future__ import annotations

from collections.abc import Sequence

from engine.chemistry import observation as engine
from engine.chemistry.deck import BASIC, BOOK, KINDS, NEEDS, SIZES, WILD
from engine.chemistry.moves import RUN, Move, capture, lack, missing, run, runs
from engine.chemistry.observation import Observation
from engine.elements import BY_SYMBOL


def counted(cards: Sequence[int]) -> bytearray:
    """A hand as the rules count it: how many cards of each kind."""
    hand = bytearray(KINDS)
    for card in cards:
        hand[card] += 1
    return hand


def shortages(seen: Observation) -> list[tuple[int, int, tuple[int, ...]]]:
    """For each face-up compound: (compound, cards lacking with wilds counted, which elements would help)."""
    hand = counted(seen.hand)
    return [(number, lack(number, hand), _missing(number, hand)) for number in seen.row]


def _missing(number: int, hand: bytearray) -> tuple[int, ...]:
    """The elements that are not held often enough, in the order of the formula."""
    short = missing(number, hand)
    return tuple(z for symbol in BOOK.compounds[number].elements if (z := BY_SYMBOL[symbol].z) in short)


def best_try(number: int, cards: Sequence[int]) -> Move:
    """The capture of a compound with all that a hand has for it, wild cards too; it may fall short."""
    hand = counted(cards)
    given = [z for z, n in NEEDS[number] for _ in range(min(n, hand[z]))]
    wilds = min(hand[WILD], SIZES[number] - len(given))
    return capture(number, (WILD,) * wilds + tuple(given))


def wilds_for(number: int, cards: Sequence[int]) -> int:
    """How many wild cards a hand that has all for a compound gives at least for it."""
    return best_try(number, cards).cards.count(WILD)


def near_runs(seen: Observation) -> list[tuple[Move, int]]:
    """Where a hand can lay no run: those of which it holds two cards, and the number that is missing.

    With a wild card two of three would be a run, so a hand with one is near to nothing in particular.
    """
    hand = counted(seen.hand)
    if not seen.canasta or hand[WILD] or runs(hand):
        return []
    found = []
    for start in BASIC[: -RUN + 1]:
        short = [number for number in range(start, start + RUN) if not hand[number]]
        if len(short) == 1:
            found.append((run(start, (start, start + 1, start + 2)), short[0]))
    return found


def use_of(card: int, row: Sequence[int]) -> int:
    """How good a card on the discard pile is for whoever may take it: how many of these compounds
    it is part of; a wild card beats any element."""
    return len(BOOK.compounds) if card == WILD else sum(card == z for one in row for z, _ in NEEDS[one])


def least_useful(seen: Observation) -> list[int]:
    """Return the kinds of cards held, but the wild ones, in the order in which to discard them.

    Last come those that a capture or a run needs which the hand could make now, first those of no use.
    """
    kinds = {card for card in seen.hand if card != WILD}

    def use(card: int) -> tuple[int, int, int, int]:
        reach = range(card - RUN + 1, card + RUN) if seen.canasta else ()
        return _plays_lost(seen, card), use_of(card, seen.row), len(kinds.intersection(reach)), card

    return sorted(kinds, key=use)


def _plays_lost(seen: Observation, card: int) -> int:
    """Return how many captures and runs without wild cards a hand could make but for this card."""
    full, rest = counted(seen.hand), counted(seen.hand)
    rest[card] -= 1
    captures = sum(not lack(number, full) and bool(lack(number, rest)) for number in seen.row)
    full[WILD] = rest[WILD] = 0
    return captures + (len(runs(full)) - len(runs(rest)) if seen.canasta else 0)


def can_still_play(seen: Observation) -> bool:
    """Whether a capture or a run lies before the viewer, in this turn or in the next one."""
    return not seen.over and (seen.viewer not in seen.to_act or seen.phase <= engine.PLAY)


def just_drawn(seen: Observation) -> int:
    """The card that the viewer took from the stock last."""
    order = seen.orders[-1]
    return order[len(order) - seen.stock - 1]


def open_claims(seen: Observation) -> list[tuple[int, int, int]]:
    """The wild cards in runs: (the number that each stands for, whose run, which one).

    There are none when the game is over: nobody can take them any more.
    """
    if seen.over:
        return []
    return [
        (start + step, seat, place)
        for seat, runs in enumerate(seen.runs)
        for place, (start, cards) in enumerate(runs)
        for step, card in enumerate(cards)
        if card == WILD
    ]
