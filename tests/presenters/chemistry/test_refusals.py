"""What the rules of Compound Capture and Canasta refuse, in words that teach."""

from __future__ import annotations

import pytest

from bot.presenters import get
from bot.presenters.base import Branch, Leaf
from engine.chemistry.moves import DRAWS, PILE, Move
from engine.chemistry.observation import AFTER, CLOSE, FIRST, PLAY, SECOND
from engine.chemistry.state import CollectState
from engine.game import IllegalAction
from tests.engine.chemistry.positions import arrange, discard, lay, take
from tests.support.discord.keys import facts, key, keys, plain
from tests.support.games.chemistry import LOOK, root

CAPTURE, CANASTA = get("compound_capture"), get("canasta")


def why(state: CollectState, move: Move) -> str:
    presenter = CANASTA if state.canasta else CAPTURE
    with pytest.raises(IllegalAction) as caught:
        state.verify(0, move)
    return presenter.why(caught.value, LOOK)


@pytest.mark.parametrize(
    ("held", "move", "short", "needs"),
    [
        ("C O O H", take("CO2", "C O"), 1, "O"),
        ("C O O H", take("CO2", "O O"), 1, "C"),
        ("C O O H", take("CO2", "C"), 2, "2 O"),
        # all atoms that are missing are needed
        ("C O O H", take("CO2", "O"), 2, "1 C and 1 O"),
        ("Fe", take("CO2", ""), 3, "1 C and 2 O"),
        # a wild card that is named stands for one of them
        ("O *", take("CO2", "O *"), 1, "C or O"),
        ("C *", take("CO2", "C *"), 1, "O"),
    ],
)
def test_a_refused_capture_says_which_atoms_are_missing(
    held: str, move: Move, short: int, needs: str
) -> None:
    said = why(arrange(held, "H"), move)
    assert key(said) in ("why.exact_cards.atom_missing", "why.exact_cards.wilds_and_short")
    assert (facts(said)["n"], facts(said)["missing"]) == (str(short), needs)
    assert "CO₂" in facts(said)["compound"]


@pytest.mark.parametrize(
    ("held", "move", "needs", "offers"),
    [
        ("C O *", take("CO2", "C O"), "O", "wild_does"),
        ("O *", take("CO2", "O"), "1 C and 1 O", "wild_helps"),
    ],
)
def test_a_wild_card_that_is_held_is_offered(held: str, move: Move, needs: str, offers: str) -> None:
    said = why(arrange(held, "H"), move)
    assert keys(said) == ["chemistry.why.exact_cards.atom_missing", f"chemistry.why.{offers}"]
    assert facts(said)["missing"] == needs


def test_named_wilds_leave_a_choice_of_what_is_missing() -> None:
    state = arrange("C * H", "S", row="CH3OH")
    said = why(state, take("CH3OH", "C *"))
    assert key(said) == "why.exact_cards.atom_missing"
    assert "4" in facts(said)["missing"]
    assert facts(said)["missing"].endswith("H, H, H, H, O")


@pytest.mark.parametrize(
    ("held", "formula_", "key_of_it", "told"),
    [
        ("* Fe", "MgF2", "wilds_and_short", ("2", "Mg or F", "1")),
        ("* * Fe", "CHCl3", "wilds_and_short", ("3", "C, H or Cl", "2")),
        ("* * Fe", "MgF2", "wilds_and_short", ("1", "Mg or F", "0")),
        ("* * * Fe", "MgF2", "wilds_alone", "1 Mg and 2 F"),
        ("* * * * Fe", "MgF2", "wilds_alone", "1 Mg and 2 F"),
    ],
)
def test_too_few_wilds_are_short_of_cards(
    held: str, formula_: str, key_of_it: str, told: str | tuple[str, str, str]
) -> None:
    """What is asked beside the answers: that wilds alone do not do is not the first thing to know."""
    (said,) = refusals(arrange(held, "H", row=formula_)).values()
    known = facts(said)
    assert key(said) == f"why.exact_cards.{key_of_it}"
    assert told == (
        known["recipe"] if key_of_it == "wilds_alone" else (known["n"], known["missing"], known["rest"])
    )


def test_or_that_wilds_alone_do_not_do() -> None:
    said = why(arrange("* * H", "H"), take("HF", "* *"))
    assert (key(said), facts(said)["recipe"]) == ("why.exact_cards.wilds_alone", "1 H and 1 F")


@pytest.mark.parametrize(
    ("move", "key_of_it", "told"),
    [
        (take("CO2", "C O *"), "exact_cards.not_held", {"recipe": "1 C and 2 O"}),
        (take("SO2", "S O O"), "exact_cards.not_held", {"missing": "S", "recipe": "1 S and 2 O"}),
        (take("CO2", "C O O O"), "exact_cards.too_many_cards", {"recipe": "1 C and 2 O", "needed": "3"}),
        (take("CO2", "C C O"), "exact_cards.too_many_of_one", {"surplus": "1 C", "missing": "O"}),
        (take("CO2", "C C *"), "exact_cards.too_many_of_one", {"surplus": "1 C", "missing": "O"}),
        (take("CO2", "C C"), "exact_cards.too_many_of_one", {"surplus": "1 C", "missing": "2 O"}),
        (take("CO2", "C S S"), "exact_cards.not_in_formula", {"card": "**Sulfur** (S 16)"}),
        (take("CH4", "C H H H H"), "not_face_up", {}),
        (discard("Fe"), "card_not_in_hand", {"card": "**Iron** (Fe 26)"}),
        (DRAWS[0], "already_drawn.play", {}),
    ],
)
def test_refusals_teach(move: Move, key_of_it: str, told: dict[str, str]) -> None:
    said = why(arrange("C O O H", "H"), move)
    assert key(said) == f"why.{key_of_it}"
    assert told.items() <= facts(said).items()


@pytest.mark.parametrize(
    ("phase", "after"), [(CLOSE, "after_run"), (AFTER, "after_capture"), (PLAY, "play_canasta")]
)
def test_who_draws_too_late_reads_what_is_to_be_done(phase: int, after: str) -> None:
    said = why(arrange("H S", "H", is_canasta=True, phase=phase), DRAWS[0])
    assert key(said) == f"why.already_drawn.{after}"


def test_two_from_the_discard_pile() -> None:
    state = arrange("H", "H", pile="O O", phase=FIRST)
    state.apply(0, DRAWS[PILE])
    assert key(why(state, DRAWS[PILE])) == "why.draw_source.two_from_discard"


def test_refusals_of_runs() -> None:
    state = arrange("Mg Al P * H", "S", is_canasta=True)
    said = why(state, Move("run", 12, (12, 13, 15)))
    assert (key(said), facts(said)["numbers"]) == ("why.exact_run.not_in_a_row", "12, 13 and 14")
    assert key(why(state, Move("run", 53, (53, 54, 0)))) == "why.exact_run.beyond_the_deck"
    assert key(why(state, Move("run", 3, (0, 0, 0)))) == "why.exact_run.wilds_alone"
    said = why(state, lay(12, "Mg Al Si"))
    assert keys(said) == ["chemistry.why.exact_run.not_held", "chemistry.why.wild_does"]
    assert "Si 14" in facts(said)["missing"]
    assert keys(why(state, lay(13, "Al * *"))) == ["chemistry.why.exact_run.not_held"]


# -- trees ------------------------------------------------------------------------------------


def refusals(state: CollectState, seat: int = 0) -> dict[str, str]:
    """What a person can ask about beside the answers, with what is said to it."""
    (aside,) = (one for one in root(state, seat).side_choices if one.key == "why")
    assert isinstance(aside.child, Branch)
    found = {}
    for one in aside.child.choices:
        assert isinstance(one.child, Leaf)
        assert one.child.refused
        found[plain(one.label)] = why(state, one.child.action)
    return found


def test_whoever_cannot_capture_can_ask_why() -> None:
    state = arrange("O Fe *", "H", row="CO2 HF NaCl")
    assert key(root(state).side_choices[0].label) == "tree.why_others"
    asked = {label.split()[0]: facts(said) for label, said in refusals(state).items()}
    assert (asked["CO₂"]["n"], asked["CO₂"]["missing"]) == ("1", "C or O")
    assert (asked["HF"]["n"], asked["HF"]["missing"]) == ("1", "H or F")
    (said,) = refusals(arrange("Fe Zn", "H", row="NaCl")).values()
    assert (facts(said)["n"], facts(said)["missing"]) == ("2", "1 Na and 1 Cl")


def test_what_can_be_captured_is_not_asked_about() -> None:
    state = arrange("H F Fe", "H", row="HF CO2")
    assert key(root(state).side_choices[-1].label) == "tree.why_others"
    assert [label.split()[0] for label in refusals(state)] == ["CO₂"]
    assert [one.key for one in root(arrange("H F Fe", "H", row="HF")).side_choices] == ["myself"]


@pytest.mark.parametrize("phase", [FIRST, SECOND, CLOSE, AFTER])
def test_only_who_could_capture_now_is_told_why_not(phase: int) -> None:
    assert root(arrange("Fe Zn", "H", is_canasta=True, phase=phase)).side_choices == ()


def test_a_run_that_lacks_one_card_can_be_asked_about() -> None:
    compound, *runs = refusals(arrange("Mg Al Fe", "H", row="HF", is_canasta=True)).items()
    assert compound[0].startswith("HF")
    assert [[word for word in label.split() if word.isdigit()] for label, _ in runs] == [
        ["11", "13"],
        ["12", "14"],
    ]
    said = runs[1][1]
    assert key(said) == "why.exact_run.not_held"
    assert "Si 14" in facts(said)["missing"]
    assert len(refusals(arrange("Mg Al Si Fe", "H", row="HF", is_canasta=True))) == 1
