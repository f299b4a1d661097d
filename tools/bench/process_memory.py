"""Measure the memory of an idle bot's processes: python -m tools.bench.process_memory

The bot runs unmodified on the local Discord. One person plays against a computer opponent for a few seconds,
so that a painter and a process for opponents are up; then the bot is left alone. A minute after its start it
draws cards ahead in a third process, which `--idle 70` includes. For each process the script prints its
resident memory, its proportional share (pages that several processes use are divided among them) and the
memory that no other process has, in MiB. The sum of the shares is what the bot takes of the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import tempfile
from pathlib import Path
from typing import Any

from tools.bench.press import family_of, rehearsal

GAME, LEVEL = "duel52", "steady"
PRESSES_PER_SECOND = 10
FIELDS = {"rss": ("Rss",), "pss": ("Pss",), "uss": ("Private_Clean", "Private_Dirty")}
"""The lines of `smaps_rollup` that are added up for each figure."""


def memory_of(pid: int) -> dict[str, float]:
    """Return the figures of a process, in MiB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    kib = {name: int(value.split()[0]) for name, value in (line.split(":") for line in lines)}
    return {name: round(sum(kib[field] for field in fields) / 1024, 1) for name, fields in FIELDS.items()}


def role_of(pid: int, bot: int) -> str:
    """Return what a process of the bot does, as far as its command line tells."""
    if pid == bot:
        return "bot"
    words = Path(f"/proc/{pid}/cmdline").read_text()
    if "resource_tracker" in words:
        return "resource tracker"
    parent = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return "fork server" if "forkserver" in words and parent == bot else "worker"


def figures(bot: int) -> dict[str, Any]:
    """Return the figures of all processes of a bot, and the sum of their shares."""
    rows = [(role_of(pid, bot), memory_of(pid)) for pid in sorted(family_of(bot))]
    return {
        "processes": [{"role": role, **memory} for role, memory in rows],
        "pss_mib": round(sum(memory["pss"] for _, memory in rows), 1),
    }


async def measure(play: float, idle: float, seed: int) -> dict[str, Any]:
    """Play against an opponent for a while, leave the bot alone, and measure."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["VALENCE_CACHE"] = cache  # after a minute the bot begins to draw cards ahead
        async with rehearsal(1, GAME, LEVEL) as played:
            await played.press(PRESSES_PER_SECOND, play, random.Random(seed))
            await asyncio.sleep(idle)
            return figures(played.bot.pid)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--play", type=float, default=10, help="seconds of play")
    parser.add_argument("--idle", type=float, default=10, help="seconds without a press before measuring")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    print(json.dumps(asyncio.run(measure(chosen.play, chosen.idle, chosen.seed)), indent=1))
