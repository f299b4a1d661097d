"""What moves on the table of Atom: a bomb."""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.motion import At, burst, glow, over
from bot.render.scene import Look, Scene, places
from engine.atom.observation import Observation
from engine.game import Event

_BOMBS = ("bomb", "atom", "nuke")
"""What beats whatever lies there, by the names of `Play.kind`."""


def motion(events: Sequence[Event], seen: Observation, scene: Scene, _look: Look) -> Scene:
    """The cards that stand fly up in sparks where they are a bomb that has just been thrown."""
    thrown = [event for event in events if event.kind == "play"]
    if not thrown or not seen.best or thrown[-1].facts.get("sort") not in _BOMBS:
        return scene
    found = places(scene.items)
    parts = [At(0.0, 0.9, burst(found["middle"])), At(0.2, 0.9, glow(found["middle"]))]
    if place := found.get(f"seat {seen.best_seat}"):
        parts.append(At(0.2, 0.9, glow(place)))
    return over(scene, *parts)
