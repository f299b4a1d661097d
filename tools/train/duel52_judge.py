"""Measure or fit the teacher's chance to win in Duel 52, on turns of self-play.

    python -m tools.train.duel52_judge --games 120 --seed 5

The steady opponent plays itself, and the casual one makes some of the decisions. At every second decision
(every sixth while the draw pile is large), the seat's choice is followed to the end of its turn and through
the answers, as in the study, and the predicted chance is compared with the result. Prints the squared (Brier)
and the logarithmic error by cards left to draw, and the win rate for each predicted chance. Games that end
within the turn are left out. `--fit` prints weights for `engine/duel52/ai/forecast.py` instead, by Newton's
method, and needs numpy.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from math import log
from typing import Any, NamedTuple

from engine import catalog, levels
from engine.arena import key_of
from engine.duel52.ai.forecast import KNOTS, TRAITS, share, traits, weights_at
from engine.duel52.ai.plan import turn
from engine.duel52.ai.search import EFFORT
from engine.duel52.sample import sample
from engine.game import Seat

GAME = catalog.get("duel52")
CASUAL = 0.15
BUCKETS = ((0, 0), (1, 4), (5, 13), (14, 99))
NEVER, SHRINK, STEPS = 0.01, 2e-4, 40
"""The least chance that counts in a logarithm; how hard weights are held back in a fit, and its steps."""


class Said(NamedTuple):
    """The end of a turn: cards to draw, predicted chance, traits, and the result."""

    pile: int
    chance: float
    traits: Sequence[float]
    won: float


def played(seed: int) -> Iterator[Said]:
    """The turns of one game."""
    rng = random.Random(seed)
    state: Any = GAME.deal(GAME.setup(2, key_of(seed, 79)))
    steady, casual = GAME.opponents[levels.STEADY], GAME.opponents[levels.CASUAL]
    met, ends = 0, list[tuple[Seat, float, Any]]()
    while waiting := state.to_act():
        seat = waiting[0]
        actions = state.legal_actions(seat)
        made = actions[0]
        if len(actions) > 1:
            met += 1
            seen = state.observe(seat)
            made = (casual if rng.random() < CASUAL else steady)(seen, actions, rng)
            if not state.asks and met % (2 if len(state.pile) < 10 else 6) == 0:
                value, end = turn(sample(seen, rng), seat, made, EFFORT)
                if not end.ranks:
                    ends.append((seat, value, end.clone()))
        state.push(seat, made)
    for seat, value, end in ends:
        won = 0.5 if state.ranks[0] == state.ranks[1] else float(state.ranks[seat] == 1)
        yield Said(len(end.pile), share(end, seat, value), traits(end, seat, value), won)


def errors(found: Sequence[Said]) -> str:
    """The mean squared error and the logarithmic one."""
    squares = sum((one.chance - one.won) ** 2 for one in found) / len(found)
    logs = 0.0
    for one in found:
        chance = min(1 - NEVER, max(NEVER, one.chance))
        logs -= one.won * log(chance) + (1 - one.won) * log(1 - chance)
    return f"{len(found)} turns: squared error {squares:.4f}, logarithmic {logs / len(found):.4f}"


def fitted(found: Sequence[Said]) -> Any:
    """Return maximum-likelihood weights for each knot, slightly shrunk."""
    import numpy as np

    parts = np.array([[np.interp(one.pile, KNOTS, row) for row in np.eye(len(KNOTS))] for one in found])
    given = np.array([one.traits for one in found])
    table = np.concatenate([given * parts[:, [knot]] for knot in range(len(KNOTS))], axis=1)
    won, spread = np.array([one.won for one in found]), table.std(axis=0)
    spread[spread == 0] = 1
    table = table / spread
    weights = np.zeros(table.shape[1])
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (said - won) / len(won) + SHRINK * weights
        bend = (table * (said * (1 - said))[:, None]).T @ table / len(won) + SHRINK * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    return np.round((weights / spread).reshape(len(KNOTS), len(TRAITS)), 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--fit", action="store_true")
    asked = parser.parse_args()
    found = [one for number in range(asked.games) for one in played(1000 * asked.seed + number)]
    if asked.fit:
        print(TRAITS)
        for knot, row in zip(KNOTS, fitted(found), strict=True):
            print(knot, row.tolist(), "now", [round(one, 2) for one in weights_at(knot)])
        return
    for least, most in BUCKETS:
        if some := [one for one in found if least <= one.pile <= most]:
            print(f"{least} to {most} cards to draw, {errors(some)}")
    late = [one for one in found if not one.pile]
    for tenth in range(10):
        if some := [one for one in late if tenth <= 10 * one.chance < tenth + 1]:
            said, won = (
                sum(each) / len(some) for each in zip(*((one.chance, one.won) for one in some), strict=True)
            )
            print(f"  none to draw: {len(some)} times said {said:.2f}, was {won:.2f}")


if __name__ == "__main__":
    main()
