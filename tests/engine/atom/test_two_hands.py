"""The end between two hands: what a player finds who has counted, and plain minimax beside the search."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from engine.atom.ai.heuristic import heuristic
from engine.atom.ai.search import OneGame
from engine.atom.ai.two_hands import TooLong, exact, worth
from engine.atom.moves import Move
from engine.atom.position import PLAYING
from engine.atom.state import AtomState
from tests.engine.atom.positions import arrange, cards, lay, names, play


def last_two(*hands: str, out: Sequence[int], **rest: object) -> AtomState:
    """Two seats with cards and a free lead, the others out in this order."""
    state = arrange(*hands, **rest)  # type: ignore[arg-type]
    state.out = list(out)
    return state


def choice(state: AtomState) -> Move | None:
    return exact(state.observe(state.turn), state.legal_actions(state.turn))


def steady(state: AtomState) -> Move:
    move: Move = heuristic(state.observe(state.turn), state.legal_actions(state.turn), random.Random(0))
    return move


def test_it_leads_a_pair_of_its_triple_so_that_the_aces_have_to_be_split() -> None:
    """Three sevens are beaten by three Aces, and the King goes out. Two sevens cost the other two Aces or
    the lead."""
    state = last_two(
        "", "", "KH AC AD AS", "2S 5C 5D 7C 7H 7S", blade="4", leader=3, out=(0, 1), captured=(10, 0, 235, 35)
    )
    assert names(steady(state).cards) == "7C 7H 7S"
    found = choice(state)
    assert found is not None
    assert names(found.cards) == "7C 7H"


def test_it_keeps_its_bomb_where_the_other_hand_has_nothing_against_it_later() -> None:
    """Two kings of somebody who is out lie there. Who bombs them leads without a bomb into three kings."""
    state = last_two(
        "10C 10D 10H KC KD KD",
        "",
        "KH KS",
        "9H 9H 9S 9S 10C 10D 10D QD QS QS",
        blade="8",
        leader=2,
        out=(1,),
        captured=(40, 30, 0, 120),
    )
    play(state, "KH KS")
    assert state.turn == 3
    assert steady(state) == lay("9H 9H 9S 9S")
    assert choice(state) == lay("pass")


def test_it_is_not_asked_while_a_third_player_holds_cards() -> None:
    state = last_two("3C", "4C", "", "5C 6C", leader=3, out=(2,))
    assert choice(state) is None


def test_an_ending_too_long_is_left_to_others() -> None:
    state = last_two("", "", "3C 5C 8D 9D", "4C 6C 7D", leader=3, out=(0, 1))
    seen, actions = state.observe(3), state.legal_actions(3)
    assert exact(seen, actions) is not None
    assert exact(seen, actions, positions=2) is None
    with pytest.raises(TooLong):
        worth(state, actions[0], positions=2)


@pytest.mark.parametrize("seed", range(12))
def test_it_finds_what_trying_everything_finds(seed: int) -> None:
    state = small(seed)
    seat = state.turn
    found = choice(state)
    assert found is not None
    values = {move: tried(state, move, seat) for move in state.legal_actions(seat)}
    assert values[found] == max(values.values())
    world = state.clone()
    world.__class__ = OneGame
    assert {move: worth(world, move) for move in values} == values


def small(seed: int) -> AtomState:
    """Six cards or so of few ranks in two hands, with a free lead or a play on the table."""
    rng = random.Random(seed)
    pack = list(cards("3C 3D 5C 5H 5S 10D 10S KC KH 7S 7D BJ RJ"))
    rng.shuffle(pack)
    mine, yours = pack[:3], pack[3 : 5 + seed % 2]
    hands = ["", names(sorted(mine)), names(sorted(yours)), ""]
    out = ((0, 3), (3, 0))[seed % 3 > 0]
    state = last_two(*hands, leader=1 + seed % 2, out=out, captured=(50, 40, 30, 20))
    if seed % 4 > 1:
        state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
    return state


def tried(state: AtomState, move: Move, seat: int) -> int:
    """What a move brings the side of a seat against best play, by trying every game."""
    world = state.clone()
    world.__class__ = OneGame
    world.push(state.turn, move)
    if world.phase != PLAYING:
        totals = world.results[-1].totals
        return totals[state.teams[seat]] - totals[1 - state.teams[seat]]
    mine = world.teams[world.turn] == world.teams[seat]
    every = [tried(world, after, seat) for after in world.legal_actions(world.turn)]
    return max(every) if mine else min(every)
