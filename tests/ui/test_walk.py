"""Paths through trees of choices."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import custom_ids as ids
from bot.presenters.base import Blank, Branch, Choice, Form, Item, Leaf, Pick
from bot.presenters.paths import routes
from bot.render.scene import Look
from bot.ui.choices import Decision, Lost, Question, follow, pick_segment
from engine import catalog
from tests.conformance.walk import random_play, setups
from tests.support.games.probe_presenter import PRESENTER

TREE = Branch(
    "?",
    (
        Choice("a", "A", Leaf(("a",))),
        Choice("b", "B", Branch("??", (Choice("c", "C", Leaf(("b", "c"))),))),
        Choice("d", "D", Leaf(("a",), then=(("e",), ("f",)))),
    ),
)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((), Question(TREE, ())),
        (("a",), Decision(("a",))),
        (("b", "c"), Decision(("b", "c"))),
        (("b",), Question(TREE.choices[1].child, ("b",))),  # type: ignore[arg-type]
        (("d",), Decision(("a",), (("e",), ("f",)))),
        (("x",), Lost()),
        (("a", "c"), Lost()),
        (("+a",), Lost()),
        (("b", "c", "ok"), Lost()),
    ],
)
def test_a_path_leads_to_one_place(path: tuple[str, ...], place: object) -> None:
    assert follow(TREE, path) == place


def test_a_decision_is_asked_for_once_more_as_it_reads_away_from_the_buttons() -> None:
    tile = Choice("F-1", "F-1 · +2", Leaf(("tile",)), wording="Tile 1 in cell F")
    place = follow(Branch("?", (Choice("t", "1 C · +1…2", Branch("Where?", (tile,))),)), ("t", "F-1"))
    assert isinstance(place, Decision)
    assert place.wording == "Tile 1 in cell F"
    plain = follow(TREE, ("b", "c"))
    assert isinstance(plain, Decision)
    assert (plain.labels, plain.wording) == (("B", "C"), "")


def test_ways_that_decide_several_things_are_no_routes() -> None:
    assert [route.path for route in routes(TREE, ())] == [("a",), ("b", "c")]


BOTH = (Item("a", "A"), Item("b", "B"))
ORDER = Form(
    "In which order?",
    (Blank("n1", "First", BOTH, "a"), Blank("n2", "Second", BOTH, "b")),
    lambda keys: tuple(("put", key) for key in keys),
    lambda keys: "" if len(set(keys)) == len(keys) else "Twice the same.",
)
FORMED = Branch("?", TREE.choices, (Choice("all", "All at once", ORDER),))


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("all",), Question(ORDER, ("all",))),
        (("all", "+b+a"), Question(ORDER, ("all",), ("b", "a"))),
        (("all", "+b+a", "ok"), Decision(("put", "b"), (("put", "a"),))),
        (("all", "+a+a", "ok"), Question(ORDER, ("all",), ("a", "a"))),
        (("all", "+a"), Lost()),
        (("all", "+a+x"), Lost()),
        (("all", "+a+b+a"), Lost()),
        (("all", "a"), Lost()),
        (("all", "+a+b", "go"), Lost()),
        (("all", "+a+b", "ok", "ok"), Lost()),
    ],
)
def test_a_form_is_decided_all_at_once(path: tuple[str, ...], place: object) -> None:
    assert follow(FORMED, path) == place


def test_a_form_is_no_route() -> None:
    assert routes(FORMED, ()) == routes(TREE, ())


@given(data=st.data(), seed=st.integers(0, 1000))
def test_every_action_of_the_probe_game_has_a_path(data: st.DataObject, seed: int) -> None:
    game = catalog.get("probe")
    setup = data.draw(setups(game))
    for state, _ in random_play(game, setup, random.Random(seed)):
        for seat in state.to_act():
            legal = state.legal_actions(seat)
            tree = PRESENTER.choices(state.observe(seat), legal, Look())
            paths = {route.action: route.path for route in routes(tree, legal)}
            assert set(paths) == set(legal)
            for action, path in paths.items():
                assert follow(tree, path) == Decision(action)
                ids.make("do", 2**40, seat, 99999, ids.path_text(path))


@given(keys=st.lists(st.sampled_from("abcdefg"), max_size=9))
def test_a_pick_takes_only_what_it_offers(keys: list[str]) -> None:
    pick = Pick(
        "?", tuple(Item(k, k) for k in "abcdef"), 2, 4, lambda picked: ("set", *picked), lambda a: a[1:]
    )
    place = follow(Branch("?", (Choice("p", "P", pick),)), ("p", pick_segment(keys), "ok"))
    good = set(keys) <= set("abcdef") and len(set(keys)) == len(keys)
    if good and 2 <= len(keys) <= 4:
        assert place == Decision(("set", *keys))
    elif good and len(keys) < 2:
        assert place == Question(pick, ("p",), tuple(keys))
    else:
        assert place == Lost()


@pytest.mark.parametrize("text", ["", "v", "w:hand:1", "v:hand:1\n", "v:hand:<1>", "v:hand:é"])
def test_foreign_ids_are_refused(text: str) -> None:
    with pytest.raises(ids.InvalidCustomId):
        ids.parse(text)


def test_ids_come_back_as_they_went() -> None:
    text = ids.make("do", 12, 0, 57, ids.path_text(("play", "B")))
    assert text == "v:do:12:0:57:play.B"
    ref = ids.parse(text)
    assert (ref.verb, ref.number(0), ref.number(2)) == ("do", 12, 57)
    assert ids.path_of(ref.word(3)) == ("play", "B")
    with pytest.raises(ids.CustomIdTooLong):
        ids.make("do", "x" * 98)
    for forged in ("v:do", "v:do:-1", "v:do:1e9", "v:do:" + "9" * 40):
        with pytest.raises(ids.InvalidCustomId):
            ids.parse(forged).number(0)
