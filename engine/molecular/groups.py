"""How many examples of a functional group a molecule holds: a plain matcher over tiles.

It follows the same patterns as RDKit (`reference`), to which tests hold it equal. Examples that
share an atom count once: the count is the largest number of pairwise disjoint matches, exactly
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


class Step(NamedTuple):
    """The next atom of a plan: from which one, over which bonds, what never, and rings it closes.

    `codes` are order and family as `Board.bonds` holds them; `never` bonds of those codes forbid it;
    `rings` are (earlier atom, order) that it must be bonded to besides.
    """

    source: int
    codes: frozenset[int]
    never: frozenset[int]
    rings: tuple[tuple[int, int], ...]


class Plan(NamedTuple):
    """How a pattern is searched: the families of the first atom and the shapes that belong to them, what
    it never has, then the steps."""

    roots: frozenset[int]
    shapes: frozenset[int]
    never: frozenset[int]
    steps: tuple[Step, ...]


def families_of(atom: smarts.Atom) -> frozenset[int]:
    """The families that can be this atom of a pattern."""
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
    """How many tiles of the supply could be this atom: a search starts at the rarest."""
    kinds = [tile for tile in BOX.tiles if tile.element in atom.elements]
    return sum(tile.count for tile in kinds if atom.bonds in (0, len(tile.orders)))


def plan_of(pattern: smarts.Pattern) -> Plan:
    """The order in which the atoms of a pattern are searched."""
    atoms = pattern.atoms
    root = min(range(len(atoms)), key=lambda number: (_abundance(atoms[number]), number))
    order, steps = [root], list[Step]()
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
        steps.append(Step(order.index(old), codes, _never(atoms[new]), rings))
        order.append(new)
    roots = families_of(atoms[root])
    shapes = frozenset(shape for shape, family in enumerate(FAMILY) if family in roots)
    return Plan(roots, shapes, _never(atoms[root]), tuple(steps))


PLANS: tuple[Plan, ...] = tuple(plan_of(smarts.parse(group.smarts)) for group in BOX.groups)
"""By group."""


def by_family(board: Board) -> list[list[int]]:
    """The cells of each family."""
    cells: list[list[int]] = [[] for _ in FAMILIES]
    for cell, shape in board.tiles.items():
        cells[FAMILY[shape]].append(cell)
    return cells


def matches(board: Board, group: int, cells: Sequence[Sequence[int]] | None = None) -> set[frozenset[int]]:
    """Every example of a group as a set of cells, overlapping ones too; `cells` as from `by_family`."""
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
    """How many examples of a group the molecule holds, no atom in two of them."""
    return most_disjoint(matches(board, group))


def count_all(board: Board) -> tuple[int, ...]:
    """The count of every group, in the order of the data file."""
    cells = by_family(board)
    return tuple(most_disjoint(matches(board, group, cells)) for group in range(len(PLANS)))


def most_disjoint(sets: Iterable[frozenset[int]]) -> int:
    """The largest number of these sets that are pairwise disjoint, exactly."""
    return len(disjoint(sets))


def disjoint(sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """A largest choice of pairwise disjoint sets; always the same one for the same sets."""
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
    """A largest set of vertices without conflicts among `left`, both as bits; branch and bound.

    A vertex with at most one conflict is always worth taking; otherwise the busiest one is tried
    both ways, and parts that do not touch are solved apart.
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
    """The vertices among `left` that hang together with `seed`."""
    part, edge = seed, seed
    while edge:
        bit = edge & -edge
        edge ^= bit
        new = conflicts[bit.bit_length() - 1] & left & ~part
        part |= new
        edge |= new
    return part


def formula(board: Board) -> dict[str, int]:
    """How many atoms of each element lie on the table."""
    found: dict[str, int] = {}
    for shape in board.tiles.values():
        element = FAMILIES[FAMILY[shape]][0]
        found[element] = found.get(element, 0) + 1
    return found


def mass(board: Board) -> float:
    """The mean mass of the atoms on the table in g/mol; open ends weigh nothing."""
    return sum(MASS[element] * count for element, count in formula(board).items())


def open_ends(board: Board) -> int:
    """How many bonds still lead nowhere."""
    return sum(FAMILIES[FAMILY[shape]][1] - len(board.bonds[cell]) for cell, shape in board.tiles.items())
