"""The observation of a game of Molecular: plain JSON-compatible data, with perfect recall.

A tile on the board is one number, `shape | cell << 8` (`engine.molecular.board`). Kinds, groups and effectors
are indices in the data file.
"""

from __future__ import annotations

import msgspec

HIDDEN = -1


class Mixed(msgspec.Struct, frozen=True, array_like=True):
    """One mixing of a pile.

    `who` is the seat whose pieces went in (-1: everyone saw them, -2: everyone's pieces), `pieces` their
    number, and `size` the size of the pile afterwards. `kinds` lists the pieces if everyone saw them. `known`
    has one sorted entry for each piece that some seats already knew, with a bit for each of those seats.
    """

    who: int
    pieces: int
    size: int
    kinds: tuple[int, ...]
    known: tuple[int, ...]


class HeldView(msgspec.Struct, frozen=True):
    """A pile and the pieces held from it, as far as one viewer may know.

    `held[seat]` are kinds, or HIDDEN. `epochs` says how often the pile had been mixed when each piece was
    drawn, and `knowers` has a bit for each other seat that knows it; both are public. `marks` are pieces that
    the viewer knows to be in the pile, or in hands drawn in that epoch or later: `kind | epoch << 6`.
    """

    pile: int
    held: tuple[tuple[int, ...], ...]
    epochs: tuple[tuple[int, ...], ...]
    knowers: tuple[tuple[int, ...], ...]
    marks: tuple[int, ...]
    mixes: tuple[Mixed, ...]


class Pending(msgspec.Struct, frozen=True):
    """A choice an effector asks for: the verb that answers it, the effector, and the previous choice.

    The previous choice is the first group for Rival paper, and the seat robbed for Poached student.
    """

    verb: str
    card: int
    chosen: int = -1


class Scored(msgspec.Struct, frozen=True):
    """The last play that scored: a tile or a group card, with the parts of its score (TileScore or
    GroupScore)."""

    verb: str
    seat: int
    what: int
    parts: tuple[int, ...]
    points: int


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a viewer has legitimately seen or can deduce from public actions.

    `board` is sorted; `last_cell` is the cell of the last tile, -1 if it was removed. `tiles` describes
    supply and pools, `cards` group deck and hands. `counters` is indexed by group, and `used_cards` lists
    groups, sorted. `actives` is in order of age, and `most_actives` limits their number (0: no limit).
    `conference` says whether one is in progress, and `gift` is the card the viewer gives.
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
    most_actives: int = 0
