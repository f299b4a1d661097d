"""Where tiles can be laid, as moves.

The order is that of `Board.placements`: by kind, cell, rotation. It is met by going through the kinds and the
open cells, so nothing is sorted but these; the moves of each cell are made once (`moves.LAID`). To sort the
placements and look each up took a third of a random game.
"""

from __future__ import annotations

from collections.abc import Collection

from engine.molecular.board import WAYS, Board
from engine.molecular.moves import LAID, Move


def tiles(board: Board, kinds: Collection[int]) -> list[Move]:
    """The moves that lay a tile of these kinds, each named once."""
    met = board.open
    cells = [(WAYS[met[cell]][1], LAID[cell]) for cell in sorted(met)]
    moves: list[Move] = []
    for kind in sorted(kinds):
        for fitting, here in cells:
            if kind in fitting:
                for shape in fitting[kind]:
                    moves.append(here[shape])  # noqa: PERF401 - a list each takes twice as long
    return moves
