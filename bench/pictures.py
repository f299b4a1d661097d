"""What pictures cost: CPU milliseconds and bytes, as JSON.

    python bench/pictures.py [--rounds 40]
    python bench/pictures.py --fresh

Each picture is measured with warm sprite caches and with texts that were never drawn before, which is
what a running game does: the cards are known, the numbers and names change. Times are CPU time of the
painting thread (`time.thread_time`), so other work on the machine does not count.

`--fresh` paints the first 50 pictures of each game in processes of their own: in a fresh one that finds
nothing on disk, in a fresh one that finds what the one before has kept there, and in one that has painted
300 other pictures of the game.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bot import presenters
from bot.presenters.atom_duel import hand as hands
from bot.presenters.atom_duel import scenes
from bot.presenters.atom_duel.lookups import card_scene
from bot.presenters.atom_duel.periodic import periodic_scene
from bot.presenters.atom_duel.words import Voice
from bot.presenters.elements.painters import Rule
from bot.presenters.painting import load_painters
from bot.render.boards import Board, Columns, Tally, board_scene, medal
from bot.render.canvas import Canvas
from bot.render.encode import encode, png
from bot.render.scene import Look, Scene
from bot.render.shelf import NOWHERE
from engine import catalog
from engine.arena import key_of
from engine.atom_duel import GAME
from engine.atom_duel.knowledge import EVERYBODY, place
from engine.atom_duel.observation import HIDDEN, Observation, PlayView

LOOK = Look()
NAMES = ("Mira", "Tobias", "Anna-Lena", "小明", "Ed")


def dealt(seats: int, *, viewer: int | None = None, **fields: Any) -> Observation:
    """A game of Atom Duel that has just been dealt, with some of what is seen changed."""
    seen = GAME.deal(GAME.setup(seats, bytes(32), level=7)).observe(viewer)
    return msgspec.structs.replace(seen, **fields)


def played(seat: int, card: int, value2: int, power: str, head: int = 0, *, beaten: bool = False) -> PlayView:
    return PlayView(seat, card, power, 2 * card, value2, head or card, beaten, False, False)


def table(number: int) -> Scene:
    plays = (
        played(0, 46, 0, "alloy", head=25),
        played(1, 25, 142 + 2 * number, "alloy"),
        played(2, 26, 216 + 2 * number, "magnet"),
        played(3, 112, 224 + 2 * number, "scientist", beaten=True),
        played(4, 73, 73, "carbide"),
    )
    seen = dealt(
        5,
        round=2,
        hand=number,
        deck=18 + number,
        points=tuple(number + seat for seat in range(5)),
        rows=((HIDDEN, 26, HIDDEN, HIDDEN, HIDDEN),) * 5,
        looks=(("see", EVERYBODY, (sum(place(seat, 1) for seat in range(5)),)),),
        plays=plays,
        winning=2,
        to_act=(number % 5,),
        leader=0,
        zinc=(2,),
        pass_left=True,
    )
    return scenes.table(seen, Look(names=tuple(f"{name} {number}" for name in NAMES)))


def hand(number: int, cards: int) -> Scene:
    row = (26, 104, 6, 59, 43, 118, 92)[:cards]
    seen = dealt(2, viewer=0, rows=(row, ()), to_act=(0,))
    return hands.hand(seen, Look(names=(f"Mira {number}", "Tobias")))


def card(number: int) -> Scene:
    magnet = Rule("magnet", "Magnet", f"Adds the number of another card, {number} times.")
    return card_scene(26, (magnet,), Voice(LOOK))


def board(number: int) -> Scene:
    tallies = tuple(
        Tally(
            f"Player {rank} {number}",
            90 - rank,
            100 + number,
            "",
            sign=medal(rank),
            rating="1000",
            rated=True,
        )
        for rank in range(1, 11)
    )
    columns = Columns("Won", "of {n}", "Rating")
    return board_scene(Board("Leaderboard", f"Season {number}", columns, tallies), LOOK)


def measure(make: Callable[[int], Scene], rounds: int) -> dict[str, float | int | str]:
    """Paint `rounds` different scenes after a few that warm the caches."""
    for number in range(3):
        png(Canvas(make(number)))
    paints, encodes, sizes = [], [], []
    for number in range(10, 10 + rounds):
        scene = make(number)
        start = time.thread_time()
        canvas = Canvas(scene)
        middle = time.thread_time()
        sizes.append(len(png(canvas)))
        end = time.thread_time()
        paints.append(middle - start)
        encodes.append(end - middle)
    totals = [one + other for one, other in zip(paints, encodes, strict=True)]
    return {
        "size": f"{scene.width}x{scene.height}",
        "cpu_ms": round(statistics.median(totals) * 1000, 2),
        "paint_ms": round(statistics.median(paints) * 1000, 2),
        "encode_ms": round(statistics.median(encodes) * 1000, 2),
        "bytes": round(statistics.median(sizes)),
    }


def cold(make: Callable[[int], Scene], palette: str) -> float:
    """CPU milliseconds of a first picture whose cards were never drawn in this palette."""
    scene = make(1)
    scene = replace(scene, look=replace(scene.look, palette=palette))
    start = time.thread_time()
    png(Canvas(scene))
    return round((time.thread_time() - start) * 1000, 1)


FIRST, OTHERS = 50, 300


def drawn(game: str, seed: int, count: int) -> list[Scene]:
    """Hands and tables of random games, one after the other, with names of this seed."""
    rules, presenter, rng = catalog.get(game), presenters.get(game), random.Random(seed)
    found: list[Scene] = []
    while len(found) < count:
        seats = rng.choice([n for n in rules.seats(rules.defaults()) if n > 1] or [1])
        look = Look(names=tuple(f"Player {seed} {number}" for number in range(seats)))
        state = rules.deal(rules.setup(seats, key_of(seed, len(found)), **rules.defaults()))
        for _ in range(40):
            if not (waiting := state.to_act()):
                break
            found.append(presenter.hand(state.observe(waiting[0]), look))
            state.apply(waiting[0], rng.choice(state.legal_actions(waiting[0])))
            found.append(presenter.table(state.observe(None), look))
    return found[:count]


def first(game: str, others: int, cache: str) -> dict[str, float]:
    """CPU milliseconds of the first pictures in this process, after so many others."""
    start = time.process_time()
    load_painters(cache)
    ready = time.process_time() - start
    mine, rest = drawn(game, 1, FIRST), drawn(game, 2, others)
    for scene in rest:
        encode(scene)
    times = []
    for scene in mine:
        start = time.thread_time()
        encode(scene)
        times.append((time.thread_time() - start) * 1000)
    return {
        "ready_ms": round(ready * 1000),
        "first_ms": round(times[0], 1),
        "mean_ms": round(statistics.mean(times), 2),
        "p95_ms": round(sorted(times)[-len(times) // 20], 1),
        "worst_ms": round(max(times), 1),
    }


def fresh() -> dict[str, object]:
    """The first pictures of each game: in a fresh process, in one that finds what was kept, in an old one."""
    figures: dict[str, object] = {}
    for game in catalog.listed():
        with tempfile.TemporaryDirectory() as folder:
            runs = {"cold": (0, folder), "kept": (0, folder), "old": (OTHERS, NOWHERE)}
            figures[game] = {
                name: json.loads(
                    subprocess.run(
                        [sys.executable, __file__, "--first", game, str(others), cache],
                        capture_output=True,
                        check=True,
                    ).stdout
                )
                for name, (others, cache) in runs.items()
            }
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--first", nargs=3, metavar=("GAME", "OTHERS", "CACHE"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.first:
        game, others, cache = asked.first
        print(json.dumps(first(game, int(others), cache)))
        return
    if asked.fresh:
        print(json.dumps(fresh(), indent=1))
        return
    rounds = asked.rounds
    figures: dict[str, object] = {
        "table": measure(table, rounds),
        "hand_5": measure(lambda number: hand(number, 5), rounds),
        "hand_7": measure(lambda number: hand(number, 7), rounds),
        "elements": measure(lambda number: periodic_scene(LOOK, title=f"{number}"), rounds),
        "board": measure(board, rounds),
        "card_new_text": measure(card, max(3, rounds // 8)),
        "table_first_ms": cold(table, "contrast"),
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
