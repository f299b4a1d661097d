"""One position of Atom Duel: what lies in the rows, what was played, and who knows what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec
from typing_extensions import override

from engine.atom_duel.cards import AFTER_FIRST, LEVELS, TABLES, WITH_ZINC, Table
from engine.atom_duel.evaluate import Played
from engine.atom_duel.knowledge import (
    EVERYBODY,
    Knowledge,
    Look,
    Memory,
    closed_up,
    front_mask,
    lying,
    place,
)
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import Group, HandView, Observation, PendingView, PlayView
from engine.fair import shuffled
from engine.fields import Bag, Derived, Hidden, Owned, Public
from engine.game import Seat, State

PLAYING, SEALING, OVER = 0, 1, 2

NONE_YET = -(10**6)
"""The largest winning value of a seat that has won no hand."""


class Pending(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A choice that a power asks of the seat in turn; the fields of `PendingView`."""

    verb: str
    card: int
    target: int = -1
    own: tuple[int, ...] = ()
    slots: tuple[int, ...] = ()


class LastHand(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The hand that ended last: what is needed to explain it."""

    round: int
    hand: int
    leader: Seat
    plays: tuple[Played, ...]


class Position(State[Move, Observation]):
    """What lies in the rows, what was played, and who knows what."""

    level: Public[int]
    seats: Public[int]
    hand_size: Public[int]
    rounds: Public[int]
    key: Hidden[bytes]
    deck: Hidden[Sequence[int]]
    """What is left of the deck, the next card first."""
    unshuffled: Hidden[int]
    """The cards at the end of the deck that are in no order yet. Sampled worlds have them, since search deals
    no further than the next round; they are shuffled before one of them is dealt."""
    shuffles: Hidden[int]
    start: Public[int]
    round: Public[int]
    hand: Public[int]
    leader: Public[int]
    turn: Public[int]
    phase: Public[int]
    rows: Owned[list[list[int]]]
    """By seat, then slot: a card, 0 where there is none."""
    counts: Public[list[int]]
    gone: Public[Bag[int]]
    plays: Public[list[Played]]
    """The hand so far."""
    points: Public[list[int]]
    round_points: Public[list[list[int]]]
    best2: Public[list[int]]
    zinc: Public[int]
    face_down: Public[bool]
    face_up: Public[bool]
    pass_left: Public[bool]
    pending: Public[Pending | None]
    queue: Public[list[tuple[Seat, str]]]
    """The instant powers still to work after a simultaneous flip."""
    sealed: Owned[list[list[tuple[int, str]]]]
    """The rows that are being ordered, with their announcements."""
    announced: Owned[dict[int, str]]
    """The sealed announcements of cards that lie in the rows."""
    knowledge: Owned[Knowledge | None]
    last: Public[LastHand | None]
    earlier: Public[tuple[LastHand, ...]]
    """The hands before `last` of a round played from sealed rows: several of them pass without a decision, so
    nobody could look at them otherwise. No rule asks for them."""
    table: Derived[Table]
    kinds: Derived[int]
    """The union of the bits of `plays`."""
    simultaneous: Derived[bool]
    """Whether this round is played from sealed rows (section 3.7)."""

    # written by scripts/positions.py from the fields above
    __slots__ = (
        "announced",
        "best2",
        "counts",
        "deck",
        "earlier",
        "face_down",
        "face_up",
        "gone",
        "hand",
        "hand_size",
        "key",
        "kinds",
        "knowledge",
        "last",
        "leader",
        "level",
        "pass_left",
        "pending",
        "phase",
        "plays",
        "points",
        "queue",
        "round",
        "round_points",
        "rounds",
        "rows",
        "sealed",
        "seats",
        "shuffles",
        "simultaneous",
        "start",
        "table",
        "turn",
        "unshuffled",
        "zinc",
    )

    def clone(self) -> Self:
        """A copy that shares nothing that changes."""
        kind = type(self)
        twin = kind.__new__(kind)
        twin.events = None
        twin.level = self.level
        twin.seats = self.seats
        twin.hand_size = self.hand_size
        twin.rounds = self.rounds
        twin.key = self.key
        twin.deck = self.deck
        twin.unshuffled = self.unshuffled
        twin.shuffles = self.shuffles
        twin.start = self.start
        twin.round = self.round
        twin.hand = self.hand
        twin.leader = self.leader
        twin.turn = self.turn
        twin.phase = self.phase
        twin.rows = [one.copy() for one in self.rows]
        twin.counts = self.counts.copy()
        twin.gone = self.gone.copy()
        twin.plays = self.plays.copy()
        twin.points = self.points.copy()
        twin.round_points = [one.copy() for one in self.round_points]
        twin.best2 = self.best2.copy()
        twin.zinc = self.zinc
        twin.face_down = self.face_down
        twin.face_up = self.face_up
        twin.pass_left = self.pass_left
        twin.pending = self.pending
        twin.queue = self.queue.copy()
        twin.sealed = [one.copy() for one in self.sealed]
        twin.announced = self.announced.copy()
        twin.knowledge = None if self.knowledge is None else self.knowledge.clone()
        twin.last = self.last
        twin.earlier = self.earlier
        twin.table = self.table
        twin.kinds = self.kinds
        twin.simultaneous = self.simultaneous
        return twin

    def empty(self) -> None:
        """Nothing yet: no events, and 0, none or nobody in every field that has such a value."""
        self.events = None
        self.level = 0
        self.seats = 0
        self.hand_size = 0
        self.rounds = 0
        self.key = b""
        self.deck = ()
        self.unshuffled = 0
        self.shuffles = 0
        self.start = 0
        self.round = 0
        self.hand = 0
        self.leader = 0
        self.turn = 0
        self.phase = 0
        self.rows = []
        self.counts = []
        self.gone = []
        self.plays = []
        self.points = []
        self.round_points = []
        self.best2 = []
        self.zinc = 0
        self.face_down = False
        self.face_up = False
        self.pass_left = False
        self.pending = None
        self.queue = []
        self.sealed = []
        self.announced = {}
        self.knowledge = None
        self.last = None
        self.earlier = ()

    def fingerprint(self) -> bytes:
        """All but what is derived, as bytes: equal exactly where the positions are. Holds secrets."""
        return msgspec.msgpack.encode(
            (
                self.level,
                self.seats,
                self.hand_size,
                self.rounds,
                self.key,
                self.deck,
                self.unshuffled,
                self.shuffles,
                self.start,
                self.round,
                self.hand,
                self.leader,
                self.turn,
                self.phase,
                self.rows,
                self.counts,
                sorted(self.gone),
                self.plays,
                self.points,
                self.round_points,
                self.best2,
                self.zinc,
                self.face_down,
                self.face_up,
                self.pass_left,
                self.pending,
                self.queue,
                self.sealed,
                sorted(self.announced.items()),
                None if self.knowledge is None else self.knowledge.parts(),
                self.last,
                self.earlier,
            )
        )

    def public_view(
        self,
        *,
        viewer: int | None,
        to_act: tuple[int, ...],
        over: bool,
        deck: int,
        rows: tuple[tuple[int, ...], ...],
        groups: tuple[Group, ...],
        looks: tuple[Look, ...],
        memories: tuple[Memory, ...],
        plays: tuple[PlayView, ...],
        winning: int,
        to_play: tuple[int, ...],
        pending: PendingView | None,
        zinc: tuple[int, ...],
        last_round: bool,
        simultaneous: bool,
        sealing: bool,
        sealed: tuple[tuple[int, str], ...],
        announced: tuple[tuple[int, str], ...],
        last_hand: HandView | None,
        earlier: tuple[HandView, ...],
    ) -> Observation:
        """An observation: what everybody sees as it is, and what is given here."""
        return Observation(
            viewer=viewer,
            level=self.level,
            seats=self.seats,
            hand_size=self.hand_size,
            rounds=self.rounds,
            round=self.round,
            hand=self.hand,
            start=self.start,
            leader=self.leader,
            to_act=to_act,
            over=over,
            deck=deck,
            gone=tuple(sorted(self.gone)),
            counts=tuple(self.counts),
            rows=rows,
            groups=groups,
            looks=looks,
            memories=memories,
            plays=plays,
            winning=winning,
            to_play=to_play,
            pending=pending,
            queue=tuple(self.queue),
            points=tuple(self.points),
            round_points=tuple(map(tuple, self.round_points)),
            best2=tuple(self.best2),
            zinc=zinc,
            face_down=self.face_down,
            face_up=self.face_up,
            pass_left=self.pass_left,
            last_round=last_round,
            simultaneous=simultaneous,
            sealing=sealing,
            sealed=sealed,
            announced=announced,
            last_hand=last_hand,
            earlier=earlier,
        )

    def restore(self, seen: Observation) -> None:
        """Take what everybody sees from an observation."""
        self.level = seen.level
        self.seats = seen.seats
        self.hand_size = seen.hand_size
        self.rounds = seen.rounds
        self.start = seen.start
        self.round = seen.round
        self.hand = seen.hand
        self.leader = seen.leader
        self.counts = list(seen.counts)
        self.gone = list(seen.gone)
        self.points = list(seen.points)
        self.round_points = list(map(list, seen.round_points))
        self.best2 = list(seen.best2)
        self.face_down = seen.face_down
        self.face_up = seen.face_up
        self.pass_left = seen.pass_left
        self.queue = list(seen.queue)

    # as far as here

    def __init__(self, level: int, seats: int, hand_size: int, rounds: int, key: bytes) -> None:
        self.empty()
        self.level = level
        self.seats = seats
        self.hand_size = hand_size
        self.rounds = rounds
        self.key = key
        self.points = [0] * seats
        self.best2 = [NONE_YET] * seats
        self.derive()

    def derive(self) -> None:
        """Find again what follows from the other fields."""
        self.table = TABLES[self.level]
        self.simultaneous = self.is_sealed_round()
        self.kinds = 0
        for play in self.plays:
            self.kinds |= play[3]

    @override
    def census(self) -> tuple[int, ...]:
        return tuple(sorted([*self.deck, *self.gone, *(card for row in self.rows for card in row if card)]))

    # what the rules ask

    @property
    def hidden(self) -> bool:
        """Whether the rows are hidden from their owners (Germanium, unless Lanthanum shows all)."""
        return self.face_down and not self.face_up

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == OVER

    @property
    def sealing(self) -> bool:
        """Whether the rows of the last round are being ordered."""
        return self.phase == SEALING

    @property
    def last_round(self) -> bool:
        """Whether this is the last round."""
        return self.round == self.rounds

    def is_sealed_round(self) -> bool:
        """Whether this round is played from sealed rows, by its number; `simultaneous` keeps it."""
        return self.last_round and self.level == LEVELS

    def to_play(self) -> list[Seat]:
        """The seats whose card of this hand is still to come, in order."""
        if self.phase != PLAYING or self.simultaneous:
            return []
        played = self.pending is not None and self.pending.verb != "announce"
        # the seat in turn has played and answers for its power, or has yet to play
        coming = [] if played else [self.turn]
        seat = (self.turn + 1) % self.seats
        while seat != self.leader:
            if self.counts[seat]:
                coming.append(seat)
            seat = (seat + 1) % self.seats
        return coming

    # what the powers use

    def draw(self, seat: Seat, slot: int, card: int) -> None:
        """Take a card out of its row for good, for all to see."""
        self.rows[seat][slot] = 0
        self.counts[seat] -= 1
        self.gone.append(card)
        if self.knowledge is not None:
            self.knowledge.leave(card, place(seat, slot))

    def card_of(self, seat: Seat) -> int:
        """The card that `seat` has played in this hand."""
        for play in self.plays:
            if play[2] == seat:
                return play[1]
        raise LookupError(seat)

    def know(self) -> Knowledge:
        """The knowledge of the rows, made on the first need of a round."""
        if self.knowledge is None:
            self.knowledge = Knowledge.of_rows(self.rows)
        return self.knowledge

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """The next shuffle of this game."""
        self.shuffles += 1
        return shuffled(self.key, f"shuffle/{self.shuffles}", sorted(cards))

    def look(self) -> None:
        """Whoever may see now, sees: owners their rows, all under Lanthanum everything."""
        knowledge = self.know()
        if self.hidden:
            return
        for seat, row in enumerate(self.rows):
            if self.counts[seat]:
                knowledge.see(EVERYBODY if self.face_up else seat, lying(seat, row))

    def begin(self) -> None:
        """All rows of the last round are sealed: play starts."""
        self.sealed = []
        self.phase = PLAYING

    def lay(self, rows: list[list[int]]) -> None:
        """Put down new rows, each from slot A on."""
        self.rows = [row + [0] * (self.hand_size - len(row)) for row in rows]
        self.counts = [len(row) for row in rows]

    def shuffle_rows(self) -> None:
        """Shuffle each row in itself, face down (Germanium)."""
        to: dict[int, int] = {}
        rows = []
        for seat, row in enumerate(self.rows):
            to.update(closed_up(seat, row, seat))
            rows.append(self.shuffle([card for card in row if card]))
        knowledge = self.know()
        knowledge.move(to)
        self.lay(rows)
        knowledge.shuffle([front_mask(seat, count) for seat, count in enumerate(self.counts)])

    def put(self, seat: Seat, card: int, power: str, slot: int) -> str:
        """Lay a card into the hand (section 4.2) from its slot, -1 where it was drawn; the power it uses."""
        if slot >= 0:
            # `draw` written out: nearly all cards go this way
            self.rows[seat][slot] = 0
            self.counts[seat] -= 1
            self.gone.append(card)
            if self.knowledge is not None:
                self.knowledge.leave(card, place(seat, slot))
        when = AFTER_FIRST if self.hand > 1 else 0
        if self.zinc >> seat & 1:
            when += WITH_ZINC
        table = self.table
        number, bits, power = table.chosen[when][card][power] if power else table.plain[when][card]
        self.plays.append((number, card, seat, bits, power))
        self.kinds |= bits
        return power
