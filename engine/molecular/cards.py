"""Tiles, functional groups and effectors: the data file, validated, and tables for the rules.

Source: docs/rules/molecular.md, sections 2, 3 and 5. In the rules a tile is the number of its kind (0 to 35);
groups and effectors are identified by their index in the data file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from engine import data
from engine.molecular import smarts

DATA = "molecular.json"
EDGES = 6
VALENCE = {"H": 1, "O": 2, "N": 3, "C": 4}
MASS = {"H": 1.008, "O": 15.999, "N": 14.007, "C": 12.011}
"""Mean mass of an atom in g/mol."""
MOST_SEATS = 8

INSTANT = (
    *("grant", "delivery", "spill", "contamination", "conference", "erratum", "rival", "serendipity"),
    *("publication", "explosion", "alarm", "poach"),
)
ACTIVE = ("hood", "glass", "notebook", "audit", "unsat", "ringbonus", "openaccess", "strict")
CARD_REAGENTS = {
    "oxidant": ("aldehyde", "ketone", "acid", "peroxide"),
    "reductant": ("alcohol", "amine1", "amine2", "amine3", "methyl"),
    "dehydrate": ("ether", "ester", "alkene", "nitrile", "anhydride"),
    "hydrolysis": ("acid", "alcohol", "diol", "amide"),
    "base": ("enol", "enone", "diene", "aminoacid"),
}
"""Reagents that raise group cards, with those groups (section 5.3)."""
CARD_BONUS = 2
TILE_REAGENTS = ("hydrogen", "grignard", "catalyst")


class TileKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of tile up to rotation. `edges` are bond orders clockwise from north-east."""

    id: str
    element: str
    orders: tuple[int, ...]
    edges: tuple[int, ...]
    count: int


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A functional group: its pattern, the points on its card and the number of cards."""

    id: str
    name: str
    drawing: str
    smarts: str
    atoms: int
    base: int
    copies: int


class Effector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An effector. Its `symbols` are instant, or active, or active and reagent."""

    id: str
    name: str
    symbols: tuple[str, ...]
    copies: int
    effect: str


class StartTile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tile in the middle at the start."""

    element: str
    edges: tuple[int, ...]


class Meta(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of the game. `rounds` is indexed by the number of seats, starting with one."""

    pool: int
    hand: int
    actions: int
    rounds: tuple[int, ...]
    start_tile: StartTile


class CardBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole data file."""

    meta: Meta
    tiles: tuple[TileKind, ...]
    groups: tuple[Group, ...]
    effectors: tuple[Effector, ...]


Broken = Callable[[str, int, str], data.BrokenData]


def read(source: bytes | None = None) -> CardBox:
    """Read and validate the card data; tests can pass `source` instead of the file.

    Raises:
        BrokenData: names the file and line, and says what is wrong there.
    """
    box = data.load(DATA, CardBox, source)
    raw = (data.folder() / "cards" / DATA).read_bytes() if source is None else source

    def broken(list_key: str, nth: int, problem: str) -> data.BrokenData:
        start = max(raw.find(f'"{list_key}"'.encode()), 0)
        line = raw.count(b"\n", 0, start) + data.line_of(raw[start:], "id", nth)
        return data.BrokenData(f"{DATA}, line {line}: {problem}")

    _check_meta(box.meta, lambda problem: data.BrokenData(f"{DATA}, line 2: {problem}"))
    _check_tiles(box.tiles, broken)
    _check_groups(box.groups, broken)
    _check_effectors(box.effectors, broken)
    return box


def turned(edges: Sequence[int], turn: int) -> tuple[int, ...]:
    """Return the edges of a tile after `turn` sixths of a turn clockwise."""
    return tuple(edges[(edge - turn) % EDGES] for edge in range(EDGES))


def _least(edges: Sequence[int]) -> tuple[int, ...]:
    """Return a canonical form that is the same for all rotations of a tile."""
    return min(turned(edges, turn) for turn in range(EDGES))


def _check_meta(meta: Meta, broken: Callable[[str], data.BrokenData]) -> None:
    if len(meta.rounds) != MOST_SEATS or min(meta.rounds) < 1:
        raise broken(f"rounds for {len(meta.rounds)} numbers of seats, not {MOST_SEATS}")
    start = meta.start_tile
    if len(start.edges) != EDGES or sum(start.edges) != VALENCE.get(start.element):
        raise broken("the start tile is no atom")
    if min(meta.pool, meta.hand, meta.actions) < 1:
        raise broken("pool, hand and actions must be at least 1")


def _check_tiles(tiles: Sequence[TileKind], broken: Broken) -> None:
    seen: dict[tuple[str, tuple[int, ...]], str] = {}
    for nth, tile in enumerate(tiles):
        problem = ""
        if tile.element not in VALENCE:
            problem = f"there is no element {tile.element!r} in this game"
        elif len(tile.edges) != EDGES or not all(0 <= order <= 3 for order in tile.edges):
            problem = f"{tile.id!r} needs six bond orders from 0 to 3"
        elif sum(tile.edges) != VALENCE[tile.element]:
            problem = f"{tile.element} has {VALENCE[tile.element]} bonds, {tile.id!r} has {sum(tile.edges)}"
        elif sorted(order for order in tile.edges if order) != sorted(tile.orders):
            problem = f"the orders of {tile.id!r} are not those of its edges"
        elif tile.count < 1:
            problem = f"{tile.count} copies of {tile.id!r}"
        elif tile.id in seen.values():
            problem = f"{tile.id!r} stands there twice"
        elif (twin := seen.get((tile.element, _least(tile.edges)))) is not None:
            problem = f"{tile.id!r} is {twin!r} turned"
        if problem:
            raise broken("tiles", nth, problem)
        seen[tile.element, _least(tile.edges)] = tile.id
    if not 1 <= len(tiles) < 64:
        raise broken("tiles", 0, f"{len(tiles)} kinds of tiles")


def _check_groups(groups: Sequence[Group], broken: Broken) -> None:
    known: set[str] = set()
    for nth, group in enumerate(groups):
        problem = ""
        try:
            atoms = len(smarts.parse(group.smarts).atoms)
        except smarts.BadPattern as error:
            problem, atoms = f"the pattern of {group.id!r} cannot be read: {error}", 0
        if problem:
            pass
        elif group.id in known:
            problem = f"{group.id!r} stands there twice"
        elif not group.name.strip():
            problem = f"{group.id!r} has no name"
        elif group.base < 1 or group.copies < 1:
            problem = f"{group.id!r} has {group.copies} cards of {group.base} points"
        elif atoms != group.atoms:
            problem = f"the pattern of {group.id!r} has {atoms} atoms, not {group.atoms}"
        if problem:
            raise broken("groups", nth, problem)
        known.add(group.id)
    if missing := {one for ids in CARD_REAGENTS.values() for one in ids} - known:
        raise broken("groups", 0, f"a reagent speaks of {min(missing)!r}, which is not there")
    if len(groups) >= 64:
        raise broken("groups", 0, f"{len(groups)} groups")


def _check_effectors(effectors: Sequence[Effector], broken: Broken) -> None:
    wanted = {
        **dict.fromkeys(INSTANT, ("instant",)),
        **dict.fromkeys(ACTIVE, ("active",)),
        **dict.fromkeys((*CARD_REAGENTS, *TILE_REAGENTS), ("active", "reagent")),
    }
    known: set[str] = set()
    for nth, effector in enumerate(effectors):
        problem = ""
        if effector.id not in wanted:
            problem = f"no rule knows the effector {effector.id!r}"
        elif effector.symbols != wanted[effector.id]:
            problem = f"{effector.id!r} must be {' and '.join(wanted[effector.id])}"
        elif effector.id in known:
            problem = f"{effector.id!r} stands there twice"
        elif effector.copies < 1 or not effector.effect.strip() or not effector.name.strip():
            problem = f"{effector.id!r} needs a name, an effect and at least one copy"
        if problem:
            raise broken("effectors", nth, problem)
        known.add(effector.id)
    if missing := set(wanted) - known:
        raise broken("effectors", 0, f"the effector {min(missing)!r} is missing")


BOX = read()
"""The cards from the data file."""

KINDS = len(BOX.tiles)
GROUPS = len(BOX.groups)
EFFECTORS = len(BOX.effectors)
ELEMENT: tuple[str, ...] = tuple(tile.element for tile in BOX.tiles)
"""The element of each kind of tile."""
COPIES: tuple[int, ...] = tuple(tile.count for tile in BOX.tiles)
"""The number of tiles of each kind in the full supply."""
GROUP: dict[str, int] = {group.id: number for number, group in enumerate(BOX.groups)}
EFFECTOR: dict[str, int] = {effector.id: number for number, effector in enumerate(BOX.effectors)}
TILE: dict[str, int] = {tile.id: number for number, tile in enumerate(BOX.tiles)}
BASE: tuple[int, ...] = tuple(group.base for group in BOX.groups)
REAGENTS: frozenset[int] = frozenset(
    number for number, effector in enumerate(BOX.effectors) if "reagent" in effector.symbols
)
RAISED: dict[int, frozenset[int]] = {
    EFFECTOR[reagent]: frozenset(GROUP[one] for one in ids) for reagent, ids in CARD_REAGENTS.items()
}
"""The group cards that score more under each reagent."""

SUPPLY: tuple[int, ...] = tuple(kind for kind, count in enumerate(COPIES) for _ in range(count))
"""Every tile except the start tile, sorted by kind."""
DECK: tuple[int, ...] = tuple(n for n, group in enumerate(BOX.groups) for _ in range(group.copies))
"""Every group card, sorted by group."""
EFFECTOR_DECK: tuple[int, ...] = tuple(n for n, card in enumerate(BOX.effectors) for _ in range(card.copies))
"""Every effector card, sorted by effector."""

_SHAPES: list[tuple[int, int]] = []
_SHAPE_OF: list[tuple[int, ...]] = []
for _kind, _tile in enumerate(BOX.tiles):
    _first: dict[tuple[int, ...], int] = {}
    for _turn in range(EDGES):
        if turned(_tile.edges, _turn) not in _first:
            _first[turned(_tile.edges, _turn)] = len(_SHAPES)
            _SHAPES.append((_kind, _turn))
    _SHAPE_OF.append(tuple(_first[turned(_tile.edges, _turn)] for _turn in range(EDGES)))

SHAPES: tuple[tuple[int, int], ...] = tuple(_SHAPES)
"""Every kind in each distinguishable rotation: (kind, sixths of a turn clockwise)."""
SHAPE_OF: tuple[tuple[int, ...], ...] = tuple(_SHAPE_OF)
"""The shape of each kind and rotation; rotations that look alike share the first one."""
SHAPE_EDGES: tuple[tuple[int, ...], ...] = tuple(turned(BOX.tiles[kind].edges, turn) for kind, turn in SHAPES)
"""The six bond orders of each shape."""
SHAPE_KIND: tuple[int, ...] = tuple(kind for kind, _ in SHAPES)
START: int = next(
    shape
    for shape, (kind, _) in enumerate(SHAPES)
    if ELEMENT[kind] == BOX.meta.start_tile.element and SHAPE_EDGES[shape] == BOX.meta.start_tile.edges
)
"""The shape of the start tile."""


def unplayed(shapes: Iterable[int]) -> list[int]:
    """Return how many tiles of each kind are left in supply and pools if these shapes are on the board."""
    left = list(COPIES)
    left[SHAPE_KIND[START]] += 1  # the start tile was never in the supply
    for shape in shapes:
        left[SHAPE_KIND[shape]] -= 1
    return left
