"""Measure a level's decisions, hints and game reviews, in CPU milliseconds.

    python -m tools.bench.decisions duel52 --seats 3 -o variant=triangles
    python -m tools.bench.decisions atom_duel --seats 5 -o hand_size=7 -o rounds=3 --hints 40
    python -m tools.bench.decisions atom --seats 4 --reviews 2

The level plays `--games` games against itself. Work that takes longer than `LONG` is repeated three times,
and the shortest run counts: other processes can only make it slower. Hints are for decisions drawn from the
same games, and the review is of the first seat. Everything runs on one core.
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

from bot.cli.arguments import chosen
from bot.table.thinking import hint
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
    parser.add_argument("--hints", type=int, default=0, help="number of hints")
    parser.add_argument("--reviews", type=int, default=0, help="number of reviews")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    game = catalog.get(asked.game)
    seats = asked.seats
    options = chosen(game, asked.option)
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
    hinted = random.Random(asked.seed).sample(met, min(asked.hints, len(met)))
    reviewed = list(zip(setups, games, strict=True))[: asked.reviews]
    told = {
        asked.level: decided,
        "hint": [timed(partial(hint, game.key, *one))[0] for one in hinted],
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
    """Return an opponent's decision with this seed, always the same."""
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
    """Return the count, and median, 99th percentile and maximum in milliseconds."""
    high = quantiles(spent, n=100)[-1] if len(spent) > 99 else max(spent)
    named = {"median_ms": median(spent), "p99_ms": high, "worst_ms": max(spent)}
    return {"times": len(spent)} | {name: round(1000 * value, 1) for name, value in named.items()}


def said(what: str, found: object) -> str:
    """A line of the report."""
    assert isinstance(found, dict)
    return "{what} {median_ms} ms, 99 % {p99_ms}, worst {worst_ms} of {times}".format(what=what, **found)


if __name__ == "__main__":
    main()
