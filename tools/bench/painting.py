"""Measure the cost of pictures: CPU milliseconds and bytes, as JSON.

    python -m tools.bench.painting [--rounds 40]
    python -m tools.bench.painting --deflate [--rounds 10]
    python -m tools.bench.painting --fresh

Hands and tables of random games are painted with warm sprite caches and new names, as in a running game: the
cards are known, the numbers and names change. Times are CPU time of the painting thread (`time.thread_time`),
so other work on the machine does not count. `--deflate` compresses the same pictures with zlib and with the
other installed compressors.

`--fresh` paints the first 50 pictures of each game in separate processes: a new one with an empty disk cache,
a new one with the cache that the first left behind, a new one with cards drawn ahead
(`bot/presenters/prerender.py`), and one that has painted 300 other pictures of the game.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable

from bot.presenters.painter_imports import load_painters
from bot.presenters.prerender import PARTS, prerender, random_scenes
from bot.render import deflate
from bot.render.canvas import Canvas
from bot.render.encode import encode, png
from bot.render.scene import Scene
from bot.render.sprite_cache import NOWHERE
from engine import catalog

FIRST, OTHERS = 50, 300
"""Pictures that are timed in a fresh process, and those that are painted before it counts as warm."""


def measure(scenes: list[Scene]) -> dict[str, float | int | str]:
    """Paint and compress each of these once."""
    paints, encodes, sizes = [], [], []
    for scene in scenes:
        start = time.thread_time()
        canvas = Canvas(scene)
        middle = time.thread_time()
        sizes.append(len(png(canvas)))
        end = time.thread_time()
        paints.append(middle - start)
        encodes.append(end - middle)
    totals = [one + other for one, other in zip(paints, encodes, strict=True)]
    return {
        "size": f"{scenes[0].width}x{scenes[0].height}",
        "cpu_ms": round(statistics.median(totals) * 1000, 2),
        "paint_ms": round(statistics.median(paints) * 1000, 2),
        "encode_ms": round(statistics.median(encodes) * 1000, 2),
        "bytes": round(statistics.median(sizes)),
    }


def warm(game: str, rounds: int) -> dict[str, object]:
    """Hands and tables of random games, once their cards are known."""
    for scene in random_scenes(game, 2, OTHERS):
        encode(scene)
    scenes = random_scenes(game, 1, 2 * rounds)
    return {"hand": measure(scenes[0::2]), "table": measure(scenes[1::2])}


def compressed(rounds: int) -> dict[str, dict[str, float]]:
    """Return milliseconds and KiB for each compressor, on the same pictures of all games."""
    found = [
        Canvas(scene).image.tobytes() for game in catalog.listed() for scene in random_scenes(game, 1, rounds)
    ]
    ways: dict[str, Callable[[bytes], bytes]] = {
        "zlib 1": lambda data: zlib.compress(data, deflate.LEVEL),
        "zlib 6": lambda data: zlib.compress(data, deflate.THOROUGH),
        "as installed": deflate.deflate,
    }
    figures: dict[str, dict[str, float]] = {}
    for name, way in ways.items():
        start = time.thread_time()
        size = sum(len(way(data)) for data in found)
        spent = time.thread_time() - start
        figures[name] = {
            "ms": round(spent * 1000 / len(found), 2),
            "kib": round(size / len(found) / 1024, 1),
        }
    return figures


def first(game: str, others: int, cache: str) -> dict[str, float]:
    """Return the CPU milliseconds of the first pictures in this process, after `others` other pictures."""
    start = time.process_time()
    load_painters(cache)
    ready = time.process_time() - start
    mine, rest = random_scenes(game, 1, FIRST), random_scenes(game, 2, others)
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
    """The first pictures of each game: in a fresh process, in one that finds what was kept, in one that finds
    what was drawn ahead, which says how long that took, and in an old one."""
    figures: dict[str, object] = {}
    for game in catalog.listed():
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as stocked:
            start = time.process_time()
            sprites = sum(prerender(game, part, stocked) for part in range(PARTS))
            ahead = {"sprites": sprites, "cpu_s": round(time.process_time() - start, 1)}
            runs = {
                "cold": (0, folder),
                "kept": (0, folder),
                "ahead": (0, stocked),
                "old": (OTHERS, NOWHERE),
            }
            figures[game] = {"drawing_ahead": ahead} | {
                name: json.loads(
                    subprocess.run(
                        [sys.executable, "-m", "tools.bench.painting", "--first", game, str(others), cache],
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
    parser.add_argument("--deflate", action="store_true")
    parser.add_argument("--first", nargs=3, metavar=("GAME", "OTHERS", "CACHE"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.first:
        game, others, cache = asked.first
        print(json.dumps(first(game, int(others), cache)))
        return
    if asked.fresh:
        print(json.dumps(fresh(), indent=1))
        return
    if asked.deflate:
        print(json.dumps(compressed(asked.rounds), indent=1))
        return
    figures = {game: warm(game, asked.rounds) for game in catalog.listed()}
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
