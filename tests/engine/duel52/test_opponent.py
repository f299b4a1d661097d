"""The opponent that plans its turn: what a player would expect it to do, position by position."""

from __future__ import annotations

import random

import pytest

from engine.arena import arena, key_of
from engine.duel52 import GAME
from engine.duel52.ai.alike import kinds
from engine.duel52.ai.heuristic import heuristic
from engine.duel52.ai.outlook import WON, judge, revised, worths
from engine.duel52.ai.race import race
from engine.duel52.marks import SHOWN
from engine.duel52.notation import read
from engine.duel52.state import DuelState
from engine.playing_cards import CODES
from tests.engine.duel52.positions import act

pytestmark = pytest.mark.repeats

REST = "hands=2s/2h pile=2d3d3c4d4c6d6h7d7c8h8d9h9d"


def chosen(text: str, seed: int = 1) -> str:
    """Verb and target, by rank, of the decision."""
    state = read(text)
    seat = state.turn
    move = heuristic(state.observe(seat), state.legal_actions(seat), random.Random(seed))
    state.verify(seat, move)
    return f"{move.verb} {state.card[move.target] >> 2}" if move.verb in ("attack", "look") else move.verb


def turn(text: str, seed: int = 1) -> DuelState:
    """The position after the rest of the turn."""
    state = read(text)
    seat, rng = state.turn, random.Random(seed)
    while state.turn == seat and not state.ranks:
        state.apply(seat, heuristic(state.observe(seat), state.legal_actions(seat), rng))
    return state


def killed(state: DuelState) -> list[str]:
    return [CODES[card] for card, way, _ in state.gone if way == SHOWN]


@pytest.mark.parametrize("seed", range(5))
def test_it_takes_a_free_kill_with_the_last_action(seed: int) -> None:
    assert chosen(f"standard A1 5s|7s|(2c)/9c1|8c|(Qd) {REST}", seed) == "attack 7"


@pytest.mark.parametrize("seed", range(5))
def test_it_attacks_twice_where_that_kills(seed: int) -> None:
    # a Jack with two hit points left, and two cards to attack it
    assert "Jc" in killed(turn(f"standard A2 5s,7s|-|(2c)/Jc1,8c|(3h)|(Qd) {REST}", seed))


@pytest.mark.parametrize("seed", range(5))
def test_it_wakes_an_ace_to_attack_twice(seed: int) -> None:
    assert "Tc" in killed(turn(f"standard A2 (As)|(5h)|(2c)/Tc|(3h)|(Qd) {REST}", seed))


@pytest.mark.parametrize("seed", range(5))
def test_it_never_looks_at_a_card_that_it_knows(seed: int) -> None:
    text = f"standard A2 4s,(5s)|5h|(7s)/(9c)@AB|(8c)|- {REST} ask=look:0"
    assert chosen(text, seed) == "look 6"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "standard A1 [Kh]|[2h]#2,8h#6,8d#10,Jd#15|[7h]#4,Kd#17,4h#20,2d#25,5s#26,6d#28,Th!#31,(Tc)#33"
            "/[Ad]#1,5c#11,7d#12,Qd#14,Jc#8,2s#16|[Qc]#3|[Ks]#5,3c#19,6s1#21,6h#22,5d1,9s#27,5h#29,7c#30 "
            "hands=9d/4c4s pile=Ts8c aside=3sKc9cAc3hQhTd3d7sAh "
            "gone={Qs}@B,(8s)@A,6c,Jh,{4d}@A,{2c}@A,Js,9h,(As)@A turns=21 quiet=-1 laid=34",
            {"attack 3", "attack 4"},
            id="instead of laying a card",
        ),
        pytest.param(
            "standard A1 (Kh)@-|(2h)@-#2,8h#6,8d#10,Jd#15|Kd#17,4h#20,5s!#26,6d#28,(9d)#34,8c!#37"
            "/(Ad)@-#1,5c#11,7d#12,Qd,Jc#8,2s|(Qc)@-#3|Ks#5,3c,6h#22,9s#27,7c1#30,Ts#36,(4s)1#38 "
            "aside=3sKc9cAc3hQhTd3d7sAh gone={Qs}@B,(8s)@A,6c,Jh,{4d}@A,{2c}@A,Js,9h,(As)@A,Th,6s,5d,Tc,5h,"
            "(4c)@B,2d,(7h)@- turns=29 laid=39",
            {"attack 5"},
            id="instead of killing a back",
        ),
    ],
)
def test_it_takes_free_kills_that_were_missed_in_games(text: str, expected: set[str], seed: int) -> None:
    assert chosen(text, seed) in expected


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


@pytest.mark.parametrize("variant", ["standard", "teams", "triangles"])
def test_rows_are_judged_anew_where_something_changed(variant: str) -> None:
    for number in range(3):
        setup = GAME.setup(*GAME.seats({"variant": variant}), key_of(7, number), variant=variant)
        state, rng = GAME.deal(setup), random.Random(number)
        while not state.ranks:
            seat = state.turn
            move = rng.choice(state.legal_actions(seat))
            before, rows = state.clone(), worths(state, 0)
            state.apply(seat, move)
            assert revised(rows, before, state, 0, move) == pytest.approx(worths(state, 0))


def test_decisions_that_come_to_the_same_are_tried_once() -> None:
    state = read("standard A3 5s,7s|8s|-/9c,9d|(4c),(6c)|- hands=2s2d/2h pile=2c")
    tried = kinds(state, 0, state.legal_actions(0))
    assert sorted(place for places in tried.values() for place in places) == list(
        range(len(state.legal_actions(0)))
    )
    # a 2 into each lane; one attack on a 9, one on a back
    assert sorted(move.verb for move in tried) == ["attack", "attack", "play", "play", "play"]


def test_an_attacker_counts_where_an_8_strikes_back() -> None:
    state = read("standard A3 5s,7s|-|-/8c|-|- hands=/2h pile=2c")
    assert len(kinds(state, 0, state.legal_actions(0))) == 2


@pytest.mark.long
def test_it_beats_random() -> None:
    result = arena(GAME, ["steady", "random"], {}, games=20, seed=5, timer=lambda: 0.0)
    assert result.contenders[0].win_share >= 0.9


def test_an_empty_lane_is_judged_by_who_holds_it() -> None:
    """By rules 1 it is worth nothing to anyone."""
    text = "standard A2 -|Qh,9s|-/-|Kc|5d held="
    worth = {held: judge(read(text + held), 0) for held in ("A-B", "--B", "B-B", "none")}
    assert worth["A-B"] > worth["--B"] == worth["none"] > worth["B-B"]


def test_a_race_counts_an_empty_lane_for_its_holder() -> None:
    text = "standard A3 -|5s|-/-|8c1|5d held="
    assert race(read(text + "A--"), 1) == (0, 0)
    assert race(read(text + "---"), 1) == (0, 0)
    assert race(read(text + "xxx"), 1) is None
    assert race(read(text + "none"), 1) == (0, 0)
