"""A decided round of Chemistry Battle, drawn large for the picture of the end, and the rounds that the piles
play by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from bot.presenters.base import Step
from bot.presenters.chemistry.battle.queries import sizes
from bot.presenters.chemistry.words import Voice
from bot.presenters.highlights import Card, side_by_side
from bot.presenters.telling import Told
from bot.render.blocks import Block
from bot.render.scene import Item, Look, Rect, Sprite
from engine.chemistry.battle.rounds import ORDERS, Observation
from engine.game import Event

FEATS: Final = ("round_won",)
_RATIO: Final = 208 / 292
_ROOMY: Final = 4
"""Of more cards the long names would be cut."""


def steps(seen: Observation) -> Sequence[Step]:
    """How many cards each player has before the piles fight, and after each round of that."""
    if not seen.finale:
        return ()
    counts = [tuple(map(float, count[: seen.seats])) for count in sizes(seen)]
    begin = seen.round - len(seen.finale)
    found = [Step(counts[0])]
    for number, (one, count) in enumerate(zip(seen.finale, counts[1:], strict=True), 1):
        seat = one.winner if one.winner < seen.seats else -1
        facts = {"hand": one.winner, "round": begin + number, "cards": list(one.cards), "kitty": 0}
        found.append(Step(count, (Event("round_won", seat, facts),)))
    return found


def highlight(events: Sequence[Event], seen: Observation, look: Look) -> Block | None:
    """The cards of the round in the order of play, the highest framed."""
    won = next((event for event in events if event.kind == "round_won"), None)
    if won is None:
        return None
    facts: Told = won.facts
    voice = Voice(look)
    cards, hand = facts["cards"], facts["hand"]
    best = cards.index(max(cards))
    order = ORDERS[seen.hands][(hand + best) % seen.hands]
    roomy = len(cards) <= _ROOMY
    shown = [
        Card(
            partial(_drawn, card, voice.element(card) if roomy else ""),
            _RATIO,
            seat if seat < seen.seats else -1,
            "",
            card == cards[best],
        )
        for seat, card in zip(order, cards, strict=True)
    ]
    return side_by_side(shown, look)


def _drawn(card: int, name: str, place: Rect) -> Iterator[Item]:
    yield Sprite("chemistry.battle_card", (card, name), place)
