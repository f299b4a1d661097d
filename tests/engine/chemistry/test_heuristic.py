"""The opponent of Compound Capture and Chemistry Canasta: its chances are exact, its choices sensible."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations_with_replacement

import pytest

from engine.chemistry.ai.heuristic import MoveScorer, heuristic
from engine.chemistry.ai.run_odds import STEP, held_of, near
from engine.chemistry.deck import KINDS, WILD
from engine.chemistry.moves import DRAWS, END, STOCK, Move, claim, lack, runs
from engine.chemistry.observation import FIRST
from engine.chemistry.state import CollectState
from tests.engine.chemistry.positions import arrange, dealt, discard, take

pytestmark = pytest.mark.repeats


def choose(state: CollectState, seed: int = 0) -> Move:
    seat = state.turn
    return heuristic(state.observe(seat), state.legal_actions(seat), random.Random(seed))


def positions(count: int, *, is_canasta: bool) -> list[CollectState]:
    """Positions from games of random players."""
    found = []
    rng = random.Random(5)
    state = dealt(seats=2, is_canasta=is_canasta)
    while len(found) < count:
        if not state.to_act():
            state = dealt(seats=2, is_canasta=is_canasta)
        if rng.random() < 0.1:
            found.append(state.clone())
        state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
    return found


def share(scorer: MoveScorer, able: Callable[[bytearray], bool]) -> float:
    """Of all pairs of unseen cards, how many make the hand able."""
    good = total = 0
    kinds = [kind for kind, count in enumerate(scorer.unseen) if count]
    for a, b in combinations_with_replacement(kinds, 2):
        count = scorer.unseen[a]
        ways = count * scorer.unseen[b] if a != b else count * (count - 1) // 2
        hand = scorer.hand.copy()
        hand[a] += 1
        hand[b] += 1
        total += ways
        if ways and able(hand):
            good += ways
    return good / total


def check_chances(state: CollectState) -> None:
    """Both chances are those of the enumeration."""
    scorer = MoveScorer(state.observe(state.turn))
    captured = share(scorer, lambda hand: any(not lack(compound, hand) for compound in scorer.row))
    assert scorer.chance(scorer.hand, scorer.row) == pytest.approx(captured)
    if state.canasta:
        assert scorer.run_chance(scorer.hand) == pytest.approx(share(scorer, lambda hand: bool(runs(hand))))


@pytest.mark.parametrize("is_canasta", [False, True])
def test_the_chances_of_capture_and_run_are_exact(is_canasta: bool) -> None:
    for state in positions(150, is_canasta=is_canasta):
        check_chances(state)


@pytest.mark.parametrize(
    ("held", "row"),
    [
        # wild cards alone capture nothing, however many there are
        ("*", "SO2"),
        ("*", "CO2 H2O"),
        ("* *", "NH3 AlCl3"),
        ("* Xe", "SO2 SO3"),
        ("* * *", "SO2 NH3 NaCl"),
        ("Xe", "NaCl HF"),
        # two cards missing, with and without an element of the compound
        ("S", "SO2"),
        ("* S", "SO3"),
        ("C H", "CHCl3 CH4"),
        ("C * *", "CH3OH"),
        # runs that need both cards
        ("Si", "HF"),
        ("H", "CO2"),
        ("Xe", "CO2"),
        ("Al Ne", "CO2"),
        ("Al P", "CO2"),
        ("Al Si Fe", "CO2"),
        ("Si Ar Sc", "CO2"),
        ("* Si", "CO2"),
        ("* H", "CO2"),
        ("* Xe Fe", "CO2"),
    ],
)
def test_the_chances_of_a_built_hand_are_exact(held: str, row: str) -> None:
    check_chances(arrange(held, "Zn", row=row, is_canasta=True))


def test_what_makes_a_run_is_found() -> None:
    rng = random.Random(3)
    for _ in range(200):
        hand = bytearray(KINDS)
        for _ in range(rng.randrange(1, 9)):
            hand[rng.choice((WILD, rng.randrange(1, 55), rng.randrange(1, 12)))] += 1
        hand[WILD] = min(hand[WILD], rng.randrange(3))
        now, one = near(held_of(hand), hand[WILD])
        assert now == bool(runs(hand))
        if not now:
            for kind in range(KINDS):
                more = hand.copy()
                more[kind] += 1
                assert bool(runs(more)) == bool(one >> STEP * kind & 1), (list(hand), kind)


def test_the_unseen_cards_are_those_that_are_nowhere_in_sight() -> None:
    for state in positions(20, is_canasta=True):
        seat = state.turn
        scorer = MoveScorer(state.observe(seat))
        seen = [*state.observe(seat).hand, *state.discard, *(c for r in state.runs for _, t in r for c in t)]
        known = [c for other, own in enumerate(state.observe(seat).known) if other != seat for c in own]
        assert sum(scorer.unseen) == 114 - len(seen) - len(known)


def test_it_captures_what_it_can_and_saves_wilds() -> None:
    assert choose(arrange("H H O * Fe", "S")).cards.count(WILD) == 0
    assert choose(arrange("H H O * Fe", "S")).verb == "capture"


def test_it_discards_what_nothing_open_needs() -> None:
    move = choose(arrange("H Zn", "S S S", row="H2O CO2 HF SO2 NaCl MgO"))
    assert move == discard("Zn")


def test_it_looks_at_a_card_of_the_stock_before_it_takes_from_the_pile() -> None:
    assert choose(arrange("H H", "S", pile="O", phase=FIRST)) == DRAWS[STOCK]


def test_it_takes_from_the_pile_what_completes_a_compound() -> None:
    state = arrange("H H", "S", pile="O", stock="Zn Zn Zn", row="H2O NaCl", phase=FIRST)
    state.apply(0, DRAWS[STOCK])
    assert choose(state) == DRAWS[1]


def test_it_claims_a_wild_that_makes_a_run() -> None:
    state = arrange("Ru Al Si Fe", "S S S S", is_canasta=True)
    state.runs[1].append((43, (43, WILD, 45)))
    state.wilds.append((44, 1, 0))
    assert choose(state) == claim(44, 1, 0)


def test_it_prefers_a_run_to_a_capture_that_leaves_more() -> None:
    state = arrange("Al Si P Na Cl Zn", "S S S S", is_canasta=True, stock="O", row="NaCl")
    assert choose(state).verb == "run"


def test_it_goes_out_when_it_is_ahead() -> None:
    state = arrange("H H O Fe", "S S S S S", is_canasta=True)
    state.captured[0] = [3, 4]
    state.apply(0, take("H2O", "H H O"))
    assert choose(state) == discard("Fe")


def test_it_goes_on_when_it_is_behind() -> None:
    state = arrange("H H O Fe", "S S S S S", is_canasta=True)
    state.captured[1] = [3, 4, 5, 6]
    state.apply(0, take("H2O", "H H O"))
    assert choose(state) == END


def test_it_ends_a_single_round_that_it_has_won() -> None:
    """Ahead by a compound with nobody able to answer, it does not capture: a discard ends the round."""
    state = arrange("H H O Fe", "S S", rounds=1)
    state.captured[0], state.dry = [3, 4], 1
    assert choose(state).verb == "discard"
    state.captured = [[], [3, 4]]
    assert choose(state).verb == "capture"


@pytest.mark.parametrize("is_canasta", [False, True])
def test_every_choice_is_legal_and_needs_the_observation_alone(is_canasta: bool) -> None:
    for state in positions(40, is_canasta=is_canasta):
        seat = state.turn
        actions = state.legal_actions(seat)
        assert choose(state) in actions
        assert choose(state, 3) == choose(state, 3)
