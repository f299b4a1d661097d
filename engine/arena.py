"""The engine against itself: how fast the rules are, how strong an opponent is, how fair a seat.

Pure like the rest of the engine: whoever wants seconds hands in a timer. The same arguments
give the same games, whatever the machine; only the times differ.
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
"""A clock in seconds, of which only differences count, such as `time.perf_counter`."""

Player: TypeAlias = str | tuple[str, Chooser]
"""Who plays in an arena: an opponent of the game by its name, or whoever chooses, with a name to report."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called after each game with the number of games done and to do."""


SPAN = 200
"""Random games that belong together: a simulation in parts is cut between them."""


class UnknownOpponent(LookupError):
    """The game has no computer opponent of that name; the message lists those it has."""


class Endless(Exception):
    """A game outlasted the bound that it states, or stopped without an outcome: a defect in the game."""


class Forfeit(Exception):
    """A player gave no answer, or one that the rules forbid: it loses this game, and the arena goes on."""


def key_of(seed: int, number: int) -> bytes:
    """The deal key of game `number` (from 0) of a series: the same seed deals the same cards anywhere."""
    return sha256(f"valence/series/1\n{seed}\n{number}".encode()).digest()


def opponent(game: AnyGame, name: str) -> Chooser:
    """The computer opponent of this name.

    Raises:
        UnknownOpponent: there is none.
    """
    found = game.opponents.get(levels.renamed(name)) or REGISTERED.get((game.key, name))
    if found is None:
        raise UnknownOpponent(
            f"{game.key} has no opponent called {name!r}; there are: {', '.join(game.opponents)}"
        )
    return found


def credited(outcome: Outcome) -> list[float]:
    """What each seat won: 1 in all, shared equally by the seats of rank 1.

    >>> from engine.game import Standing
    >>> credited(Outcome((Standing(1, 9.0), Standing(3, 2.0), Standing(1, 9.0))))
    [0.5, 0.0, 0.5]
    """
    winners = outcome.winners()
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(len(outcome.standings))]


def interval(shares: Sequence[float], errors: float = 1.96) -> tuple[float, float]:
    """The confidence interval of a mean share, from one number (0 to 1) for each deal: so many standard
    errors to both sides, which is 95 % unless somebody says otherwise.

    Games of one deal are not independent, so the deal is the unit: its games are averaged first
    and the interval is the normal one over deals. That needs no assumption on how the games of a
    deal hang together, and it credits what playing a deal from all seats gains, since the luck
    that cancels inside a deal is not in the variance. Four imagined deals, two won outright and
    two lost (Agresti and Coull), go into mean and variance, so that few deals or a clean sweep
    give an interval with a width.
    """
    deals = [*shares, 0.0, 0.0, 1.0, 1.0]
    mean = sum(deals) / len(deals)
    variance = sum((share - mean) ** 2 for share in deals) / (len(deals) - 1)
    half = errors * sqrt(variance / len(deals))
    return max(0.0, mean - half), min(1.0, mean + half)


@dataclass(slots=True)
class SimulationResult:
    """Random games: how many, how fast, and how they ended.

    `seconds` holds dealing and playing. `won` are the credits of each seat, `scores` the sums of
    each seat's scores, `reasons` counts what decided.
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
        """Actions per second of playing time; an action is one decision of one seat, forced ones too."""
        return self.actions / self.seconds if self.seconds else 0.0

    @property
    def actions_per_game(self) -> float:
        """The mean length of a game, in actions."""
        return self.actions / self.games if self.games else 0.0

    def add(self, other: SimulationResult) -> None:
        """Count those games as well; `seconds` are added up, too."""
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
    """Random against random, over the bare rules: no observation is made and nothing verified.

    `first` is the number of the first game. Chance begins anew after every SPAN games, so a series that is
    played in parts which begin there is the same series.

    >>> from engine import catalog
    >>> battle = catalog.get("chemistry_battle")
    >>> simulate(battle, 2, {}, games=5, seed=1, timer=lambda: 0.0).actions_per_game
    54.0

    Raises:
        IllegalSetup: the game cannot be dealt like this.
        Endless: a game did not end within its bound.
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
    """Play to the end; the number of actions. The inner loop of every throughput figure."""
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
    """One player of an arena: `shares` has its mean credit in each deal, `seconds` its thinking time.

    A decision is a choice between at least two actions; forced ones are made for it. `forfeits` counts the
    games that it lost for want of an answer, `forfeit` says what was wrong with the last one.
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
        """The part of all games that it won, ties shared."""
        return sum(self.shares) / len(self.shares) if self.shares else 0.0

    @property
    def ci95(self) -> tuple[float, float]:
        """Where the true win share lies, with 95 % confidence (see `interval`)."""
        return interval(self.shares)

    @property
    def ms_per_decision(self) -> float:
        """Mean time of a decision, in milliseconds."""
        return 1000 * self.seconds / self.decisions if self.decisions else 0.0

    @property
    def ms_at_most(self) -> float:
        """Time of the slowest decision, in milliseconds."""
        return 1000 * self.slowest


@dataclass(slots=True)
class ArenaResult:
    """Opponents against each other: `games` were played, `deals` different ones."""

    contenders: list[Contender]
    seats: int
    deals: int = 0
    games: int = 0

    def add(self, other: ArenaResult) -> None:
        """Go on with the deals of another part of the same series."""
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
    """Let opponents play each other; each deal is played until everybody held every seat once.

    With P players on S seats, game k of a deal seats player (s + k) mod P on seat s. So a deal
    takes P games, with fewer players than seats each of them holds several, and the share that
    shows no difference is 1/P. `games` is rounded up to whole deals. `seats` is, when not given,
    the smallest number that holds all players. `first` is the number of the first deal: a series
    may be played in parts.

    Raises:
        IllegalSetup: the game cannot be dealt like this.
        UnknownOpponent: a player that the game does not have.
        ValueError: no players, or more than seats.
        IllegalAction: an opponent chose what the rules forbid.
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
    """One game between opponents, each action verified; what each seat won. The time counted is that of
    choosing. Where one forfeits, the seats of the others share the win."""
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
