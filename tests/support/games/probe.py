"""A game made to probe the shared mechanisms; nobody is meant to enjoy it.

It has what real games have one at a time: a simultaneous choice, a set chosen from up to 54
cards, a private look, and a shuffle in the middle. Each round every seat seals a bid; all are
opened together; the highest bidder (the lowest seat among equals) looks at a card of the stock;
then everybody in turn lays a set of one rank; then the cards still held are gathered and dealt
again. A card laid scores 1, and the winning bid is paid in points.

Its rules have changed once, so that tests may have a game under way that began before: in version 1,
`tests/support/games/probe_1.py`, the highest seat among equal bidders looks.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import msgspec

from engine.ai import at_random
from engine.fair import shuffled
from engine.fields import Derived, Hidden, Owned, Public
from engine.game import (
    SETUP_REFUSALS,
    TURN_REFUSALS,
    Event,
    Game,
    IllegalAction,
    Option,
    Outcome,
    Seat,
    Setup,
    Standing,
    State,
    Value,
    Viewer,
)

STOCK = 2
BIDS = 4


def rank(card: int) -> int:
    return 13 if card >= 52 else card % 13


class Act(NamedTuple):
    verb: str
    value: int = 0
    cards: tuple[int, ...] = ()


class Observation(msgspec.Struct, frozen=True):
    viewer: int | None
    seats: int
    rounds: int
    round: int
    phase: str
    waiting: tuple[int, ...]
    hand: tuple[int, ...]
    counts: tuple[int, ...]
    stock: tuple[int, ...]
    looked: tuple[int, ...]
    laid: tuple[int, ...]
    points: tuple[int, ...]
    bid: int
    bids: tuple[int, ...]
    ties: str = "lowest"
    """The seat that looks when several bid most: what who looks at the table must know of the version."""


class ProbeState(State[Act, Observation]):
    bids: Owned[list[int]]
    hands: Owned[list[list[int]]]
    key: Hidden[bytes]
    laid: Public[list[int]]
    looked: Public[list[int]]
    """Which seat has looked at each card of the stock."""
    opened: Public[tuple[int, ...]]
    phase: Public[str]
    points: Public[list[int]]
    round: Public[int]
    rounds: Public[int]
    shuffles: Hidden[int]
    stock: Owned[list[int]]
    turn: Public[int]
    seats: Derived[int]
    __slots__ = (
        *("bids", "hands", "key", "laid", "looked", "opened", "phase"),
        *("points", "round", "rounds", "seats", "shuffles", "stock", "turn"),
    )
    ties = "lowest"

    def __init__(self, seats: int, rounds: int, key: bytes) -> None:
        self.events = None
        self.key, self.rounds, self.round, self.shuffles = key, rounds, 0, 0
        self.laid = []
        self.points = [0] * seats
        self.hands = [[] for _ in range(seats)]
        self.stock = []
        self.phase, self.turn = "bid", 0
        self.bids = [-1] * seats
        self.opened = ()
        self.looked = [-1] * STOCK
        self.derive()

    def derive(self) -> None:
        self.seats = len(self.hands)

    def _looker(self) -> Seat:
        return self.bids.index(max(self.bids))

    def _gather(self) -> None:
        seats = len(self.hands)
        rest = [c for c in range(54) if c not in self.laid]
        order = shuffled(self.key, f"shuffle/{self.shuffles}", rest)
        self.shuffles += 1
        self.stock, order = order[:STOCK], order[STOCK:]
        self.hands = [sorted(order[s::seats]) for s in range(seats)]
        self.looked = [-1] * STOCK
        self.phase, self.bids = "bid", [-1] * seats
        if self.events is not None:
            self.events.append(Event("gathered", facts={"cards": len(rest)}))

    def to_act(self) -> tuple[Seat, ...]:
        if self.phase == "over":
            return ()
        if self.phase == "bid":
            return tuple(s for s, bid in enumerate(self.bids) if bid < 0)
        return (self.turn,)

    def legal_actions(self, seat: Seat) -> Sequence[Act]:
        if seat not in self.to_act():
            return ()
        if self.phase == "bid":
            return [Act("bid", value) for value in range(BIDS)]
        if self.phase == "look":
            return [Act("look", place) for place in range(STOCK)]
        sets = []
        for which in sorted({rank(c) for c in self.hands[seat]}):
            cards = [c for c in self.hands[seat] if rank(c) == which]
            sets += [Act("lay", 0, tuple(cards[: n + 1])) for n in range(len(cards))]
        return [*sets, Act("pass")]

    def _check(self, seat: Seat, action: Act) -> None:
        if action.verb != {"bid": "bid", "look": "look"}.get(self.phase, action.verb):
            raise IllegalAction("wrong_phase", phase=self.phase)
        if self.phase == "lay" and action.verb == "lay":
            missing = [c for c in action.cards if c not in self.hands[seat]]
            if missing or not action.cards or len(set(action.cards)) < len(action.cards):
                raise IllegalAction("not_in_hand", cards=missing)
            if len({rank(c) for c in action.cards}) > 1:
                raise IllegalAction("not_one_rank", cards=list(action.cards))
            return
        if action not in self.legal_actions(seat):
            raise IllegalAction("unknown_action")

    def push(self, seat: Seat, action: Act) -> None:
        log = self.events
        if action.verb == "bid":
            self.bids[seat] = action.value
            if min(self.bids) >= 0:
                self.opened = tuple(self.bids)
                self.turn = self._looker()
                self.points[self.turn] -= max(self.bids)
                self.phase = "look"
                if log is not None:
                    log.append(Event("opened", self.turn, {"bids": list(self.bids)}))
            return
        if action.verb == "look":
            self.looked[action.value] = seat
            self.phase, self.turn = "lay", 0
            if log is not None:
                seen = {"card": self.stock[action.value]}
                log.append(Event("looked", seat, {"place": action.value}, seen, (seat,)))
            return
        self.hands[seat] = [c for c in self.hands[seat] if c not in action.cards]
        self.laid += action.cards
        self.points[seat] += len(action.cards)
        if log is not None:
            log.append(Event("laid", seat, {"cards": list(action.cards)}))
        self.turn += 1
        if self.turn == len(self.hands):
            self.round += 1
            self.turn = 0
            if self.round == self.rounds:
                self.phase = "over"
            else:
                self._gather()

    def observe(self, viewer: Viewer) -> Observation:
        here = viewer is not None
        return Observation(
            viewer=viewer,
            seats=self.seats,
            rounds=self.rounds,
            round=self.round,
            phase=self.phase,
            waiting=self.to_act(),
            hand=tuple(self.hands[viewer]) if here else (),
            counts=tuple(map(len, self.hands)),
            stock=tuple(c if here and self.looked[i] == viewer else -1 for i, c in enumerate(self.stock)),
            looked=tuple(self.looked),
            laid=tuple(self.laid),
            points=tuple(self.points),
            bid=self.bids[viewer] if here else -1,
            bids=() if self.phase == "bid" else self.opened,
            ties=self.ties,
        )

    def outcome(self) -> Outcome | None:
        if self.phase != "over":
            return None
        standings = tuple(Standing(1 + sum(q > p for q in self.points), p) for p in self.points)
        return Outcome(standings, won=True if len(standings) == 1 else None)

    def clone(self) -> Self:
        other = type(self)(len(self.hands), self.rounds, self.key)
        for name in ("round", "shuffles", "phase", "turn", "opened"):
            setattr(other, name, getattr(self, name))
        for name in ("laid", "points", "stock", "bids", "looked"):
            setattr(other, name, getattr(self, name).copy())
        other.hands = [hand.copy() for hand in self.hands]
        return other

    def fingerprint(self) -> bytes:
        return repr([getattr(self, name) for name in ProbeState.__slots__ if name != "seats"]).encode()

    def census(self) -> tuple[int, ...]:
        return tuple(sorted([*self.stock, *self.laid, *(c for hand in self.hands for c in hand)]))


class ProbeGame(Game[Act, Observation]):
    key = "probe"
    title = "Probe"
    version = 2
    earlier = {1: "tests.support.games.probe_1"}  # noqa: RUF012 - a class attribute of the contract
    position: type[ProbeState] = ProbeState
    options = (Option("rounds", (1, 2, 3), 2), Option("loud", (False, True), False))
    refusals = SETUP_REFUSALS | TURN_REFUSALS | {"wrong_phase", "not_in_hand", "not_one_rank"}
    opponents = {"random": at_random}  # noqa: RUF012 - a class attribute of the contract
    observation = Observation

    def seats(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        return (1, 2, 3, 4)

    def deal(self, setup: Setup) -> ProbeState:
        state = self.position(setup.seats, int(setup.options["rounds"]), setup.key)
        state._gather()
        return state

    def sample(self, observation: Observation, rng: random.Random) -> ProbeState:
        o = observation
        state = self.position(o.seats, o.rounds, rng.randbytes(32))
        state.round, state.phase, state.shuffles = o.round, o.phase, o.round + 1
        state.laid, state.points = list(o.laid), list(o.points)
        known = {*o.laid, *o.hand, *(c for c in o.stock if c >= 0)}
        unknown = [c for c in range(54) if c not in known]
        rng.shuffle(unknown)
        state.stock = [c if c >= 0 else unknown.pop() for c in o.stock]
        state.hands = [
            list(o.hand) if s == o.viewer else sorted(unknown.pop() for _ in range(n))
            for s, n in enumerate(o.counts)
        ]
        state.turn = o.waiting[0] if o.waiting and o.phase != "bid" else 0
        state.opened = o.bids
        if o.phase == "bid":
            state.bids = [-1 if s in o.waiting else rng.randrange(BIDS) for s in range(o.seats)]
            if o.viewer is not None:
                state.bids[o.viewer] = o.bid
        else:
            state.bids = list(o.bids)
        state.looked = list(o.looked)
        return state

    def action(self, data: Any) -> Act:
        match data:
            case ["bid" | "look" as verb, int(value), _]:
                return Act(verb, value)
            case ["lay", _, [*cards]] if all(type(c) is int for c in cards):
                return Act("lay", 0, tuple(cards))
            case ["pass", *_]:
                return Act("pass")
        raise ValueError(f"no action of the probe game: {data!r}")

    def bound(self, setup: Setup) -> int:
        return int(setup.options["rounds"]) * (2 * setup.seats + 1)


GAME = ProbeGame()
