"""What was made: the sums of the last round, what has been captured since, and facts about both."""

from __future__ import annotations

import re

import pytest

from bot.presenters import get
from bot.presenters.chemistry.words import formula as printed
from bot.render.scene import Look
from engine.chemistry.deck import BOOK, BY_FORMULA
from engine.chemistry.state import CollectState
from tests.engine.chemistry.positions import arrange, discard
from tests.support.discord.keys import MARKED, all_keys, keys, plain
from tests.support.discord.keys import facts as filled_in

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve", "Flo")


def numbers(formulas: str) -> list[int]:
    return [BY_FORMULA[formula] for formula in formulas.split()]


def told(state: CollectState, viewer: int | None = None, locale: str = MARKED) -> str:
    presenter = get("canasta" if state.canasta else "compound_capture")
    return presenter.explain(state.observe(viewer), Look(names=NAMES[: state.seats], locale=locale))


def facts(text: str) -> list[tuple[str, str | None]]:
    """The facts in order: formula without subscripts, and who made it."""
    signs = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
    found = []
    for line in text.splitlines():
        if keys(line) in (["chemistry.explain.fact"], ["chemistry.explain.fact_of"]):
            told = filled_in(line)
            formula = told["compound"].rpartition("(")[2].rstrip(")")
            found.append(
                (formula.translate(signs), told["name"].strip("*") if "fact_of" in keys(line)[0] else None)
            )
    return found


def titled(text: str) -> list[str]:
    """What stands between the facts and sums, by its key."""
    return [name.removeprefix("chemistry.explain.") for name in keys(text) if ".fact" not in name]


def finished(*made: str, seats: int = 2) -> CollectState:
    """Just after a round in which the seats made these compounds."""
    state = arrange(*["S S"] * seats)
    state.captured = [numbers(formulas) for formulas in made]
    state.dry = seats + 5
    state.apply(0, discard("S"))
    assert state.last is not None
    assert state.round == 2
    return state


def test_before_the_first_capture_there_is_nothing_to_tell() -> None:
    assert told(arrange("H", "S")) == ""


def test_the_sum_of_a_round_is_shown_with_facts_and_equations() -> None:
    state = arrange("Fe Zn Ca K * H", "S", is_canasta=True, rounds=1)
    state.captured[0] = numbers("CH4 NH3")
    state.runs[0].append((13, (13, 14, 15)))
    state.at = len(state.order)
    state.apply(0, discard("H"))
    text = told(state)
    assert titled(text) == ["round", "sum", "made_of", "sum"], "the round is over and stands in its sheet"
    ann, made, ben = (line for line in text.splitlines()[1:4])
    terms = [name for name in all_keys(ann) if name.startswith("chemistry.explain.")]
    assert terms == [
        f"chemistry.explain.{one}" for one in ("sum", "compounds", "run_cards", "elements", "wilds")
    ]
    assert re.findall(r"\d+", plain(ann)) == ["2", "25", "3", "10", "4", "1", "1", "5", "71", "71"]
    assert filled_in(made)["formulas"] == "CH₄, NH₃"
    assert re.findall(r"−?\d+", plain(ben)) == ["0", "25", "1", "1", "−1", "−1"]
    last = filled_in(text.splitlines()[-1])
    assert ("CH₄" in last["compound"], last["name"]) == (True, "**Ann**")
    assert last["equation"] == "C + 2 H₂ → CH₄"


def test_the_last_round_stays_while_the_next_one_goes_on() -> None:
    state = finished("H2O NH3", "NaCl")
    before = told(state)
    assert titled(before) == ["round", "sum", "made_of", "sum", "made_of"]
    state.captured[1] = numbers("CO2")
    after = told(state)
    assert titled(after) == ["so_far", "made", *titled(before)]
    for text in (before, after):
        made = [filled_in(line) for line in text.splitlines() if keys(line) == ["chemistry.explain.made_of"]]
        assert made == [{"formulas": "H₂O, NH₃"}, {"formulas": "NaCl"}]


def test_ones_own_compounds_come_first_the_latest_before_the_others() -> None:
    state = finished("H2O NH3", "NaCl KCl", "CO2", seats=3)
    state.captured[1] = numbers("HF")
    assert facts(told(state, viewer=1)) == [
        *(("HF", "Ben"), ("KCl", "Ben"), ("NaCl", "Ben")),
        *(("CO2", "Cy"), ("NH3", "Ann"), ("H2O", "Ann")),
    ]


def test_for_onlookers_the_seats_take_turns() -> None:
    state = finished("H2O NH3", "NaCl KCl", "CO2", seats=3)
    assert facts(told(state)) == [
        *(("NH3", "Ann"), ("KCl", "Ben"), ("CO2", "Cy")),
        *(("H2O", "Ann"), ("NaCl", "Ben")),
    ]


def test_a_compound_of_both_rounds_is_told_once() -> None:
    state = finished("H2O", "NaCl")
    state.captured[1] = numbers("H2O")
    assert facts(told(state)) == [("H2O", "Ann"), ("NaCl", "Ben")]
    assert facts(told(state, viewer=1)) == [("H2O", "Ben"), ("NaCl", "Ben")]


def test_alone_nobody_else_is_named() -> None:
    state = finished("H2O", seats=1)
    assert facts(told(state, viewer=0)) == [("H2O", None)]


@pytest.mark.parametrize("viewer", [None, 0, 5])
def test_the_longest_answer_fits_and_says_what_it_leaves_out(viewer: int | None) -> None:
    """Two rounds with all compounds: nothing is dropped silently, and nobody's are dropped first."""
    every = [one.formula for one in BOOK.compounds]
    state = finished(*[" ".join(every[seat::6]) for seat in range(6)], seats=6)
    state.captured = [numbers(" ".join(every[seat::6])) for seat in range(1, 6)] + [
        numbers(" ".join(every[::6]))
    ]
    text = told(state, viewer, locale="en")  # marks would take room
    assert len(text) <= 3500
    assert set(map(printed, every)) <= set(re.split(r"[ ,\n]+", text))
    shown = re.findall(r"^- \*\*[^*]+\*\* \([^)]+\)[^*]*\*\*(\w+)\*\*", text, re.MULTILINE)
    more = re.search(r"(\d+)\D*$", text.splitlines()[-1])
    assert more is not None
    assert len(shown) + int(more[1]) == 48
    if viewer is None:
        assert set(shown) == set(NAMES)
    else:
        # an own round and another of eight: all of them stand before anybody else's
        assert shown[:16] == [NAMES[viewer]] * 16
