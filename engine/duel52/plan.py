"""A whole turn as one plan: what each decision leads to once all actions of the turn are used.

All kinds of decisions are tried; the best few go on, action by action, to the end of the turn. Orders that
come to the same position count as one plan, so the first move of each of them gets its value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from engine.duel52.alike import kinds
from engine.duel52.marks import UP
from engine.duel52.moves import Move
from engine.duel52.outlook import chances, interest, judge, revised, side_seats, standing, worths
from engine.duel52.sample import World

_LENGTH: Final = 7
"""No plan is longer: three actions, one more for each Ace, which a King can wake again."""
_ANSWERS: Final = 8
"""How many answers to a power are looked at within a plan."""
_ACTION: Final = 0.5
"""What an action of the enemy is worth that is no attack."""
_KILL: Final = 1.0
"""What each face-up card that a turn kills is worth beside what the judge sees, less those it loses."""
_SOON: Final = 0.01
"""A win is better an action earlier."""

Judge: TypeAlias = Callable[[World, int], float]
"""What a position is worth to a seat, the better the higher; below that of a win in any case."""


class Effort(NamedTuple):
    """How much of a turn is looked at; what is counted is the same on every machine."""

    first: int
    """How many decisions are followed to the end of the turn."""
    width: int
    """How many beginnings of a plan go on after each further action."""
    replies: int
    """How many turns are looked at with the attacks that may answer them."""
    tries: int
    """After so many positions only the best plan goes on."""
    all: int
    """After so many positions no more answers are looked at."""
    gambles: bool = True
    """Whether a plan goes on with the flip of a card that the seat does not know, which a world makes up."""
    judge: Judge | None = None
    """Says which of the turns that are looked at with their answers is best; None: `outlook`."""


STEADY: Final = Effort(first=6, width=4, replies=8, tries=400, all=600)
"""For a choice in one world."""


class Turn(NamedTuple):
    """The best turn found: its value, and the position after what may answer it."""

    value: float
    end: World


class _Line(NamedTuple):
    """A beginning of a plan: value, what its looks promise, where it leads, with what moves it may begin.

    `rows` is what the rows are worth there.
    """

    value: float
    hope: float
    state: World
    rows: list[float]
    firsts: tuple[int, ...]


def plans(world: World, seat: int, moves: Sequence[Move], effort: Effort = STEADY) -> list[float]:
    """By move: the value of the best turn found that begins with it."""
    return [found.value for found in _Search(seat, effort).turns(world, moves)]


def turn(world: World, seat: int, move: Move, effort: Effort) -> Turn:
    """The best turn found that begins with a move."""
    return _Search(seat, effort).turns(world, (move,))[0]


class _Search:
    """One search for a turn: whose it is, and how many positions it has looked at."""

    def __init__(self, seat: int, effort: Effort) -> None:
        self.seat = seat
        self.effort = effort
        self.tries = 0

    def turns(self, world: World, moves: Sequence[Move]) -> list[Turn]:
        """By move: the best turn found that begins with it."""
        seat, effort = self.seat, self.effort
        start = _Line(0.0, 0.0, world, worths(world, seat), ())
        lines = [self._tried(start, move, firsts) for move, firsts in kinds(world, seat, moves).items()]
        alone = [Turn(0.0, world)] * len(moves)
        for line in lines:
            for first in line.firsts:
                alone[first] = Turn(line.value, line.state)
        found: dict[int, Turn] = {}
        ends: list[_Line] = []
        width = effort.first
        for length in range(_LENGTH):
            front = _best(_going(lines, seat, ends), width)
            over = (line for line in lines if line.state.ranks)
            _note(((line, Turn(line.value - _SOON * length, line.state)) for line in over), found)
            if not front:
                break
            lines = [
                self._tried(line, move, line.firsts)
                for place, line in enumerate(front)
                if not place or self.tries < effort.tries
                for move in kinds(line.state, seat, self._options(line.state))
            ]
            width = effort.width
        _note(
            (
                (line, self._replied(line))
                for place, line in enumerate(_best(ends, effort.replies))
                if not place or self.tries < effort.all
            ),
            found,
        )
        if not found:
            return alone
        # what was not followed stands below, in the order of the first look
        worst = min(best.value for best in found.values())
        lowest = min(alone[first].value for first in found)
        return [
            found[first] if first in found else look._replace(value=worst + min(0.0, look.value - lowest))
            for first, look in enumerate(alone)
        ]

    def _options(self, state: World) -> Sequence[Move]:
        """The moves with which a plan may go on."""
        moves = state.legal_actions(self.seat)
        if self.effort.gambles:
            return moves
        known = side_seats(state, self.seat)
        return [move for move in moves if move.verb != "flip" or state.known[move.unit] & known] or moves

    def _after(self, state: World, move: Move) -> World:
        """The position after a decision of whoever is to act."""
        self.tries += 1
        after = state.clone()
        after.push(state.turn, move)
        return after

    def _tried(self, line: _Line, move: Move, firsts: tuple[int, ...]) -> _Line:
        """How a plan looks after one more decision, and after good answers to what it asks for."""
        seat = self.seat
        hope = line.hope
        if move.verb == "look":
            hope += interest(line.state, seat, move.target)
            state = _looked(line.state, move)
        else:
            state = self._after(line.state, move)
            if move.verb == "attack":
                hope += _KILL * _kills(line.state, state, move)
        if not state.asks:
            rows = revised(line.rows, line.state, state, seat, move)
            value = standing(state, seat, rows) + chances(state, seat) + hope
            return _Line(value, hope, state, rows, firsts)
        while state.asks and not state.ranks:
            # one answer at a time: looking at all orders of a King's list would take minutes
            options = kinds(state, seat, state.legal_actions(seat))
            if next(iter(options)).verb == "look":
                best = max(options, key=lambda one: interest(state, seat, one.target))
                hope += interest(state, seat, best.target)
                state = _looked(state, best)
            else:
                tried = [self._after(state, answer) for answer in list(options)[:_ANSWERS]]
                state = max(tried, key=lambda after: judge(after, seat))
        rows = worths(state, seat)
        return _Line(standing(state, seat, rows) + chances(state, seat) + hope, hope, state, rows, firsts)

    def _replied(self, line: _Line) -> Turn:
        """A plan after the attacks that the next seat can make with what lies face-up.

        Only what everybody can see attacks, so it matters little what the world makes of hidden cards.
        """
        seat, state, rows = self.seat, line.state, line.rows
        enemy = state.turn
        value = standing(state, seat, rows)
        while not state.ranks and state.turn == enemy:
            least, chosen = value - _ACTION, None
            attacks = [move for move in state.legal_actions(enemy) if move.verb == "attack"]
            for move in kinds(state, enemy, attacks):
                after = self._after(state, move)
                # what the next turn may do is no matter of this one
                worth = revised(rows, state, after, seat, move)
                now = standing(after, seat, worth)
                if now < least:
                    least, chosen = now, (after, worth)
            if chosen is None:
                break
            value, (state, rows) = least, chosen
        judge = self.effort.judge
        if judge is not None and not state.ranks:
            return Turn(judge(state, seat), state)
        if not state.ranks and state.turn == enemy:
            value -= _ACTION * state.actions
        return Turn(value + line.hope, state)


def _going(lines: Sequence[_Line], seat: int, ends: list[_Line]) -> list[_Line]:
    """The plans whose turn goes on; those whose turn is over are added to the ends."""
    rest: list[_Line] = []
    for line in lines:
        if not line.state.ranks:
            (rest if line.state.turn == seat else ends).append(line)
    return rest


def _note(plans: Iterable[tuple[_Line, Turn]], found: dict[int, Turn]) -> None:
    """Keep the best turn for each move with which a plan may begin."""
    for line, end in plans:
        for first in line.firsts:
            if first not in found or end.value > found[first].value:
                found[first] = end


def _best(lines: Sequence[_Line], count: int) -> list[_Line]:
    """The best beginnings, those that come to the same as one."""
    kept: dict[tuple[float, int], _Line] = {}
    for line in sorted(lines, key=lambda line: -line.value):
        key = (round(line.value, 9), line.state.actions)
        same = kept.get(key)
        if same is not None:
            kept[key] = same._replace(firsts=tuple({*same.firsts, *line.firsts}))
        elif len(kept) < count:
            kept[key] = line
    return list(kept.values())


def _kills(before: World, after: World, move: Move) -> int:
    """How many more face-up cards an attack killed than it lost."""
    shown = [one for one in (move.target, move.second) if one >= 0 and before.flags[one] & UP]
    own = [one for one in (move.unit, before.mate[move.unit]) if one >= 0]
    return sum(after.place[one] < 0 for one in shown) - sum(after.place[one] < 0 for one in own)


def _looked(state: World, move: Move) -> World:
    """The position after a look, but for what it shows.

    A world makes up what a look shows: to judge it by that would be to choose by chance.
    """
    after = state.clone()
    after.push(state.turn, move)
    after.known[move.target] = state.known[move.target]
    return after
