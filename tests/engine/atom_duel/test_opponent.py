"""The opponent: what a player would expect it to do, position by position."""

from __future__ import annotations

import random

import pytest

from engine.atom_duel.ai.heuristic import heuristic, scores
from engine.atom_duel.ai.rollout import _wins_the_game, kept, prospect
from engine.atom_duel.ai.worth import lay
from engine.atom_duel.cards import LEVELS
from engine.atom_duel.game import GAME
from engine.atom_duel.knowledge import EVERYBODY, place
from engine.atom_duel.moves import Move
from engine.atom_duel.position import SEALING
from engine.atom_duel.sample import played
from engine.atom_duel.state import AtomDuelState
from tests.engine.atom_duel.positions import arrange, play, z


def chosen(state: AtomDuelState, seed: int = 1) -> Move:
    seat = state.to_act()[0]
    return heuristic(state.observe(seat), state.legal_actions(seat), random.Random(seed))


@pytest.mark.parametrize("seed", range(5))
def test_it_does_not_lead_its_only_high_card(seed: int) -> None:
    state = arrange("Og U Se Br H", "Ba Kr I Cd Ag", level=1, rounds=4, round_=4)
    assert chosen(state, seed).card != z("Og")


@pytest.mark.parametrize("seed", range(5))
def test_last_it_takes_a_hand_cheaply_and_throws_its_lowest(seed: int) -> None:
    state = arrange("Ba Kr I", "Og U Se", level=1, rounds=1)
    play(state, "Ba")
    assert chosen(state, seed).card == z("U")
    state = arrange("Og Kr I", "Ba Zn Se", level=1, rounds=1)
    play(state, "Og")
    assert chosen(state, seed).card == z("Zn")


def test_the_score_says_what_a_hand_is_worth() -> None:
    def gain(round_: int, own: int, other: int) -> float:
        state = arrange("Ba Kr I", "Og U Se", level=1, rounds=4, round_=round_)
        state.points = [own, other]
        value = prospect(state.observe(0))
        return value([1, 0]) - value([0, 1])

    # close at the end it is the game, far behind or far ahead hardly anything
    assert gain(4, 8, 8) > 2 * gain(1, 0, 0) > 4 * gain(4, 12, 4)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("row", "one", "two"), [("H Rh Er", "Rh", "H"), ("Li Se Er", "Se", "Li")])
def test_the_score_decides_which_card_is_led(row: str, one: str, two: str, seed: int) -> None:
    """Three hands to go. Two points ahead one hand is the game, and the middle card is as likely to bring it
    as any while the best one waits for an answer. At equal points it takes two: so the low card goes first,
    and both others answer."""
    for points, card in (([10, 8], one), ([9, 9], two)):
        state = arrange(row, "Kr I Cd", level=1, rounds=4, round_=4)
        state.points = points
        assert chosen(state, seed).card == z(card)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("lead", "row", "card"), [("Ce", "Lr Zn Os", "Os"), ("Sm", "Lr Te Xe", "Lr"), ("Ce", "Og Zn Os", "Os")]
)
def test_last_it_takes_the_hand_that_wins_the_game(lead: str, row: str, card: str, seed: int) -> None:
    """Ten points to eight in the last round, and two hands to come after this one: the cheapest winner."""
    state = arrange(f"{lead} Br Np", row, level=1, rounds=4, round_=4)
    state.points = [8, 10]
    play(state, lead)
    assert chosen(state, seed).card == z(card)
    state.points = [10, 8]  # this hand alone is not enough
    legal = state.legal_actions(1)
    assert max(scores(state.observe(1), legal, random.Random(seed))) < 1


def test_who_came_last_and_lost_kept_no_winner_and_nothing_cheaper() -> None:
    state = arrange("Ba Kr I", "Og Zn Se", level=1, rounds=1)
    play(state, "Ba", "Zn")
    seen = state.observe(0)
    assert seen.last_hand is not None
    rest = kept(seen, 1, [z("Og"), z("H"), z("Se"), z("U"), *range(z("Ga"), z("Y")), z("Ag")])
    assert {z("Se"), z("Ag")} <= {*rest}
    assert not {z("Og"), z("U"), z("H")} & {*rest}


@pytest.mark.parametrize("seed", range(5))
def test_sealing_puts_first_what_is_dead_later(seed: int) -> None:
    state = arrange("Fr Zr Pd Br Se", "Ba Kr I Cd Ag", rounds=1)
    state.phase, state.sealed = SEALING, [[], []]
    assert chosen(state, seed).card == z("Fr")


@pytest.mark.parametrize("level", [1, LEVELS])
def test_every_move_has_a_score(level: int) -> None:
    state = arrange("Og Fe U Br Se", "Ba Kr I Cd Ag", level=level)
    actions = state.legal_actions(0)
    values = scores(state.observe(0), actions, random.Random(1))
    assert len(values) == len(actions)
    assert all(-1.0 < value < 1.5 for value in values)


def test_the_last_card_of_a_round_is_announced_when_it_is_turned_over() -> None:
    """Germanium hid it from its owner; nobody holds a card any more."""
    state = arrange("Ba", "Fe", level=7)
    state.face_down = True
    play(state, "flip:0", "flip:0")
    assert chosen(state) in state.legal_actions(1)
    assert chosen(state).verb == "announce"


@pytest.mark.long
@pytest.mark.repeats
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize(("level", "version"), [*((level, 2) for level in range(1, 7)), (6, 1)])
def test_a_hand_that_is_said_to_win_the_game_wins_it(level: int, version: int, seats: int) -> None:
    """Whatever comes after it, Lasers and new rows included. At level 7 the last round is sealed."""
    said, game = 0, GAME.at(version)
    for number in range(120):
        rng = random.Random(f"{level}/{seats}/{number}")
        state = game.deal(game.setup(seats, rng.randbytes(32), level=level, rounds=1 + number % 3))
        assert isinstance(state, AtomDuelState)
        claimed = set[int]()
        while turn := state.to_act():
            seat, legal = turn[0], state.legal_actions(turn[0])
            move, seen = rng.choice(legal), state.observe(turn[0])
            if move.verb == "play" and not [other for other in seen.to_play if other != seat]:
                before = [played(each, seen.table) for each in seen.plays]
                way, zinc = (move.card, move.power), seat in seen.zinc
                own = lay(seen.table, seat, *way, first_hand=seen.hand == 1, zinc=zinc)
                claimed |= {seat} if _wins_the_game(seen, before, own) else set()
            state.apply(seat, move)
        outcome = state.outcome()
        assert outcome is not None
        assert claimed <= {*outcome.winners()}
        said += len(claimed)
    assert said


def aimed_at(level: int, version: int) -> str:
    """Return the card that a Laser is aimed at when Gold and Rubidium have been shown."""
    state = arrange("Y Ba", "Au Br", "Rb Ca", level=level, version=version)
    everyone = {z("Au"): place(1, 0), z("Rb"): place(2, 0)}
    state.know().see(EVERYBODY, everyone)
    play(state, "Y")
    move = chosen(state)
    return {1: "Au", 2: "Rb"}[move.seat] if move.slot == 0 else "unseen"


def test_it_aims_at_gold_only_where_a_laser_harms_it() -> None:
    assert aimed_at(4, version=2) == "Au"
    assert aimed_at(4, version=1) != "Au"
    assert aimed_at(LEVELS, version=2) != "Au"


def test_a_sampled_world_keeps_the_rules_of_its_game() -> None:
    """A Magnet beats Gold at level 6 by rules 2, and does not by rules 1."""
    for version, wins in ((1, [1, 0]), (2, [0, 1])):
        game = GAME.at(version)
        state = arrange("Au Br", "Co Ba", level=6, version=version)
        play(state, "Au")
        world = game.sample(state.observe(1), random.Random(1))
        assert isinstance(world, AtomDuelState)
        assert world.gold_immune_from == state.gold_immune_from
        assert world.plays == state.plays
        play(world, "Co")
        assert world.points == wins


@pytest.mark.parametrize("seed", range(5))
def test_it_answers_gold_with_a_magnet_only_where_that_wins(seed: int) -> None:
    def worth_of_cobalt(version: int) -> float:
        state = arrange("Au Ba", "Co Se", level=6, rounds=1, version=version)
        play(state, "Au")
        actions = state.legal_actions(1)
        values = scores(state.observe(1), actions, random.Random(seed))
        return values[[move.card for move in actions].index(z("Co"))]

    assert worth_of_cobalt(version=2) > worth_of_cobalt(version=1) + 0.2
