"""What the cards of one row may do: flips, attacks and pairs, in a fixed order.

Half of the time of a random game went into building these lists anew for lanes where nothing had
happened, so a position keeps the list of each row until something happens in its lane (`touch`).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from engine.duel52.marks import IDLE, LOCKED, UP
from engine.duel52.moves import ATTACKS, FLIPS, PAIRS, Move, strike
from engine.duel52.position import Position
from engine.game import Seat
from engine.playing_cards import DECK52, JACK, NINE, TEN

_RANK_BIT = tuple(1 << (card >> 2) for card in DECK52)
"""By card: a bit for its rank; two units that share one could pair."""


def of_turn(state: Position, seat: Seat) -> list[Move]:
    """What a seat could do on its own turn while no power asks: plays, then lane by lane the rest."""
    out: list[Move] = []
    plays = state.plays
    for card in state.hands[seat]:
        out += plays[card]
    start = state.starts[seat]
    menus = state.menus
    for at in range(start, start + state.lanes):
        kept = menus[at]
        out += of_row(state, at) if kept is None else kept
    return out


def of_row(state: Position, at: int) -> Sequence[Move]:
    """The decisions of the cards of a row; to be read only, it is kept."""
    kept = state.menus[at]
    if kept is not None:
        return kept
    out: list[Move] = []
    state.menus[at] = out
    row = state.rows[at]
    if not row:
        return out
    flags, mates, card = state.flags, state.mate, state.card
    fighters, single = [], []
    ranks = twins = 0
    for unit in row:
        flag = flags[unit]
        if flag & UP:
            if not flag & IDLE:
                fighters.append(unit)
            if mates[unit] < 0:
                single.append(unit)
                bit = _RANK_BIT[card[unit]]
                twins |= ranks & bit
                ranks |= bit
        elif not flag:
            out.append(FLIPS[unit])
    if fighters:
        found = targets(state, at)
        if found:
            _attacks(state, out, fighters, found)
    if twins:
        _pairs(state, out, [unit for unit in single if twins & _RANK_BIT[card[unit]]])
    return out


def touch(state: Position, lane: int) -> None:
    """Something has happened in a lane: what was kept for its rows no longer holds."""
    menus = state.menus
    for at in state.columns[lane]:
        menus[at] = None


def laid(state: Position, at: int, unit: int) -> None:
    """A unit was laid face-down into a row: it is one more to flip there, and to attack for the others."""
    menus = state.menus
    kept = menus[at]
    touch(state, at % state.lanes)
    if kept is not None:
        flips = 0
        while flips < len(kept) and kept[flips][0] == "flip":
            flips += 1
        menus[at] = [*kept[:flips], FLIPS[unit], *kept[flips:]]


def rested(state: Position, at: int, unit: int) -> None:
    """A unit of a row, the first of its pair, attacks no more in this turn, and nobody fell."""
    kept = state.menus[at]
    if kept is not None:
        state.menus[at] = [move for move in kept if move[3] != unit or move[0] != "attack"]


def targets(state: Position, at: int) -> list[int]:
    """What the cards of a row may attack; to be read only."""
    flags, rows = state.flags, state.rows
    lanes = state.lanes
    if state.sides == 2:
        other = at - lanes if at >= lanes else at + lanes
        foes, taunted = rows[other], state.taunts[other]
    else:
        one, two = (other for other in state.columns[at % lanes] if other != at)
        foes = rows[one] + rows[two]
        taunted = state.taunts[one] + state.taunts[two]
    if taunted:
        card = state.card
        return [unit for unit in foes if flags[unit] & UP and card[unit] >> 2 == JACK]
    if state.pile and state.variant.bases:
        return [unit for unit in foes if not flags[unit] & LOCKED]
    return foes


def is_nimble(state: Position, unit: int) -> bool:
    """Whether this is a face-up 9."""
    return state.flags[unit] & UP == UP and state.card[unit] >> 2 == NINE


def _attacks(state: Position, out: list[Move], fighters: list[int], found: list[int]) -> None:
    flags, mates, card = state.flags, state.mate, state.card
    several = len(found) > 1
    pick = itemgetter(*found)
    for unit in fighters:
        mate = mates[unit]
        if mate >= 0 and (mate < unit or flags[mate] & IDLE):
            continue
        if not several:
            out.append(pick(ATTACKS[unit]))
        elif card[unit] >> 2 == TEN:
            _strikes(state, out, unit, found)
        else:
            out += pick(ATTACKS[unit])


def _strikes(state: Position, out: list[Move], unit: int, found: list[int]) -> None:
    """The attacks of a 10 on several targets (decision 1)."""
    paired = state.mate[unit] >= 0
    plain = [target for target in found if not is_nimble(state, target)]
    if len(plain) == 1:
        out.append(ATTACKS[unit][plain[0]])
    for place, target in enumerate(plain):
        seconds = plain if paired else plain[place + 1 :]
        out += [strike(unit, target, second) for second in seconds if second != target]
    if len(plain) < len(found):
        out += [ATTACKS[unit][target] for target in found if is_nimble(state, target)]


def _pairs(state: Position, out: list[Move], single: list[int]) -> None:
    card = state.card
    for place, unit in enumerate(single):
        rank, pairs = card[unit] >> 2, PAIRS[unit]
        out += [pairs[other] for other in single[place + 1 :] if card[other] >> 2 == rank]
