"""The keys of tiles and cells in the choices: written by the tree, read where a way is drawn."""

from __future__ import annotations

import re
from typing import Final

from engine.molecular.board import cell_of, place_of

_TILE: Final = re.compile(r"t(\d+)")
_CELL: Final = re.compile(r"(-?\d+)_(-?\d+)")


def tile_key(kind: int) -> str:
    """The key of a kind of tile."""
    return f"t{kind}"


def cell_key(cell: int) -> str:
    """The key of a cell: its q and r."""
    return "{}_{}".format(*place_of(cell))


def kind_of(key: str) -> int | None:
    """The kind of tile that a key names, None if it names none."""
    found = _TILE.fullmatch(key)
    return int(found[1]) if found else None


def cell_named(key: str) -> int | None:
    """The cell that a key names, None if it names none."""
    found = _CELL.fullmatch(key)
    return cell_of(int(found[1]), int(found[2])) if found else None
