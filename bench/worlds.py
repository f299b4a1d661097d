"""What a sampled world costs in two states of the code or more, measured in turns.

    git worktree add ../before b47247b
    python bench/worlds.py atom ../before . [--seats 5] [--rounds 5] [--json]
    python bench/worlds.py atom_duel ../before . --seats 4 --option level=7

Each of 12 positions (`--positions`) of frozen heuristic play is looked at once and dealt 100 times. CPU
microseconds a world, reading the observation included: `sample`; `sampler`; and in Atom `moves`, a world of
`sampler` with all moves that every seat has there, which is more than search ever asks for. The median of the
rounds, each of them a fresh process, so that nothing is warm; `again` is the same work once more in that
process.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

WORLDS = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("places", nargs="*", type=Path, default=[Path()], help="checkouts of the code")
    parser.add_argument("--seats", type=int, required=True)
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="of the table")
    parser.add_argument("--games", type=int, default=3, help="from which the positions are drawn")
    parser.add_argument("--positions", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.once:
        options = dict(pair.split("=", 1) for pair in asked.option)
        print(json.dumps(once(asked.game, asked.seats, options, asked.games, asked.positions)))
        return
    rounds: dict[str, list[dict[str, float]]] = {}
    for _ in range(asked.rounds):
        for place in asked.places:
            command = [sys.executable, str(Path(__file__).resolve()), "--once", *sys.argv[1:]]
            path = {**os.environ, "PYTHONPATH": str(place.resolve())}
            said = subprocess.run(command, cwd=place, env=path, check=True, capture_output=True).stdout
            rounds.setdefault(str(place), []).append(json.loads(said))
    report = {
        place: {figure: round(median(one[figure] for one in found), 1) for figure in found[0]}
        for place, found in rounds.items()
    }
    if asked.json:
        print(json.dumps({"game": asked.game, "seats": asked.seats, "options": asked.option, **report}))
        return
    for place, figures in report.items():
        print(place, ", ".join(f"{figure} {spent} us" for figure, spent in figures.items()))


def once(key: str, seats: int, options: dict[str, str], games: int, positions: int) -> dict[str, float]:
    """Microseconds for a world, by the way in which it is made."""
    from bench.opponents import FROZEN
    from engine import catalog
    from engine.arena import key_of

    game = catalog.get(key)
    values = {
        option.key: option.read(options[option.key]) for option in game.options if option.key in options
    }
    found: list[Any] = []
    for number in range(games):
        state = game.deal(game.setup(seats, key_of(1, number), **values))
        rngs = [random.Random(f"worlds/{number}/{seat}") for seat in range(seats)]
        while turn := state.to_act():
            seat = turn[0]
            found.append(state.observe(seat))
            legal = state.legal_actions(seat)
            state.push(seat, FROZEN[key](found[-1], legal, rngs[seat]))
    views = random.Random(3).sample(found, positions)
    rng = random.Random(5)

    def spent(world: Callable[[Any, Callable[[random.Random], Any]], object]) -> float:
        start = process_time()
        for seen in views:
            draw = game.sampler(seen)
            for _ in range(WORLDS):
                world(seen, draw)
        return (process_time() - start) / (len(views) * WORLDS) * 1e6

    def moves(_: Any, draw: Callable[[random.Random], Any]) -> None:
        state = draw(rng)
        for state.turn in range(seats):
            state.legal_actions(state.turn)

    figures = {}
    ways: dict[str, Callable[[Any, Callable[[random.Random], Any]], object]] = {
        "sample": lambda seen, _: game.sample(seen, rng),
        "sampler": lambda _, draw: draw(rng),
    }
    if key == "atom":
        ways["moves"] = moves
    for name, world in ways.items():
        # a fork, so that no figure is warm from the one before
        into, out = os.pipe()
        if (child := os.fork()) == 0:
            os.write(out, json.dumps([spent(world), spent(world)]).encode())
            os._exit(0)
        os.waitpid(child, 0)
        figures[name], figures[f"{name} again"] = json.loads(os.read(into, 1000))
    return figures


if __name__ == "__main__":
    main()
