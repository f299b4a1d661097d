"""What a seat may know of a game of Atom Duel: plain data, JSON-able, with perfect recall.

Numbers of a hand are doubled (`value2`), since Carbide Bits halve without rounding. A place is
(seat, slot); slot 0 is lettered A.
"""

from __future__ import annotations

import msgspec

from engine.atom_duel.cards import UNIQUE_LEVEL, CardTable, table
from engine.atom_duel.evaluate import EvaluationLine
from engine.atom_duel.knowledge import Look, Memory

EMPTY = 0
HIDDEN = -1

Place = tuple[int, int]


class PlayView(msgspec.Struct, frozen=True):
    """A card in the hand.

    `power` is the power it uses ("" for none), `number2` its own doubled number with Zinc's +5,
    `value2` the doubled value of the result it belongs to, `head` the card that controls that
    result (itself when it stands alone), `beaten` whether that result cannot win.
    """

    seat: int
    card: int
    power: str
    number2: int
    value2: int
    head: int
    beaten: bool
    plus_five: bool
    dead: bool


class HandView(msgspec.Struct, frozen=True):
    """A finished hand: who won it with which card and value, and why, step by step."""

    round: int
    hand: int
    leader: int
    winner: int
    card: int
    value2: int
    plays: tuple[PlayView, ...]
    trace: tuple[EvaluationLine, ...]


class Group(msgspec.Struct, frozen=True):
    """Each of these cards lies somewhere in these places, which may hold others too."""

    cards: tuple[int, ...]
    places: tuple[Place, ...]


class PendingView(msgspec.Struct, frozen=True):
    """A choice that a power asks for.

    `verb` is that of the moves that answer it, `card` the card that asks, `target` the player
    concerned (-1 while open), `own` the slots of the chooser named so far, `slots` those of the target.
    """

    verb: str
    seat: int
    card: int
    target: int = -1
    own: tuple[int, ...] = ()
    slots: tuple[int, ...] = ()


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """All that a viewer has lawfully seen and can deduce from public acts.

    Counters: `round` and `hand` from 1; `points`, `best2` (largest doubled value that won a hand, or
    NONE_YET) by seat; `round_points` by round, then seat.
    Rows: `rows[seat][slot]` is a card, HIDDEN or EMPTY; `groups` says what is known only up to a
    shuffle. `looks` is the public log of who looked where in this round, what was swapped, shuffled and
    gone since the first such act, `memories` what the viewer knew before each shuffle of it: with
    these a sampled world can be given the knowledge of the others. Both are for `sample`.
    Last round of level 7: `sealing` while rows are ordered, `sealed` the viewer's own row so far,
    `announced` the sealed announcements of the cards it knows, `queue` the instant powers of the
    flipped cards still to work, as (seat, power), `earlier` its finished hands before `last_hand`.
    `gold_immune_from` is the level from which Gold is immune.
    """

    viewer: int | None
    level: int
    seats: int
    hand_size: int
    rounds: int
    round: int
    hand: int
    start: int
    leader: int
    to_act: tuple[int, ...]
    over: bool
    deck: int
    gone: tuple[int, ...]
    counts: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    groups: tuple[Group, ...]
    looks: tuple[Look, ...]
    memories: tuple[Memory, ...]
    plays: tuple[PlayView, ...]
    winning: int
    to_play: tuple[int, ...]
    pending: PendingView | None
    queue: tuple[tuple[int, str], ...]
    points: tuple[int, ...]
    round_points: tuple[tuple[int, ...], ...]
    best2: tuple[int, ...]
    zinc: tuple[int, ...]
    face_down: bool
    face_up: bool
    pass_left: bool
    last_round: bool
    simultaneous: bool
    sealing: bool
    sealed: tuple[tuple[int, str], ...]
    announced: tuple[tuple[int, str], ...]
    last_hand: HandView | None
    earlier: tuple[HandView, ...] = ()
    gold_immune_from: int = UNIQUE_LEVEL

    @property
    def table(self) -> CardTable:
        """The powers of the cards in this game."""
        return table(self.level, self.gold_immune_from)

    @property
    def hidden(self) -> bool:
        """Whether the rows are hidden from their owners (Germanium, unless Lanthanum shows all)."""
        return self.face_down and not self.face_up
