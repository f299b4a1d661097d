"""What moves on the table of Chemistry Battle: a fight that is won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.render.motion import FIRST, SECOND, At, burst, glow, over, rise
from bot.render.scene import Look, Scene, places
from engine.chemistry.battle.rounds import Observation
from engine.game import Event

_TWO: Final = 2
_NARROW: Final = 3
"""By so much at most a narrow fight is won."""


def motion(events: Sequence[Event], seen: Observation, scene: Scene, _look: Look) -> Scene:
    """The card that took the round shines, and the number of cards that it brought rises from the winner's
    place. Where two fight, every second card ends a round: only a narrow one moves, and the first, which
    brings the kitty."""
    won = [event for event in events if event.kind == "round_won"]
    if not won or seen.plays or seen.over or seen.last is None:
        return scene
    kitty = won[-1].facts["kitty"]
    best, second, *_ = sorted(seen.last.cards, reverse=True)
    if not isinstance(kitty, int) or (seen.hands == _TWO and not kitty and best - second > _NARROW):
        return scene
    found, winner = places(scene.items), seen.last.winner
    card, seat = found[f"card {winner}"], found[f"seat {winner}"]
    return over(
        scene,
        At(*FIRST, burst(card)),
        At(*FIRST, glow(card)),
        At(*SECOND, glow(seat)),
        At(*SECOND, rise(f"+{len(seen.last.cards) + kitty}", seat)),
    )
