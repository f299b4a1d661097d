"""The search of Atom: how a hand is played on in a world, how it is judged, and what is measured."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.ai.advice import advise
from engine.arena import key_of
from engine.atom import GAME
from engine.atom.ai.heuristic import scores
from engine.atom.ai.judge import judge
from engine.atom.ai.rollout import policy
from engine.atom.ai.search import MEASURES, MOST, OneGame, Searcher, behind, measures, study, worlds
from engine.atom.position import PLAYING
from engine.atom.state import AtomState
from tests.engine.atom.positions import arrange, lay, play

LOW = "3C 4D 5H 6C 8D", "3D 4H 5S 6D 9H", "3H 5C 6H 8S 9S"


def begun(seats: int, seed: int) -> AtomState:
    """A game whose card is called, where one is."""
    state = GAME.deal(GAME.setup(seats, key_of(seats, seed)))
    while state.calling:
        state.push(state.turn, state.callable(state.turn)[0])
    return state


def played(seats: int, seed: int) -> Iterator[AtomState]:
    """The positions of a game that the quick rule plays against itself."""
    state, rng = begun(seats, seed), random.Random(seed)
    while state.phase == PLAYING:
        yield state
        state.apply(state.turn, policy(state, state.turn, rng))


@pytest.mark.parametrize("seats", [4, 5])
def test_the_quick_rule_plays_by_the_rules_to_the_end(seats: int) -> None:
    for seed in range(3):
        for state in played(seats, seed):
            assert state.turn in state.to_act()


@pytest.mark.parametrize("seats", [4, 5])
def test_the_quick_rule_looks_at_no_other_hand(seats: int) -> None:
    rng = random.Random(1)
    for at, state in enumerate(played(seats, 5)):
        if at % 20 == 0:
            seat = state.turn
            world = GAME.sample(state.observe(seat), rng)
            world.teams = state.teams
            assert policy(world, seat, rng) == policy(state, seat, rng)


@pytest.mark.parametrize("seats", [4, 5])
def test_what_one_side_may_expect_the_other_may_not(seats: int) -> None:
    for state in played(seats, 2):
        shares = {side: judge(state, seat) for seat, side in enumerate(state.teams)}
        assert shares[0] + shares[1] == pytest.approx(1)


def test_a_side_that_holds_next_to_nothing_is_ahead() -> None:
    ahead = arrange("AC", "3C 4D 5H 6C 8D 9D JC", "KD", "3D 4H 5S 6D 9H JD JH")
    assert judge(ahead, 0) > 0.7
    assert judge(ahead, 1) < 0.3


def test_a_world_ends_with_the_game() -> None:
    state = arrange("AC", *LOW)
    world = worlds(state.observe(0))(random.Random(1))
    assert isinstance(world, OneGame)
    assert isinstance(world.clone(), OneGame)
    play(world, "AC")
    while not world.over:
        world.push(world.turn, policy(world, world.turn, random.Random(1)))
    assert len(world.results) == 1
    assert 0 <= judge(world, 0) <= 1


@pytest.mark.parametrize(("tricks", "cards"), [(1, 1), (2, 0)])
def test_a_try_ends_with_a_trick(tricks: int, cards: int) -> None:
    """Nobody beats the kings, and the four goes out behind them."""
    state = arrange("KC KD 4C", *LOW)
    seen, search = state.observe(0), replace(study, depth=tricks)
    found = search.think(seen, state.legal_actions(0), random.Random(1), tries=40).candidates
    kings = next(one for one in found if one.action == lay("KC KD"))
    assert set(kings.measured["cards"]) == {cards}


def test_the_teacher_leads_the_group_that_holds_before_the_one_that_does_not() -> None:
    state = arrange("KC KD 4C", *LOW)
    advice = advise(GAME, state.observe(0), state.legal_actions(0), random.Random(1))
    assert advice.best == lay("KC KD")
    assert advice.clear


def test_the_best_by_the_heuristic_is_fined_nothing_and_no_fine_is_large() -> None:
    state = arrange("KC KD 4C", *LOW)
    seen, actions, rng = state.observe(0), state.legal_actions(0), random.Random(1)
    fines, found = behind(seen, actions, rng), scores(seen, actions, rng)
    assert fines[found.index(max(found))] == 0
    assert -MOST <= min(fines) <= max(fines) == 0


def test_which_card_is_called_is_nearly_left_to_the_worlds() -> None:
    state = GAME.deal(GAME.setup(5, key_of(5, 1)))
    seen, actions = state.observe(state.turn), state.legal_actions(state.turn)
    fines = behind(seen, actions, random.Random(1))
    assert -0.02 < min(fines) < max(fines) == 0


def test_points_of_both_games_are_measured() -> None:
    state = arrange("KC KD 4C", *LOW, captured=(10, 20, 5, 0))
    found = measures(state, 2)
    assert set(found) == set(MEASURES)
    assert (found["points"], found["theirs"], found["cards"]) == (15, 20, 5)
    assert measures(state, 0)["turns"] == 2


def test_the_study_is_a_search_of_its_own_kind() -> None:
    assert isinstance(GAME.study, Searcher)
    assert GAME.measures == MEASURES
