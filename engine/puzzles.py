"""Puzzles: positions of games of Steady against itself in which one decision is better beyond doubt.

Each game is dealt from its number, and gives one puzzle or none. A study tries the decisions of a position a
few times; where one seems to lead, all of them are tried again, often and in fresh worlds. What the answer
brings is said by the measure in which it differs most from the second best.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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

TRIES: Final[Mapping[str, tuple[int, int]]] = {"duel52": (32, 160)}
FEW, MANY = 96, 400
"""Tries of a first look, and of the one that decides; less where one try is a whole turn."""
LEAST_GAP: Final = 0.03
"""By so much of the win the answer must lead."""
STANDING: Final = LEAST_GAP / 2
"""In an audit the lead may turn out to be less, since it was chosen for being large, but not by more than
half: what is sure and nobody feels is no puzzle."""
MARGIN: Final = 3.0
"""The lead exceeds so many of its standard errors: of hundreds of puzzles hardly one is there by luck."""
SAME_WORLDS: Final = 12
"""After so many worlds that came to the same, two decisions are the same."""
LEAST_CHOICES, MOST_CHOICES = 3, 60
MOST_SEATS: Final = 5
MOST_STEPS: Final = 160
"""Puzzles of long games are cut from their beginning: each press replays them."""
LOOKS: Final = 8
"""Decisions of a game that are looked at before it is given up."""
PLAIN: Final = 0.75
"""At most so many of all puzzles are those that Steady solves."""
LEAST_MISSED: Final = 0.15
"""A puzzle that all levels solve nearly always is none."""
ASKED = (levels.NEWCOMER, levels.CASUAL, levels.STEADY)
TIMES: Final = 5
"""The levels that say how difficult a puzzle is, and how often each is asked."""


class Stale(ValueError):
    """A puzzle that does not lead to the position that it was cut from: the rules have moved on."""


class Puzzle(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One puzzle.

    `way` are the actions so far, each as its place among the legal ones of the first seat that must act;
    forced ones are left out. `digest` stands for the position that they lead to, in which that seat is
    asked. `answers` are the decisions that count as right, the best first; they lead `second` by `gap`, a
    share of the win, with standard error `error`. `technique` is the measure in which the first answer
    differs most from `second`, by its means `better` and `other`. `difficulty` is how many of the weaker
    levels' tries miss it, from 0 to 1; `plain` says that Steady solved it in its game. `audited` is with
    how many tries it was looked through again.
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
        """The game by the rules of the puzzle.

        Raises:
            UnknownRules: they are not played here.
        """
        return catalog.get(self.game).at(self.version)

    def setup(self) -> Setup:
        """The deal."""
        return dealt(self.rules(), self.seats, self.number, self.options)

    def position(self) -> tuple[AnyState, Seat]:
        """The position that is asked about, and the seat that is asked.

        Raises:
            Stale: the rules have moved on without the puzzle.
        """
        state, _ = self.replayed()
        return state, state.to_act()[0]

    def replayed(self) -> tuple[AnyState, list[tuple[Seat, Action]]]:
        """The position that is asked about, and each action that led to it with its seat.

        Raises:
            Stale: the rules have moved on without the puzzle.
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
                raise Stale(f"puzzle {self.number} of {self.game}")
            steps.append((seat, actions[place]))
            state.push(seat, actions[place])
        if places or digest(self.game, state) != self.digest or not state.to_act():
            raise Stale(f"puzzle {self.number} of {self.game}")
        return state, steps

    def right(self) -> list[Action]:
        """The decisions that count as right, the best first."""
        return [self.rules().action(answer) for answer in self.answers]

    def solves(self, state: AnyState, seat: Seat, action: Action) -> bool:
        """Whether a legal decision in this position is right: one of the answers, or one that leads where an
        answer leads."""
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
    """The setup of the game of this number."""
    seed = Commitment(number.to_bytes(SEED_BYTES, "big"), bytes(NONCE_BYTES))
    return game.setup(seats, seed.deal_key([]), **(options or {}))


def read(text: str) -> list[Puzzle]:
    """The puzzles of a file.

    Raises:
        ValueError: a line is none.
    """
    return [msgspec.json.decode(line, type=Puzzle) for line in text.splitlines() if line.strip()]


def line(puzzle: Puzzle) -> str:
    """A puzzle as a line of the file."""
    return msgspec.json.encode(puzzle).decode() + "\n"


@cache
def kept(key: str) -> dict[int, Puzzle]:
    """The puzzles of a game by number; none where there are none."""
    file = folder() / "puzzles" / f"{key}.jsonl"
    found = read(file.read_text(encoding="utf-8")) if file.exists() else []
    return {puzzle.number: puzzle for puzzle in found}


Cut: TypeAlias = Callable[[str, int, bool], "Puzzle | None"]
"""The puzzle of a game of this key and number, perhaps one that Steady solves; None where it gives none."""


def cut(key: str, number: int, plain_too: bool) -> Puzzle | None:
    """The puzzle of the game of this number. The same arguments give the same on any machine.

    Raises:
        ValueError: the game has no study.
    """
    game = catalog.get(key)
    if game.study is None:
        raise ValueError(f"{key} has no study")
    return _cut(game, game.study, number, plain_too=plain_too)


def make(game: AnyGame, before: Sequence[Puzzle], count: int, by: Cut = cut) -> Iterator[Puzzle | int]:
    """Puzzles until there are `count`, counting those of `before`, after which the games go on; between them
    the number of each game that gave none. `by` is asked for one number after the other.

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
    """How many decisions a game takes, or those of its beginning that may become a puzzle."""
    game = catalog.get(key)
    rng, state = random.Random(f"puzzle/{key}/{seats}"), game.deal(dealt(game, seats, 0))
    return sum(1 for _ in _decisions(game, state, rng, []))


def _decisions(
    game: AnyGame, state: AnyState, rng: random.Random, way: list[int]
) -> Iterator[tuple[Seat, Any, Sequence[Action], Action]]:
    """The decisions of Steady against itself: seat, what it sees, what it may do, what it is about to do.
    Once one was looked at it is made, and added to `way`."""
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
    """The puzzle of the game of this number."""
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
    """A decision of Steady: what it saw, what it might do, what it did."""

    game: AnyGame
    study: Study
    seen: Any
    actions: Sequence[Action]
    steady: Action

    def missed(self, answers: Sequence[Action], rng: random.Random) -> float:
        """How many of the weaker levels' tries are none of these, from 0 to 1."""
        tries = [
            self.game.opponents[level](self.seen, self.actions, rng) for level in ASKED for _ in range(TIMES)
        ]
        return round(sum(action not in answers for action in tries) / len(tries), 2)


@dataclass(frozen=True, slots=True)
class _Finding:
    """What a search says: the decisions that are best, the next one, by how much they lead, and why."""

    answers: list[Action]
    second: Candidate
    lead: float
    error: float
    reason: Difference
    difficulty: float


def _found(asked: _Asked, rng: random.Random, *, plain_too: bool) -> _Finding | None:
    """What is best in a position, where that is beyond doubt and worth asking for."""
    few, many = tries_of(asked.game.key)
    verdict = asked.study.think(asked.seen, asked.actions, rng, tries=few, also=[asked.steady])
    if not _promises(verdict) or (verdict.action == asked.steady and not plain_too):
        return None
    difficulty = asked.missed([verdict.action], rng)
    if difficulty < LEAST_MISSED:
        return None
    again = asked.study.think(asked.seen, asked.actions, rng, tries=many, also=asked.actions)
    return _finding(asked.game, again, verdict.action, difficulty)


def tries_of(key: str) -> tuple[int, int]:
    """How often the decisions of this game are tried: at first, and to decide."""
    return TRIES.get(key, (FEW, MANY))


def _promises(verdict: Verdict) -> bool:
    """Whether a first look gives reason for another: few tries cannot be sure of more."""
    best, *others = verdict.candidates
    leads = (best.lead(other) for other in others)
    lead, error = next((one for one in leads if one != (0.0, 0.0)), (0.0, 1.0))
    return lead >= max(LEAST_GAP, error)


def _finding(game: AnyGame, verdict: Verdict, expected: Action, difficulty: float) -> _Finding | None:
    """What the look says that decides; None where it leaves a doubt, or finds no reason."""
    best, *others = verdict.candidates
    same = [other for other in others if best.lead(other) == (0.0, 0.0)]
    if any(min(len(best.values), len(other.values)) < SAME_WORLDS for other in same):
        return None  # too few worlds to say so
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
    """So many puzzles that nobody has audited yet, spread over the whole file."""
    waiting = [puzzle for puzzle in puzzles if not puzzle.audited]
    looks = min(games, len(waiting))
    return [waiting[nth * len(waiting) // looks] for nth in range(looks)]


def audited(puzzle: Puzzle, times: int) -> Puzzle | None:
    """The puzzle as a search with `times` the tries sees it; None where its answer no longer leads beyond
    doubt and by enough, or nothing says why.

    Raises:
        Stale: the rules have moved on without it.
        UnknownRules: so have they, to another version.
    """
    game = puzzle.rules()
    if game.study is None:
        raise ValueError(f"{game.key} has no study")
    state, seat = puzzle.position()
    seen, actions = state.observe(seat), state.legal_actions(seat)
    rng = random.Random(f"audit/{game.key}/{puzzle.number}")
    tries = times * tries_of(game.key)[1]
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
