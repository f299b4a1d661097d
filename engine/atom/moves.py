"""The decisions of Atom: one type.

| verb | cards | when |
|---|---|---|
| play | the cards laid, ascending | your turn |
| pass | | your turn, unless you lead |
| call | one card | five players: the caller, before the first trick |
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.atom.cards import CARDS

MOST: Final = 30
"""The most cards that one play can hold: five packs have 20 cards of a rank and 10 jokers."""


class Move(NamedTuple):
    """One decision of one seat. Equal cards stand beside each other: which copy it is never matters."""

    verb: str
    cards: tuple[int, ...] = ()


PASS: Final = Move("pass")
CALLS: Final = tuple(Move("call", (card,)) for card in range(CARDS))
"""By card: the call of it. Jokers stand here to be refused with words."""


def is_move(move: object) -> bool:
    """Whether it is a move at all, legal or not."""
    if not isinstance(move, tuple) or len(move) != 2 or not isinstance(move[1], tuple):
        return False
    verb, cards = move
    if not all(type(card) is int and 0 <= card < CARDS for card in cards):
        return False
    many = len(cards)
    return (
        (verb == "play" and 1 <= many <= MOST)
        or (verb == "pass" and not many)
        or (verb == "call" and many == 1)
    )


def parse(data: object) -> Move:
    """The move of a JSON value: a list of a verb and a list of cards, in any order.

    Raises:
        ValueError: it is no move.
    """
    if isinstance(data, (list, tuple)) and len(data) == 2 and isinstance(data[1], (list, tuple)):
        verb, cards = data[0], tuple(data[1])
        if is_move((verb, cards)):
            return PASS if verb == "pass" else Move(verb, tuple(sorted(cards)))
    raise ValueError(f"there is no move {data!r:.80}")
