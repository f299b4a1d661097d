"""What a seat may know of a game of Molecular: plain data, JSON-able, with perfect recall.

A tile on the board is one number, `shape | cell << 8` (`engine.molecular.board`); kinds, groups and
effectors are places in the data file.
"""

from __future__ import annotations

import msgspec

HIDDEN = -1


class Mixed(msgspec.Struct, frozen=True, array_like=True):
    """A mixing of a pile: whose pieces went in (-1 all saw them, -2 those of everybody), how many, the
    size of the pile afterwards, which they were if all saw them, and who knew some of them before: for
    each such piece a bit for each of those seats, sorted."""

    who: int
    pieces: int
    size: int
    kinds: tuple[int, ...]
    known: tuple[int, ...]


class HeldView(msgspec.Struct, frozen=True):
    """A pile and what the seats hold of it, as one viewer may know it.

    `held[seat]` are kinds, or HIDDEN; `epochs` how often the pile had been mixed when each piece was
    drawn, `knowers` a bit for each other seat that knows it, both public. `marks` are pieces that the
    viewer knows to lie in the pile, or in hands drawn in that epoch or later: `kind | epoch << 6`.
    """

    pile: int
    held: tuple[tuple[int, ...], ...]
    epochs: tuple[tuple[int, ...], ...]
    knowers: tuple[tuple[int, ...], ...]
    marks: tuple[int, ...]
    mixes: tuple[Mixed, ...]


class Pending(msgspec.Struct, frozen=True):
    """A choice that an effector asks for: the verb that answers it, the effector, and what was chosen
    before (Rival paper: the first group; Poached student: the seat it was taken from)."""

    verb: str
    card: int
    chosen: int = -1


class Scored(msgspec.Struct, frozen=True):
    """The last play that scored: a tile or a group card, and the parts of its score as `scoring` has
    them (TileScore or GroupScore)."""

    verb: str
    seat: int
    what: int
    parts: tuple[int, ...]
    points: int


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """All that a viewer has lawfully seen and can deduce from public acts.

    `board` is sorted; `last_cell` the cell of the last tile, -1 if it was removed. `tiles` are supply
    and pools, `cards` group deck and hands. `counters` and `used_cards` are by group or sorted groups;
    `actives` in order of age; `conference` says whether one goes on, `gift` what the viewer gives.
    """

    viewer: int | None
    seats: int
    rounds: int
    per_edge: bool
    first: int
    round: int
    turn: int
    to_act: tuple[int, ...]
    over: str
    actions: int
    used: int
    tiled: bool
    board: tuple[int, ...]
    last_cell: int
    last: Scored | None
    tiles: HeldView
    cards: HeldView
    used_cards: tuple[int, ...]
    effectors: int
    used_effectors: tuple[int, ...]
    actives: tuple[int, ...]
    reagent: int
    counters: tuple[int, ...]
    scores: tuple[int, ...]
    pending: Pending | None
    conference: bool
    gift: int
