"""Random play of a game compared with a trivial one, in turns in one process: `bench GAME --floor`.

The trivial game, Nim, implements the contract of every game with the least Python possible and runs in the
same loop. The machine, its load and the interpreter affect both games, so their ratio depends on the rules
alone.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from statistics import median
from time import process_time
from typing import ClassVar, Final, NamedTuple, Self

import msgspec
from typing_extensions import override

from engine import arena
from engine.ai import at_random
from engine.facts import Facts
from engine.fields import Public
from engine.game import (
    ALONE,
    AnyGame,
    Chooser,
    Game,
    IllegalAction,
    Outcome,
    Seat,
    Setup,
    Standing,
    State,
    Value,
    Viewer,
)

ROUNDS: Final = 11
"""Number of times both games are measured, in turns."""
HEAPS: Final = 3
LARGEST: Final = 40
MOST: Final = 3
"""Most sticks that may be taken at once."""


class Take(NamedTuple):
    """Take sticks from a heap."""

    verb: str
    heap: int
    sticks: int


TAKES: Final = tuple(
    tuple(tuple(Take("take", heap, n) for n in range(1, min(size, MOST) + 1)) for size in range(LARGEST + 1))
    for heap in range(HEAPS)
)
"""Legal moves by heap and its size."""


class NimView(msgspec.Struct, frozen=True):
    """The position: all of Nim is public."""

    viewer: int | None
    heaps: tuple[int, ...]
    turn: int


class NimState(State[Take, NimView]):
    """The sticks left, and whose turn it is."""

    heaps: Public[list[int]]
    turn: Public[int]
    __slots__ = ("heaps", "turn")

    def __init__(self, heaps: Sequence[int], turn: int) -> None:
        self.events = None
        self.heaps = list(heaps)
        self.turn = turn

    @override
    def to_act(self) -> tuple[Seat, ...]:
        return ALONE[self.turn] if any(self.heaps) else ()

    @override
    def legal_actions(self, seat: Seat) -> Sequence[Take]:
        if seat != self.turn:
            return ()
        one, two, three = self.heaps
        return TAKES[0][one] + TAKES[1][two] + TAKES[2][three]

    @override
    def _check(self, seat: Seat, action: Take) -> None:
        if action not in self.legal_actions(seat):
            raise IllegalAction("too_many")

    @override
    def push(self, seat: Seat, action: Take) -> None:
        self.heaps[action.heap] -= action.sticks
        self.turn = 1 - seat
        if self.events is not None:
            self.tell("took", seat, heap=action.heap, sticks=action.sticks)

    @override
    def observe(self, viewer: Viewer) -> NimView:
        return NimView(viewer, tuple(self.heaps), self.turn)

    @override
    def outcome(self) -> Outcome | None:
        """Return the outcome: the player who took the last stick has won."""
        if any(self.heaps):
            return None
        return Outcome(tuple(Standing(1 + (seat == self.turn), float(seat != self.turn)) for seat in (0, 1)))

    @override
    def clone(self) -> Self:
        return type(self)(self.heaps, self.turn)

    @override
    def fingerprint(self) -> bytes:
        return bytes((*self.heaps, self.turn))

    @override
    def census(self) -> tuple[int, ...]:
        return ()


class Nim(Game[Take, NimView]):
    """Three heaps of 20 to 40 sticks: take one to three from one heap. The last stick wins."""

    key = "nim"
    title = "Nim"
    version = 1
    options = ()
    rules: ClassVar[Mapping[str, Facts]] = {"too_many": Facts()}
    opponents: ClassVar[Mapping[str, Chooser]] = {"random": at_random}
    observation = NimView

    @override
    def seats(self, _options: Mapping[str, Value]) -> tuple[int, ...]:
        return (2,)

    @override
    def deal(self, setup: Setup) -> NimState:
        return NimState([LARGEST // 2 + byte % (LARGEST // 2 + 1) for byte in setup.key[:HEAPS]], 0)

    @override
    def sample(self, observation: NimView, _rng: random.Random) -> NimState:
        return NimState(observation.heaps, observation.turn)

    @override
    def action(self, data: object) -> Take:
        take = msgspec.convert(data, tuple[str, int, int])
        return Take(*take)

    @override
    def bound(self, _setup: Setup) -> int:
        return HEAPS * LARGEST


FLOOR: Final = Nim()


def measure(
    game: AnyGame, seats: int, options: Mapping[str, Value], *, seconds: float, seed: int
) -> dict[str, float]:
    """Play both games at random for this many CPU seconds.

    Return actions per second, and the game's speed in thousandths of Nim's: the median of all rounds with
    minimum and maximum. Each round plays its own games. Repeated games would profit from cached results,
    which a new game cannot.
    """

    def played(
        which: AnyGame, on: int, chosen: Mapping[str, Value], games: int, series: int
    ) -> arena.SimulationResult:
        return arena.simulate(which, on, chosen, games=games, seed=series, timer=process_time)

    sides: list[tuple[AnyGame, int, Mapping[str, Value]]] = [(game, seats, options), (FLOOR, 2, {})]
    each = seconds / ROUNDS / len(sides)
    games = [max(1, int(each * played(*side, 20, seed).games_per_s)) for side in sides]
    speeds = []
    for number in range(ROUNDS):
        order = (0, 1) if number % 2 else (1, 0)
        found = {side: played(*sides[side], games[side], seed + 1 + number).actions_per_s for side in order}
        speeds.append((found[0], found[1]))
    shares = [1000 * mine / floor for mine, floor in speeds]
    return {
        "seats": seats,
        "actions_per_s": median(mine for mine, _ in speeds),
        "floor_per_s": median(floor for _, floor in speeds),
        "per_mille": median(shares),
        "least": min(shares),
        "most": max(shares),
    }
