"""How presses are counted."""

from __future__ import annotations

import pytest

from bot.presenters.base import Blank, Branch, Choice, Form, Item, Leaf, Pick
from engine import catalog
from tests.support.processes.command_line import Command
from tools.bench.press_counts import count, ways


def leaves(number: int) -> tuple[Choice, ...]:
    return tuple(Choice(f"k{n}", f"Choice {n}", Leaf(("do", n))) for n in range(number))


@pytest.mark.parametrize(("answers", "presses"), [(2, 1), (10, 1), (11, 2), (25, 2)])
def test_a_button_is_one_press_and_a_list_two(answers: int, presses: int) -> None:
    found = list(ways(Branch("Which?", leaves(answers)), ()))
    assert found == [((("do", n),), presses) for n in range(answers)]


def test_what_lies_behind_a_question_adds_up() -> None:
    tree = Branch("What?", (Choice("a", "A", Branch("Which?", leaves(12))), Choice("b", "B", Leaf(("end",)))))
    assert {presses for _, presses in ways(tree, ())} == {1, 3}


def test_one_press_for_several_decisions_is_one() -> None:
    both = Leaf(("draw", 1), then=(("draw", 1),))
    assert list(ways(Branch("Draw", (Choice("both", "Both", both),)), ())) == [
        ((("draw", 1), ("draw", 1)), 1)
    ]


def test_what_the_rules_refuse_is_no_way() -> None:
    refused = Choice("why", "Why not?", Leaf(("no",), refused=True))
    assert list(ways(Branch("What?", leaves(1), (refused,)), ())) == [((("do", 0),), 1)]


def test_a_pick_opens_and_takes_each_card() -> None:
    items = (Item("a", "A"), Item("b", "B"))
    pick = Pick("Which?", items, 1, 2, lambda keys: ("set", *keys), lambda action: tuple(action[1:]))
    assert list(ways(pick, [("set", "a"), ("set", "a", "b")])) == [
        ((("set", "a"),), 2),
        ((("set", "a", "b"),), 3),
    ]


def test_a_form_is_opened_and_sent() -> None:
    items = (Item("a", "A"), Item("b", "B"))
    blanks = (Blank("n1", "First", items, "b"), Blank("n2", "Second", items, "a"))
    form = Form("Order", blanks, lambda keys: tuple(("put", key) for key in keys), lambda keys: "")
    assert list(ways(Branch("Which?", (), (Choice("all", "All", form),)), ())) == [
        ((("put", "b"), ("put", "a")), 2)
    ]


@pytest.mark.parametrize("key", ["duel52", "atom_duel"])
def test_the_same_seed_counts_the_same(key: str) -> None:
    game = catalog.get(key)
    once = count(game, 2, 3)
    assert once == count(game, 2, 3)
    assert once["games"] == 2


def test_a_play_of_duel_52_is_a_card_and_a_lane() -> None:
    decisions = count(catalog.get("duel52"), 5, 1)["decisions"]
    assert isinstance(decisions, dict)
    assert decisions["play"]["most"] <= 2
    assert decisions["attack"]["mean"] <= 2.2


def test_all_games_are_counted(bench: Command) -> None:
    found = bench("presses", "--games", 1, "--json").json
    assert set(found) == set(catalog.listed())
