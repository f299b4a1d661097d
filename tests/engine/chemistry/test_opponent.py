"""Blunders that the opponent once made, each as a position with the play that a person expects."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine import catalog
from engine.arena import key_of
from engine.chemistry.ai.heuristic import heuristic, scores
from engine.chemistry.deck import WILD
from engine.chemistry.moves import Move
from engine.chemistry.state import CollectState
from tests.engine.chemistry.positions import arrange, card


def choose(state: CollectState, seed: int = 0) -> Move:
    seat = state.turn
    return heuristic(state.observe(seat), state.legal_actions(seat), random.Random(seed))


@pytest.mark.parametrize(
    ("held", "row"),
    [
        # small compounds that a wild card completes, and that would still be there next turn
        ("* * H N O O Ca Fe", "H2O2 CO CH3OH CO2 Al2O3 N2H4"),
        ("* H O O Al Cl", "CaF2 Na2O CH3OH CO2 Al2O3 N2H4"),
        ("* C Mg S Cl", "ZnO MgF2 H2O2 NH3 Fe2O3 HCl"),
        ("* * O O O Mg S", "ZnCl2 MgF2 H2O2 NH3 Fe2O3 H2O"),
    ],
)
def test_what_can_be_captured_is_captured_at_once(held: str, row: str) -> None:
    """To keep a wild card for later is to give the turn away, and the compound to whoever comes next."""
    assert choose(arrange(held, "S S S S S", row=row, stock="O " * 30)).verb == "capture"


@pytest.mark.parametrize(
    ("held", "row"),
    [
        ("* O O F", "FeCl3 CO CH3OH CO2 Al2O3 MgF2"),
        ("* O O Cl Cl Fe Rh Ag", "MgCl2 Fe2O3 CH3OH MgO ZnCl2 K2O"),
        ("* H C O F Cd Sn", "N2O CHCl3 C2H2 CaCl2 CaF2 FeS"),
    ],
)
def test_a_run_is_laid_at_once(held: str, row: str) -> None:
    state = arrange(held, "S S S S S", row=row, stock="O " * 60, is_canasta=True)
    assert choose(state).verb == "run"


def test_a_capture_is_made_where_no_run_can_be_laid() -> None:
    state = arrange("Fe O Co Ge Zn", "S S S S S", row="CaS FeO CS2", stock="O " * 60, is_canasta=True)
    assert choose(state).verb == "capture"


def test_with_only_a_capture_between_them_it_leaves_the_wild_card() -> None:
    """Both can be made; the one that costs no wild card is better."""
    move = choose(arrange("* H Cl O Zn", "S S S S S", row="HCl ZnO CO2 SO2 Na2O MgO", stock="O " * 30))
    assert card("*") not in move.cards


def test_alone_it_waits_for_a_capture_that_costs_no_wild_card() -> None:
    """Nobody takes the compound away; who spends the wild cards at once is stuck soon after."""
    state = arrange("* H O O Al Cl", row="CaF2 Na2O CH3OH CO2 Al2O3 N2H4", stock="O " * 30)
    assert choose(state).verb == "discard"


@pytest.mark.parametrize("key", ["compound_capture", "canasta"])
def test_no_capture_or_run_is_put_off_in_whole_games(key: str) -> None:
    """A play that ends a round of Compound Capture without a capture is left out: it may win the round."""
    game, found = catalog.get(key), Counter[str]()
    for number in range(3):
        state = game.deal(game.setup(2, key_of(5, number), rounds=1))
        rng = random.Random(f"blunders/5/{number}")
        while waiting := state.to_act():
            seen, actions = state.observe(waiting[0]), state.legal_actions(waiting[0])
            action = game.opponents["steady"](seen, actions, rng) if len(actions) > 1 else actions[0]
            ends_round = not seen.canasta and seen.dry + 1 >= seen.seats and action.verb == "discard"
            if not ends_round and action.verb != "claim":  # a claim comes before the play
                if {"capture", "run"} & {move.verb for move in actions}:
                    found["chances"] += 1
                    found["put off"] += action.verb not in {"capture", "run"}
                found["wild cards discarded"] += action.verb == "discard" and any(
                    action.what == WILD != move.what for move in actions if move.verb == "discard"
                )
            state.push(waiting[0], action)
    assert found["chances"] > 5
    assert found["put off"] == found["wild cards discarded"] == 0


def test_the_scores_are_those_of_the_choice() -> None:
    state = arrange("* H O O Al Cl", "S S S S S", stock="O " * 30)
    seen, actions = state.observe(0), state.legal_actions(0)
    found = scores(seen, actions, random.Random(0))
    assert len(found) == len(actions)
    assert actions[found.index(max(found))] == choose(state)
