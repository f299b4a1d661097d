"""The opponents: legal, strong enough, and blind to what they may not see."""

from __future__ import annotations

import random
import time

from engine import arena
from engine.molecular import GAME
from engine.molecular.heuristic import heuristic
from engine.molecular.moves import Move
from tests.engine.molecular.tables import e, embedded, g, game, give_hand, give_pool, with_board


def test_the_heuristic_beats_random_clearly() -> None:
    result = arena.arena(GAME, ["heuristic", "random"], {}, games=16, seed=5, timer=time.process_time)
    assert result.contenders[0].win_share > 0.85


def test_the_heuristic_plays_every_number_of_seats() -> None:
    for seats in (1, 2, 8):
        state, rng = game(seats, rounds=2), random.Random(seats)
        while state.to_act():
            seat = state.to_act()[0]
            state.apply(seat, heuristic(state.observe(seat), state.legal_actions(seat), rng))
        assert state.outcome() is not None
        assert min(state.scores) > 0


def test_it_completes_a_group_for_a_card_in_hand() -> None:
    state = with_board(game(), embedded("CO", [(0, 1, 1)]))
    give_pool(state, 0, "H1-1", "N3-1", "O2-1", "N3-1", "O2-1")
    give_hand(state, 0, "alcohol", "diacid", "benzene")
    rng = random.Random(1)
    for _ in range(2):
        state.apply(0, heuristic(state.observe(0), state.legal_actions(0), rng))
    assert state.scores[0] == 1 + 3
    assert state.counters[g("alcohol")] == 1


def test_it_plays_a_ripe_card_in_the_last_turn() -> None:
    state = with_board(game(rounds=1), embedded("COC", [(0, 1, 1), (1, 2, 1)]))
    give_hand(state, 0, "ether", "diacid", "benzene")
    give_pool(state, 0, "N3-1", "N3-1", "N3-1", "O2-1", "O2-1")
    for _ in range(2):
        state.apply(0, heuristic(state.observe(0), state.legal_actions(0), random.Random(1)))
    assert state.counters[g("ether")] == 1
    assert state.scores[0] >= 3


def test_it_gives_away_its_least_card() -> None:
    state = with_board(game(), embedded("COC", [(0, 1, 1), (1, 2, 1)]))
    give_hand(state, 0, "ether", "diacid", "alkene")
    state.pending = None
    state.effectors.remove(e("conference"))
    state.effectors.append(e("conference"))
    state.apply(0, Move("reveal"))
    choice = heuristic(state.observe(0), state.legal_actions(0), random.Random(1))
    assert choice == Move("give", g("alkene"))
