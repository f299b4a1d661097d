"""What an observation shows: the board again, the cells that can take a tile, and their letters."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import lru_cache
from typing import NamedTuple

from bot.presenters.molecular.words import Voice, letter
from engine.molecular import groups
from engine.molecular.board import BONDED, WAYS, Board, cell_of, place_of, unpacked
from engine.molecular.cards import EDGES, SHAPE_EDGES, SHAPE_KIND, SHAPE_OF, unplayed
from engine.molecular.observation import HIDDEN, Observation
from engine.molecular.scoring import GroupScore, group_score, tile_score


class MoleculeTable:
    """A molecule with the letters of its cells; made once for each board.

    `letters` names the empty cells that some unplayed tile fits, in reading order; `ends` the end
    tiles, for Spillage.
    """

    __slots__ = ("_counts", "board", "ends", "letters")

    def __init__(self, codes: tuple[int, ...]) -> None:
        self.board = Board.of((code >> 8, code & 255) for code in codes)
        left = unplayed(code & 255 for code in codes)
        kinds = sum(1 << kind for kind, count in enumerate(left) if count > 0)
        rim = self.board.rim
        fitting = [c for c, pattern in rim.items() if pattern & BONDED and WAYS[pattern][0] & kinds]
        self.letters = {cell: letter(n) for n, cell in enumerate(sorted(fitting, key=reading))}
        self.ends = {cell: letter(n) for n, cell in enumerate(sorted(self.board.ends(), key=reading))}
        self._counts: tuple[int, ...] | None = None

    def counts(self) -> tuple[int, ...]:
        """How many examples of each group there are."""
        if self._counts is None:
            self._counts = groups.count_all(self.board)
        return self._counts


class Miss(NamedTuple):
    """How nearly a tile fits a cell: edges that differ, bonds that meet a blank edge of the tile, and the
    first rotation with the fewest of these."""

    edges: int
    lost: int
    turn: int


@lru_cache(maxsize=8192)
def near_miss(pattern: int, kind: int) -> Miss:
    """The nearest that a tile of this kind comes to fitting a cell with this rim."""

    def turned(turn: int) -> Miss:
        own = SHAPE_EDGES[SHAPE_OF[kind][turn]]
        met = [(pattern >> 3 * edge & 3, own[edge]) for edge in range(EDGES) if pattern >> 3 * edge & 4]
        return Miss(
            sum(bond != mine for bond, mine in met), sum(bond > 0 and not mine for bond, mine in met), turn
        )

    return min(map(turned, range(EDGES)))


class Lettering(NamedTuple):
    """What letters name in a picture: empty cells, or tiles where one is to be chosen; and the empty
    cells that are drawn as alive."""

    names: Mapping[int, str]
    live: Container[int]
    on_tiles: bool = False


def reading(cell: int) -> tuple[int, int]:
    """Where a cell comes when reading: rows from the top, each from the left."""
    q, r = place_of(cell)
    return r, q


@lru_cache(maxsize=64)
def _table(codes: tuple[int, ...]) -> MoleculeTable:
    return MoleculeTable(codes)


def table(seen: Observation) -> MoleculeTable:
    """The molecule of an observation."""
    return _table(seen.board)


def worth(seen: Observation, group: int) -> GroupScore:
    """What a card of this group would score now."""
    count = table(seen).counts()[group]
    return group_score(group, count, seen.counters[group], seen.actives, seen.reagent)


def tile_points(seen: Observation, cell: int, kind: int) -> int:
    """What a tile of this kind would score in this cell."""
    board = table(seen).board
    return tile_score(board, cell, kind, seen.actives, seen.reagent, per_edge=seen.per_edge).total


def pool(seen: Observation) -> list[int]:
    """The viewer's tiles, in the order in which they were drawn."""
    return [] if seen.viewer is None else [kind for kind in seen.tiles.held[seen.viewer] if kind != HIDDEN]


def kinds(seen: Observation) -> list[int]:
    """The kinds of the viewer's tiles, in the order in which the first of each was drawn; their places from 1
    are the numbers of the tiles."""
    return list(dict.fromkeys(pool(seen)))


def number(seen: Observation, kind: int) -> int:
    """The number of a kind of tile in the hand: equal tiles share one."""
    return kinds(seen).index(kind) + 1


def hand(seen: Observation) -> list[int]:
    """The viewer's group cards, in the order in which they came."""
    return [] if seen.viewer is None else [kind for kind in seen.cards.held[seen.viewer] if kind != HIDDEN]


def lettering(seen: Observation) -> Lettering:
    """The letters of the table: all cells that some tile fits, or end tiles while Spillage asks for one."""
    live = table(seen).letters
    if seen.over:
        return Lettering({}, live)
    if spilling(seen):
        return Lettering(table(seen).ends, live, on_tiles=True)
    return Lettering(live, live)


def own_lettering(seen: Observation) -> Lettering:
    """Those letters of the table that the viewer can choose among."""
    of_table = lettering(seen)
    if of_table.on_tiles:
        return of_table if seen.viewer in seen.to_act else Lettering({}, of_table.live)
    if seen.over:
        return of_table
    codes = table(seen).board.placements(set(pool(seen)))
    cells = {cell_of(q, r) for _, q, r, _ in map(unpacked, codes)}
    return Lettering({cell: name for cell, name in of_table.names.items() if cell in cells}, cells)


def lettered(
    table: MoleculeTable, lettering: Lettering, voice: Voice, shown: Container[int] | None = None
) -> str:
    """The letters in words, those on tiles with what the tile is; only of the cells shown, if given."""
    found = []
    for cell, name in lettering.names.items():
        if shown is None or cell in shown:
            kind = SHAPE_KIND[table.board.tiles[cell]] if lettering.on_tiles else -1
            found.append(name if kind < 0 else voice("alt.end", cell=name, element=voice.element(kind)))
    return voice.listed(found)


def spilling(seen: Observation) -> bool:
    """Whether an end tile is to be chosen, so that tiles and not cells are lettered."""
    return seen.pending is not None and seen.pending.verb == "spill"
