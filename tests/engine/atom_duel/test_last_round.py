"""The last round of level 7, played from sealed rows (docs/rules/atom_duel.md, decision 35)."""

from __future__ import annotations

import random

import pytest

from engine.atom_duel import GAME
from engine.digests import digest
from engine.elements import ELEMENTS
from engine.game import IllegalAction
from tests.engine.atom_duel.positions import arrange, kinds, move, play, seal, z


@pytest.mark.rule("atom_duel", 35, "3.7")
def test_rows_are_ordered_card_by_card_by_all_at_once() -> None:
    state = arrange("Lu Fe", "Ba Br", round_=2)
    assert state.to_act() == (0, 1)
    for word, rule in (
        ("Lu", "seal_order"),
        ("seal:Br", "card_not_in_hand"),
        ("seal:Fe", "announce_first"),
    ):
        with pytest.raises(IllegalAction) as caught:
            state.apply(0, move(word))
        assert caught.value.rule == rule
    before = state.observe(1)
    state.apply(0, move("seal:Fe/magnet"))
    assert state.observe(1) == before
    assert state.observe(0).sealed == ((z("Fe"), "magnet"),)
    with pytest.raises(IllegalAction) as caught:
        state.apply(0, move("seal:Fe/alloy"))
    assert caught.value.rule == "already_sealed"
    state.apply(0, move("seal:Lu"))
    assert state.to_act() == (1,)


@pytest.mark.rule("atom_duel", 35, "3.7")
def test_the_leftmost_cards_flip_together() -> None:
    state = arrange("Lu Fe", "Ba Br", "Tc S", round_=2)
    seal(state, "Fe/magnet Lu", "Ba Br", "S Tc")
    assert state.outcome() is not None
    assert kinds(state).count("hand_won") == 2
    hands = [event.facts["plays"] for event in state.events or () if event.kind == "hand_won"]
    assert hands[0] == [[0, z("Fe"), "magnet"], [1, z("Ba"), ""], [2, z("S"), ""]]
    assert hands[1] == [[1, z("Br"), ""], [2, z("Tc"), "radioactive"], [0, z("Lu"), ""]]


@pytest.mark.rule("atom_duel", 35)
def test_virtual_order_decides_who_controls_an_alloy() -> None:
    state = arrange("Al", "Mg", "Mn", round_=2, leader=1)
    seal(state, "Al", "Mg", "Mn")
    # from the leader: Mg, Mn, Al; the last joins all
    assert state.points == [1, 0, 0]


@pytest.mark.rule("atom_duel", 35)
def test_a_gap_closes_to_the_left() -> None:
    state = arrange("Y He Ce", "Ba Fe I Se", round_=2)
    seal(state, "Y He Ce", "Ba Fe/magnet I Se")
    assert state.to_act() == (0,)
    play(state, "aim:1.1")
    # Iron left the row with its announcement, so Iodine came to slot B and met Helium
    hands = [event.facts["plays"] for event in state.events or () if event.kind == "hand_won"]
    assert hands == [[[0, z("Y"), "laser"], [1, z("Ba"), ""]]]
    assert {play[1] for play in state.plays} == {z("He"), z("I")}
    assert state.announced == {}
    assert [(m.seat, m.slot) for m in state.legal_actions(0)] == [(1, 2)]


def test_all_hands_of_the_last_round_can_be_looked_at() -> None:
    state = arrange("Lu Fe Ba I", "Br Y Ca Se", "Tc S Sc Ce", round_=2)
    seal(state, "Lu Fe/magnet Ba I", "Br Ca Y Se", "Tc S Sc Ce")
    assert state.pending is not None  # two hands fell before the Laser aims
    seen = state.observe(None)
    assert [hand.hand for hand in seen.earlier] == [1]
    assert seen.last_hand is not None
    assert seen.last_hand.hand == 2
    again = GAME.sample(seen, random.Random(1))
    assert again.observe(None) == seen
    twin = state.clone()
    twin.earlier = ()
    assert twin.fingerprint() != state.fingerprint()
    # records from before this was remembered have digests without it
    assert digest("atom_duel", twin) == digest("atom_duel", state)


def test_no_hand_of_another_round_is_kept() -> None:
    state = arrange("Lu Ba", "Br Ca", level=6, round_=2)
    play(state, "Lu", "Br", "Ba", "Ca")
    assert state.over
    assert state.earlier == ()
    state = arrange("Lu", "Br")
    play(state, "Lu", "Br")
    rows = [[ELEMENTS[card - 1].symbol for card in row] for row in state.rows]
    for seat in range(2):
        for _ in rows[seat]:
            state.apply(seat, state.legal_actions(seat)[0])
    assert all(hand.round == 2 for hand in state.earlier)


@pytest.mark.rule("atom_duel", 35)
def test_targets_are_asked_in_virtual_order() -> None:
    state = arrange("Y Lu Ce", "He Br I", "Tl S Se", round_=2, leader=1)
    seal(state, "Y Lu Ce", "He Br I", "Tl S Se")
    assert state.to_act() == (1,)
    play(state, "aim:0.2")
    assert state.to_act() == (2,)
    play(state, "peek:1.1", "peek:1.2")
    assert state.observe(2).rows[1][:3] == (0, z("Br"), z("I"))
    assert state.to_act() == (0,)


@pytest.mark.rule("atom_duel", 35)
def test_rows_passed_keep_their_order_and_their_seals() -> None:
    state = arrange("H Fe Ce", "Y Br I", round_=2)
    seal(state, "H Fe/magnet Ce", "Y I Br")
    play(state, "aim:0.2")
    hands = [event.facts["plays"] for event in state.events or () if event.kind == "hand_won"]
    assert hands[1] == [[1, z("Fe"), "magnet"], [0, z("I"), ""]]


@pytest.mark.rule("atom_duel", 35)
def test_whoever_sees_a_sealed_card_sees_its_announcement() -> None:
    state = arrange("Tl Lu Ce", "Ba Fe W", round_=2)
    seal(state, "Tl Lu Ce", "Ba Fe/magnet W/carbide")
    assert state.observe(0).announced == ()
    play(state, "peek:1.1")
    assert state.observe(1).announced == ((z("Fe"), "magnet"), (z("W"), "carbide"))
    play(state, "peek:1.2")
    assert state.observe(0).over


@pytest.mark.rule("atom_duel", 35)
def test_a_card_taken_by_mercury_lies_where_the_given_one_lay() -> None:
    state = arrange("Hg Lu Ce", "Ba Fe Br", round_=2)
    seal(state, "Hg Lu Ce", "Ba Fe/magnet Br")
    play(state, "trade:1", "give:Ce", "give:Lu", "take:1", "take:2")
    hands = [event.facts["plays"] for event in state.events or () if event.kind == "hand_won"]
    assert [sorted(plays) for plays in hands[1:]] == [
        [[0, z("Br"), ""], [1, z("Ce"), ""]],
        [[0, z("Fe"), "magnet"], [1, z("Lu"), ""]],
    ]


@pytest.mark.rule("atom_duel", 35)
def test_germanium_only_hides_the_rows() -> None:
    state = arrange("Ge Lu Ce", "Tl Fe Br", "Hg S Se", round_=2)
    seal(state, "Ge Lu Ce", "Tl Fe/magnet Br", "Hg S Se")
    assert state.hidden
    assert state.rows[1][:3] == [0, z("Fe"), z("Br")]
    assert state.observe(1).rows[1][:3] == (0, z("Fe"), z("Br"))  # it laid them there itself
    play(state, "peek:0.1", "peek:0.2")
    assert {m.slot for m in state.legal_actions(2) if m.verb == "trade"} == {-1}
    play(state, "trade:1")
    assert [m.slot for m in state.legal_actions(2)] == [1, 2]
    play(state, "give:1", "give:2", "take:1")
    assert state.observe(2).rows[2][:3] == (0, z("S"), z("Se"))


@pytest.mark.rule("atom_duel", 35)
def test_chlorine_gives_new_rows_in_dealt_order() -> None:
    state = arrange("Cl Lu Ce", "Sr Fe Br", round_=2)
    seal(state, "Cl Lu Ce", "Sr Fe/magnet Br")
    assert state.to_act() == (1,)
    assert state.counts == [2, 2]
    assert sorted(card for row in state.rows for card in row if card) == [26, 35, 58, 71]
    own = [card for card in state.observe(1).rows[1] if card]
    assert -1 not in own
    assert (z("Fe"), "magnet") in state.observe(0).announced + state.observe(1).announced


@pytest.mark.rule("atom_duel", "3.7")
def test_below_level_seven_the_last_round_is_played_in_turns() -> None:
    state = arrange("Lu Fe", "Ba Br", level=6, round_=2)
    assert state.to_act() == (0,)
