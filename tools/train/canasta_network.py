"""Train the network of Canasta's Master, from matches of two against itself.

    python -m tools.train.canasta_network --rounds 20 --games 20 --write
    python -m tools.train.canasta_network --rounds 1 --games 1 --fresh

Each round plays `--games` matches and draws each move by a softmax of scores over a temperature. At some
decisions every candidate move is tried in the real position with all cards as they are: the turn is played to
its end, the other player draws a card, and `judge` values the result. The network then follows the exact
gradient of the expected value, plus a little entropy. Training continues from the shipped network, or with
`--fresh` from zero, which is Steady. `--write` ships the result. Needs numpy.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from engine import catalog
from engine.arena import key_of
from engine.chemistry.ai.canasta_features import PLAY, SITUATION, Known
from engine.chemistry.ai.canasta_master import BEHIND, HEAT, TRIED, tried
from engine.chemistry.ai.canasta_network import DATA, FirstLayerNeuron, Weights, learned
from engine.chemistry.ai.heuristic import MoveScorer
from engine.chemistry.ai.judge import closing, judge
from engine.chemistry.moves import DRAWS, STOCK, Move
from engine.chemistry.observation import FIRST, OVER
from tools.train import networks
from tools.train.networks import Adam, Layers, backward, batches, forward, softmax

GAME = catalog.get("canasta")
COLUMNS = SITUATION + PLAY
PART: Final = 0.5
"""Fraction of decisions at which every move is tried."""
ENTROPY: Final = 0.03


class CanastaExample(NamedTuple):
    """One that is learned from: the rows of its moves, their scores over the heat, which are moves at all,
    and what each is worth."""

    rows: Any
    scores: Any
    there: Any
    worth: Any


def fresh(rng: Any) -> Layers:
    """A network that leans to nothing yet."""
    return networks.fresh(rng, COLUMNS, 0.18)


def layers(weights: Weights) -> Layers:
    """The weights of a data file."""
    rows = [[*one.situation, *one.play] for one in weights.first]
    return networks.layers(rows, [one.bias for one in weights.first], weights.second)


def text(found: Layers) -> str:
    """The data file."""
    return networks.text(found, lambda bias, row: FirstLayerNeuron(bias, row[:SITUATION], row[SITUATION:]))


def choices(seen: Any, actions: Sequence[Move]) -> tuple[list[Move], Any, Any]:
    """Return the candidate moves, Steady's best first, their scores over the temperature, and features."""
    scorer = MoveScorer(seen)
    best = tried(seen, scorer, actions)
    rows, scores = np.zeros((TRIED, COLUMNS)), np.zeros(TRIED)
    if len(best) > 1:
        known, most = Known(seen, scorer), best[0][1]
        rows[: len(best), :SITUATION] = known.situation()
        for at, (move, score) in enumerate(best):
            scores[at] = max(-BEHIND, (score - most) / HEAT)
            rows[at, SITUATION:] = known.described(move, score, most)
    return [move for move, _ in best], scores, rows


def chosen(state: Any, found: Layers) -> Move:
    """Return the move that the network plays."""
    actions = state.legal_actions(state.turn)
    if state.phase == FIRST:
        return DRAWS[STOCK]
    moves, scores, rows = choices(state.observe(state.turn), actions)
    worth = (scores + forward(found, rows)[2])[: len(moves)]
    return moves[int(np.argmax(worth))]


def worth(state: Any, move: Move, found: Layers) -> float:
    """Return the value of a move in the real position: finish the turn, then let the other player draw."""
    seat, world = state.turn, state.clone()

    def runs() -> bool:
        return bool(world.phase != OVER and world.round == state.round)

    world.push(seat, move)
    while runs() and world.turn == seat:
        world.push(seat, chosen(world, found))
    if runs():
        world.push(world.turn, DRAWS[STOCK])
        return judge(world, seat)
    ended = {"played": state.round, "rounds": state.rounds, "dealer": state.dealer}
    return closing(world.totals, seat, canasta=True, **ended)


def played(number: int, found: Layers) -> list[CanastaExample]:
    """Return the decisions of one match at which every move was tried."""
    state: Any = GAME.deal(GAME.setup(2, key_of(number, 2407)))
    rng = random.Random(f"canasta/{number}")
    met = list[CanastaExample]()
    while state.to_act():
        seat = state.turn
        actions = state.legal_actions(seat)
        if state.phase == FIRST:
            moves, scores, rows = [DRAWS[STOCK]], np.zeros(TRIED), None
        else:
            moves, scores, rows = choices(state.observe(seat), actions)
        drawn = 0
        if len(moves) > 1:
            there = np.arange(TRIED) < len(moves)
            odds = softmax(scores + forward(found, rows)[2], there)
            drawn = rng.choices(range(TRIED), odds.tolist())[0]
            if rng.random() < PART:
                brought = np.zeros(TRIED)
                brought[: len(moves)] = [worth(state, move, found) for move in moves]
                met.append(CanastaExample(rows, scores, there, brought))
        state.push(seat, moves[drawn])
    return met


def slopes(found: Layers, batch: Sequence[CanastaExample], spread: float) -> Layers:
    """Return the gradient of the loss; the values of moves are divided by `spread`."""
    rows, there = np.array([one.rows for one in batch]), np.array([one.there for one in batch])
    first, second, out = forward(found, rows)
    odds = softmax(np.array([one.scores for one in batch]) + out, there)
    brought = np.array([one.worth for one in batch]) / spread
    logs = np.log(np.maximum(odds, 1e-9))
    entropy = -(odds * logs).sum(axis=1, keepdims=True)
    better = brought - (odds * brought).sum(axis=1, keepdims=True)
    back = odds * (ENTROPY * (logs + entropy) - better) / len(batch)
    return backward(found, rows, first, second, back)


def spread_of(decisions: Sequence[CanastaExample]) -> float:
    """Return the mean spread of the moves' values within a decision."""
    mean = float(np.mean([one.worth[one.there].var() for one in decisions]))
    return float(mean**0.5) + 1e-6


def learn(found: Layers, rounds: int, games: int, number: int) -> Layers:
    """Play matches, learn from them, and continue with the new weights, round by round."""
    adam = Adam(found)
    for turn in range(rounds):
        decisions = list[CanastaExample]()
        for match in range(number + turn * games, number + (turn + 1) * games):
            decisions += played(match, found)
        spread, rng = spread_of(decisions), np.random.default_rng(number + turn)
        for some in batches(len(decisions), rng):
            adam.step(slopes(found, [decisions[one] for one in some], spread))
        print(f"round {turn + 1}: {len(decisions)} decisions, moves {spread:.4f} apart", flush=True)
    return found


def main() -> None:
    networks.run(
        __doc__,
        DATA,
        games=20,
        fresh=fresh,
        shipped=lambda: layers(learned().weights),
        learn=learn,
        text=text,
    )


if __name__ == "__main__":
    main()
