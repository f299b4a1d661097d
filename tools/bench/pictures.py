"""The cost of the pictures of whole games, animated and final ones: `python -m tools bench pictures`.

All seats play like the game's best opponent. Times are CPU milliseconds of this process. Cards are drawn
before timing starts, as in a bot that has run for a while.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from typing import TypeVar

from bot import presenters
from bot.presenters.base import AnyPresenter
from bot.presenters.story import story
from bot.presenters.victory import victory
from bot.render.encode import encode
from bot.render.scene import Look, Scene
from bot.table.game_runner import steady
from engine import arena
from engine.game import Action, AnyGame, Event, Seat, Setup

EACH = 5
"""Interval between the moving pictures that are drawn; drawing more would tell nothing new."""
T = TypeVar("T")


def _timed(work: Callable[[], T], into: list[float]) -> T:
    begun = time.process_time()
    found = work()
    into.append((time.process_time() - begun) * 1000)
    return found


def _figures(times: Sequence[float], sizes: Sequence[int]) -> dict[str, float]:
    """Return median and maximum of milliseconds and KiB."""
    if not times:
        return {"count": 0}
    return {
        "count": len(times),
        "cpu_ms": round(median(times), 1),
        "cpu_ms_most": round(max(times), 1),
        "kib": round(median(sizes) / 1024),
        "kib_most": round(max(sizes) / 1024),
    }


def _end(presenter: AnyPresenter, setup: Setup, acts: Sequence[tuple[Seat, Action]], look: Look) -> bytes:
    return encode(victory(presenter, story(presenter, setup, acts, look), look))


def measure(game: AnyGame, games: int, seed: int) -> dict[str, object]:
    """Measure still tables, moving tables, and end-of-game pictures of this many games."""
    presenter, best = presenters.get(game.key), arena.opponent(game, steady(game))
    options, rng = game.defaults(), random.Random(f"pictures/{game.key}/{seed}")
    still, moving, ends = list[float](), list[float](), list[float]()
    sizes: dict[str, list[int]] = {"still": [], "moving": [], "ends": []}
    longest = acted = moved = 0

    def draw(scene: Scene, kind: str, times: list[float]) -> None:
        sizes[kind].append(len(_timed(partial(encode, scene), times)))

    for number in range(games):
        seats = rng.choice(game.seats(options))
        look = Look(names=tuple(f"Player {seat + 1}" for seat in range(seats)))
        setup = game.setup(seats, arena.key_of(number, seed), **options)
        state, acts = game.deal(setup), list[tuple[Seat, Action]]()
        while waiting := state.to_act():
            seat, legal = waiting[0], state.legal_actions(waiting[0])
            state.events = []
            action = legal[0] if len(legal) == 1 else best(state.observe(seat), legal, rng)
            state.push(seat, action)
            acts.append((seat, action))
            news: list[Event] = [cut for event in state.events if (cut := event.seen_by(None)) is not None]
            seen = state.observe(None)
            scene = presenter.table(seen, look)
            shown = presenter.motion(news, seen, scene, look)
            acted += 1
            if shown.motion:
                moved += 1
                if moved % EACH == 1:
                    encode(scene)  # draws its cards
                    draw(scene, "still", still)
                    draw(shown, "moving", moving)
                    longest = max(longest, sum(frame.milliseconds for frame in shown.motion))
        sizes["ends"].append(len(_timed(partial(_end, presenter, setup, acts, look), ends)))
    return {
        "acts": acted,
        "moving_acts": moved,
        "longest_ms": longest,
        "still": _figures(still, sizes["still"]),
        "moving": _figures(moving, sizes["moving"]),
        "end": _figures(ends, sizes["ends"]),
    }
