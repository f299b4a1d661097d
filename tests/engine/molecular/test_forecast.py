"""The judge of the bench that foretells more than Sharp's."""

from __future__ import annotations

import random

import pytest

from bench.opponents.molecular_forecast import judge, still
from engine.molecular.searching import policy
from tests.engine.molecular.positions import embedded, game, give_hand, with_board


def test_the_judge_shares_one_win() -> None:
    for seats in (2, 4):
        state, rng = game(seats, seed=5, rounds=4), random.Random(1)
        while waiting := state.to_act():
            shares = [judge(state, seat) for seat in range(seats)]
            assert all(0 <= share <= 1 for share in shares)
            assert sum(shares) == pytest.approx(1)
            state.push(waiting[0], policy(state, waiting[0], rng))
        best = max(state.scores)
        assert judge(state, state.scores.index(best)) == 1 / state.scores.count(best)


def test_a_card_that_comes_often_is_worth_more_than_one_that_hardly_does() -> None:
    """Neither has an example on the table: ethers are made in most games, imides in few."""
    state, worth = with_board(game(), embedded("CO", [(0, 1, 1)])), []
    for card in ("ether", "imide"):
        give_hand(state, 0, card, "benzene", "azo")
        worth.append(still(state, 0))
    assert worth[0] > worth[1] + 1


def test_a_ripe_card_counts_while_there_is_an_action_for_it() -> None:
    state, more = with_board(game(rounds=1), embedded("COC", [(0, 1, 1), (1, 2, 1)])), []
    for state.turn in (0, 1):
        give_hand(state, 0, "diacid", "benzene", "azo")
        before = judge(state, 0)
        give_hand(state, 0, "ether", "benzene", "azo")
        more.append(judge(state, 0) - before)
    assert more[0] > 0.1 > more[1]
