"""Five players: how likely each player is to be on the side of the one who asks, judged by what they do.

Everybody knows the caller and the own side, so the telling acts are those towards the caller: his
partners let his cards stand more often than his opponents do. The odds start from the ways in which the
called card can lie (`sides.spreads`), so nothing that is known is ever forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Final

from engine.atom.cards import count
from engine.atom.observation import Observation
from engine.atom.sides import CALLERS, spreads, teams_of
from engine.game import Seat

BEATS_AS_PARTNER: Final = 0.15
BEATS_AS_OPPONENT: Final = 0.6
"""Rates at which partners and opponents who can beat the caller's cards do so. The heuristic beats them in
8 % and 83 % of cases (research/atom.md); people are less regular, so these rates are closer together."""
_BEAT: Final = log(BEATS_AS_PARTNER / BEATS_AS_OPPONENT)
_LET: Final = log((1 - BEATS_AS_PARTNER) / (1 - BEATS_AS_OPPONENT))


def partners(seen: Observation, *, by_play: bool = True) -> tuple[float, ...]:
    """By seat: how likely it is on the caller's side; without `by_play` from the cards alone."""
    caller, called = seen.caller, seen.called
    if called < 0:
        return tuple(1.0 if seat == caller else 1 / 3 for seat in range(seen.seats))
    own = (seen.viewer, seen.hand[called]) if seen.viewer is not None else None
    played = tuple(count(one[called >> 2], called) for one in seen.played)
    ways = spreads(caller, played, own, seen.left, seen.phase == "over")
    said = signs(seen.beaten, seen.let, caller) if by_play else [0.0] * seen.seats
    chances = [0.0] * seen.seats
    every = 0.0
    for dealt, weight in ways:
        mine = [seat for seat, side in enumerate(teams_of(caller, dealt)) if side == CALLERS]
        share = weight * exp(sum(said[seat] for seat in mine if seat != caller))
        every += share
        for seat in mine:
            chances[seat] += share
    return tuple(chance / every for chance in chances)


def signs(beaten: Sequence[int], let: Sequence[int], caller: Seat) -> list[float]:
    """By seat: what its acts towards the caller say for its being his partner, in nats."""
    pairs = range(caller, len(beaten), 5)
    return [beaten[pair] * _BEAT + let[pair] * _LET for pair in pairs]


def allies(seen: Observation) -> tuple[float, ...]:
    """By seat: how likely it is on the side of the viewer; sure with four players."""
    viewer = seen.viewer or 0
    if seen.seats == 4:
        return tuple(float(side == seen.sides[viewer]) for side in seen.sides)
    chances = partners(seen)
    if seen.called >= 0 and seen.sides[viewer] != CALLERS:
        chances = tuple(1 - chance for chance in chances)
    return tuple(1.0 if seat == viewer else chance for seat, chance in enumerate(chances))
