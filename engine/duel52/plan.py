"""A whole turn as one plan: what each decision leads to once all actions of the turn are used.

All kinds of decisions are tried; the best few go on, action by action, to the end of the turn. Orders that
come to the same position count as one plan, so the first move of each of them gets its value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from engine.duel52.alike import kinds
from engine.duel52.marks import UP
from engine.duel52.moves import Move
from engine.duel52.outlook import WON, chances, interest, judge, revised, standing, worths
from engine.duel52.sample import World

_FIRST: Final = 6
"""How many decisions are followed to the end of the turn."""
_WIDTH: Final = 4
"""How many beginnings of a plan go on after each further action."""
_LENGTH: Final = 7
"""No plan is longer: three actions, one more for each Ace, which a King can wake again."""
_ANSWERS: Final = 8
"""How many answers to a power are looked at within a plan."""
_REPLIES: Final = 8
"""How many turns are looked at with the attacks that may answer them."""
_TRIES: Final = 400
_ALL: Final = 600
"""After so many positions only the best plan goes on, and after so many no more answers are looked at. What
is counted is the same on every machine."""
_ACTION: Final = 0.5
"""What an action of the enemy is worth that is no attack."""
_KILL: Final = 1.0
"""What each face-up card that a turn kills is worth beside what the judge sees, less those it loses."""
_SOON: Final = 0.01
"""A win is better an action earlier."""


class _Line(NamedTuple):
    """A beginning of a plan: value, what its looks promise, where it leads, with what moves it may begin.

    `rows` is what the rows are worth there.
    """

    value: float
    hope: float
    state: World
    rows: list[float]
    firsts: tuple[int, ...]


def plans(world: World, seat: int, moves: Sequence[Move]) -> list[float]:
    """By move: the value of the best turn found that begins with it."""
    return _Search(seat).values(world, moves)


class _Search:
    """One search for a turn: whose it is, and how many positions it has looked at."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.tries = 0

    def values(self, world: World, moves: Sequence[Move]) -> list[float]:
        """By move: the value of the best turn found that begins with it."""
        seat = self.seat
        start = _Line(0.0, 0.0, world, worths(world, seat), ())
        lines = [self._tried(start, move, firsts) for move, firsts in kinds(world, seat, moves).items()]
        alone = [0.0] * len(moves)
        for line in lines:
            for first in line.firsts:
                alone[first] = line.value
        found: dict[int, float] = {}
        ends: list[_Line] = []
        width = _FIRST
        for length in range(_LENGTH):
            front = _best(_going(lines, seat, ends), width)
            _note(((line, line.value - _SOON * length) for line in lines if line.state.ranks), found)
            if not front:
                break
            lines = [
                self._tried(line, move, line.firsts)
                for place, line in enumerate(front)
                if not place or self.tries < _TRIES
                for move in kinds(line.state, seat, line.state.legal_actions(seat))
            ]
            width = _WIDTH
        _note(
            (
                (line, self._replied(line) + line.hope)
                for place, line in enumerate(_best(ends, _REPLIES))
                if not place or self.tries < _ALL
            ),
            found,
        )
        if not found:
            return alone
        # what was not followed stands below, in the order of the first look
        worst = min(found.values())
        lowest = min(alone[first] for first in found)
        return [
            found[first] if first in found else worst + min(0.0, value - lowest)
            for first, value in enumerate(alone)
        ]

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

    def _replied(self, line: _Line) -> float:
        """The value of a plan after the attacks that the next seat can make with what lies face-up.

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
        return value if state.ranks or state.turn != enemy else value - _ACTION * state.actions


def _going(lines: Sequence[_Line], seat: int, ends: list[_Line]) -> list[_Line]:
    """The plans whose turn goes on; those whose turn is over are added to the ends."""
    rest: list[_Line] = []
    for line in lines:
        if not line.state.ranks:
            (rest if line.state.turn == seat else ends).append(line)
    return rest


def _note(plans: Iterable[tuple[_Line, float]], found: dict[int, float]) -> None:
    """Keep the best value for each move with which a plan may begin."""
    for line, value in plans:
        for first in line.firsts:
            if value > found.get(first, -2 * WON):
                found[first] = value


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
