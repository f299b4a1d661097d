"""Five players: who can be whose partner, for all one knows (docs/rules/atom.md, sections 2.4 and 4.3).

The caller's partners are those who were dealt two or more of the called card. What one player knows of
that is a small set of *spreads*: how many copies each of the others may still hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import Final

from engine.game import Seat

UNKNOWN: Final = -1
CALLERS, OTHERS = 0, 1
"""The two sides: that of the caller, and the other."""
PAIR: Final = 2
"""Copies of the called card that make a partner."""

Spread = tuple[int, ...]
"""By seat: how many copies of the called card it was dealt."""


def teams_of(caller: Seat, dealt: Sequence[int]) -> tuple[int, ...]:
    """The side of each seat, from the copies of the called card that each was dealt."""
    return tuple(CALLERS if seat == caller or many >= PAIR else OTHERS for seat, many in enumerate(dealt))


@lru_cache(maxsize=512)
def spreads(
    caller: Seat, played: tuple[int, ...], own: tuple[int, int] | None, left: tuple[int, ...], over: bool
) -> tuple[tuple[Spread, int], ...]:
    """All ways in which the copies can have been dealt, each with its weight (ways to hold the cards).

    `played` are the copies that each seat has played, `own` a viewer with the copies that it holds,
    `left` everybody's number of cards. While the game is not `over`, no side is all out.
    """
    copies = len(left)
    unseen = copies - sum(played) - (own[1] if own else 0)
    shut = (caller, own[0] if own else caller)
    open_ = [seat for seat in range(len(left)) if left[seat] and seat not in shut]
    found = []

    def deal(at: int, rest: int, held: tuple[int, ...], weight: int) -> None:
        if at == len(open_):
            if not rest:
                found.append((held, weight))
            return
        room = left[open_[at]]
        for many in range(min(rest, room) + 1):
            deal(at + 1, rest - many, (*held, many), weight * comb(room, many))

    deal(0, unseen, (), 1)
    out = []
    for held, weight in found:
        dealt = list(played)
        if own:
            dealt[own[0]] += own[1]
        for seat, many in zip(open_, held, strict=True):
            dealt[seat] += many
        teams = teams_of(caller, dealt)
        going = {teams[seat] for seat in range(len(left)) if left[seat]}
        if over or len(going) == 2:
            out.append((tuple(dealt), weight))
    return tuple(out)


def known(caller: Seat, ways: Sequence[tuple[Spread, int]]) -> tuple[int, ...]:
    """The side of each seat where all ways agree, else UNKNOWN."""
    teams = {teams_of(caller, dealt) for dealt, _ in ways}
    return tuple(sides.pop() if len(sides) == 1 else UNKNOWN for sides in map(set, zip(*teams, strict=True)))
