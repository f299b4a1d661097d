"""One position of Molecular: the molecule, what lies face down and in hands, and where the turn stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Self

import msgspec
from typing_extensions import override

from engine.fair import Stream, shuffled
from engine.fields import Bag, Derived, Hidden, Owned, Public
from engine.game import Seat, State
from engine.molecular import groups
from engine.molecular.board import MIDDLE, Board, cell_of
from engine.molecular.cards import BOX, EFFECTOR, GROUPS, SHAPE_KIND, unplayed
from engine.molecular.hoard import Hoard
from engine.molecular.moves import PLAYS, Move
from engine.molecular.observation import HeldView, Observation, Pending, Scored
from engine.molecular.scoring import GroupScore, group_score
from engine.molecular.turns import free_tile

POOL, HAND, ACTIONS = BOX.meta.pool, BOX.meta.hand, BOX.meta.actions
HOOD, GLASS, NOTEBOOK = EFFECTOR["hood"], EFFECTOR["glass"], EFFECTOR["notebook"]


class Rules(NamedTuple):
    """The options of a table: rounds to play, and whether a bond counts 1 whatever its order."""

    rounds: int
    per_edge: bool


class Position(State[Move, Observation]):
    """The molecule, what lies face down and in hands, and where the turn stands."""

    seats: Public[int]
    rules: Public[Rules]
    key: Hidden[bytes]
    board: Public[Board]
    tiles: Owned[Hoard]
    """Supply and pools."""
    cards: Owned[Hoard]
    """Group deck and hands."""
    used_cards: Public[Bag[int]]
    effectors: Hidden[list[int]]
    used_effectors: Public[Bag[int]]
    actives: Public[list[int]]
    reagent: Public[int]
    counters: Public[list[int]]
    scores: Public[list[int]]
    first: Public[int]
    turn: Public[int]
    round: Public[int]
    actions: Public[int]
    """The actions still to use in this turn."""
    used: Public[int]
    """The kinds of action used, a bit each."""
    tiled: Public[bool]
    """Whether an ordinary tile was played, so that Catalyst gives none."""
    pending: Public[Pending | None]
    gifts: Owned[list[int]]
    """The choices of a Conference, -1 where one is missing; empty while there is none."""
    over: Public[str]
    last: Public[Scored | None]
    last_cell: Public[int]
    shuffles: Hidden[int]
    chances: Hidden[int]
    left: Derived[list[int]]
    """By kind: the tiles that are not on the board."""
    unplayed: Derived[int]
    """A bit for each kind that is left."""
    counts: Derived[dict[int, int]]
    """By group: the examples on the table, as far as they were counted since it changed."""

    # written by scripts/positions.py from the fields above
    __slots__ = (
        "actions",
        "actives",
        "board",
        "cards",
        "chances",
        "counters",
        "counts",
        "effectors",
        "first",
        "gifts",
        "key",
        "last",
        "last_cell",
        "left",
        "over",
        "pending",
        "reagent",
        "round",
        "rules",
        "scores",
        "seats",
        "shuffles",
        "tiled",
        "tiles",
        "turn",
        "unplayed",
        "used",
        "used_cards",
        "used_effectors",
    )

    def clone(self) -> Self:
        """A copy that shares nothing that changes."""
        kind = type(self)
        twin = kind.__new__(kind)
        twin.events = None
        twin.seats = self.seats
        twin.rules = self.rules
        twin.key = self.key
        twin.board = self.board.clone()
        twin.tiles = self.tiles.clone()
        twin.cards = self.cards.clone()
        twin.used_cards = self.used_cards.copy()
        twin.effectors = self.effectors.copy()
        twin.used_effectors = self.used_effectors.copy()
        twin.actives = self.actives.copy()
        twin.reagent = self.reagent
        twin.counters = self.counters.copy()
        twin.scores = self.scores.copy()
        twin.first = self.first
        twin.turn = self.turn
        twin.round = self.round
        twin.actions = self.actions
        twin.used = self.used
        twin.tiled = self.tiled
        twin.pending = self.pending
        twin.gifts = self.gifts.copy()
        twin.over = self.over
        twin.last = self.last
        twin.last_cell = self.last_cell
        twin.shuffles = self.shuffles
        twin.chances = self.chances
        twin.left = self.left.copy()
        twin.unplayed = self.unplayed
        twin.counts = self.counts.copy()
        return twin

    def empty(self) -> None:
        """Nothing yet: no events, and 0, none or nobody in every field that has such a value."""
        self.events = None
        self.seats = 0
        self.key = b""
        self.used_cards = []
        self.effectors = []
        self.used_effectors = []
        self.actives = []
        self.reagent = 0
        self.counters = []
        self.scores = []
        self.first = 0
        self.turn = 0
        self.round = 0
        self.actions = 0
        self.used = 0
        self.tiled = False
        self.pending = None
        self.gifts = []
        self.over = ""
        self.last = None
        self.last_cell = 0
        self.shuffles = 0
        self.chances = 0

    def fingerprint(self) -> bytes:
        """All but what is derived, as bytes: equal exactly where the positions are. Holds secrets."""
        return msgspec.msgpack.encode(
            (
                self.seats,
                self.rules,
                self.key,
                self.board.parts(),
                self.tiles.parts(),
                self.cards.parts(),
                sorted(self.used_cards),
                self.effectors,
                sorted(self.used_effectors),
                self.actives,
                self.reagent,
                self.counters,
                self.scores,
                self.first,
                self.turn,
                self.round,
                self.actions,
                self.used,
                self.tiled,
                self.pending,
                self.gifts,
                self.over,
                self.last,
                self.last_cell,
                self.shuffles,
                self.chances,
            )
        )

    def public_view(
        self,
        *,
        viewer: int | None,
        rounds: int,
        per_edge: bool,
        to_act: tuple[int, ...],
        board: tuple[int, ...],
        tiles: HeldView,
        cards: HeldView,
        effectors: int,
        conference: bool,
        gift: int,
    ) -> Observation:
        """An observation: what everybody sees as it is, and what is given here."""
        return Observation(
            viewer=viewer,
            seats=self.seats,
            rounds=rounds,
            per_edge=per_edge,
            first=self.first,
            round=self.round,
            turn=self.turn,
            to_act=to_act,
            over=self.over,
            actions=self.actions,
            used=self.used,
            tiled=self.tiled,
            board=board,
            last_cell=self.last_cell,
            last=self.last,
            tiles=tiles,
            cards=cards,
            used_cards=tuple(sorted(self.used_cards)),
            effectors=effectors,
            used_effectors=tuple(sorted(self.used_effectors)),
            actives=tuple(self.actives),
            reagent=self.reagent,
            counters=tuple(self.counters),
            scores=tuple(self.scores),
            pending=self.pending,
            conference=conference,
            gift=gift,
        )

    def restore(self, seen: Observation) -> None:
        """Take what everybody sees from an observation."""
        self.seats = seen.seats
        self.used_cards = list(seen.used_cards)
        self.used_effectors = list(seen.used_effectors)
        self.actives = list(seen.actives)
        self.reagent = seen.reagent
        self.counters = list(seen.counters)
        self.scores = list(seen.scores)
        self.first = seen.first
        self.turn = seen.turn
        self.round = seen.round
        self.actions = seen.actions
        self.used = seen.used
        self.tiled = seen.tiled
        self.pending = seen.pending
        self.over = seen.over
        self.last = seen.last
        self.last_cell = seen.last_cell

    # as far as here

    def __init__(self, seats: int, rules: Rules, key: bytes, board: Board | None = None) -> None:
        self.empty()
        self.seats = seats
        self.rules = rules
        self.key = key
        self.board = board or Board.begun()
        self.tiles = Hoard(seats, [])
        self.cards = Hoard(seats, [])
        self.reagent = -1
        self.counters = [0] * GROUPS
        self.scores = [0] * seats
        self.round = 1
        self.actions = ACTIONS
        self.last_cell = MIDDLE
        self.derive()

    def derive(self) -> None:
        """Find again what follows from the other fields."""
        self.left = unplayed(self.board.tiles.values())
        self.unplayed = sum(1 << kind for kind, count in enumerate(self.left) if count)
        self.counts = {}

    @override
    def census(self) -> tuple[int, ...]:
        """Group cards count from 100, effectors from 200."""
        tiles = [SHAPE_KIND[shape] for shape in self.board.tiles.values()] + self.tiles.pile
        cards = self.used_cards + self.cards.pile
        for seat in range(self.seats):
            tiles += self.tiles.kinds(seat)
            cards += self.cards.kinds(seat)
        active = self.actives + [self.reagent] * (self.reagent >= 0)
        others = self.effectors + self.used_effectors + active
        return tuple(sorted([*tiles, *(100 + card for card in cards), *(200 + card for card in others)]))

    @property
    def free_tile(self) -> bool:
        """Whether the next tile of this turn is free (Catalyst)."""
        return free_tile(self)

    def group_plays(self, seat: Seat) -> list[Move]:
        """The group cards that a seat can play."""
        return [PLAYS[group] for group in sorted({piece & 63 for piece in self.cards.held[seat]})]

    def pool_size(self) -> int:
        """How many tiles a pool is filled up to."""
        return POOL + self.actives.count(HOOD) - self.actives.count(GLASS)

    def hand_limit(self) -> int:
        """How many group cards a hand is filled up to."""
        return HAND + self.actives.count(NOTEBOOK)

    def cell(self, move: Move) -> int:
        """The cell that a move names."""
        return cell_of(move.q, move.r)

    def count(self, group: int) -> int:
        """How many examples of a group lie on the table; worked out once for each board."""
        found = self.counts.get(group)
        if found is None:
            found = self.counts[group] = groups.count(self.board, group)
        return found

    def worth(self, group: int) -> GroupScore:
        """What a card of this group would score now."""
        return group_score(group, self.count(group), self.counters[group], self.actives, self.reagent)

    def chance(self, below: int) -> int:
        """The next roll of this game, from 0 to below - 1."""
        self.chances += 1
        return Stream(self.key, f"chance/{self.chances}").below(below)

    def mixer(self, what: str) -> Callable[[Sequence[int]], list[int]]:
        """The next shuffle of this game, of tiles, groups or effectors."""
        self.shuffles += 1
        label = f"{what}/{self.shuffles}"
        return lambda pieces: shuffled(self.key, label, pieces)
