"""What moves on the table of Compound Capture and Chemistry Canasta: a capture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.presenters.chemistry.words import formula
from bot.render.motion import At, over, ring, rise
from bot.render.scene import Look, Scene, places
from engine.chemistry.deck import BOOK
from engine.chemistry.observation import Observation
from engine.chemistry.scoring import COMPOUND
from engine.game import Event

_SECONDS: Final = 0.36


def motion(events: Sequence[Event], seen: Observation, scene: Scene, _look: Look) -> Scene:
    """Animate the last capture: the player's place is ringed, and its compound and points rise."""
    taken = [event for event in events if event.kind == "capture"]
    place = places(scene.items).get(f"seat {taken[-1].seat}") if taken else None
    compound = taken[-1].facts["compound"] if taken else None
    if seen.over or place is None or not isinstance(compound, int):
        return scene
    points = f"{formula(BOOK.compounds[compound].formula)} +{COMPOUND}"
    return over(scene, At(0.0, _SECONDS, ring(place)), At(0.0, _SECONDS, rise(points, place)))
