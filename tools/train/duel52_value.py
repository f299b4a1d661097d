"""Train the network of `engine/duel52/ai/value.py`, which predicts who wins a position of Duel 52.

    python -m tools.train.duel52_value play games.npy --games 500 --first 100000
    python -m tools.train.duel52_value fit games.npy … [--write]

`play` lets a fast version of the steady opponent play itself with some random decisions. It stores how each
turn begins for both seats, two in five of the ends that the search would judge, as features
(`engine/duel52/ai/features.py`), and the result of the game. `fit` trains first on results, then on returns
that mix them with the values of later turns, TD(lambda). Every tenth game is held out; the logarithmic error
on its ends is printed next to that of `forecast`. `--write` ships the weights. Needs numpy.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from math import exp
from typing import Any

import numpy as np

from engine import catalog, data
from engine.arena import key_of
from engine.duel52.ai.features import COUNTS, DENSE, PositionFeatures, position_features
from engine.duel52.ai.forecast import share
from engine.duel52.ai.plan import STEADY, plans, turn
from engine.duel52.ai.search import EFFORT
from engine.duel52.ai.value import DATA, LATE
from engine.duel52.sample import sample

GAME = catalog.get("duel52")
QUICK = STEADY._replace(first=3, width=2, tries=100, all=160, replies=4)
WILD, TEMPERATURE = (0.0, 0.06, 0.12, 0.2), 0.6
"""Fractions of random decisions; each game uses one. Moves are drawn by exp(worth / temperature)."""
ENDS = 0.4
HEAD = 7
"""Columns before the numbers: game, turn, seat, whether an end, cards to draw, `forecast`, result."""
BUCKETS = ((0, 0), (1, 4), (5, 13), (14, 99))
NEURONS, EPOCHS, BATCH, ROUNDS, LAMBDA = 24, 12, 512, 3, 0.6
FIRST_RATE, RATE, SHRINK, SHRINK_CARDS = 4e-3, 3e-3, 5e-4, 3e-3
NEVER = 0.01


def chosen(seen: Any, actions: Sequence[Any], rng: random.Random, wild: float) -> Any:
    """The decision of a quick form of the steady opponent, or one by chance."""
    found = plans(sample(seen, rng), seen.to_act[0], actions, QUICK)
    if rng.random() >= wild:
        return max(zip(found, (rng.random() for _ in actions), actions, strict=True))[2]
    best = max(found)
    return rng.choices(actions, [exp(max(-50.0, (one - best) / TEMPERATURE)) for one in found])[0]


def played(number: int) -> Iterator[tuple[float, ...]]:
    """The rows of one game."""
    rng = random.Random(f"learn/{number}")
    state: Any = GAME.deal(GAME.setup(2, key_of(number, 1979)))
    wild, count, last = rng.choice(WILD), -1, -1
    met = list[tuple[int, int, bool, float, PositionFeatures]]()
    while waiting := state.to_act():
        seat = waiting[0]
        if state.turns != last and not state.asks:
            last, count = state.turns, count + 1
            met += [(count, each, False, 0.5, position_features(state, each)) for each in (0, 1)]
        actions = state.legal_actions(seat)
        made = actions[0]
        if len(actions) > 1:
            seen = state.observe(seat)
            made = chosen(seen, actions, rng, wild)
            if not state.asks and rng.random() < ENDS:
                value, end = turn(sample(seen, rng), seat, made, EFFORT)
                if not end.ranks:
                    met.append((count, seat, True, share(end, seat, value), position_features(end, seat)))
        state.push(seat, made)
    for at, seat, is_end, said, found in met:
        won = 0.5 if state.ranks[0] == state.ranks[1] else float(state.ranks[seat] == 1)
        yield (number, at, seat, is_end, found.pile, said, won, *found.dense, *found.counts)


class FittedValue:
    """The network while it learns, and what it learns from."""

    def __init__(self, table: Any) -> None:
        self.rng = np.random.default_rng(1)
        self.game, self.turn, self.seat, self.ends, self.pile, self.said, self.won = table[:, :HEAD].T
        self.dense, counts = table[:, HEAD : HEAD + DENSE], table[:, HEAD + DENSE :]
        self.cards = np.concatenate([counts, counts * np.maximum(0, 1 - self.pile / LATE)[:, None]], axis=1)
        self.held = np.isin(self.game, np.unique(self.game)[::10])
        self.order = np.lexsort((self.turn, self.seat, self.game))
        self.weights = {
            "in": self.rng.normal(0, 1 / np.sqrt(DENSE), (DENSE, NEURONS)),
            "biases": np.zeros(NEURONS),
            "out": self.rng.normal(0, 0.1, NEURONS),
            "bias": np.zeros(1),
            "cards": np.zeros(2 * COUNTS),
            "dense": np.zeros(DENSE),
        }
        self.moments = {key: (np.zeros_like(one), np.zeros_like(one)) for key, one in self.weights.items()}

    def _forward(self, rows: Any) -> tuple[Any, Any]:
        """The chances of these rows, and what the neurons pass on."""
        by, dense = self.weights, self.dense[rows]
        passed = np.maximum(dense @ by["in"] + by["biases"], 0)
        total = passed @ by["out"] + by["bias"] + self.cards[rows] @ by["cards"] + dense @ by["dense"]
        return 1 / (1 + np.exp(-np.clip(total, -30, 30))), passed

    def chances(self) -> Any:
        """Return the prediction for every row."""
        return self._forward(slice(None))[0]

    def learn(self, wanted: Any, rate: float) -> None:
        """Come nearer to what is wanted of each row, by Adam."""
        rows = np.flatnonzero(~self.held)
        steps = EPOCHS * (len(rows) // BATCH)
        for moment in self.moments.values():
            moment[0][:] = moment[1][:] = 0
        for step in range(steps):
            at = step * BATCH % (len(rows) // BATCH * BATCH)
            if not at:
                self.rng.shuffle(rows)
            some = rows[at : at + BATCH]
            said, passed = self._forward(some)
            wrong = (said - wanted[some]) / BATCH
            back = np.outer(wrong, self.weights["out"]) * (passed > 0)
            slopes = {
                "in": self.dense[some].T @ back + SHRINK * self.weights["in"],
                "biases": back.sum(0),
                "out": passed.T @ wrong + SHRINK * self.weights["out"],
                "bias": wrong.sum(keepdims=True),
                "cards": self.cards[some].T @ wrong + SHRINK_CARDS * self.weights["cards"],
                "dense": self.dense[some].T @ wrong + SHRINK_CARDS * self.weights["dense"],
            }
            now = rate * (1 - step / steps)
            for key, slope in slopes.items():
                mean, square = self.moments[key]
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope**2 - square)
                size = np.sqrt(square / (1 - 0.999 ** (step + 1))) + 1e-8
                self.weights[key] -= now * mean / (1 - 0.9 ** (step + 1)) / size

    def returns(self, chances: Any) -> Any:
        """Return a target for each row: the result mixed with predictions for the seat's later turns."""
        found, later = self.won.copy(), dict[tuple[float, float, float], float]()
        for row in self.order[::-1]:
            game, seat, count = self.game[row], self.seat[row], self.turn[row]
            found[row] = later.get((game, seat, count + 1), self.won[row])
            if not self.ends[row]:
                later[game, seat, count] = LAMBDA * found[row] + (1 - LAMBDA) * chances[row]
        return found

    def errors(self, said: Any) -> str:
        """The logarithmic error at the ends that were left out, by cards to draw."""
        found = []
        for least, most in BUCKETS:
            rows = self.held & (self.ends > 0) & (self.pile >= least) & (self.pile <= most)
            chance, won = np.clip(said[rows], NEVER, 1 - NEVER), self.won[rows]
            error = -np.mean(won * np.log(chance) + (1 - won) * np.log(1 - chance))
            found.append(f"{least} to {most}: {error:.3f} of {rows.sum()}")
        return "; ".join(found)

    def text(self) -> str:
        """The weights as they are shipped."""
        by = {key: np.round(one, 3).tolist() for key, one in self.weights.items()}
        neurons = zip(np.round(self.weights["in"].T, 3).tolist(), by["biases"], by["out"], strict=True)
        rows = [{"weights": row, "bias": bias, "out": out} for row, bias, out in neurons]
        kept = {"bias": by["bias"][0], "dense": by["dense"]}
        kept |= {"early": by["cards"][:COUNTS], "late": by["cards"][COUNTS:]}
        lines = [f" {json.dumps(key)}: {json.dumps(one)}," for key, one in kept.items()]
        lines += [' "neurons": [', ",\n".join(f"  {json.dumps(row)}" for row in rows), " ]"]
        return "\n".join(["{", *lines, "}", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=("play", "fit"))
    parser.add_argument("files", nargs="+")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--first", type=int, default=100_000, help="the number of the first game")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    if asked.what == "play":
        rows = [row for number in range(asked.games) for row in played(asked.first + number)]
        np.save(asked.files[0], np.array(rows, dtype=np.float32))
        return
    fit = FittedValue(np.concatenate([np.load(file) for file in asked.files]).astype(np.float64))
    print("forecast", fit.errors(fit.said))
    fit.learn(fit.won, FIRST_RATE)
    for _ in range(ROUNDS):
        print("network", fit.errors(fit.chances()))
        fit.learn(fit.returns(fit.chances()), RATE)
    print("network", fit.errors(fit.chances()))
    if asked.write:
        (data.folder() / "cards" / DATA).write_text(fit.text(), encoding="utf-8")


if __name__ == "__main__":
    main()
