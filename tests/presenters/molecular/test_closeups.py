"""Looking closer at a molecule that is drawn small on the table."""

from __future__ import annotations

import random

from bot.presenters.molecular.pictures import CORNERS
from bot.presenters.molecular.presenter import PRESENTER
from bot.render.check import audit
from bot.render.scene import Look
from engine.molecular.game import GAME

LOOK = Look(names=("Ann", "Ben", "Cy", "Dee", "Eve", "Fay", "Gil", "Hal"))


def test_a_large_molecule_has_its_corners_drawn_large() -> None:
    seen_large = 0
    for seed in range(4):
        rng = random.Random(seed)
        state = GAME.deal(GAME.setup(8, rng.randbytes(32)))
        assert PRESENTER.closeups(state.observe(None), LOOK) == ()
        while seats := state.to_act():
            state._apply(seats[0], rng.choice(state.legal_actions(seats[0])))
        parts = PRESENTER.closeups(state.observe(None), LOOK)
        if not parts:
            continue
        seen_large += 1
        assert len({part.title for part in parts}) == len(CORNERS) == len(parts)
        for part in parts:
            assert part.scene is not None
            assert audit(part.scene) == []
    assert seen_large
