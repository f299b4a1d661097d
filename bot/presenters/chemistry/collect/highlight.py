"""A capture or a run, drawn large for the picture of the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from bot.presenters.chemistry.collect.scenes import element
from bot.presenters.chemistry.words import Voice
from bot.presenters.highlight import HighlightCard, side_by_side
from bot.presenters.telling import Told
from bot.render.blocks import Block
from bot.render.scene import Item, Look, Rect, Sprite
from engine.chemistry.deck import WILD
from engine.chemistry.observation import Observation
from engine.game import Event

FEATS: Final = ("capture", "run", "claim")
_COMPOUND, _ELEMENT = 192 / 264, 160 / 224


def highlight(events: Sequence[Event], _seen: Observation, look: Look) -> Block | None:
    """The compound with the cards that made it, or the cards of the run with what the wild ones stand for."""
    voice = Voice(look)
    for event in events:
        facts: Told = event.facts
        if event.kind == "capture":
            made = HighlightCard(partial(_compound, facts["compound"]), _COMPOUND, best=True)
            paid: Sequence[tuple[int, int]] = tuple(Counter(facts["cards"]).items())
            return side_by_side(
                [
                    made,
                    *(HighlightCard(partial(_element, card, voice, count), _ELEMENT) for card, count in paid),
                ],
                look,
            )
        if event.kind == "run":
            cards = []
            for number, card in enumerate(facts["cards"], facts["start"]):
                stands = voice.short(number) if card == WILD else ""
                cards.append(HighlightCard(partial(_element, card, voice, 1), _ELEMENT, caption=stands))
            return side_by_side(cards, look)
    return None


def _compound(number: int, place: Rect) -> Iterator[Item]:
    yield Sprite("chemistry.compound", (number,), place)


def _element(card: int, voice: Voice, count: int, place: Rect) -> Iterator[Item]:
    yield element(card, voice, place, count)
