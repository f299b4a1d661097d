"""A judge of Molecular that foretells more than Sharp's: how much more, what it wins.

    python -m bench.molecular_forecast --games 1500
    python -m bench.molecular_forecast --games 6000 --seed 70002 --write
    python -m bench.molecular_forecast --play 40 --seed 9301 --tries 60 --top 6 --lean 0.03

Sharp's quick rule plays itself on two seats, with some moves drawn from its best five. At each decision of a
turn the numbers of `bench/opponents/molecular_forecast.py` are kept; what they are held against is what the
lead of the seat in turn changes by to the end. Without `--write` the weights in the file are tested on these
games: printed is the part of the variance that they explain, beside that of Sharp's judge, by actions left.
With it they are found anew by a ridge regression, on all games, and written; numpy is needed for that. With
`--play` Sharp's search with this judge plays against Sharp.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from bench.opponents.molecular_forecast import (
    DATA,
    FEW_KNOTS,
    KNOTS,
    hats,
    judge,
    kinds,
    numbers,
    places,
    still,
)
from engine import catalog
from engine.arena import arena, key_of
from engine.molecular import searching
from engine.molecular.cards import BOX
from engine.molecular.heuristic import rated
from engine.molecular.outlook import Outlook

GAME = catalog.get("molecular")
KINDS = len(BOX.groups) + len(BOX.tiles)
SHRINK = 100.0
BUCKETS = ((1, 3), (4, 7), (8, 15), (16, 23), (24, 30))
CHUNK = 20_000
"""Decisions whose numbers are multiplied out at once."""


class Met(NamedTuple):
    """A decision: actions left in the turn, and of both seats, the one in turn first, the actions left in the
    game, the numbers and the kinds held; what both judges expect of the lead, and what became of it."""

    actions: int
    left: tuple[int, int]
    numbers: tuple[list[float], list[float]]
    kinds: tuple[list[int], list[int]]
    expected: tuple[float, float]
    change: float


def played(number: int, seed: int, relaxed: float) -> Iterator[Met]:
    """The decisions of one game."""
    state: Any = GAME.deal(GAME.setup(2, key_of(seed, number)))
    rng = random.Random(f"{seed}/{number}")
    met = []
    while waiting := state.to_act():
        seat = waiting[0]
        plain = state.pending is None and not state.gifts
        if plain and state.actions:
            met.append((seat, state.scores[seat] - state.scores[1 - seat], _kept(state, seat)))
        actions = state.legal_actions(seat)
        move = actions[0]
        if len(actions) > 1:
            if rng.random() < relaxed and state.pending is None:
                view = Outlook.within(state, seat)
                moves = searching._plain(state, seat, view, rng)
                worth = rated(view, moves)
                move = moves[rng.choice(sorted(range(len(moves)), key=lambda one: -worth[one])[:5])]
            else:
                move = searching.policy(state, seat, rng)
        state.push(seat, move)
    for seat, lead, kept in met:
        yield kept._replace(change=state.scores[seat] - state.scores[1 - seat] - lead)


def _kept(state: Any, seat: int) -> Met:
    found = [_of(state, one) for one in (seat, 1 - seat)]
    old = searching._expected(state, seat) - searching._expected(state, 1 - seat)
    lead = state.scores[seat] - state.scores[1 - seat]
    (left, mine, held), (later, theirs, others) = found
    mine = [1.0, *mine, *places(state)]
    now = still(state, seat) - still(state, 1 - seat)
    return Met(state.actions, (left, later), (mine, theirs), (held, others), (old - lead, now), 0.0)


def _of(state: Any, seat: int) -> tuple[int, list[float], list[int]]:
    left, view = searching.actions_left(state, seat), Outlook.within(state, seat)
    return left, numbers(view, left), kinds(view)


def explained(found: Sequence[Met], fresh: bool) -> None:
    """Print how much of the variance both judges explain."""
    for low, high in BUCKETS:
        some = [one for one in found if low <= one.left[0] <= high and (one.actions > 1) == fresh]
        if not some:
            continue
        change = np.array([one.change for one in some])
        parts = [
            1 - float(np.mean((change - np.array([one.expected[judge] for one in some])) ** 2) / change.var())
            for judge in (0, 1)
        ]
        print(
            f"{2 if fresh else 1} to come in the turn, {low} to {high} in the game: {len(some)} decisions, "
            f"deviation {change.std():.2f}, explained by Sharp's {parts[0]:.3f}, by this {parts[1]:.3f}"
        )


def fitted(found: Sequence[Met]) -> dict[str, list[list[float]]]:
    """The weights that foretell these decisions best, a little shrunk."""
    square: Any = 0.0
    right: Any = 0.0
    for start in range(0, len(found), CHUNK):
        some = found[start : start + CHUNK]
        rows = np.array([_row(one) for one in some])
        square = square + rows.T @ rows
        right = right + rows.T @ np.array([one.change for one in some])
    weights = np.linalg.solve(square + SHRINK * np.eye(len(right)), right)
    turn, waits = (len(KNOTS) * len(one) for one in found[0].numbers)
    cut = np.split(weights, [turn, turn + waits])
    return {
        name: [[round(float(weight), 3) for weight in row] for row in part.reshape(count, -1)]
        for name, part, count in zip(
            ("turn", "waits", "kinds"), cut, (len(KNOTS), len(KNOTS), len(FEW_KNOTS)), strict=True
        )
    }


def _row(one: Met) -> Any:
    (mine, theirs), (left, later) = one.numbers, one.left
    counts = [np.bincount(held, minlength=KINDS) for held in one.kinds]
    few = [np.outer(hats(when, FEW_KNOTS), count) for when, count in zip(one.left, counts, strict=True)]
    return np.concatenate(
        [
            np.outer(hats(left, KNOTS), mine).ravel(),
            -np.outer(hats(later, KNOTS), theirs).ravel(),
            (few[0] - few[1]).ravel(),
        ]
    )


def against_sharp(asked: argparse.Namespace) -> None:
    """Print what the search with this judge takes from Sharp."""
    player = replace(
        searching.sharp, judge=judge, budget=asked.tries, depth=asked.depth, top=asked.top, lean=asked.lean
    )
    sides = [("forecast", player), ("sharp", searching.sharp)]
    result = arena(GAME, sides, {}, games=asked.play, seed=asked.seed, seats=2, timer=process_time)
    mine, theirs = result.contenders
    low, high = mine.ci95
    print(
        f"{mine.win_share:.3f} [{low:.3f}, {high:.3f}] of {result.games} games from Sharp; "
        f"{mine.ms_per_decision:.1f} ms of CPU a decision, Sharp {theirs.ms_per_decision:.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=70001)
    parser.add_argument("--relaxed", type=float, default=0.08, help="so many moves are one of the best five")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--play", type=int, default=0, help="games against Sharp")
    parser.add_argument("--tries", type=int, default=60)
    parser.add_argument("--depth", type=int, default=1)
    parser.add_argument("--top", type=int, default=6)
    parser.add_argument("--lean", type=float, default=0.03)
    asked = parser.parse_args()
    if asked.play:
        against_sharp(asked)
        return
    found = [one for number in range(asked.games) for one in played(number, asked.seed, asked.relaxed)]
    if not asked.write:
        for fresh in (True, False):
            explained(found, fresh)
        return
    parts = []
    for fresh in (False, True):
        weights = fitted([one for one in found if (one.actions > 1) == fresh])
        rows = [
            f'    "{name}": [\n'
            + ",\n".join(f"      {json.dumps(row, separators=(',', ':'))}" for row in table)
            for name, table in weights.items()
        ]
        parts.append(f'  "{1 + fresh}": {{\n' + "\n    ],\n".join(rows) + "\n    ]\n  }")
    DATA.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
