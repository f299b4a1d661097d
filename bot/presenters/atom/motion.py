"""What moves on the table of Atom: a bomb."""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.motion import At, burst, glow, over, rise
from bot.render.scene import Look, Scene, places
from engine.atom.observation import Observation
from engine.game import Event

_BOMBS = ("bomb", "atom", "nuke")
"""What beats whatever lies there, by the names of `Play.kind`."""


def motion(events: Sequence[Event], seen: Observation, scene: Scene, _look: Look) -> Scene:
    """The cards in the middle go up in sparks where they are a bomb that has just been thrown; where the
    trick has ended with it, what it took rises from the winner's place."""
    thrown = [event for event in events if event.kind == "play"]
    trick = None if seen.best else seen.last_trick
    if not thrown or thrown[-1].facts.get("sort") not in _BOMBS or seen.phase == "over":
        return scene
    if not seen.best and trick is None:  # it was the end of the game before
        return scene
    found = places(scene.items)
    parts = [At(0.0, 0.9, burst(found["middle"])), At(0.2, 0.9, glow(found["middle"]))]
    if place := found.get(f"seat {trick.winner if trick else seen.best_seat}"):
        parts.append(At(0.2, 0.9, glow(place)))
        if trick and trick.points:
            parts.append(At(0.5, 1.0, rise(f"+{trick.points}", place)))
    return over(scene, *parts)
