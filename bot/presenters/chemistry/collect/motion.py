"""What moves on the table of Compound Capture and Chemistry Canasta: a capture."""

from __future__ import annotations

from collections.abc import Sequence

from bot.presenters.chemistry.words import formula
from bot.render.motion import At, burst, glow, over, rise
from bot.render.scene import Look, Scene, places
from engine.chemistry.deck import BOOK
from engine.chemistry.observation import Observation
from engine.chemistry.scoring import COMPOUND
from engine.game import Event


def motion(events: Sequence[Event], seen: Observation, scene: Scene, _look: Look) -> Scene:
    """Whoever has captured a compound shines, and what it brought rises from their place."""
    taken = [event for event in events if event.kind == "capture"]
    found, parts = places(scene.items), list[At]()
    for number, event in enumerate(taken[-2:]):
        compound = event.facts["compound"]
        if not isinstance(compound, int) or (place := found.get(f"seat {event.seat}")) is None:
            continue
        start = 0.7 * number
        parts += [
            At(start, 0.8, burst(place)),
            At(start, 0.9, glow(place)),
            At(start, 1.0, rise(f"{formula(BOOK.compounds[compound].formula)} +{COMPOUND}", place)),
        ]
    return over(scene, *parts) if parts and not seen.over else scene
