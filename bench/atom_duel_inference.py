"""How well the weights of `engine/atom_duel/inference.py` predict the cards that others hold.

    python -m bench.atom_duel_inference --games 50 --seats 2 -o level=4
    python -m bench.atom_duel_inference --frozen

Over seeded self-play: at some decisions, by how many nats the weights make the real rows likelier than even
chances do. More than 0 is better than knowing nothing; the unit of the error is the decision.
"""

from __future__ import annotations

import argparse
import random
from math import log, sqrt
from statistics import mean, stdev

from bench.opponents import FROZEN
from bench.opponents.__main__ import read
from engine.arena import key_of
from engine.atom_duel import GAME
from engine.atom_duel.inference import likelihood
from engine.game import Chooser, Value

WORLDS, PART = 60, 0.3
"""Worlds that stand for all; the part of all decisions that is looked at."""


def gains(chooser: Chooser, games: int, seed: int, seats: int, options: dict[str, Value]) -> list[float]:
    """By decision: the logarithm of how much likelier the weights make the real rows."""
    rng, found = random.Random(seed), []
    for number in range(games):
        state = GAME.deal(GAME.setup(seats, key_of(seed, number), **options))
        while waiting := state.to_act():
            seat = waiting[0]
            actions = state.legal_actions(seat)
            seen = state.observe(seat)
            if len(actions) > 1 and rng.random() < PART:
                weigh, draw = likelihood(seen), GAME.sampler(seen)
                found.append(log(weigh(state) / mean(weigh(draw(rng)) for _ in range(WORLDS))))
            state.push(seat, chooser(seen, actions, rng) if len(actions) > 1 else actions[0])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--frozen", action="store_true", help="games of the frozen heuristic")
    parser.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE")
    asked = parser.parse_args()
    chooser = FROZEN["atom_duel"] if asked.frozen else GAME.opponents["heuristic"]
    options = read(GAME, asked.option)
    found = gains(chooser, asked.games, asked.seed, asked.seats, options)
    print(
        f"{'frozen' if asked.frozen else 'heuristic'} {options} on {asked.seats} seats: "
        f"{mean(found):+.3f} nats ({stdev(found) / sqrt(len(found)):.3f}) over {len(found)} decisions"
    )


if __name__ == "__main__":
    main()
