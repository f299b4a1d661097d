"""Duel 52 on paper: a deck with the powers on its cards. Its makers allow printing, see `/about`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.presenters.duel52.rules import rules
from bot.presenters.duel52.words import Voice, power_of, printed
from bot.presenters.printing import PrintedDeck
from bot.render.blocks import Box, Column, Paragraph
from bot.render.parts import alt_text
from bot.render.printing import INNER_TALL, front
from bot.render.scene import Item, Look, Panel, Rect, Scene, Size, Sprite, Weight
from bot.render.theme import RADIUS_PANEL
from engine.playing_cards import DECK52, LABELS, RANK_OF

_FACE: Final = 880
"""Height of the picture above the power, in pixels."""
_GAP: Final = 48
_PAD: Final = 40


def deck(_seats: int, look: Look) -> PrintedDeck:
    """Return the 52 cards, and the rules of every variant."""
    voice = Voice(look)
    return PrintedDeck(tuple(_front(card, voice) for card in DECK52), rules(look.locale))


def _front(card: int, voice: Voice) -> Scene:
    """The front of a card: its face, and below it its power in words."""
    power = power_of(RANK_OF[card], vampiric=False)
    name, text = voice(f"power.{power}"), voice(f"text.{power}")
    told = Column(
        (
            Paragraph(name, (Size.LARGE,), Weight.BOLD, "ink"),
            Paragraph(text, (Size.TITLE, Size.CLEAR), colour="ink", lines=7),
        ),
        gap=16,
    )

    def face(area: Rect) -> Iterator[Item]:
        yield Sprite("cards.wide", printed(card), area.inset(_PAD, 0))

    def below(area: Rect) -> Iterator[Item]:
        yield Panel(area, "paper_low", RADIUS_PANEL)
        yield from told.items(area.inset(_PAD))

    body = Column((Box(_FACE, face), Box(INNER_TALL - _FACE - _GAP, below)), _GAP)
    return front(body, alt_text(voice("alt.card", card=LABELS[card], power=name, text=text)), voice.look)
