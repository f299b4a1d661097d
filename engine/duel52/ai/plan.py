"""Planning a whole turn: the value of each move once all actions of the turn are used.

All kinds of moves are tried; the best few are continued, action by action, to the end of the turn. Different
orders that reach the same position count as one plan, and each of their first moves gets its value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from engine.duel52.ai.alike import kinds
from engine.duel52.ai.outlook import chances, interest, judge, revised, side_seats, standing, worths
from engine.duel52.marks import UP
from engine.duel52.moves import Move
from engine.duel52.sample import World

_LENGTH: Final = 7
"""Maximum length of a plan: three actions, plus one for each Ace, which a King can trigger again."""
_ANSWERS: Final = 8
"""Number of answers to a power that are examined within a plan."""
_ACTION: Final = 0.5
"""Value of an enemy action that is not an attack."""
_KILL: Final = 1.0
"""Bonus for each face-up card a turn kills, minus those it loses, on top of the evaluation."""
_SOON: Final = 0.01
"""Penalty per action before a win, so that an earlier win is better."""

Judge: TypeAlias = Callable[[World, int], float]
"""An evaluation of a position for a seat: higher is better, and always below a win."""


class Effort(NamedTuple):
    """Limits of a turn search. They count work, not time, so results are the same on every machine."""

    first: int
    """Number of first moves followed to the end of the turn."""
    width: int
    """Number of partial plans kept after each further action."""
    replies: int
    """Number of turns examined with the attacks that may answer them."""
    tries: int
    """Number of positions after which only the best plan is continued."""
    all: int
    """Number of positions after which no more answers are examined."""
    gambles: bool = True
    """Whether plans may flip cards the seat does not know, whose identity comes from the sample."""
    judge: Judge | None = None
    """Evaluation that compares turns after their answers. If None, `outlook` does."""


STEADY: Final = Effort(first=6, width=4, replies=8, tries=400, all=600)
"""Effort for a choice in one sample."""


class Turn(NamedTuple):
    """The best turn found: its value, and the position after the expected answer."""

    value: float
    end: World


class _Line(NamedTuple):
    """A partial plan: value, expected gain from looks, position, row values, and possible first moves.

    `rows` holds the values of the rows in `state`.
    """

    value: float
    hope: float
    state: World
    rows: list[float]
    firsts: tuple[int, ...]


def plans(world: World, seat: int, moves: Sequence[Move], effort: Effort = STEADY) -> list[float]:
    """Return for each move the value of the best turn found that begins with it."""
    return [found.value for found in _Search(seat, effort).turns(world, moves)]


def turn(world: World, seat: int, move: Move, effort: Effort) -> Turn:
    """Return the best turn found that begins with a move."""
    return _Search(seat, effort).turns(world, (move,))[0]


class _Search:
    """One search for a turn of `seat`; `tries` counts the positions examined."""

    def __init__(self, seat: int, effort: Effort) -> None:
        self.seat = seat
        self.effort = effort
        self.tries = 0

    def turns(self, world: World, moves: Sequence[Move]) -> list[Turn]:
        """Return for each move the best turn found that begins with it."""
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
        # moves that were not followed rank below, in the order of their first evaluation
        worst = min(best.value for best in found.values())
        lowest = min(alone[first].value for first in found)
        return [
            found[first] if first in found else look._replace(value=worst + min(0.0, look.value - lowest))
            for first, look in enumerate(alone)
        ]

    def _options(self, state: World) -> Sequence[Move]:
        """Return the moves that may continue a plan."""
        moves = state.legal_actions(self.seat)
        if self.effort.gambles:
            return moves
        known = side_seats(state, self.seat)
        return [move for move in moves if move.verb != "flip" or state.known[move.unit] & known] or moves

    def _after(self, state: World, move: Move) -> World:
        """Return the position after a move of the acting seat."""
        self.tries += 1
        after = state.clone()
        after.push(state.turn, move)
        return after

    def _tried(self, line: _Line, move: Move, firsts: tuple[int, ...]) -> _Line:
        """Return a plan extended by one move and by good answers to the choices it raises."""
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
            # one answer at a time: examining all orders of a King's list would take minutes
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
        """Return a plan's turn after the attacks the next seat can make with its face-up cards.

        Only public cards attack, so the sampled identities of hidden cards matter little.
        """
        seat, state, rows = self.seat, line.state, line.rows
        enemy = state.turn
        value = standing(state, seat, rows)
        while not state.ranks and state.turn == enemy:
            least, chosen = value - _ACTION, None
            attacks = [move for move in state.legal_actions(enemy) if move.verb == "attack"]
            for move in kinds(state, enemy, attacks):
                after = self._after(state, move)
                # ignore the actions of the seat's own next turn
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
    """Return the plans whose turn continues; add those whose turn is over to `ends`."""
    rest: list[_Line] = []
    for line in lines:
        if not line.state.ranks:
            (rest if line.state.turn == seat else ends).append(line)
    return rest


def _note(plans: Iterable[tuple[_Line, Turn]], found: dict[int, Turn]) -> None:
    """Keep the best turn for each first move of these plans."""
    for line, end in plans:
        for first in line.firsts:
            if first not in found or end.value > found[first].value:
                found[first] = end


def _best(lines: Sequence[_Line], count: int) -> list[_Line]:
    """Return the best partial plans, merging those that reach the same position."""
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
    """Return the number of face-up targets an attack killed minus the attackers it lost."""
    shown = [one for one in (move.target, move.second) if one >= 0 and before.flags[one] & UP]
    own = [one for one in (move.unit, before.mate[move.unit]) if one >= 0]
    return sum(after.place[one] < 0 for one in shown) - sum(after.place[one] < 0 for one in own)


def _looked(state: World, move: Move) -> World:
    """Return the position after a look, but without the knowledge it gives.

    The card comes from the sample, so judging the look by it would mean choosing at random.
    """
    after = state.clone()
    after.push(state.turn, move)
    after.known[move.target] = state.known[move.target]
    return after
