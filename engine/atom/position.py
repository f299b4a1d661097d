"""One position of Atom: who holds what, what was laid, and who runs out when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

import msgspec
from typing_extensions import override

from engine.atom.cards import BLADES, JOKERS, PACKS, RANK_AT, SLOT_OF, SLOTS, count, unpacked
from engine.atom.moves import CALLS, Move
from engine.atom.observation import Act, Observation, TrickView
from engine.atom.options import Offer, offer
from engine.atom.plays import Rung, joker_strength, rung, shape
from engine.atom.scoring import GameResult
from engine.atom.sides import teams_of
from engine.fields import Derived, Hidden, Owned, Public
from engine.game import Seat, State
from engine.playing_cards import JOKER

CALLING, PLAYING, OVER = range(3)
MATCH: Final = 2
"""Games in a match of four."""


class Position(State[Move, Observation]):
    """Who holds what, what was laid, and who runs out when. Slots are as in `cards`."""

    seats: Public[int]
    key: Hidden[bytes]
    jokers_as_three: Public[bool]
    game: Public[int]
    deals: Hidden[int]
    phase: Public[int]
    results: Public[list[GameResult]]
    last_trick: Public[TrickView | None]
    turned: Public[int]
    receiver: Public[int]
    called: Public[int]
    leader: Public[int]
    turn: Public[int]
    hands: Owned[list[list[int]]]
    """By seat, then slot: packed counts."""
    left: Public[list[int]]
    laid: Public[list[list[int]]]
    """By seat, then slot: what was played in this game."""
    captured: Public[list[int]]
    out: Public[list[Seat]]
    trick: Public[list[Act]]
    best_cards: Public[tuple[int, ...]]
    """The cards that stand on the table."""
    best_seat: Public[int]
    """Whose they are."""
    passes: Public[int]
    pot: Public[int]
    ended: Public[int]
    """The tricks so far."""
    beaten: Public[list[int]]
    """Kept for five players only, as `let` is."""
    let: Public[list[int]]
    blade: Public[int]
    packs: Derived[int]
    slots: Derived[tuple[int, ...]]
    ranks: Derived[tuple[int, ...]]
    low: Derived[int]
    teams: Derived[tuple[int, ...]]
    """The sides, with five players of the game that is called."""
    best: Derived[Rung | None]
    """Where the cards on the table stand; None for a free lead."""
    offers: Derived[list[Sequence[Offer] | None]]
    """By seat, then slot: what it offers; None while nobody has looked."""
    heavy: Derived[list[Sequence[Move] | None]]
    """By seat: all bombs, atoms and nukes that its hand offers; None while nobody has looked."""

    # written by scripts/positions.py from the fields above
    __slots__ = (
        "beaten",
        "best",
        "best_cards",
        "best_seat",
        "blade",
        "called",
        "captured",
        "deals",
        "ended",
        "game",
        "hands",
        "heavy",
        "jokers_as_three",
        "key",
        "laid",
        "last_trick",
        "leader",
        "left",
        "let",
        "low",
        "offers",
        "out",
        "packs",
        "passes",
        "phase",
        "pot",
        "ranks",
        "receiver",
        "results",
        "seats",
        "slots",
        "teams",
        "trick",
        "turn",
        "turned",
    )

    def clone(self) -> Self:
        """A copy that shares nothing that changes."""
        kind = type(self)
        twin = kind.__new__(kind)
        twin.events = None
        twin.seats = self.seats
        twin.key = self.key
        twin.jokers_as_three = self.jokers_as_three
        twin.game = self.game
        twin.deals = self.deals
        twin.phase = self.phase
        twin.results = self.results.copy()
        twin.last_trick = self.last_trick
        twin.turned = self.turned
        twin.receiver = self.receiver
        twin.called = self.called
        twin.leader = self.leader
        twin.turn = self.turn
        twin.hands = [one.copy() for one in self.hands]
        twin.left = self.left.copy()
        twin.laid = [one.copy() for one in self.laid]
        twin.captured = self.captured.copy()
        twin.out = self.out.copy()
        twin.trick = self.trick.copy()
        twin.best_cards = self.best_cards
        twin.best_seat = self.best_seat
        twin.passes = self.passes
        twin.pot = self.pot
        twin.ended = self.ended
        twin.beaten = self.beaten.copy()
        twin.let = self.let.copy()
        twin.blade = self.blade
        twin.packs = self.packs
        twin.slots = self.slots
        twin.ranks = self.ranks
        twin.low = self.low
        twin.teams = self.teams
        twin.best = self.best
        twin.offers = self.offers.copy()
        twin.heavy = self.heavy.copy()
        return twin

    def empty(self) -> None:
        """Nothing yet: no events, and 0, none or nobody in every field that has such a value."""
        self.events = None
        self.seats = 0
        self.key = b""
        self.jokers_as_three = False
        self.game = 0
        self.deals = 0
        self.phase = 0
        self.results = []
        self.last_trick = None
        self.turned = 0
        self.receiver = 0
        self.called = 0
        self.leader = 0
        self.turn = 0
        self.hands = []
        self.left = []
        self.laid = []
        self.captured = []
        self.out = []
        self.trick = []
        self.best_cards = ()
        self.best_seat = 0
        self.passes = 0
        self.pot = 0
        self.ended = 0
        self.beaten = []
        self.let = []
        self.blade = 0

    def fingerprint(self) -> bytes:
        """All but what is derived, as bytes: equal exactly where the positions are. Holds secrets."""
        return msgspec.msgpack.encode(
            (
                self.seats,
                self.key,
                self.jokers_as_three,
                self.game,
                self.deals,
                self.phase,
                self.results,
                self.last_trick,
                self.turned,
                self.receiver,
                self.called,
                self.leader,
                self.turn,
                self.hands,
                self.left,
                self.laid,
                self.captured,
                self.out,
                self.trick,
                self.best_cards,
                self.best_seat,
                self.passes,
                self.pot,
                self.ended,
                self.beaten,
                self.let,
                self.blade,
            )
        )

    def public_view(
        self,
        *,
        viewer: int | None,
        phase: str,
        to_act: tuple[int, ...],
        hand: tuple[int, ...],
        played: tuple[tuple[int, ...], ...],
        best: tuple[int, ...],
        tricks: int,
        caller: int,
        revealed: tuple[int, ...],
        sides: tuple[int, ...],
    ) -> Observation:
        """An observation: what everybody sees as it is, and what is given here."""
        return Observation(
            viewer=viewer,
            seats=self.seats,
            jokers_as_three=self.jokers_as_three,
            game=self.game,
            phase=phase,
            to_act=to_act,
            blade=self.blade,
            turned=self.turned,
            receiver=self.receiver,
            leader=self.leader,
            hand=hand,
            left=tuple(self.left),
            captured=tuple(self.captured),
            played=played,
            trick=tuple(self.trick),
            best_seat=self.best_seat,
            best=best,
            passes=self.passes,
            pot=self.pot,
            tricks=tricks,
            last_trick=self.last_trick,
            out=tuple(self.out),
            caller=caller,
            called=self.called,
            revealed=revealed,
            sides=sides,
            beaten=tuple(self.beaten),
            let=tuple(self.let),
            results=tuple(self.results),
        )

    def restore(self, seen: Observation) -> None:
        """Take what everybody sees from an observation."""
        self.seats = seen.seats
        self.jokers_as_three = seen.jokers_as_three
        self.game = seen.game
        self.results = list(seen.results)
        self.last_trick = seen.last_trick
        self.turned = seen.turned
        self.receiver = seen.receiver
        self.called = seen.called
        self.leader = seen.leader
        self.left = list(seen.left)
        self.captured = list(seen.captured)
        self.out = list(seen.out)
        self.trick = list(seen.trick)
        self.best_seat = seen.best_seat
        self.passes = seen.passes
        self.pot = seen.pot
        self.beaten = list(seen.beaten)
        self.let = list(seen.let)
        self.blade = seen.blade

    # as far as here

    def __init__(self, seats: int, key: bytes, *, jokers_as_three: bool) -> None:
        self.empty()
        self.seats = seats
        self.key = key
        self.jokers_as_three = jokers_as_three
        self.phase = PLAYING
        self.turned = self.receiver = self.called = -1
        self.begin()
        self.derive()

    def begin(self) -> None:
        """Clear the table for a game."""
        seats = self.seats
        self.laid = [[0] * SLOTS for _ in range(seats)]
        self.captured = [0] * seats
        self.out = []
        self.trick = []
        self.best = None
        self.best_cards = ()
        self.best_seat = -1
        self.passes = self.pot = self.ended = 0
        pairs = 25 if seats == 5 else 0
        self.beaten = [0] * pairs
        self.let = [0] * pairs
        self.last_trick = None

    def derive(self) -> None:
        """Find again what follows from the other fields."""
        self.packs = PACKS[self.seats]
        self.set_blade(self.blade)
        play = shape(self.best_cards, self.packs) if self.best_cards else None
        self.best = play and rung(play, self.blade, self.low)
        self.teams = (0, 1, 0, 1) if self.seats == 4 else ()
        if self.called >= 0:
            dealt = zip(self.copies_laid(self.called), self.hands, strict=True)
            slot = self.slots[self.called >> 2]
            self.teams = teams_of(
                self.receiver, [many + count(hand[slot], self.called) for many, hand in dealt]
            )
        self.forget_offers()

    def set_blade(self, rank: int) -> None:
        """Order the ranks around this Blade."""
        self.blade = rank
        self.slots = SLOT_OF[rank]
        self.ranks = RANK_AT[rank]
        self.low = joker_strength(rank, as_three=self.jokers_as_three)

    def forget_offers(self) -> None:
        """The hands are new: what they offer is found when somebody looks.

        Most positions that search looks at need no more than one or two hands, and a hand of many cards
        that nobody has met before costs more than all else in a world.
        """
        self.offers = [None] * self.seats
        self.heavy = [None] * self.seats

    def offered(self, seat: Seat) -> Sequence[Offer]:
        """By slot: what the hand of this seat offers."""
        offers = self.offers[seat]
        if offers is None:
            packs, ranks, hand = self.packs, self.ranks, self.hands[seat]
            jokers = hand[JOKERS]
            self.offers[seat] = offers = (
                offer(JOKER, jokers, 0, packs),
                *[offer(ranks[slot], hand[slot], jokers, packs) for slot in range(1, BLADES)],
                offer(ranks[BLADES], hand[BLADES], 0, packs),
            )
        return offers

    @override
    def census(self) -> tuple[int, ...]:
        cards: list[int] = []
        for slot, rank in enumerate(self.ranks):
            for piles in (self.hands, self.laid):
                for pile in piles:
                    cards += unpacked(rank, pile[slot])
        return tuple(sorted(cards))

    def callable(self, seat: Seat) -> list[Move]:
        """The cards that this seat may call: none of the Blades, no joker, none it holds (section 2.3)."""
        hand, slots, blade = self.hands[seat], self.slots, self.blade
        return [
            CALLS[card]
            for card in range(4 * JOKER)
            if card >> 2 != blade and not count(hand[slots[card >> 2]], card)
        ]

    @property
    def calling(self) -> bool:
        """Whether the caller has yet to name a card."""
        return self.phase == CALLING

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.phase == OVER

    def copies_laid(self, card: int) -> list[int]:
        """By seat: how many copies of this card it has played."""
        slot = self.slots[card >> 2]
        return [count(laid[slot], card) for laid in self.laid]
