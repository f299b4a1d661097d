"""The search in whole turns: what it finds, what it may know, and what its values mean."""

from __future__ import annotations

import random

import pytest

from engine.ai.advice import advise
from engine.duel52.ai.plan import Effort, turn
from engine.duel52.ai.search import MEASURES, measures, share, study
from engine.duel52.game import GAME
from engine.duel52.moves import Move
from engine.duel52.notation import read
from engine.duel52.state import DuelState
from engine.verdict import Verdict
from tests.engine.duel52.positions import act

REST = "hands=2s/2h pile=2d3d3c4d4c6d6h7d7c8h8d9h9d"
NARROW = Effort(first=1, width=2, replies=4, tries=60, all=100)


def studied(state: DuelState, tries: int = 64) -> Verdict:
    seat = state.turn
    return study.think(state.observe(seat), state.legal_actions(seat), random.Random(1), tries=tries)


def test_it_is_sure_of_a_win() -> None:
    state = read("standard A3 5s,(7s)|5h|4s/9c1|-|8c,(6c)")
    best = studied(state).candidates[0]
    assert best.action == act(state, "attack 5s 9c")
    assert set(best.values) == {1.0}


def test_of_equally_scored_moves_it_tries_one_with_each_target() -> None:
    state = read(f"standard A3 5s,7s|8s|-/9c1|(5c),(6s)|- {REST}")
    candidates = studied(state).candidates
    keys = [
        (round(one.prior, 9), one.action.verb, one.action.lane, one.action.target, one.action.second)
        for one in candidates
    ]
    assert len(keys) == len(set(keys))


def test_what_is_asked_for_is_tried_too() -> None:
    state = read(f"standard A3 5s,7s|8s|-/9c1|(5c),(6s)|- {REST}")
    seen, actions = state.observe(0), state.legal_actions(0)
    verdict = study.think(seen, actions, random.Random(1), tries=24, also=actions)
    assert {candidate.action for candidate in verdict.candidates} == set(actions)


def test_it_says_in_what_a_kill_is_better() -> None:
    state = read("standard A1 5s,8d|(2c)|8s/9c1,5h|(7s),6h|7h,9d hands=2s/2h")
    seen, actions = state.observe(0), state.legal_actions(0)
    advice = advise(GAME, seen, actions, random.Random(1))
    assert advice.best.verb == "attack"
    assert advice.best.target == act(state, "attack 5s 9c").target
    assert advice.differences[0].measure == "enemies"


@pytest.mark.parametrize(("gambles", "turned"), [(True, True), (False, False)])
def test_a_plan_goes_on_with_unseen_cards_only_where_it_may(gambles: bool, turned: bool) -> None:
    # an Ace that nobody has seen would bring two attacks and an action
    state = read("standard A2 5s,(Ah)@-|5h|4s/Tc1,7c,Td1|7d|8c hands=3s/2h")
    found = turn(state, 0, act(state, "attack 5s 7c"), NARROW._replace(gambles=gambles))
    assert bool(found.end.flags[1] & 1) is turned


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("standard A1 5s|5h|-/-|-|8c over=two_lanes:1,2", [1.0, 0.0]),
        ("standard A1 -|-|-/-|-|- over=both_sides:1,1", [0.5, 0.5]),
        ("teams A1 5s|5h|-/-|-|8c over=two_lanes:1,2,1,2", [1.0, 0.0, 1.0, 0.0]),
        ("triangles A1 5s|5h|-|-/-|-|8c|-/-|-|-|- over=two_triangles:1,2,3", [1.0, 0.0, 0.0]),
    ],
)
def test_at_the_end_a_value_is_what_was_won(text: str, shares: list[float]) -> None:
    state = read(text)
    assert [share(state, seat, 3.0) for seat in range(state.seats)] == shares


def test_of_three_sides_a_lead_tells_more_at_the_end() -> None:
    rows = "triangles A3 5s|-|-|-/5h|-|-|-/5d|-|-|-"
    late, early = read(rows), read(f"{rows} pile=2d3d3c4d4c6d6h7d7c")
    assert share(late, 0, 0.0) == pytest.approx(1 / 3)
    assert 1 / 3 < share(early, 0, 2.0) < share(late, 0, 2.0) < 1


def test_a_position_is_measured_as_people_would_count_it() -> None:
    state = read("standard A3 5s,Js1|(7s)1|-/9c|-|(8c),(6c)1 hands=2s3s/2h")
    found = measures(state, 0)
    assert tuple(found) == MEASURES
    assert found == {"lanes": 2, "enemies": 3, "cards": 5, "wounds": 5, "points": 5, "hand": 2}
    assert measures(state, 1)["lanes"] == 1


def test_a_back_has_the_points_of_every_back() -> None:
    found = [measures(read(f"standard A3 ({card})|-|-/5c|-|-"), 0)["points"] for card in ("Js", "2s")]
    assert found == [2, 2]


def test_a_bet_is_judged_for_the_side_that_is_bet_on() -> None:
    state = read("solo A3 [2c]|[3c]|[4c]/[2d]|[3d]|[4d] hands=AsKsTs/2s3s4s pile=5s ask=bet turns=0")
    assert studied(state, 8).action == Move("bet", target=0)
