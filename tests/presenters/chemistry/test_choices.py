"""What can be chosen in the games of captured compounds, and why something can't be."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from bot.presenters import get
from bot.presenters.base import LABEL, Branch, Choice, Leaf, routes
from bot.render.scene import Look
from engine import catalog
from engine.chemistry.moves import DRAWS, PILE, Move
from engine.chemistry.observation import AFTER, CLOSE, FIRST, PLAY, SECOND
from engine.chemistry.state import CollectState
from engine.game import IllegalAction
from tests.engine.chemistry.positions import arrange, discard, lay, take

CAPTURE, CANASTA = get("compound_capture"), get("canasta")
LOOK = Look(names=("Ann", "Ben", "Cy"))


def why(state: CollectState, move: Move) -> str:
    presenter = CANASTA if state.canasta else CAPTURE
    with pytest.raises(IllegalAction) as caught:
        state.verify(0, move)
    return presenter.why(caught.value, LOOK)


def root(state: CollectState, seat: int = 0) -> Branch:
    presenter = CANASTA if state.canasta else CAPTURE
    node = presenter.choices(state.observe(seat), state.legal_actions(seat), LOOK)
    assert isinstance(node, Branch)
    return node


def choice(node: Branch, key: str) -> Choice:
    return next(one for one in node.choices if one.key == key)


# -- why? -------------------------------------------------------------------------------------


CO2_LACKS = "**Carbon dioxide** (CO₂) is {} short: it still needs {}."


@pytest.mark.parametrize(
    ("held", "move", "says"),
    [
        ("C O O H", take("CO2", "C O"), CO2_LACKS.format("one card", "O")),
        ("C O O H", take("CO2", "O O"), CO2_LACKS.format("one card", "C")),
        ("C O O H", take("CO2", "C"), CO2_LACKS.format("2 cards", "2 O")),
        # all atoms that are missing are needed
        ("C O O H", take("CO2", "O"), CO2_LACKS.format("2 cards", "1 C and 1 O")),
        ("Fe", take("CO2", ""), CO2_LACKS.format("3 cards", "1 C and 2 O")),
        # a wild card that is named stands for one of them
        ("O *", take("CO2", "O *"), CO2_LACKS.format("one card", "C or O")),
        ("C *", take("CO2", "C *"), CO2_LACKS.format("one card", "O")),
        # one that is held could
        (
            "C O *",
            take("CO2", "C O"),
            CO2_LACKS.format("one card", "O") + " A wild card that you hold can stand in.",
        ),
        (
            "O *",
            take("CO2", "O"),
            CO2_LACKS.format("2 cards", "1 C and 1 O")
            + " A wild card that you hold can stand in for one of them.",
        ),
    ],
)
def test_a_refused_capture_says_which_atoms_are_missing(held: str, move: Move, says: str) -> None:
    assert why(arrange(held, "H"), move) == says


def test_named_wilds_leave_a_choice_of_what_is_missing() -> None:
    state = arrange("C * H", "S", row="CH3OH")
    assert "it still needs 4 of H, H, H, H, O." in why(state, take("CH3OH", "C *"))


@pytest.mark.parametrize(
    ("held", "formula_", "says"),
    [
        ("* Fe", "MgF2", "(MgF₂) is 2 cards short: it still needs Mg or F, and 1 more."),
        ("* * Fe", "CHCl3", "(CHCl₃) is 3 cards short: it still needs C, H or Cl, and 2 more."),
        ("* * Fe", "MgF2", "(MgF₂) is one card short: it still needs Mg or F."),
        ("* * * Fe", "MgF2", "At least one of the cards must be a real element: 1 Mg and 2 F."),
        ("* * * * Fe", "MgF2", "At least one of the cards must be a real element: 1 Mg and 2 F."),
    ],
)
def test_too_few_wilds_are_short_of_cards(held: str, formula_: str, says: str) -> None:
    """What is asked beside the answers: that wilds alone do not do is not the first thing to know."""
    (told,) = refusals(arrange(held, "H", row=formula_)).values()
    assert told.endswith(says)


def test_or_that_wilds_alone_do_not_do() -> None:
    assert why(arrange("* * H", "H"), take("HF", "* *")) == (
        "Wild cards alone don't make **Hydrogen fluoride** (HF). "
        "At least one of the cards must be a real element: 1 H and 1 F."
    )


@pytest.mark.parametrize(
    ("move", "says"),
    [
        (
            take("CO2", "C O *"),
            "Your hand lacks a wild card for **Carbon dioxide** (CO₂). It takes 1 C and 2 O.",
        ),
        (take("SO2", "S O O"), "Your hand lacks S for **Sulfur dioxide** (SO₂). It takes 1 S and 2 O."),
        (take("CO2", "C O O O"), "exactly 1 C and 2 O, so 3 cards in all"),
        (take("CO2", "C C O"), "You gave 1 C too many for **Carbon dioxide** (CO₂). It still needs O."),
        (take("CO2", "C C *"), "You gave 1 C too many for **Carbon dioxide** (CO₂). It still needs O."),
        (take("CO2", "C C"), "You gave 1 C too many for **Carbon dioxide** (CO₂). It still needs 2 O."),
        (take("CO2", "C S S"), "**Sulfur** (S 16) is not part of **Carbon dioxide** (CO₂)"),
        (take("CH4", "C H H H H"), "doesn't lie open"),
        (discard("Fe"), "You don't hold **Iron** (Fe 26)"),
        (DRAWS[0], "Now capture a compound, or discard a card."),
    ],
)
def test_refusals_teach(move: Move, says: str) -> None:
    told = why(arrange("C O O H", "H"), move)
    assert says in told
    assert "wild card that you hold" not in told


@pytest.mark.parametrize(
    ("phase", "says"),
    [(CLOSE, "Now discard one card."), (AFTER, "Now end your turn."), (PLAY, "lay a run, or")],
)
def test_who_draws_too_late_reads_what_is_to_be_done(phase: int, says: str) -> None:
    assert says in why(arrange("H S", "H", is_canasta=True, phase=phase), DRAWS[0])


def test_two_from_the_discard_pile() -> None:
    state = arrange("H", "H", pile="O O", phase=FIRST)
    state.apply(0, DRAWS[PILE])
    assert why(state, DRAWS[PILE]).startswith("Only one of the two cards may come from the discard pile.")


def test_refusals_of_runs() -> None:
    state = arrange("Mg Al P * H", "S", is_canasta=True)
    assert "Here they must be 12, 13 and 14;" in why(state, Move("run", 12, (12, 13, 15)))
    assert "ends at Xenon" in why(state, Move("run", 53, (53, 54, 0)))
    assert "Wild cards alone don't make a run" in why(state, Move("run", 3, (0, 0, 0)))
    assert why(state, lay(12, "Mg Al Si")) == (
        "Your hand lacks **Silicon** (Si 14) for this run. A wild card that you hold can stand in."
    )
    assert why(state, lay(13, "Al * *")) == "Your hand lacks a wild card for this run."


# -- trees ------------------------------------------------------------------------------------


def test_at_most_two_choices_before_each_play() -> None:
    rng = random.Random(1)
    for game, presenter in (("c", CAPTURE), ("n", CANASTA)):
        state = arrange("H H O C O O * * Mg Al", "H S", is_canasta=game == "n", stock="O Fe " * 9)
        for _ in range(60):
            if not state.to_act():
                break
            seat = state.turn
            actions = state.legal_actions(seat)
            for route in routes(presenter.choices(state.observe(seat), actions, LOOK), actions):
                assert len(route.path) <= 2
            state._apply(seat, rng.choice(actions))


@pytest.mark.parametrize(
    ("held", "is_canasta", "asks"),
    [
        ("H F Fe", False, "You can capture a compound or discard a card."),
        ("Al Si P Fe", True, "You can lay a run or discard a card."),
        ("H F Al Si P", True, "You can capture a compound, lay a run or discard a card."),
        ("Fe Zn", False, "You can't capture anything now. Which card do you put on the discard pile?"),
        (
            "C O Fe",
            False,
            "You can't capture anything now. One card short: CO₂ needs O. "
            "Which card do you put on the discard pile?",
        ),
        ("Fe", True, "You can't capture anything or lay a run now. Discard your last card to go out."),
    ],
)
def test_the_question_names_what_can_be_done(held: str, is_canasta: bool, asks: str) -> None:
    assert (
        root(arrange(held, "H", row="CO2 HF SO2", is_canasta=is_canasta)).prompt.replace(
            " One card short: SO₂ needs O.", ""
        )
        == asks
    )


def test_the_question_names_a_claim() -> None:
    state = arrange("Fe Ru", "H", is_canasta=True)
    state.runs[1].append((43, (43, 0, 45)))
    state.wilds.append((44, 1, 0))
    assert "You can claim a wild card or discard a card." in root(state).prompt
    state.phase = CLOSE
    assert root(state).prompt.endswith("Before that you can claim a wild card.")


def refusals(state: CollectState, seat: int = 0) -> dict[str, str]:
    """What a person can ask about beside the answers, with what is said to it."""
    (aside,) = root(state, seat).beside
    assert isinstance(aside.child, Branch)
    found = {}
    for one in aside.child.choices:
        assert isinstance(one.child, Leaf)
        assert one.child.refused
        found[one.label] = why(state, one.child.action)
    return found


def test_whoever_cannot_capture_can_ask_why() -> None:
    state = arrange("O Fe *", "H", row="CO2 HF NaCl")
    assert root(state).beside[0].label == "Why can't I capture?"
    asked = refusals(state)
    assert asked["CO₂ · Carbon dioxide"] == CO2_LACKS.format("one card", "C or O")
    assert asked["HF · Hydrogen fluoride"].endswith("is one card short: it still needs H or F.")
    assert refusals(arrange("Fe Zn", "H", row="NaCl"))["NaCl · Sodium chloride"].endswith(
        "is 2 cards short: it still needs 1 Na and 1 Cl."
    )


def test_what_can_be_captured_is_not_asked_about() -> None:
    state = arrange("H F Fe", "H", row="HF CO2")
    assert root(state).beside[0].label == "Why not the others?"
    assert list(refusals(state)) == ["CO₂ · Carbon dioxide"]
    assert root(arrange("H F Fe", "H", row="HF")).beside == ()


@pytest.mark.parametrize("phase", [FIRST, SECOND, CLOSE, AFTER])
def test_only_who_could_capture_now_is_told_why_not(phase: int) -> None:
    assert root(arrange("Fe Zn", "H", is_canasta=True, phase=phase)).beside == ()


def test_a_run_that_lacks_one_card_can_be_asked_about() -> None:
    asked = refusals(arrange("Mg Al Fe", "H", row="HF", is_canasta=True))
    assert asked["Run 12 to 14"] == "Your hand lacks **Silicon** (Si 14) for this run."
    assert list(asked)[1:] == ["Run 11 to 13", "Run 12 to 14"]
    assert len(refusals(arrange("Mg Al Si Fe", "H", row="HF", is_canasta=True))) == 1


def test_a_capture_with_one_way_is_one_press() -> None:
    node = root(arrange("H F Fe", "H", row="HF"))
    assert [one.label for one in node.choices] == ["Capture HF · Hydrogen fluoride", "Discard a card"]


def notes(state: CollectState, formula_: str) -> list[tuple[str, str]]:
    ways = choice(root(state), formula_).child
    assert isinstance(ways, Branch)
    return [(one.label, one.note) for one in ways.choices]


def test_the_first_way_to_pay_is_the_sensible_one() -> None:
    # two open compounds take hydrogen, none takes fluorine
    assert notes(arrange("H F Fe", "H", row="HF H2O NH3"), "HF") == [
        ("H F", "F 9 ends on top, and helps the next player least"),
        ("F H", "H 1 ends on top, where the next player may take it"),
    ]
    told = notes(arrange("H F * Fe", "H", row="HF H2O NH3"), "HF")
    assert told[0][1].startswith("saves wild cards; ")
    assert [label.count("wild") for label, _ in told] == sorted(label.count("wild") for label, _ in told)
    assert told[-1][0].endswith("wild"), "a wild card on top helps the next player most"


def test_alone_the_top_card_is_ones_own_next_turn() -> None:
    assert notes(arrange("H F Fe", row="HF H2O NH3"), "HF") == [
        ("F H", "H 1 ends on top, and may help you most next turn"),
        ("H F", "F 9 ends on top, where you may take it next turn"),
    ]


def test_an_empty_stock_is_offered_as_what_it_will_be() -> None:
    node = root(arrange("H", "H", stock="", pile="O H C", phase=FIRST))
    assert node.choices[0].label == "From the stock (2 cards, shuffled anew)"


def test_with_nothing_to_capture_the_cards_are_asked_for_at_once() -> None:
    node = root(arrange("H Fe", "H", row="CO2"))
    assert [one.label for one in node.choices] == ["H 1 · Hydrogen", "Fe 26 · Iron"]
    assert all(isinstance(one.child, Leaf) for one in node.choices)


def test_the_second_card_is_asked_for_by_naming_the_first() -> None:
    state = arrange("H", "H", stock="Fe O", phase=FIRST)
    state.apply(0, DRAWS[0])
    asked = root(state).prompt
    assert asked == "You drew **Iron** (Fe 26). Where does the second card come from?"


def test_runs_and_claims_name_their_numbers() -> None:
    state = arrange("Mg Al * Ru", "S", is_canasta=True)
    state.runs[1].append((43, (43, 0, 45)))
    state.wilds.append((44, 1, 0))
    node = root(state)
    runs = choice(node, "run").child
    assert isinstance(runs, Branch)
    assert [one.label for one in runs.choices] == ["Mg 12 · Al 13 · wild as 14", "wild as 11 · Mg 12 · Al 13"]
    claims = choice(node, "claim").child
    assert isinstance(claims, Branch)
    assert claims.choices[0].note == "onto run 1, 43 to 45, of Ben"


def test_going_out_is_said() -> None:
    node = root(arrange("H", "S", is_canasta=True))
    assert node.choices[0].label == "Discard H 1 · Hydrogen and go out"


def sibling_labels(node: Branch) -> Iterator[list[str]]:
    """The labels that are read side by side, question by question."""
    yield [one.label for one in node.ways()]
    for one in node.ways():
        if isinstance(one.child, Branch):
            yield from sibling_labels(one.child)


def with_twin_runs() -> CollectState:
    """Three wild cards that stand for argon, two of them in runs of the same player and numbers."""
    state = arrange("Ar Fe Zn", "S", "H", is_canasta=True)
    for seat, place in ((1, 0), (1, 1), (0, 0)):
        state.runs[seat].append((16, (16, 17, 0)))
        state.wilds.append((18, seat, place))
    return state


def test_claims_of_one_number_say_whose_run() -> None:
    claims = choice(root(with_twin_runs()), "claim").child
    assert isinstance(claims, Branch)
    assert [one.label for one in claims.choices] == [
        "Ar 18 into run 1 of Ben: 16–18",
        "Ar 18 into run 2 of Ben: 16–18",
        "Ar 18 into your run 1: 16–18",
    ]


def test_a_long_name_leaves_the_numbers_of_its_run() -> None:
    state = with_twin_runs()
    long = Look(names=("Ann", "B" * 90, "Cy"))
    node = CANASTA.choices(state.observe(0), state.legal_actions(0), long)
    assert isinstance(node, Branch)
    claims = choice(node, "claim").child
    assert isinstance(claims, Branch)
    for one in claims.choices:
        assert len(one.label) <= LABEL
        assert one.label.endswith(": 16–18")


@pytest.mark.parametrize("key", ["canasta", "compound_capture", "chemistry_battle"])
def test_no_two_answers_to_a_question_read_alike(key: str) -> None:
    presenter, rng, asked = get(key), random.Random(11), 0
    game = catalog.get(key)
    for seed in range(12):
        seats = 1 + seed % 6
        state: Any = game.deal(game.setup(seats, bytes([seed]) * 32))
        look = Look(names=("Ann", "Ben", "Cy", "Dee", "Eve", "Flo")[:seats])
        for _ in range(250):
            if not state.to_act():
                break
            actions = state.legal_actions(state.turn)
            if rng.random() < 0.5:
                node = presenter.choices(state.observe(state.turn), actions, look)
                assert isinstance(node, Branch)
                for labels in sibling_labels(node):
                    assert len(set(labels)) == len(labels), labels
                    asked += 1
            # runs with wild cards are what makes claims
            runs = [move for move in actions if move.verb == "run" and 0 in move.cards]
            state._apply(state.turn, rng.choice(runs or actions))
    assert asked > 100
