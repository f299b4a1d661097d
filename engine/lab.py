"""Two sets of rules compared by games between computer opponents of one level on every seat.

Both sets are dealt from the same keys, so the cards are the same as far as the rules are. The value of a card
is measured by the win rate of the seats that had it in their first hand (*held*), ever had it in their hand
(*drawn*), or chose to play it (*played*). A seat counts once per game, however often it did so.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from math import sqrt
from statistics import fmean, quantiles, stdev
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from engine import catalog
from engine.arena import Endless, key_of, opponent
from engine.game import AnyGame, AnyState, Outcome, Seat, Value, format_value

Z95: Final = 1.959963984540054
"""Standard errors to either side that contain 95 % of a normal distribution."""
BATCH: Final = 10
"""Games played and stored together."""
ENOUGH: Final = 30
"""Seats that must have had a card before it is compared."""
How: TypeAlias = Literal["held", "drawn", "played"]
HOWS: Final[tuple[How, ...]] = get_args(How)
Interval: TypeAlias = tuple[float, float]


class LabRules(msgspec.Struct, frozen=True):
    """A set of rules to try: a game, all its options, the number of seats, and the level that plays it."""

    game: str
    options: dict[str, Value]
    seats: int
    level: str
    name: str = ""

    def __str__(self) -> str:
        told = " ".join(f"{key}={format_value(value)}" for key, value in self.options.items())
        return self.name or f"{self.game} {told}".strip()

    @property
    def digest(self) -> str:
        """The key of this set's games in a file: a hash of everything but the name."""
        known = (
            self.game,
            catalog.get(self.game).version,
            sorted(self.options.items()),
            self.seats,
            self.level,
        )
        return sha256(repr(known).encode()).hexdigest()[:16]


class Count(msgspec.Struct, array_like=True):
    """A number of seats, and their wins."""

    seats: int = 0
    won: float = 0.0

    def add(self, other: Count) -> None:
        """Add another count to this one."""
        self.seats += other.seats
        self.won += other.won


class Batch(msgspec.Struct, omit_defaults=True):
    """Consecutive games of one set of rules, starting with number `first`; `rules` is the digest of the set.

    A decision is a choice between at least two actions; a turn lasts until another seat decides. `margins`
    holds the winners' lead over the best other side, for games with more than one. `began` counts the seats
    that acted first, for games in which one did so alone. In many games that seat is drawn by lot, so `won`
    does not show what starting is worth.
    """

    rules: str
    seed: int
    first: int
    count: int
    decisions: list[int] = []
    turns: list[int] = []
    won: list[float] = []
    draws: int = 0
    margins: list[float] = []
    cards: dict[str, dict[How, Count]] = {}
    began: Count = msgspec.field(default_factory=Count)


def wilson(won: float, of: int) -> Interval:
    """Return the 95 % confidence interval of a share, using Wilson's score interval.

    >>> "{:.4f} {:.4f}".format(*wilson(8, 10))
    '0.4902 0.9433'
    """
    if not of:
        return 0.0, 1.0
    share, z2 = won / of, Z95 * Z95
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = Z95 * sqrt(share * (1 - share) / of + z2 / (4 * of * of)) / (1 + z2 / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def difference(one: Count, other: Count) -> tuple[float, Interval]:
    """Return the difference of two shares and its interval (Newcombe's, from two Wilson intervals).

    >>> "{:.4f} {:.4f} {:.4f}".format(*(lambda d: (d[0], *d[1]))(difference(Count(70, 56), Count(80, 48))))
    '0.2000 0.0524 0.3339'
    """
    if not one.seats or not other.seats:
        return 0.0, (-1.0, 1.0)
    p, q = one.won / one.seats, other.won / other.seats
    (low, high), (least, most) = wilson(one.won, one.seats), wilson(other.won, other.seats)
    below, above = sqrt((p - low) ** 2 + (most - q) ** 2), sqrt((high - p) ** 2 + (q - least) ** 2)
    return p - q, (p - q - below, p - q + above)


class Length(msgspec.Struct, frozen=True):
    """A mean with its interval, and the distribution of the values."""

    mean: float
    ci95: Interval
    quartiles: tuple[float, float, float]
    least: float
    most: float


def spread(values: Sequence[float]) -> Length:
    """Summarise these values; the interval is the normal one of a mean."""
    if not values:
        return Length(0.0, (0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.0)
    mean = fmean(values)
    half = Z95 * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    low, middle, high = quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
    return Length(mean, (mean - half, mean + half), (low, middle, high), min(values), max(values))


# -- playing --------------------------------------------------------------------------------------


def shares(outcome: Outcome) -> list[float]:
    """Return each seat's wins: 1 for each seat of the winning side, divided if several sides won.

    Partners win together, so each of them gets the whole win rather than half.
    """
    winners, standings = outcome.winners(), outcome.standings
    sides = {standings[seat].team if standings[seat].team >= 0 else (seat,) for seat in winners}
    return [1 / len(sides) if seat in winners else 0.0 for seat in range(len(standings))]


def _sides(outcome: Outcome) -> dict[object, float]:
    """Return the best score of each side."""
    found: dict[object, float] = {}
    for seat, standing in enumerate(outcome.standings):
        side: object = standing.team if standing.team >= 0 else (seat,)
        found[side] = max(found.get(side, standing.score), standing.score)
    return found


def play(rules: LabRules, seed: int, first: int, count: int) -> Batch:
    """Play `count` games of a series. The same arguments give the same batch on any machine.

    Raises:
        IllegalSetup: the game cannot be dealt like this.
        UnknownOpponent: the game has no such level.
        Endless: a game did not end within its bound.
    """
    game = catalog.get(rules.game)
    choose = opponent(game, rules.level)
    batch = Batch(rules.digest, seed, first, count, won=[0.0] * rules.seats)
    for number in range(first, first + count):
        setup = game.setup(rules.seats, key_of(seed, number), **rules.options)
        rngs = [random.Random(f"lab/{seed}/{number}/{seat}") for seat in range(rules.seats)]
        state, bound = game.deal(setup), game.bound(setup)
        state.events = []
        watched = _Watched(game, state, rules.seats)
        movers: list[Seat] = []
        alone = len(state.to_act()) == 1
        decisions = 0
        while waiting := state.to_act():
            if len(movers) > bound:
                raise Endless(f"a game of {game.key} took more than the {bound} actions that it states")
            seat = waiting[0]
            actions = state.legal_actions(seat)
            seen = state.observe(seat)
            watched.look(seat, game.in_hand(seen))
            action = actions[0]
            if len(actions) > 1:
                action = choose(seen, actions, rngs[seat])
                decisions += 1
            movers.append(seat)
            state.apply(seat, action)
            watched.hear(seat)
        outcome = state.outcome()
        if outcome is None:
            raise Endless("nobody is to act, yet the game has no outcome")
        _count(batch, outcome, movers, decisions, watched)
        if alone:
            batch.began.add(Count(1, shares(outcome)[movers[0]]))
    return batch


class _Watched:
    """The cards each seat held at first, drew and played."""

    def __init__(self, game: AnyGame, state: AnyState, seats: int) -> None:
        self._game, self._state = game, state
        self.held = [set(game.in_hand(state.observe(seat))) for seat in range(seats)]
        self.drawn = [set(cards) for cards in self.held]
        self.played: list[set[str]] = [set() for _ in range(seats)]

    def look(self, seat: Seat, cards: Iterable[str]) -> None:
        self.drawn[seat].update(cards)

    def hear(self, mover: Seat) -> None:
        """Record the results of an action: the cards played, and the mover's new hand."""
        told, self._state.events = self._state.events or [], []
        for event in told:
            if 0 <= event.seat < len(self.played):
                facts = {**event.facts, **event.secret}
                self.played[event.seat].update(self._game.played(event.kind, facts))
        self.look(mover, self._game.in_hand(self._state.observe(mover)))

    def of(self, how: How) -> list[set[str]]:
        return {"held": self.held, "drawn": self.drawn, "played": self.played}[how]


def _count(batch: Batch, outcome: Outcome, movers: Sequence[Seat], decisions: int, watched: _Watched) -> None:
    batch.decisions.append(decisions)
    batch.turns.append(bool(movers) + sum(one != other for one, other in pairwise(movers)))
    won, sides = shares(outcome), sorted(_sides(outcome).values(), reverse=True)
    batch.draws += 0 < max(won, default=0.0) < 1
    if len(sides) > 1:
        batch.margins.append(abs(sides[0] - sides[1]))
    for seat, share in enumerate(won):
        batch.won[seat] += share
        for how in HOWS:
            for card in watched.of(how)[seat]:
                kept = batch.cards.setdefault(card, {})
                kept.setdefault(how, Count()).add(Count(1, share))


# -- games still to play --------------------------------------------------------------------------


def missing(kept: Iterable[Batch], rules: LabRules, seed: int, games: int) -> Iterator[tuple[int, int]]:
    """Yield the games of a series that no batch contains, as (first, count), each at most one batch long."""
    held = {
        number
        for batch in kept
        if (batch.rules, batch.seed) == (rules.digest, seed)
        for number in range(batch.first, batch.first + batch.count)
    }
    first, count = 0, 0
    for number in range(games):
        if number in held:
            continue
        if count and (number != first + count or count == BATCH):
            yield first, count
            count = 0
        if not count:
            first = number
        count += 1
    if count:
        yield first, count


# -- findings -------------------------------------------------------------------------------------


class Findings(msgspec.Struct, frozen=True):
    """The results of the games played with one set of rules."""

    rules: LabRules
    games: int
    seats: list[Count]
    began: Count
    even: float
    """Every seat's win rate if seats and cards made no difference."""
    draws: int
    decisions: Length
    turns: Length
    margin: Length
    lengths: dict[int, tuple[int, int]]
    """Decisions and turns of each game, by game number."""
    cards: Mapping[str, Mapping[How, Count]]


def findings(rules: LabRules, batches: Iterable[Batch], seed: int) -> Findings:
    """Add up the batches of one set of rules and seed."""
    mine = [batch for batch in batches if (batch.rules, batch.seed) == (rules.digest, seed)]
    mine.sort(key=lambda batch: batch.first)
    games = sum(batch.count for batch in mine)
    seats = [Count(games, sum(batch.won[seat] for batch in mine)) for seat in range(rules.seats)]
    cards: dict[str, dict[How, Count]] = {}
    began = Count()
    for batch in mine:
        began.add(batch.began)
        for card, by in batch.cards.items():
            for how, count in by.items():
                cards.setdefault(card, {}).setdefault(how, Count()).add(count)
    lengths = {
        batch.first + n: taken
        for batch in mine
        for n, taken in enumerate(zip(batch.decisions, batch.turns, strict=True))
    }
    return Findings(
        rules=rules,
        games=games,
        seats=seats,
        began=began,
        even=sum(count.won for count in seats) / max(1, games * rules.seats),
        draws=sum(batch.draws for batch in mine),
        decisions=spread([decisions for decisions, _ in lengths.values()]),
        turns=spread([turns for _, turns in lengths.values()]),
        margin=spread([margin for batch in mine for margin in batch.margins]),
        lengths=lengths,
        cards=cards,
    )


class Compared(msgspec.Struct, frozen=True):
    """One card under both sets of rules; `differs` is the first share minus the second."""

    card: str
    how: How
    one: Count
    other: Count
    differs: float
    ci95: Interval

    @property
    def telling(self) -> bool:
        """Whether the interval excludes zero."""
        return self.ci95[0] > 0 or self.ci95[1] < 0


def compared(one: Findings, other: Findings, how: How) -> list[Compared]:
    """Return the cards that enough seats had under both sets of rules, largest difference first."""
    found = []
    for card in sorted({*one.cards, *other.cards}):
        mine = one.cards.get(card, {}).get(how, Count())
        theirs = other.cards.get(card, {}).get(how, Count())
        if min(mine.seats, theirs.seats) >= ENOUGH:
            found.append(Compared(card, how, mine, theirs, *difference(mine, theirs)))
    return sorted(found, key=lambda each: -abs(each.differs))


def unlike(one: Findings) -> tuple[int, int]:
    """Count the cards whose win rate differs from the even one by more than their interval.

    Return that count and the total. A card counts once for each of held, drawn and played with enough seats.
    """
    every = [count for by in one.cards.values() for count in by.values() if count.seats >= ENOUGH]
    apart = [wilson(count.won, count.seats) for count in every]
    return sum(low > one.even or high < one.even for low, high in apart), len(every)


def paired(one: Findings, other: Findings) -> Length:
    """Return how many more decisions the same deal took under the first rules."""
    both = sorted(one.lengths.keys() & other.lengths.keys())
    return spread([one.lengths[number][0] - other.lengths[number][0] for number in both])
