"""Learn what Master leans to in Canasta, from matches of two that it plays against itself.

    python -m bench.canasta_network --rounds 20 --games 20 --write
    python -m bench.canasta_network --rounds 1 --games 1 --fresh

A round plays so many matches, each move drawn by its chance: scores over a temperature, as a softmax over
the moves that are judged anew. Of a part of the decisions every such move is tried in the very position, all
cards as they are; the turn is played to its end, the other one draws a card, and `judge` says what that is
worth. The network then goes where what is drawn by chance is worth more, by the exact slope of that mean and
a little entropy. It goes on from the network that is shipped, with `--fresh` from nothing, which is Steady;
with `--write` the opponent gets what was learned. numpy is needed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from bench import networks
from bench.networks import Adam, Layers, backward, batches, forward, softmax
from engine import catalog
from engine.arena import key_of
from engine.chemistry.canasta_master import BEHIND, HEAT, TRIED, tried
from engine.chemistry.canasta_network import DATA, First, Weights, learned
from engine.chemistry.canasta_numbers import PLAY, SITUATION, Known
from engine.chemistry.heuristic import Mind
from engine.chemistry.judge import closing, judge
from engine.chemistry.moves import DRAWS, STOCK, Move
from engine.chemistry.observation import FIRST, OVER

GAME = catalog.get("canasta")
COLUMNS = SITUATION + PLAY
PART: Final = 0.5
"""Of so many decisions all moves are tried."""
ENTROPY: Final = 0.03


class Decision(NamedTuple):
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
    return networks.text(found, lambda bias, row: First(bias, row[:SITUATION], row[SITUATION:]))


def choices(seen: Any, actions: Sequence[Move]) -> tuple[list[Move], Any, Any]:
    """The moves that are judged anew, Steady's best first, with its scores over the heat and their rows."""
    mind = Mind(seen)
    best = tried(seen, mind, actions)
    rows, scores = np.zeros((TRIED, COLUMNS)), np.zeros(TRIED)
    if len(best) > 1:
        known, most = Known(seen, mind), best[0][1]
        rows[: len(best), :SITUATION] = known.situation()
        for at, (move, score) in enumerate(best):
            scores[at] = max(-BEHIND, (score - most) / HEAT)
            rows[at, SITUATION:] = known.described(move, score, most)
    return [move for move, _ in best], scores, rows


def chosen(state: Any, found: Layers) -> Move:
    """What the network takes."""
    actions = state.legal_actions(state.turn)
    if state.phase == FIRST:
        return DRAWS[STOCK]
    moves, scores, rows = choices(state.observe(state.turn), actions)
    worth = (scores + forward(found, rows)[2])[: len(moves)]
    return moves[int(np.argmax(worth))]


def worth(state: Any, move: Move, found: Layers) -> float:
    """What a move brings, all cards as they are: the turn is played to its end, and the other one draws."""
    seat, world = state.turn, state.clone()

    def runs() -> bool:
        return world.phase != OVER and world.round == state.round

    world.push(seat, move)
    while runs() and world.turn == seat:
        world.push(seat, chosen(world, found))
    if runs():
        world.push(world.turn, DRAWS[STOCK])
        return judge(world, seat)
    ended = {"played": state.round, "rounds": state.rounds, "dealer": state.dealer}
    return closing(world.totals, seat, canasta=True, **ended)


def played(number: int, found: Layers) -> list[Decision]:
    """Those decisions of one match in which all moves were tried."""
    state: Any = GAME.deal(GAME.setup(2, key_of(number, 2407)))
    rng = random.Random(f"canasta/{number}")
    met = list[Decision]()
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
                met.append(Decision(rows, scores, there, brought))
        state.push(seat, moves[drawn])
    return met


def slopes(found: Layers, batch: Sequence[Decision], spread: float) -> Layers:
    """Where the weights would have to go down; what moves are worth is told in such portions."""
    rows, there = np.array([one.rows for one in batch]), np.array([one.there for one in batch])
    first, second, out = forward(found, rows)
    odds = softmax(np.array([one.scores for one in batch]) + out, there)
    brought = np.array([one.worth for one in batch]) / spread
    logs = np.log(np.maximum(odds, 1e-9))
    entropy = -(odds * logs).sum(axis=1, keepdims=True)
    better = brought - (odds * brought).sum(axis=1, keepdims=True)
    back = odds * (ENTROPY * (logs + entropy) - better) / len(batch)
    return backward(found, rows, first, second, back)


def spread_of(decisions: Sequence[Decision]) -> float:
    """How far what the moves of a decision are worth lies apart, in the mean."""
    return float(np.mean([one.worth[one.there].var() for one in decisions])) ** 0.5 + 1e-6


def learn(found: Layers, rounds: int, games: int, number: int) -> Layers:
    """Play so many matches, learn from them, and go by what was learned."""
    adam = Adam(found)
    for turn in range(rounds):
        decisions = list[Decision]()
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
