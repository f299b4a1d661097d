"""The opponents that search: their worlds, the rule by which they play on, what a round's end is worth."""

from __future__ import annotations

import random

import pytest

from engine import catalog
from engine.arena import key_of
from engine.chemistry.ai import rollout
from engine.chemistry.ai.heuristic import heuristic, scores
from engine.chemistry.ai.judge import judge
from engine.chemistry.ai.search import measures, sharp
from engine.chemistry.deck import KINDS, NEEDS, WILD
from engine.chemistry.moves import captures, lack, runs
from engine.chemistry.observation import LAY, OVER, parts
from engine.chemistry.state import CollectState
from tests.engine.chemistry.positions import arrange, dealt, take

pytestmark = pytest.mark.repeats

GAMES = ("compound_capture", "canasta")


def positions(key: str, seats: int, every: int = 5) -> list[CollectState]:
    """Positions of a game between heuristics."""
    game = catalog.get(key)
    state = game.deal(game.setup(seats, key_of(3, 1)))
    assert isinstance(state, CollectState)
    rng = random.Random(1)
    found: list[CollectState] = []
    while state.to_act():
        seat = state.to_act()[0]
        actions = state.legal_actions(seat)
        found.append(state.clone())
        state.push(seat, heuristic(state.observe(seat), actions, rng))
    return found[::every]


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("seats", [1, 2, 4])
def test_the_rule_plays_legal_moves_to_the_end(key: str, seats: int) -> None:
    game = catalog.get(key)
    setup = game.setup(seats, key_of(5, seats))
    state = game.deal(setup)
    rng = random.Random(1)
    for _ in range(game.bound(setup)):
        if not state.to_act():
            break
        seat = state.to_act()[0]
        move = rollout.policy(state, seat, rng)
        assert move in state.legal_actions(seat)
        state.push(seat, move)
    assert state.outcome() is not None


@pytest.mark.parametrize("key", GAMES)
def test_a_world_is_over_with_its_round_in_whole_turns_as_in_moves(key: str) -> None:
    rng = random.Random(2)
    for state in positions(key, 3, every=20):
        quick = rollout.sampler(state.observe(state.turn))(random.Random(1))
        assert isinstance(quick, rollout.Round)
        slow = quick.clone()
        quick.play_on(rng)
        while slow.to_act():
            seat = slow.to_act()[0]
            slow.push(seat, rollout.policy(slow, seat, rng))
        assert (slow.phase, slow.round) == (OVER, state.round)
        assert slow.last is not None
        assert slow.last.round == state.round
        assert slow.last == quick.last


def test_what_hands_lack_and_whether_they_have_a_run_is_what_the_rules_say() -> None:
    rng = random.Random(1)
    row = list(range(len(NEEDS)))
    able = set()
    for _ in range(300):
        hand = bytearray(KINDS)
        for kind in rng.choices(range(KINDS), k=rng.randrange(10)):
            hand[kind] += 1
        hand[WILD] = rng.choice((0, 0, 0, 1, 2))
        assert rollout.lacks(row, hand) == [lack(compound, hand) for compound in row]
        assert rollout.can_run(hand) == bool(runs(hand))
        able.add(rollout.can_run(hand))
    assert able == {False, True}


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("seats", [2, 3])
def test_who_is_idle_had_neither_a_capture_nor_a_run(key: str, seats: int) -> None:
    """Between heuristics, with rounds to go, what is read from the history is true of the real hands."""
    found = 0
    for state in positions(key, seats):
        for seat, card, row in rollout.idle(state.observe(state.turn)):
            found += 1
            hand = state.hands[seat].copy()
            hand[card] += 1
            assert parts(next(one for one in reversed(state.log) if parts(one)[1] == seat))[0] == LAY
            assert set(row) <= set(state.row)
            assert not captures(row, hand)
            assert not (state.canasta and runs(hand))
    assert found > 3


@pytest.mark.parametrize("key", GAMES)
def test_most_worlds_agree_with_what_was_left_undone(key: str) -> None:
    rng = random.Random(1)
    agreed = met = 0
    for state in positions(key, 3):
        seen = state.observe(state.turn)
        make = rollout.sampler(seen)
        for seat, card, row in rollout.idle(seen):
            world = make(rng)
            hand = world.hands[seat].copy()
            hand[card] += 1
            met += 1
            agreed += not captures(row, hand) and not (state.canasta and runs(hand))
    assert agreed > 0.7 * met > 0


@pytest.mark.parametrize("canasta", [False, True])
def test_shares_are_those_of_one_win(canasta: bool) -> None:
    state = dealt(is_canasta=canasta, seats=3)
    state.phase = OVER
    for totals in ([0, 0, 0], [120, 80, 200], [251, 250, 10], [10, 240, 100]):
        state.totals = totals
        shares = [judge(state, seat) for seat in range(3)]
        assert sum(shares) == pytest.approx(1.0)
        assert max(totals) - min(totals) == 0 or shares[totals.index(max(totals))] == max(shares)
    state.totals, state.round = [40, 60, 60], state.rounds
    assert [judge(state, seat) for seat in range(3)] == [0.0, 0.5, 0.5]


@pytest.mark.parametrize("key", GAMES)
def test_shares_of_running_rounds_are_those_of_one_win(key: str) -> None:
    for state in positions(key, 3, every=30):
        assert sum(judge(state, seat) for seat in range(3)) == pytest.approx(1.0)


def test_a_hand_promises_more_with_a_capture_and_with_a_wild_card() -> None:
    plain, able, wild = (arrange(hand, "S S S") for hand in ("Ca Ca Ca", "H H O", "Ca Ca *"))
    assert judge(plain, 0) < judge(able, 0)
    assert judge(plain, 0) < judge(wild, 0)


def test_alone_more_points_are_more() -> None:
    state = dealt(seats=1, rounds=1)
    state.phase = OVER
    found = []
    for points in (-5, 20, 300):
        state.totals = [points]
        found.append(judge(state, 0))
    assert found == sorted(set(found))


def test_a_lead_counts_more_near_the_end() -> None:
    state = dealt()
    state.phase = OVER
    found = []
    for own, other in ((30, 0), (130, 100), (230, 200), (260, 230)):
        state.totals = [own, other]
        found.append(judge(state, 0))
    assert found == sorted(found)
    assert found[-1] == 1.0


def test_draws_are_left_to_the_heuristic() -> None:
    state = dealt()
    seat = state.turn
    for _ in range(2):
        seen, actions = state.observe(seat), state.legal_actions(seat)
        verdict = sharp.think(seen, actions, random.Random(1))
        assert verdict.tries == 0
        assert verdict.action == heuristic(seen, actions, random.Random(1))
        state.push(seat, actions[0])
    assert sharp.think(state.observe(seat), state.legal_actions(seat), random.Random(1)).tries > 0


def test_the_same_seed_gives_the_same_answer() -> None:
    state = next(one for one in positions("canasta", 2, every=1) if len(one.legal_actions(one.turn)) > 4)
    seen, actions = state.observe(state.turn), state.legal_actions(state.turn)
    first, again = (sharp.think(seen, actions, random.Random(7)) for _ in range(2))
    assert first == again
    assert first.action in actions
    assert len(scores(seen, actions, random.Random(7))) == len(actions)


def test_what_the_running_round_has_made_counts_among_the_points() -> None:
    state = arrange("H H O Na Cl", "C C")
    before = measures(state, 0)
    state.push(0, take("H2O", "H H O"))
    assert measures(state, 0)["points"] == before["points"] + 25
    assert measures(state, 1)["theirs"] == 25
