"""Possible flips, attacks and pairs of the cards of a row, in a fixed order.

Rebuilding these lists for lanes in which nothing had happened took half the time of a random game. A position
therefore keeps the list of each row until something happens in its lane (`touch`).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from engine.duel52.marks import FACES, FROZEN, IDLE, JACKS, LOCKED, SPENT, TWINS, UP
from engine.duel52.moves import ATTACKS, FLIPS, PAIRS, Move, strike
from engine.duel52.position import Able, Position
from engine.game import Seat
from engine.playing_cards import JACK, NINE, TEN

_WARM = UP | FROZEN
"""A card with only the first of these bits can attack unless it is spent."""
_UNLIKE = TWINS | 7 << 3 * TEN
"""The digits of 10s, and of ranks with at least two face-up cards."""


def of_turn(state: Position, seat: Seat) -> list[Move]:
    """Return a seat's legal moves if no choice is pending: plays, then the rest lane by lane."""
    out: list[Move] = []
    plays = state.plays
    for card in state.hands[seat]:
        out += plays[card]
    menus = state.menus
    for at in state.lines[seat]:
        out += menus[at] or of_row(state, at)
    return out


def of_row(state: Position, at: int) -> Sequence[Move]:
    """Return the moves of the cards of a row. The list is cached, so do not modify it."""
    kept = state.menus[at]
    if kept is not None:
        return kept
    flips, fighters, pairs, unlike = state.able[at] or _able(state, at)
    out = [*flips]
    state.menus[at] = out
    if fighters:
        found = targets(state, at)
        flags = state.flags
        if unlike:
            if found:
                _attacks(state, out, fighters, found)
        elif len(found) > 1:
            pick = itemgetter(*found)
            for unit in fighters:
                if not flags[unit] & SPENT:
                    out += pick(ATTACKS[unit])
        elif found:
            target = found[0]
            for unit in fighters:
                if not flags[unit] & SPENT:
                    attacks = ATTACKS[unit]
                    out.append(attacks[target])
    if pairs:
        out += pairs
    return out


def _able(state: Position, at: int) -> Able:
    """Compute and cache the part of a row's moves that does not depend on other rows."""
    flags = state.flags
    flips, fighters = [], []
    for unit in state.rows[at]:
        flag = flags[unit]
        if not flag:
            flips.append(FLIPS[unit])
        elif flag & _WARM == UP:
            fighters.append(unit)
    faces = state.faces[at]
    pairs = _pairs(state, at) if faces & TWINS else ()
    unlike = bool(faces & _UNLIKE) and _are_unlike(state, fighters)
    able = state.able[at] = flips, fighters, pairs, unlike
    return able


def _are_unlike(state: Position, fighters: list[int]) -> bool:
    """Return whether a pair or a 10 is among the attackers; all others attack singly."""
    mates, card = state.mate, state.card
    return any(mates[unit] >= 0 or card[unit] >> 2 == TEN for unit in fighters)


def touch(state: Position, lane: int) -> None:
    """Drop the cached moves of a lane after something happened in it."""
    menus = state.menus
    for at in state.columns[lane]:
        menus[at] = None


def laid(state: Position, at: int, unit: int) -> None:
    """Update the caches for a unit laid face-down: it can be flipped, and others may attack it."""
    menus, able = state.menus, state.able[at]
    kept = menus[at]
    for row in state.columns[at % state.lanes]:
        menus[row] = None
    if able is not None:
        flips, fighters, pairs, unlike = able
        state.able[at] = [*flips, FLIPS[unit]], fighters, pairs, unlike
        if kept is not None:
            menus[at] = longer = [*kept]
            longer.insert(len(flips), FLIPS[unit])


def changed(state: Position, at: int) -> None:
    """Drop the caches of a row whose own moves changed. Other rows' targets stay the same."""
    state.able[at] = state.menus[at] = None


def targets(state: Position, at: int) -> list[int]:
    """Return the units that the cards of a row may attack. Do not modify the list."""
    if state.sides > 2:
        return _targets_of_three(state, at)
    lanes = state.lanes
    other = at - lanes if at >= lanes else at + lanes
    foes = state.rows[other]
    if state.faces[other] & JACKS:
        return _jacks(state, foes)
    bases = state.bases
    if not bases:
        return foes
    return foes[1:] if bases == 1 else _unlocked(state, foes)


def _targets_of_three(state: Position, at: int) -> list[int]:
    rows, faces, bases = state.rows, state.faces, state.bases
    one, two = (other for other in state.columns[at % state.lanes] if other != at)
    if (faces[one] | faces[two]) & JACKS:
        return _jacks(state, rows[one] + rows[two])
    if bases == 1:
        return rows[one][1:] + rows[two][1:]
    foes = rows[one] + rows[two]
    return _unlocked(state, foes) if bases else foes


def _jacks(state: Position, foes: list[int]) -> list[int]:
    flags, card = state.flags, state.card
    return [unit for unit in foes if flags[unit] & UP and card[unit] >> 2 == JACK]


def _unlocked(state: Position, foes: list[int]) -> list[int]:
    flags = state.flags
    return [unit for unit in foes if not flags[unit] & LOCKED]


def is_nimble(state: Position, unit: int) -> bool:
    """Return whether this is a face-up 9."""
    return state.flags[unit] & UP == UP and state.card[unit] >> 2 == NINE


def _attacks(state: Position, out: list[Move], fighters: Sequence[int], found: list[int]) -> None:
    flags, mates, card = state.flags, state.mate, state.card
    several = len(found) > 1
    pick = itemgetter(*found)
    for unit in fighters:
        mate = mates[unit]
        if flags[unit] & SPENT or (mate >= 0 and (mate < unit or flags[mate] & IDLE)):
            continue
        if not several:
            out.append(pick(ATTACKS[unit]))
        elif card[unit] >> 2 == TEN:
            _strikes(state, out, unit, found)
        else:
            out += pick(ATTACKS[unit])


def _strikes(state: Position, out: list[Move], unit: int, found: list[int]) -> None:
    """Add the attacks of a 10 on several targets (decision 1)."""
    nimble = [target for target in found if is_nimble(state, target)]
    plain = [target for target in found if target not in nimble] if nimble else found
    if len(plain) == 1:
        out.append(ATTACKS[unit][plain[0]])
    elif state.mate[unit] >= 0:
        for target in plain:
            out += [strike(unit, target, second) for second in plain if second != target]
    else:
        for place, target in enumerate(plain, 1):
            out += [strike(unit, target, second) for second in plain[place:]]
    out += [ATTACKS[unit][target] for target in nimble]


def _pairs(state: Position, at: int) -> list[Move]:
    flags, mates, card = state.flags, state.mate, state.card
    twins = state.faces[at] & TWINS
    single = [
        unit
        for unit in state.rows[at]
        if flags[unit] & UP and mates[unit] < 0 and 7 * FACES[card[unit]] & twins
    ]
    out: list[Move] = []
    while len(single) > 1:
        unit = single.pop(0)
        rank, pairs = card[unit] >> 2, PAIRS[unit]
        out += [pairs[other] for other in single if card[other] >> 2 == rank]
    return out
