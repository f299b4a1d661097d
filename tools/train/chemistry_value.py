"""Learn the weights of Compound Capture's Master from rounds against itself.

    python -m tools.train.chemistry_value --rounds 3 --games 300 --write
    python -m tools.train.chemistry_value --rounds 3 --games 300 > weights.json

In each round of training, the opponent of `engine/chemistry/ai/master.py` plays matches against itself with
the current weights; one play in ten is drawn from its best five. The features at the end of each turn use
the other player's real hand instead of sampled ones. Least-squares temporal differences, LSTD(lambda), fit
weights to the points won afterwards and the value of the next end. The weights are averaged over all rounds
of training but the first. `--write` ships the result. Needs numpy.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine import catalog, data
from engine.arena import key_of
from engine.chemistry.ai.master import Turn
from engine.chemistry.ai.value import DATA, FEATURES, Value, Weights, learned
from engine.chemistry.deck import draw_cards
from engine.chemistry.moves import DRAWS, PILE, STOCK
from engine.chemistry.observation import FIRST, SECOND
from engine.chemistry.scoring import COMPOUND
from engine.elements import ELEMENTS
from tools.train import on_policy
from tools.train.on_policy import Chain, text

GAME = catalog.get("compound_capture")
DEALS = 2311
"""The seed of the matches."""
WANDERS, BEST = 0.1, 5
LAMBDA, SHRINK = 0.9, 50.0
KINDS = tuple(sorted(set(draw_cards("both", basic=False)) - {0}))
"""The elements that have a weight."""
COLUMNS = 2 * (len(FEATURES) + len(KINDS))
SYMBOLS = {element.z: element.symbol for element in ELEMENTS}


def columns(features: Sequence[float], hand: Sequence[int], *, idle: bool) -> Any:
    """The end of a turn as the weights are multiplied out, in the order of the data file."""
    found = np.array([*features, *(hand[kind] for kind in KINDS)])
    return np.column_stack([found, found * idle]).ravel()


def ended(state: Any, seat: int, covered: Any, rng: random.Random) -> Any:
    """The columns of the end of a turn of this seat; `covered` the position before its play."""
    own, other = state.hands[seat], state.hands[1 - seat]
    idle = state.dry > 0
    row = tuple(compound for compound in covered.row if compound in state.row)
    turn = Turn(covered.observe(seat), rng, others=[other])
    return columns(turn.features(own, row, state.discard[-1], idle=idle), own, idle=idle)


def chains(first: int, games: int, by: Value) -> Iterator[Chain]:
    """Yield for each round the features at the ends of turns and the changes of the lead between them.

    Both are from seat 0's point of view: those of seat 1 have their sign changed.
    """
    for number in range(first, first + games):
        state: Any = GAME.deal(GAME.setup(2, key_of(DEALS, number)))
        rng = random.Random(f"value/{number}")
        rows, leads, before = list[Any](), list[float](), [0, 0]
        while waiting := state.to_act():
            seat, running, was = waiting[0], state.round, state.clone()
            _decide(state, seat, by, rng)
            if state.round != running or not state.to_act():
                if rows:
                    ahead = state.totals[0] - state.totals[1] - before[0] + before[1]
                    yield np.array(rows), np.diff([*leads, ahead])
                rows, leads, before = [], [], list(state.totals)
            elif state.phase == FIRST and was.phase > SECOND:
                found = ended(state, seat, was, rng)
                rows.append(-found if seat else found)
                leads.append(COMPOUND * (len(state.captured[0]) - len(state.captured[1])))


def _decide(state: Any, seat: int, by: Value, rng: random.Random) -> None:
    """One decision of the opponent by these weights, sometimes not its best."""
    actions = state.legal_actions(seat)
    if len(actions) == 1:
        state.push(seat, actions[0])
    elif state.phase == FIRST:
        state.push(seat, DRAWS[STOCK])
    else:
        turn = Turn(state.observe(seat), rng, by)
        if state.phase == SECOND:
            state.push(seat, DRAWS[PILE if turn.takes() else STOCK])
        else:
            best = turn.ranked(actions)[:BEST]
            state.push(seat, rng.choice(best) if rng.random() < WANDERS else best[0])


def weighted(weights: Any) -> Weights:
    """Return the weights in the format of the data file."""
    said = [(round(float(one), 3), round(float(more), 3)) for one, more in np.reshape(weights, (-1, 2))]
    symbols = [SYMBOLS[kind] for kind in KINDS]
    return Weights(
        dict(zip(FEATURES, said, strict=False)), dict(zip(symbols, said[len(FEATURES) :], strict=True))
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
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=300, help="matches a round of learning")
    parser.add_argument("--first", type=int, default=1, help="the number of the first match")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    found = text(learn(asked.rounds, asked.games, asked.first))
    if asked.write:
        (data.folder() / "cards" / DATA).write_text(found, encoding="utf-8")
    else:
        print(found)


if __name__ == "__main__":
    main()
