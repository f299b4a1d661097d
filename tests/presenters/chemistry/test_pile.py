"""What the top of the discard pile makes possible, offered beside taking it."""

from __future__ import annotations

import pytest

from bot.presenters.base import Choice, Leaf
from engine.chemistry.moves import DRAWS
from engine.chemistry.observation import FIRST, SECOND
from engine.chemistry.state import CollectState
from tests.engine.chemistry.positions import arrange, lay
from tests.support.discord.keys import facts, key
from tests.support.games.chemistry import root, with_an_open_wild


def pile_plays(state: CollectState) -> list[Choice]:
    """What is offered with the top of the discard pile, and says so."""
    return [one for one in root(state).choices if key(one.label).startswith("tree.take_")]


@pytest.mark.parametrize("phase", [FIRST, SECOND])
def test_what_the_discard_pile_makes_possible_is_one_press(phase: int) -> None:
    state = arrange("H Mg Si Cl Fe Zn", "S", stock="Ag Xe", pile="F Al", row="HCl HF", is_canasta=True)
    state.phase = phase
    (run,) = pile_plays(state)
    assert (key(run.label), facts(run.label)["card"]) == ("tree.take_run", "Al 13")
    assert run.child == Leaf(DRAWS[1], then=(lay(12, "Mg Al Si"),))
    state.discard.pop()
    (capture,) = pile_plays(state)
    assert (key(capture.label), facts(capture.label)["card"]) == ("tree.take_capture", "F 9")
    assert isinstance(capture.child, Leaf)
    for action in (capture.child.action, *capture.child.then):
        state.apply(0, action)
    assert state.turn == 1


def test_a_card_of_the_pile_that_makes_nothing_possible_is_only_taken() -> None:
    state = arrange("H F Fe Zn", "S", stock="Ag Xe", pile="H", row="HF NaCl", phase=FIRST)
    assert not pile_plays(state)
    assert "pile" in [one.key for one in root(state).choices]


def test_a_capture_with_the_pile_ends_the_turn_where_it_would_pause() -> None:
    state = with_an_open_wild("H Fe Zn Ag")
    state.phase, state.discard[:] = FIRST, [9]
    (capture,) = pile_plays(state)
    assert key(capture.label) == "tree.take_capture_end"
    assert isinstance(capture.child, Leaf)
    for action in (capture.child.action, *capture.child.then):
        state.apply(0, action)
    assert state.turn == 1
