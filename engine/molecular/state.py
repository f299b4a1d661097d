"""One position of Molecular: turns, actions and the end.

Source: docs/rules/molecular.md, section 4. What single effectors do is in `effects`, what a play is worth in
`scoring`, why a move is refused in `refuse`, what a seat may see in `view`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from engine.fair import Stream, shuffled
from engine.game import ALONE, Event, Outcome, Seat, Setup, Standing, State, Viewer
from engine.molecular import effects, groups, refuse, view
from engine.molecular.board import MIDDLE, Board, cell_of, place_of
from engine.molecular.cards import (
    BOX,
    COPIES,
    DECK,
    EFFECTOR,
    EFFECTOR_DECK,
    GROUPS,
    SHAPE_KIND,
    SHAPE_OF,
    SHAPES,
    SUPPLY,
)
from engine.molecular.effects import Pending
from engine.molecular.hoard import PUBLIC, Hoard, entry
from engine.molecular.moves import (
    FORFEIT,
    GROUP_ACTION,
    KNOWN,
    PASS,
    PLAYS,
    REVEAL,
    REVEAL_ACTION,
    TILE_ACTION,
    Move,
    laying,
)
from engine.molecular.observation import Observation, Scored
from engine.molecular.scoring import GroupScore, group_score, tile_score
from engine.molecular.turns import free_tile, may_use

POOL, HAND, ACTIONS = BOX.meta.pool, BOX.meta.hand, BOX.meta.actions
HOOD, GLASS, NOTEBOOK = EFFECTOR["hood"], EFFECTOR["glass"], EFFECTOR["notebook"]

_ALL_LEFT = (1 << len(COPIES)) - 1


class Rules(NamedTuple):
    """The options of a table: rounds to play, and whether a bond counts 1 whatever its order."""

    rounds: int
    per_edge: bool


class MolecularState(State[Move, Observation]):
    """A position.

    `tiles` and `cards` are supply and pools, group deck and hands; `left` the number of unplayed
    tiles by kind, `unplayed` a bit for each kind that is left. `actions` are those still to use this
    turn, `used` the kinds of action used, `tiled` whether an ordinary tile was played (so that
    Catalyst gives none); `gifts` the choices of a Conference, -1 where one is missing.
    """

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

    def __init__(self, seats: int, rules: Rules, key: bytes, board: Board | None = None) -> None:
        self.events: list[Event] | None = None
        self.seats = seats
        self.rules = rules
        self.key = key
        self.board = board or Board.begun()
        self.tiles = Hoard(seats, [])
        self.cards = Hoard(seats, [])
        self.left = list(COPIES)
        self.unplayed = _ALL_LEFT
        self.used_cards: list[int] = []
        self.effectors: list[int] = []
        self.used_effectors: list[int] = []
        self.actives: list[int] = []
        self.reagent = -1
        self.counters = [0] * GROUPS
        self.counts: dict[int, int] = {}
        self.scores = [0] * seats
        self.first = 0
        self.turn = 0
        self.round = 1
        self.actions = ACTIONS
        self.used = 0
        self.tiled = False
        self.pending: Pending | None = None
        self.gifts: list[int] = []
        self.over = ""
        self.last: Scored | None = None
        self.last_cell = MIDDLE
        self.shuffles = 0
        self.chances = 0

    @classmethod
    def dealt(cls, setup: Setup) -> MolecularState:
        """The first position of a setup."""
        seats, options = setup.seats, setup.options
        rounds = int(options["rounds"]) or BOX.meta.rounds[seats - 1]
        state = cls(seats, Rules(rounds, options["bond_points"] == "edges"), setup.key)
        state.tiles.pile = shuffled(setup.key, "tiles/0", SUPPLY)
        state.cards.pile = shuffled(setup.key, "groups/0", DECK)
        state.effectors = shuffled(setup.key, "effectors/0", EFFECTOR_DECK)
        picked = int(options["first"])
        state.first = state.turn = picked - 1 if picked else Stream(setup.key, "start").below(seats)
        for step in range(seats):
            state._refill((state.turn + step) % seats)
        return state

    # the contract

    def to_act(self) -> tuple[Seat, ...]:
        """See `engine.game.State`."""
        if self.over:
            return ()
        if self.gifts:
            held = self.cards.held
            return tuple(s for s, gift in enumerate(self.gifts) if gift < 0 and held[s])
        return ALONE[self.turn]

    def legal_actions(self, seat: Seat) -> Sequence[Move]:
        """See `engine.game.State`."""
        if self.over or seat not in self.to_act():
            return ()
        if self.pending is not None:
            return effects.options(self, seat, self.pending)
        moves: list[Move] = []
        if may_use(self, "tile"):
            known = KNOWN
            for code in self.board.placements({piece & 63 for piece in self.tiles.held[seat]}):
                moves.append(known.get(code) or laying(code))  # noqa: PERF401 - faster than a call each
        if self.actions:
            if may_use(self, "reveal"):
                moves.append(REVEAL)
            if may_use(self, "group"):
                moves += self.group_plays(seat)
            if self.actions == ACTIONS and self.scores[seat] > 0:
                moves.append(FORFEIT)
        moves.append(PASS)
        return moves

    def group_plays(self, seat: Seat) -> list[Move]:
        """The group cards that a seat can play."""
        return [PLAYS[group] for group in sorted({piece & 63 for piece in self.cards.held[seat]})]

    def _check(self, seat: Seat, action: Move) -> None:
        refuse.check(self, seat, action)

    def _apply(self, seat: Seat, action: Move) -> None:
        verb = action.verb
        if self.pending is not None:
            effects.answer(self, seat, action, self.pending)
        elif verb == "tile":
            # Catalyst's tile is the first of the turn, so an ordinary one settles it
            free = self.free_tile
            if not free:
                self.actions -= 1
                self.used |= TILE_ACTION
            self.tiled = True
            self.play_tile(seat, action, free=free)
        elif verb == "group":
            self.actions -= 1
            self.used |= GROUP_ACTION
            self.play_group(seat, action.what)
        elif verb == "reveal":
            self.actions -= 1
            self.used |= REVEAL_ACTION
            effects.reveal(self, seat)
        elif verb == "pass":
            self._pass(seat)
        else:
            self._forfeit(seat)
        if self.pending is None and not self.actions and not (self.free_tile and self.tiles.held[self.turn]):
            self._end_turn()

    def observe(self, viewer: Viewer) -> Observation:
        """See `engine.game.State`."""
        return view.observe(self, viewer)

    def outcome(self) -> Outcome | None:
        """See `engine.game.State`. The facts hold the molecule as `reference.drawing` takes it.

        One player plays for the score: that cannot be lost.
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

    def clone(self) -> MolecularState:
        """See `engine.game.State`."""
        twin = MolecularState.__new__(MolecularState)
        twin.events = None
        twin.seats = self.seats
        twin.rules = self.rules
        twin.key = self.key
        twin.board = self.board.clone()
        twin.tiles = self.tiles.clone()
        twin.cards = self.cards.clone()
        twin.left = self.left.copy()
        twin.unplayed = self.unplayed
        twin.used_cards = self.used_cards.copy()
        twin.effectors = self.effectors.copy()
        twin.used_effectors = self.used_effectors.copy()
        twin.actives = self.actives.copy()
        twin.reagent = self.reagent
        twin.counters = self.counters.copy()
        twin.counts = self.counts.copy()
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
        return twin

    def fingerprint(self) -> bytes:
        """See `engine.game.State`."""
        return msgspec.msgpack.encode(
            (
                (self.seats, self.rules, self.key, self.first, self.shuffles, self.chances),
                (sorted(self.board.tiles.items()), self.last_cell, self.last),
                [
                    (hoard.pile, hoard.held, hoard.mixes, [sorted(marks) for marks in hoard.marks])
                    for hoard in (self.tiles, self.cards)
                ],
                (sorted(self.used_cards), self.effectors, sorted(self.used_effectors)),
                (self.actives, self.reagent, self.counters, self.scores),
                (self.turn, self.round, self.actions, self.used, self.tiled),
                (self.pending, self.gifts, self.over),
            )
        )

    def census(self) -> tuple[int, ...]:
        """See `engine.game.State`. Group cards count from 100, effectors from 200."""
        tiles = [SHAPE_KIND[shape] for shape in self.board.tiles.values()] + self.tiles.pile
        cards = self.used_cards + self.cards.pile
        for seat in range(self.seats):
            tiles += self.tiles.kinds(seat)
            cards += self.cards.kinds(seat)
        active = self.actives + [self.reagent] * (self.reagent >= 0)
        others = self.effectors + self.used_effectors + active
        return tuple(sorted([*tiles, *(100 + card for card in cards), *(200 + card for card in others)]))

    # what the rules ask

    @property
    def free_tile(self) -> bool:
        """Whether the next tile of this turn is free (Catalyst)."""
        return free_tile(self)

    def pool_size(self) -> int:
        """So many tiles a pool is filled up to."""
        return POOL + self.actives.count(HOOD) - self.actives.count(GLASS)

    def hand_limit(self) -> int:
        """So many group cards a hand is filled up to."""
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

    # what effectors use

    def chance(self, below: int) -> int:
        """The next roll of this game, from 0 to below - 1."""
        self.chances += 1
        return Stream(self.key, f"chance/{self.chances}").below(below)

    def mixer(self, what: str) -> Callable[[Sequence[int]], list[int]]:
        """The next shuffle of this game, of tiles, groups or effectors."""
        self.shuffles += 1
        label = f"{what}/{self.shuffles}"
        return lambda pieces: shuffled(self.key, label, pieces)

    def draw_tiles(self, seat: Seat, most: int) -> None:
        """Draw so many tiles, fewer if the supply is short."""
        tiles = self.tiles
        drawn = [tiles.draw(seat) for _ in range(min(most, len(tiles.pile)))]
        if drawn and self.events is not None:
            facts = {"what": "tiles", "count": len(drawn)}
            self.events.append(Event("drew", seat, facts, {"kinds": drawn}, (seat,)))

    def _draw_cards(self, seat: Seat, most: int) -> None:
        """Draw so many group cards; an empty deck is made from the discard first."""
        drawn: list[int] = []
        cards = self.cards
        for _ in range(most):
            if not cards.pile:
                if not self.used_cards:
                    break
                gone, self.used_cards = self.used_cards, []
                cards.mix_in(PUBLIC, [entry(group, 0) for group in gone], self.mixer("groups"))
                self.tell("groups_shuffled", -1, count=len(gone))
            drawn.append(cards.draw(seat))
        if drawn and self.events is not None:
            facts = {"what": "groups", "count": len(drawn)}
            self.events.append(Event("drew", seat, facts, {"kinds": drawn}, (seat,)))

    def lift(self, cells: Sequence[int]) -> None:
        """Tiles leave the board for the supply, seen by all, which is mixed; nobody's points move."""
        pieces = effects.lifted(self.board, cells)
        for piece in pieces:
            self.left[piece] += 1
            self.unplayed |= 1 << piece
        self.tiles.mix_in(PUBLIC, pieces, self.mixer("tiles"))
        self.counts.clear()
        if self.last_cell in cells:
            self.last_cell = -1

    # actions

    def play_tile(self, seat: Seat, move: Move, *, free: bool) -> None:
        """A tile goes onto the board and scores."""
        kind, cell = move.what, cell_of(move.q, move.r)
        board, tiles = self.board, self.tiles
        score = tile_score(board, cell, kind, self.actives, self.reagent, per_edge=self.rules.per_edge)
        piece = tiles.take(seat, kind, self.chance)
        if tiles.marked:
            tiles.show(piece, seat)
        board.lay(cell, SHAPE_OF[kind][move.turn])
        self.left[kind] -= 1
        if not self.left[kind]:
            self.unplayed &= ~(1 << kind)
        self.counts.clear()
        self.last_cell = cell
        points = score.total
        self.scores[seat] += points
        self.last = Scored("tile", seat, kind, score, points)
        if self.events is not None:
            facts = {"kind": kind, "q": move.q, "r": move.r, "turn": move.turn, "points": points}
            self.tell("tile", seat, **facts, free=free, score=list(score), total=self.scores[seat])

    def play_group(self, seat: Seat, group: int) -> None:
        """A group card goes to the discard and scores; if it scored at all, a counter goes on the group."""
        score = self.worth(group)
        piece = self.cards.take(seat, group, self.chance)
        self.cards.show(piece, seat)
        self.used_cards.append(group)
        points = score.total
        self.scores[seat] += points
        if score.examples:
            self.counters[group] += 1
        self.last = Scored("group", seat, group, score, points)
        if self.events is not None:
            facts = {"group": group, "points": points, "score": list(score), "total": self.scores[seat]}
            self.tell("group", seat, **facts)

    def _pass(self, seat: Seat) -> None:
        if self.actions:
            self.actions -= 1
            self.tell("pass", seat, left=self.actions)
        else:
            self.tiled = True
            self.tell("no_free_tile", seat)

    def _forfeit(self, seat: Seat) -> None:
        """Both actions and a point for a new pool and a new hand."""
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
        self._refill(seat)

    # turns

    def _refill(self, seat: Seat) -> None:
        """Draw up to the pool size and the hand limit; a larger pool or hand is kept."""
        size, limit = (self.pool_size(), self.hand_limit()) if self.actives else (POOL, HAND)
        missing = size - len(self.tiles.held[seat])
        if missing > 0:
            self.draw_tiles(seat, missing)
        missing = limit - len(self.cards.held[seat])
        if missing > 0:
            self._draw_cards(seat, missing)

    def _end_turn(self) -> None:
        """The next seat's turn, the next round, or the end of the game (section 4)."""
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
            self._refill(self.turn)

    def _finish(self, reason: str) -> None:
        self.over = reason
        self.tell("game_over", -1, reason=reason, scores=self.scores.copy())
