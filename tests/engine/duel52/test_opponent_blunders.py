"""Kills that Master or Sharp left in games of Steady, and a turn that does well to leave one.

Steady played the positions out 16 to 20 times from the end of each turn: research/duel52.md.
"""

from __future__ import annotations

import random

import pytest

from engine.duel52.ai.master import master
from engine.duel52.ai.search import Planner
from engine.duel52.ai.sharp import sharp
from engine.duel52.moves import Move
from engine.duel52.notation import read
from engine.duel52.state import DuelState
from tests.engine.duel52.positions import act

SEEDS = range(5)

TEN_IN_A_LATE_LANE = (
    "standard A3 (Jc)@-|(4h)@-#2,7c#21,6h#28,Qd#30,8c#10,(3s)#32,Kh#33|(2c)@-#4,Jh#7"
    "/(9c)@-#1,3h,(3d)#13,8s#16|(Kd)@-#3,Ad#12,7h#26,Qh#27,Ac#29,Th#31,5h#34,2d#35,8d#17|(Ts)@-#5 "
    "hands=2h2s9hQc/4c aside=8h9dQs5s9s3cJdTdKc7s "
    "gone=(6s)@A,Ah,4d,6c,Tc,6d,5d,Js,7d,As,5c,Ks,{4s}@B first=B turns=26 laid=36"
)
TEN_ALONE_IN_ITS_LANE = (
    "standard B3 Ac,(7c)#33,(7h)#34,8c#35|Th#2|(Ts)@-#4,5d#11,3s#12,Ks#16,Kd#17,4c#19"
    "/(Qd)@A#1,8d#30,Kc#31,9h#32,(Kh)#37|5h#3,Qc#22|(2c)@-#5,(3h)1@AB#14 hands=-/2d2h9d "
    "aside=5c4h9c6s8hAs3d9sTd4d gone=(6h)@B,Ad,3c,Ah,(Qh)@A,8s,Jd,7d,6c,{4s}@A,Jc,Jh,7s,5s,Js,2s,Tc,6d,Qs "
    "first=B turns=31 laid=38"
)
TEN_BEFORE_THE_LAST_CARD = (
    "standard B2 [Kh],3c#7,Ad#22,Td#26,Kc#29,5d#31,(9s)#32|[As]#2,6h#6|[6c]#4,Ac#13,7d#17,(Qs)#23"
    "/[5c]#1,8h#19,8c1#24,Ks#28,8d#9,(3d)#33|[3s]#3,8s#10|[7s]#5 hands=4d9h/2s4h4sQh pile=7c "
    "aside=2dJsQdJh3h6sAhTh2c4c gone=Jd,7h,Tc,Ts,(6d)@B,(5h)@B,(9c)@B,Kd,Jc,{9d}@A,2h,Qc,5s "
    "turns=24 quiet=-1 laid=34"
)
TEN_AMONG_BACKS = (
    "standard B3 [Ah],8d#11|[4s],6s#16,(3s)#22,Tc#23,(7h)#25,(Qs)#26|[7c]#4,Jd#6"
    "/[9h]#1,Td#12,(3h)@AB#13|[As]#3,8s#17,8c#18,(6d)#24|[8h]#5 hands=4c9d/2s5d9cKcKh "
    "pile=2c7s2dTs6cQh3c aside=5c7d4h3dJhQdJc9s5h6h gone=Th,(Ac)@B,{Qc}@B,Ks,Js,Kd,2h,5s,4d,Ad "
    "turns=18 laid=27"
)
TEN_AND_AN_ACE_OF_MINE = (
    "standard A3 As#9,5h1#32,2s#33,Kc#34|(Qc)@B#2,8s#11|(9d)@-#4,Ts#25,(Ks)#26,(9h)#27"
    "/Qh#1,3d#29,5s#31,8d#35,9c#36,Th#24|(Td)@A#3,7c#13,(3c)#15,(Ah)#21,(8h)#22|(Tc)@-#5,Jd#6 "
    "hands=-/4d4s aside=2d7dAd8c3h3sQs5dKhJc gone=Ac,Jh,6s,5c,Kd,Qd,6d,6h,7s,7h,6c,{2c}@A,Js,9s,4c,2h,4h "
    "first=B turns=30 laid=39"
)
BASE_OR_ACE = (
    "standard A1 (4d)1@-|(7d)@-,(6s),7c1,(3h),Kc,Tc|3s1,(Ts),(4s)#21,(9s)#22"
    "/(6h)@-#9,5d#10,8s#11,Kd#12,Ah#13|(3c)@-#14,6d#15,Jc#16|(Qs)1@-#17,8d1#18,As#19,7h#20 "
    "hands=2c2s/2d first=B turns=30 quiet=-1"
)
TWO_CARDS_OF_ONE_LANE = (
    "standard A3 [4d]|[7d],(6s),Qc1,(7c),(3h),Kc,Tc|[3s],Jd/[6h],5d,8s,Kd,Ah|[3c],6d,7s|[Qs],Js,8d,(As) "
    "hands=2c5s9dKh/- pile=Jc2sQh9s2d4sThTs7h first=B turns=16"
)


def of_master(state: DuelState, seed: int) -> Move:
    seat = state.turn
    return master(state.observe(seat), state.legal_actions(seat), random.Random(seed))


def targets(text: str, level: str = "master") -> set[int]:
    """Return what the level attacks first, over all seeds; -1 is another move."""
    state = read(text)
    seat, choose = state.turn, master if level == "master" else sharp
    return {
        choose(state.observe(seat), state.legal_actions(seat), random.Random(seed)).target for seed in SEEDS
    }


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "attack"),
    [
        pytest.param(TEN_IN_A_LATE_LANE, "attack 7c Th", id="late, .53 against .10"),
        pytest.param(TEN_ALONE_IN_ITS_LANE, "attack 5h Th", id="alone, 1.00 against .95"),
        pytest.param(TEN_BEFORE_THE_LAST_CARD, "attack 8h Td", id="before the last card, .31 each"),
        pytest.param(TEN_AMONG_BACKS, "attack 8s Tc", id="among backs, .45 each"),
        pytest.param(TEN_AND_AN_ACE_OF_MINE, "attack As Th", id="lost either way"),
    ],
)
def test_master_begins_with_the_card_that_the_turn_can_kill(text: str, attack: str) -> None:
    """All cards of the lane have the same score to the heuristic, but one attack more kills only a 10."""
    assert targets(text) == {act(read(text), attack).target}


def test_sharp_begins_with_a_10_that_the_turn_can_kill() -> None:
    text = TEN_ALONE_IN_ITS_LANE
    assert targets(text, "sharp") == {act(read(text), "attack 5h Th").target}


def candidates(text: str, top: int, seed: int) -> list[Move]:
    state = read(text)
    seat = state.turn
    verdict = Planner(budget=1, top=top, rankings=3).think(
        state.observe(seat), state.legal_actions(seat), random.Random(seed)
    )
    return [candidate.action for candidate in verdict.candidates]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("text", "attack"),
    [
        (TEN_IN_A_LATE_LANE, "attack 7c Th"),
        (TEN_ALONE_IN_ITS_LANE, "attack 5h Th"),
        (TEN_BEFORE_THE_LAST_CARD, "attack 8h Td"),
        (TEN_AMONG_BACKS, "attack 8s Tc"),
        (TEN_AND_AN_ACE_OF_MINE, "attack As Th"),
    ],
)
def test_an_attack_is_tried_though_another_has_its_score(text: str, attack: str, seed: int) -> None:
    target = act(read(text), attack).target
    assert any(move.verb == "attack" and move.target == target for move in candidates(text, 8, seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_base_is_tried_as_a_target(seed: int) -> None:
    """A player who knows this base to be a Queen kills it. To one who does not, an Ace is nearly as good."""
    assert act(read(BASE_OR_ACE), "attack 3s Qs") in candidates(BASE_OR_ACE, 8, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_master_leaves_a_lane_to_be_cleared_later(seed: int) -> None:
    """Killing both cards of lane 2 with three attacks looks natural, but wins no more often."""
    state = read(TWO_CARDS_OF_ONE_LANE)
    kills = act(state, "attack Tc 6d 7s"), act(state, "attack Tc 7s 6d")
    assert of_master(state, seed) not in kills
