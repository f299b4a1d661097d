"""The legal tile placements, as moves.

They are ordered by kind, cell and rotation, as in `Board.placements`. Looping over the sorted kinds and open
cells gives this order without sorting anything else, and the moves of each cell are created only once
(`moves.LAID`). Sorting the placements and looking each one up took a third of a random game.
"""

from __future__ import annotations

from collections.abc import Collection

from engine.molecular.board import WAYS, Board
from engine.molecular.moves import LAID, Move


def tiles(board: Board, kinds: Collection[int]) -> list[Move]:
    """Return the moves that lay a tile of these kinds (without duplicates)."""
    met = board.open
    cells = [(WAYS[met[cell]][1], LAID[cell]) for cell in sorted(met)]
    moves: list[Move] = []
    for kind in sorted(kinds):
        for fitting, here in cells:
            if kind in fitting:
                for shape in fitting[kind]:
                    moves.append(here[shape])  # noqa: PERF401 - a list each takes twice as long
    return moves
