"""The master opponent: it searches from the first decision on, where its network has learned."""

from __future__ import annotations

import random

import pytest

from engine.duel52.ai import master as master_module
from engine.duel52.ai.master import master
from engine.duel52.ai.sharp import sharp
from engine.duel52.game import GAME
from engine.duel52.notation import read
from engine.duel52.state import DuelState
from engine.ladder import fewest_seats
from tests.engine.duel52.positions import act

ROWS = "5s,7s|8s|7d/9c1|(5c),(6s)|7h hands=2s/2h"


def asked(state: DuelState, seed: int = 1) -> object:
    seat = state.to_act()[0]
    return master(state.observe(seat), state.legal_actions(seat), random.Random(seed))


def test_it_is_offered_above_the_sharp_one() -> None:
    assert GAME.levels[-1] == "master"
    assert GAME.opponents["master"] is master


@pytest.mark.parametrize("rest", ["", "pile=2d3d3c4d"])
def test_it_wins_where_it_can_and_takes_what_it_kills(rest: str) -> None:
    state = read(f"standard A1 5s,(7s)|5h|4s/9c1|-|8c,(6c) {rest}")
    assert asked(state) == act(state, "attack 5s 9c")


@pytest.mark.parametrize(
    ("text", "as_sharp"),
    [
        (f"standard A3 {ROWS} pile=2d3d3c", False),
        (f"standard A3 {ROWS}", False),
        (f"standard+v A3 {ROWS} pile=2d3d3c", True),
        (f"long A3 {ROWS} pile=2d3d3c", True),
        ("solo A3 [2c]|[3c]|[4c]/[2d]|[3d]|[4d] hands=AsKsTs/2s3s4s pile=5s ask=bet turns=0", True),
    ],
)
def test_it_searches_as_the_sharp_one_where_nothing_was_learned(
    text: str, as_sharp: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = list[str]()

    def noted(*about: object) -> object:
        used.append("sharp")
        return sharp(*about)  # type: ignore[arg-type]

    monkeypatch.setattr(master_module, "sharp", noted)
    state = read(text)
    assert asked(state) in state.legal_actions(state.to_act()[0])
    assert bool(used) is as_sharp


def test_the_same_luck_gives_the_same_decision() -> None:
    state = read(f"standard A3 {ROWS} pile=2d3d3c")
    assert asked(state, 7) == asked(state, 7)


def test_what_it_says_of_itself_is_the_game_it_has_learned() -> None:
    usual = GAME.defaults()
    assert GAME.usual == {"master": "sharp", "sharp": "steady"}
    assert (fewest_seats(GAME, {}), usual["variant"], usual["vampiric"]) == (2, "standard", False)
