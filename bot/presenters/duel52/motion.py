"""Animations on the table of Duel 52: killed cards, and lanes that were won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.presenters.duel52.queries import holder
from bot.presenters.telling import Told
from bot.render.motion import FIRST, SECOND, At, burst, glow, over, rise
from bot.render.scene import Look, Rect, Scene, places
from engine.duel52.observation import HIDDEN, Observation
from engine.game import Event
from engine.playing_cards import LABELS


def motion(events: Sequence[Event], seen: Observation, scene: Scene, _look: Look) -> Scene:
    """Animate killed cards with sparks on their side of the lane. At the end, light up the headings of lanes
    held by one side."""
    found, parts = places(scene.items), list[At]()
    over_now = any(event.kind == "over" for event in events)
    killed: Sequence[Told] = [event.facts for event in events if event.kind == "killed"]
    times = (FIRST,) if over_now else (FIRST, SECOND)
    for facts, time in zip(killed[-len(times) :], times, strict=False):
        side = facts["owners"][0] % seen.setup.sides
        place = found.get(f"lane {facts['lane']} side {side}")
        if place is None:
            continue
        parts.append(At(*time, burst(place, "bad")))
        if (card := facts.get("card", HIDDEN)) != HIDDEN:
            parts.append(At(*time, rise(LABELS[card], place, "bad")))
    if over_now:
        for lane in range(seen.setup.lanes):
            if holder(seen, lane) >= 0:
                parts.append(At(*SECOND, glow(_heading(found, lane))))
    return over(scene, *parts) if parts else scene


def _heading(found: Mapping[str, Rect], lane: int) -> Rect:
    """Return the place of a lane's name, left of its sides."""
    row, side = found[f"lane {lane}"], found[f"lane {lane} side 0"]
    return Rect(row.x, row.y, side.x - row.x, row.h)
