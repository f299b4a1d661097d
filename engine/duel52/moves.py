"""The moves of Duel 52; each value is created only once.

A *unit* is a card on the table, identified by the order in which cards were laid: bases first, then in order
of play. That order is public, so the numbers reveal nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from engine.playing_cards import DECK52

UNITS: Final = 52
"""Maximum number of units: every card is laid at most once."""
LANES: Final = 4
SEATS: Final = 4


class Move(NamedTuple):
    """A move; fields that a verb does not use are -1.

    `play` a card into a lane · `flip` a unit · `attack` with a unit (either one of a pair) a target, and a
    second one · `pair` a unit with a target · `look` at a target (4) · `move` a target (Queen), or `stay`
    instead · `order` the unit whose power works next (5, King) · `discard` a card (2) · `open` both hands,
    then `bet` on the side `target` (solo).
    """

    verb: str
    card: int = -1
    lane: int = -1
    unit: int = -1
    target: int = -1
    second: int = -1


VERBS: Final = ("play", "flip", "attack", "pair", "look", "move", "stay", "order", "discard", "open", "bet")

PLAYS: Final = tuple(
    tuple(tuple(Move("play", card, lane) for lane in range(lanes)) for card in DECK52)
    for lanes in range(LANES + 1)
)
"""Plays, by number of lanes, card and lane."""
FLIPS: Final = tuple(Move("flip", unit=unit) for unit in range(UNITS))
ATTACKS: Final = tuple(
    tuple(Move("attack", unit=unit, target=target) for target in range(UNITS)) for unit in range(UNITS)
)
"""Attacks, by unit and target."""
PAIRS: Final = tuple(
    tuple(Move("pair", unit=unit, target=target) for target in range(UNITS)) for unit in range(UNITS)
)
LOOKS: Final = tuple(Move("look", target=unit) for unit in range(UNITS))
MOVES: Final = tuple(Move("move", target=unit) for unit in range(UNITS))
STAY: Final = Move("stay")
ORDERS: Final = tuple(Move("order", unit=unit) for unit in range(UNITS))
DISCARDS: Final = tuple(Move("discard", card) for card in DECK52)
OPEN: Final = Move("open")
BETS: Final = tuple(Move("bet", target=side) for side in range(2))


@cache
def strike(unit: int, target: int, second: int) -> Move:
    """Return a 10's attack on two targets."""
    return Move("attack", unit=unit, target=target, second=second)


_USES: Final = {
    "play": ("card", "lane"),
    "flip": ("unit",),
    "attack": ("unit", "target"),
    "pair": ("unit", "target"),
    "look": ("target",),
    "move": ("target",),
    "stay": (),
    "order": ("unit",),
    "discard": ("card",),
    "open": (),
    "bet": ("target",),
}
_ENDS: Final = {"card": 52, "lane": LANES, "unit": UNITS, "target": UNITS, "second": UNITS}


def parse(data: object) -> Move:
    """Return the move of a JSON value: a list of verb, card, lane, unit, target and second target.

    Raises:
        ValueError: there is no such move.
    """
    if not isinstance(data, list | tuple) or [type(item) for item in data] != [str, *[int] * 5]:
        raise ValueError("a move is a list of verb, card, lane, unit, target and second target")
    move = Move(*data)
    if not exists(move):
        raise ValueError(f"there is no move {list(data)!r:.80}")
    return move


def exists(move: object) -> bool:
    """Return whether this is a move at all, at any table."""
    if not isinstance(move, tuple) or len(move) != len(Move._fields) or move[0] not in VERBS:
        return False
    used = _USES[move[0]]
    for name, value in zip(Move._fields[1:], move[1:], strict=True):
        if type(value) is not int:
            return False
        if name == "second" and move[0] == "attack" and value != -1:
            if not 0 <= value < UNITS or value == move[4]:
                return False
        elif (name in used and not 0 <= value < _ENDS[name]) or (name not in used and value != -1):
            return False
    return not (move[0] == "bet" and move[4] > 1)
