"""Measure or fit the weights of `engine/duel52/ai/inference.py`, which guesses face-down cards.

    python -m tools.train.duel52_inference --games 40 --seed 5
    python -m tools.train.duel52_inference --games 20 -o variant=teams --level casual
    python -m tools.train.duel52_inference --games 300 --seed 501 --fit

Once in each turn of seeded self-play: by how many nats the weights raise the likelihood of an unknown card
above uniform chances. More than 0 is better than knowing nothing. The game is the unit of the error. `--fit`
counts new weights instead and does not measure them.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import log, sqrt
from statistics import mean, stdev
from typing import NamedTuple

from bot.cli.arguments import chosen
from engine import levels
from engine.arena import key_of
from engine.duel52 import GAME
from engine.duel52.ai.inference import AGES, LEAST, MOST, PILES, backs, place
from engine.duel52.observation import Observation
from engine.game import Value
from engine.ladder import fewest_seats
from engine.playing_cards import DECK52, RANKS

STEPS, EVEN = 30, 5
"""Steps of the fit, and backs of each rank that are as chance has them."""


class Back(NamedTuple):
    """A back: its rank, what it counts for by rank, how many unseen cards of each rank there are, its age and
    what is to be drawn."""

    rank: int
    weights: tuple[float, ...]
    unseen: tuple[int, ...]
    kind: tuple[int, int]


def met(games: int, seed: int, level: str, options: dict[str, Value]) -> Iterator[list[Back]]:
    """The backs of each game, as often as a seat that does not know them had a turn."""
    chooser, seats = GAME.opponents[level], fewest_seats(GAME, options)
    for number in range(games):
        state, rng = GAME.deal(GAME.setup(seats, key_of(seed, number), **options)), random.Random(number)
        found, turn = list[Back](), -1
        while waiting := state.to_act():
            seat, actions = waiting[0], state.legal_actions(waiting[0])
            seen = state.observe(seat)
            if seen.turns != turn:
                turn, unseen = seen.turns, _unseen(seen)
                for unit, weights in backs(seen):
                    kind = place(seen.laid - unit, AGES), place(seen.pile, PILES)
                    found.append(Back(state.card[unit] >> 2, weights, unseen, kind))
            state.push(seat, chooser(seen, actions, rng) if len(actions) > 1 else actions[0])
        yield found


def _unseen(seen: Observation) -> tuple[int, ...]:
    known = {card for hand in seen.hands for card in hand} | {one.card for one in seen.gone}
    known.update(unit.card for row in seen.rows for unit in row)
    ranks = [card >> 2 for card in DECK52 if card not in known]
    return tuple(ranks.count(rank) for rank in range(RANKS))


def chance(unseen: Sequence[int], weights: Sequence[float], rank: int) -> float:
    """How likely a back is of this rank."""
    every = [count * weight for count, weight in zip(unseen, weights, strict=True)]
    return every[rank] / sum(every)


def fitted(found: Sequence[Back]) -> dict[tuple[int, int], list[float]]:
    """Fit weights by kind and rank, so that the expected number of each rank equals the true one."""
    kinds, told = defaultdict[tuple[int, int], list[Back]](list), dict[tuple[int, int], list[float]]()
    for back in found:
        kinds[back.kind].append(back)
    for kind, same in sorted(kinds.items()):
        weights, were = [1.0] * RANKS, [float(EVEN)] * RANKS
        for back in same:
            were[back.rank] += 1
        for _ in range(STEPS):
            expected = [float(EVEN)] * RANKS
            for back in same:
                every = [count * weight for count, weight in zip(back.unseen, weights, strict=True)]
                for rank, one in enumerate(every):
                    expected[rank] += one / sum(every)
            weights = [one * w / e for one, w, e in zip(weights, were, expected, strict=True)]
        told[kind] = [round(min(MOST, max(LEAST, one)), 2) for one in weights]
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", default=levels.STEADY)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE")
    asked = parser.parse_args()
    options = chosen(GAME, asked.option)
    games = list(met(asked.games, asked.seed, asked.level, options))
    if asked.fit:
        for kind, weights in fitted([back for game in games for back in game]).items():
            print(kind, weights)
        return
    gains = [
        mean(log(chance(b.unseen, b.weights, b.rank) * sum(b.unseen) / b.unseen[b.rank]) for b in game)
        for game in games
        if game
    ]
    error = stdev(gains) / sqrt(len(gains))
    print(
        f"{asked.level} {options}: {mean(gains):+.3f} nats ({error:.3f}) a back, "
        f"{sum(map(len, games))} of {len(games)} games"
    )


if __name__ == "__main__":
    main()
