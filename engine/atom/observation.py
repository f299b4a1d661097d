"""What a seat may know of a game of Atom: plain data, JSON-able, with perfect recall.

Cards that anybody has played are counts: one int for each rank (jokers last), packed as in
`engine.atom.cards`; a hand is a count for each of the 54 cards.
"""

from __future__ import annotations

import msgspec

from engine.atom import plays
from engine.atom.scoring import GameResult

Act = tuple[int, tuple[int, ...]]
"""A seat and the cards it laid; no cards: it passed."""


class TrickView(msgspec.Struct, frozen=True):
    """A finished trick: who took it, its points, and all that was done in it."""

    winner: int
    points: int
    acts: tuple[Act, ...]


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """All that a viewer has lawfully seen and can deduce from public acts.

    `game` counts from 1; `phase` is `call`, `play` or `over`. `turned` is the card turned up, of rank
    `blade`, and `receiver` the seat that was dealt it. `jokers_as_three` is the option of that name.
    By seat: `left` cards in hand, `captured` points, `played` counts by rank (cards laid open at the end
    included). `trick` holds the acts so far, `best_seat` (-1: free lead) and `best` whose cards stand and
    which, `passes` how many have passed in succession, `pot` the points in it. `out` is the order out.
    Five players: `caller`, `called` (-1 before), `revealed` the partners shown to all, `sides` what the
    viewer knows of everybody's side, `beaten` and `let` by pair (5 a + b): how often a beat, or let
    stand, the cards of b. With four, `sides` are the teams. `results` are the games that are over.
    """

    viewer: int | None
    seats: int
    jokers_as_three: bool
    game: int
    phase: str
    to_act: tuple[int, ...]
    blade: int
    turned: int
    receiver: int
    leader: int
    hand: tuple[int, ...]
    left: tuple[int, ...]
    captured: tuple[int, ...]
    played: tuple[tuple[int, ...], ...]
    trick: tuple[Act, ...]
    best_seat: int
    best: tuple[int, ...]
    passes: int
    pot: int
    tricks: int
    last_trick: TrickView | None
    out: tuple[int, ...]
    caller: int
    called: int
    revealed: tuple[int, ...]
    sides: tuple[int, ...]
    beaten: tuple[int, ...]
    let: tuple[int, ...]
    results: tuple[GameResult, ...]

    @property
    def packs(self) -> int:
        """How many packs are in play."""
        return 3 if self.seats == 4 else 5

    @property
    def rung(self) -> plays.Rung | None:
        """Where the cards on the table stand; None for a free lead."""
        play = plays.shape(self.best, self.packs) if self.best else None
        return play and plays.rung(play, self.blade, self.low)

    @property
    def low(self) -> int:
        """How high jokers alone stand."""
        return plays.joker_strength(self.blade, as_three=self.jokers_as_three)
