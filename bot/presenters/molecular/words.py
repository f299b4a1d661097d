"""How Molecular speaks: names of tiles, bonds, cells, groups and effectors in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from bot.presenters.voice import Voice as GameVoice
from bot.render.scene import Look
from engine.game import Value
from engine.molecular.cards import BOX, EDGES, ELEMENT, SHAPE_EDGES, SHAPE_KIND
from engine.molecular.events import (
    Card,
    Counters,
    Edge,
    Group,
    Kind,
    Order,
    Play,
    Points,
    Reason,
    Shape,
    Verb,
)

GAME = "molecular"
GROUND = "navy"
"""The table on which its pictures lie."""
ARROWS = ("↗", "→", "↘", "↙", "←", "↖")
"""By edge."""
BONDS = ("", "–", "=", "≡")
"""By order."""
_SMALL = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
LETTERS = "ABDEFGJKLMPQRSTUVWXYZ23456789abdefgjkmpqrt"
"""The names of cells: no C, H, N or O, which are atoms, nothing that looks like another sign, and one
sign each for as many cells as a board ever offers, nearly, since two find no room on a large one."""


def letter(number: int) -> str:
    """A, B, D … for the cells of a board; when all signs are used come AA, AB …"""
    ones = LETTERS[number % len(LETTERS)]
    return (letter(number // len(LETTERS) - 1) if number >= len(LETTERS) else "") + ones


def pointing(edges: Iterable[int], orders: Sequence[int]) -> str:
    """Bonds by direction, such as `→= ↙–`."""
    return " ".join(ARROWS[edge] + BONDS[orders[edge]] for edge in edges if orders[edge])


class Voice(GameVoice):
    """The strings of Molecular for one reader."""

    __slots__ = ()
    table = GAME
    forms: ClassVar[Mapping[object, Callable[..., str]]] = {
        Card: lambda voice, card, _: voice.effector(card),
        list[Card]: lambda voice, cards, _: voice.all([voice.effector(card) for card in cards]),
        Counters: lambda voice, counters, _: voice("counters", n=counters),
        Edge: lambda _voice, edge, _: ARROWS[edge],
        Group: lambda voice, group, _: voice.group(group),
        Kind: lambda voice, kind, _: voice.tile(kind),
        Order: lambda voice, order, _: voice(f"bond.{order}"),
        Play: lambda voice, play, _: voice(f"action.{play}"),
        Points: lambda voice, points, _: voice.points(points),
        Reason: lambda voice, reason, _: voice(f"end.{reason}"),
        Shape: lambda voice, shape, _: voice.element(SHAPE_KIND[shape]),
        Verb: lambda voice, verb, _: voice(f"asks.{verb}"),
    }

    def group(self, group: int) -> str:
        """The name of a functional group."""
        return self(f"group.{BOX.groups[group].id}")

    def effector(self, card: int) -> str:
        """The name of an effector."""
        return self(f"effector.{BOX.effectors[card].id}")

    def effect(self, card: int) -> str:
        """What an effector does: a language may have its own words, else those of the card data."""
        key = f"text.{BOX.effectors[card].id}"
        return self(key) if key in self else BOX.effectors[card].effect

    def element(self, kind: int) -> str:
        """The element of a tile."""
        return self(f"element.{ELEMENT[kind]}")

    def bonds(self, kind: int) -> str:
        """The bonds of a tile in words: 2 single, 1 double."""
        orders = BOX.tiles[kind].orders
        parts = [self(f"bonds.{order}", n=orders.count(order)) for order in (1, 2, 3) if order in orders]
        return self.listed(parts)

    def tile(self, kind: int) -> str:
        """A tile in a sentence: carbon (2 single, 1 double)."""
        return self("tile", element=self.element(kind), bonds=self.bonds(kind))

    def way(self, cell: str, number: int) -> str:
        """One of several ways round in a cell, as it is called in pictures and on buttons."""
        return self("way", cell=cell, n=number)

    def points(self, points: int) -> str:
        """How many points."""
        return self("points", n=points)


def open_ways(shape: int, pattern: int) -> str:
    """Where the bonds of a shape would lead into empty cells, given the rim of its cell."""
    edges = (edge for edge in range(EDGES) if not pattern >> 3 * edge & 4)
    return pointing(edges, SHAPE_EDGES[shape])


@lru_cache(maxsize=4096)
def meeting(pattern: int) -> str:
    """The bonds that lead into a cell, given its rim."""
    return pointing(range(EDGES), [pattern >> 3 * edge & 3 for edge in range(EDGES)])


def formula(counts: Mapping[str, int]) -> str:
    """A formula in Hill's order: C₂H₄O₂."""
    order = [one for one in ("C", "H", "N", "O") if counts.get(one)]
    if not counts.get("C"):
        order.sort()
    return "".join(one + (str(counts[one]).translate(_SMALL) if counts[one] > 1 else "") for one in order)


def option(key: str, value: Value | None, look: Look) -> tuple[str, str]:
    """An option or one of its values, and what it does."""
    voice = Voice(look)
    if value is None:
        return voice(f"option.{key}"), voice(f"option.{key}_note")
    if key == "bond_points":
        return voice(f"option.bond_points_{value}"), voice(f"option.bond_points_{value}_note")
    if not value:
        rounds = BOX.meta.rounds
        facts = {"one": rounds[0], "two": rounds[1], "four": rounds[3], "eight": rounds[7]}
        return voice(f"option.{key}_auto"), voice(f"option.{key}_auto_note", **facts)
    return voice(f"option.{key}_value", n=value), voice(f"option.{key}_value_note", n=value)
