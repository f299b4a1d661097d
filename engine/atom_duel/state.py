"""One position of Atom Duel: rounds, hands and turns.

Source: docs/rules/atom_duel.md, section 3. What single cards do is in `powers`, who wins a hand in
`evaluate`, why a move is refused in `refuse`, what a seat may see in `view`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from engine.atom_duel import last_round, powers, refuse, view
from engine.atom_duel.cards import CARDS, LEVELS, TABLES, Table
from engine.atom_duel.evaluate import Played, explain, winner
from engine.atom_duel.knowledge import EVERYBODY, Knowledge, place, row_mask
from engine.atom_duel.moves import FLIPS, PLAYS, SEALS, Move
from engine.atom_duel.observation import Observation
from engine.atom_duel.powers import Pending
from engine.fair import Stream, shuffled
from engine.game import ALONE, Event, Outcome, Seat, Setup, Standing, State, Viewer

PLAYING, SEALING, OVER = 0, 1, 2

NONE_YET = -(10**6)
"""The largest winning value of a seat that has won no hand."""


class LastHand(NamedTuple):
    """The hand that ended last: what is needed to explain it."""

    round: int
    hand: int
    leader: Seat
    plays: tuple[Played, ...]


class AtomDuelState(State[Move, Observation]):
    """A position. `rows[seat][slot]` holds cards, 0 where a slot is empty.

    `plays` and `kinds` (the union of their bits) are the hand so far; `queue` holds the instant
    powers still to work after a simultaneous flip; `sealed` the rows being ordered, with their
    announcements; `announced` the sealed announcements of cards that lie in the rows. `earlier` are the
    hands before `last` of a round played from sealed rows: several of them pass without a decision, so
    nobody could look at them otherwise. No rule asks for them, and no fingerprint.
    """

    __slots__ = (
        "announced",
        "best2",
        "counts",
        "deck",
        "drawn",
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
        "start",
        "table",
        "turn",
        "zinc",
    )

    def __init__(self, level: int, seats: int, hand_size: int, rounds: int, key: bytes) -> None:
        self.events: list[Event] | None = None
        self.level = level
        self.seats = seats
        self.hand_size = hand_size
        self.rounds = rounds
        self.key = key
        self.table: Table = TABLES[level]
        self.deck: list[int] = []
        self.drawn = 0
        self.shuffles = 0
        self.start = 0
        self.round = 0
        self.hand = 0
        self.leader = 0
        self.turn = 0
        self.phase = PLAYING
        self.rows: list[list[int]] = []
        self.counts: list[int] = []
        self.gone: list[int] = []
        self.plays: list[Played] = []
        self.kinds = 0
        self.points = [0] * seats
        self.round_points: list[list[int]] = []
        self.best2 = [NONE_YET] * seats
        self.zinc = 0
        self.face_down = False
        self.face_up = False
        self.pass_left = False
        self.pending: Pending | None = None
        self.queue: list[tuple[Seat, str]] = []
        self.sealed: list[list[tuple[int, str]]] = []
        self.announced: dict[int, str] = {}
        self.knowledge: Knowledge | None = None
        self.last: LastHand | None = None
        self.earlier: tuple[LastHand, ...] = ()

    @classmethod
    def dealt(cls, setup: Setup) -> AtomDuelState:
        """The first position of a setup."""
        options = setup.options
        state = cls(
            int(options["level"]),
            setup.seats,
            int(options["hand_size"]),
            int(options["rounds"]),
            setup.key,
        )
        state.deck = shuffled(setup.key, "deck", CARDS)
        state.start = Stream(setup.key, "start").below(setup.seats)
        state.deal_round()
        return state

    # the contract

    def to_act(self) -> tuple[Seat, ...]:
        """See `engine.game.State`."""
        if self.phase == PLAYING:
            return ALONE[self.turn]
        if self.phase == SEALING:
            counts = self.counts
            return tuple(seat for seat, row in enumerate(self.sealed) if len(row) < counts[seat])
        return ()

    def legal_actions(self, seat: Seat) -> Sequence[Move]:
        """See `engine.game.State`."""
        if self.phase == PLAYING and seat == self.turn:
            if self.pending is not None:
                return powers.answers(self, self.pending)
            if self.hidden:
                return [FLIPS[slot] for slot, card in enumerate(self.rows[seat]) if card]
            plays = PLAYS[self.level]
            return [move for card in self.rows[seat] for move in plays[card]]
        if self.phase == SEALING:
            done = {card for card, _ in self.sealed[seat]}
            return [move for card in self.rows[seat] if card not in done for move in SEALS[card]]
        return ()

    def _check(self, seat: Seat, action: Move) -> None:
        refuse.check(self, seat, action)

    def observe(self, viewer: Viewer) -> Observation:
        """See `engine.game.State`."""
        return view.observe(self, viewer)

    def _apply(self, seat: Seat, action: Move) -> None:
        """See `engine.game.State`."""
        verb = action[0]
        if verb == "play":
            card = action[1]
            slot = self.rows[seat].index(card)
            self.draw(seat, slot, card)
            self._play(seat, card, action[4])
        elif verb == "flip":
            slot = action[3]
            card = self.rows[seat][slot]
            self.draw(seat, slot, card)
            self.tell("flip", seat, slot=slot, card=card)
            if self.table.choices[card]:
                self.pending = Pending("announce", card)
            else:
                self._play(seat, card, "")
        elif verb == "seal":
            last_round.seal(self, seat, action)
        elif verb == "announce":
            pending, self.pending = self.pending, None
            if pending is not None:
                self._play(seat, pending.card, action[4])
        else:
            powers.ANSWERS[verb](self, seat, action)
            if self.pending is None:
                self._proceed()

    def outcome(self) -> Outcome | None:
        """See `engine.game.State`; ties break by decision 33, scores are points."""
        if self.phase != OVER:
            return None
        final = self.round_points[-1]
        keys = list(zip(self.points, final, self.best2, strict=True))
        top = max(keys)
        reason = "points"
        for depth, rule in ((1, "last_round"), (2, "best_value"), (3, "shared")):
            if sum(key[:depth] == top[:depth] for key in keys) > 1:
                reason = rule
        standings = tuple(Standing(1 + sum(other > key for other in keys), float(key[0])) for key in keys)
        facts = {"hands": self.points.copy(), "last_round": final.copy(), "best2": self.best2.copy()}
        tiebreak = tuple((float(last), float(best)) for _, last, best in keys)
        return Outcome(standings, reason, facts, tiebreak=tiebreak, hands=tuple(self.points))

    def clone(self) -> AtomDuelState:
        """See `engine.game.State`."""
        twin = AtomDuelState.__new__(AtomDuelState)
        twin.events = None
        twin.level = self.level
        twin.seats = self.seats
        twin.hand_size = self.hand_size
        twin.rounds = self.rounds
        twin.key = self.key
        twin.table = self.table
        twin.deck = self.deck  # never changes after the deal
        twin.drawn = self.drawn
        twin.shuffles = self.shuffles
        twin.start = self.start
        twin.round = self.round
        twin.hand = self.hand
        twin.leader = self.leader
        twin.turn = self.turn
        twin.phase = self.phase
        twin.rows = [row.copy() for row in self.rows]
        twin.counts = self.counts.copy()
        twin.gone = self.gone.copy()
        twin.plays = self.plays.copy()
        twin.kinds = self.kinds
        twin.points = self.points.copy()
        twin.round_points = [points.copy() for points in self.round_points]
        twin.best2 = self.best2.copy()
        twin.zinc = self.zinc
        twin.face_down = self.face_down
        twin.face_up = self.face_up
        twin.pass_left = self.pass_left
        twin.pending = self.pending
        twin.queue = self.queue.copy()
        twin.sealed = [row.copy() for row in self.sealed]
        twin.announced = self.announced.copy()
        twin.knowledge = self.knowledge and self.knowledge.clone()
        twin.last = self.last
        twin.earlier = self.earlier
        return twin

    def fingerprint(self) -> bytes:
        """See `engine.game.State`."""
        knowledge = self.knowledge
        return msgspec.msgpack.encode(
            (
                (self.level, self.seats, self.hand_size, self.rounds, self.key, self.shuffles),
                (self.deck[self.drawn :], self.rows, sorted(self.gone)),
                (self.start, self.round, self.hand, self.leader, self.turn, self.phase),
                (self.plays, self.points, self.round_points, self.best2, self.last),
                (self.zinc, self.face_down, self.face_up, self.pass_left, self.pending, self.queue),
                (self.sealed, sorted(self.announced.items())),
                knowledge
                and (
                    [sorted(known.items()) for known in knowledge.known],
                    (knowledge.log, knowledge.memories),
                ),
            )
        )

    def census(self) -> tuple[int, ...]:
        """See `engine.game.State`."""
        rows = [card for row in self.rows for card in row if card]
        return tuple(sorted(self.deck[self.drawn :] + self.gone + rows))

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

    @property
    def simultaneous(self) -> bool:
        """Whether this round is played from sealed rows (section 3.7)."""
        return self.round == self.rounds and self.level == LEVELS

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
        return next(play[1] for play in self.plays if play[2] == seat)

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
        for seat, row in enumerate(self.rows):
            viewer = EVERYBODY if self.face_up else seat
            if not self.hidden and self.counts[seat]:
                knowledge.see(viewer, [(card, place(seat, slot)) for slot, card in enumerate(row) if card])

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
            cards = [card for card in row if card]
            for new, old in enumerate(slot for slot, card in enumerate(row) if card):
                to[place(seat, old)] = place(seat, new)
            rows.append(self.shuffle(cards))
        knowledge = self.know()
        knowledge.move(to)
        self.lay(rows)
        knowledge.shuffle(row_mask(seat, row) for seat, row in enumerate(self.rows))

    # rounds, hands, turns

    def deal_round(self) -> None:
        """Deal the next round; its first leader follows from the start seat (section 3.3)."""
        seats, size = self.seats, self.hand_size
        deck, at = self.deck, self.drawn
        self.round += 1
        self.hand = 1
        self.drawn = at + seats * size
        self.rows = [deck[i : i + size] for i in range(at, self.drawn, size)]
        self.counts = [size] * seats
        self.round_points.append([0] * seats)
        self.leader = self.turn = (self.start + self.round - 1) % seats
        self.zinc = 0
        self.face_down = False
        self.knowledge = None
        if self.simultaneous:
            self.phase = SEALING
            self.sealed = [[] for _ in range(seats)]
        if self.events is not None:
            self.tell(
                "round",
                -1,
                round=self.round,
                rounds=self.rounds,
                leader=self.leader,
                deck=len(deck) - self.drawn,
                simultaneous=self.simultaneous,
            )
            for seat, row in enumerate(self.rows):
                self.events.append(Event("dealt", seat, {"count": size}, {"cards": row.copy()}, (seat,)))

    def put(self, seat: Seat, card: int, power: str) -> str:
        """Lay a card into the hand (section 4.2); the power that it uses."""
        number, bits, power = self.table.played(
            card, power, first_hand=self.hand == 1, zinc=self.zinc >> seat & 1 == 1
        )
        self.plays.append((number, card, seat, bits, power))
        self.kinds |= bits
        return power

    def _play(self, seat: Seat, card: int, power: str) -> None:
        used = self.put(seat, card, power)
        if self.events is not None:
            self.tell("play", seat, card=card, power=used)
        instant = powers.INSTANT.get(used)
        if instant is not None:
            instant(self, seat)
            if self.pending is not None:
                return
        self._advance()

    def _proceed(self) -> None:
        """A power's choices are made: go on with the hand."""
        if self.simultaneous:
            last_round.work_off(self)
        else:
            self._advance()

    def _advance(self) -> None:
        """The next seat with cards plays, or the hand is over."""
        seats, counts, leader = self.seats, self.counts, self.leader
        seat = self.turn + 1
        while True:
            if seat == seats:
                seat = 0
            if seat == leader:
                break
            if counts[seat]:
                self.turn = seat
                return
            seat += 1
        self.finish_hand()

    def finish_hand(self) -> None:
        """The hand is decided (section 4): a point, then the next hand or the end of the round."""
        plays = self.plays
        index, value2 = winner(plays, self.kinds, self.seats)
        seat = plays[index][2]
        self.points[seat] += 1
        self.round_points[-1][seat] += 1
        self.best2[seat] = max(self.best2[seat], value2)
        if self.simultaneous and self.last is not None and self.last.round == self.round:
            self.earlier = (*self.earlier, self.last)
        self.last = LastHand(self.round, self.hand, self.leader, tuple(plays))
        if self.events is not None:
            self.tell(
                "hand_won",
                seat,
                round=self.round,
                hand=self.hand,
                card=plays[index][1],
                value2=value2,
                plays=[[play[2], play[1], play[4]] for play in plays],
                trace=[{"kind": line.kind, **line.facts} for line in explain(plays, self.seats)],
                points=self.points.copy(),
            )
        self.plays = []
        self.kinds = 0
        if self.pass_left or self.face_up:
            powers.end_hand(self)
        self.hand += 1
        counts = self.counts
        if self.seats - counts.count(0) < 2:
            self._finish_round()
            return
        while not counts[seat]:
            seat = (seat + 1) % self.seats
        self.leader = self.turn = seat
        if self.simultaneous:
            last_round.flip_all(self)

    def _finish_round(self) -> None:
        """Cards left over score nothing; they are laid open and leave the game."""
        for seat, row in enumerate(self.rows):
            left = [card for card in row if card]
            if left:
                self.gone += left
                self.tell("leftover", seat, cards=left)
        self.rows = [[0] * self.hand_size for _ in range(self.seats)]
        self.counts = [0] * self.seats
        self.announced.clear()
        self.knowledge = None
        if self.events is not None:
            self.tell(
                "round_over",
                -1,
                round=self.round,
                won=self.round_points[-1].copy(),
                points=self.points.copy(),
            )
        if self.round < self.rounds:
            self.deal_round()
            return
        self.phase = OVER
        outcome = self.outcome()
        if self.events is not None and outcome is not None:
            ranks = [standing.rank for standing in outcome.standings]
            self.tell("game_over", -1, ranks=ranks, reason=outcome.reason, **outcome.facts)
