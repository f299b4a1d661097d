"""A public class name means one thing in the whole project."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from tests.house.tree import read, texts

PER_GAME = {("engine",): 2, ("bot", "presenters"): 3}
"""Where each game has a package of its own, with the same names in each, and the depth of those packages."""
BASES = {"Voice"}
"""Names of a base class that each game's own class of that name extends."""


def of_one_game(path: Path) -> bool:
    return any(
        path.parts[: len(root)] == root and len(path.parts) > depth for root, depth in PER_GAME.items()
    )


def test_no_public_class_name_has_two_meanings() -> None:
    homes = defaultdict(list)
    for path in texts(".py"):
        if path.parts[0] in ("bot", "engine", "playground", "tools"):
            for node in ast.parse(read(path)).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes[node.name].append(path)
    twice = {
        name: [str(path) for path in paths]
        for name, paths in homes.items()
        if len(paths) > 1 and name not in BASES and not all(map(of_one_game, paths))
    }
    assert twice == {}
