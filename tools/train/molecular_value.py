"""Learn the weights of Molecular's Master from games against itself.

    python -m tools.train.molecular_value --rounds 3 --games 200 --write

In each round of training, the opponent of `engine/molecular/ai/master.py` plays itself with the current
weights, some turns at random, and stores the features at the end of each turn. Least-squares temporal
differences, LSTD(lambda), fit weights to the lead gained until the seat's next turn ends and the value of
that end. They are averaged over all rounds of training but the first. `--write` ships the result. Needs
numpy.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine import data
from engine.arena import key_of
from engine.molecular.ai.heuristic import heuristic
from engine.molecular.ai.master import Turn, is_learned
from engine.molecular.ai.value import DATA, LONG, OWN, FeatureWeights, Value, Weights, learned, parts
from engine.molecular.cards import BOX
from engine.molecular.game import GAME
from tools.train import on_policy
from tools.train.on_policy import Chain, text

WILD = 0.07
"""Fraction of turns that begin with a random move."""
LAMBDA, SHRINK = 0.7, 50.0
FEATURES = len(FeatureWeights.__struct_fields__)
CARDS, TILES = 3 * FEATURES, 3 * FEATURES + 2 * len(BOX.groups)
COLUMNS = TILES + 2 * len(BOX.tiles)


class ValueRow(NamedTuple):
    """The end of a turn: whose, how far that seat leads, and its features."""

    seat: int
    leads: int
    features: Any


def columns(state: Any, seat: int, features: Sequence[float]) -> Any:
    """The end of a turn as the weights are multiplied out; `state` as it is then, nothing drawn yet."""
    found = np.zeros(COLUMNS)
    mine = state.rules.rounds - state.round
    theirs = mine + (state.first == seat)
    for place, number in enumerate(features):
        found[3 * place : 3 * place + 3] = number * np.array(parts(mine if place < OWN else theirs))
    few = np.array([1.0, mine / LONG]) * (mine > 0)
    for group in state.cards.kinds(seat):
        if not state.worth(group).total:
            found[CARDS + 2 * group : CARDS + 2 * group + 2] += few
    for kind in state.tiles.kinds(seat):
        found[TILES + 2 * kind : TILES + 2 * kind + 2] += few
    return found


def played(number: int, by: Value) -> tuple[list[ValueRow], tuple[int, int]]:
    """The ends of turns of one game, and the points at its end."""
    state, rng = GAME.deal(GAME.setup(2, key_of(number, 1913))), random.Random(f"value/{number}")
    met = list[ValueRow]()
    while waiting := state.to_act():
        seat = waiting[0]
        seen, actions = state.observe(seat), state.legal_actions(seat)
        move = actions[0]
        if len(actions) > 1:
            turn = Turn(seen, rng, by) if is_learned(seen) else None
            end = turn and turn.best()
            if turn and seen.actions > 1 and rng.random() < WILD:
                end = rng.choice(turn.ends())
            move = end.move if end else heuristic(seen, actions, rng)
            if end and seen.actions == 1 and end.features:
                after = state.clone()
                # the turn must not end, or what is drawn for the next one would count
                after.actions = 2
                after.push(seat, move)
                leads = after.scores[seat] - after.scores[1 - seat]
                met.append(ValueRow(seat, leads, columns(after, seat, end.features)))
        state.push(seat, move)
    return met, (state.scores[0], state.scores[1])


def chains(first: int, games: int, by: Value) -> Iterator[Chain]:
    """Yield for each game and seat the features at the ends of turns, and the changes of the lead."""
    for number in range(first, first + games):
        met, ends = played(number, by)
        for seat in (0, 1):
            rows = [row for row in met if row.seat == seat]
            if rows:
                leads = [row.leads for row in rows] + [ends[seat] - ends[1 - seat]]
                yield np.array([row.features for row in rows]), np.diff(leads)


def weighted(weights: Any) -> Weights:
    """Return the weights in the format of the data file."""
    said = [round(float(weight), 3) for weight in weights]

    def pair(place: int) -> tuple[float, float]:
        return said[place], said[place + 1]

    return Weights(
        FeatureWeights(*(tuple(said[3 * place : 3 * place + 3]) for place in range(FEATURES))),
        {group.id: pair(CARDS + 2 * place) for place, group in enumerate(BOX.groups)},
        {tile.id: pair(TILES + 2 * place) for place, tile in enumerate(BOX.tiles)},
    )


def solved(found: Iterator[Chain]) -> Any:
    """The weights that these chains teach."""
    return on_policy.solved(found, columns=COLUMNS, trace=LAMBDA, shrink=SHRINK)


def learn(rounds: int, games: int, first: int) -> Weights:
    """Play games and learn from them, round by round, each time with the latest weights."""

    def solve(number: int, last: Weights | None) -> Any:
        by = Value(last) if last is not None else learned()
        return solved(chains(first + number * games, games, by))

    return on_policy.learn(rounds, solve, weighted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--games", type=int, default=200, help="games a round")
    parser.add_argument("--first", type=int, default=1, help="the number of the first game")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    if asked.rounds:
        found = text(learn(asked.rounds, asked.games, asked.first))
        if asked.write:
            (data.folder() / "cards" / DATA).write_text(found, encoding="utf-8")
        else:
            print(found)


if __name__ == "__main__":
    main()
