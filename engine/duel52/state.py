"""Rules of Duel 52: turns, legal actions, and the effects of moves.

Source: docs/rules/duel52.md. The data of a position is in `position`, powers are in `powers`, attacks in
`combat`, turns in `turns`, the end in `victory`, refusals in `refuse`, observations in `view`.
"""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override

from engine.duel52 import combat, menu, powers, refusals, turns, view
from engine.duel52.cards import VARIANTS
from engine.duel52.marks import LOCKED
from engine.duel52.moves import Move
from engine.duel52.observation import Observation, Pending
from engine.duel52.position import Position
from engine.fair import Stream, shuffled
from engine.game import ALONE, Outcome, Seat, Setup, Standing, Viewer
from engine.playing_cards import DECK52


class DuelState(Position):
    """A position with the rules of the game."""

    __slots__ = ()

    @classmethod
    def dealt(cls, setup: Setup) -> DuelState:
        """Return the first position of a setup."""
        variant = VARIANTS[str(setup.options["variant"])]
        state = cls(variant, vampiric=bool(setup.options["vampiric"]))
        deck = shuffled(setup.key, "deck", DECK52)
        state.first = state.turn = Stream(setup.key, "first").below(variant.seats)
        if variant.bases:
            for lane in range(variant.lanes):
                for side in range(variant.sides):
                    state.lay(deck.pop(0), side * variant.lanes + lane, LOCKED, 0)
            state.bases = 1
        for seat in range(variant.seats):
            state.hands[seat] = sorted(deck[: variant.hand])
            del deck[: variant.hand]
        state.pile, state.aside = tuple(deck[: variant.pile]), tuple(deck[variant.pile :])
        if variant.key == "solo":
            state.asks = [Pending("bet", -1), Pending("open", -1)]
        else:
            turns.begin(state)
        return state

    # the contract

    @override
    def to_act(self) -> tuple[Seat, ...]:
        return () if self.ranks else ALONE[self.turn]

    @override
    def legal_actions(self, seat: Seat) -> Sequence[Move]:
        if seat != self.turn or self.ranks:
            return ()
        if self.asks:
            return powers.answers(self)
        if self.menu:
            return self.menu
        # inlined `menu.of_turn`: this is the hottest code of the game
        out: list[Move] = []
        plays = self.plays
        for card in self.hands[seat]:
            out += plays[card]
        menus = self.menus
        for at in self.lines[seat]:
            out += menus[at] or menu.of_row(self, at)
        return out

    def _check(self, seat: Seat, action: Move) -> None:
        refusals.check(self, seat, action)

    @override
    def observe(self, viewer: Viewer) -> Observation:
        return view.observe(self, viewer)

    @override
    def push(self, seat: Seat, action: Move) -> None:
        self.menu = None
        self.glimpse = self.pointer = -1
        verb = action[0]
        if verb == "play":
            card = action[1]
            at = self.starts[seat] + action[2]
            self.hands[seat].remove(card)
            unit = self.lay(card, at, 0, self.sights[seat])
            menu.laid(self, at, unit)
            self.quiet = -1
            self.actions -= 1
            if self.events is not None:
                self.tell("play", seat, self.secret(card, self.known[unit]), unit=unit, lane=action[2])
        elif verb == "attack":
            self.actions -= 1
            combat.attack(self, seat, action[3], action[4], action[5])
        elif verb == "flip":
            unit = action[3]
            self.actions -= 1
            self.glimpse, self.pointer = unit, seat
            powers.raise_up(self, unit, -1)
            powers.activate(self, unit)
            if self.asks and powers.run(self):
                return
        elif verb == "pair":
            unit, other = action[3], action[4]
            self.actions -= 1
            self.mate[unit] = other
            self.mate[other] = unit
            menu.changed(self, self.place[unit])
            if self.events is not None:
                cards = [self.card[unit], self.card[other]]
                self.tell("pair", seat, units=[unit, other], cards=cards, lane=self.lane(unit))
        else:
            powers.ANSWERS[verb](self, seat, action)
            if self.asks and powers.run(self):
                return
            if verb == "bet":
                turns.begin(self)
                return
        turns.settle(self)

    @override
    def outcome(self) -> Outcome | None:
        """Return the outcome: a win scores 1, a draw one half; seats that went out later rank higher."""
        if not self.ranks:
            return None
        first = self.ranks.count(1)
        drawn = first > (2 if self.variant.key == "teams" else 1)
        team = self.sides < self.seats
        standings = tuple(
            Standing(rank, (0.5 if drawn else 1.0) if rank == 1 else 0.0, seat % self.sides if team else -1)
            for seat, rank in enumerate(self.ranks)
        )
        facts: dict[str, object] = {"turns": self.turns}
        won: bool | None = None
        if self.bet >= 0:
            won = not drawn and self.ranks[self.bet] == 1
            facts["bet"], facts["bet_won"] = self.bet, won
        lasted = tuple((float(-rank),) for rank in self.ranks) if self.sides > 2 else ()
        return Outcome(standings, self.reason, facts, won=won, tiebreak=lasted)
