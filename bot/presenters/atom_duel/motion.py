"""What moves on the table of Atom Duel: a decided hand, and a card that a laser burns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.presenters.atom_duel import queries
from bot.render.motion import At, burst, glow, lie, one_by_one, over, rise, turn
from bot.render.scene import Look, Scene, places
from engine.atom_duel.observation import Observation
from engine.game import Event

_TURNING: Final = 0.8
"""Seconds until all new cards lie face up."""


def motion(events: Sequence[Event], seen: Observation, scene: Scene, _look: Look) -> Scene:
    """The new cards of a decided hand turn over, then the winner's shines; a burnt card goes up in sparks."""
    found, parts = places(scene.items), list[At]()
    done = queries.finished(seen)
    if done is not None and any(event.kind == "hand_won" for event in events):
        played = {event.seat for event in events if event.kind == "play"}
        cards = [
            card for play in done.plays if play.seat in played and (card := found.get(f"card {play.seat}"))
        ]
        start = 0.0
        if cards:
            for card, (at, each) in zip(cards, one_by_one(len(cards), 0.0, _TURNING), strict=True):
                parts += [At(0.0, at, lie(card))] if at else []
                parts.append(At(at, each, turn(card, "panel")))
            start = _TURNING
        if winner := found.get(f"play {done.winner}"):
            parts.append(At(start, 0.8, glow(winner)))
            parts.append(At(start + 0.1, 0.8, rise("+1", found[f"card {done.winner}"])))
    for event in events:
        target = event.facts.get("target")
        if event.kind == "vaporised" and (place := found.get(f"seat {target}")):
            parts.append(At(0.0, 0.8, burst(place, "natural")))
    return over(scene, *parts) if parts else scene
