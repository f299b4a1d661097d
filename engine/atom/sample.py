"""From what a seat knows back to whole positions: random worlds that fit.

What is known of hidden cards: the turned-up card lies with its receiver until he has played one like it;
the caller holds no copy of the called card; the other copies lie as `sides.spreads` allows, each way as
likely as it has arrangements. All other unseen cards are dealt at random.

While cards are dealt, a hand is one int, the packed counts of all slots side by side: adding up cards is
then dealing them, and one call takes the hand apart.
"""

from __future__ import annotations

import random
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import accumulate
from struct import Struct
from typing import Any, Final, NamedTuple

from engine.atom import position as positions
from engine.atom.cards import SLOTS, by_rank, count, counts, unit, unpacked
from engine.atom.observation import Observation
from engine.atom.sides import spreads, teams_of
from engine.atom.state import AtomState
from engine.game import Event, Seat, Viewer
from engine.playing_cards import JOKER

_PHASES = {"call": positions.CALLING, "play": positions.PLAYING, "over": positions.OVER}
_ROW: Final = Struct(f"<{SLOTS}H")
"""The packed counts of all slots, the lowest first."""


def sample(seen: Observation, rng: random.Random) -> AtomState:
    """A random world that the observer cannot tell from the real one, with a deal key of its own."""
    return sampler(seen)(rng)


def conditioned_on(world: AtomState, told: Event, viewer: Viewer) -> AtomState:
    """The world with the cards that a seat has played in its hand: they change places with cards that it can
    spare, out of hands that the viewer does not see. What is known of hands stays so: the turned-up card
    with its receiver, and the copies of the called card, which make the sides."""
    if told.kind != "play" or told.seat == viewer:
        return world
    facts: Mapping[str, Any] = told.facts
    seat, played = told.seat, Counter[int](facts["cards"])
    givers = [other for other in range(world.seats) if other not in (seat, viewer)]
    rng = random.Random(world.key)  # another choice in each world
    for card in sorted(played.elements()):
        if _held(world, seat, card) >= played[card]:
            continue
        giver = next((other for other in givers if _may_leave(world, other, card)), None)
        spare = [
            own
            for own in _cards(world, seat)
            if _may_leave(world, seat, own) and _held(world, seat, own) > played[own]
        ]
        if giver is None or not spare:
            break
        _exchange(world, (seat, rng.choice(spare)), (giver, card))
    world.forget_offers()
    return world


def _held(world: AtomState, seat: Seat, card: int) -> int:
    """How many copies of a card a seat holds."""
    return count(world.hands[seat][world.slots[card >> 2]], card)


def _cards(world: AtomState, seat: Seat) -> list[int]:
    """The cards of a hand, each as often as it is there."""
    hand = world.hands[seat]
    return [card for slot, rank in enumerate(world.ranks) for card in unpacked(rank, hand[slot])]


def _may_leave(world: AtomState, seat: Seat, card: int) -> bool:
    """Whether a seat has a copy of this card that nobody knows to be there."""
    if card == world.called:
        return False
    shown = seat == world.receiver and card == world.turned
    laid = shown and count(world.laid[seat][world.slots[card >> 2]], card)
    return _held(world, seat, card) > (1 if shown and not laid else 0)


def _exchange(world: AtomState, one: tuple[Seat, int], other: tuple[Seat, int]) -> None:
    """Let two seats change one card of each."""
    for (seat, given), (_, taken) in ((one, other), (other, one)):
        world.hands[seat][world.slots[given >> 2]] -= unit(given)
        world.hands[seat][world.slots[taken >> 2]] += unit(taken)


def sampler(seen: Observation, kind: type[AtomState] = AtomState) -> Callable[[random.Random], AtomState]:
    """Worlds of one observation, as `sample` makes them; what all of them share is read once."""
    return _Worlds(seen, kind).draw


class _Way(NamedTuple):
    """One way in which the copies of the called card can lie: what each hand holds for certain, how many
    cards it still gets, and the sides that follow."""

    hands: tuple[int, ...]
    room: tuple[int, ...]
    teams: tuple[int, ...]


class _Worlds:
    """An observation, read and ready to be dealt."""

    def __init__(self, seen: Observation, kind: type[AtomState]) -> None:
        table = kind(seen.seats, bytes(32), jokers_as_three=seen.jokers_as_three)
        table.restore(seen)
        table.deals = seen.game
        table.phase = _PHASES[seen.phase]
        table.set_blade(seen.blade)
        table.turn = seen.to_act[0] if seen.to_act else 0
        ranks = table.ranks
        table.laid = [[played[rank] for rank in ranks] for played in seen.played]
        table.best_cards, table.ended = seen.best, seen.tricks
        table.hands = [[0] * SLOTS for _ in range(seen.seats)]
        table.derive()
        self.table = table
        self.slots = table.slots
        self._read(seen)

    def _read(self, seen: Observation) -> None:
        """Find what lies where for certain, and the pool of all other cards."""
        viewer = seen.viewer
        own = by_rank(card for card, many in enumerate(seen.hand) for _ in range(many))
        unseen = [0x1111 * seen.packs - sum(held) for held in zip(*seen.played, own, strict=True)]
        unseen[JOKER] -= 0x1100 * seen.packs  # there are two suits of them
        hands = [0] * seen.seats
        if viewer is not None:
            hands[viewer] = sum(many * self._unit(card) for card, many in enumerate(seen.hand))
        room = list(seen.left)
        if viewer is not None:
            room[viewer] = 0
        turned, receiver = seen.turned, seen.receiver
        if room[receiver] and not count(seen.played[receiver][turned >> 2], turned):
            hands[receiver] += self._unit(turned)
            room[receiver] -= 1
            unseen[turned >> 2] -= 1 << 4 * (turned & 3)
        self.ways, self.chances = [_Way(tuple(hands), tuple(room), self.table.teams)], [1]
        called = seen.called
        if called >= 0 and seen.phase == "play":
            played = tuple(self.table.copies_laid(called))
            held = (viewer, seen.hand[called]) if viewer is not None else None
            ways = spreads(seen.caller, played, held, seen.left, False)
            self.chances = list(accumulate(weight for _, weight in ways))
            self.ways = []
            for dealt, _ in ways:
                given = [0 if seat == viewer else dealt[seat] - played[seat] for seat in range(seen.seats)]
                self.ways.append(
                    _Way(
                        tuple(
                            hand + many * self._unit(called) for hand, many in zip(hands, given, strict=True)
                        ),
                        tuple(free - many for free, many in zip(room, given, strict=True)),
                        teams_of(seen.caller, dealt),
                    )
                )
            unseen[called >> 2] &= ~(15 << 4 * (called & 3))
        self.pool = [
            self._unit(4 * rank + suit)
            for rank, packed in enumerate(unseen)
            for suit, many in enumerate(counts(packed))
            for _ in range(many)
        ]

    def _unit(self, card: int) -> int:
        """One copy of this card in a hand that is one int."""
        return 1 << 16 * self.slots[card >> 2] + 4 * (card & 3)

    def draw(self, rng: random.Random) -> AtomState:
        """One world."""
        state = self.table.clone()
        state.key = rng.randbytes(32)
        state.hands = self._deal(state, rng)
        while state.calling and not state.callable(state.receiver):
            state.hands = self._deal(state, rng)
        return state

    def _deal(self, state: AtomState, rng: random.Random) -> list[list[int]]:
        """The hands of a world; notes the sides that they make."""
        chance = rng.random
        way = self.ways[0]
        if len(self.ways) > 1:
            way = self.ways[bisect(self.chances, int(chance() * self.chances[-1]))]
        state.teams = way.teams
        pool = sorted(self.pool, key=lambda _: chance())  # several times as fast as a shuffle
        hands, at = [], 0
        for known, free in zip(way.hands, way.room, strict=True):
            to = at + free
            hands.append(list(_ROW.unpack((known + sum(pool[at:to])).to_bytes(2 * SLOTS, "little"))))
            at = to
        return hands
