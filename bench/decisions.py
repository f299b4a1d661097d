"""What a decision of a level costs, what a hint does, and what the review of a game does: CPU milliseconds.

    python -m bench.decisions duel52 --seats 3 -o variant=triangles
    python -m bench.decisions atom_duel --seats 5 -o hand_size=7 -o rounds=3 --hints 40
    python -m bench.decisions atom --seats 4 --reviews 2

The level plays `--games` games against itself. What takes longer than `LONG` is done three times and counts
as the shortest: work beside it makes decisions longer, never shorter. Hints are asked at decisions drawn from
the same games, and the review is that of the first seat, all of it on one core.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from functools import partial
from statistics import median, quantiles
from time import process_time
from typing import Any, Final, TypeVar

from bench.opponents.__main__ import read
from bot.tables.thinking import hint
from engine import catalog, levels
from engine.ai.review import review
from engine.arena import key_of
from engine.game import Chooser

T = TypeVar("T")

LONG: Final = 0.01
"""Seconds beyond which something is timed again."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game", choices=catalog.listed())
    parser.add_argument("--seats", type=int, required=True)
    parser.add_argument("--level", default=levels.STEADY)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--hints", type=int, default=0, help="how many are asked")
    parser.add_argument("--reviews", type=int, default=0, help="how many games are reviewed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    game = catalog.get(asked.game)
    seats = asked.seats
    options = read(game, asked.option)
    setups = [game.setup(seats, key_of(asked.seed, number), **options) for number in range(asked.games)]
    decided, games = list[float](), list[list[tuple[int, Any]]]()
    met: list[tuple[Any, Any]] = []
    for number, setup in enumerate(setups):
        state, rng, acts = game.deal(setup), random.Random(f"decisions/{asked.seed}/{number}"), []
        while waiting := state.to_act():
            seat = waiting[0]
            view, actions = state.observe(seat), state.legal_actions(seat)
            luck = rng.getrandbits(64)
            spent, action = timed(partial(decision, game.opponents[asked.level], view, actions, luck))
            decided.append(spent)
            if len(actions) > 1:
                met.append((view, actions))
            acts.append((seat, action))
            state.push(seat, action)
        games.append(acts)
    chosen = random.Random(asked.seed).sample(met, min(asked.hints, len(met)))
    reviewed = list(zip(setups, games, strict=True))[: asked.reviews]
    told = {
        asked.level: decided,
        "hint": [timed(partial(hint, game.key, *one))[0] for one in chosen],
        "review": [timed(partial(review, game, setup, acts, 0))[0] for setup, acts in reviewed],
    }
    report: dict[str, object] = {"game": game.key, "seats": seats, "options": options}
    report |= {what: figures(spent) for what, spent in told.items() if spent}
    if asked.json:
        print(json.dumps(report))
        return
    print(
        f"{game.key} on {seats} seats {options}: " + "; ".join(said(*one) for one in list(report.items())[3:])
    )


def decision(choose: Chooser, view: Any, actions: Any, luck: int) -> Any:
    """What an opponent does with this luck, the same each time."""
    return choose(view, actions, random.Random(luck))


def timed(act: Callable[[], T]) -> tuple[float, T]:
    """CPU seconds, the shortest of three where it takes long, and what came of it."""
    start = process_time()
    found = act()
    best = process_time() - start
    for _ in range(2 if best > LONG else 0):
        start = process_time()
        act()
        best = min(best, process_time() - start)
    return best, found


def figures(spent: list[float]) -> dict[str, float]:
    """How many there were, their median, 99th percentile and the longest, in milliseconds."""
    high = quantiles(spent, n=100)[-1] if len(spent) > 99 else max(spent)
    named = {"median_ms": median(spent), "p99_ms": high, "worst_ms": max(spent)}
    return {"times": len(spent)} | {name: round(1000 * value, 1) for name, value in named.items()}


def said(what: str, found: object) -> str:
    """A line of the report."""
    assert isinstance(found, dict)
    return "{what} {median_ms} ms, 99 % {p99_ms}, worst {worst_ms} of {times}".format(what=what, **found)


if __name__ == "__main__":
    main()
