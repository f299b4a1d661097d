"""A public class name means one thing in the whole project."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

from tests.house.tree import read, texts

PER_GAME = {("engine",): 2, ("bot", "presenters"): 3}
"""Where each game has a package of its own, with the same names in each, and the depth of those packages."""
CLASS = re.compile(r"^class\s+(\w+)", re.MULTILINE)
BASES = {"Voice"}
"""Names of a base class that each game's own class of that name extends."""


def of_one_game(path: Path) -> bool:
    return any(
        path.parts[: len(root)] == root and len(path.parts) > depth for root, depth in PER_GAME.items()
    )


def classes(code: str) -> list[str]:
    """Return the public classes of a module."""
    body = ast.parse(code).body
    return [node.name for node in body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]


def test_no_public_class_name_has_two_meanings() -> None:
    code = [path for path in texts(".py") if path.parts[0] in ("bot", "engine", "playground", "tools")]
    written = {path: set(CLASS.findall(read(path))) for path in code}
    count = Counter(name for names in written.values() for name in names)
    homes = defaultdict(list)
    for path, names in written.items():
        # a text in a module may look like a class, but parsing all files takes seconds
        if any(count[name] > 1 for name in names):
            for name in classes(read(path)):
                homes[name].append(path)
    assert len(homes) > len(BASES)
    twice = {
        name: [str(path) for path in paths]
        for name, paths in homes.items()
        if len(paths) > 1 and name not in BASES and not all(map(of_one_game, paths))
    }
    assert twice == {}
