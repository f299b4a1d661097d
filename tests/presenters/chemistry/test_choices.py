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
from tests.support.keys import MARKED, all_keys, facts, key, keys, plain

CAPTURE, CANASTA = get("compound_capture"), get("canasta")
LOOK = Look(names=("Ann", "Ben", "Cy"), locale=MARKED)


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
            state.push(seat, rng.choice(actions))


def asked_for(state: CollectState) -> list[str]:
    """What the first question consists of, by keys."""
    return [name.removeprefix("chemistry.tree.") for name in all_keys(root(state).prompt)]


@pytest.mark.parametrize(
    ("held", "is_canasta", "asks"),
    [
        ("H F Fe", False, "play do_capture do_discard"),
        ("Al Si P Fe", True, "play do_run do_discard"),
        ("H F Al Si P", True, "play do_capture do_run do_discard"),
        ("Fe Zn", False, "no_play which_discard"),
        ("C O Fe", False, "no_play one_short short which_discard"),
        ("Fe", True, "no_play_canasta last_card"),
    ],
)
def test_the_question_names_what_can_be_done(held: str, is_canasta: bool, asks: str) -> None:
    state = arrange(held, "H", row="CO2 HF SO2", is_canasta=is_canasta)
    found = [name for name in dict.fromkeys(asked_for(state)) if not name.startswith("chemistry.")]
    assert " ".join(found) == asks


def test_the_question_names_a_claim() -> None:
    state = arrange("Fe Ru", "H", is_canasta=True)
    state.runs[1].append((43, (43, 0, 45)))
    state.wilds.append((44, 1, 0))
    assert {"do_claim", "do_discard"} <= set(asked_for(state))
    state.phase = CLOSE
    assert asked_for(state) == ["after_run_claim"]


def refusals(state: CollectState, seat: int = 0) -> dict[str, str]:
    """What a person can ask about beside the answers, with what is said to it."""
    (aside,) = root(state, seat).beside
    assert isinstance(aside.child, Branch)
    found = {}
    for one in aside.child.choices:
        assert isinstance(one.child, Leaf)
        assert one.child.refused
        found[plain(one.label)] = why(state, one.child.action)
    return found


def test_whoever_cannot_capture_can_ask_why() -> None:
    state = arrange("O Fe *", "H", row="CO2 HF NaCl")
    assert key(root(state).beside[0].label) == "tree.why_none"
    asked = {label.split()[0]: facts(said) for label, said in refusals(state).items()}
    assert (asked["CO₂"]["n"], asked["CO₂"]["missing"]) == ("1", "C or O")
    assert (asked["HF"]["n"], asked["HF"]["missing"]) == ("1", "H or F")
    (said,) = refusals(arrange("Fe Zn", "H", row="NaCl")).values()
    assert (facts(said)["n"], facts(said)["missing"]) == ("2", "1 Na and 1 Cl")


def test_what_can_be_captured_is_not_asked_about() -> None:
    state = arrange("H F Fe", "H", row="HF CO2")
    assert key(root(state).beside[0].label) == "tree.why_others"
    assert [label.split()[0] for label in refusals(state)] == ["CO₂"]
    assert root(arrange("H F Fe", "H", row="HF")).beside == ()


@pytest.mark.parametrize("phase", [FIRST, SECOND, CLOSE, AFTER])
def test_only_who_could_capture_now_is_told_why_not(phase: int) -> None:
    assert root(arrange("Fe Zn", "H", is_canasta=True, phase=phase)).beside == ()


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


def test_a_capture_with_one_way_is_one_press() -> None:
    node = root(arrange("H F Fe", "H", row="HF"))
    assert [key(one.label) for one in node.choices] == ["tree.capture", "tree.discard"]


def notes(state: CollectState, formula_: str) -> list[tuple[str, str]]:
    ways = choice(root(state), formula_).child
    assert isinstance(ways, Branch)
    return [(plain(one.label), one.note) for one in ways.choices]


def test_the_first_way_to_pay_is_the_sensible_one() -> None:
    # two open compounds take hydrogen, none takes fluorine
    found = notes(arrange("H F Fe", "H", row="HF H2O NH3"), "HF")
    assert [(label, key(note), facts(note)["card"]) for label, note in found] == [
        ("H F", "tree.best", "F 9"),
        ("F H", "tree.top", "H 1"),
    ]
    told = notes(arrange("H F * Fe", "H", row="HF H2O NH3"), "HF")
    assert key(told[0][1]) == "tree.best_saves"
    assert [label.count("wild") for label, _ in told] == sorted(label.count("wild") for label, _ in told)
    assert told[-1][0].endswith("wild"), "a wild card on top helps the next player most"


def test_alone_the_top_card_is_ones_own_next_turn() -> None:
    found = notes(arrange("H F Fe", row="HF H2O NH3"), "HF")
    assert [(label, key(note)) for label, note in found] == [
        ("F H", "tree.best_alone"),
        ("H F", "tree.top_alone"),
    ]


def test_an_empty_stock_is_offered_as_what_it_will_be() -> None:
    node = root(arrange("H", "H", stock="", pile="O H C", phase=FIRST))
    label = node.choices[0].label
    assert (key(label), facts(label)["n"]) == ("tree.stock_anew", "2")


def test_with_nothing_to_capture_the_cards_are_asked_for_at_once() -> None:
    node = root(arrange("H Fe", "H", row="CO2"))
    assert [plain(one.label).split(" · ")[0] for one in node.choices] == ["H 1", "Fe 26"]
    assert all(isinstance(one.child, Leaf) for one in node.choices)


def test_the_second_card_is_asked_for_by_naming_the_first() -> None:
    state = arrange("H", "H", stock="Fe O", phase=FIRST)
    state.apply(0, DRAWS[0])
    asked = root(state).prompt
    assert (key(asked), facts(asked)["card"]) == ("tree.second", "**Iron** (Fe 26)")


def test_runs_and_claims_name_their_numbers() -> None:
    state = arrange("Mg Al * Ru", "S", is_canasta=True)
    state.runs[1].append((43, (43, 0, 45)))
    state.wilds.append((44, 1, 0))
    node = root(state)
    runs = choice(node, "run").child
    assert isinstance(runs, Branch)
    shown = [
        [facts(part).get("number") or plain(part) for part in one.label.split(" · ")] for one in runs.choices
    ]
    assert shown == [["Mg 12", "Al 13", "14"], ["11", "Mg 12", "Al 13"]]
    claims = choice(node, "claim").child
    assert isinstance(claims, Branch)
    note = claims.choices[0].note
    assert key(note) == "tree.claim_from"
    assert facts(note) == {"place": "1", "first": "43", "last": "45", "target": "Ben"}


def test_going_out_is_said() -> None:
    node = root(arrange("H", "S", is_canasta=True))
    assert key(node.choices[0].label) == "tree.go_out"
    assert "H 1" in plain(node.choices[0].label)


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
    assert [(key(one.label), facts(one.label)["place"]) for one in claims.choices] == [
        ("tree.claim_which", "1"),
        ("tree.claim_which", "2"),
        ("tree.claim_which_own", "1"),
    ]
    assert facts(claims.choices[0].label).items() >= {"first": "16", "last": "18", "target": "Ben"}.items()


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
            state.push(state.turn, rng.choice(runs or actions))
    assert asked > 100
