"""Motion: effects at some places of a picture, as a few frames over it.

    over(scene, At(0.0, 0.6, glow(card)), At(0.4, 0.8, rise("+12", card)))

An effect returns the items over the picture at a given fraction of its time (0 to 1). The picture below is
the final one, so an effect needs to know nothing of the picture before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from bot.render.animate import FIRST_MS, LAST_MS
from bot.render.parts import text_width
from bot.render.scene import Align, Frame, Item, Panel, Rect, Scene, Size, Text, Weight
from bot.render.theme import RADIUS_CARD, RADIUS_SMALL

FRAME_MS: Final = 90
HOLD_MS: Final = 300
"""Milliseconds of the last frame with an effect, long enough to read a few letters."""
MOST_FRAMES: Final = 8
"""Maximum number of frames with effects. The picture itself is shown before and after them."""
SECONDS: Final = MOST_FRAMES * FRAME_MS / 1000
"""Time for all effects together."""
LONGEST_MS: Final = FIRST_MS + (MOST_FRAMES - 1) * FRAME_MS + HOLD_MS + LAST_MS
"""Maximum length of an animation in milliseconds, including its first and last frame."""
FIRST: Final = (0.0, 4 * FRAME_MS / 1000)
"""Start and duration of the first of two effects."""
SECOND: Final = (5 * FRAME_MS / 1000, 3 * FRAME_MS / 1000)
"""Start and duration of the second. The frame between them removes the first, so that no frame changes
pixels at both places."""

Effect = Callable[[float], Iterable[Item]]
"""A function from the fraction of the effect's time that has passed to the items over the picture."""


@dataclass(frozen=True, slots=True)
class At:
    """An effect with its start and duration in seconds."""

    start: float
    seconds: float
    effect: Effect

    @property
    def end(self) -> float:
        """The end of the effect, in seconds."""
        return self.start + self.seconds


def over(scene: Scene, *parts: At) -> Scene:
    """Return the scene with these effects played over it, cut to the maximum number of frames.

    Each frame stores the rectangle around everything in it and in the frame before. So effects that are far
    apart follow each other, with an empty frame between them.
    """
    last = max((part.end for part in parts), default=0.0)
    whole = Rect(0, 0, scene.width, scene.height)
    count = min(MOST_FRAMES, math.ceil(round(last * 1000 / FRAME_MS, 3)))
    frames = []
    for number in range(count):
        at = (number + 0.5) * FRAME_MS / 1000
        items = tuple(
            item
            for part in parts
            if part.start <= at < part.end
            for item in part.effect((at - part.start) / part.seconds)
            if whole.holds(item.rect)
        )
        frames.append(Frame(items, HOLD_MS if number == count - 1 else FRAME_MS))
    return replace(scene, motion=tuple(frames))


_RING_AWAY: Final = 4
_RING_THICK: Final = 8


def glow(place: Rect, colour: str = "accent", radius: int = RADIUS_CARD) -> Effect:
    """Return a ring around a place that swells and begins to fade."""

    def at(passed: float) -> Iterator[Item]:
        strength = math.sin(passed * 0.8 * math.pi) ** 2
        if thick := round(3 + 9 * strength):
            away = round(2 + 6 * strength)
            yield Panel(place.inset(-away - thick), None, radius + away + thick, colour, thick)

    return at


def ring(place: Rect, colour: str = "accent") -> Effect:
    """Return a still ring around a place. It adds less to the file of a crowded picture than a glow."""
    whole = place.inset(-_RING_AWAY - _RING_THICK)

    def at(_passed: float) -> Iterator[Item]:
        yield Panel(whole, None, RADIUS_CARD + _RING_AWAY + _RING_THICK, colour, _RING_THICK)

    return at


def rise(words: str, place: Rect, colour: str = "accent", size: Size = Size.TITLE) -> Effect:
    """Return words on a chip that rises from the middle of a place."""
    wide, high = text_width(words, size, Weight.BOLD) + 40, size + 24

    def at(passed: float) -> Iterator[Item]:
        x, y = place.centre
        lifted = round(math.sin(min(1.0, passed * 1.6) * math.pi / 2) * high * 0.9)
        left = max(8, round(x - wide / 2))
        chip = Rect(left, max(8, round(y - high / 2) - lifted), wide, high)
        yield Panel(chip, colour, RADIUS_SMALL * 2)
        yield Text(chip, words, size, Weight.BOLD, "accent_ink", Align.CENTRE)

    return at


def turn(card: Rect, ground: str = "felt", back: str = "back") -> Effect:
    """Return a face-down card that turns over. The picture below shows it face-up."""

    def at(passed: float) -> Iterator[Item]:
        if passed < 0.5:  # the back grows narrow
            half = round(card.w / 2 * passed * 2)
            yield Panel(card, ground)
            yield Panel(
                Rect(card.x + half, card.y, card.w - 2 * half, card.h), back, RADIUS_CARD, "back_line", 4
            )
        else:  # the face grows wide
            hidden = round(card.w / 2 * (2 - passed * 2))
            yield Panel(Rect(card.x, card.y, hidden, card.h), ground)
            yield Panel(Rect(card.right - hidden, card.y, hidden, card.h), ground)

    return at


SPARKS: Final = 12
_FARTHEST: Final = 180


def burst(place: Rect, colour: str = "accent", reach: float = 1.2) -> Effect:
    """Return sparks that fly out from the middle of a place, every second one half as far.

    They fly `reach` times as far as the nearer edges of the place.
    """

    def at(passed: float) -> Iterator[Item]:
        x, y = place.centre
        end = min(_FARTHEST, min(place.w, place.h) / 2 * reach)
        far = end * (0.25 + 0.75 * math.sin(passed * math.pi / 2))
        side = round(20 * (1 - passed)) + 4
        for number in range(SPARKS):
            angle = 2 * math.pi * number / SPARKS
            away = far * (1.0 if number % 2 else 0.55)
            left, top = x + math.cos(angle) * away - side / 2, y + math.sin(angle) * away - side / 2
            yield Panel(Rect(round(left), round(top), side, side), colour, side // 2)

    return at


def one_by_one(count: int, start: float, seconds: float) -> Iterator[tuple[float, float]]:
    """Yield the start and duration of each of `count` things that together take `seconds`.

    Each begins in the middle of the one before.
    """
    each = 2 * seconds / (count + 1)
    for number in range(count):
        yield start + number * each / 2, each
