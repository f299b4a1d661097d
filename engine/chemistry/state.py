"""Rules of Compound Capture and Chemistry Canasta: draws, captures, runs, claims, rounds and matches.

Source: docs/rules/chemistry.md, sections 3 and 4. The data of a position is in `position`, refusals are in
`refuse`, observations in `view`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import add

from typing_extensions import override

from engine.chemistry import refusals, scoring, view
from engine.chemistry.deck import KINDS, WILD, draw_cards
from engine.chemistry.moves import DISCARDS, DRAWS, END, PILE, Move, captures, claim, runs
from engine.chemistry.observation import (
    AFTER,
    CLOSE,
    DRAW,
    FIRST,
    GAIN,
    HAND,
    LAY,
    OVER,
    PLAY,
    ROW,
    RUN,
    SECOND,
    SHUFFLE,
    SOLO_DRY,
    TAKE,
    Observation,
    Sheet,
    entry,
)
from engine.chemistry.position import Position
from engine.chemistry.scoring import TARGET, cards_of
from engine.fair import Stream, shuffled
from engine.game import ALONE, Event, Outcome, Seat, Setup, Viewer

_FORESIGHT = 14
"""Number of compounds of a round's pile worked out at its deal; most rounds need no more."""

_BOTH, _STOCK, _PILE = DRAWS, DRAWS[:1], DRAWS[1:]
_DRAWN = tuple(entry(DRAW, seat) for seat in range(6))


class CollectState(Position):
    """A position with the rules of both games."""

    __slots__ = ()

    @classmethod
    def dealt(cls, setup: Setup, *, canasta: bool) -> CollectState:
        """Return the first position of a setup, with the first dealer drawn at random."""
        options = setup.options
        state = cls(
            setup.seats,
            canasta=canasta,
            decks=str(options["decks"]),
            rounds=int(options["rounds"]),
            key=setup.key,
        )
        state.dealer = Stream(setup.key, "dealer").below(setup.seats)
        state.deal_round()
        return state

    # the contract

    @override
    def to_act(self) -> tuple[Seat, ...]:
        return ALONE[self.turn] if self.phase != OVER else ()

    @override
    def legal_actions(self, seat: Seat) -> Sequence[Move]:
        """Return captures, runs, claims and discards in this order, or draws and claims before the play."""
        phase = self.phase
        if seat != self.turn or phase == OVER:
            return ()
        if phase <= SECOND and not self.wilds:
            return self.draws()
        hand = self.hands[seat]
        if phase <= SECOND:
            return [*self.draws(), *self._claims(hand)]
        found: list[Move]
        if phase == PLAY:
            found = captures(self.row, hand)
            if self.canasta:
                found += runs(hand)
                if self.wilds:
                    found += self._claims(hand)
            found += compress(DISCARDS, hand)
            return found
        found = self._claims(hand)
        if phase == CLOSE or self.sizes[seat] == 1:
            found += compress(DISCARDS, hand)
        if phase == AFTER:
            found.append(END)
        return found

    def _check(self, seat: Seat, action: Move) -> None:
        refusals.check(self, seat, action)

    @override
    def observe(self, viewer: Viewer) -> Observation:
        return view.observe(self, viewer)

    @override
    def push(self, seat: Seat, action: Move) -> None:
        verb = action[0]
        if verb == "draw":
            self._draw(seat, action[1])
        elif verb == "discard":
            self._discard(seat, action[1])
        elif verb == "capture":
            self._capture(seat, action[1], action[2])
        elif verb == "run":
            self._run(seat, action[1], action[2])
        elif verb == "claim":
            self._claim(seat, action)
        else:
            self._next_turn()

    @override
    def outcome(self) -> Outcome | None:
        """Return the outcome, scored by totals; equal totals share a rank (decision 10)."""
        if self.phase != OVER:
            return None
        return scoring.outcome(self.totals, self.round, self.rounds)

    # rules

    def draws(self) -> Sequence[Move]:
        """Return the sources of the next card. Two cards must be drawn if two can be had (section 3.2)."""
        pile = len(self.discard)
        if pile and len(self.order) - self.at > 1:  # nearly always
            return _BOTH
        reach = self.reach
        if not reach:
            return _PILE if pile else ()
        if self.phase == FIRST and reach == 1:
            # the stock gives one card and the pile the other, in either order
            return _STOCK
        return _BOTH if pile else _STOCK

    def _claims(self, hand: bytearray) -> list[Move]:
        return [claim(number, seat, place) for number, seat, place in self.wilds if hand[number]]

    # a turn

    def begin_turn(self, seat: Seat) -> None:
        """Start a seat's turn. A seat with nothing to draw and nothing to play is skipped."""
        self.turn = seat
        self.took = False
        self.phase = FIRST
        if self.at == len(self.order) and not self.discard:
            self.phase = PLAY
            if not self.sizes[seat]:
                self.tell("nothing", seat)
                self.dry += 1
                self._next_turn()

    def _draw(self, seat: Seat, source: int) -> None:
        """Draw one card, and the second one too if there is no choice."""
        first = self.phase == FIRST
        if source == PILE:
            self._take(seat)
            if first:
                self.took = True
                if self.at < len(self.order) or self.reach:
                    self._from_stock(seat)
            self.phase = PLAY
            return
        self._from_stock(seat)
        if first:
            if self.at < len(self.order) or (not self.canasta and len(self.discard) > 1):
                if self.discard:
                    self.phase = SECOND
                    return
                self._from_stock(seat)
            elif self.discard:
                self._take(seat)
        self.phase = PLAY

    def _from_stock(self, seat: Seat) -> None:
        if self.at == len(self.order):
            self._reshuffle()
        card = self.order[self.at]
        self.at += 1
        self.hands[seat][card] += 1
        self.sizes[seat] += 1
        self.log.append(_DRAWN[seat])
        if self.events is not None:
            self.events.append(
                Event("draw", seat, {"left": len(self.order) - self.at}, {"card": card}, (seat,))
            )

    def _reshuffle(self) -> None:
        """Turn the discard pile, except its top card, into the new stock."""
        top = self.discard.pop()
        label = f"reshuffle/{self.round}/{len(self.orders)}"
        self.order = shuffled(self.key, label, sorted(self.discard))
        self.orders.append(self.order)
        self.discard = [top]
        self.at = 0
        self.log.append(SHUFFLE)
        self.tell("shuffled", -1, cards=len(self.order))

    def _take(self, seat: Seat) -> None:
        card = self.discard.pop()
        self.hands[seat][card] += 1
        self.sizes[seat] += 1
        self.log.append(TAKE | seat << 3 | card << 6)
        if self.events is not None:
            self.tell("take", seat, card=card)

    def _discard(self, seat: Seat, card: int) -> None:
        after_capture = self.phase == AFTER
        self.hands[seat][card] -= 1
        self.sizes[seat] -= 1
        self.discard.append(card)
        self.log.append(LAY | seat << 3 | card << 6)
        if self.events is not None:
            self.tell("discard", seat, card=card)
        if not after_capture:
            self.dry += 1
        if self.canasta and not self.sizes[seat]:
            self._finish_round("out", seat)
        else:
            self._next_turn()

    def _capture(self, seat: Seat, compound: int, cards: Sequence[int]) -> None:
        """Move the cards to the discard pile in the named order and the compound to its captor."""
        hand, log, entry_ = self.hands[seat], self.log, LAY | seat << 3
        for card in cards:
            hand[card] -= 1
            log.append(entry_ | card << 6)
        self.discard += cards
        self.sizes[seat] -= len(cards)
        self.captured[seat].append(compound)
        self.dry = 0
        row = self.row
        place = row.index(compound)
        fresh = -1
        if self.up < self.total:
            if self.up == len(self.stack):
                self.stack = self.pile(self.total)
            fresh = row[place] = self.stack[self.up]
            self.up += 1
        else:
            del row[place]
        if self.events is not None:
            self.tell("capture", seat, compound=compound, cards=list(cards))
            if fresh >= 0:
                self.tell("turned", -1, compound=fresh, left=self.total - self.up)
        if self.canasta and not self.sizes[seat]:
            self._finish_round("out", seat)
        elif not row:
            self._finish_round("all_captured", -1)
        elif self.canasta and (self.wilds or self.sizes[seat] == 1):
            # whether to pause must depend on public facts only, or the pause would reveal a card
            self.phase = AFTER
        else:
            self._next_turn()

    def _run(self, seat: Seat, start: int, cards: Sequence[int]) -> None:
        hand, place = self.hands[seat], len(self.runs[seat])
        for step, card in enumerate(cards):
            hand[card] -= 1
            self.log.append(RUN | seat << 3 | card << 6)
            if card == WILD:
                self.wilds.append((start + step, seat, place))
        self.sizes[seat] -= len(cards)
        first, second, third = cards
        self.runs[seat].append((start, (first, second, third)))
        self.tell("run", seat, start=start, cards=list(cards))
        if self.sizes[seat]:
            self.phase = CLOSE
        else:
            self._finish_round("out", seat)

    def _claim(self, seat: Seat, action: Move) -> None:
        _, number, _, owner, place = action
        hand = self.hands[seat]
        hand[number] -= 1
        hand[WILD] += 1
        start, (a, b, c) = self.runs[owner][place]
        step = number - start
        self.runs[owner][place] = (
            start,
            (number if step == 0 else a, number if step == 1 else b, number if step == 2 else c),
        )
        self.wilds.remove((number, owner, place))
        self.log.append(entry(RUN, seat, number))
        self.log.append(entry(GAIN, seat, WILD))
        self.tell("claim", seat, owner=owner, number=number, start=start)

    def _next_turn(self) -> None:
        """End the turn, and the round if it is over."""
        if self.canasta:
            if self.at == len(self.order):
                self._finish_round("exhausted", self.turn)
                return
        elif self.dry >= (self.seats if self.seats > 1 else SOLO_DRY):
            self._finish_round("stuck", -1)
            return
        seat = self.turn + 1
        self.begin_turn(seat if seat < self.seats else 0)

    # a round

    def deal_round(self) -> None:
        """Shuffle and deal the next round; the deal moves to the left (decision 10)."""
        seats = self.seats
        self.round += 1
        if self.round > 1:
            self.dealer = (self.dealer + 1) % seats
        deck = draw_cards(self.decks, basic=self.canasta)
        self.order = shuffled(self.key, f"deck/{self.round}", deck)
        self.orders = [self.order]
        self.stack = ()
        self.stack = self.pile(_FORESIGHT)
        self.row = list(self.stack[:ROW])
        self.up = ROW
        self.at = seats * HAND + 1
        self.hands = []
        for seat in range(seats):
            hand = bytearray(KINDS)
            for card in self.order[seat * HAND : (seat + 1) * HAND]:
                hand[card] += 1
            self.hands.append(hand)
        self.sizes = [HAND] * seats
        self.discard = [self.order[seats * HAND]]
        self.captured = [[] for _ in range(seats)]
        self.runs = [[] for _ in range(seats)]
        self.wilds = []
        self.log = []
        self.dry = 0
        if self.events is not None:
            self.tell("round", self.dealer, round=self.round, row=self.row.copy(), top=self.discard[0])
            for seat in range(seats):
                cards = sorted(self.order[seat * HAND : (seat + 1) * HAND])
                self.events.append(Event("dealt", seat, {"count": HAND}, {"cards": cards}, (seat,)))
        self.begin_turn((self.dealer + 1) % seats)

    def _finish_round(self, reason: str, seat: Seat) -> None:
        """Reveal and score the cards. The match may be over (sections 3.6, 3.7 and 4.6)."""
        points = tuple(
            map(scoring.points, map(len, self.captured), map(len, self.runs), self.hands, self.sizes)
        )
        totals = self.totals = list(map(add, self.totals, points))
        self.last = Sheet(
            self.round,
            reason,
            seat,
            tuple(map(tuple, self.captured)),
            tuple(map(tuple, self.runs)),
            tuple(map(cards_of, self.hands)),
            points,
            tuple(totals),
        )
        best = max(totals)
        self.phase = OVER
        if self.events is not None:
            for s in range(self.seats):
                made = {"compounds": self.captured[s].copy(), "runs": len(self.runs[s])}
                self.tell("made", s, **made, points=points[s], round=self.round)
            self.tell(
                "round_over", seat, reason=reason, round=self.round, points=list(points), totals=totals.copy()
            )
        if self.round == self.rounds or (best >= TARGET and totals.count(best) == 1):
            if self.events is not None and (outcome := self.outcome()) is not None:
                ranks = [standing.rank for standing in outcome.standings]
                self.tell("game_over", -1, ranks=ranks, reason=outcome.reason, totals=totals.copy())
            return
        self.deal_round()
