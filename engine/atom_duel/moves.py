"""The decisions of Atom Duel: one type, every value made once.

| verb | fields | when |
|---|---|---|
| play | card, power where it has two | your turn |
| flip | slot | your turn under Germanium: the card is seen as it is played |
| announce | power | after a flip showed a card with two powers |
| aim | seat, slot | Laser |
| reveal | seat, slot | Strontium, once for each other player with cards |
| peek | seat, slot | Thallium, up to three slots of one player, seen when all are named |
| trade | seat | Mercury: with whom |
| keep | | Mercury: no trade |
| give | card, or slot where your cards are hidden | Mercury: one of the two cards you give |
| take | slot | Mercury: one of the two cards you take |
| seal | card, power where it has two | last round of level 7: the next card of your row |
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.atom_duel.cards import ANNOUNCED, CARDS, LEVELS, TABLES

MOST_SEATS = 5
MOST_SLOTS = 7


CLOCKWISE = tuple(
    tuple((*range(first, seats), *range(first)) for first in range(seats)) for seats in range(MOST_SEATS + 1)
)
"""By number of seats, then the first of them: all seats in turn."""


class Move(NamedTuple):
    """One decision of one seat; fields that a verb does not need keep their defaults."""

    verb: str
    card: int = 0
    seat: int = -1
    slot: int = -1
    power: str = ""


def _choices(card: int) -> tuple[str, ...]:
    return TABLES[LEVELS].choices[card]


def _with_powers(verb: str) -> Iterator[Move]:
    for card in CARDS:
        for power in ("", *_choices(card)):
            yield Move(verb, card, power=power)


def _universe() -> Iterator[Move]:
    yield from _with_powers("play")
    yield from _with_powers("seal")
    yield Move("keep")
    for power in sorted(ANNOUNCED):
        yield Move("announce", power=power)
    for card in CARDS:
        yield Move("give", card)
    for slot in range(MOST_SLOTS):
        for verb in ("flip", "give", "take"):
            yield Move(verb, slot=slot)
    for seat in range(MOST_SEATS):
        yield Move("trade", seat=seat)
        for slot in range(MOST_SLOTS):
            for verb in ("aim", "reveal", "peek"):
                yield Move(verb, seat=seat, slot=slot)


EVERY: dict[Move, Move] = {move: move for move in _universe()}
"""All moves there are; two equal ones are the same object."""


def _of_cards(verb: str, level: int) -> tuple[tuple[Move, ...], ...]:
    """By card: the ways to use it at this level; entry 0, no card, has none."""
    choices = TABLES[level].choices
    return (
        (),
        *(tuple(EVERY[Move(verb, card, power=power)] for power in choices[card] or ("",)) for card in CARDS),
    )


PLAYS = tuple(_of_cards("play", level) for level in range(LEVELS + 1))
"""By level, then card: the ways to play it."""

SEALS = _of_cards("seal", LEVELS)
"""By card: the ways to put it into the row of the last round."""

KEEP = EVERY[Move("keep")]
FLIPS = tuple(EVERY[Move("flip", slot=slot)] for slot in range(MOST_SLOTS))
GIVE_SLOTS = tuple(EVERY[Move("give", slot=slot)] for slot in range(MOST_SLOTS))
TAKES = tuple(EVERY[Move("take", slot=slot)] for slot in range(MOST_SLOTS))
GIVES = {card: EVERY[Move("give", card)] for card in CARDS}
TRADES = tuple(EVERY[Move("trade", seat=seat)] for seat in range(MOST_SEATS))
ANNOUNCES = {power: EVERY[Move("announce", power=power)] for power in ANNOUNCED}
AT_SLOTS = {
    verb: tuple(
        tuple(EVERY[Move(verb, seat=seat, slot=slot)] for slot in range(MOST_SLOTS))
        for seat in range(MOST_SEATS)
    )
    for verb in ("aim", "reveal", "peek")
}
"""By verb, seat and slot: pointing at a card of another player."""


def parse(data: object) -> Move:
    """The move of a JSON value: a list of verb, card, seat, slot and power.

    Raises:
        ValueError: there is no such move.
    """
    if not isinstance(data, (list, tuple)) or [type(item) for item in data] != [str, int, int, int, str]:
        raise ValueError("a move is a list of verb, card, seat, slot and power")
    move = EVERY.get(Move(*data))
    if move is None:
        raise ValueError(f"there is no move {list(data)!r:.80}")
    return move
