"""Compare the rules engines of two checkouts, in turn: old, new, old, new…

    git worktree add ../before HEAD~1
    nice -n -10 python -m tools.bench.engines ../before . [GAME…] [--rounds 15] [--json]

Each game is dealt with default options for the most seats and played at random to the end, the same in both
checkouts. Steady's decisions exclude forced ones. Times are CPU time, the best of all rounds: other processes
can only add to them. Both processes stay alive between rounds, so nothing is measured right after a start.
"""

from __future__ import annotations

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

FIGURES = ("play", "clone", "observe", "sample", "steady")
GAMES, PLACES = 8, 12
DECIDED = 0.3
"""Seconds of CPU for the decisions of one round: some take thousands of times as long as a clone."""


def measurer(key: str) -> Callable[[], dict[str, float]]:
    """Measures one game once: microseconds for an action of random play, a clone, a look, a sample, and for a
    decision of Steady, which older code calls heuristic."""
    from engine import catalog
    from engine.arena import key_of

    game = catalog.get(key)
    options = game.defaults()
    setups = [game.setup(game.seats(options)[-1], key_of(1, number), **options) for number in range(GAMES)]

    def play() -> tuple[int, list[Any]]:
        rng, count, found = random.Random(7), 0, []
        for setup in setups:
            state: Any = game.deal(setup)
            while waiting := state.to_act():
                push = getattr(state, "push", None) or state._apply
                push(waiting[0], rng.choice(state.legal_actions(waiting[0])))
                count += 1
                if rng.random() < 0.1:
                    found.append(state.clone())
        return count, found

    places = random.Random(3).sample(play()[1], PLACES)
    places = [state for state in places if state.to_act()]
    views = [state.observe(0) for state in places]
    steady = game.opponents.get("steady") or game.opponents["heuristic"]
    asked = [
        (state.observe(seat), actions)
        for state in places
        for seat in state.to_act()[:1]
        if len(actions := state.legal_actions(seat)) > 1
    ]

    def each(act: Callable[[int], Any], seconds: float = 0.05, many: int = len(places)) -> float:
        calls, start = 0, process_time()
        while process_time() - start < seconds:
            for place in range(many):
                act(place)
            calls += many
        return (process_time() - start) / calls * 1e6

    def once() -> dict[str, float]:
        start = process_time()
        count, _ = play()
        spent = (process_time() - start) / count * 1e6
        rng = random.Random(5)
        return {
            "play": spent,
            "clone": each(lambda place: places[place].clone()),
            "observe": each(lambda place: places[place].observe(0)),
            "sample": each(lambda place: game.sample(views[place], rng)),
            "steady": each(lambda place: steady(*asked[place], rng), DECIDED, len(asked)),
        }

    return once


def serve(key: str) -> None:
    """Measure once for each line that comes in."""
    once = measurer(key)
    print("ready", flush=True)
    for _ in sys.stdin:
        print(json.dumps(once()), flush=True)


def side(root: str, key: str) -> subprocess.Popen[str]:
    """A process that measures the code of a folder."""
    env = {**os.environ, "PYTHONPATH": str(Path(root).resolve()), "PYTHONHASHSEED": "0"}
    words = [sys.executable, str(Path(__file__).resolve()), "--serve", key]
    pipe = subprocess.PIPE
    process = subprocess.Popen(words, env=env, cwd=root, stdin=pipe, stdout=pipe, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def ask(process: subprocess.Popen[str]) -> dict[str, float]:
    """One measurement."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    found: dict[str, float] = json.loads(process.stdout.readline())
    return found


def compare(old: str, new: str, key: str, rounds: int) -> dict[str, tuple[float, float, float]]:
    """Return for each figure the best of both sides in microseconds, and the median ratio of new to old."""
    sides = [side(old, key), side(new, key)]
    found = [[ask(one) for one in (sides if number % 2 else sides[::-1])] for number in range(rounds)]
    found = [pair if number % 2 else pair[::-1] for number, pair in enumerate(found)]
    for one in sides:
        one.communicate()
    return {
        name: (
            min(pair[0][name] for pair in found),
            min(pair[1][name] for pair in found),
            median(pair[1][name] / pair[0][name] for pair in found),
        )
        for name in FIGURES
    }


def main(words: list[str]) -> None:
    """Compare, and print a table."""
    if words[:1] == ["--serve"]:
        serve(words[1])
        return
    rounds = int(words.pop(words.index("--rounds") + 1)) if "--rounds" in words else 15
    plain = [word for word in words if not word.startswith("--")]
    if len(plain) < 2:
        print(__doc__)
        return
    from engine import catalog

    old, new, *keys = plain
    out = {key: compare(old, new, key, rounds) for key in keys or catalog.listed()}
    if "--json" in words:
        print(json.dumps(out))
        return
    print(f"load {os.getloadavg()[0]:.1f}, nice {os.nice(0)}; old µs, new µs, best to best, median of rounds")
    for key, figures in out.items():
        for name, (before, after, ratio) in figures.items():
            print(f"{key:18}{name:9}{before:9.2f}{after:9.2f}{after / before - 1:+8.1%}{ratio - 1:+8.1%}")


if __name__ == "__main__":
    main(sys.argv[1:])
