"""The course of a game of Molecular: turns, actions and the end.

Source: docs/rules/molecular.md, section 4. Other modules hold the fields (`position`), the plays (`plays`),
the effects of effectors (`effects`), the scores (`scoring`), the reasons for refusing a move (`refuse`) and
what a seat may see (`view`).
"""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override

from engine.fair import Stream, shuffled
from engine.game import ALONE, Outcome, Seat, Setup, Standing, Viewer
from engine.molecular import effects, menu, plays, refusals, view
from engine.molecular.board import place_of
from engine.molecular.cards import (
    BOX,
    DECK,
    EFFECTOR_DECK,
    SHAPES,
    SUPPLY,
)
from engine.molecular.hidden_pieces import KIND
from engine.molecular.moves import (
    FORFEIT,
    GROUP_ACTION,
    PASS,
    REVEAL,
    REVEAL_ACTION,
    TILE_ACTION,
    Move,
)
from engine.molecular.observation import Observation
from engine.molecular.position import ACTIONS, Position, Rules
from engine.molecular.turns import CATALYST, allowed


class MolecularState(Position):
    """A position with the rules of the game: the implementation of `State`."""

    __slots__ = ()

    @classmethod
    def dealt(cls, setup: Setup) -> MolecularState:
        """Return the first position of a setup."""
        seats, options = setup.seats, setup.options
        rounds = int(options["rounds"]) or BOX.meta.rounds[seats - 1]
        state = cls(seats, Rules(rounds, options["bond_points"] == "edges"), setup.key)
        state.tiles.pile = shuffled(setup.key, "tiles/0", SUPPLY)
        state.cards.pile = shuffled(setup.key, "groups/0", DECK)
        state.effectors = shuffled(setup.key, "effectors/0", EFFECTOR_DECK)
        picked = int(options["first"])
        state.first = state.turn = picked - 1 if picked else Stream(setup.key, "start").below(seats)
        for step in range(seats):
            plays.refill(state, (state.turn + step) % seats)
        return state

    # the contract

    @override
    def to_act(self) -> tuple[Seat, ...]:
        if self.over:
            return ()
        if self.gifts:
            held = self.cards.held
            return tuple(s for s, gift in enumerate(self.gifts) if gift < 0 and held[s])
        return ALONE[self.turn]

    @override
    def legal_actions(self, seat: Seat) -> Sequence[Move]:
        if self.over or (seat not in self.to_act() if self.gifts else seat != self.turn):
            return ()
        if self.pending is not None:
            return effects.options(self, seat, self.pending)
        kinds = allowed(self)
        moves: list[Move] = []
        if kinds & TILE_ACTION:
            moves = menu.tiles(self.board, {piece & KIND for piece in self.tiles.held[seat]})
        if kinds & REVEAL_ACTION:
            moves.append(REVEAL)
        if kinds & GROUP_ACTION:
            moves += self.group_plays(seat)
        if self.actions == ACTIONS and self.scores[seat] > 0:
            moves.append(FORFEIT)
        moves.append(PASS)
        return moves

    def _check(self, seat: Seat, action: Move) -> None:
        refusals.check(self, seat, action)

    @override
    def push(self, seat: Seat, action: Move) -> None:
        verb = action[0]
        if self.pending is not None:
            effects.answer(self, seat, action, self.pending)
        elif verb == "tile":
            # Catalyst only makes the first tile of the turn free, so an ordinary one uses it up
            free = self.reagent == CATALYST and not self.tiled
            if not free:
                self.actions -= 1
                self.used |= TILE_ACTION
            self.tiled = True
            plays.play_tile(self, seat, action, free=free)
        elif verb == "group":
            self.actions -= 1
            self.used |= GROUP_ACTION
            plays.play_group(self, seat, action.what)
        elif verb == "reveal":
            self.actions -= 1
            self.used |= REVEAL_ACTION
            effects.reveal(self, seat)
        elif verb == "pass":
            self._pass(seat)
        else:
            self._forfeit(seat)
        if self.actions or self.pending is not None:
            return
        if self.reagent != CATALYST or self.tiled or not self.tiles.held[self.turn]:
            self._end_turn()

    @override
    def observe(self, viewer: Viewer) -> Observation:
        return view.observe(self, viewer)

    @override
    def outcome(self) -> Outcome | None:
        """Return the outcome; its facts hold the molecule in the form `reference.drawing` takes.

        A single player plays for the score and cannot lose.
        """
        if not self.over:
            return None
        scores = self.scores
        standings = tuple(
            Standing(1 + sum(other > score for other in scores), float(score)) for score in scores
        )
        tiles = [[*place_of(cell), *SHAPES[shape]] for cell, shape in sorted(self.board.tiles.items())]
        won = True if len(scores) == 1 else None
        return Outcome(standings, self.over, {"tiles": tiles, "rounds": self.rules.rounds}, won=won)

    # actions

    def _pass(self, seat: Seat) -> None:
        if self.actions:
            self.actions -= 1
            self.tell("pass", seat, left=self.actions)
        else:
            self.tiled = True
            self.tell("no_free_tile", seat)

    def _forfeit(self, seat: Seat) -> None:
        """Exchange the whole turn and one point for a new pool and a new hand."""
        self.scores[seat] -= 1
        self.actions = 0
        self.tiled = True
        self.tell("forfeit", seat, total=self.scores[seat])
        hand, self.cards.held[seat] = self.cards.held[seat], []
        if hand:
            self.cards.mix_in(seat, hand, self.mixer("groups"))
        pool, self.tiles.held[seat] = self.tiles.held[seat], []
        if pool:
            self.tiles.mix_in(seat, pool, self.mixer("tiles"))
        plays.refill(self, seat)

    # turns

    def _end_turn(self) -> None:
        """Start the next seat's turn or the next round, or end the game (section 4)."""
        self.turn += 1
        if self.turn == self.seats:
            self.turn = 0
        last = self.turn == self.first
        if not self.unplayed:
            self._finish("all_played")
        elif not self.board.takes(self.unplayed):
            self._finish("stuck")
        elif last and self.round == self.rules.rounds:
            self._finish("rounds")
        else:
            if last:
                self.round += 1
                self.tell("round", -1, round=self.round, rounds=self.rules.rounds)
            self.actions = ACTIONS
            self.used = 0
            self.tiled = False
            plays.refill(self, self.turn)

    def _finish(self, reason: str) -> None:
        self.over = reason
        self.tell("game_over", -1, reason=reason, scores=self.scores.copy())
