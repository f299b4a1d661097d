"""What moves on the table of Atom: a bomb."""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.motion import FIRST, SECOND, At, burst, glow, over, rise
from bot.render.scene import Look, Scene, places
from engine.atom.observation import Observation
from engine.game import Event

_BOMBS = ("bomb", "atom", "nuke")
"""What beats whatever lies there, by the names of `Play.kind`."""


def motion(events: Sequence[Event], seen: Observation, scene: Scene, _look: Look) -> Scene:
    """Animate a bomb that was just thrown: sparks in the middle, then a ring around the player's place.

    If the trick ended with it, its points rise there.
    """
    thrown = [event for event in events if event.kind == "play"]
    trick = None if seen.best else seen.last_trick
    if not thrown or thrown[-1].facts.get("sort") not in _BOMBS or seen.phase == "over":
        return scene
    if not seen.best and trick is None:  # it was the end of the game before
        return scene
    found = places(scene.items)
    parts = [At(*FIRST, burst(found["middle"]))]
    if place := found.get(f"seat {trick.winner if trick else seen.best_seat}"):
        parts.append(At(*SECOND, glow(place)))
        if trick and trick.points:
            parts.append(At(*SECOND, rise(f"+{trick.points}", place)))
    return over(scene, *parts)
