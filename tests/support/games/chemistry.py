"""Choices in positions of the chemistry games."""

from __future__ import annotations

from bot.presenters import get
from bot.presenters.base import Branch
from bot.render.scene import Look
from engine.chemistry.state import CollectState
from tests.engine.chemistry.positions import arrange
from tests.support.discord.keys import MARKED

CAPTURE, CANASTA = get("compound_capture"), get("canasta")


LOOK = Look(names=("Ann", "Ben", "Cy"), locale=MARKED)


def root(state: CollectState, seat: int = 0) -> Branch:
    presenter = CANASTA if state.canasta else CAPTURE
    node = presenter.choices(state.observe(seat), state.legal_actions(seat), LOOK)
    assert isinstance(node, Branch)
    return node


def with_an_open_wild(held: str) -> CollectState:
    """A hand of Canasta while a run on the table holds a wild card, which ruthenium may claim."""
    state = arrange(held, "S", row="HF CO2", is_canasta=True)
    state.runs[1].append((43, (43, 0, 45)))
    state.wilds.append((44, 1, 0))
    return state
