"""Measure Molecular on large boards: placements, groups and the picture, each from scratch.

python -m tools.bench.molecular --tiles 100 --boards 1000
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from collections.abc import Callable
from time import thread_time
from typing import Any

from bot.presenters.molecular import scenes
from bot.render.encode import encode
from bot.render.scene import Look
from engine.molecular import groups
from engine.molecular.ai.heuristic import heuristic
from engine.molecular.board import Board, cell_of, unpacked
from engine.molecular.cards import KINDS, SHAPE_OF, SUPPLY
from engine.molecular.game import GAME
from engine.molecular.state import MolecularState

TRIES = 400
EVERY = tuple(range(KINDS))


def grown(tiles: int, rng: random.Random) -> Board:
    """Return a board grown by random legal placements to `tiles` tiles, including the start tile.

    Raises:
        ValueError: no random board became so large.
    """
    for _ in range(TRIES):
        board, supply = Board.begun(), list(SUPPLY)
        rng.shuffle(supply)
        while len(board.tiles) < tiles:
            codes = board.placements(set(supply[-8:])) or board.placements(set(supply))
            if not codes:
                break
            kind, q, r, turn = unpacked(rng.choice(codes))
            board.lay(cell_of(q, r), SHAPE_OF[kind][turn])
            supply.remove(kind)
        else:
            return board
    raise ValueError(f"no random molecule grows to {tiles} tiles")


def position(board: Board, seats: int = 4) -> MolecularState:
    """A game on this board, for its picture."""
    state = GAME.deal(GAME.setup(seats, bytes(32)))
    state.board = board
    state.round = state.rules.rounds
    state.last_cell = max(board.tiles)
    return state


def measure(tiles: int = 100, boards: int = 1000, seed: int = 1) -> dict[str, object]:
    """Medians over random boards, in milliseconds of CPU time.

    `placements_ms`: the legal placements of all 36 kinds, rim and bonds rebuilt from the bare tiles;
    `groups_ms`: the exact count of all 32 groups, likewise; `picture_ms`: the table as a PNG file,
    scene and letters included, sprites kept as in a running bot.

    Raises:
        ValueError: more tiles than a random molecule reaches.
    """
    rng = random.Random(f"molecular/{seed}")
    look = Look(names=("Ann", "Ben", "Cy", "Dee"))
    times: dict[str, list[float]] = {"placements_ms": [], "groups_ms": [], "picture_ms": []}
    sizes: list[int] = []
    found: list[int] = []

    def clock(name: str, work: Callable[[Any], Any], given: object) -> Any:
        start = thread_time()
        result = work(given)
        times[name].append(1000 * (thread_time() - start))
        return result

    for _ in range(boards):
        board = grown(tiles, rng)
        bare = dict(board.tiles)
        codes = clock("placements_ms", lambda tiles: Board.of(tiles).placements(EVERY), bare)
        found.append(len(codes))
        clock("groups_ms", lambda tiles: groups.count_all(Board.of(tiles)), bare)
        seen = position(board).observe(None)
        picture = clock("picture_ms", lambda seen: encode(scenes.table(seen, look)), seen)
        sizes.append(len(picture))
    figures: dict[str, object] = {"tiles": tiles, "boards": boards}
    for name, all_times in times.items():
        figures[name] = round(statistics.median(all_times), 3)
        high = statistics.quantiles(all_times, n=20)[-1] if boards > 1 else all_times[0]
        figures[name.replace("ms", "p95_ms")] = round(high, 3)
    figures["placements"] = statistics.median(found)
    figures["picture_bytes"] = round(statistics.median(sizes))
    return figures


def ends(seats: int, games: int = 100) -> dict[str, float]:
    """How games of steady opponents alone end: the share in which nothing fits any more before the last
    round is over, the mean score of a seat, and the effectors revealed in a game."""
    stuck, scores, revealed = 0, 0, 0
    for number in range(games):
        key = f"ends/{number}".encode().ljust(32, b".")
        state, rng = GAME.deal(GAME.setup(seats, key)), random.Random(number)
        while waiting := state.to_act():
            seat = waiting[0]
            move = heuristic(state.observe(seat), state.legal_actions(seat), rng)
            revealed += move.verb == "reveal"
            state.apply(seat, move)
        stuck += state.over == "stuck"
        scores += sum(state.scores)
    return {
        "stuck": stuck / games,
        "score": round(scores / games / seats, 1),
        "revealed": round(revealed / games, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tiles", type=int, default=100)
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print(json.dumps(measure(asked.tiles, asked.boards, asked.seed), indent=1))


if __name__ == "__main__":
    main()
