"""Counts of functional groups in a molecule: a plain matcher over tiles.

It uses the same patterns as RDKit (`reference`), and tests check that both give the same counts. Examples
that share an atom count once: the count is the largest number of pairwise disjoint matches, computed exactly
(docs/rules/molecular.md, section 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.molecular import smarts
from engine.molecular.board import FAMILIES, FAMILY, Board
from engine.molecular.cards import BOX, MASS

Match = tuple[int, ...]
"""The cells of one match."""


class GroupStep(NamedTuple):
    """The next atom of a plan.

    `source` is the earlier atom it is bonded to, and `codes` are the allowed bonds to it (order and family,
    as in `Board.bonds`). A bond of the atom with a code in `never` rules it out. `rings` are further (earlier
    atom, order) pairs to which it must be bonded.
    """

    source: int
    codes: frozenset[int]
    never: frozenset[int]
    rings: tuple[tuple[int, int], ...]


class Plan(NamedTuple):
    """The search plan of a pattern.

    It holds the families of the first atom and their shapes, the bonds the first atom must not have, and the
    remaining steps.
    """

    roots: frozenset[int]
    shapes: frozenset[int]
    never: frozenset[int]
    steps: tuple[GroupStep, ...]


def families_of(atom: smarts.Atom) -> frozenset[int]:
    """Return the families that can be this atom of a pattern."""
    return frozenset(
        number
        for number, (element, bonds) in enumerate(FAMILIES)
        if element in atom.elements and atom.bonds in (0, bonds)
    )


def _codes(order: int, families: Iterable[int]) -> frozenset[int]:
    return frozenset(order << 4 | family for family in families)


def _never(atom: smarts.Atom) -> frozenset[int]:
    return frozenset(
        order << 4 | number
        for order, element in atom.never
        for number, family in enumerate(FAMILIES)
        if family[0] == element
    )


def _abundance(atom: smarts.Atom) -> int:
    """Return how many tiles of the supply could be this atom. A search starts at the rarest."""
    kinds = [tile for tile in BOX.tiles if tile.element in atom.elements]
    return sum(tile.count for tile in kinds if atom.bonds in (0, len(tile.orders)))


def plan_of(pattern: smarts.Pattern) -> Plan:
    """Return the order in which the atoms of a pattern are searched."""
    atoms = pattern.atoms
    root = min(range(len(atoms)), key=lambda number: (_abundance(atoms[number]), number))
    order, steps = [root], list[GroupStep]()
    while len(order) < len(atoms):
        links = [
            (_abundance(atoms[new]), old, new, bond)
            for bond, one, other in pattern.bonds
            for old, new in ((one, other), (other, one))
            if old in order and new not in order
        ]
        _, old, new, bond = min(links)
        rings = tuple(
            (order.index(other if one == new else one), ring)
            for ring, one, other in pattern.bonds
            if new in (one, other)
            and (other if one == new else one) in order
            and (other if one == new else one) != old
        )
        codes = _codes(bond, families_of(atoms[new]))
        steps.append(GroupStep(order.index(old), codes, _never(atoms[new]), rings))
        order.append(new)
    roots = families_of(atoms[root])
    shapes = frozenset(shape for shape, family in enumerate(FAMILY) if family in roots)
    return Plan(roots, shapes, _never(atoms[root]), tuple(steps))


PLANS: tuple[Plan, ...] = tuple(plan_of(smarts.parse(group.smarts)) for group in BOX.groups)
"""The plan of each group."""


def by_family(board: Board) -> list[list[int]]:
    """Return the cells of each family."""
    cells: list[list[int]] = [[] for _ in FAMILIES]
    for cell, shape in board.tiles.items():
        cells[FAMILY[shape]].append(cell)
    return cells


def matches(board: Board, group: int, cells: Sequence[Sequence[int]] | None = None) -> set[frozenset[int]]:
    """Return every example of a group as a set of cells, including overlapping ones; `cells` as from
    `by_family`."""
    plan = PLANS[group]
    bonds = board.bonds
    if cells is None:
        shapes = plan.shapes
        found: list[Match] = [(cell,) for cell, shape in board.tiles.items() if shape in shapes]
    else:
        found = [(cell,) for family in plan.roots for cell in cells[family]]
    if plan.never:
        found = [match for match in found if not _has(bonds[match[0]], plan.never)]
    for source, codes, never, rings in plan.steps:
        if not found:
            return set()
        found = [
            (*match, cell)
            for match in found
            for code, cell in bonds[match[source]]
            if code in codes and cell not in match
        ]
        if never:
            found = [match for match in found if not _has(bonds[match[-1]], never)]
        for earlier, order in rings:
            found = [match for match in found if _linked(bonds[match[-1]], match[earlier], order)]
    return set(map(frozenset, found))


def _has(bonds: Iterable[tuple[int, int]], codes: frozenset[int]) -> bool:
    return any(code in codes for code, _ in bonds)


def _linked(bonds: Iterable[tuple[int, int]], cell: int, order: int) -> bool:
    return any(other == cell and code >> 4 == order for code, other in bonds)


def count(board: Board, group: int) -> int:
    """Return the number of examples of a group in the molecule, with no atom in two of them."""
    return most_disjoint(matches(board, group))


def count_all(board: Board) -> tuple[int, ...]:
    """Return the count of every group, in the order of the data file."""
    cells = by_family(board)
    return tuple(most_disjoint(matches(board, group, cells)) for group in range(len(PLANS)))


def most_disjoint(sets: Iterable[frozenset[int]]) -> int:
    """Return the exact maximum number of pairwise disjoint sets."""
    return len(disjoint(sets))


def disjoint(sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """Return a maximum selection of pairwise disjoint sets, always the same one for the same sets."""
    found = list(sets)
    if len(found) < 2:
        return found
    if len(frozenset().union(*found)) == sum(map(len, found)):
        return found
    found.sort(key=sorted)
    owners: dict[int, int] = {}
    for number, one in enumerate(found):
        for cell in one:
            owners[cell] = owners.get(cell, 0) | 1 << number
    conflicts = []
    for number, one in enumerate(found):
        mask = 0
        for cell in one:
            mask |= owners[cell]
        conflicts.append(mask & ~(1 << number))
    chosen = _independent((1 << len(found)) - 1, conflicts, {})
    return [one for number, one in enumerate(found) if chosen >> number & 1]


def _independent(left: int, conflicts: Sequence[int], known: dict[int, int]) -> int:
    """Return a maximum set of vertices without conflicts among `left`, both as bits (branch and bound).

    A vertex with at most one conflict is always worth taking. Otherwise the search branches on the vertex
    with the most conflicts, and solves unconnected components separately.
    """
    if left in known:
        return known[left]
    start, taken = left, 0
    while left:
        busiest, most, easy = 0, -1, 0
        rest = left
        while rest:
            bit = rest & -rest
            rest ^= bit
            degree = (conflicts[bit.bit_length() - 1] & left).bit_count()
            if degree <= 1:
                easy = bit
                break
            if degree > most:
                busiest, most = bit, degree
        if easy:
            taken |= easy
            left &= ~(easy | conflicts[easy.bit_length() - 1])
            continue
        part = _part(left, busiest, conflicts)
        if part != left:
            taken |= _independent(part, conflicts, known)
            left &= ~part
            continue
        near = conflicts[busiest.bit_length() - 1]
        with_it = busiest | _independent(left & ~(busiest | near), conflicts, known)
        without = _independent(left & ~busiest, conflicts, known)
        taken |= max(with_it, without, key=int.bit_count)
        break
    known[start] = taken
    return taken


def _part(left: int, seed: int, conflicts: Sequence[int]) -> int:
    """Return the vertices among `left` that are connected to `seed`."""
    part, edge = seed, seed
    while edge:
        bit = edge & -edge
        edge ^= bit
        new = conflicts[bit.bit_length() - 1] & left & ~part
        part |= new
        edge |= new
    return part


def formula(board: Board) -> dict[str, int]:
    """Return the number of atoms of each element on the table."""
    found: dict[str, int] = {}
    for shape in board.tiles.values():
        element = FAMILIES[FAMILY[shape]][0]
        found[element] = found.get(element, 0) + 1
    return found


def mass(board: Board) -> float:
    """Return the mean mass of the atoms on the table in g/mol; open ends weigh nothing."""
    return sum(MASS[element] * count for element, count in formula(board).items())


def open_ends(board: Board) -> int:
    """Return the number of bonds that still lead nowhere."""
    return sum(FAMILIES[FAMILY[shape]][1] - len(board.bonds[cell]) for cell, shape in board.tiles.items())
