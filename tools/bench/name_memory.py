"""Measure the memory that names of every script take in a painter: python -m tools.bench.name_memory

Two fresh processes load what a painter loads and paint tables of every game for people with Latin names. Then
one paints the same tables for people whose names use every script that we have a font for; the other goes on
with Latin names. Prints the resident memory of both as JSON, in MiB. Linux only.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from bot import presenters
from bot.presenters.painter_imports import load_painters
from bot.render.encode import encode
from bot.render.scene import Look, Scene
from bot.render.sprite_cache import NOWHERE
from engine import catalog
from engine.arena import key_of

NAMES: Final = (
    *("陈欣怡 张梓涵", "黃鑫 龍懿", "鈴木さくら", "김민준 이서연", "ليلى محمد", "گل\u200cنار", "שלום דנה"),
    *("สวัสดี ที่นี่", "नमस्ते क्षत्रिय", "বাংলা", "ਪੰਜਾਬੀ", "ગુજરાતી", "தமிழ்", "తెలుగు", "ಕನ್ನಡ", "മലയാളം"),
    *("සිංහල", "မြန်မာ", "ខ្មែរ", "བོད་ཡིག", "ລາວ", "ქართული", "Հայերեն", "አማርኛ", "ᏣᎳᎩ", "ᐃᓄᒃᑎᑐᑦ", "ꆈꌠ"),
    *("ᠮᠣᠩᠭᠣᠯ", "🦊 fox 👑", "👩\u200d🔬🇫🇷👍🏽"),
)
LATIN: Final = tuple(f"Player {number}" for number in range(len(NAMES)))
OTHERS: Final = tuple(f"Somebody {number}" for number in range(len(NAMES)))
ROUNDS: Final = 3


def resident() -> float:
    """Return the resident memory of this process, in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def tables(names: Sequence[str]) -> Iterator[Scene]:
    """Yield tables of every game, until each of these names has sat at one."""
    for key in presenters.offered():
        rules, presenter = catalog.get(key), presenters.get(key)
        seats = max(rules.seats(rules.defaults()))
        for first in range(0, len(names), seats):
            sitting = tuple(names[(first + seat) % len(names)] for seat in range(seats))
            state = rules.deal(rules.setup(seats, key_of(1, first), **rules.defaults()))
            yield presenter.table(state.observe(None), Look(names=sitting))


def painted(names: Sequence[str]) -> float:
    """Paint the tables of these people several times. Return the resident memory after that."""
    for _ in range(ROUNDS):
        for scene in tables(names):
            encode(scene)
    return resident()


def measure(*, scripts: bool) -> dict[str, float]:
    """Return the resident memory of this process before and after its people change."""
    load_painters(NOWHERE)
    loaded, before = resident(), painted(LATIN)
    after = painted(NAMES if scripts else OTHERS)
    figures = {"loaded": loaded, "latin": before, "then": after, "added": after - before}
    return {name: round(mib, 1) for name, mib in figures.items()}


def in_fresh_process(kind: str) -> dict[str, float]:
    """Measure in a new process: `scripts` or `latin`."""
    asked = [sys.executable, "-m", "tools.bench.name_memory", "--only", kind]
    found: dict[str, float] = json.loads(subprocess.run(asked, capture_output=True, check=True).stdout)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=("scripts", "latin"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.only:
        print(json.dumps(measure(scripts=chosen.only == "scripts")))
    else:
        print(json.dumps({kind: in_fresh_process(kind) for kind in ("scripts", "latin")}, indent=1))
