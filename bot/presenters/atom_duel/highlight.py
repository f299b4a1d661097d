"""A decided hand of Atom Duel, drawn large for the picture of the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from bot.presenters.atom_duel.painters import face_in
from bot.presenters.atom_duel.plays import symbol
from bot.presenters.atom_duel.words import Voice, number
from bot.presenters.elements.painters import Face
from bot.presenters.highlight import HighlightCard, side_by_side
from bot.render.blocks import Block
from bot.render.scene import Item, Look, Rect, Sprite, SpriteState
from engine.atom_duel.observation import Observation, PlayView
from engine.game import Event

FEATS: Final = ("hand_won",)
_RATIO: Final = 208 / 292


def highlight(events: Sequence[Event], seen: Observation, look: Look) -> Block | None:
    """All cards of the hand with their values, the winner's framed."""
    done, voice = seen.last_hand, Voice(look)
    if done is None or not any(event.kind == "hand_won" for event in events):
        return None
    cards = []
    for play in done.plays:
        joined = play.head != play.card
        value = voice("picture.joined", symbol=symbol(play.head)) if joined else number(play.value2)
        draw = partial(_drawn, play, face_in(seen, play.card))
        cards.append(HighlightCard(draw, _RATIO, play.seat, value, play.seat == done.winner))
    return side_by_side(cards, look)


def _drawn(play: PlayView, shown: Face, place: Rect) -> Iterator[Item]:
    states = frozenset({SpriteState.DIMMED}) if play.beaten else frozenset[SpriteState]()
    yield Sprite("atom_duel.card", (shown, ()), place, states)
