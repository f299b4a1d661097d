"""Whether worlds of Atom weighted by what was played foretell more than worlds as they come.

    python bench/atom_inference.py [--seats 5] [--games 60] [--worlds 100] [--seed 1] [--json]

Heuristics play against themselves; now and then whoever is in turn says how likely, in its worlds, each
player whose side it does not know is of the caller's side, how likely each other player can beat the cards
on the table, and how likely with a whole group of that size (`fits`). The score of a forecast is the
logarithm of the chance given to what was so, in nats: 0 is perfect, -0.69 is a coin. `gain` is by how much
weights raise it, with its 95 % interval; the game is the unit. `alike` is how many worlds of equal weight the
weighted ones are worth, of 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from math import log, sqrt
from pathlib import Path
from statistics import mean, stdev

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine.arena import key_of
from engine.atom import GAME
from engine.atom.heuristic import heuristic
from engine.atom.inference import TOP, cheapest, likelihood, sizes
from engine.atom.plays import PLAIN, Rung
from engine.atom.sides import CALLERS, UNKNOWN
from engine.atom.state import AtomState

OFTEN = 0.03
"""The share of decisions that are asked about."""

Scores = dict[str, list[tuple[float, float]]]
"""By forecast: its scores without weights and with them."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seats", type=int, choices=(4, 5), default=5)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--worlds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    games: dict[str, list[tuple[float, float]]] = {}
    shares: list[float] = []
    for number in range(asked.games):
        key = key_of(asked.seed, number)
        scores, alike = watch(GAME.deal(GAME.setup(asked.seats, key)), number, asked.worlds)
        shares += alike
        for key, found in scores.items():
            games.setdefault(key, []).append((mean(one for one, _ in found), mean(two for _, two in found)))
    report: dict[str, object] = {"seats": asked.seats, "games": asked.games, "worlds": asked.worlds}
    report["alike"] = round(mean(shares), 2)
    for key, found in games.items():
        gains = [two - one for one, two in found]
        error = 1.96 * stdev(gains) / sqrt(len(gains))
        report[key] = {
            "plain": round(mean(one for one, _ in found), 3),
            "weighted": round(mean(two for _, two in found), 3),
            "gain": [round(mean(gains) + side * error, 3) for side in (-1, 0, 1)],
            "games": len(found),
        }
    print(json.dumps(report, indent=None if asked.json else 1))


def watch(state: AtomState, number: int, many: int) -> tuple[Scores, list[float]]:
    """Play a game; the scores of its forecasts, and how alike the weights were."""
    scores: Scores = {}
    shares: list[float] = []
    seats, rng = state.seats, random.Random(f"inference/{number}")
    while turn := state.to_act():
        seat = turn[0]
        seen, legal = state.observe(seat), state.legal_actions(seat)
        if seen.phase == "play" and rng.random() < OFTEN:
            draw, weight = GAME.sampler(seen), likelihood(seen)
            worlds = [draw(rng) for _ in range(many)]
            weights = [weight(world) for world in worlds]
            stand = seen.rung
            shares.append(sum(weights) ** 2 / sum(one * one for one in weights) / many)
            for other in range(seats):
                if seen.sides[other] == UNKNOWN:
                    callers = [world.teams[other] == CALLERS for world in worlds]
                    note(scores, "side", state.teams[other] == CALLERS, callers, weights)
                if seen.best and other not in (seat, seen.best_seat) and seen.left[other]:
                    can = [can_beat(world, other) for world in worlds]
                    note(scores, "beats", can_beat(state, other), can, weights)
                    if stand is not None and stand.kind == PLAIN:
                        group = [fits(world, other, stand) for world in worlds]
                        note(scores, "fits", fits(state, other, stand), group, weights)
        state.push(seat, heuristic(seen, legal, rng))
    return scores, shares


def can_beat(state: AtomState, seat: int) -> bool:
    """Whether this seat holds what beats the cards on the table."""
    world = state.clone()
    world.turn = seat
    return len(world.legal_actions(seat)) > 1


def fits(state: AtomState, seat: int, stand: Rung) -> bool:
    """Whether this seat holds a whole group that beats cards that stand there."""
    return cheapest([sizes(packed)[0] for packed in state.hands[seat]], False, stand) >= TOP


def note(scores: Scores, key: str, truth: bool, forecast: Sequence[bool], weights: Sequence[float]) -> None:
    """Score a forecast without weights and with them; half a world for and half against are added to each."""
    found = []
    for some in ([1.0] * len(weights), weights):
        half = sum(some) / len(some) / 2
        for_it = sum(weight for weight, so in zip(some, forecast, strict=True) if so == truth)
        found.append(log((for_it + half) / (sum(some) + 2 * half)))
    scores.setdefault(key, []).append((found[0], found[1]))


if __name__ == "__main__":
    main()
