"""Equivalent moves: a plan needs only one of each kind.

Late in a game six cards in a lane may attack six others, and for most of these attacks the choice of the
attacker makes no difference.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final

from engine.duel52.ai.outlook import side_seats
from engine.duel52.marks import UP
from engine.duel52.moves import Move
from engine.duel52.sample import World
from engine.playing_cards import ACE, EIGHT, NINE, RANKS, TEN

_FIGHTERS: Final = frozenset((NINE, TEN, ACE))
"""Ranks that attack in a special way."""


def kinds(state: World, seat: int, moves: Iterable[Move]) -> dict[Move, tuple[int, ...]]:
    """Return one move of each kind, with the positions in the list of all moves of that kind.

    Cards of one rank in hand are alike. So are attackers with equal damage, except special ranks, and except
    if a face-up 8 or a Vampiric game makes their rank matter. Targets, and cards a Queen may move, are alike
    if the seat knows no difference between them.
    """
    known = side_seats(state, seat)
    flags, card, damage, mates = state.flags, state.card, state.damage, state.mate
    attackers: dict[int, tuple[int, ...]] = {}
    targets: dict[int, tuple[int, ...]] = {-1: ()}

    def target(unit: int) -> tuple[int, ...]:
        found = targets.get(unit)
        if found is None:
            shown = flags[unit] & UP or state.known[unit] & known
            rank = card[unit] >> 2 if shown else RANKS
            paired = mates[unit] >= 0
            found = targets[unit] = (state.place[unit], rank, damage[unit], flags[unit], paired)
        return found

    def attacker(unit: int) -> tuple[int, ...]:
        found = attackers.get(unit)
        if found is None:
            at, rank = state.place[unit], card[unit] >> 2
            told = rank in _FIGHTERS or state.vampiric or _strikes_back(state, at % state.lanes)
            pair = unit if mates[unit] >= 0 else -1
            found = attackers[unit] = (at, rank if told else RANKS, damage[unit], flags[unit], pair)
        return found

    groups: dict[Hashable, tuple[Move, list[int]]] = {}
    for place, move in enumerate(moves):
        verb = move[0]
        key: Hashable = move
        if verb == "play":
            key = (move[1] >> 2, move[2])
        elif verb == "discard":
            key = move[1] >> 2
        elif verb == "move":
            key = target(move[4])
        elif verb == "attack":
            key = (attacker(move[3]), target(move[4]), target(move[5]))
        group = groups.get(key)
        if group is None:
            groups[key] = (move, [place])
        else:
            group[1].append(place)
    return {move: tuple(places) for move, places in groups.values()}


def _strikes_back(state: World, lane: int) -> bool:
    """Return whether a face-up 8 is in a lane."""
    flags, card = state.flags, state.card
    return any(
        flags[unit] & UP and card[unit] >> 2 == EIGHT
        for row in state.columns[lane]
        for unit in state.rows[row]
    )
