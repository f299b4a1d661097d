"""What a seat made in the last round is told when it is asked again, and when all is over."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest

from bot.presenters import get
from bot.presenters.base import PROMPT, Branch
from bot.presenters.chemistry.collect.round_summary import MOST_FACTS, telling_order
from bot.presenters.chemistry.words import Voice
from bot.render.check import audit
from bot.render.scene import Look, Text
from engine.chemistry.deck import BOOK, BY_FORMULA
from engine.chemistry.moves import DRAWS, STOCK
from engine.chemistry.observation import FIRST
from engine.chemistry.state import CollectState
from tests.engine.chemistry.positions import arrange, dealt, discard
from tests.support.discord.keys import MARKED, all_keys, facts, keys

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve", "Flo")


def numbers(formulas: str) -> list[int]:
    return [BY_FORMULA[formula] for formula in formulas.split()]


def prompt(state: CollectState, locale: str = MARKED) -> str:
    seat = state.turn
    presenter = get("canasta" if state.canasta else "compound_capture")
    look = Look(names=NAMES[: state.seats], locale=locale)
    node = presenter.choices(state.observe(seat), state.legal_actions(seat), look)
    assert isinstance(node, Branch)
    return node.prompt


def finished(*made: str, is_canasta: bool = False) -> CollectState:
    """The first turn after a round in which the seats made these compounds."""
    state = arrange(*["S S"] * len(made), is_canasta=is_canasta)
    state.captured = [numbers(formulas) for formulas in made]
    state.dry = len(made) + 5
    if is_canasta:
        state.at = len(state.order)
    state.apply(0, discard("S"))
    assert (state.round, state.phase) == (2, FIRST)
    return state


def asked(state: CollectState) -> list[str]:
    """What the question consists of."""
    return [name.removeprefix("chemistry.") for name in keys(prompt(state))]


def made(state: CollectState) -> tuple[str, str]:
    """What it says that was made, and the points for it."""
    told = facts(prompt(state))
    return told["things"], told["points"].split()[0]


def told_facts(text: str) -> list[str]:
    """The compounds whose facts a text tells, in order."""
    return re.findall("💡 ([^:]+):", text)


@pytest.mark.parametrize("is_canasta", [False, True])
def test_the_first_question_of_a_round_tells_what_one_made(is_canasta: bool) -> None:
    state = finished(*["H2O NaCl"] * 6, is_canasta=is_canasta)
    for _ in range(6):
        seat = state.turn
        points = 50 - len(state.last.hands[seat]) if state.last else 0
        assert [name for name in asked(state) if name != "line.fact"] == [
            "made.last",
            "made.more",
            "tree.first",
        ]
        assert made(state) == ("H₂O and NaCl", str(points))
        assert told_facts(prompt(state, "en")) == ["Water", "Sodium chloride"]
        state.apply(seat, DRAWS[STOCK])
        assert asked(state) == ["tree.second"]
        state.begin_turn((seat + 1) % 6)
    assert asked(state) == ["tree.first"], "once is enough"


def test_in_the_first_round_nothing_was_made() -> None:
    assert asked(dealt()) == ["tree.first"]


def test_alone_more_than_one_fact_is_told() -> None:
    state = finished("H2O NH3 CO NO HF")
    assert len(told_facts(prompt(state, "en"))) >= 2


def test_who_made_nothing_reads_so() -> None:
    state = finished("", "", "H2O")
    state.begin_turn(1)
    assert asked(state) == ["made.last", "made.more", "tree.first"]
    assert "chemistry.made.nothing" in all_keys(prompt(state))
    assert made(state)[1] == "−2"


def test_runs_are_told_too() -> None:
    state = finished("H2O", "", is_canasta=True)
    assert state.last is not None
    run = (13, (13, 14, 15))
    state.last = type(state.last)(1, "out", 0, ((0,), ()), ((run, run), (run,)), ((), ()), (85, 30), (85, 30))
    state.begin_turn(0)
    assert made(state) == ("H₂O and 2 runs", "85")
    assert "line.fact" in asked(state)
    state.begin_turn(1)
    assert made(state) == ("1 run", "30")
    assert "line.fact" not in asked(state)


def test_a_claim_is_an_answer_too() -> None:
    state = finished("H2O", "CO2", is_canasta=True)
    seat = state.turn
    state.runs[1 - seat].append((16, (16, 17, 0)))
    state.wilds.append((18, 1 - seat, 0))
    state.hands[seat][18] += 1
    state.sizes[seat] += 1
    assert "made.last" in asked(state)
    state.apply(seat, state.legal_actions(seat)[-1])
    assert state.phase == FIRST
    assert asked(state) == ["tree.first"]


def test_the_question_has_room_for_any_round() -> None:
    rng = random.Random(4)
    for count in range(1, 49):
        state = finished("H2O")
        assert state.last is not None
        made = tuple(rng.sample(range(48), count))
        state.last = type(state.last)(1, "stuck", -1, (made,), ((),), ((),), (25 * count,), (25 * count,))
        text = prompt(state, "en")
        assert len(text) <= PROMPT
        assert asked(state)[-1] == "tree.first"
        assert 1 <= len(told_facts(text)) <= MOST_FACTS


def test_two_rounds_in_a_row_tell_other_facts() -> None:
    """Of six compounds that are made in every round no fact comes first twice in a row."""
    made = numbers("H2O H2O2 CO CO2 CH4 C2H2")
    firsts = [telling_order(made, number)[0] for number in range(1, 11)]
    assert all(one != other for one, other in pairwise(firsts))
    assert len(set(firsts)) == 3
    assert all(sorted(telling_order(made, number)) == made for number in range(1, 11))


@pytest.mark.parametrize("seats", [1, 2, 6])
@pytest.mark.parametrize("is_canasta", [False, True])
def test_at_the_end_a_fact_lies_on_the_table(seats: int, is_canasta: bool) -> None:
    state = arrange(*["S S"] * seats, is_canasta=is_canasta, rounds=1)
    state.captured[-1] = numbers("NH3 CO2")
    state.dry, state.at = seats + 5, len(state.order)
    state.apply(0, discard("S"))
    assert state.to_act() == ()
    presenter, look = get("canasta" if is_canasta else "compound_capture"), Look(names=NAMES[:seats])
    scene = presenter.table(state.observe(None), look)
    assert audit(scene) == []
    told = "Carbon dioxide: " + Voice(look).fact(BOOK.compounds[BY_FORMULA["CO2"]])
    assert told in [item.string for item in scene.items if isinstance(item, Text)]
    assert told in scene.alt
    outcome = state.outcome()
    assert outcome is not None
    marked = presenter.ending(outcome, Look(names=look.names, locale=MARKED))
    assert keys(marked.splitlines()[-1]) == ["chemistry.ending.made"]
