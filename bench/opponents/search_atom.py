"""What search is worth in Atom: the search of the teacher, with a small lean, against Steady, four seats.

    python -m bench.opponents.search_atom --games 100 --seed 7000
    python -m bench.opponents.search_atom --games 60 --seed 3 --seeing --tricks 1 --json

With `--seeing` it tries its moves in the real cards, as nobody can: the most that knowing them brings. Every
deal is played from both sides; the share of games won, its 95 % interval with the deal as the unit, and the
points that its side had more in a game.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import replace
from statistics import mean
from time import process_time

from engine import levels
from engine.arena import interval, key_of
from engine.atom import GAME
from engine.atom.searching import OneGame, Thinker, study
from engine.atom.state import AtomState

SEATS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeing", action="store_true", help="it sees all cards")
    parser.add_argument("--tries", type=int, default=60)
    parser.add_argument("--tricks", type=int, help="played until the position is judged")
    parser.add_argument("--top", type=int, default=4)
    parser.add_argument("--lean", type=float, default=0.005)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    search = replace(study, budget=0 if asked.seeing else asked.tries, top=asked.top, lean=asked.lean)
    search = replace(search, depth=asked.tricks or study.depth, measures=None)
    won: list[float] = []
    points: list[float] = []
    times: list[float] = []
    for deal in range(asked.games // 2):
        both = [play(search, side, key_of(asked.seed, deal), asked.seeing, times) for side in (0, 1)]
        won.append(mean(win for win, _ in both))
        points.append(mean(more for _, more in both))
    low, high = interval(won)
    report = {
        "games": 2 * len(won),
        "share": round(mean(won), 3),
        "ci95": [round(low, 3), round(high, 3)],
        "points": round(mean(points), 1),
        "ms": round(1000 * mean(times), 2),
    }
    if asked.json:
        print(json.dumps({**vars(asked), **report}))
        return
    print("{share} {ci95} of {games} games, {points} points a game, {ms} ms a decision".format(**report))


def play(search: Thinker, side: int, key: bytes, seeing: bool, times: list[float]) -> tuple[bool, float]:
    """A match in which the search holds one side and Steady the other: whether it wins, and by how many
    points a game."""
    state = GAME.deal(GAME.setup(SEATS, key))
    rngs = [random.Random(f"search/{key.hex()}/{seat}") for seat in range(SEATS)]
    while waiting := state.to_act():
        seat = waiting[0]
        moves = state.legal_actions(seat)
        move = moves[0]
        if len(moves) > 1:
            seen = state.observe(seat)
            if seat % 2 == side:
                begun = process_time()
                move = (real(search, state) if seeing else search)(seen, moves, rngs[seat])
                times.append(process_time() - begun)
            else:
                move = GAME.opponents[levels.STEADY](seen, moves, rngs[seat])
        state.push(seat, move)
    outcome = state.outcome()
    assert outcome is not None
    more = mean(result.totals[side] - result.totals[1 - side] for result in state.results)
    return side in outcome.winners(), more


def real(search: Thinker, state: AtomState) -> Thinker:
    """The same search in the real cards."""
    world = state.clone()
    world.__class__ = OneGame
    return replace(search, sampler=lambda _seen: lambda _rng: world)


if __name__ == "__main__":
    main()
