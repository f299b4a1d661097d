"""The opponents that search: how they play on, how they judge, and what they need not think about."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.molecular.ai.heuristic import rated
from engine.molecular.ai.outlook import Outlook
from engine.molecular.ai.search import actions_left, judge, policy, sharp
from engine.molecular.moves import PASS, REVEAL, Move
from tests.engine.molecular.positions import e, embedded, g, game, give_hand, give_pool, with_board

quick = replace(sharp, budget=24)


@pytest.mark.parametrize("seats", [1, 2, 5])
def test_it_plays_on_by_the_rules(seats: int) -> None:
    """Whatever effectors ask, and mostly as the heuristic does."""
    rng = random.Random(seats)
    state, lost, asked = game(seats, seed=3), 0.0, 0
    while waiting := state.to_act():
        seat = waiting[0]
        moves = state.legal_actions(seat)
        move = policy(state, seat, rng)
        state.verify(seat, move)
        if state.pending is None and len(moves) > 1:
            worth = rated(Outlook.within(state, seat), moves)
            lost += max(worth) - worth[moves.index(move)]
            asked += 1
        state.push(seat, REVEAL if REVEAL in moves and rng.random() < 0.25 else move)
    assert lost < 0.15 * asked


def test_it_passes_where_nothing_else_is_left() -> None:
    state = with_board(game(), embedded("CO", [(0, 1, 1)]))
    give_pool(state, 0)
    give_hand(state, 0)
    state.actions, state.used, state.actives = 1, 2, [e("audit")]
    assert policy(state, 0, random.Random(1)) == PASS


def test_the_judge_shares_one_win() -> None:
    for seats in (2, 4):
        state, rng = game(seats, seed=5), random.Random(1)
        while waiting := state.to_act():
            shares = [judge(state, seat) for seat in range(seats)]
            assert all(0 <= share <= 1 for share in shares)
            assert sum(shares) == pytest.approx(1)
            state.push(waiting[0], rng.choice(state.legal_actions(waiting[0])))
        assert judge(state, state.scores.index(max(state.scores))) == 1 / state.scores.count(
            max(state.scores)
        )


def test_points_and_ripe_cards_count() -> None:
    state = with_board(game(), embedded("COC", [(0, 1, 1), (1, 2, 1)]))
    give_hand(state, 0, "diacid", "benzene", "azo")
    before = judge(state, 0)
    give_hand(state, 0, "ether", "benzene", "azo")
    ripe = judge(state, 0)
    state.scores[0] += 4
    assert before < ripe < judge(state, 0)


def test_alone_the_points_count() -> None:
    """There is nobody to win against, so that a share of the win would say nothing."""
    state = with_board(game(1), embedded("CO", [(0, 1, 1)]))
    before = judge(state, 0)
    state.scores[0] += 1
    assert 0 < before < judge(state, 0) < 1


def test_the_actions_of_all_rounds_are_counted() -> None:
    state, taken = game(3, rounds=4), [0, 0, 0]
    at_first = [actions_left(state, seat) for seat in range(3)]
    while state.to_act():
        taken[state.turn] += 1
        state.push(state.turn, PASS)
        assert state.over or [actions_left(state, seat) for seat in range(3)] == [
            whole - used for whole, used in zip(at_first, taken, strict=True)
        ]
    assert taken == at_first == [8, 8, 8]


def test_a_forced_decision_is_not_thought_about() -> None:
    state = game()
    assert quick.think(state.observe(0), [PASS], random.Random(1)).tries == 0


def test_it_plays_a_ripe_card_in_the_last_turn() -> None:
    state = with_board(game(rounds=1), embedded("COC", [(0, 1, 1), (1, 2, 1)]))
    give_hand(state, 0, "ether", "diacid", "benzene")
    give_pool(state, 0, "N3-1", "N3-1", "N3-1", "O2-1", "O2-1")
    for _ in range(2):
        state.apply(0, quick(state.observe(0), state.legal_actions(0), random.Random(1)))
    assert state.counters[g("ether")] == 1


def test_the_same_chance_gives_the_same_move() -> None:
    state = game(2, seed=8)
    seen, moves = state.observe(state.turn), state.legal_actions(state.turn)
    found: list[Move] = [quick(seen, moves, random.Random(6)) for _ in range(2)]
    assert found[0] == found[1]
