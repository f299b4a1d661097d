"""Puzzles: positions from games of Steady against itself where one decision is clearly best.

Each game is dealt from its number and gives at most one puzzle. A study tries the decisions of a position a
few times. If one seems to lead, all of them are tried again, often and in fresh samples. The answer is
explained by the measure in which it differs most from the second best.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias

import msgspec

from engine import catalog, levels
from engine.ai.advice import SURE, Difference, reasons
from engine.data import folder
from engine.digests import digest
from engine.fair import NONCE_BYTES, SEED_BYTES, Commitment
from engine.game import Action, AnyGame, AnyState, Seat, Setup, Value, as_json
from engine.verdict import Candidate, Study, Verdict

LEAST_GAP: Final = 0.03
"""Minimum lead of the answer, as a share of the win."""
STANDING: Final = LEAST_GAP / 2
"""Minimum lead in an audit. The lead may turn out smaller there, because it was selected for being large, but
not by more than half: a certain lead too small for players to feel does not make a puzzle."""
MARGIN: Final = 3.0
"""Minimum lead in standard errors. Of hundreds of puzzles, hardly one exceeds it by luck."""
SAME_WORLDS: Final = 12
"""Samples after which two decisions with equal results in all of them count as the same."""
LEAST_CHOICES, MOST_CHOICES = 3, 60
MOST_SEATS: Final = 5
MOST_STEPS: Final = 160
"""Last step at which a puzzle may be cut. In long games that limits it to the start, since each button press
replays the steps."""
LOOKS: Final = 8
"""Decisions of a game to examine before giving up on it."""
PLAIN: Final = 0.75
"""Maximum share of puzzles that Steady solves."""
LEAST_MISSED: Final = 0.15
"""Minimum difficulty. A puzzle that all levels nearly always solve is not worth asking."""
ASKED = (levels.NEWCOMER, levels.CASUAL, levels.STEADY)
TIMES: Final = 5
"""The levels used to measure the difficulty of a puzzle, and how often each is asked."""


class StalePuzzle(ValueError):
    """A puzzle that no longer leads to the position it was cut from, because the rules have changed."""


class Puzzle(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One puzzle.

    `way` lists the actions so far, each as its index among the legal actions of the first seat that must act;
    forced actions are left out. `digest` identifies the resulting position, where that seat is asked.
    `answers` are the decisions that count as right, best first. They lead `second` by `gap`, a share of the
    win, with standard error `error`. `technique` is the measure with the largest difference between the first
    answer and `second`; their means are `better` and `other`. `difficulty` is the share of the weaker levels'
    tries that miss the answer, from 0 to 1. `plain` means that Steady solved it in its game. `audited` is the
    number of tries in the last audit.
    """

    game: str
    number: int
    version: int
    seats: int
    options: dict[str, Value] = {}
    way: str = ""
    digest: str
    answers: tuple[list[Any], ...]
    second: list[Any]
    gap: float
    error: float
    technique: str
    better: float
    other: float
    difficulty: float
    plain: bool = False
    audited: int = 0

    def rules(self) -> AnyGame:
        """Return the game with the rules of the puzzle.

        Raises:
            UnknownRules: these rules cannot be played here.
        """
        return catalog.get(self.game).at(self.version)

    def setup(self) -> Setup:
        """Return the setup of the puzzle's deal."""
        return dealt(self.rules(), self.seats, self.number, self.options)

    def position(self) -> tuple[AnyState, Seat]:
        """Return the puzzle's position, and the seat that is asked.

        Raises:
            Stale: the rules have changed since the puzzle was made.
        """
        state, _ = self.replayed()
        return state, state.to_act()[0]

    def replayed(self) -> tuple[AnyState, list[tuple[Seat, Action]]]:
        """Return the puzzle's position, and each action that led to it with its seat.

        Raises:
            Stale: the rules have changed since the puzzle was made.
        """
        state, steps = self.rules().deal(self.setup()), list[tuple[Seat, Action]]()
        places = [int(place) for place in self.way.split(".") if place]
        while waiting := state.to_act():
            seat = waiting[0]
            actions = state.legal_actions(seat)
            place = 0
            if len(actions) > 1:
                if not places:
                    break
                place = places.pop(0)
            if place >= len(actions):
                raise StalePuzzle(f"puzzle {self.number} of {self.game}")
            steps.append((seat, actions[place]))
            state.push(seat, actions[place])
        if places or digest(self.game, state) != self.digest or not state.to_act():
            raise StalePuzzle(f"puzzle {self.number} of {self.game}")
        return state, steps

    def right(self) -> list[Action]:
        """Return the decisions that count as right, best first."""
        return [self.rules().action(answer) for answer in self.answers]

    def solves(self, state: AnyState, seat: Seat, action: Action) -> bool:
        """Return whether a legal decision here is right: an answer, or one that leads to the same
        position."""
        answers = self.right()
        if action in answers:
            return True
        reached = _after(state, seat, action)
        return any(reached == _after(state, seat, answer) for answer in answers)


def _after(state: AnyState, seat: Seat, action: Action) -> bytes:
    fresh = state.clone()
    fresh.push(seat, action)
    return fresh.fingerprint()


def dealt(game: AnyGame, seats: int, number: int, options: dict[str, Value] | None = None) -> Setup:
    """Return the setup of the game with this number."""
    seed = Commitment(number.to_bytes(SEED_BYTES, "big"), bytes(NONCE_BYTES))
    return game.setup(seats, seed.deal_key([]), **(options or {}))


def read(text: str) -> list[Puzzle]:
    """Parse the puzzles in a file.

    Raises:
        ValueError: a line is not a puzzle.
    """
    return [msgspec.json.decode(line, type=Puzzle) for line in text.splitlines() if line.strip()]


def line(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of the file."""
    return msgspec.json.encode(puzzle).decode() + "\n"


@cache
def kept(key: str) -> dict[int, Puzzle]:
    """Return the puzzles of a game by number, or {} if it has none."""
    file = folder() / "puzzles" / f"{key}.jsonl"
    found = read(file.read_text(encoding="utf-8")) if file.exists() else []
    return {puzzle.number: puzzle for puzzle in found}


Cut: TypeAlias = Callable[[str, int, bool], "Puzzle | None"]
"""A function that returns the puzzle of the game with this key and number, or None if it gives none. The flag
allows puzzles that Steady solves."""


def cut(key: str, number: int, plain_too: bool) -> Puzzle | None:
    """Return the puzzle of the game with this number. The same arguments give the same result on any machine.

    Raises:
        ValueError: the game has no study.
    """
    game = catalog.get(key)
    if game.study is None:
        raise ValueError(f"{key} has no study")
    return _cut(game, game.study, number, plain_too=plain_too)


def make(game: AnyGame, before: Sequence[Puzzle], count: int, by: Cut = cut) -> Iterator[Puzzle | int]:
    """Yield new puzzles until there are `count`, including those in `before`.

    Game numbers continue after those of `before`. The number of each game that gave no puzzle is yielded too.
    `by` is called with one number after another.

    Raises:
        ValueError: the game has no study.
    """
    if game.study is None:
        raise ValueError(f"{game.key} has no study")
    found = len(before)
    plain = sum(puzzle.plain for puzzle in before)
    number = max((puzzle.number for puzzle in before), default=0)
    while found < count:
        number += 1
        puzzle = by(game.key, number, plain <= PLAIN * found)
        if puzzle is None:
            yield number
            continue
        found += 1
        plain += puzzle.plain
        yield puzzle


@cache
def _length(key: str, seats: int) -> int:
    """Return how many decisions a game has, counting only the start from which a puzzle may be cut."""
    game = catalog.get(key)
    rng, state = random.Random(f"puzzle/{key}/{seats}"), game.deal(dealt(game, seats, 0))
    return sum(1 for _ in _decisions(game, state, rng, []))


def _decisions(
    game: AnyGame, state: AnyState, rng: random.Random, way: list[int]
) -> Iterator[tuple[Seat, Any, Sequence[Action], Action]]:
    """Yield the decisions of Steady against itself: seat, observation, legal actions, and the action it will
    take.

    After each yield the action is carried out and added to `way`.
    """
    steady = game.opponents[levels.STEADY]
    for _ in range(MOST_STEPS):
        if not (waiting := state.to_act()):
            return
        seat = waiting[0]
        actions = state.legal_actions(seat)
        action = actions[0]
        if len(actions) > 1:
            seen = state.observe(seat)
            action = steady(seen, actions, rng)
            yield seat, seen, actions, action
            way.append(actions.index(action))
        state.push(seat, action)


def _cut(game: AnyGame, study: Study, number: int, *, plain_too: bool) -> Puzzle | None:
    rng = random.Random(f"puzzle/{game.key}/{number}")
    tables = [seats for seats in game.seats(game.defaults()) if 1 < seats <= MOST_SEATS]
    seats = tables[number % len(tables)]
    setup = dealt(game, seats, number)
    state, way = game.deal(setup), list[int]()
    begin, looks = rng.randrange(max(1, _length(game.key, seats) - LOOKS // 2)), 0
    for met, (seat, seen, actions, steady) in enumerate(_decisions(game, state, rng, way)):
        if met < begin or not LEAST_CHOICES <= len(actions) <= MOST_CHOICES:
            continue
        looks += 1
        if looks > LOOKS:
            return None
        found = _found(_Asked(game, study, seen, actions, steady), rng, plain_too=plain_too)
        if found is not None:
            return Puzzle(
                game=game.key,
                number=number,
                version=game.version,
                seats=seats,
                way=".".join(map(str, way)),
                digest=digest(game.key, state),
                answers=tuple(as_json(action) for action in found.answers),
                second=as_json(found.second.action),
                gap=round(found.lead, 3),
                error=round(found.error, 4),
                technique=found.reason.measure,
                better=round(found.reason.better, 2),
                other=round(found.reason.other, 2),
                difficulty=found.difficulty,
                plain=steady in found.answers,
            )
    return None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A decision of Steady: what it saw, its legal actions, and its choice."""

    game: AnyGame
    study: Study
    seen: Any
    actions: Sequence[Action]
    steady: Action

    def missed(self, answers: Sequence[Action], rng: random.Random) -> float:
        """Return the share of the weaker levels' tries that are not among these answers, from 0 to 1."""
        tries = [
            self.game.opponents[level](self.seen, self.actions, rng) for level in ASKED for _ in range(TIMES)
        ]
        return round(sum(action not in answers for action in tries) / len(tries), 2)


@dataclass(frozen=True, slots=True)
class _Finding:
    """The result of a search: the best decisions, the next best, the lead over it, the reason, and the
    difficulty."""

    answers: list[Action]
    second: Candidate
    lead: float
    error: float
    reason: Difference
    difficulty: float


def _found(asked: _Asked, rng: random.Random, *, plain_too: bool) -> _Finding | None:
    """Return the best decision in a position if it is beyond doubt and worth asking for."""
    few, many = asked.game.puzzle_tries
    verdict = asked.study.think(asked.seen, asked.actions, rng, tries=few, also=[asked.steady])
    if not _promises(verdict) or (verdict.action == asked.steady and not plain_too):
        return None
    difficulty = asked.missed([verdict.action], rng)
    if difficulty < LEAST_MISSED:
        return None
    again = asked.study.think(asked.seen, asked.actions, rng, tries=many, also=asked.actions)
    return _finding(asked.game, again, verdict.action, difficulty)


def _promises(verdict: Verdict) -> bool:
    """Return whether a first search justifies a second. Few tries cannot prove more."""
    best, *others = verdict.candidates
    leads = (best.lead(other) for other in others)
    lead, error = next((one for one in leads if one != (0.0, 0.0)), (0.0, 1.0))
    return lead >= max(LEAST_GAP, error)


def _finding(game: AnyGame, verdict: Verdict, expected: Action, difficulty: float) -> _Finding | None:
    """Return the finding of the deciding search, or None if a doubt remains or it has no reason."""
    best, *others = verdict.candidates
    same = [other for other in others if best.lead(other) == (0.0, 0.0)]
    if any(min(len(best.values), len(other.values)) < SAME_WORLDS for other in same):
        return None  # too few samples to conclude that they are the same
    answers = [best.action, *(other.action for other in same)]
    second = next((other for other in others if other not in same), None)
    if second is None or expected not in answers:
        return None
    lead, error = best.lead(second)
    if lead < max(LEAST_GAP, MARGIN * error):
        return None
    found = reasons(game, verdict.candidates, best, second)
    return _Finding(answers, second, lead, error, found[0], difficulty) if found else None


def to_audit(puzzles: Iterable[Puzzle], games: int) -> list[Puzzle]:
    """Return up to `games` puzzles not audited yet, spread over the whole file."""
    waiting = [puzzle for puzzle in puzzles if not puzzle.audited]
    looks = min(games, len(waiting))
    return [waiting[nth * len(waiting) // looks] for nth in range(looks)]


def audited(puzzle: Puzzle, times: int) -> Puzzle | None:
    """Return the puzzle updated by a search with `times` as many tries.

    Return None if its answer no longer leads clearly and by enough, or if no measure explains the lead.

    Raises:
        Stale: the puzzle no longer leads to its position, because the rules have changed.
        UnknownRules: the version of the rules that the puzzle uses cannot be played here.
        ValueError: the game has no study.
    """
    game = puzzle.rules()
    if game.study is None:
        raise ValueError(f"{game.key} has no study")
    state, seat = puzzle.position()
    seen, actions = state.observe(seat), state.legal_actions(seat)
    rng = random.Random(f"audit/{game.key}/{puzzle.number}")
    tries = times * game.puzzle_tries[1]
    verdict = game.study.think(seen, actions, rng, tries=tries, also=actions)
    best, *others = verdict.candidates
    answers = puzzle.right()
    second = next((other for other in others if other.action not in answers), None)
    if best.action not in answers or second is None:
        return None
    lead, error = best.lead(second)
    found = reasons(game, verdict.candidates, best, second)
    if lead <= SURE * error or round(lead, 3) < STANDING or not found:
        return None
    reason = found[0]
    return msgspec.structs.replace(
        puzzle,
        technique=reason.measure,
        better=round(reason.better, 2),
        other=round(reason.other, 2),
        second=as_json(second.action),
        gap=round(lead, 3),
        error=round(error, 4),
        audited=tries,
    )
