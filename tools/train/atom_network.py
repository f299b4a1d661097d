"""Train the network of Atom's Master, from matches of four against itself.

    python -m tools.train.atom_network --rounds 20 --games 200 --write
    python -m tools.train.atom_network --rounds 1 --games 2 --fresh

Each round plays `--games` matches and draws each move by a softmax of scores over a temperature. A move
becomes more likely if the match then went better than expected, and less likely if it went worse (proximal
policy optimization, Schulman et al. 2017). `judge`, which sees all hands, supplies the expectation; it is
used only in training, to reduce the noise of the deal. Training continues from the shipped network, or with
`--fresh` from zero, which is Steady. `--write` ships the result. Needs numpy.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from engine.arena import key_of
from engine.atom import GAME
from engine.atom.ai.features import FOLLOW, HAND, LEAD, Features
from engine.atom.ai.heuristic import SURE, score
from engine.atom.ai.judge import judge
from engine.atom.ai.master import TRIED, by_worth
from engine.atom.ai.network import DATA, FirstLayerNeuron, Weights, learned
from engine.atom.ai.network_features import PLAY, SEATS, SITUATION, described, situation
from tools.train import networks
from tools.train.networks import Adam, Layers, backward, batches, forward, softmax

HEAT: Final = 0.012
"""The temperature, in the measure of Steady's scores."""
LAMBDA, CLIP, ENTROPY = 0.95, 0.2, 0.003
AT_HAND = SITUATION
AT_LEAD = AT_HAND + len(HAND)
AT_FOLLOW = AT_LEAD + len(LEAD)
AT_PASS = AT_FOLLOW + len(FOLLOW)
COLUMNS = AT_PASS + 1 + PLAY
"""Columns of a move's own features in its row."""


class AtomExample(NamedTuple):
    """One that was learned from: the rows of its moves, their scores over the heat, which are moves at all,
    which was drawn, the logarithm of its chance, and what the seat could expect then."""

    rows: Any
    scores: Any
    there: Any
    drawn: int
    chance: float
    expected: float


def fresh(rng: Any) -> Layers:
    """A network that leans to nothing yet."""
    return networks.fresh(rng, COLUMNS, 0.16)


def layers(weights: Weights) -> Layers:
    """The weights of a data file, what comes out over the heat."""
    rows = [
        [*one.situation, *one.hand, *one.lead, *one.follow, one.passing, *one.play] for one in weights.first
    ]
    found = networks.layers(rows, [one.bias for one in weights.first], weights.second)
    return [*found[:-1], found[-1] / HEAT]


def text(found: Layers) -> str:
    """The data file."""

    def first(bias: float, row: list[float]) -> FirstLayerNeuron:
        return FirstLayerNeuron(
            bias,
            row[:AT_HAND],
            row[AT_PASS],
            row[AT_HAND:AT_LEAD],
            row[AT_LEAD:AT_FOLLOW],
            row[AT_FOLLOW:AT_PASS],
            row[AT_PASS + 1 :],
        )

    return networks.text([*found[:-1], found[-1] * HEAT], first, digits=6)


def choices(seen: Any, actions: Sequence[Any]) -> tuple[list[Any], Any, Any]:
    """Return the candidate moves, best first, with Steady's scores over the temperature and their features.

    Return only the first move if it is certain to empty the hand.
    """
    features = Features(seen)
    worth = [score(features, move) for move in actions]
    order = by_worth(actions, worth)
    order = order[:1] if worth[order[0]] > SURE - 1 else order[:TRIED]
    rows, scores = np.zeros((TRIED, COLUMNS)), np.zeros(TRIED)
    rows[: len(order), :SITUATION] = situation(features)
    for at, place in enumerate(order):
        scores[at] = worth[place] / HEAT
        play = described(features, actions[place], worth[place])
        if play is None:
            rows[at, AT_PASS] = 1
            continue
        rows[at, AT_HAND:AT_LEAD] = play.hand
        trick = AT_LEAD if features.free else AT_FOLLOW
        rows[at, trick : trick + len(play.trick)] = play.trick
        rows[at, AT_PASS + 1 :] = play.play
    return [actions[place] for place in order], scores, rows


def played(number: int, found: Layers) -> tuple[list[list[AtomExample]], list[float]]:
    """Return each seat's decisions in one match, and its share of the win."""
    state: Any = GAME.deal(GAME.setup(SEATS, key_of(number, 1913)))
    rng = random.Random(f"network/{number}")
    met: list[list[AtomExample]] = [[] for _ in range(SEATS)]
    while waiting := state.to_act():
        seat = waiting[0]
        actions = state.legal_actions(seat)
        moves, scores, rows = [actions[0]], np.zeros(TRIED), None
        if len(actions) > 1:
            moves, scores, rows = choices(state.observe(seat), actions)
        drawn = 0
        if len(moves) > 1:
            there = np.arange(TRIED) < len(moves)
            odds = softmax(scores + forward(found, rows)[2], there)
            drawn = rng.choices(range(TRIED), odds.tolist())[0]
            met[seat].append(
                AtomExample(rows, scores, there, drawn, float(np.log(odds[drawn])), judge(state, seat))
            )
        state.push(seat, moves[drawn])
    outcome = state.outcome()
    winners = outcome.winners() if outcome else ()
    return met, [float(seat in winners) for seat in range(SEATS)]


def advantages(met: Sequence[AtomExample], share: float) -> Iterator[float]:
    """Yield the advantage of each decision, last first: result minus expectation, with traces."""
    later, gain = share, 0.0
    for one in reversed(met):
        gain = later - one.expected + LAMBDA * gain
        later = one.expected
        yield gain


def slopes(found: Layers, batch: Sequence[AtomExample], gains: Any) -> Layers:
    """Return the gradient of the loss."""
    rows, there = np.array([one.rows for one in batch]), np.array([one.there for one in batch])
    first, second, out = forward(found, rows)
    odds = softmax(np.array([one.scores for one in batch]) + out, there)
    each, drawn = np.arange(len(batch)), np.array([one.drawn for one in batch])
    ratio = odds[each, drawn] / np.exp([one.chance for one in batch])
    held = np.where(gains > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
    hit = np.zeros_like(odds)
    hit[each, drawn] = 1
    logs = np.log(np.maximum(odds, 1e-9))
    spread = -(odds * logs).sum(axis=1, keepdims=True)
    back = -(gains * ratio * ~held)[:, None] * (hit - odds) + ENTROPY * odds * (logs + spread)
    back = back / len(batch)
    return backward(found, rows, first, second, back)


def learn(found: Layers, rounds: int, games: int, number: int) -> Layers:
    """Play matches, learn from them, and continue with the new weights, round by round."""
    adam = Adam(found)
    for turn in range(rounds):
        decisions, gains = list[AtomExample](), list[float]()
        for match in range(number + turn * games, number + (turn + 1) * games):
            met, shares = played(match, found)
            for chain, share in zip(met, shares, strict=True):
                decisions += reversed(chain)
                gains += advantages(chain, share)
        even = np.array(gains)
        even = (even - even.mean()) / (even.std() + 1e-6)
        rng = np.random.default_rng(number + turn)
        for some in batches(len(decisions), rng):
            adam.step(slopes(found, [decisions[one] for one in some], even[some]))
        others = sum(one.drawn > 0 for one in decisions) / len(decisions)
        print(f"round {turn + 1}: {len(decisions)} decisions, {others:.1%} other than Steady's", flush=True)
    return found


def main() -> None:
    networks.run(
        __doc__,
        DATA,
        games=200,
        fresh=fresh,
        shipped=lambda: layers(learned().weights),
        learn=learn,
        text=text,
    )


if __name__ == "__main__":
    main()
