"""The sharp opponent: the steady one while cards are drawn, a search afterwards."""

from __future__ import annotations

import random

import pytest

from engine.duel52.ai import sharp as sharp_module
from engine.duel52.ai.heuristic import heuristic
from engine.duel52.ai.sharp import sharp
from engine.duel52.game import GAME
from engine.duel52.notation import read
from engine.duel52.state import DuelState
from tests.engine.duel52.positions import act

ROWS = "standard A3 5s,7s|8s|7d/9c1|(5c),(6s)|7h"


def asked(state: DuelState, seed: int = 1) -> object:
    return sharp(state.observe(0), state.legal_actions(0), random.Random(seed))


def test_it_is_offered_above_the_steady_one() -> None:
    assert GAME.levels[-2:] == ("sharp", "master")
    assert GAME.opponents["sharp"] is sharp


def test_it_wins_where_it_can() -> None:
    state = read("standard A3 5s,(7s)|5h|4s/9c1|-|8c,(6c)")
    assert asked(state) == act(state, "attack 5s 9c")


@pytest.mark.parametrize(
    ("text", "planned"),
    [
        (f"{ROWS} hands=2s/2h pile=2d3d3c", True),
        (f"{ROWS} hands=2s/2h", False),
        ("triangles A3 5s|7s|8s|9s/5h|7h|8h|9h/5d|7d|8d|9d", True),
        ("solo A3 [2c]|[3c]|[4c]/[2d]|[3d]|[4d] hands=AsKsTs/2s3s4s pile=5s ask=bet turns=0", True),
    ],
)
def test_it_searches_between_two_sides_once_nothing_is_drawn(
    text: str, planned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, used = read(text), list[str]()

    def noted(*about: object) -> object:
        used.append("plan")
        return heuristic(*about)  # type: ignore[arg-type]

    monkeypatch.setattr(sharp_module, "heuristic", noted)
    seat = state.to_act()[0]
    actions = state.legal_actions(seat)
    assert sharp(state.observe(seat), actions, random.Random(1)) in actions
    assert bool(used) is planned


def test_the_same_luck_gives_the_same_decision() -> None:
    state = read(f"{ROWS} hands=2s/2h")
    assert asked(state, 7) == asked(state, 7)
