"""Games of the engine against itself: the speed of the rules, the strength of opponents, the fairness of
seats.

Pure like the rest of the engine: callers that want times pass a timer. The same arguments give the same games
on any machine; only the times differ.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import sqrt
from typing import TypeAlias

from engine import levels
from engine.ai.register import REGISTERED
from engine.game import AnyGame, AnyState, Chooser, Outcome, Setup, Value

Timer: TypeAlias = Callable[[], float]
"""A clock in seconds, such as `time.perf_counter`. Only differences between its values are used."""

Player: TypeAlias = str | tuple[str, Chooser]
"""A player in an arena: the name of one of the game's opponents, or a chooser with a name to report."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called after each game with the number of games done and the total."""


SPAN = 200
"""Random games per block. A simulation can only be split between blocks."""


class UnknownOpponent(LookupError):
    """A name that none of the game's computer opponents has. The message lists the ones available."""


class Endless(Exception):
    """A game that exceeded its declared bound or stopped without an outcome: a defect in the game."""


class Forfeit(Exception):
    """A player's missing or illegal answer. The player loses this game, and the arena continues."""


def key_of(seed: int, number: int) -> bytes:
    """Return the deal key of game `number` (from 0) of a series. The same seed deals the same cards
    anywhere."""
    return sha256(f"valence/series/1\n{seed}\n{number}".encode()).digest()


def opponent(game: AnyGame, name: str) -> Chooser:
    """Return the computer opponent with this name.

    Raises:
        UnknownOpponent: the game has no such opponent.
    """
    found = game.opponents.get(levels.renamed(name)) or REGISTERED.get((game.key, name))
    if found is None:
        raise UnknownOpponent(
            f"{game.key} has no opponent called {name!r}; there are: {', '.join(game.opponents)}"
        )
    return found


def credited(outcome: Outcome) -> list[float]:
    """Return each seat's credit: 1 in all, shared equally by the seats ranked 1.

    >>> from engine.game import Standing
    >>> credited(Outcome((Standing(1, 9.0), Standing(3, 2.0), Standing(1, 9.0))))
    [0.5, 0.0, 0.5]
    """
    winners = outcome.winners()
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(len(outcome.standings))]


def interval(shares: Sequence[float], errors: float = 1.96) -> tuple[float, float]:
    """Return the confidence interval of a mean share, from one number (0 to 1) per deal.

    The interval extends `errors` standard errors to both sides; the default gives 95 %.

    Games of one deal are not independent, so the deal is the unit: its games are averaged first, and the
    interval is the normal one over deals. This needs no assumption about how the games of a deal are
    correlated. It also credits the gain from playing a deal from all seats, because luck that cancels within
    a deal is not in the variance. Four imaginary deals, two won outright and two lost (Agresti and Coull),
    are added to the mean and variance, so that the interval has a width even for few deals or a clean sweep.
    """
    deals = [*shares, 0.0, 0.0, 1.0, 1.0]
    mean = sum(deals) / len(deals)
    variance = sum((share - mean) ** 2 for share in deals) / (len(deals) - 1)
    half = errors * sqrt(variance / len(deals))
    return max(0.0, mean - half), min(1.0, mean + half)


@dataclass(slots=True)
class SimulationResult:
    """Results of random games: number, speed, and how they ended.

    `seconds` is the time spent dealing and playing. `won` holds each seat's credits, `scores` the sum of each
    seat's scores, and `reasons` counts the rules that decided.
    """

    games: int = 0
    actions: int = 0
    seconds: float = 0.0
    shortest: int = 0
    longest: int = 0
    ties: int = 0
    won: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def games_per_s(self) -> float:
        """Games per second of playing time."""
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def actions_per_s(self) -> float:
        """Actions per second of playing time. An action is one decision of one seat, including forced
        ones."""
        return self.actions / self.seconds if self.seconds else 0.0

    @property
    def actions_per_game(self) -> float:
        """The mean length of a game, in actions."""
        return self.actions / self.games if self.games else 0.0

    def add(self, other: SimulationResult) -> None:
        """Add the games of another result to this one, including their `seconds`."""
        self.shortest = min(self.shortest, other.shortest) if self.games else other.shortest
        self.longest = max(self.longest, other.longest)
        self.games += other.games
        self.actions += other.actions
        self.seconds += other.seconds
        self.ties += other.ties
        self.won = [mine + theirs for mine, theirs in zip(self.won, other.won, strict=True)]
        self.scores = [mine + theirs for mine, theirs in zip(self.scores, other.scores, strict=True)]
        self.reasons += other.reasons

    def _count(self, outcome: Outcome, actions: int, seconds: float) -> None:
        self.shortest = min(self.shortest, actions) if self.games else actions
        self.longest = max(self.longest, actions)
        self.games += 1
        self.actions += actions
        self.seconds += seconds
        self.ties += len(outcome.winners()) > 1
        self.reasons[outcome.reason] += 1
        for seat, credit in enumerate(credited(outcome)):
            self.won[seat] += credit
            self.scores[seat] += outcome.standings[seat].score


def simulate(
    game: AnyGame,
    seats: int,
    options: Mapping[str, Value],
    *,
    games: int,
    seed: int,
    timer: Timer,
    progress: Progress | None = None,
    first: int = 0,
) -> SimulationResult:
    """Play games with random actions using only the rules: no observations, no verification.

    `first` is the number of the first game. The random generator is reseeded after every SPAN games, so a
    series played in parts that start at such points is the same series.
    """
    result = SimulationResult(won=[0.0] * seats, scores=[0.0] * seats)
    rng = random.Random(_chance(seed, first))
    for number in range(first, first + games):
        if number % SPAN == 0:
            rng = random.Random(_chance(seed, number))
        setup = game.setup(seats, key_of(seed, number), **options)
        bound = game.bound(setup)
        start = timer()
        state = game.deal(setup)
        actions = _play_at_random(state, bound, rng.random)
        seconds = timer() - start
        if actions > bound:
            raise Endless(f"a game of {game.key} took more than the {bound} actions that it states")
        result._count(_ended(state), actions, seconds)
        if progress is not None:
            progress(number + 1 - first, games)
    return result


def _chance(seed: int, number: int) -> str:
    return f"simulate/{seed}/{number // SPAN}" if number >= SPAN else f"simulate/{seed}"


def _play_at_random(state: AnyState, bound: int, chance: Callable[[], float]) -> int:
    """Play to the end. Return the number of actions. This is the inner loop of every throughput figure."""
    to_act, legal_actions, apply = state.to_act, state.legal_actions, state.push
    for count in range(bound + 1):
        waiting = to_act()
        if not waiting:
            return count
        seat = waiting[0]
        actions = legal_actions(seat)
        apply(seat, actions[int(chance() * len(actions))])
    return bound + 1


def _ended(state: AnyState) -> Outcome:
    outcome = state.outcome()
    if outcome is None:
        raise Endless("nobody is to act, yet the game has no outcome")
    return outcome


@dataclass(slots=True)
class Contender:
    """One player of an arena. `shares` holds its mean credit in each deal, `seconds` its thinking time.

    A decision is a choice between at least two actions; forced actions are made for the player. `forfeits`
    counts the games it lost for want of a legal answer, and `forfeit` says what was wrong with the last one.
    """

    name: str
    shares: list[float] = field(default_factory=list)
    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    forfeits: int = 0
    forfeit: str = ""

    @property
    def win_share(self) -> float:
        """The fraction of all games this player won, with ties shared."""
        return sum(self.shares) / len(self.shares) if self.shares else 0.0

    @property
    def ci95(self) -> tuple[float, float]:
        """The 95 % confidence interval of the true win rate (see `interval`)."""
        return interval(self.shares)

    @property
    def ms_per_decision(self) -> float:
        """Mean time per decision, in milliseconds."""
        return 1000 * self.seconds / self.decisions if self.decisions else 0.0

    @property
    def ms_at_most(self) -> float:
        """Time of the slowest decision, in milliseconds."""
        return 1000 * self.slowest


@dataclass(slots=True)
class ArenaResult:
    """Results of games between opponents: `games` played, over `deals` different deals."""

    contenders: list[Contender]
    seats: int
    deals: int = 0
    games: int = 0

    def add(self, other: ArenaResult) -> None:
        """Append the deals of the next part of the same series."""
        self.deals += other.deals
        self.games += other.games
        for mine, theirs in zip(self.contenders, other.contenders, strict=True):
            mine.shares += theirs.shares
            mine.decisions += theirs.decisions
            mine.seconds += theirs.seconds
            mine.slowest = max(mine.slowest, theirs.slowest)
            mine.forfeits += theirs.forfeits
            mine.forfeit = theirs.forfeit or mine.forfeit


def arena(
    game: AnyGame,
    players: Sequence[Player],
    options: Mapping[str, Value],
    *,
    games: int,
    seed: int,
    timer: Timer,
    seats: int | None = None,
    progress: Progress | None = None,
    first: int = 0,
) -> ArenaResult:
    """Let opponents play each other; each deal is repeated until every player has held every seat once.

    With P players on S seats, game k of a deal puts player (s + k) mod P on seat s. So a deal takes P games,
    and with fewer players than seats each player holds several. A share of 1/P means no difference. `games`
    is rounded up to whole deals. `seats` defaults to the smallest number that holds all players. `first` is
    the number of the first deal, so that a series can be played in parts.

    Raises:
        IllegalSetup: the game cannot be dealt like this.
        UnknownOpponent: the game has no such player.
        ValueError: there are no players, or more than seats.
        IllegalAction: an opponent chose an action the rules forbid.
        Endless: a game did not end within its bound.
    """
    named = [(player, opponent(game, player)) if isinstance(player, str) else player for player in players]
    choosers = [chooser for _, chooser in named]
    if seats is None:
        allowed = game.seats({**game.defaults(), **options})
        seats = min((n for n in allowed if n >= len(players)), default=max(allowed, default=0))
    game.setup(seats, key_of(seed, 0), **options)
    if not 1 <= len(players) <= seats:
        raise ValueError(f"{len(players)} players do not fit on {seats} seats")
    result = ArenaResult([Contender(name) for name, _ in named], seats)
    total = -(-games // len(players)) * len(players)
    while result.games < total:
        deal = first + result.deals
        setup = game.setup(seats, key_of(seed, deal), **options)
        sums = [0.0] * len(players)
        for turn in range(len(players)):
            holders = [(seat + turn) % len(players) for seat in range(seats)]
            rngs = [random.Random(f"arena/{seed}/{deal}/{turn}/{seat}") for seat in range(seats)]
            table = [(result.contenders[who], choosers[who], rngs[seat]) for seat, who in enumerate(holders)]
            for seat, credit in enumerate(_contest(game, setup, table, timer)):
                sums[holders[seat]] += credit / len(players)
            result.games += 1
            if progress is not None:
                progress(result.games, total)
        for contender, share in zip(result.contenders, sums, strict=True):
            contender.shares.append(share)
        result.deals += 1
    return result


def _without(loser: Contender, table: Sequence[tuple[Contender, Chooser, random.Random]]) -> list[float]:
    others = sum(contender is not loser for contender, _, _ in table)
    return [0.0 if contender is loser else 1 / others for contender, _, _ in table]


def _contest(
    game: AnyGame,
    setup: Setup,
    table: Sequence[tuple[Contender, Chooser, random.Random]],
    timer: Timer,
) -> list[float]:
    """Play one game between opponents, verifying each action. Return each seat's credit.

    Only the time spent choosing is counted. If a player forfeits, the other players' seats share the win.
    """
    state = game.deal(setup)
    bound = game.bound(setup)
    for _ in range(bound + 1):
        waiting = state.to_act()
        if not waiting:
            return credited(_ended(state))
        seat = waiting[0]
        actions = state.legal_actions(seat)
        action = actions[0]
        if len(actions) > 1:
            contender, choose, rng = table[seat]
            observation = state.observe(seat)
            start = timer()
            try:
                action = choose(observation, actions, rng)
            except Forfeit as found:
                contender.forfeits += 1
                contender.forfeit = str(found)
                return _without(contender, table)
            spent = timer() - start
            contender.decisions += 1
            contender.seconds += spent
            contender.slowest = max(contender.slowest, spent)
        state.apply(seat, action)
    raise Endless(f"a game of {game.key} took more than the {bound} actions that it states")
