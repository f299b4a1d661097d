"""One position of Chemistry Battle.

Source: docs/rules/chemistry.md, section 1. Phase 1 is played from hands; phase 2, from the captured piles,
has no decision and runs off at once. A *hand* is a seat, or in a solo game also the house, which is hand 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec
from typing_extensions import override

from engine.chemistry.battle.rounds import (
    CAP,
    DEALS,
    FLIP,
    HIDDEN,
    HOUSE,
    PLAYS,
    Move,
    Observation,
    RoundView,
    run_off,
)
from engine.chemistry.deck import BASIC
from engine.fair import Stream, shuffled
from engine.fields import Owned, Public
from engine.game import IllegalAction, Outcome, Seat, Setup, Standing, State, Viewer

_FLIPS = (FLIP,)


class BattleState(State[Move, Observation]):
    """A position. `hands` keep the dealt order, which nobody but their holders can know.

    `before` are the piles as phase 2 found them, empty until then; `round` counts all rounds played.
    """

    seats: Public[int]
    blind: Public[bool]
    dealer: Public[int]
    leader: Public[int]
    turn: Public[int]
    """Whose turn it is, -1 when the game is over."""
    round: Public[int]
    over: Public[bool]
    hands: Owned[list[list[int]]]
    kitty: Owned[Sequence[int]]
    piles: Owned[list[list[int]]]
    plays: Public[list[int]]
    before: Public[tuple[tuple[int, ...], ...]]
    last: Public[RoundView | None]

    # written by scripts/positions.py from the fields above
    __slots__ = (
        "before",
        "blind",
        "dealer",
        "hands",
        "kitty",
        "last",
        "leader",
        "over",
        "piles",
        "plays",
        "round",
        "seats",
        "turn",
    )

    def clone(self) -> Self:
        """A copy that shares nothing that changes."""
        kind = type(self)
        twin = kind.__new__(kind)
        twin.events = None
        twin.seats = self.seats
        twin.blind = self.blind
        twin.dealer = self.dealer
        twin.leader = self.leader
        twin.turn = self.turn
        twin.round = self.round
        twin.over = self.over
        twin.hands = [one.copy() for one in self.hands]
        twin.kitty = self.kitty
        twin.piles = [one.copy() for one in self.piles]
        twin.plays = self.plays.copy()
        twin.before = self.before
        twin.last = self.last
        return twin

    def empty(self) -> None:
        """Nothing yet: no events, and 0, none or nobody in every field that has such a value."""
        self.events = None
        self.seats = 0
        self.blind = False
        self.dealer = 0
        self.leader = 0
        self.turn = 0
        self.round = 0
        self.over = False
        self.hands = []
        self.kitty = ()
        self.piles = []
        self.plays = []
        self.before = ()
        self.last = None

    def fingerprint(self) -> bytes:
        """All but what is derived, as bytes: equal exactly where the positions are. Holds secrets."""
        return msgspec.msgpack.encode(
            (
                self.seats,
                self.blind,
                self.dealer,
                self.leader,
                self.turn,
                self.round,
                self.over,
                self.hands,
                self.kitty,
                self.piles,
                self.plays,
                self.before,
                self.last,
            )
        )

    def public_view(
        self,
        *,
        viewer: int | None,
        hand: tuple[int, ...],
        sizes: tuple[int, ...],
        kitty: int,
        piles: tuple[tuple[int, ...], ...],
        finale: tuple[RoundView, ...],
    ) -> Observation:
        """An observation: what everybody sees as it is, and what is given here."""
        return Observation(
            viewer=viewer,
            seats=self.seats,
            blind=self.blind,
            dealer=self.dealer,
            leader=self.leader,
            turn=self.turn,
            round=self.round,
            over=self.over,
            hand=hand,
            sizes=sizes,
            plays=tuple(self.plays),
            kitty=kitty,
            piles=piles,
            before=self.before,
            last=self.last,
            finale=finale,
        )

    def restore(self, seen: Observation) -> None:
        """Take what everybody sees from an observation."""
        self.seats = seen.seats
        self.blind = seen.blind
        self.dealer = seen.dealer
        self.leader = seen.leader
        self.turn = seen.turn
        self.round = seen.round
        self.over = seen.over
        self.plays = list(seen.plays)
        self.before = seen.before
        self.last = seen.last

    # as far as here

    def __init__(self, seats: int, *, blind: bool) -> None:
        self.empty()
        self.seats = seats
        self.blind = blind
        self.piles = [[] for _ in range(max(2, seats))]

    @classmethod
    def dealt(cls, setup: Setup) -> BattleState:
        """The first position of a setup; the dealer is drawn."""
        state = cls(setup.seats, blind=bool(setup.options["blind"]))
        deck = shuffled(setup.key, "deck", BASIC)
        count, size = len(state.piles), DEALS[setup.seats]
        state.dealer = Stream(setup.key, "dealer").below(count)
        state.hands = [deck[hand * size : (hand + 1) * size] for hand in range(count)]
        state.kitty = deck[count * size :]
        state.leader = state.turn = (state.dealer - 1) % count
        state._house()
        return state

    # the contract

    @override
    def to_act(self) -> tuple[Seat, ...]:
        return () if self.over else (self.turn,)

    @override
    def legal_actions(self, seat: Seat) -> Sequence[Move]:
        if self.over or seat != self.turn:
            return ()
        if self.blind:
            return _FLIPS
        return [PLAYS[card] for card in self.hands[seat]]

    def _check(self, seat: Seat, action: Move) -> None:
        if action == FLIP:
            if not self.blind:
                raise IllegalAction("cards_open")
            return
        if action not in PLAYS[1:]:
            raise IllegalAction("unknown_action")
        if self.blind:
            raise IllegalAction("cards_hidden")
        if action.card not in self.hands[seat]:
            raise IllegalAction("card_not_in_hand", card=action.card, highest=max(self.hands[seat]))

    @override
    def push(self, seat: Seat, action: Move) -> None:
        hand = self.hands[seat]
        card = action[1]
        if card:
            hand.remove(card)
        else:
            card = hand.pop(0)
        self._put(seat, card)
        self._house()

    @override
    def outcome(self) -> Outcome | None:
        """Scores are cards, ties go to the highest single element (decision 5)."""
        if not self.over:
            return None
        cards = [len(pile) for pile in self.piles]
        keys = [(len(pile), max(pile, default=0)) for pile in self.piles]
        best = max(keys)
        tied = cards.count(best[0]) > 1
        reason = "highest" if tied else "cards"
        facts = {"cards": cards, "rounds": self.round, "capped": self.round >= CAP, "highest": best[1]}
        if self.seats == 1:
            reason = "house_won" if keys[HOUSE] > keys[0] else "house_lost"
            return Outcome((Standing(1, float(cards[0])),), reason, facts, won=reason == "house_lost")
        standings = tuple(Standing(1 + sum(other > key for other in keys), float(key[0])) for key in keys)
        return Outcome(standings, reason, facts, tiebreak=tuple((float(highest),) for _, highest in keys))

    @override
    def observe(self, viewer: Viewer) -> Observation:
        finale: list[RoundView] = []
        if self.over:
            run_off(self.before, self.leader, DEALS[self.seats], finale)
        return self.public_view(
            viewer=viewer,
            hand=() if viewer is None else tuple(self.hands[viewer][: 1 if self.blind else None]),
            sizes=tuple(len(hand) for hand in self.hands),
            kitty=len(self.kitty) if not self.round else 0,
            piles=tuple(tuple(pile) for pile in self.piles)
            if self.over
            else tuple(tuple(HIDDEN if card in self.kitty else card for card in pile) for pile in self.piles),
            finale=tuple(finale),
        )

    @override
    def census(self) -> tuple[int, ...]:
        waiting = self.kitty if not self.round else ()
        held = [card for cards in (*self.hands, *self.piles) for card in cards]
        return tuple(sorted([*held, *self.plays, *waiting]))

    # rounds

    def _log(self, kind: str, hand: int, **facts: object) -> None:
        self.tell(kind, hand if hand < self.seats else -1, hand=hand, **facts)

    def _house(self) -> None:
        """In a solo game the house plays its cards in dealt order, whenever it is its turn."""
        if self.seats == 1:
            while self.turn == HOUSE and not self.over:
                self._put(HOUSE, self.hands[HOUSE].pop(0))

    def _put(self, hand: int, card: int) -> None:
        """Lay a card into the round; when all have, the highest takes them."""
        plays = self.plays
        plays.append(card)
        if self.events is not None:
            self._log("play", hand, card=card)
        count = len(self.piles)
        if len(plays) < count:
            self.turn = hand - 1 if hand else count - 1
            return
        leader = self.leader
        winner = (leader - plays.index(max(plays))) % count
        pile = self.piles[winner]
        pile += plays
        if not self.round:
            pile += self.kitty
        self.last = RoundView(leader, tuple(plays), winner)
        self.plays = []
        self.round += 1
        self.leader = self.turn = winner
        if self.events is not None:
            kitty = len(self.kitty) if self.round == 1 else 0
            self._log("round_won", winner, round=self.round, cards=list(self.last.cards), kitty=kitty)
        if not self.hands[winner]:
            self._finish()

    def _finish(self) -> None:
        """Phase 2 runs off, and the game is over."""
        self.before = tuple(tuple(pile) for pile in self.piles)
        if self.events is not None:
            self._log("piles", self.leader, sizes=[len(pile) for pile in self.piles])
        self.piles, self.round = run_off(self.before, self.leader, self.round)
        self.over = True
        self.turn = -1
        outcome = self.outcome()
        if self.events is not None and outcome is not None:
            ranks = [standing.rank for standing in outcome.standings]
            self._log("game_over", self.leader, ranks=ranks, reason=outcome.reason, **outcome.facts)
