"""The sheet of a level: each power that it brings, its sign, what it does, and the cards that have it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from bot.presenters.atom_duel.plays import symbol
from bot.presenters.atom_duel.words import Voice
from bot.render.blocks import Block, Box, Column, Flow, Grid, Paragraph, Piece, Spaced, frozen
from bot.render.parts import CORNER, INNER, alt_text, text_width
from bot.render.scene import Align, Fit, Item, Look, Panel, Rect, Scene, Size, Sprite, Text, Weight
from bot.render.theme import RADIUS_CARD, RADIUS_SMALL
from engine.atom_duel.cards import DECK, POWER_LEVEL, UNIQUE_LEVEL, of_unique

_SIGN: Final = 88
_TILE: Final = (100, 100)
_FOOT: Final = 0.13
"""How high the foot is, against all above it."""
_BELOW: Final = 3
"""Up to so many powers stand one below the other."""
_COUNT: Final = 240
"""How wide the number of cards is beside the name of a power; side by side there is no room for it."""
_FEW: Final = 4
"""Up to so many cards are named beside a unique power; of more the family says which."""


def powers_of(level: int) -> tuple[str, ...]:
    """The powers that a level brings, the unique ones at the last; none at the first."""
    if level == UNIQUE_LEVEL:
        return tuple(unique.key for unique in DECK.uniques)
    return tuple(power for power, first in POWER_LEVEL.items() if first == level)


def cards_with(power: str) -> tuple[int, ...]:
    """The cards that have a power, the highest first."""
    shared = [card.z for card in DECK.cards if power in card.powers]
    return tuple(sorted(shared or of_unique(power), reverse=True))


def level_sheet(level: int, look: Look) -> Scene:
    """What a level brings, 1280 wide and as high as it needs."""
    voice, powers = Voice(look), powers_of(level)
    title = voice(f"option.level_{level}")
    if level == UNIQUE_LEVEL:
        body: Block = Grid([_unique(power, voice) for power in powers], 2, 20)
    else:
        # side by side where one below the other would be higher than a phone
        body = Grid([_shared(power, voice) for power in powers], 1 if len(powers) <= _BELOW else 2, 28)
    note = Paragraph(
        voice(f"option.level_{level}_note"), (Size.CLEAR,), colour="muted", align=Align.RIGHT, lines=4
    )
    head = Paragraph(title, (Size.TITLE, Size.BODY), Weight.BOLD, "accent")
    said = [
        f"{voice.power(power)}: {voice.listed(f'{symbol(z)} {z}' for z in cards_with(power))}."
        for power in powers
    ]
    block = Column((Spaced(head, 16), Spaced(body, 20)))
    foot = _foot(note, block.height(INNER))
    return frozen(Column((block, foot)), alt_text(f"{title}.", *said), look, bottom=12)


def _foot(note: Paragraph, above: int) -> Box:
    """The note at the right of the foot, whose left is free: something of Discord's may lie there."""
    tall = note.height(INNER - CORNER)

    def draw(area: Rect) -> Iterator[Item]:
        yield from note.items(Rect(area.x + CORNER, area.y, area.w - CORNER, tall))

    return Box(max(tall, round(above * _FOOT)), draw)


def _shared(power: str, voice: Voice) -> Column:
    """A power of many cards: its sign and name, what it does, and all cards that have it."""
    cards = cards_with(power)
    tiles = Flow([Piece(*_TILE, partial(_tile, z=z)) for z in cards], 12, 12)
    return Column(
        (
            Box(_SIGN, partial(_named, power=power, many=len(cards), voice=voice)),
            Paragraph(voice.text(power), (Size.CLEAR,), lines=4),
            tiles,
        ),
        12,
    )


def _named(area: Rect, power: str, many: int, voice: Voice) -> Iterator[Item]:
    yield Sprite("atom_duel.power", (power,), area._replace(w=_SIGN))
    name = voice.power(power)
    counted = area.w == INNER
    room = Rect(area.x + _SIGN + 20, area.y, area.w - _SIGN - 20 - _COUNT * counted, area.h)
    yield Text(room, name, Size.TITLE, Weight.BOLD, fit=Fit.ELLIPSIS)
    if counted:
        count = Rect(area.right - _COUNT, area.y, _COUNT, area.h)
        yield Text(count, voice("tree.cards", n=many), Size.BODY, colour="muted", align=Align.RIGHT)


def _tile(area: Rect, z: int) -> Iterator[Item]:
    """A card by its number and its sign."""
    yield Panel(area, "paper", RADIUS_SMALL)
    yield Text(area._replace(h=54), str(z), Size.CLEAR, Weight.DISPLAY, "ink", Align.CENTRE)
    lower = Rect(area.x, area.y + 54, area.w, 44)
    yield Text(lower, symbol(z), Size.SMALL, Weight.MEDIUM, "ink_soft", Align.CENTRE)


def _unique(power: str, voice: Voice) -> Box:
    return Box(_SIGN + 24, partial(_alone, power=power, voice=voice))


def _alone(area: Rect, power: str, voice: Voice) -> Iterator[Item]:
    """A unique power: its sign, its name, and the card that has it."""
    yield Panel(area, "panel", RADIUS_CARD)
    inner = area.inset(8, 12)
    yield Sprite("atom_duel.power", (power,), inner._replace(w=_SIGN))
    words = Rect(inner.x + _SIGN + 12, inner.y, inner.w - _SIGN - 12, inner.h)
    cards = cards_with(power)
    whose = voice.listed(f"{symbol(z)} {z}" for z in cards[:_FEW])
    if len(cards) > _FEW:
        whose = " ".join(symbol(z) for z in cards)
    name = voice.power(power)
    size = Size.BODY if text_width(name, Size.BODY, Weight.BOLD) <= words.w else Size.SMALL
    yield Text(words._replace(h=46), name, size, Weight.BOLD, fit=Fit.ELLIPSIS)
    lower = Rect(words.x, words.y + 46, words.w, 44)
    yield Text(lower, whose, Size.SMALL, colour="muted", fit=Fit.ELLIPSIS)
