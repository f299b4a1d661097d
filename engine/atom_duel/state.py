"""Atom Duel played: whose turn it is, what is legal, what a decision does.

Source: docs/rules/atom_duel.md, section 3. What lies where is in `position`, what single cards do in
`powers`, what follows in `rounds`, who wins a hand in `winning` and `evaluate`, why a move is refused in
`refuse`, what a seat may see in `view`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from typing_extensions import override

from engine.atom_duel import last_round, powers, refusals, rounds, view
from engine.atom_duel.cards import CARDS, UNIQUE_LEVEL
from engine.atom_duel.moves import FLIPS, PLAYS, SEALS, Move
from engine.atom_duel.observation import Observation
from engine.atom_duel.position import OVER, PLAYING, SEALING, Pending, Position
from engine.fair import Stream, shuffled
from engine.game import ALONE, Outcome, Seat, Setup, Standing, Viewer


class AtomDuelState(Position):
    """A position, and the contract."""

    __slots__ = ()

    @classmethod
    def dealt(cls, setup: Setup, gold_immune_from: int = UNIQUE_LEVEL) -> AtomDuelState:
        """The first position of a setup."""
        options = setup.options
        state = cls(
            int(options["level"]),
            setup.seats,
            int(options["hand_size"]),
            int(options["rounds"]),
            setup.key,
            gold_immune_from=gold_immune_from,
        )
        state.deck = shuffled(setup.key, "deck", CARDS)
        state.start = Stream(setup.key, "start").below(setup.seats)
        rounds.deal_round(state)
        return state

    # the contract

    @override
    def to_act(self) -> tuple[Seat, ...]:
        if self.phase == PLAYING:
            return ALONE[self.turn]
        if self.phase == OVER:
            return ()
        counts = self.counts
        waiting = []
        for seat, row in enumerate(self.sealed):
            if len(row) < counts[seat]:
                waiting.append(seat)
        return tuple(waiting)

    @override
    def legal_actions(self, seat: Seat) -> Sequence[Move]:
        if self.phase == PLAYING:
            if seat != self.turn:
                return ()
            if self.pending is not None:
                return powers.answers(self, self.pending)
            row = self.rows[seat]
            if self.face_down and not self.face_up:
                return list(compress(FLIPS, row))
            ways = PLAYS[self.level]
        elif self.phase == SEALING:
            row, ways = self.rows[seat].copy(), SEALS
            for card, _ in self.sealed[seat]:
                row.remove(card)
        else:
            return ()
        found: list[Move] = []
        for card in row:
            found += ways[card]
        return found

    def _check(self, seat: Seat, action: Move) -> None:
        refusals.check(self, seat, action)

    @override
    def observe(self, viewer: Viewer) -> Observation:
        return view.observe(self, viewer)

    @override
    def push(self, seat: Seat, action: Move) -> None:
        verb = action[0]
        if verb == "play":
            card = action[1]
            rounds.play(self, seat, card, action[4], self.rows[seat].index(card))
        elif verb == "flip":
            slot = action[3]
            card = self.rows[seat][slot]
            self.draw(seat, slot, card)
            if self.events is not None:
                self.tell("flip", seat, slot=slot, card=card)
            if self.table.choices[card]:
                self.pending = Pending("announce", card)
            else:
                rounds.play(self, seat, card, "")
        elif verb == "seal":
            if last_round.seal(self, seat, action):
                rounds.flip(self)
        elif verb == "announce":
            pending, self.pending = self.pending, None
            if pending is not None:
                rounds.play(self, seat, pending.card, action[4])
        else:
            powers.ANSWERS[verb](self, seat, action)
            if self.pending is None:
                rounds.proceed(self)

    @override
    def outcome(self) -> Outcome | None:
        """Ties break by decision 33, scores are points."""
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
