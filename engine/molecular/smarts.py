"""A parser for the subset of SMARTS used by the group patterns.

Atoms are `[…]` with `#n`, `,` (or), `Xn` (number of bonds) and `!$([#6]=[#8])` (not bonded like this). Bonds
are `-`, `=` and `#`. There are branches and one-digit ring closures. Hydrogens are explicit and there is no
aromaticity: tiles are read as Kekulé structures (docs/rules/molecular.md, section 3).
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

ELEMENT_OF = {"1": "H", "6": "C", "7": "N", "8": "O"}
ORDERS = {"-": 1, "=": 2, "#": 3}
_ATOM = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]")
_KIND = re.compile(r"(?:#(\d+)(?:,#(\d+))*)(?:X(\d))?$")
_NOT = re.compile(r"!\$\(\[#6\]([-=#])\[((?:#\d+,?)+)\]\)$")


class BadPattern(ValueError):
    """A pattern this parser does not support. The message says where it stopped."""


class Atom(NamedTuple):
    """The conditions on an atom: its possible elements, its number of bonds (0: any), and forbidden bonds.

    `never` holds the forbidden bonds as (order, element) pairs: no such bond may be satisfied.
    """

    elements: frozenset[str]
    bonds: int
    never: frozenset[tuple[int, str]]


class Pattern(NamedTuple):
    """Atoms, and the bonds between them as (order, one, other) with indices into `atoms`."""

    atoms: tuple[Atom, ...]
    bonds: tuple[tuple[int, int, int], ...]


def _atom(text: str) -> Atom:
    first, *rest = text.split(";")
    kind = _KIND.match(first)
    if kind is None:
        raise BadPattern(f"atom [{text}]")
    numbers = re.findall(r"#(\d+)", first)
    if not all(number in ELEMENT_OF for number in numbers):
        raise BadPattern(f"element in [{text}]")
    never: set[tuple[int, str]] = set()
    for part in rest:
        found = _NOT.match(part)
        if found is None:
            raise BadPattern(f"condition {part}")
        never.update((ORDERS[found[1]], ELEMENT_OF[number]) for number in re.findall(r"#(\d+)", found[2]))
    elements = frozenset(ELEMENT_OF[number] for number in numbers)
    return Atom(elements, int(kind[3] or 0), frozenset(never))


@cache
def parse(text: str) -> Pattern:
    """Parse a SMARTS string.

    Raises:
        BadPattern: it uses something this parser does not support.
    """
    atoms: list[Atom] = []
    bonds: list[tuple[int, int, int]] = []
    branches: list[int] = []
    rings: dict[str, int] = {}
    at, order, here = 0, 0, -1
    while at < len(text):
        sign = text[at]
        if sign == "[":
            found = _ATOM.match(text, at)
            if found is None:
                raise BadPattern(f"open bracket at {at}")
            atoms.append(_atom(found[1]))
            if here >= 0:
                bonds.append((_bond(order, at), here, len(atoms) - 1))
            here, order, at = len(atoms) - 1, 0, found.end()
            continue
        if sign in ORDERS:
            order = ORDERS[sign]
        elif sign == "(":
            branches.append(here)
        elif sign == ")" and branches:
            here = branches.pop()
        elif sign.isdigit() and here >= 0:
            if sign in rings:
                bonds.append((_bond(order, at), rings.pop(sign), here))
                order = 0
            else:
                rings[sign] = here
        else:
            raise BadPattern(f"{sign!r} at {at}")
        at += 1
    if branches or rings or not atoms or order:
        raise BadPattern("it ends too early")
    return Pattern(tuple(atoms), tuple(bonds))


def _bond(order: int, at: int) -> int:
    if not order:
        raise BadPattern(f"no bond before {at}")
    return order
