"""What play tells about hidden cards: worlds in which it makes sense weigh more."""

from __future__ import annotations

import random

import pytest

from engine.atom import GAME
from engine.atom.ai.inference import BLADED, HEAVY, NONE, SPLIT, TOP, WHOLE, cheapest, likelihood, sizes
from engine.atom.sides import CALLERS, OTHERS
from engine.atom.state import AtomState
from tests.engine.atom.positions import arrange, cards, play, slotted, stand

FOUR = "3C 8D", "5D 9D", "6D JD", "4C QC"


def dealt(state: AtomState, *hands: str) -> AtomState:
    """The position with other hands, all else being equal."""
    world = state.clone()
    world.hands = [slotted(state, cards(hand)) for hand in hands]
    world.derive()
    return world


@pytest.mark.parametrize(
    ("hand", "on", "way"),
    [
        ("3C 4D", "9C", NONE),
        ("3C 9D", "9C", NONE),
        ("3C KD", "9C", WHOLE),
        ("3C AD", "9C", TOP),
        ("3C 2D", "9C", TOP),
        ("KC KD", "9C", SPLIT),
        ("KC KD AS", "9C", TOP),
        ("KC KD", "9C 9D", WHOLE),
        ("KC RJ", "9C 9D", HEAVY),
        ("3C RJ", "9C 9D", NONE),
        ("7C", "2C", BLADED),
        ("7C", "2C 2D", NONE),
        ("3C 3D 3H 3S", "2C", HEAVY),
        ("3C 3D 3H BJ", "2C", HEAVY),
        ("3C 3C 3C", "2C", HEAVY),
        ("3C 3D 3H 3S", "4C 4D 4H 4S", NONE),
        ("5C 5D 5H 5S", "4C 4D 4H 4S", HEAVY),
        ("3C 3D 3H 3S RJ", "4C 4D 4H 4S", HEAVY),
        ("7C 7D 7H 7S", "4C 4D 4H 4S BJ", HEAVY),
        ("4C 4D 4H 4S", "7C 7D 7H 7S", NONE),
        ("3S 3S 3S", "7C 7D 7H 7S", HEAVY),
        ("3C 3C 3D 3D 3H 3H 3S 3S", "7C 7D 7H 7S", HEAVY),
    ],
)
def test_the_cheapest_way_to_beat_cards(hand: str, on: str, way: int) -> None:
    state = arrange(hand, "6C", "6D", "6H")
    held = [sizes(packed) for packed in state.hands[0]]
    assert cheapest([many for many, _ in held], any(special for _, special in held), stand(on)) == way


def test_whoever_passes_on_an_opponent_lacks_a_card_that_fits() -> None:
    state = play(arrange(*FOUR), "8D", "pass")
    weight = likelihood(state.observe(2))
    lacks = dealt(state, "3C", "5D 4C", "6D JD", "9D QC")
    holds = dealt(state, "3C", "5D QC", "6D JD", "9D 4C")
    assert weight(holds) < weight(lacks) / 5


def test_a_pass_on_the_partner_tells_less() -> None:
    state = play(arrange(*FOUR), "8D", "9D", "pass", "pass")
    weight = likelihood(state.observe(0))
    plain = dealt(state, "3C", "5D", "6D 4C", "JD QC")
    foe, friend = dealt(state, "3C", "5D", "6D QC", "4C 5C"), dealt(state, "3C", "5D", "6D 4C", "5C QC")
    assert weight(foe) < weight(friend)
    assert weight(plain) < weight(dealt(state, "3C", "5D", "6D 4C", "4D 5C"))


def test_a_pass_is_held_against_the_hand_of_that_moment() -> None:
    """It passed with a queen, and laid it later: that hand could have beaten the eight in every world."""
    state = play(
        arrange("8D 3C 3D", "5D QC", "6D JD", "4C 10C 4D"), "8D", "pass", "pass", "10C", "pass", "QC"
    )
    weight = likelihood(state.observe(3))
    here, there = dealt(state, "3C 3D", "5D", "6D JD", "4C 4D"), dealt(state, "3C 6D", "3D", "5D JD", "4C 4D")
    passed = dealt(state, "3C JD", "5D", "6D 3D", "4C 4D")
    assert weight(here) == weight(there)
    assert weight(passed) != weight(here)


def test_the_last_trick_is_remembered_when_a_new_one_is_led() -> None:
    state = play(arrange(*FOUR), "8D", "pass", "pass", "pass")
    weight = likelihood(state.observe(0))
    one, two = dealt(state, "3C", "5D 6D", "JD QC", "4C 4D"), dealt(state, "3C", "5D QC", "JD 6D", "4C 4D")
    assert weight(two) < weight(one)


def test_whoever_leaves_the_caller_alone_weighs_as_his_partner() -> None:
    rng = random.Random(1)
    state = GAME.deal(GAME.setup(5, bytes(32)))
    state.apply(state.turn, state.legal_actions(state.turn)[0])
    caller = state.receiver
    viewer, patient, eager = [seat for seat in range(5) if seat != caller][:3]
    state.let[5 * patient + caller] = 6
    state.beaten[5 * eager + caller] = 3
    seen = state.observe(viewer)
    draw, weight = GAME.sampler(seen), likelihood(seen)
    sides: dict[tuple[int, int], float] = {}
    for _ in range(200):
        world = draw(rng)
        sides[world.teams[patient], world.teams[eager]] = weight(world)
    assert sides[CALLERS, OTHERS] > sides[OTHERS, OTHERS] > sides[OTHERS, CALLERS]


def test_before_the_first_card_and_after_the_last_all_worlds_weigh_the_same() -> None:
    rng = random.Random(4)
    state = GAME.deal(GAME.setup(5, bytes(32)))
    seen = state.observe(1)
    assert {likelihood(seen)(GAME.sample(seen, rng)) for _ in range(3)} == {1.0}
    while turn := state.to_act():
        if rng.random() < 0.05:
            for viewer in (*range(5), None):
                seen = state.observe(viewer)
                assert likelihood(seen)(GAME.sample(seen, rng)) > 0
        state.push(turn[0], rng.choice(state.legal_actions(turn[0])))
    seen = state.observe(1)
    assert likelihood(seen)(GAME.sample(seen, rng)) == 1.0
