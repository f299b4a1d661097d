"""What Duel 52 says to somebody at a table, with the keys of its strings left on it."""

from __future__ import annotations

from bot.presenters import get
from bot.render.scene import Look
from engine.duel52.state import DuelState
from tests.support.discord.keys import MARKED

PRESENTER = get("duel52")
LOOK = Look(names=("Ann", "Ben", "Cy", "Dee"), locale=MARKED)
ENGLISH = Look(names=LOOK.names)
"""For pictures: marks would take room."""
REST = "hands=2s/2h pile=2d2c"


def lines(state: DuelState, viewer: int | None) -> list[str]:
    views = [event.seen_by(viewer) for event in state.events or ()]
    told = [PRESENTER.line(view, viewer, LOOK) for view in views if view is not None]
    return [line for line in told if line]
