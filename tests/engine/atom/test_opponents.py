"""The heuristic opponent, and how it tells partners."""

from __future__ import annotations

import random

import pytest

from engine.atom import GAME
from engine.atom.ai.heuristic import heuristic
from engine.atom.ai.partners import allies, partners
from engine.atom.moves import PASS, Move
from engine.atom.state import AtomState
from tests.engine.atom.positions import arrange, lay, play


def choice(state: AtomState, seed: int = 0) -> Move:
    seat = state.turn
    return heuristic(state.observe(seat), state.legal_actions(seat), random.Random(seed))


@pytest.mark.repeats
def test_a_pair_of_heuristics_beats_a_random_pair() -> None:
    won = 0
    for number in range(30):
        state = GAME.deal(GAME.setup(4, number.to_bytes(32, "big")))
        rng = random.Random(number)
        mine = number % 2
        while turn := state.to_act():
            legal = state.legal_actions(turn[0])
            state.apply(turn[0], choice(state) if turn[0] % 2 == mine else rng.choice(legal))
        end = state.outcome()
        assert end is not None
        won += mine in end.winners()
    assert won >= 28


def test_it_leads_its_low_cards_and_keeps_atoms() -> None:
    rest = "8C 9C 10D JD QD QH AC", "8D 9D 10H JH QC QS 2C", "8H 9H 10S JS QD AH AD"
    state = arrange("3C 4D 4H KS KS KS 2D", *rest)
    assert choice(state).cards in (lay("3C").cards, lay("4D 4H").cards)


def test_it_lets_a_strong_partner_have_the_trick() -> None:
    state = arrange("2S 3C 3D 3H", "4C 4D 5C", "AC 2D 2H 9S", "6C 8D 9D", captured=(0, 0, 0, 0), blade="7")
    play(state, "2S", "pass")
    assert choice(state) == PASS


def test_it_runs_out_when_it_can() -> None:
    state = arrange("5S 5C 3C", "AC AD", "6C 8C", "9C 10C")
    play(state, "5S 5C")
    assert choice(state) == lay("AC AD")


def test_it_splits_no_atom_for_a_single() -> None:
    state = arrange("KC 3C", "AS AS AS 3D 5H", "6C 8C", "9C 10C")
    play(state, "KC")
    assert choice(state) in (PASS, lay("AS AS AS"))


def test_it_stops_an_opponent_who_is_nearly_out() -> None:
    state = arrange("QC 3C", "AS 4D 5H 6D 9H", "6C 8C", "9C 10C")
    play(state, "QC")
    assert choice(state) == lay("AS")


FIVE = ("AH KH 3C 4C", "8D 9S 3D", "10H 8C 4D", "AS 4C 6C", "9C 9D 9H")


def test_whoever_leaves_the_caller_alone_is_likely_his_partner() -> None:
    """Seat 3 has played one of the called cards and may hold another; it lets the caller's cards stand."""
    gone = ("", "", "", "AS", "")
    state = arrange(*FIVE, caller=0, called="AS", gone=gone)
    play(state, "3C", "9S", "pass", "pass", "pass", "AH", "pass", "pass", "pass", "pass")
    by_cards, by_play = (partners(state.observe(4), by_play=on) for on in (False, True))
    assert by_cards[0] == by_play[0] == 1
    assert by_cards[3] + 0.1 < by_play[3] < 1
    assert allies(state.observe(4))[4] == 1


def test_whoever_beats_the_caller_is_likely_his_opponent() -> None:
    """Seat 1 beats the caller's cards before anybody has let them stand."""
    gone = ("", "", "AS", "", "")
    hands = ("AH KH 3C 4C", "AS AS 4H 9H", "8D 9S 3D", "AS AS 4D 8C", "9C 9D 10D")
    state = arrange(*hands, caller=0, called="AS", gone=gone)
    play(state, "3C", "4H")
    by_cards, by_play = (partners(state.observe(4), by_play=on) for on in (False, True))
    assert 0 < by_play[1] < by_cards[1] - 0.1
    assert by_play[3] > by_cards[3]


def test_what_is_known_is_certain_whatever_was_played() -> None:
    state = arrange("AH KH 3C", "AS AS AS AS", "AS 4D", "4C 6C", "9C 9D", caller=0, called="AS")
    seen = state.observe(1)
    assert partners(seen) == (1, 1, 0, 0, 0)
    assert allies(seen) == (1, 1, 0, 0, 0)
    other = state.observe(3)
    assert allies(other)[3] == 1
    assert allies(other)[0] == 0


def test_four_players_know_their_partner() -> None:
    state = arrange("3C", "4C", "5C", "6C")
    assert allies(state.observe(1)) == (0, 1, 0, 1)


def test_more_patience_with_the_caller_means_more_trust() -> None:
    """The same cards: only what was let stand and what was beaten differs."""
    state = GAME.deal(GAME.setup(5, bytes(32)))
    state.apply(state.turn, state.legal_actions(state.turn)[0])
    caller = state.receiver
    viewer, patient, eager = [seat for seat in range(5) if seat != caller][:3]
    state.let[5 * patient + caller] = 6
    state.beaten[5 * eager + caller] = 3
    by_play, by_cards = partners(state.observe(viewer)), partners(state.observe(viewer), by_play=False)
    assert by_play[patient] > by_cards[patient]
    assert by_play[eager] < by_cards[eager]
