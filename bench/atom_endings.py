"""What the endings of Atom's Sharp bring, four seats: the same last cards played by Steady, and with Sharp.

    python -m bench.atom_endings --deals 100 --seed 9400
    python -m bench.atom_endings --cards 36 --worlds 24 --json

Each deal is a match of Steady against itself. From the first position of each of its games with `--cards`
cards or fewer on, the real cards are played to the end of the game three times: by Steady alone, and with
Sharp on either side. Common cards and a common beginning take most of the luck away. `gain` is what a side's
share of the win grows by, a match, and its 95 % interval with the deal as the unit; a game that leaves the
match open counts what its lead is likely to bring. `--exact` looks at the decisions between two hands alone:
how many Steady gets wrong, and what that costs in points.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import replace
from math import sqrt
from statistics import mean, stdev
from time import process_time

from engine.arena import key_of
from engine.atom import GAME
from engine.atom.heuristic import heuristic
from engine.atom.judge import judge
from engine.atom.moves import Move
from engine.atom.position import PLAYING
from engine.atom.searching import OneGame
from engine.atom.sharp import Endings, sharp
from engine.atom.state import AtomState
from engine.atom.two_hands import exact, worth

SEATS = 4
LONG = 1_000_000
"""Positions to look at where time does not matter."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cards", type=int, default=sharp.cards)
    parser.add_argument("--worlds", type=int, default=sharp.every)
    parser.add_argument("--errors", type=float, default=sharp.errors)
    parser.add_argument("--trust", type=float, default=sharp.trust)
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    tried = replace(sharp, cards=asked.cards, every=asked.worlds, errors=asked.errors, trust=asked.trust)
    report = between_two(asked) if asked.exact else endings(asked, tried)
    print(json.dumps({**vars(asked), **report}) if asked.json else report)


def endings(asked: argparse.Namespace, tried: Endings) -> dict[str, object]:
    """Play every ending three times."""
    gains: list[float] = []
    times: list[float] = []
    for deal in range(asked.deals):
        rng = random.Random(deal)
        state, began, gain = dealt(asked.seed, deal), 0, 0.0
        while state.to_act():
            if sum(state.left) <= asked.cards and state.game != began:
                began = state.game
                first = played(state, None, 0, times)
                gain += (played(state, tried, 0, times) - first) / 2
                gain += (played(state, tried, 1, times) - (1 - first)) / 2
            state.push(state.turn, steady(state, rng))
        gains.append(gain)
    half = 1.96 * stdev(gains) / sqrt(len(gains))
    found = [round(mean(gains) + side * half, 4) for side in (-1, 0, 1)]
    return {
        "gain": found,
        "changed": round(mean(gain != 0 for gain in gains), 2),
        "decisions a side": round(len(times) / 2 / asked.deals, 1),
        "ms": round(1000 * mean(times), 1),
        "worst ms": round(1000 * max(times), 1),
    }


def between_two(asked: argparse.Namespace) -> dict[str, object]:
    """Steady held against the exact play between two hands."""
    lost: list[int] = []
    long = 0
    for deal in range(asked.deals):
        state, rng = dealt(asked.seed, deal), random.Random(deal)
        while state.to_act():
            seat, moves, move = state.turn, state.legal_actions(state.turn), steady(state, rng)
            if len(moves) > 1 and sum(map(bool, state.left)) == 2:
                best = exact(state.observe(seat), [move, *moves])
                if best is None:
                    long += 1
                else:
                    lost.append(0 if best == move else lost_by(state, move, best))
            state.push(seat, move)
    wrong = [points for points in lost if points]
    return {
        "decisions": len(lost),
        "too long": long,
        "wrong": len(wrong),
        "points lost by each": round(mean(wrong), 1) if wrong else 0,
    }


def dealt(seed: int, deal: int) -> AtomState:
    return GAME.deal(GAME.setup(SEATS, key_of(seed, deal)))


def lost_by(state: AtomState, move: Move, best: Move) -> int:
    """How many points less a move brings than the best one."""
    return worth(alone(state), best, LONG) - worth(alone(state), move, LONG)


def alone(state: AtomState) -> AtomState:
    """A copy that ends with the running game."""
    world = state.clone()
    world.__class__ = OneGame
    return world


def steady(state: AtomState, rng: random.Random) -> Move:
    moves = state.legal_actions(state.turn)
    return heuristic(state.observe(state.turn), moves, rng) if len(moves) > 1 else moves[0]


def played(state: AtomState, tried: Endings | None, side: int, times: list[float]) -> float:
    """The share of the win of a side that plays so, or as Steady, to the end of the running game."""
    world, rng = alone(state), random.Random(1)
    while world.phase == PLAYING:
        seat, moves = world.turn, world.legal_actions(world.turn)
        if tried is None or seat % 2 != side or len(moves) == 1:
            move = steady(world, rng)
        else:
            seen, begun = world.observe(seat), process_time()
            move = tried(seen, moves, rng)
            times.append(process_time() - begun)
        world.push(seat, move)
    return judge(world, side)


if __name__ == "__main__":
    main()
