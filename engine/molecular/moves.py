"""The moves of Molecular: a single type, with every value created once.

| verb | fields | when |
|---|---|---|
| tile | what (kind), q, r, turn | an action, Catalyst's free tile, or Serendipity |
| reveal | | an action: turn over the top effector |
| group | what (group) | an action, or Rapid publication |
| pass | | give up an action, or the free tile after both |
| forfeit | | instead of both actions, for one point |
| skip | | Serendipity, Rapid publication: no free play |
| spill | q, r | Spillage: the end tile to remove |
| clear | what (group) | Erratum: the group whose counters go |
| rival | what (group) | Rival paper: a counter on this group, twice |
| poach | what (seat) | Poached student: from whom |
| give | what (group) | Poached student, Conference: the card you give |
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.molecular.board import REACH, place_of
from engine.molecular.cards import EDGES, GROUPS, KINDS, MOST_SEATS, SHAPES

TILE_ACTION, REVEAL_ACTION, GROUP_ACTION = 1, 2, 4
"""Kinds of action, a bit each. Safety audit forbids using one twice in a turn."""
EVERY_ACTION = TILE_ACTION | REVEAL_ACTION | GROUP_ACTION
ACTIONS = {"tile": TILE_ACTION, "reveal": REVEAL_ACTION, "group": GROUP_ACTION}
"""The kind of action that each verb uses, unless it is free."""


class Move(NamedTuple):
    """One decision of one seat. Fields that a verb does not need keep their defaults."""

    verb: str
    what: int = -1
    q: int = 0
    r: int = 0
    turn: int = 0


def _plain() -> Iterator[Move]:
    for verb in ("reveal", "pass", "forfeit", "skip"):
        yield Move(verb)
    for group in range(GROUPS):
        for verb in ("group", "clear", "rival", "give"):
            yield Move(verb, group)
    for seat in range(MOST_SEATS):
        yield Move("poach", seat)


EVERY: dict[Move, Move] = {move: move for move in _plain()}
"""All moves without a cell; equal ones are the same object."""

REVEAL = EVERY[Move("reveal")]
PASS = EVERY[Move("pass")]
FORFEIT = EVERY[Move("forfeit")]
SKIP = EVERY[Move("skip")]
PLAYS = tuple(EVERY[Move("group", group)] for group in range(GROUPS))
CLEARS = tuple(EVERY[Move("clear", group)] for group in range(GROUPS))
RIVALS = tuple(EVERY[Move("rival", group)] for group in range(GROUPS))
GIVES = tuple(EVERY[Move("give", group)] for group in range(GROUPS))
POACHES = tuple(EVERY[Move("poach", seat)] for seat in range(MOST_SEATS))

_MOST_KEPT = 800
"""Cells to cache. Random games with every number of seats use about six hundred."""


class _Laid(dict[int, tuple[Move, ...]]):
    def __missing__(self, cell: int) -> tuple[Move, ...]:
        if len(self) >= _MOST_KEPT:
            self.clear()
        q, r = place_of(cell)
        make = Move._make  # takes half as long as a call with fields
        moves = self[cell] = tuple([make(("tile", kind, q, r, turn)) for kind, turn in SHAPES])
        return moves


LAID: dict[int, tuple[Move, ...]] = _Laid()
"""The moves into a cell, by `[cell]` and shape. Created once while the cell stays cached."""


def sound(move: object) -> bool:
    """Return whether this is a well-formed move: a verb of the game, with possible field values."""
    if not isinstance(move, tuple) or len(move) != len(Move._fields):
        return False
    verb, what, q, r, turn = move
    # not a loop over the fields: every action of a replay comes through here twice
    whole = type(what) is int and type(q) is int and type(r) is int and type(turn) is int
    if not whole or type(verb) is not str:
        return False
    if verb == "tile":
        return bool(0 <= what < KINDS and 0 <= turn < EDGES and abs(q) < REACH and abs(r) < REACH)
    if verb == "spill":
        return bool(what == -1 and not turn and abs(q) < REACH and abs(r) < REACH)
    return move in EVERY


def parse(data: object) -> Move:
    """Parse a move from JSON: a list of verb, what, q, r and turn.

    Raises:
        ValueError: there is no such move.
    """
    if not isinstance(data, (list, tuple)) or len(data) != len(Move._fields):
        raise ValueError(f"there is no move {data!r:.80}")
    move = Move._make(data)
    if not sound(move):
        raise ValueError(f"there is no move {data!r:.80}")
    return move if move.verb == "tile" else EVERY.get(move, move)
