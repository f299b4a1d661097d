"""Animations on the table of Duel 52: killed cards, and lanes that were won."""

from __future__ import annotations

from collections.abc import Sequence

from bot.presenters.duel52.queries import holder
from bot.presenters.telling import Told
from bot.render.motion import At, burst, glow, over, rise
from bot.render.scene import Look, Scene, places
from engine.duel52.observation import HIDDEN, Observation
from engine.game import Event
from engine.playing_cards import LABELS

_KILLS = 3
"""Maximum number of kills animated at once."""


def motion(events: Sequence[Event], seen: Observation, scene: Scene, _look: Look) -> Scene:
    """Animate killed cards with sparks on their side of the lane. At the end, light up lanes held by one
    side."""
    found, parts = places(scene.items), list[At]()
    killed: Sequence[Told] = [event.facts for event in events if event.kind == "killed"][-_KILLS:]
    for number, facts in enumerate(killed):
        side = facts["owners"][0] % seen.setup.sides
        place = found.get(f"lane {facts['lane']} side {side}")
        if place is None:
            continue
        start = 0.45 * number
        parts.append(At(start, 0.8, burst(place, "bad")))
        if (card := facts.get("card", HIDDEN)) != HIDDEN:
            parts.append(At(start, 0.8, rise(LABELS[card], place, "bad")))
    if any(event.kind == "over" for event in events):
        start = max((part.end for part in parts), default=0.0) - (0.3 if parts else 0.0)
        for lane in range(seen.setup.lanes):
            if holder(seen, lane) >= 0:
                parts.append(At(start, 0.9, glow(found[f"lane {lane}"])))
    return over(scene, *parts) if parts else scene
