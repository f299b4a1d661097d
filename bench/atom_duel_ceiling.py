"""How much room luck leaves in Atom Duel: who sees all cards against the steady opponent.

    python -m bench.atom_duel_ceiling --games 200 --seats 2 -o level=4
    python -m bench.atom_duel_ceiling --study 80 --seats 2 -o level=4

Nobody can play like this at a table. Each move is tried in the real position, played on to the end of the
round by the quick rule of the study; what no card decides is left to chance. Both sides hold every other
seat, deal by deal from all of them. One line after each tenth of the games: the share that was won, its 95 %
interval with the deal as the unit, and by how many points a game the mean seat is ahead, with its error.

With `--study`: of so many decisions at least of the steady opponent against itself, in whole games, what the
choice of the study brings more. It chooses by worlds of one seed and is judged by those of another.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from math import sqrt
from statistics import mean, stdev
from typing import TypeAlias

from bench.opponents.__main__ import read
from engine.arena import credited, interval, key_of
from engine.atom_duel import GAME
from engine.atom_duel.moves import Move
from engine.atom_duel.policy import policy
from engine.atom_duel.searching import judge, study
from engine.atom_duel.state import AtomDuelState
from engine.game import Seat, Value

TRIES = 16
"""How often each move is tried."""
PART = 0.3
"""The part of all decisions that the study looks at."""

Player: TypeAlias = Callable[[AtomDuelState, Seat, random.Random], Move]


def steady(state: AtomDuelState, seat: Seat, rng: random.Random) -> Move:
    move: Move = GAME.opponents["steady"](state.observe(seat), state.legal_actions(seat), rng)
    return move


def peeks(state: AtomDuelState, seat: Seat, rng: random.Random) -> Move:
    """The move that does best in the real position."""
    luck = [rng.randbytes(32) for _ in range(TRIES)]
    return max(
        state.legal_actions(seat), key=lambda move: sum(_tried(state, seat, move, key) for key in luck)
    )


def _tried(state: AtomDuelState, seat: Seat, move: Move, key: bytes) -> float:
    world, rng = state.clone(), random.Random(0)
    world.key = key
    world.push(seat, move)
    while (waiting := world.to_act()) and world.round == state.round:
        world.push(waiting[0], policy(world, waiting[0], rng))
    return judge(world, seat)


def deals(player: Player, seed: int, seats: int, options: dict[str, Value]) -> Iterator[tuple[float, float]]:
    """By deal, without end: the share of it, and the points by which the player is ahead."""
    number = 0
    while True:
        share = ahead = 0.0
        for turn in range(2):
            state = GAME.deal(GAME.setup(seats, key_of(seed, number), **options))
            rngs = [random.Random(f"ceiling/{seed}/{number}/{turn}/{seat}") for seat in range(seats)]
            held = [seat for seat in range(seats) if (seat + turn) % 2 == 0]
            while waiting := state.to_act():
                seat = waiting[0]
                actions = state.legal_actions(seat)
                who = player if seat in held else steady
                state.apply(seat, who(state, seat, rngs[seat]) if len(actions) > 1 else actions[0])
            outcome = state.outcome()
            assert outcome is not None
            share += sum(credited(outcome)[seat] for seat in held) / 2
            others = [state.points[seat] for seat in range(seats) if seat not in held]
            ahead += (mean(state.points[seat] for seat in held) - mean(others)) / 2
        yield share, ahead
        number += 1


def gains(least: int, seed: int, seats: int, options: dict[str, Value]) -> tuple[list[float], float]:
    """By decision what the study's choice brings more, in shares of the win; how many a game has."""
    rng, found, games, decisions = random.Random(seed), list[float](), 0, 0
    while len(found) < least:
        state = GAME.deal(GAME.setup(seats, key_of(seed, games), **options))
        games += 1
        while waiting := state.to_act():
            seat = waiting[0]
            actions = state.legal_actions(seat)
            move = actions[0]
            if len(actions) > 1:
                decisions += 1
                move = steady(state, seat, rng)
                if rng.random() < PART:
                    found.append(_gain(state, seat, move))
            state.push(seat, move)
    return found, decisions / games / seats


def _gain(state: AtomDuelState, seat: Seat, move: Move) -> float:
    seen, actions = state.observe(seat), state.legal_actions(seat)
    best = study.think(seen, actions, random.Random(1), also=(move,)).action
    if best == move:
        return 0.0
    verdict = study.think(seen, actions, random.Random(2), also=(best, move))
    tried = {candidate.action: candidate for candidate in verdict.candidates}
    return tried[best].lead(tried[move])[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--study", type=int, default=0, metavar="DECISIONS")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE")
    asked = parser.parse_args()
    options, count = read(GAME, asked.option), asked.games // 2
    if asked.study:
        more, each = gains(asked.study, asked.seed, asked.seats, options)
        print(
            f"{options} on {asked.seats} seats: the study gains {mean(more):+.4f} "
            f"({stdev(more) / sqrt(len(more)):.4f}) of a win a decision, {len(more)} decisions, "
            f"{each:.1f} of a seat in a game"
        )
        return
    found = []
    for share, ahead in deals(peeks, asked.seed, asked.seats, options):
        found.append((share, ahead))
        if len(found) > 1 and (len(found) % max(1, count // 10) == 0 or len(found) == count):
            shares, points = zip(*found, strict=True)
            low, high = interval(shares)
            error = stdev(points) / sqrt(len(points))
            print(
                f"{options} on {asked.seats} seats, {2 * len(found)} games: .{1000 * mean(shares):03.0f} "
                f"[{low:.3f}, {high:.3f}]; {mean(points):+.2f} ({error:.2f}) points",
                flush=True,
            )
        if len(found) == count:
            return


if __name__ == "__main__":
    main()
