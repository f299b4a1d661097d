"""Setups, rounds, ties of a game, refusals, events and the opponent."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from engine.atom_duel import GAME
from engine.atom_duel.ai.heuristic import heuristic
from engine.atom_duel.ai.worth import worth
from engine.atom_duel.moves import EVERY
from engine.atom_duel.position import OVER
from engine.atom_duel.state import AtomDuelState
from engine.game import IllegalAction, IllegalSetup, Setup
from tests.engine.atom_duel.positions import arrange, play, z


@pytest.mark.rule("atom_duel", 31)
def test_the_deck_limits_seats_hands_and_rounds() -> None:
    assert GAME.seats({"level": 1, "hand_size": 7, "rounds": 8}) == (2,)
    assert GAME.seats({"level": 1, "hand_size": 5, "rounds": 4}) == (2, 3, 4, 5)
    with pytest.raises(IllegalSetup) as caught:
        GAME.setup(5, bytes(32), hand_size=7)
    assert caught.value == IllegalSetup(
        "not_enough_cards", seats=5, hand_size=7, rounds=4, needed=140, cards=118
    )
    with pytest.raises(IllegalSetup) as caught:
        GAME.setup(6, bytes(32))
    assert caught.value.rule == "seats"


@pytest.mark.rule("atom_duel", 42)
def test_the_deck_counts_what_is_left_after_the_deal() -> None:
    state = GAME.deal(GAME.setup(4, bytes(32), hand_size=5))
    assert state.observe(0).deck == state.observe(None).deck == 118 - 4 * 5


@pytest.mark.rule("atom_duel", 31, "3.1")
def test_four_rounds_of_five_cards_and_no_card_is_dealt_twice() -> None:
    state = GAME.deal(GAME.setup(5, bytes(32), level=1))
    dealt: dict[int, set[int]] = {}
    while turn := state.to_act():
        if state.round not in dealt:
            dealt[state.round] = {card for row in state.rows for card in row}
        state.apply(turn[0], state.legal_actions(turn[0])[0])
    assert [len(cards) for cards in dealt.values()] == [5 * 5] * 4
    assert len(set().union(*dealt.values())) == 100


@pytest.mark.rule("atom_duel", 32, "3.3")
def test_rounds_begin_with_the_next_seat_and_hands_with_the_winner() -> None:
    state = GAME.deal(GAME.setup(3, bytes(32), level=1, rounds=3))
    start = state.leader
    rng = random.Random(0)
    rounds = {}
    while seats := state.to_act():
        if not state.plays:
            if state.hand == 1:
                rounds[state.round] = state.leader
            elif state.last is not None:
                assert state.leader == max(state.last.plays)[2]
        state.apply(seats[0], rng.choice(state.legal_actions(seats[0])))
    assert rounds == {1: start, 2: (start + 1) % 3, 3: (start + 2) % 3}
    assert sum(state.points) == 15


def over(points: list[int], final: list[int], best2: list[int]) -> AtomDuelState:
    state = GAME.deal(GAME.setup(3, bytes(32), rounds=1))
    state.phase = OVER
    state.points, state.round_points, state.best2 = points, [final], best2
    return state


@pytest.mark.rule("atom_duel", 33)
@pytest.mark.parametrize(
    ("points", "final", "best2", "ranks", "reason"),
    [
        ([5, 4, 3], [0, 0, 0], [0, 0, 0], [1, 2, 3], "points"),
        ([4, 5, 5], [1, 1, 2], [0, 9, 0], [3, 2, 1], "last_round"),
        ([5, 5, 3], [1, 1, 3], [88, 90, 0], [2, 1, 3], "best_value"),
        ([5, 5, 5], [1, 1, 1], [90, 90, 8], [1, 1, 3], "shared"),
    ],
)
def test_ties_of_points(
    points: list[int], final: list[int], best2: list[int], ranks: list[int], reason: str
) -> None:
    outcome = over(points, final, best2).outcome()
    assert outcome is not None
    assert [standing.rank for standing in outcome.standings] == ranks
    assert outcome.reason == reason


@pytest.mark.rule("atom_duel", 32, "3.2")
def test_a_round_ends_when_one_player_is_left_with_cards() -> None:
    state = arrange("Ba Fe Os", "U", "He", level=6)
    play(state, "Ba", "U", "He", "aim:0.1")
    assert state.round == 2
    leftover = next(event for event in state.events or () if event.kind == "leftover")
    assert (leftover.seat, leftover.facts["cards"]) == (0, [z("Os")])
    assert z("Os") in state.observe(None).gone


def test_the_running_hand_shows_values_and_who_wins_so_far() -> None:
    state = arrange("Cn Ba", "As I", "U Te", "Pb Se")
    play(state, "Cn")
    assert state.observe(None).winning == 0
    play(state, "As")
    seen = state.observe(2)
    assert seen.winning == 1
    assert [(view.value2, view.beaten) for view in seen.plays] == [(224, True), (224, False)]
    assert seen.to_play == (2, 3)
    play(state, "U", "Pb")
    hand = state.observe(0).last_hand
    assert hand is not None
    # Pb takes the 112 of the radioactive Scientist too; A stands before L
    assert (hand.winner, hand.card, hand.value2) == (1, z("As"), 224)
    assert [line.kind for line in hand.trace] == ["anti", "stopper", "tie", "winner"]


@pytest.mark.parametrize(("level", "seats"), [(1, 4), (3, 2), (5, 5), (7, 2), (7, 3), (7, 4), (7, 5)])
def test_of_all_moves_there_are_exactly_the_legal_ones_pass(level: int, seats: int) -> None:
    rng = random.Random(level * seats)
    rules = set()
    state = GAME.deal(GAME.setup(seats, rng.randbytes(32), level=level))
    while turn := state.to_act():
        if rng.random() < 0.15:
            for seat in range(seats):
                legal = set(state.legal_actions(seat))
                for move in EVERY:
                    try:
                        state.verify(seat, move)
                    except IllegalAction as refusal:
                        assert move not in legal
                        rules.add(refusal.rule)
                    else:
                        assert move in legal
        seat = rng.choice(turn)
        state.push(seat, rng.choice(state.legal_actions(seat)))
    assert rules <= GAME.refusals
    for word in (("play",), None, ("play", 26, -1, -1, "magnet", 1)):
        fresh: Any = GAME.deal(GAME.setup(2, bytes(32)))
        with pytest.raises(IllegalAction) as caught:
            fresh.verify(fresh.turn, word)
        assert caught.value.rule == "unknown_action"


def test_events_cost_nothing_unless_somebody_listens() -> None:
    state = arrange("Tl Ba", "Br Sc", events=False)
    play(state, "Tl", "peek:1.0", "peek:1.1", "Br")
    assert state.events is None


@pytest.mark.rule("atom_duel", 33)
def test_the_best_value_is_the_largest_that_won_not_the_last() -> None:
    state = arrange("Og Ca", "Ba H", level=1)
    play(state, "Og", "Ba")
    play(state, "Ca", "H")
    assert state.best2[0] == 2 * 118


def test_who_aims_has_played() -> None:
    state = arrange("He Sc", "Pb Ca", "Ti V")
    assert state.observe(None).to_play == (0, 1, 2)
    play(state, "He")
    assert state.observe(None).to_play == (1, 2)


def test_who_announces_after_a_flip_has_not_played() -> None:
    state = arrange("Ge Lu", "Fe Ba", "Ca S")
    play(state, "Ge")
    play(state, f"flip:{state.rows[1].index(z('Fe'))}")
    assert state.observe(None).to_play == (1, 2)


@pytest.mark.rule("atom_duel", 26)
@pytest.mark.parametrize(
    ("row", "power"),
    [
        ("He", "laser"),
        ("Sr", "reveal_one_each"),
        ("Tl", "peek_three"),
        ("Hg", "trade_two"),
        ("Cl", "redeal"),
    ],
)
def test_a_power_that_finds_nobody_says_so(row: str, power: str) -> None:
    state = arrange("Ba", row)
    play(state, "Ba", row)
    facts = [event.facts for event in state.events or () if event.kind == "no_target"]
    assert facts == [{"card": z(row), "power": power}]
    state = arrange(f"{row} Sc Os", "Ba Lu Ce")
    play(state, row)
    assert "no_target" not in [event.kind for event in state.events or ()]


@pytest.mark.rule("atom_duel", "3.4")
def test_a_game_ends_with_a_full_log() -> None:
    state = GAME.deal(GAME.setup(4, b"\7" * 32, level=7))
    state.events = []
    rng = random.Random(4)
    while turn := state.to_act():
        seat = rng.choice(turn)
        state.apply(seat, rng.choice(state.legal_actions(seat)))
    assert state.events[-1].kind == "game_over"
    msgspec.json.encode(state.events)
    outcome = state.outcome()
    assert outcome is not None
    assert sum(standing.score for standing in outcome.standings) == sum(
        event.kind == "hand_won" for event in state.events
    )


def test_the_best_cards_are_worth_most() -> None:
    values = worth(7, 4)
    assert values[z("Pb"), ""] > values[z("Og"), ""] > values[z("Si"), ""]
    assert worth(1, 4)[z("Og"), ""] > 0.95


@pytest.mark.repeats
@pytest.mark.parametrize("level", [1, *(pytest.param(level, marks=pytest.mark.long) for level in (4, 7))])
def test_the_opponent_plays_legal_moves_and_beats_chance(level: int) -> None:
    rng = random.Random(level)
    won = 0.0
    for number in range(40):
        state = GAME.deal(GAME.setup(4, number.to_bytes(32, "big"), level=level))
        mine = number % 4
        while turn := state.to_act():
            seat = turn[0]
            legal = state.legal_actions(seat)
            move = heuristic(state.observe(seat), legal, rng) if seat == mine else rng.choice(legal)
            state.apply(seat, move)
        outcome = state.outcome()
        assert outcome is not None
        won += (mine in outcome.winners()) / len(outcome.winners())
    assert won / 40 > 0.3


def test_the_opponent_takes_the_weakest_card_that_surely_wins() -> None:
    state = arrange("Og U Se", "Ba Br I", level=1)
    play(state, "U")
    state = arrange("Ba Br I", "Og U Se", level=1)
    play(state, "Ba")
    assert heuristic(state.observe(1), state.legal_actions(1), random.Random(0)).card == z("U")
    state = arrange("Ba Br I", "Ca S Se", level=1)
    play(state, "Ba")
    assert heuristic(state.observe(1), state.legal_actions(1), random.Random(0)).card == z("S")


def test_setups_are_checked_as_declared() -> None:
    setup = Setup("atom_duel", 1, 2, {"level": 8, "hand_size": 5, "rounds": 4}, bytes(32))
    refusal = GAME.check(setup)
    assert refusal is not None
    assert refusal.rule == "option_value"
