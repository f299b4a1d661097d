"""What can be chosen in the games of captured compounds, and why something can't be."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from bot.presenters import get
from bot.presenters.base import LABEL, Branch, Choice, Leaf
from bot.presenters.chemistry.collect.queries import least_useful
from bot.presenters.paths import in_words, routes
from bot.render.scene import Look
from bot.ui.components import button, phone_lines
from engine import catalog
from engine.chemistry.moves import DRAWS, END
from engine.chemistry.observation import CLOSE, FIRST, PLAY
from engine.chemistry.state import CollectState
from engine.elements import ELEMENTS
from tests.engine.chemistry.positions import arrange, take
from tests.support.discord.keys import all_keys, facts, key, keys, plain
from tests.support.games.chemistry import CANASTA, CAPTURE, LOOK, root, with_an_open_wild


def choice(node: Branch, key: str) -> Choice:
    return next(one for one in node.choices if one.key == key)


# -- why? -------------------------------------------------------------------------------------


def test_a_play_is_one_press_unless_one_wants_another_payment() -> None:
    rng = random.Random(1)
    for game, presenter in (("c", CAPTURE), ("n", CANASTA)):
        state = arrange("H H O C O O * * Mg Al", "H S", is_canasta=game == "n", stock="O Fe " * 9)
        for _ in range(60):
            if not state.to_act():
                break
            seat = state.turn
            actions = state.legal_actions(seat)
            for route in routes(presenter.choices(state.observe(seat), actions, LOOK), actions):
                assert len(route.path) == 1 or route.path[0] in ("myself", "on", "run", "claim", "discard")
            state.push(seat, rng.choice(actions))


def asked_for(state: CollectState) -> list[str]:
    """What the first question consists of, by keys."""
    return [name.removeprefix("chemistry.tree.") for name in all_keys(root(state).prompt)]


@pytest.mark.parametrize(
    ("held", "is_canasta", "asks"),
    [
        ("H F Fe", False, "play do_capture do_discard"),
        ("Al Si P Fe", True, "play do_run do_discard"),
        ("H F Al Si P", True, "run_is discard_is"),
        ("Fe Zn", False, "no_play which_discard"),
        ("C O Fe", False, "no_play which_discard"),
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


def test_what_can_be_captured_or_discarded_is_one_press() -> None:
    node = root(arrange("H F Fe", "H", row="HF"))
    assert [key(one.label) for one in node.choices] == ["tree.capture", *["tree.discard"] * 3]
    assert [one.strong for one in node.choices] == [True, False, False, False]
    assert all(isinstance(one.child, Leaf) for one in node.choices)


def payments(state: CollectState) -> Branch:
    """What stands behind the usual payments."""
    myself = next(one for one in root(state).side_choices if one.key == "myself").child
    assert isinstance(myself, Branch)
    return myself


def test_other_payments_stand_side_by_side() -> None:
    state = arrange("H F O O C Fe", "H", row="HF CO2")
    asked = payments(state)
    assert keys(asked.prompt) == ["chemistry.tree.which_way", "chemistry.tree.top"]
    assert [one.key for one in asked.choices] == ["HF-H-F", "CO2-C-O-O"]
    assert all(isinstance(one.child, Leaf) for one in asked.choices)


def test_very_many_payments_are_asked_by_compound() -> None:
    asked = payments(arrange("H F O O C * * Fe", "H", row="HF CO2 CO"))
    assert key(asked.prompt) == "tree.which_pay"
    assert [one.key for one in asked.choices] == ["HF", "CO2", "CO"]


def test_the_first_way_to_pay_is_the_sensible_one() -> None:
    # two open compounds take hydrogen, none takes fluorine
    state = arrange("H F Fe", "H", row="HF H2O NH3")
    assert (leaf := choice(root(state), "HF").child) == Leaf(take("HF", "H F")), leaf
    (other, _) = root(state).side_choices
    assert (key(other.label), facts(other.label)["card"]) == ("tree.capture_top", "H 1")
    assert other.child == Leaf(take("HF", "F H"))
    asked = payments(arrange("H F * Fe", "H", row="HF H2O NH3"))
    assert facts(asked.prompt)["cards"] == "H F"
    assert "chemistry.tree.best_saves" in all_keys(asked.prompt)
    told = payments(arrange("H F * Fe", "H", row="HF"))
    labels = [plain(one.label) for one in told.choices]
    assert [label.count("★") for label in labels] == sorted(label.count("★") for label in labels)
    assert labels[-1].endswith("★"), "a wild card on top helps the next player most"


def test_alone_the_top_card_is_ones_own_next_turn() -> None:
    state = arrange("H F Fe", row="HF H2O NH3")
    assert choice(root(state), "HF").child == Leaf(take("HF", "F H"))
    (other, _) = root(state).side_choices
    assert other.child == Leaf(take("HF", "H F"))
    told = payments(arrange("H F * Fe", row="HF H2O NH3"))
    assert keys(told.prompt)[-1] == "chemistry.tree.top_alone"


def test_six_that_are_ready_stand_in_pairs_on_a_phone() -> None:
    """What a capture costs stands in the picture, so that its button is short."""
    node = root(arrange("H H F Na Na Cl Cl C O O Fe Fe Zn *", "H", row="HF NaCl CO2 FeCl2 Na2O Fe2O3"))
    captures = [plain(one.label) for one in node.choices if one.strong]
    assert (len(captures), captures[:2]) == (6, ["Capture HF", "Capture NaCl"])
    controls = [
        button(plain(one.label), "hand", n, emoji=one.emoji) for n, one in enumerate(node.all_choices())
    ]
    assert phone_lines(controls) <= 6


def test_an_empty_stock_is_offered_as_what_it_will_be() -> None:
    node = root(arrange("H", "H", stock="", pile="O H C", phase=FIRST))
    label = node.choices[0].label
    assert key(label) == "tree.both_anew"


def test_both_cards_from_the_stock_are_one_press() -> None:
    state = arrange("H", "H", stock="Fe O S", pile="Zn", phase=FIRST)
    both, one, pile = root(state).choices
    assert [key(each.label) for each in (both, one, pile)] == [
        "tree.both",
        "tree.one",
        "tree.pile_and_stock",
    ]
    assert isinstance(both.child, Leaf)
    for action in (both.child.action, *both.child.then):
        state.apply(0, action)
    assert (state.phase, state.sizes[0]) == (PLAY, 3)


@pytest.mark.parametrize(
    ("stock", "pile", "is_canasta", "asks"),
    [
        ("Fe", "Zn", True, ["tree.stock"]),  # one from there, the other one from the pile
        ("Fe O", "Zn", True, ["tree.both", "tree.one", "tree.pile_and_stock"]),
        ("Fe O", "", True, ["tree.both"]),
        ("", "Zn", True, ["tree.pile"]),
        ("Fe", "S Zn", False, ["tree.both", "tree.one", "tree.pile_and_stock"]),
    ],
)
def test_what_can_be_drawn_is_what_is_offered(
    stock: str, pile: str, is_canasta: bool, asks: list[str]
) -> None:
    state = arrange("H", "H", stock=stock, pile=pile, is_canasta=is_canasta, phase=FIRST)
    choices = root(state).choices
    assert [key(one.label) for one in choices] == asks
    leaf = choices[0].child
    assert isinstance(leaf, Leaf)
    for action in (leaf.action, *leaf.then):
        state.apply(0, action)
    assert state.phase == PLAY


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
    runs = [one for one in node.choices if key(one.label) == "tree.run"]
    assert all(one.strong and isinstance(one.child, Leaf) for one in runs)
    assert [plain(facts(one.label)["cards"]) for one in runs] == ["12-13-★", "★-12-13"]
    with_claims = [one for one in node.choices if key(one.label) == "tree.run_claim"]
    assert [facts(one.label)["card"] for one in with_claims] == ["Ru 44"]
    for one in with_claims:
        assert isinstance(one.child, Leaf)
        done = state.clone()
        for action in (one.child.action, *one.child.then):
            done.apply(0, action)
        assert (done.phase, done.sizes[0]) == (CLOSE, 1)
    (claim,) = (one for one in node.choices if key(one.label) == "tree.claim_for")
    assert "Ru 44" in facts(claim.label)["card"]
    assert key(claim.note) == "tree.claim_from"
    assert facts(claim.note) == {"place": "1", "first": "43", "last": "45", "target": "Ben"}


def test_few_runs_are_one_press_each_and_very_many_stand_behind_one() -> None:
    node = root(arrange("Mg Al Si P S Cl Ar Fe", "S", is_canasta=True))
    runs = [one for one in node.choices if one.key[0].isdigit()]
    assert [one.strong for one in runs] == [True] * 5
    assert not any(one.key == "run" for one in node.choices)
    node = root(arrange("Mg Al Si P S Cl Ar * Fe", "S", is_canasta=True))
    runs = [one for one in node.choices if one.key[0].isdigit()]
    assert [one.strong for one in runs] == [True] * 5
    more = choice(node, "run")
    assert isinstance(more.child, Branch)
    assert key(more.label) == "tree.more_runs"
    assert facts(more.label)["n"] == str(len(more.child.choices))


def test_a_run_that_costs_no_card_of_an_open_compound_comes_first() -> None:
    node = root(arrange("Mg Al Si P S Fe", "H", row="H2S PCl3", is_canasta=True))
    assert next(one.key for one in node.choices) == "12-EEE"


@pytest.mark.parametrize("held", ["H F Fe Zn", "H F Fe Ru"])
def test_a_capture_ends_the_turn_at_the_same_press(held: str) -> None:
    """What is offered is the same whether there is a card to claim with or not: who waits tells nothing."""
    state = with_an_open_wild(held)
    end, on = (one for one in root(state).choices if one.key in ("HF-end", "on"))
    assert [(key(one.label), one.strong) for one in (end, on)] == [
        ("tree.capture", True),
        ("tree.on", False),
    ]
    assert "chemistry.tree.capture_ends" in all_keys(root(state).prompt)
    assert isinstance(on.child, Branch)
    assert [one.child for one in on.child.choices] == [Leaf(take("HF", "F H")), Leaf(take("HF", "H F"))]
    assert end.child == Leaf(take("HF", "F H"), then=(END,))
    otherwise = payments(state)
    assert "chemistry.tree.ends" in all_keys(otherwise.prompt)
    assert [one.child for one in otherwise.choices] == [Leaf(take("HF", "H F"), then=(END,))]
    end = end.child
    for action in (end.action, *end.then):
        state.apply(0, action)
    assert state.turn == 1


@pytest.mark.parametrize(("held", "label"), [("Mg Al Si Fe", "run_out"), ("Mg Al Si Fe Fe H", "run_discard")])
def test_a_single_run_can_be_laid_with_a_discard(held: str, label: str) -> None:
    state = arrange(held, "S", row="H2O", is_canasta=True)
    (both,) = (one for one in root(state).choices if key(one.label) == f"tree.{label}")
    assert facts(both.label)["card"] == "Fe 26"
    assert isinstance(both.child, Leaf)
    for action in (both.child.action, *both.child.then):
        state.apply(0, action)
    assert state.turn == 1 or state.round == 2


def test_a_wild_card_is_claimed_and_laid_by_one_press() -> None:
    state = with_an_open_wild("Mg Al Ru Fe")
    (both,) = (one for one in root(state).choices if key(one.label) == "tree.claim_run")
    assert isinstance(both.child, Leaf)
    for action in (both.child.action, *both.child.then):
        state.apply(0, action)
    assert (state.phase, state.runs[0]) == (CLOSE, [(12, (12, 13, 0))])
    laid = root(with_an_open_wild("Mg Al Si Ru Fe"))
    assert not any(key(one.label) == "tree.claim_run" for one in laid.choices)


def test_who_may_go_out_is_asked_after_a_capture() -> None:
    captures = [one for one in root(with_an_open_wild("H F Ru")).choices if one.key.startswith("HF")]
    assert [(key(one.label), one.strong) for one in captures] == [("tree.capture", True)]


def test_of_many_cards_those_of_no_use_are_buttons() -> None:
    few = root(arrange("H C O Fe Zn", "S", row="CO2", is_canasta=True))
    assert [one.key for one in few.choices] == ["H", "C", "O", "Fe", "Zn"]
    # hydrogen and oxygen are in water, magnesium to phosphorus are near a run
    many = root(arrange("H H O Mg Al P Fe Zn Xe Ag *", "S", row="H2O", is_canasta=True))
    discards = [one.key for one in many.choices if key(one.label) == "tree.discard"]
    assert discards == ["Mg", "Fe", "Zn", "Ag", "Xe"]
    others = choice(many, "discard")
    assert key(others.label) == "tree.more_discards"
    assert isinstance(others.child, Branch)
    assert others.child.choices[-1].key == "wild"


@pytest.mark.parametrize("canasta", [False, True])
@pytest.mark.parametrize(
    ("held", "row", "first"),
    [
        ("H F C", "HF CO2 CO", "C"),  # HF is ready, though carbon is in more compounds
        ("H F F C", "HF CO2 CO", "F"),  # one F is to spare
        ("H F * Fe", "HF", "Fe"),
        ("F * C", "HF CO2 CS2", "C"),  # ready with the wild card
    ],
)
def test_a_card_that_a_ready_compound_needs_is_the_last_to_discard(
    held: str, row: str, first: str, canasta: bool
) -> None:
    seen = arrange(held, "S", row=row, is_canasta=canasta).observe(0)
    assert ELEMENTS[least_useful(seen)[0] - 1].symbol == first


def test_a_card_that_a_run_needs_is_not_offered_to_discard_first() -> None:
    seen = arrange("Mg Al Si C O", "S", row="CO2 H2O SO2", is_canasta=True).observe(0)
    assert [ELEMENTS[card - 1].symbol for card in least_useful(seen)[:2]] == ["C", "O"]


def test_however_many_cards_may_be_discarded_they_are_buttons() -> None:
    node = root(arrange("H O Mg Al P Fe Zn Xe Ag Ti K *", "S", row="CO2", is_canasta=True, phase=CLOSE))
    assert len(node.choices) == 10
    assert node.choices[-1].key == "discard"


def test_going_out_is_said() -> None:
    node = root(arrange("H", "S", is_canasta=True))
    assert key(node.choices[0].label) == "tree.go_out"
    assert "H 1" in plain(node.choices[0].label)


def sibling_labels(node: Branch) -> Iterator[list[str]]:
    """The labels that are read side by side, question by question."""
    yield [one.label for one in node.all_choices()]
    for one in node.all_choices():
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
    claims = [one for one in root(with_twin_runs()).choices if key(one.label) == "tree.claim_for"]
    assert [next(name for name in all_keys(one.label) if "claim_which" in name) for one in claims] == [
        "chemistry.tree.claim_which",
        "chemistry.tree.claim_which",
        "chemistry.tree.claim_which_own",
    ]
    told = [facts(one.label)["card"] for one in claims]
    assert [re.findall(r"\d+", one) for one in told] == [["18", place, "16", "18"] for place in "121"]
    assert "Ben" in told[0]
    assert "Ann" not in told[2]


def test_a_claim_behind_a_button_is_told_without_the_count_of_that_button() -> None:
    """In answers and lessons a move is named as people would, not as the way to it."""
    state = with_twin_runs()
    state.runs[1].append((16, (16, 17, 0)))
    state.wilds.append((18, 1, 2))
    legal = state.legal_actions(0)
    node = CANASTA.choices(state.observe(0), legal, LOOK)
    claims = [way for way in routes(node, legal) if way.path[0] == "claim"]
    assert len(claims) == 4
    assert {key(in_words(way)) for way in claims} == {"tree.claim_for"}


def test_a_long_name_leaves_the_numbers_of_its_run() -> None:
    state = with_twin_runs()
    long = Look(names=("Ann", "B" * 90, "Cy"))
    node = CANASTA.choices(state.observe(0), state.legal_actions(0), long)
    assert isinstance(node, Branch)
    claims = [one for one in node.choices if one.key.endswith("-18")]
    assert len(claims) == 3
    for one in claims:
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


def test_who_follows_in_a_battle_sees_the_cheapest_cards_that_can_win() -> None:
    game = catalog.get("chemistry_battle")
    state: Any = game.deal(game.setup(3, bytes(32)))
    leading = get("chemistry_battle").choices(
        state.observe(state.turn), state.legal_actions(state.turn), LOOK
    )
    assert isinstance(leading, Branch)
    assert not any(one.strong for one in leading.choices)
    state.push(state.turn, sorted(state.legal_actions(state.turn))[9])
    node = get("chemistry_battle").choices(state.observe(state.turn), state.legal_actions(state.turn), LOOK)
    assert isinstance(node, Branch)
    strong = [facts(one.label)["z"] for one in node.choices if one.strong]
    higher = sorted(card for card in state.hands[state.turn] if card > state.plays[0])
    assert sorted(map(int, strong)) == higher[:4]


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_in_a_battle_whoever_leads_and_whoever_follows_read_one_shape(seats: int) -> None:
    """However many cards there are, they are buttons, from the highest down."""
    state: Any = catalog.get("chemistry_battle").deal(catalog.get("chemistry_battle").setup(seats, bytes(32)))
    rng = random.Random(seats)
    while state.to_act() and state.round < 9:
        legal = state.legal_actions(state.turn)
        node = get("chemistry_battle").choices(state.observe(state.turn), legal, LOOK)
        assert isinstance(node, Branch)
        assert len(node.choices) <= 10
        cards = []
        for one in node.choices:
            parts = one.child.choices if isinstance(one.child, Branch) else (one,)
            assert len(parts) == 1 or key(one.label) == "tree.battle_range"
            assert len(parts) <= 10
            cards += [int(facts(part.label)["z"]) for part in parts]
        assert cards == sorted((move.card for move in legal), reverse=True)
        state.push(state.turn, rng.choice(legal))
