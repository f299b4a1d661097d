"""How a game is settled and a match is scored.

Source: docs/rules/atom.md, sections 4.4 and 5. Points are those of the cards (300 or 500 in all), match
points are the single, double or triple score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from engine.game import Outcome, Seat, Standing

FEW: Final = 60
"""A team with fewer points than this loses double."""
EACH: Final = 100
"""Five players: the points per head that a team must exceed."""
SINGLE, DOUBLE, TRIPLE = 1, 2, 3


class GameResult(msgspec.Struct, frozen=True):
    """A finished game.

    `order` are the seats as they ran out of cards, upstream first; `downstream` those that still held
    some. `captured` are the points taken in tricks, by seat; `left` the points in the hands left;
    `teams` the side of each seat (0 or 1); `totals` the points of both sides after the settlement.
    `sweep` is the side whose members were all out before anybody else was, or -1.
    """

    game: int
    blade: int
    order: tuple[Seat, ...]
    downstream: tuple[Seat, ...]
    captured: tuple[int, ...]
    left: tuple[int, ...]
    teams: tuple[int, ...]
    totals: tuple[int, int]
    sweep: int


def settle(
    which: tuple[int, int],
    order: Sequence[Seat],
    captured: Sequence[int],
    left: Sequence[int],
    teams: Sequence[int],
) -> GameResult:
    """Settle a game: what downstream captured goes to upstream, what it holds to the other side.

    `which` is the number of the game and its Blade. When the first ones out are a whole side, everybody
    else is downstream, so that side gets everything.
    """
    totals = [0, 0]
    downstream = tuple(seat for seat in range(len(teams)) if seat not in order)
    up = teams[order[0]]
    for seat, side in enumerate(teams):
        if seat in downstream:
            totals[up] += captured[seat]
            totals[1 - side] += left[seat]
        else:
            totals[side] += captured[seat]
    members = [seat for seat, side in enumerate(teams) if side == up]
    sweep = up if set(order) == set(members) else -1
    return GameResult(
        *which,
        tuple(order),
        downstream,
        tuple(captured),
        tuple(left),
        tuple(teams),
        (totals[0], totals[1]),
        sweep,
    )


def needs_second(result: GameResult) -> bool:
    """Four players: whether the first game leaves the match open."""
    return result.sweep < 0 and min(result.totals) >= FEW


def _match_of_four(results: Sequence[GameResult]) -> tuple[int, int, str]:
    """Winning side, score and reason."""
    first = results[0]
    if first.sweep >= 0:
        return first.sweep, DOUBLE, "sweep"
    for side in (0, 1):
        if first.totals[1 - side] < FEW:
            return side, DOUBLE, "few_points"
    zero, one = (first.totals[side] + results[1].totals[side] for side in (0, 1))
    if zero == one:
        return first.teams[first.order[0]], SINGLE, "upstream"
    return int(one > zero), SINGLE, "points"


def _match_of_five(result: GameResult) -> tuple[int, int, str]:
    for side in (0, 1):
        if result.sweep == side:
            return side, TRIPLE, "sweep"
        if result.totals[1 - side] == 0:
            return side, TRIPLE, "all_points"
    for side in (0, 1):
        if result.totals[1 - side] < FEW:
            return side, DOUBLE, "few_points"
    target = EACH * result.teams.count(0)
    if result.totals[0] == target:
        return result.teams[result.order[0]], SINGLE, "upstream"
    return int(result.totals[0] < target), SINGLE, "points"


def outcome(results: Sequence[GameResult]) -> Outcome:
    """The end of a match: the winners have plus, the losers minus the score."""
    last = results[-1]
    side, score, reason = _match_of_four(results) if len(last.teams) == 4 else _match_of_five(last)
    standings = tuple(
        Standing(1, float(score), team) if team == side else Standing(2, float(-score), team)
        for team in last.teams
    )
    totals = [sum(result.totals[team] for result in results) for team in (0, 1)]
    facts = {
        "side": side,
        "score": score,
        "totals": totals,
        "games": [list(result.totals) for result in results],
        "upstream": results[0].order[0],
    }
    return Outcome(standings, reason, facts)
