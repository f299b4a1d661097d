"""Measure what a report costs in each kind of tournament, with random results.

    python -m tools.bench.brackets [--swiss-rounds 5]

Prints CPU milliseconds from a report to the next pairings, and for replaying the whole log, as after a
restart. Many rounds make a Swiss tournament slow: late rounds must search for pairs that have not met.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from engine import brackets
from engine.brackets import MOST, Bracket, Kind, League, most

KINDS: tuple[Kind, ...] = ("swiss", "round_robin", "double_round_robin")


def spent(kind: Kind, rounds: int, seed: int) -> tuple[list[float], float]:
    """The cost of each report, and of the whole log."""
    rng, costs = random.Random(seed), list[float]()
    bracket: Bracket = brackets.start(kind, [str(n) for n in range(most(kind))], rounds)
    while not bracket.champion:
        match = rng.choice(bracket.ready())
        winner = rng.choice([*match.players, None])
        began = time.process_time()
        bracket = bracket.report(match.key, winner)
        bracket.ready()
        costs.append(1000 * (time.process_time() - began))
    began = time.process_time()
    League(bracket.kind, bracket.players, bracket.rounds, bracket.log)
    return costs, 1000 * (time.process_time() - began)


def main() -> None:
    """Print a line for each kind."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--swiss-rounds", type=int, default=MOST - 1)
    asked = reader.parse_args()
    for kind in KINDS:
        costs, anew = spent(kind, asked.swiss_rounds, 0)
        costs.sort()
        mean, half = sum(costs) / len(costs), costs[len(costs) // 2]
        sys.stdout.write(
            f"{kind}: {len(costs)} reports, mean {mean:.2f}, p50 {half:.2f}, "
            f"p95 {costs[95 * len(costs) // 100]:.2f}, most {costs[-1]:.2f} ms; all anew {anew:.1f} ms\n"
        )


if __name__ == "__main__":
    main()
