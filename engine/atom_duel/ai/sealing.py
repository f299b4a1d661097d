"""The order of a sealed row: which card is best in which hand, against rows ordered as people do.

What works at once is of more use early, and everybody puts it there; so the hands differ, and each card goes
where it wins most.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Final

from engine.atom_duel.ai.rollout import dealer
from engine.atom_duel.ai.worth import Way, best, lay
from engine.atom_duel.cards import CardTable
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import Observation

WORLDS: Final = 20
_EARLY: Final = {"plus_5": 1.5, "laser": 0.6, "trade_two": 0.6}
"""By power: how much it draws a card to the front of a row."""
_LATE: Final = 0.04
"""What a step back costs such a card, for each of these."""


def seals(seen: Observation, actions: Sequence[Move], rng: random.Random) -> list[float]:
    """By move: the hands that the row wins with this card next and the others where they are best."""
    table = seen.table
    own = list(dict.fromkeys(move.card for move in actions))
    start = len(seen.sealed)
    hands = range(start, start + len(own))
    ways = [(card, power) for card in own for power in table.choices[card] or ("",)]
    chance = _chances(seen, ways, hands, rng)
    chosen = {
        (card, hand): max(chance[way, hand] for way in ways if way[0] == card)
        for card in own
        for hand in hands
    }

    @cache
    def rest(left: frozenset[int], hand: int) -> float:
        if not left:
            return 0.0
        return max(chosen[card, hand] + rest(left - {card}, hand + 1) for card in left)

    every = frozenset(own)
    return [chance[(move.card, move.power), start] + rest(every - {move.card}, start + 1) for move in actions]


def forward(table: CardTable, card: int, power: str) -> float:
    """How much a card is drawn to the front of a row."""
    return 2.0 if card in table.late_is_dead else _EARLY.get(power, 0.0)


def _chances(
    seen: Observation, ways: Sequence[Way], hands: range, rng: random.Random
) -> dict[tuple[Way, int], float]:
    """By card and announcement, then hand: the chance to win it, less what it costs to come late."""
    table, seats, viewer = seen.table, seen.seats, seen.viewer or 0
    deal = dealer(seen, rng)
    won = {(way, hand): 0 for way in ways for hand in hands}
    for _ in range(WORLDS):
        rows = [
            sorted(row, key=lambda play: -forward(table, play[1], play[4]) - rng.random()) for row in deal()
        ]
        for hand in hands:
            others = [
                lay(table, seat, card, power if table.choices[card] else "", first_hand=not hand)
                for seat, row in enumerate(rows)
                if seat != viewer
                for _, card, _, _, power in row[hand : hand + 1]
            ]
            for way in ways:
                plays = [lay(table, viewer, *way, first_hand=not hand), *others]
                won[way, hand] += best(plays, seats) == 0
    return {
        (way, hand): count / WORLDS - _LATE * hand * _EARLY.get(way[1] or table.powers[way[0]], 0.0)
        for (way, hand), count in won.items()
    }
