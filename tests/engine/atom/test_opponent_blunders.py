"""Positions that the first opponent misplayed, each with the move a person expects."""

from __future__ import annotations

import random

import pytest

from engine.atom import GAME
from engine.atom.ai.heuristic import calls, heuristic, scores
from engine.atom.ai.odds import Odds
from engine.atom.ai.partners import allies
from engine.atom.moves import PASS, Move
from engine.atom.observation import Observation
from engine.atom.plays import LEAST_BOMB
from engine.atom.state import AtomState
from tests.engine.atom.positions import arrange, early, lay, play, stand

LOW = "3C 4D 5H 6C 8D", "3D 4H 5S 6D 9H", "3H 5C 6H 8S 9S"
"""Three hands that make no bomb however their cards lie, with nothing above a nine."""
MANY = "3C 3D 4H 5S 6C 8D 9H", "3S 4C 4D 5H 6S 8C 9D", "3H 4S 5C 6D 8H 9C 10S"
"""The same with more cards: somebody might hold four of a rank."""
NOTHING = "", "", "", ""
"""No earlier trick."""


def choice(state: AtomState, seed: int = 0) -> Move:
    seat = state.turn
    move: Move = heuristic(state.observe(seat), state.legal_actions(seat), random.Random(seed))
    return move


def odds(state: AtomState, seat: int) -> tuple[Observation, Odds]:
    seen = state.observe(seat)
    return seen, Odds(seen, allies(seen))


@pytest.mark.parametrize("others", [LOW, MANY])
def test_of_the_last_two_groups_it_leads_the_one_that_holds(others: tuple[str, ...]) -> None:
    """Aces, twos and Blades are gone: the kings hold, and the four goes out behind them."""
    state = arrange("KC KD 4C", *others)
    assert choice(state) == lay("KC KD")
    play(state, "KC KD", "pass", "pass", "pass")
    assert choice(state) == lay("4C")


def test_it_plays_all_that_holds_before_the_last_weak_group() -> None:
    state = arrange("AC QH QD JS JC 3D", *LOW)
    led = []
    while state.left[0]:
        if state.turn == 0:
            led.append(choice(state))
        state.apply(state.turn, led[-1] if state.turn == 0 else PASS)
    assert led[-1] == lay("3D")
    assert len(led) == 4


def test_a_king_is_high_once_aces_twos_and_blades_are_gone() -> None:
    early = arrange("KC 4C 5C", "AC 2D 3H", "3C 3D 3S", "2S 2H 7D")
    late = arrange("KC 4C 5C", *LOW)
    king = stand("KC")
    assert odds(late, 0)[1].hold(king) == 1
    assert odds(late, 0)[1].unbeatable(king)
    assert odds(early, 0)[1].hold(king) < 0.8
    assert not odds(early, 0)[1].unbeatable(king)


@pytest.mark.parametrize(
    ("held", "beats"),
    [
        ("QC", "KH"),
        ("QC QD", "KH KS"),
        ("QC QD", "KH RJ"),
        ("QC", "7C"),
        ("QC", "3C 3D 3S 3H"),
        ("QC", "3C 3D 3S RJ"),
        ("7C 7D", "4C 4C 4C"),
        ("QC QD QH QS", "KC KD KH KS"),
        ("QC QD QH QS", "3C 3D 3H 3S RJ"),
        ("QC QD QH QS", "7C 7D 7H 7S"),
        ("4S 4S 4S", "5C 5C 5C"),
        ("2S 2S 2S", "3C 3C 3D 3D 3H 3H 3S 3S"),
    ],
)
def test_nothing_is_unbeatable_that_hidden_cards_can_beat(held: str, beats: str) -> None:
    state = arrange(f"{held} 6C", beats, "8C 8D", "10C 10D")
    assert not odds(state, 0)[1].unbeatable(stand(held))


@pytest.mark.parametrize("held", ["QC", "QC QD", "7C 7D", "QC QD QH QS", "4S 4S 4S"])
def test_what_no_opponent_can_hold_is_no_danger(held: str) -> None:
    state = arrange(f"{held} 3C", "4C 5D 6H", "8D 9H 10S", "5H 6C 8S")
    assert odds(state, 0)[1].unbeatable(stand(held))


def test_it_throws_no_bomb_on_a_trick_of_nothing() -> None:
    """A three for no points, everybody far from the end."""
    rest = "3C 5C 6C 8C 8D 9C 10C JC JD QC KC AC 2C", "4D 5H 6S 8S 9S 9H 10H JS QS KS AS 2S 3S"
    hand = "4C 4C 4H 4S 6D 6H 9D 10D JH QD QH KD KH"
    state = arrange(rest[0], hand, *(rest[1], "3D 5D 6D 8H 9D 10S JC QS KC AD AH 2D 2H"))
    play(state, "2C")
    assert len(choice(state).cards) < 4


def test_with_five_it_throws_no_bomb_on_a_trick_of_nothing_either() -> None:
    """A bomb of threes is gone at once, and so are the pairs that it might have been."""
    hands = (
        "2C 2S 2S 2S 5C 5D 6D 6H 7D 8H JD QC KH KS AH",
        "3C 3C 3D 3S 4C 4D 4D 4S 9D 9H 9S 9S QC QC AC",
        "2D 2H 5S 6S 6S 7C 7H 7S 8C 10D JH JS QS KD KH AS AS",
        "3S 4C 4H 6D 6H 6H 7C 10D 10S JD QH QH QS KD AD",
        "2C 3C 3S 4S 5C 6C 6C 6S 7C 7D 8S 8S 10H JC KD",
    )
    state = play(arrange(*hands, called="AS", gone=("", "", "", "AS AS", "AS")), "2C 2S")
    assert choice(state) == PASS


def test_it_takes_a_rich_trick_that_it_can_beat_cheaply() -> None:
    """Forty points lie there under an opponent's kings, which fall to the aces."""
    hands = (
        "10C 10D 3C 3D 4H 6S 8C 9C",
        "AC AD 5C 6H 8H 9S",
        "KC KD 4D 6D 8D 9D",
        "3S 4S 6C 8S 9H",
    )
    state = play(arrange(*hands), "10C 10D", "pass", "KC KD", "pass", "pass")
    assert choice(state) == lay("AC AD")


def test_it_leaves_the_trick_to_a_partner_whose_cards_hold() -> None:
    state = arrange("AC AD 3C 5H", "4C 4D 8C", "2C 2D 3H 6D 9S", "6C 8D 9D")
    play(state, "AC AD", "pass")
    assert choice(state) == PASS


@pytest.mark.parametrize(
    ("caller", "partner", "rest", "led"),
    [
        (
            "2C 2S 3D 3H 3H 5H 5H 8C",
            "2C 2D 4D 4D 4S 6C 6H 8H 8S AS AS",
            ("2D 8C", "4C 5D 6D", "3C 3S"),
            "3D 3H 3H",
        ),
        (
            "2D 2S 3C 5C 6C 6D",
            "2S 2S 3C 3H 4C 6C 6H 8C 8D AS AS",
            ("2C 4H 5H 8S", "4C 4H 5H 6H 8H", "3S 3S 5C 5S 6H"),
            "6C 6D",
        ),
    ],
)
def test_with_five_it_leaves_the_trick_to_the_caller_whose_partner_it_is(
    caller: str, partner: str, rest: tuple[str, ...], led: str
) -> None:
    """It holds two of the called card, and nobody else can beat what the caller has led."""
    state = arrange(caller, partner, *rest, called="AS", gone=("", "", "AS", "AS", "AS"))
    assert choice(play(state, led)) == PASS


def test_it_lets_no_opponent_run_out_on_a_low_single() -> None:
    state = arrange("3C 4D 4H KC QD", "5C", "8C 9D 10D JD QC QS", "5H 6H 8H 9H")
    assert choice(state) != lay("3C")


def test_a_call_avoids_ranks_that_the_caller_holds_himself() -> None:
    """All twos but one suit lie with the caller; aces are left for a partner."""
    hands = (
        "2C 2C 2D 2D 2H 2H 2H 3C 4C 5C",
        "3D 4D 5D 6D",
        "3H 4H 5H 6H",
        "3S 4S 5S 6S",
        "8C 8D 8H 8S",
    )
    seen = arrange(*hands, caller=0).observe(0)
    actions = [Move("call", lay(card).cards) for card in ("2S", "AS", "4S")]
    rated = calls(seen, actions)
    assert rated.index(max(rated)) == 1


def test_scores_put_passing_at_nothing_and_running_out_first() -> None:
    state = arrange("5S 5C 3C", "AC AD", "6C 8C", "9C 10C")
    play(state, "5S 5C")
    legal = list(state.legal_actions(1))
    rated = scores(state.observe(1), legal, random.Random(0))
    assert rated[legal.index(PASS)] == 0
    assert rated[legal.index(lay("AC AD"))] == max(rated) > 1


def test_it_plays_whole_games_of_five() -> None:
    state = GAME.deal(GAME.setup(5, bytes(31) + b"\1", jokers="three"))
    while state.to_act():
        state.apply(state.turn, choice(state))
    assert state.outcome() is not None


def master(state: AtomState, seed: int) -> Move:
    seat = state.turn
    actions = state.legal_actions(seat)
    move: Move = GAME.opponents["master"](state.observe(seat), actions, random.Random(seed))
    return move


def is_bomb(move: Move) -> bool:
    return len(move.cards) >= LEAST_BOMB


WORTHLESS = {
    "three twos, the fourth trick": early(
        "2C 3D 3H 3S 3S 3S 4H 4H 4H 5C 5D 5S 6C 6D 6D 9C 9D 9H "
        "9S 9S 10C 10C 10D 10D JS QD QS QS KC KH KS AH RJ RJ",
        "3C 3D 3H",
        "2C 2D 2H",
        blade="7",
        leader=1,
        gone=("10H", "5C 7H", "5C 5D 7D KC", "4C 7C 7D 7S 8D"),
    ),
    "three twos, the first trick": early(
        "2D 2D 2H 2S 3H 3S 3S 5C 5D 5D 6C 6D 6D 6S 7D 7H 7H 7S 7S 8C "
        "8D 8H 8S 9C 9S 10C 10D 10H JC JS QD QS KC KC KH AC AD AS RJ",
        "3C 3D 3H",
        "2C 2D 2H",
        blade="8",
        leader=0,
        gone=NOTHING,
    ),
    "a nine led": early(
        "2D 2D 2H 2H 2S 3C 3C 3H 3S 4C 4C 4D 4H 4S 5C 5D 5H 6H 7D 7H 8C "
        "8D 8H 8S 8S 9D 9H 9S 10D 10H 10S JH JS QC QH KD KH KH AS AS BJ",
        "9S",
        blade="3",
        leader=0,
        gone=NOTHING,
    ),
    "a five led": early(
        "2D 2D 2D 3C 3D 3H 3H 4C 4D 4D 5C 5H 5S 6D 6H 8C 8D 8S "
        "9D 9D 9H 9S 9S 10C 10H 10S JD JH JS QD QD QD AC AD AS RJ",
        "5C",
        blade="7",
        leader=1,
        gone=("5H 5S JD QH", "6C 6S 7D", "2S 7C 7H QS", "4C 7H 7S 10D"),
    ),
    "two aces": early(
        "2H 3C 3C 3D 3H 3S 4C 4C 4H 5D 5H 5S 6H 6S 7D 7D 7H 7S 8C 8D 8H "
        "9D 10C 10H JD JD JH JS QC QH QS QS KD KS KS AD AD AS AS BJ RJ",
        "7D 7H",
        "QH QS",
        "AC AH",
        blade="J",
        leader=3,
        gone=NOTHING,
    ),
    "a two on its own partner's ace": early(
        "2H 3C 3D 3H 3H 3S 3S 4C 5C 5D 5S 6C 6D 6H 6H 6H 7C 7H 8D 8H "
        "8S 8S 9C 9D 9S 9S 10C 10D JC JH JS QC QH KC KD KD KS KS RJ RJ",
        "3S",
        "9H",
        "AS",
        "pass",
        "pass",
        "2D",
        blade="6",
        leader=2,
        gone=NOTHING,
    ),
    "two jacks": early(
        "2C 2D 2D 3D 4H 4S 5C 5C 5S 6C 6H 6S 7C 8D 8D 8H 8S 9C 9H 10C "
        "10D 10H 10S JC JD JS QC QC QD QS KC AC AC AD AD AS AS BJ BJ RJ",
        "6D 6S",
        "JC JD",
        blade="10",
        leader=1,
        gone=("3C", "10D", "", ""),
    ),
}
"""Tricks with at most five points, early in a game. The hand to play holds a bomb of fives."""


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("state", WORTHLESS.values(), ids=WORTHLESS)
def test_master_keeps_a_bomb_with_points_when_the_trick_has_none(state: AtomState, seed: int) -> None:
    assert any(is_bomb(move) for move in state.legal_actions(state.turn))
    assert not is_bomb(master(state, seed))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("hand", ["5C 5D 5H 5S 8C QD 4C 4D JH 6H 9H", "5C 5D 5H 5S 8C 4C 6H 9H JH KC"])
def test_master_throws_a_bomb_at_an_opponent_with_one_card_left(hand: str, seed: int) -> None:
    """The ace would take 20 points and lead, and its owner would be out."""
    others = "10C AC 3C", "3D 3H 4H 6S 8C 8D 9C JD", "4S 6C 6D 8S 9D 9S JC KH"
    state = arrange(hand, *others, leader=1, captured=(60, 60, 70, 70))
    play(state, "10C", "pass", "KH", "pass", "AC", "pass", "pass")
    assert master(state, seed) == lay("5C 5D 5H 5S")
