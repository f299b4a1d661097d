"""How much more than Sharp's judge a network can foretell in Compound Capture and Canasta, and what it wins.

    python -m bench.chemistry_judge play compound_capture rounds.npy --rounds 11000
    python -m bench.chemistry_judge fit compound_capture rounds.npy --weights weights.json
    python -m bench.chemistry_judge games compound_capture --weights weights.json --games 120 --seed 7101

`play` lets the steady opponent play itself with two seats, one play in eight drawn from its best four. It
keeps how each turn begins, as numbers of both hands, of the open compounds and of the piles, with what the
rest of the round brings the seat that has the turn more than the other. `fit` leaves every fifth round out
and says which part of that is explained there by the judge, by the numbers in a straight line, and by 16
neurons on top. `games` plays a search that judges by them against Sharp, 20 games of each seed, and stops
where the interval leaves .5. numpy is needed.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress, pairwise
from math import exp, sqrt
from operator import mul
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from typing_extensions import override

from engine import catalog
from engine.ai.search import race
from engine.arena import ArenaResult, arena, key_of
from engine.chemistry import judge as known
from engine.chemistry.deck import KINDS, NEEDS, SIZES, WILD, draw_cards
from engine.chemistry.heuristic import scores
from engine.chemistry.moves import RUN, captures, runs
from engine.chemistry.observation import FIRST, OVER, PLAY
from engine.chemistry.rollout import Round, can_run, lacks, policy, sampler
from engine.chemistry.scoring import COMPOUND, RUN_CARD, TARGET
from engine.chemistry.searching import Thinker
from engine.verdict import Candidate, Verdict

DEALS = 7
"""The seed of the games that the network learns from."""
WANDERS, BEST = 0.12, 4
NEURONS, EPOCHS, BATCH, RATE, SHRINK = 16, 6, 512, 4e-3, 1e-4
HEAD = 3
"""Columns before the numbers: round, what its rest brings, what the judge says of it."""
LOOK = 20
MOST = 3
"""Captures or runs in a row that a hand is asked for."""


def numbers(state: Any, seat: int) -> list[float]:
    """How a turn begins, as a seat of two would see it with all hands open."""
    other = 1 - seat
    row, stock = state.row, len(state.order) - state.at
    top = state.discard[-1] if state.discard else -1
    found = [*_hand(state, seat, top), *_hand(state, other, top)]
    found += [
        float(state.turn == seat),
        float(state.dry > 0),
        (state.total - state.up) / 48,
        len(row) / 6,
        sum(SIZES[compound] == 2 for compound in row) / 3,
        sum(SIZES[compound] for compound in row) / 20,
        float(top == WILD),
        min(30, stock) / 30,
        len(state.discard) / 20,
    ]
    if state.canasta:
        found += [*_runs(state.hands[seat]), *_runs(state.hands[other])]
        found += [stock / 60, max(0.0, 1 - stock / 16), max(0.0, 1 - stock / 6), len(state.wilds) / 2]
        found += [float(state.sizes[one] < 3) for one in (seat, other)]
    return found


def _hand(state: Any, seat: int, top: int) -> list[float]:
    """A hand: cards and wild ones; open compounds by what it lacks; what it could capture without drawing,
    the smallest first; how likely the next card is to help; what the top of the pile is to it."""
    hand, row, size = state.hands[seat], state.row, state.sizes[seat]
    short = lacks(row, hand)
    counts = [short.count(0), short.count(1), short.count(2)]
    least = min((SIZES[one] for one, lacking in zip(row, short, strict=True) if not lacking), default=0)
    wanted, used, gain = set[int](), set[int](), 0.0
    for compound, lacking in zip(row, short, strict=True):
        for z, n in NEEDS[compound]:
            if hand[z]:
                used.add(z)
            if lacking == 1 and hand[z] < n:
                wanted.add(z)
            if lacking and z == top and hand[z] < n:
                gain += {1: 1.0, 2: 0.4}.get(lacking, 0.1)
    share = _shares(state.decks, state.canasta)
    helped = sum(share[z] for z in wanted) + (share[WILD] if counts[1] else 0.0)
    captured, left, spent = 0, hand.copy(), 0
    rest = list(row)
    while captured < MOST:
        ready = [
            (SIZES[one], one) for one, lacking in zip(rest, lacks(rest, left), strict=True) if not lacking
        ]
        if not ready:
            break
        compound = min(ready)[1]
        cards = captures((compound,), left)[0].cards
        for card in cards:
            left[card] -= 1
        spent += len(cards)
        rest.remove(compound)
        captured += 1
    return [
        *(size / 8, hand[WILD] / 2, counts[0] / 2, float(counts[0] > 0), counts[1] / 2, counts[2] / 2),
        *((len(row) - sum(counts)) / 3, least / 3, captured / 2, float(captured > 1), 5 * helped),
        *(sum(hand[z] for z in used) / 5, (size - spent) / 6, gain),
        *(sum(2.0**-lacking for lacking in short if lacking), float(left[WILD])),
    ]


def _runs(hand: bytearray) -> list[float]:
    """A hand in runs: whether it can lay one, pairs of near numbers, runs in a row, different elements."""
    held = list(compress(range(1, KINDS), hand[1:]))
    laid, left = 0, hand.copy()
    while laid < MOST and can_run(left):
        for card in runs(left)[0].cards:
            left[card] -= 1
        laid += 1
    near = sum(high - low <= 2 for low, high in pairwise(held))
    return [float(laid > 0), near / 3, laid / 2, len(held) / 8]


@cache
def _shares(decks: str, canasta: bool) -> Sequence[float]:
    cards = draw_cards(decks, basic=canasta)
    return [cards.count(kind) / len(cards) for kind in range(KINDS)]


def _board(state: Any, seat: int) -> int:
    return COMPOUND * len(state.captured[seat]) + RUN * RUN_CARD * len(state.runs[seat])


def played(game: Any, count: int) -> Iterator[list[float]]:
    """The rows of so many rounds."""
    number = done = 0
    while done < count:
        rng = random.Random(f"judge/{number}")
        state = game.deal(game.setup(2, key_of(DEALS, number)))
        number += 1
        met, before, running = [], [0, 0], 1
        while True:
            waiting = state.to_act()
            if state.round != running or not waiting:
                lead = state.totals[0] - state.totals[1] - before[0] + before[1]
                for seat, ahead, said, found in met:
                    yield [done, (-lead if seat else lead) - ahead, said, *found]
                met, before, running, done = [], list(state.totals), state.round, done + 1
            if not waiting:
                break
            seat = waiting[0]
            if state.phase == FIRST:
                ahead = _board(state, seat) - _board(state, 1 - seat)
                said = known.promise(state, seat) - known.promise(state, 1 - seat) - ahead
                met.append((seat, ahead, said, numbers(state, seat)))
            actions = state.legal_actions(seat)
            worth = scores(state.observe(seat), actions, rng)
            order = sorted(range(len(actions)), key=lambda at: -worth[at])
            wanders = state.phase >= PLAY and rng.random() < WANDERS
            state.push(seat, actions[rng.choice(order[:BEST]) if wanders else order[0]])


def explained(wanted: Any, said: Any) -> float:
    """The part of the variance."""
    return float(1 - np.mean((wanted - said) ** 2) / np.var(wanted))


def line(seen: Any, wanted: Any) -> Any:
    """Weights of the numbers, the constant last."""
    seen = np.c_[seen, np.ones(len(seen))]
    return np.linalg.solve(seen.T @ seen + 10 * np.eye(seen.shape[1]), seen.T @ wanted)


def passed(by: dict[str, Any], seen: Any) -> tuple[Any, Any]:
    """What the network says, and what its neurons pass on."""
    some = np.maximum(seen @ by["in"] + by["biases"], 0)
    return some @ by["out"] + seen @ by["line"] + by["bias"], some


def learned(seen: Any, wanted: Any) -> dict[str, Any]:
    """The network, which begins as the straight line; by Adam."""
    rng = np.random.default_rng(1)
    begin, width = line(seen, wanted), seen.shape[1]
    by = {
        "in": rng.normal(0, 1 / np.sqrt(width), (width, NEURONS)),
        "biases": np.zeros(NEURONS),
        "out": rng.normal(0, 0.05, NEURONS),
        "line": begin[:-1],
        "bias": begin[-1:],
    }
    moments = {key: (np.zeros_like(one), np.zeros_like(one)) for key, one in by.items()}
    order, per = np.arange(len(wanted)), len(wanted) // BATCH
    for step in range(EPOCHS * per):
        if step % per == 0:
            rng.shuffle(order)
        rows = order[step % per * BATCH : (step % per + 1) * BATCH]
        said, some = passed(by, seen[rows])
        wrong = (said - wanted[rows]) / BATCH
        back = np.outer(wrong, by["out"]) * (some > 0)
        slopes = {
            "in": seen[rows].T @ back + SHRINK * by["in"],
            "biases": back.sum(0),
            "out": some.T @ wrong + SHRINK * by["out"],
            "line": seen[rows].T @ wrong + SHRINK * by["line"],
            "bias": wrong.sum(keepdims=True),
        }
        rate = RATE * (1 - step / (EPOCHS * per))
        for key, slope in slopes.items():
            mean, square = moments[key]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            size = np.sqrt(square / (1 - 0.999 ** (step + 1))) + 1e-8
            by[key] -= rate * mean / (1 - 0.9 ** (step + 1)) / size
    return by


class Judge:
    """A judge that takes the rest of the round from the network, and all else as `engine.chemistry.judge`."""

    def __init__(self, by: dict[str, Any]) -> None:
        self.size, self.bias, self.line = by["size"], by["bias"][0], by["line"]
        columns = zip(*by["in"], strict=True)
        self.neurons = list(zip(columns, by["biases"], by["out"], strict=True))

    def rest(self, state: Any, seat: int) -> float:
        """Points that the rest of the round brings this seat more than the other."""
        seen = numbers(state, seat)
        total: float = self.bias + sum(map(mul, self.line, seen))
        for weights, bias, out in self.neurons:
            total += out * max(0.0, sum(map(mul, weights, seen), bias))
        return total * self.size

    def __call__(self, state: Any, seat: int) -> float:
        """The share of the match."""
        if state.phase == OVER:
            return known.judge(state, seat)
        rest = self.rest(state, state.turn)
        own, other = (state.totals[one] + _board(state, one) for one in (seat, 1 - seat))
        ahead = own - other + (rest if state.turn == seat else -rest)
        best = seat if own >= other else 1 - seat
        scale = known._CANASTA if state.canasta else known._CAPTURE
        stock = len(state.order) - state.at
        luck = scale.running * (min(1.0, (1 + stock) / known._STOCK) if state.canasta else 1.0)
        if state.round != state.rounds:
            usual = known._USUAL / 2 if state.canasta else 92
            most = state.totals[best] + known.promise(state, best)
            luck += scale.beside + min(state.rounds - state.round, max(0.0, (TARGET - most) / usual))
        return 1 / (1 + exp(max(-50.0, min(50.0, -ahead / (scale.spread * sqrt(luck))))))


@dataclass(frozen=True, slots=True)
class Wide(Thinker):
    """A search whose candidates capture different compounds or lay different runs before they differ in
    cards, with the two best discards always among them."""

    @override
    def think(self, observation: Any, actions: Sequence[Any], rng: random.Random, **_rest: Any) -> Verdict:
        worth = self.scores(observation, actions, rng)
        order = sorted(range(len(actions)), key=lambda at: -worth[at])
        if observation.phase < PLAY:
            order = order[:1]
        elif observation.phase == PLAY:
            first, rest, met = [], [], list[tuple[str, int]]()
            for at in order:
                verb = actions[at].verb
                key = (verb, 0 if verb == "discard" else actions[at].what)
                (first if met.count(key) < (2 if verb == "discard" else 1) else rest).append(at)
                met.append(key)
            order = sorted((first + rest)[: self.top], key=lambda at: -worth[at])
        every = [Candidate(actions[at], at, worth[at]) for at in order[: self.top]]
        make, seat = self.sampler(observation), observation.viewer

        def attempt(world: Any, candidate: Candidate) -> None:
            self._try(world.clone(), seat, candidate, rng)

        return race(every, lambda: make(rng), attempt, budget=self.budget, lean=self.lean, stop=None)

    @override
    def _play_on(self, world: Any, rng: random.Random) -> None:
        assert isinstance(world, Round)
        world.play_on(rng, 2 * (self.depth or 0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=("play", "fit", "games"))
    parser.add_argument("game", choices=("compound_capture", "canasta"))
    parser.add_argument("files", nargs="*")
    parser.add_argument("--rounds", type=int, default=11_000)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tries", type=int, default=800)
    parser.add_argument("--top", type=int, default=10)
    parser.add_argument("--lean", type=float, default=0.002)
    parser.add_argument("--depth", type=int, default=1, help="turns of each seat until the network judges")
    asked = parser.parse_args()
    game = catalog.get(asked.game)
    if asked.what == "play":
        np.save(asked.files[0], np.array(list(played(game, asked.rounds)), dtype=np.float32))
    elif asked.what == "fit":
        fit(np.concatenate([np.load(file) for file in asked.files]).astype(np.float64), asked.weights)
    else:
        judge = Judge(json.loads(asked.weights.read_text()))
        settings = {"budget": asked.tries, "top": asked.top, "lean": asked.lean, "depth": asked.depth}
        contest(game, Wide(sampler, scores, policy, judge, **settings), asked.games, asked.seed)


def fit(table: Any, file: Path | None) -> None:
    """Say what is explained of the rounds left out; write the weights."""
    number, wanted, said, seen = table[:, 0], table[:, 1], table[:, 2], table[:, HEAD:]
    held = number % 5 == 0
    size = float(wanted.std())
    by = learned(seen[~held], wanted[~held] / size)
    straight = np.c_[seen[held], np.ones(held.sum())] @ line(seen[~held], wanted[~held])
    print(f"{len(wanted)} turns of {int(number.max()) + 1} rounds; explained of those left out:")
    print(
        f"judge {explained(wanted[held], said[held]):.3f}, line {explained(wanted[held], straight):.3f},",
        end=" ",
    )
    print(f"network {explained(wanted[held], size * passed(by, seen[held])[0]):.3f}")
    if file is not None:
        kept = {key: np.round(one, 4).tolist() for key, one in by.items()}
        file.write_text(json.dumps({"size": size, **kept}), encoding="utf-8")


def contest(game: Any, player: Wide, games: int, seed: int) -> None:
    """Against Sharp, until the interval leaves .5 or so many games are played."""
    total: ArenaResult | None = None
    while total is None or total.games < games:
        players = [("network", player), "sharp"]
        batch = arena(game, players, {}, games=LOOK, seed=seed, timer=process_time)
        seed += 1
        if total is None:
            total = batch
        else:
            total.add(batch)
        one = total.contenders[0]
        low, high = one.ci95
        times = f"{one.ms_per_decision:.1f} ms a decision, {one.ms_at_most:.0f} at most"
        print(f"{total.games} games: {one.win_share:.3f} [{low:.3f}, {high:.3f}]; {times}", flush=True)
        if not low <= 0.5 <= high:
            return


if __name__ == "__main__":
    main()
