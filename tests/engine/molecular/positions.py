"""Short ways to lay molecules on the board and to arrange a position."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cache

import pytest

from engine.game import IllegalAction
from engine.molecular import GAME, smarts
from engine.molecular.board import MIDDLE, OFFSETS, Board, cell_of, unpacked
from engine.molecular.cards import (
    BOX,
    COPIES,
    EDGES,
    EFFECTOR,
    ELEMENT,
    GROUP,
    SHAPE_EDGES,
    SHAPE_KIND,
    SHAPE_OF,
    SHAPES,
    SUPPLY,
    TILE,
)
from engine.molecular.hidden_pieces import HiddenPieces, entry
from engine.molecular.moves import REVEAL, Move
from engine.molecular.state import MolecularState

VALENCE = {"H": 1, "O": 2, "N": 3, "C": 4}
BY_EDGES = {(ELEMENT[kind], SHAPE_EDGES[s]): s for s, (kind, _) in enumerate(SHAPES)}


def g(name: str) -> int:
    return GROUP[name]


def e(name: str) -> int:
    return EFFECTOR[name]


def tile(name: str) -> int:
    return TILE[name]


def random_board(tiles: int, rng: random.Random, seed: Board | None = None) -> Board:
    """A board grown by random legal placements until it has so many tiles, or nothing fits.

    It begins with the start tile, or with a copy of the `seed`.
    """
    board, supply = seed.clone() if seed else Board.begun(), list(SUPPLY)
    while len(board.tiles) < tiles:
        codes = board.placements(set(rng.sample(supply, min(8, len(supply))))) or board.placements(
            set(supply)
        )
        if not codes:
            break
        kind, q, r, turn = unpacked(rng.choice(codes))
        board.lay(cell_of(q, r), SHAPE_OF[kind][turn])
        supply.remove(kind)
    return board


def embedded(elements: Sequence[str], bonds: Iterable[tuple[int, int, int]], middle: int = 0) -> Board:
    """A molecule on the board: a cell for each atom such that bonded ones touch, and tiles to fit.

    `bonds` are (atom, atom, order); what an atom has left leads into empty cells. The board may use
    more tiles of a kind than there are; the atom `middle` lies in the middle.
    """
    links: list[dict[int, int]] = [{} for _ in elements]
    for one, other, order in bonds:
        links[one][other] = links[other][one] = order
    order_of = [middle]
    for atom in order_of:
        order_of += [other for other in sorted(links[atom]) if other not in order_of]
    cells = {middle: MIDDLE}

    def fill(nth: int) -> bool:
        if nth == len(order_of):
            return shaped(elements, links, cells) is not None
        atom = order_of[nth]
        near = [cells[other] for other in links[atom] if other in cells]
        taken = set(cells.values())
        for offset in OFFSETS:
            cell = near[0] + offset
            if cell not in taken and all(cell - other in OFFSETS for other in near[1:]):
                cells[atom] = cell
                if fill(nth + 1):
                    return True
                del cells[atom]
        return False

    assert fill(1), "no room on a hexagonal board"
    return Board.of(shaped(elements, links, cells) or {})


def shaped(
    elements: Sequence[str], links: Sequence[dict[int, int]], cells: dict[int, int]
) -> dict[int, int] | None:
    """By cell the shape of each atom, `cells` given by atom; None where a bond finds no free edge."""
    at = {cell: atom for atom, cell in cells.items()}
    found = {}
    for atom, cell in cells.items():
        edges = [0] * EDGES
        free = VALENCE[elements[atom]] - sum(links[atom].values())
        for edge, offset in enumerate(OFFSETS):
            other = at.get(cell + offset)
            if other is not None:
                edges[edge] = links[atom].get(other, 0)
            elif free:
                edges[edge], free = 1, free - 1
        if free:
            return None
        found[cell] = BY_EDGES[elements[atom], tuple(edges)]
    return found


@cache
def _of_smiles(smiles: str) -> tuple[tuple[int, int], ...]:
    from rdkit import Chem

    mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
    Chem.Kekulize(mol, clearAromaticFlags=True)
    bonds = [
        (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), int(bond.GetBondTypeAsDouble()))
        for bond in mol.GetBonds()
    ]
    board = embedded([atom.GetSymbol() for atom in mol.GetAtoms()], bonds)
    return tuple(board.tiles.items())


@cache
def _of_group(group: int) -> tuple[tuple[int, int], ...]:
    pattern = smarts.parse(BOX.groups[group].smarts)
    elements = [min(atom.elements) for atom in pattern.atoms]
    board = embedded(elements, [(one, other, order) for order, one, other in pattern.bonds])
    return tuple(board.tiles.items())


def of_group(group: int) -> Board:
    """The bare atoms of a group; what they have left leads into empty cells."""
    return Board.of(_of_group(group))


def of_smiles(smiles: str) -> Board:
    """A complete molecule, hydrogens and all."""
    return Board.of(_of_smiles(smiles))


def game(seats: int = 2, seed: int = 0, **options: int | str) -> MolecularState:
    """A fresh game with events; seat 0 begins."""
    setup = GAME.setup(seats, seed.to_bytes(32, "big"), **{"first": 1, **options})
    state = GAME.deal(setup)
    state.events = []
    return state


def with_board(state: MolecularState, board: Board) -> MolecularState:
    """Put this molecule on the table; the piles keep what is left of their kinds, so far as there is."""
    state.board = board
    state.left = list(COPIES)
    for cell, shape in board.tiles.items():
        if cell != MIDDLE:
            state.left[SHAPE_KIND[shape]] = max(0, state.left[SHAPE_KIND[shape]] - 1)
    state.unplayed = sum(1 << kind for kind, count in enumerate(state.left) if count)
    state.counts.clear()
    return state


def _give(hidden: HiddenPieces, seat: int, kinds: list[int]) -> None:
    hidden.pile = hidden.kinds(seat) + hidden.pile
    hidden.held[seat] = []
    for kind in kinds:
        if kind not in hidden.pile:  # somebody else holds it: that seat gets another piece
            other, place = next(
                (s, n) for s, held in enumerate(hidden.held) for n in range(len(held)) if held[n] & 63 == kind
            )
            hidden.pile.append(kind)
            hidden.held[other][place] = entry(hidden.pile.pop(0), len(hidden.mixes))
        hidden.pile.remove(kind)
        hidden.held[seat].append(entry(kind, len(hidden.mixes)))


def give_pool(state: MolecularState, seat: int, *names: str) -> None:
    """Give a seat these tiles in exchange for its own, out of the supply."""
    _give(state.tiles, seat, [tile(name) for name in names])


def give_hand(state: MolecularState, seat: int, *names: str) -> None:
    """Give a seat these group cards in exchange for its own, out of the deck."""
    _give(state.cards, seat, [g(name) for name in names])


def stack(state: MolecularState, *names: str) -> None:
    """Put these effectors on top of the deck, the first one topmost."""
    for name in reversed(names):
        state.effectors.remove(e(name))
        state.effectors.append(e(name))


def lay(name: str, q: int, r: int, turn: int = 0) -> Move:
    return Move("tile", tile(name), q, r, turn)


def placed(state: MolecularState, seat: int, q: int, r: int) -> list[Move]:
    """The legal placements of a seat in one cell."""
    return [m for m in state.legal_actions(seat) if m.verb == "tile" and (m.q, m.r) == (q, r)]


def kinds_of(state: MolecularState, kind: str) -> list[dict[str, object]]:
    """The facts of the events of one kind so far."""
    return [event.facts for event in state.events or () if event.kind == kind]


def verbs(state: MolecularState, seat: int) -> set[str]:
    return {move.verb for move in state.legal_actions(seat)}


def revealed(*cards: str, seats: int = 2, board: Board | None = None) -> MolecularState:
    """A game in which seat 0 has just revealed the first card; the others come next."""
    state = game(seats)
    if board is not None:
        with_board(state, board)
    stack(state, *cards)
    state.apply(0, REVEAL)
    return state


def refusal(state: MolecularState, seat: int, move: Move) -> str:
    with pytest.raises(IllegalAction) as error:
        state.verify(seat, move)
    return error.value.rule
