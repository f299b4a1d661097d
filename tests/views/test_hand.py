"""What a hand shows beside its picture: the question, the notes of its buttons, the picture on the way."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from discord import ui

from bot import presenters
from bot.locales import words
from bot.presenters.base import Branch, Choice, Leaf
from bot.render.scene import Scene
from bot.store.games import Sitter
from bot.tables import lobby
from bot.tables.table import Table
from bot.views.components import button, rows
from bot.views.hand import PICTURE, Spot, fitting, hand_message
from bot.views.seat_view import SeatView
from engine import catalog
from engine.setups import covering
from tests.support.message import words_of
from tests.support.replayed import a_table
from tests.support.tables import close_tables, new_table, opened_tables

NOTED = (("a", "Left", "the *strong* one"), ("b", "Right", ""), ("c", "Middle", "costs 2"))


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)
    yield table
    await close_tables(tables)


def change(monkeypatch: pytest.MonkeyPatch, **parts: Any) -> None:
    """Let the presenter of this game have other parts."""
    changed = replace(presenters.get("probe"), **parts)
    monkeypatch.setattr(presenters, "get", lambda _: changed)


def asks(monkeypatch: pytest.MonkeyPatch, table: Table, choices: int) -> None:
    """Let every hand of this game ask a question with so many choices, each of which asks again."""
    action = table.legal[0][0]
    last = Branch("And then?", (Choice("x", "This", Leaf(action)), Choice("y", "That", Leaf(action))))
    found = [
        Choice(f"{key}{n}", f"{label} {n}" if n else label, last, note)
        for n in range(choices)
        for key, label, note in NOTED
    ][:choices]
    tree = Branch("Which way?", tuple(found))
    change(monkeypatch, choices=lambda *_: tree)


async def test_notes_of_buttons_stand_below_the_question(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks(monkeypatch, table, 3)
    told = words_of(hand_message(SeatView(table, 0, "en")))
    assert "Which way?\n-# **Left**: the \\*strong\\* one\n-# **Middle**: costs 2" in told
    assert "Right" not in told


async def test_a_list_has_room_for_its_notes(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    asks(monkeypatch, table, 6)
    assert "costs 2" not in words_of(hand_message(SeatView(table, 0, "en")))


async def test_what_stands_out_stays_a_button_beside_a_long_list(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaf = Leaf(table.legal[0][0])
    found = tuple(Choice(f"c{n}", f"Way {n}", leaf, strong=n in (2, 9)) for n in range(12))
    change(monkeypatch, choices=lambda *_: Branch("Which way?", found))
    controls = list(hand_message(SeatView(table, 0, "en")).view.walk_children())
    assert [one.label for one in controls if isinstance(one, ui.Button)][:2] == ["Way 2", "Way 9"]
    (menu,) = (one for one in controls if isinstance(one, ui.Select))
    assert [option.value for option in menu.options] == [f"c{n}" for n in range(12) if n not in (2, 9)]


async def test_passing_by_itself_stands_apart_from_the_answers(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks(monkeypatch, table, 2)
    change(monkeypatch, can_pass=True)
    view = hand_message(SeatView(table, 0, "en")).view
    *answers, last = [item for item in view.walk_children() if isinstance(item, ui.ActionRow)]
    assert [control.custom_id for control in last.children] == [f"v:autopass:{table.id}:0"]
    assert answers
    assert all("autopass" not in (control.custom_id or "") for row in answers for control in row.children)


async def test_a_step_may_bring_a_picture_of_its_own(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    asks(monkeypatch, table, 3)
    asked: list[tuple[str, ...]] = []
    other = Scene(800, 400, (), "the left half")

    def on_way(_observation: Any, way: tuple[str, ...], _look: Any) -> Scene:
        asked.append(tuple(way))
        return other

    change(monkeypatch, hand_on_way=on_way)
    top, step = hand_message(SeatView(table, 0, "en")), hand_message(SeatView(table, 0, "en"), Spot(("a",)))
    assert asked == [("a",)]
    assert step.pictures[PICTURE] == other != top.pictures[PICTURE]
    assert step.moment == top.moment, "a half made choice is no new hand"


async def test_a_view_of_a_table_that_was_closed_meanwhile_holds_no_longer(table: Table) -> None:
    view = SeatView(table, 0, "en")
    assert view.holds
    await table.cancel("closed")  # which is no entry of the journal
    assert not view.holds


def lines_on_a_phone(labels: list[str]) -> list[int]:
    """How many buttons stand in each row."""
    return [len(row.children) for row in rows([button(label, f"v:{n}") for n, label in enumerate(labels)])]


def test_buttons_that_wrap_in_pairs_stand_in_fours() -> None:
    assert lines_on_a_phone([f"Discard Fe {n}" for n in range(10, 20)]) == [4, 4, 2]
    assert lines_on_a_phone([f"Discard Fe {n}" for n in range(10, 21)]) == [4, 3, 4]


def test_short_buttons_are_spread_evenly() -> None:
    assert lines_on_a_phone(["a"] * 10) == [5, 5]
    assert lines_on_a_phone(["a"] * 5) == [5]
    assert lines_on_a_phone([]) == []


def test_what_has_happened_takes_few_rows() -> None:
    say = words("en")
    short = [f"Mira draws {n}." for n in range(6)]
    assert fitting(short, say) == short
    assert fitting([*short, "Tobias draws."], say) == [
        say("hand.more_happened", n=2),
        *short[2:],
        "Tobias draws.",
    ]
    long = [f"{n} " + "word " * 25 for n in range(4)]
    assert fitting(long, say) == [say("hand.more_happened", n=2), *long[2:]]
    endless = ["word " * 200]
    assert fitting(endless, say) == endless


def test_who_holds_both_sides_is_told_of_their_bet_alone() -> None:
    game = catalog.get("duel52")
    kind = next(kind for kind in covering(game) if kind.options["variant"] == "solo")
    table = a_table(game, kind, [], sitters=[Sitter("Ann", user_id=1, entropy=1)] * 2)
    state, rng = table.state, random.Random(1)
    assert state is not None
    while waiting := state.to_act():
        state.apply(waiting[0], rng.choice(state.legal_actions(waiting[0])))
    table._enter(state, None)
    lost, bet = words("en").list("end.places")[1], "You bet on side"
    for seat in (0, 1):
        told = words_of(hand_message(SeatView(table, seat, "en")))
        assert bet in told
        assert words("en")("end.beaten", place=lost) not in told
