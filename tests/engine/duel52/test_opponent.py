"""The opponent that looks one decision ahead."""

from __future__ import annotations

import random

from engine.arena import arena
from engine.duel52 import GAME
from engine.duel52.heuristic import heuristic
from engine.duel52.notation import read
from engine.duel52.outlook import WON, judge
from tests.engine.duel52.positions import act


def chosen(text: str) -> str:
    state = read(text)
    seat = state.turn
    move = heuristic(state.observe(seat), state.legal_actions(seat), random.Random(1))
    state.verify(seat, move)
    return move.verb if move.verb != "attack" else f"attack {state.card[move.target] >> 2}"


def test_it_takes_the_win() -> None:
    assert chosen("standard A3 5s,(7s)|5h|4s/9c1|-|8c,(6c)") == "attack 7"


def test_it_does_not_leave_a_lane_that_it_needs() -> None:
    assert chosen("standard A1 (Kd),Qs|4s|-/9c|8c|7c hands=-/2h ask=move:1") == "stay"


def test_it_kills_rather_than_scratches() -> None:
    text = "standard A1 5s|8s|8d/8c1,9c,6c1|7s|7h hands=2s/2h pile=2d2c3d3c4d4c6d6h7d7c"
    assert chosen(text) in ("attack 4", "attack 6")


def test_it_judges_from_both_sides() -> None:
    state = read("standard A3 5s|5h|-/9c1|-|8c")
    before = judge(state, 0)
    assert before > judge(state, 1)
    state.apply(0, act(state, "attack 5s 9c"))
    assert (judge(state, 0), judge(state, 1)) == (WON, -WON)


def test_it_counts_actions_and_lanes() -> None:
    rest = "hands=2s/2h pile=2d"
    assert judge(read(f"standard A3 5s|-|-/-|-|- {rest}"), 0) > judge(
        read(f"standard A1 5s|-|-/-|-|- {rest}"), 0
    )
    # late in the game two lanes are worth more than one that is crowded
    spread, crowded = (judge(read(f"standard A3 {row}/-|-|- {rest}"), 0) for row in ("5s|5h|-", "5s,5h|-|-"))
    assert spread > crowded


def test_it_beats_random() -> None:
    result = arena(GAME, ["heuristic", "random"], {}, games=20, seed=5, timer=lambda: 0.0)
    assert result.contenders[0].win_share >= 0.9
