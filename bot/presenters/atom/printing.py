"""Atom on paper: its three or five packs. The game belongs to everybody, see `/about`."""

from __future__ import annotations

from collections.abc import Iterator

from bot.presenters.atom.rules import rules
from bot.presenters.atom.words import Voice
from bot.presenters.printing import PrintedDeck
from bot.render.blocks import Box
from bot.render.parts import alt_text
from bot.render.printing import INNER_TALL, front
from bot.render.scene import Item, Look, Rect, Scene, Sprite
from engine.atom.cards import PACKS
from engine.playing_cards import BLACK_JOKER, DECK54, JOKER, RANK_LABELS, RANK_OF, SUIT_NAMES, SUIT_OF


def deck(seats: int, look: Look) -> PrintedDeck:
    """The packs for so many players one after the other, and the rules."""
    voice = Voice(look)
    pack = tuple(_front(card, voice) for card in DECK54)
    return PrintedDeck(pack * PACKS[seats], rules(look.locale))


def _front(card: int, voice: Voice) -> Scene:
    label = RANK_LABELS[RANK_OF[card]]
    which = (
        ("black" if card == BLACK_JOKER else "red") if RANK_OF[card] == JOKER else SUIT_NAMES[SUIT_OF[card]]
    )

    def face(area: Rect) -> Iterator[Item]:
        yield Sprite("cards.face", (label, which), area)

    return front(Box(INNER_TALL, face), alt_text(f"{voice.card(card)}."), voice.look)
