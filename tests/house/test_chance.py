"""The Discord side draws by lot from `App.chance` alone, so that tests can repeat it."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.house.tree import read, texts

SOURCES = {"random", "secrets", "uuid", "os"}
"""Modules that draw from the system, or from a generator that everyone shares."""
FINE = {"secrets.compare_digest"}
"""What they have that draws nothing."""
ANY = re.compile(r"\b(?:random|secrets|uuid\d?|urandom)\b")
"""A name without which no code draws; only files with one are parsed."""

MAY = {
    ("bot/ui/errors.py", "secrets.token_hex"): "the code of an error, which its line in the log repeats",
    ("bot/features/tournaments/service.py", "secrets.token_bytes"): "who meets whom: a secret, as of a deal",
}
"""Files, what they may draw with, and why no test needs to repeat it or how it does."""


def draws(code: str) -> list[str]:
    """Return what a piece of code draws with, such as `random.choice`.

    A generator with a seed, `Random(seed)`, is handed in as its seed is; the type `Random` draws nothing.
    """
    tree = ast.parse(code)
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {each.asname or each.name: each.name for each in node.names if each.name in SOURCES}
        elif isinstance(node, ast.ImportFrom) and node.module in SOURCES:
            names |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    unseeded = {
        id(node.func)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and not (node.args or node.keywords)
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = f"{names.get(node.value.id, '')}.{node.attr}"
        else:
            name = names.get(node.id, "") if isinstance(node, ast.Name) else ""
        module = name.partition(".")[0]
        if name == "random.Random":
            drawn = id(node) in unseeded
        elif module in ("os", "uuid"):
            drawn = name in ("os.urandom", "uuid.uuid1", "uuid.uuid4")
        else:
            drawn = module in ("random", "secrets") and "." in name and name not in FINE
        if drawn:
            found.append(name)
    return sorted(found)


@cache
def everywhere() -> frozenset[tuple[str, str]]:
    return frozenset(
        (path.as_posix(), name)
        for path in texts(".py")
        if path.parts[:2] in (("bot", "ui"), ("bot", "features")) and ANY.search(read(path))
        for name in draws(read(path))
    )


def test_what_is_drawn_in_discord_is_handed_in() -> None:
    assert everywhere() - MAY.keys() == frozenset()


def test_every_exception_is_still_needed() -> None:
    assert MAY.keys() - everywhere() == set()


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import random\nrandom.shuffle(people)", ["random.shuffle"]),
        ("import random as lots\nlots.choice(names)", ["random.choice"]),
        ("from random import choice\nchoice(names)", ["random.choice"]),
        ("from random import Random\nRandom().choice(names)", ["random.Random"]),
        ("import random\nrandom.Random()", ["random.Random"]),
        ("from random import SystemRandom\nSystemRandom(1)", ["random.SystemRandom"]),
        ("from secrets import token_bytes as drawn\nkey = drawn(32)", ["secrets.token_bytes"]),
        ("import secrets\npick = secrets.choice", ["secrets.choice"]),
        ("import os\nos.urandom(8)\nos.getpid()", ["os.urandom"]),
        ("from uuid import UUID, uuid4\nUUID(text)\nuuid4()", ["uuid.uuid4"]),
        ("from random import Random\ndef names(chance: Random) -> None:\n    chance.shuffle(all)", []),
        ("import random\nrandom.Random(seed).shuffle(cards)", []),
        ("import secrets\nsecrets.compare_digest(one, other)", []),
    ],
)
def test_it_finds_what_it_is_for(code: str, found: list[str]) -> None:
    assert draws(code) == found
