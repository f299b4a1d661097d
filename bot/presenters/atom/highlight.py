"""A trick that was taken, drawn large for the picture of the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.presenters.atom.sets import laid
from bot.presenters.atom.words import Voice
from bot.presenters.highlight import TALL
from bot.render.blocks import Block, Box
from bot.render.playing_cards import RATIO
from bot.render.scene import Look
from engine.atom.observation import Observation
from engine.game import Event

FEATS: Final = ("trick", "out")


def highlight(events: Sequence[Event], seen: Observation, look: Look) -> Block | None:
    """The cards that took it."""
    trick = seen.last_trick
    if trick is None or not any(event.kind == "trick" for event in events):
        return None
    cards = next(held for _, held in reversed(trick.acts) if held)
    return Box(TALL, lambda area: laid(area, cards, Voice(look), largest=round(TALL * RATIO)))
