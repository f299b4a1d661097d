"""A decided round of Chemistry Battle, drawn large for the picture of the end, and the rounds that the piles
play by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from bot.presenters.base import ChainStep, Progress
from bot.presenters.chemistry.battle.queries import fight as fight_of
from bot.presenters.chemistry.words import Voice
from bot.presenters.highlight import HighlightCard, side_by_side
from bot.presenters.telling import Told
from bot.render.blocks import Block
from bot.render.scene import Item, Look, Rect, Sprite
from engine.chemistry.battle.rounds import ORDERS, Observation
from engine.game import Event

FEATS: Final = ("round_won",)
_RATIO: Final = 208 / 292
_STEPS: Final = 240
"""The most rounds of the piles' own battle that the story of a game looks at."""
_ROOMY: Final = 4
"""Of more cards the long names would be cut."""


def steps(seen: Observation) -> Sequence[ChainStep]:
    """How many cards each player has before the piles fight, and after the rounds of that; of a long battle
    only some rounds, the last changes of the lead among them."""
    if not seen.finale:
        return ()
    fight, begin = fight_of(seen, _STEPS, _STEPS // 4), seen.round - seen.finale
    found = [ChainStep(_progress(fight.before, seen))]
    for number, one, sizes in fight.shown:
        seat = one.winner if one.winner < seen.seats else -1
        facts = {"hand": one.winner, "round": begin + number, "cards": list(one.cards), "kitty": 0}
        found.append(ChainStep(_progress(sizes, seen), (Event("round_won", seat, facts),), number))
    return found


def _progress(sizes: Sequence[int], seen: Observation) -> Progress:
    return tuple(map(float, sizes[: seen.seats]))


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
        HighlightCard(
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
