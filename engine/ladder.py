"""The ladder of a game: each opponent level against the one below, and against the steady one.

Results are kept in a file, one line of JSON per run, so that a ladder grows from day to day. Every run uses
new deals: its seed is one that the file does not contain yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Final

import msgspec

from engine import levels
from engine.arena import ArenaResult, Timer, arena, interval
from engine.data import folder
from engine.game import AnyGame, Value

ENOUGH = 100
"""Games after which people are shown how strong a level is."""
BATCH = 20
"""Games played between two checks of whether a step is decided."""
LOOKS_ERRORS: Final = 2.453
"""Standard errors by which a step must differ from an even result to be decided. There are six checks. With a
95 % interval each, they would decide nine of a hundred steps between equals. With this bound it is at most
one in twenty (Pocock, "Group sequential methods in the design and analysis of clinical trials", 1977)."""
MOST_GAMES: Mapping[str, int] = {levels.MASTER: 120}
"""Game limits per step for slow-thinking levels, which also stop once the step is decided. Against the steady
level they first play the `ENOUGH` games needed to show people a result."""


class Tally(msgspec.Struct, frozen=True, omit_defaults=True):
    """One level's results against another.

    `shares` counts the deals by the fraction of their games that the level won, written as a decimal;
    `decisions` and `seconds` are those of the level itself.
    """

    game: str
    level: str
    against: str
    seats: int
    seed: int
    games: int
    shares: dict[str, int]
    decisions: int
    seconds: float
    options: dict[str, Value] = {}
    date: str = ""
    rules: int = 1
    """The version of the game's rules. Only runs with today's rules, or those `Game.comparable` names, tell
    how strong today's opponents are."""

    @property
    def share(self) -> float:
        """The fraction of all games that the level won.

        >>> Tally("probe", "steady", "casual", 2, 1, 6, {"0.5": 1, "1": 2}, 0, 0.0).share
        0.8333333333333334
        """
        won = sum(float(share) * count for share, count in self.shares.items())
        return won / max(1, sum(self.shares.values()))

    @property
    def ci95(self) -> tuple[float, float]:
        """The 95 % confidence interval of the true win rate; the deal is the unit."""
        return interval(self._by_deal)

    @property
    def _by_deal(self) -> list[float]:
        return [float(share) for share, count in self.shares.items() for _ in range(count)]

    @property
    def decided(self) -> bool:
        """Whether one of the two is better, allowing for repeated checks along the way."""
        low, high = interval(self._by_deal, LOOKS_ERRORS)
        return low > 0.5 or high < 0.5

    @property
    def ms_per_decision(self) -> float:
        """Mean CPU time per decision, in milliseconds."""
        return 1000 * self.seconds / self.decisions if self.decisions else 0.0


def steps(game: AnyGame, seats: int, options: Mapping[str, Value]) -> tuple[tuple[str, str], ...]:
    """Return the pairings at such a table: each level with the one below it, and with the steady one.

    >>> from engine import catalog
    >>> steps(catalog.get("chemistry_battle"), 2, {})
    (('casual', 'newcomer'), ('steady', 'casual'), ('newcomer', 'steady'))
    """
    offered = game.levels_in(seats, options)
    near = list(zip(offered[1:], offered, strict=False))
    far = [(level, levels.STEADY) for level in offered if level != levels.STEADY]
    return tuple(near + [step for step in far if step not in near and step[::-1] not in near])


def fewest_seats(game: AnyGame, options: Mapping[str, Value]) -> int:
    """Return the fewest seats on which levels can meet under these options, or 0 in a solo game."""
    return min((n for n in game.seats({**game.defaults(), **options}) if n > 1), default=0)


def read(text: str) -> list[Tally]:
    """Parse the runs in a file.

    Raises:
        ValueError: a line is not a run.
    """
    return [msgspec.json.decode(line, type=Tally) for line in text.splitlines() if line.strip()]


def line(tally: Tally) -> str:
    """Return a run as a line of the file."""
    return msgspec.json.encode(tally).decode() + "\n"


def total(tallies: Iterable[Tally], like: Tally) -> Tally:
    """Return the sum of all runs between the same two levels at the same table."""
    same = [tally for tally in tallies if _table(tally) == _table(like)]
    shares = Counter[str]()
    for tally in same:
        shares.update(tally.shares)
    return msgspec.structs.replace(
        like,
        seed=max((tally.seed for tally in same), default=0),
        games=sum(tally.games for tally in same),
        shares=dict(sorted(shares.items())),
        decisions=sum(tally.decisions for tally in same),
        seconds=sum(tally.seconds for tally in same),
        date=max((tally.date for tally in same), default=""),
    )


def totals(tallies: Iterable[Tally]) -> list[Tally]:
    """Return the summed runs, in the order in which their steps first appear."""
    every = list(tallies)
    first = {_table(tally): tally for tally in reversed(every)}
    return [total(every, tally) for tally in reversed(first.values())]


@cache
def kept(key: str) -> tuple[Tally, ...]:
    """Return the summed ladder results of this game, or () if it has no ladder file."""
    file = folder() / "ladder" / f"{key}.jsonl"
    return tuple(totals(read(file.read_text(encoding="utf-8")))) if file.exists() else ()


def of_hundred(game: AnyGame, level: str) -> int | None:
    """Return how many of a hundred games this level wins against the steady one, or None after too few games.

    Counts games on the fewest seats for more than one player, with default options.
    """
    seats, rules = fewest_seats(game, {}), {game.version, *game.comparable}
    for tally in sorted(kept(game.key), key=lambda tally: -tally.rules):
        played_so = tally.seats == seats and not tally.options and tally.rules in rules
        if played_so and tally.games >= ENOUGH:
            if (tally.level, tally.against) == (level, levels.STEADY):
                return round(100 * tally.share)
            if (tally.against, tally.level) == (level, levels.STEADY):
                return 100 - round(100 * tally.share)
    return None


def _table(tally: Tally) -> tuple[object, ...]:
    options = tuple(sorted(tally.options.items()))
    return tally.game, tally.rules, tally.level, tally.against, tally.seats, options


def climb(
    game: AnyGame,
    before: Iterable[Tally],
    *,
    games: int,
    seats: int,
    options: Mapping[str, Value],
    date: str,
    timer: Timer,
    play: Callable[..., ArenaResult] = arena,
) -> Iterator[Tally]:
    """Play every step until it has `games` games, counting those of `before`. Yield one tally for each batch.

    `play` is the arena, or a function that plays the same series elsewhere.

    Raises:
        IllegalSetup: the game cannot be dealt like this.
    """
    known = list(before)
    for level, against in steps(game, seats, options):
        most = min(games, MOST_GAMES.get(level, games))
        like = Tally(game.key, level, against, seats, 0, 0, {}, 0, 0.0, dict(options), date, game.version)
        while (found := total(known, like)).games < most:
            told = ENOUGH if against == levels.STEADY else 1
            if level in MOST_GAMES and found.games >= told and found.decided:
                break
            seed = found.seed + 1
            batch = min(BATCH, most - found.games)
            result = play(game, [level, against], options, games=batch, seed=seed, seats=seats, timer=timer)
            tally = tallied(result, like, seed)
            known.append(tally)
            yield tally


def tallied(result: ArenaResult, like: Tally, seed: int) -> Tally:
    """Return the tally of the first contender of an arena."""
    mine = result.contenders[0]
    shares = Counter(f"{share:g}" for share in mine.shares)
    return msgspec.structs.replace(
        like,
        seed=seed,
        games=result.games,
        shares=dict(sorted(shares.items())),
        decisions=mine.decisions,
        seconds=round(mine.seconds, 3),
    )
