"""A capture or a run, drawn large for the picture of the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from bot.presenters.chemistry.collect.scenes import element
from bot.presenters.chemistry.words import Voice
from bot.presenters.highlights import Card, fitting, side_by_side
from bot.presenters.telling import Told
from bot.render.blocks import Block
from bot.render.scene import Align, Item, Look, Rect, Size, Sprite, Text, Weight
from engine.chemistry.deck import WILD
from engine.chemistry.observation import Observation
from engine.game import Event

FEATS: Final = ("capture", "run", "claim")
_COMPOUND, _ELEMENT, _POINTS = 192 / 264, 160 / 224, 1.8
_SIZES: Final = (Size.HUGE, Size.LARGE, Size.TITLE)


def highlight(events: Sequence[Event], _seen: Observation, look: Look) -> Block | None:
    """The compound with the cards that made it, or the cards of the run with what the wild ones stand for; of
    a round that ended without either, what it brought to each player."""
    voice = Voice(look)
    for event in events:
        facts: Told = event.facts
        if event.kind == "capture":
            made = Card(partial(_compound, facts["compound"]), _COMPOUND, best=True)
            paid: Sequence[tuple[int, int]] = tuple(Counter(facts["cards"]).items())
            return side_by_side(
                [made, *(Card(partial(_element, card, voice, count), _ELEMENT) for card, count in paid)], look
            )
        if event.kind == "run":
            cards = []
            for number, card in enumerate(facts["cards"], facts["start"]):
                stands = voice.short(number) if card == WILD else ""
                cards.append(Card(partial(_element, card, voice, 1), _ELEMENT, caption=stands))
            return side_by_side(cards, look)
    for event in events:
        if event.kind == "round_over":
            scored: Told = event.facts
            return side_by_side(_round(scored["points"], scored["totals"], voice), look)
    return None


def _round(points: Sequence[int], totals: Sequence[int], voice: Voice) -> list[Card]:
    """By seat the points of a round, with what they add up to below them."""
    most = max(points)
    return [
        Card(partial(_points, got, points), _POINTS, seat, voice("picture.now", n=total), best=got == most)
        for seat, (got, total) in enumerate(zip(points, totals, strict=True))
    ]


def _points(got: int, points: Sequence[int], place: Rect) -> Iterator[Item]:
    """What a seat got, as large as the widest number of all allows."""
    sizes = [size for size in _SIZES if size <= place.h]
    size = fitting([f"{one:+}" for one in points], sizes, place.w)
    colour = "good" if got > 0 else "text"
    yield Text(place, f"{got:+}", size or Size.CLEAR, Weight.BOLD, colour, Align.CENTRE)


def _compound(number: int, place: Rect) -> Iterator[Item]:
    yield Sprite("chemistry.compound", (number,), place)


def _element(card: int, voice: Voice, count: int, place: Rect) -> Iterator[Item]:
    yield element(card, voice, place, count)
