"""Who wins a hand, by the shortest way: the steps of `evaluate` only where one of them can change anything.

Most hands hold no power that meets its match, and between two nothing but Potassium combines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.atom_duel import cards
from engine.atom_duel.evaluate import (
    FUEL,
    JOINERS,
    LABORATORIES,
    NITROGEN_TAKES,
    RADIATION,
    SCIENCE,
    Contest,
    Played,
)

_ALWAYS: Final = cards.MAGNET | cards.CARBIDE | cards.NITROGEN | cards.POTASSIUM
_BETWEEN_TWO: Final = _ALWAYS | cards.CARBON | cards.PRASEODYMIUM
"""Between two, an alloy finds nothing to melt and Oxygen no second."""
_AMONG_MORE: Final = _ALWAYS | cards.OXYGEN
_AGAINST: Final = cards.ANTI_SCIENTIST | cards.ANTI_LABORATORY | cards.STOPPER
_TYING: Final = cards.PLUS_FIVE | cards.DEAD
_COUNTS_BETWEEN_TWO: Final = _BETWEEN_TWO | _AGAINST
_COUNTS_AMONG_MORE: Final = _AMONG_MORE | _AGAINST | JOINERS | _TYING
_MAGNETIC: Final = cards.METAL | cards.IMMUNE
_SCIENTIFIC: Final = cards.SCIENTIST | cards.NOBLE
_FIRST, _SECOND, _BOTH = 1, 2, 3
"""Sets of plays."""


def winner(plays: Sequence[Played], kinds: int, seats: int) -> tuple[int, int]:
    """The winning play's index and doubled value; `kinds` is the union of the plays' bits."""
    found = None
    if seats > 2:
        if not kinds & _COUNTS_AMONG_MORE:
            best = max(plays)
            return plays.index(best), best[0]
        found = _plainly(plays, kinds)
    elif len(plays) == 2:
        first, second = plays[0][0], plays[1][0]
        if not kinds & _COUNTS_BETWEEN_TWO and first != second:
            return (0, first) if first > second else (1, second)
        found = _of_two(plays, kinds)
    if found is not None:
        return found
    contest = Contest(plays, kinds, seats)
    index = contest.run()
    return index, contest.value[index]


def _plainly(plays: Sequence[Played], kinds: int) -> tuple[int, int] | None:
    """The highest number among more than two, or None where more may count."""
    if (
        kinds & _AMONG_MORE
        or kinds & RADIATION == RADIATION
        or kinds & SCIENCE == SCIENCE
        or kinds & LABORATORIES == LABORATORIES
        or (kinds & JOINERS and kinds & cards.ALLOY and _melts(plays))
    ):
        return None
    best = max(plays)
    # who has used a power matters between equal numbers alone, which only Zinc and late cards make
    if kinds & _TYING and [play[0] for play in plays].count(best[0]) > 1:
        return None
    return plays.index(best), best[0]


def _melts(plays: Sequence[Played]) -> bool:
    """Whether somebody joins what lies there: the last to do so has another alloy card before."""
    fuel = [play[3] for play in plays if play[3] & FUEL]
    return any(bits & JOINERS for bits in fuel[1:])


def _of_two(plays: Sequence[Played], kinds: int) -> tuple[int, int] | None:
    """The winner between two, or None where a compound or equal numbers need all steps.

    No card has a power and is of the kind against which that power works.
    """
    (first, _, _, leading, _), (second, _, _, answering, _) = plays
    beaten = 0
    trumping = 0
    if kinds & _BETWEEN_TWO:
        if kinds & cards.POTASSIUM:
            other = answering if leading & cards.POTASSIUM else leading
            if other & _SCIENTIFIC == cards.SCIENTIST:
                return None
        # two magnets cancel each other
        if (leading ^ answering) & cards.MAGNET:
            if leading & cards.MAGNET:
                if answering & _MAGNETIC == cards.METAL:
                    beaten = _SECOND
            elif leading & _MAGNETIC == cards.METAL:
                beaten = _FIRST
        if leading & cards.NITROGEN:
            second -= NITROGEN_TAKES
        elif answering & cards.NITROGEN:
            first -= NITROGEN_TAKES
    if kinds & SCIENCE == SCIENCE:
        if leading & cards.SCIENTIST:
            second = first
            beaten |= _FIRST
            trumping = _SECOND
        else:
            first = second
            beaten |= _SECOND
            trumping = _FIRST
    if kinds & LABORATORIES == LABORATORIES:
        if leading & cards.LABORATORY:
            second = first
            beaten |= _FIRST
            trumping |= _SECOND
        else:
            first = second
            beaten |= _SECOND
            trumping |= _FIRST
    if kinds & RADIATION == RADIATION:
        if leading & cards.RADIOACTIVE:
            second = max(first, second)
            beaten |= _FIRST
        else:
            first = max(first, second)
            beaten |= _SECOND
    if kinds & (cards.CARBON | cards.PRASEODYMIUM) and kinds & cards.ALLOY:
        beaten |= _FIRST if leading & cards.ALLOY else _SECOND
    if kinds & cards.CARBIDE:
        if first == second:
            return None
        cut = _BOTH if leading & answering & cards.CARBIDE else _FIRST if first > second else _SECOND
        cut &= ~trumping
        if cut & _FIRST and first > 0 and not leading & cards.IMMUNE:
            first //= 2
        if cut & _SECOND and second > 0 and not answering & cards.IMMUNE:
            second //= 2
    if beaten == _FIRST:
        return 1, second
    if beaten == _SECOND:
        return 0, first
    if first == second:
        return None
    return (0, first) if first > second else (1, second)
