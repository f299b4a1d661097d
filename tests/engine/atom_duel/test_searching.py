"""The study: every kind of decision is tried in whole worlds, and measured in hands."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from engine.ai.advice import advise
from engine.arena import key_of
from engine.atom_duel import GAME
from engine.atom_duel.ai.ending import share
from engine.atom_duel.ai.policy import policy
from engine.atom_duel.ai.search import MEASURES, different, judge, sampler, study
from engine.atom_duel.moves import Move
from engine.atom_duel.state import AtomDuelState
from engine.verdict import Candidate, Verdict
from tests.engine.atom_duel.positions import arrange, move, play, z

LEVELS = (1, 4, 7)


def think(state: AtomDuelState, tries: int = 60, also: Sequence[Move] = ()) -> Verdict:
    seat = state.to_act()[0]
    return study.think(
        state.observe(seat), state.legal_actions(seat), random.Random(1), tries=tries, also=also
    )


def by_card(verdict: Verdict) -> dict[int, Candidate]:
    return {candidate.action.card: candidate for candidate in verdict.candidates}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("level", LEVELS)
def test_every_kind_of_decision_is_tried(seats: int, level: int) -> None:
    state = GAME.deal(GAME.setup(seats, key_of(5, level), level=level, rounds=2))
    rng, met = random.Random(3), Counter[str]()
    while waiting := state.to_act():
        actions = state.legal_actions(waiting[0])
        if len(actions) > 1 and met[actions[0].verb] < 2:
            met[actions[0].verb] += 1
            verdict = think(state, tries=16, also=(actions[-1],))
            assert actions[-1] in [candidate.action for candidate in verdict.candidates]
            for candidate in verdict.candidates:
                assert actions[candidate.place] == candidate.action
                assert all(0 <= value <= 1 for value in candidate.values)
                assert set(candidate.measured) <= set(MEASURES)
        state.push(waiting[0], rng.choice(actions))
    assert met["play"]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seats", [2, 5])
def test_the_rule_plays_legal_moves_to_the_end_and_the_same_twice(seats: int, level: int) -> None:
    for number in range(3):
        state = GAME.deal(GAME.setup(seats, key_of(6, number), level=level, rounds=2))
        twin = state.clone()
        while waiting := state.to_act():
            move = policy(state, waiting[0], random.Random(1))
            state.apply(waiting[0], move)
            assert policy(twin, waiting[0], random.Random(2)) == move
            twin.push(waiting[0], move)


def test_it_says_what_a_sure_hand_brings_and_what_is_kept() -> None:
    """Last of two at level 1, with one hand to come: the higher card wins now, and the lower one is kept."""
    state = arrange("Xe H", "Kr Ag", level=1, rounds=1, leader=1)
    play(state, "Kr")
    found = by_card(think(state))
    high, low = found[z("Xe")].measured, found[z("H")].measured
    assert set(high["now"]) == {100.0}
    assert set(low["now"]) == {0.0}
    assert set(high["kept"]) != set(low["kept"])
    assert min(low["kept"]) > max(high["kept"])
    assert all(own + theirs == 2 for own, theirs in zip(high["hands"], high["theirs"], strict=True))


def test_it_is_clear_about_the_hand_that_settles_a_tie() -> None:
    state = arrange("Xe H", "Kr Ag", level=1, rounds=4, round_=4, leader=1)
    state.points, state.round_points[-1] = [9, 9], [2, 1]
    play(state, "Kr")
    seen, actions = state.observe(0), state.legal_actions(0)
    advice = advise(GAME, seen, actions, random.Random(1), tries=80)
    assert advice.best.card == z("Xe")
    assert advice.clear


def test_of_cards_equally_unknown_one_is_tried() -> None:
    state = arrange("He Xe H", "Kr Ag Ba", "U Cd I", level=4, rounds=1)
    laser = next(
        card for card in range(1, 119) if "laser" in (state.table.powers[card], *state.table.choices[card])
    )
    state.rows[0][0] = laser
    actions = [one for one in state.legal_actions(0) if one.card == laser and one.power in ("", "laser")]
    state.push(0, actions[-1])
    aims = state.legal_actions(0)
    assert [one.verb for one in aims] == ["aim"] * 6
    apart = different(state.observe(0), aims, ())
    assert [aims[place].seat for place in apart] == [1, 2]
    assert len(aims) - 1 in different(state.observe(0), aims, (aims[-1],))


def test_looks_are_left_to_the_heuristic() -> None:
    state = arrange("Sr Xe H", "Kr Ag Ba", "U Cd I", level=7, rounds=2)
    play(state, "Sr")
    verdict = think(state)
    assert (verdict.action.verb, verdict.tries, len(verdict.candidates)) == ("reveal", 0, 1)


def test_the_rows_of_others_are_sealed_as_people_do() -> None:
    state = arrange("Fr Xe H", "Kr Ag Ba", level=7, rounds=1)
    state.phase, state.sealed = 1, [[], []]
    draw = sampler(state.observe(0))
    assert draw(random.Random(1)).sealed == [[], []]


def test_shares_after_a_round_are_those_of_one_win() -> None:
    points, now = (7, 9, 4), (2, 2, 1)
    for left in (0, 1, 3):
        shares = [share(points, now, seat, level=4, size=5, left=left) for seat in range(3)]
        assert sum(shares) == pytest.approx(1.0)
        assert shares[1] == max(shares)


def test_the_end_of_the_game_is_judged_by_the_rules() -> None:
    state = arrange("Xe", "Kr", level=1, rounds=1, leader=1)
    play(state, "Kr", "Xe")
    assert [judge(state, seat) for seat in range(2)] == [1.0, 0.0]


def test_a_move_of_a_card_is_no_other() -> None:
    state = arrange("Xe H", "Kr Ag", level=1, rounds=1)
    actions = state.legal_actions(0)
    assert list(different(state.observe(0), actions, ())) == list(range(len(actions)))
    assert move("Xe") in actions


def test_worlds_that_play_makes_unlikely_are_seldom_dealt() -> None:
    state = arrange("Ba Kr I", "Og Zn Se", level=1, rounds=1)
    play(state, "Ba", "Zn")
    draw, rng = sampler(state.observe(0)), random.Random(1)
    kept = [[card for card in draw(rng).rows[1] if card] for _ in range(200)]
    # by chance nearly every other row of two would have a card below Zinc
    assert sum(any(card < z("Zn") for card in row) for row in kept) < 0.25 * len(kept)
