"""What moves on the table of Atom Duel: a decided hand, and a card that a laser burns."""

from __future__ import annotations

from collections.abc import Sequence

from bot.presenters.atom_duel import queries
from bot.render.motion import FIRST, SECOND, At, burst, glow, over, rise, turn
from bot.render.scene import Look, Scene, places
from engine.atom_duel.observation import Observation
from engine.game import Event


def motion(events: Sequence[Event], seen: Observation, scene: Scene, _look: Look) -> Scene:
    """Animate a decided hand: its last card turns over, then the winner's shines.

    A card that a laser burns goes up in sparks instead.
    """
    found, parts = places(scene.items), list[At]()
    burnt = [event.facts.get("target") for event in events if event.kind == "vaporised"]
    if burnt and (place := found.get(f"seat {burnt[-1]}")):
        parts.append(At(*FIRST, burst(place, "natural")))
    done = queries.finished(seen)
    if done is not None and any(event.kind == "hand_won" for event in events):
        played = [event.seat for event in events if event.kind == "play"]
        if not parts and played and (card := found.get(f"card {played[-1]}")):
            parts.append(At(*FIRST, turn(card, "panel")))
        if winner := found.get(f"play {done.winner}"):
            parts.append(At(*SECOND, glow(winner)))
            parts.append(At(*SECOND, rise("+1", found[f"card {done.winner}"])))
    return over(scene, *parts) if parts else scene
