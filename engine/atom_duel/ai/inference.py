"""What play has shown of the cards that somebody still holds.

Whoever came last saw all and could choose: few players throw a winner away, or spend more than they must.
Whoever led showed its best card to all others, so that is seldom what it led.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from engine.atom_duel.ai.rollout import announced, prices
from engine.atom_duel.ai.worth import lay
from engine.atom_duel.evaluate import Played
from engine.atom_duel.observation import Observation, PlayView
from engine.atom_duel.sample import played
from engine.atom_duel.state import AtomDuelState
from engine.atom_duel.winning import winner

Factor: TypeAlias = Callable[[Sequence[int]], float]
"""How likely it is to do what was done with the cards of a row; 0 is no card."""

_DUCKED: Final = 0.4
"""How often somebody who comes last and could win does not."""
_DEARER: Final = 0.08
"""How often the card is not the cheapest of those that win, or of those that lose."""
_LED: Final = (
    (1.0,),
    (0.5, 0.5),
    (0.41, 0.43, 0.16),
    (0.35, 0.3, 0.26, 0.09),
    (0.34, 0.24, 0.24, 0.14, 0.04),
    (0.29, 0.22, 0.2, 0.16, 0.1, 0.03),
    (0.25, 0.2, 0.18, 0.15, 0.12, 0.07, 0.03),
)
"""By cards held, then place of the card from the cheapest: how often it is led."""
_ELSEWHERE: Final = frozenset({"laser"})
"""The powers for which a card is played last whether or not it wins."""
_MOVING: Final = frozenset({"redeal", "pass_left", "trade_two"})
"""The powers that move cards between rows: what was shown before is of other cards."""


def likelihood(seen: Observation) -> Callable[[AtomDuelState], float]:
    """How well a world explains what others have played: relative weights, 1 where nothing is known."""
    shown = factors(seen)

    def weigh(world: AtomDuelState) -> float:
        product = 1.0
        for seat, factor in shown:
            product *= factor(world.rows[seat])
        return product

    return weigh


def factors(seen: Observation) -> list[tuple[int, Factor]]:
    """What was shown, each time with the seat that did."""
    last = seen.last_hand
    hands = [(seen.plays, seen.hand == 1, not seen.to_play)]
    if last is not None and last.round == seen.round:
        hands.append((last.plays, last.hand == 1, True))
    if seen.simultaneous or seen.face_down or any(p.power in _MOVING for plays, _, _ in hands for p in plays):
        return []
    found: list[tuple[int, Factor]] = []
    since: dict[int, list[int]] = {}
    for plays, first, complete in hands:
        for at, play in enumerate(plays):
            if play.seat != seen.viewer:
                more = since.get(play.seat, [])
                if at == 0:
                    found.append((play.seat, _leading(seen, play.card, more)))
                elif complete and at == len(plays) - 1 and play.power not in _ELSEWHERE:
                    found.append((play.seat, _following(seen, plays, more, first=first)))
        for play in plays:
            since.setdefault(play.seat, []).append(play.card)
    return found


def _leading(seen: Observation, card: int, since: Sequence[int]) -> Factor:
    price = prices(seen.level, seen.seats)
    paid, more = price[card], sum(price[other] < price[card] for other in since)

    def factor(row: Sequence[int]) -> float:
        held = [price[other] for other in row if other]
        odds = _LED[min(len(held) + len(since), len(_LED) - 1)]
        return odds[sum(other < paid for other in held) + more] * len(odds)

    return factor


def _following(seen: Observation, plays: Sequence[PlayView], since: Sequence[int], *, first: bool) -> Factor:
    """The last player wins with its cheapest winner, or throws its cheapest card."""
    level, seats, own = seen.level, seen.seats, plays[-1]
    table, powers, price = seen.table, announced(level, seats), prices(level, seats)
    before = [played(play, table) for play in plays[:-1]]
    kinds = 0
    for play in before:
        kinds |= play[3]

    def wins(play: Played) -> bool:
        return winner([*before, play], kinds | play[3], seats)[0] == len(before)

    won = wins(played(own, table))
    paid = price[own.card]
    known: dict[int, float] = {}

    def doubt(card: int) -> float:
        """How often somebody who holds this card plays the other one."""
        found = known.get(card)
        if found is None:
            play = lay(table, own.seat, card, powers[card], first_hand=first, zinc=own.plus_five)
            found = 1.0
            if wins(play):
                found = (_DEARER if price[card] < paid else 1.0) if won else _DUCKED
            elif not won and price[card] < paid:
                found = _DEARER
            known[card] = found
        return found

    sure = min(map(doubt, since), default=1.0)

    def factor(row: Sequence[int]) -> float:
        return min([sure, *(doubt(card) for card in row if card)])

    return factor
