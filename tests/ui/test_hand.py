"""What a hand shows beside its picture: the question, the notes of its buttons, the picture on the way."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from discord import ui
from msgspec import to_builtins

from bot import presenters
from bot.features.replays.messages import pictures
from bot.features.table.hand.messages import HAND_PICTURE, ChoiceCursor, hand_message
from bot.features.table.hand.recent_log import MOST_ROWS, shortened
from bot.features.table.hand.seat_view import SeatView
from bot.locales import words
from bot.presenters.base import Branch, Choice, Leaf
from bot.render.parts import person
from bot.render.scene import Rect, Scene
from bot.store.games import Entry, Sitter
from bot.table import lobby
from bot.table.journal import LEFT_OUT
from bot.table.table import Table
from bot.ui.components import button, rows
from engine import catalog
from engine.game import AnyGame
from engine.setups import Kind, covering
from tests.support.discord.message import words_of
from tests.support.tables.replayed import a_table
from tests.support.tables.tables import close_tables, new_table, opened_tables

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


async def test_letters_alone_in_a_picture_come_with_their_names(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "**B**" not in words_of(hand_message(SeatView(table, 0, "en")))
    chip = tuple(person(Rect(0, 0, 200, 60), 1, ""))
    change(monkeypatch, hand=lambda _seen, look: Scene(400, 100, chip, "The cards of B", look))
    view = SeatView(table, 0, "en")
    assert f"-# **B** {view.look.name(1)}\n" in words_of(hand_message(view))
    assert list(pictures(table, "0", "en")) == [view.letters, view.scene]


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


def test_passing_by_itself_stands_apart_from_the_answers() -> None:
    table = in_atom(1)
    (seat,) = table.waiting()
    *answers, last = rows_of(table, seat)
    assert last == [f"v:autopass:{table.id}:{seat}"]
    assert answers
    assert not any("autopass" in each for row in answers for each in row)


def test_a_player_who_leads_is_not_offered_to_pass() -> None:
    table = in_atom(0)
    offered = [any("autopass" in each for row in rows_of(table, seat) for each in row) for seat in range(4)]
    assert offered == [(seat,) != table.waiting() for seat in range(4)]


def in_atom(plays: int) -> Table:
    """A game of Atom after this number of plays."""
    game, journal = catalog.get("atom"), list[Entry]()
    kind = next(kind for kind in covering(game) if kind.seats == 4)
    table = a_table(game, kind, journal)
    for _ in range(plays):
        (mover,) = table.waiting()
        journal.append(Entry(len(journal) + 1, "act", mover, to_builtins(table.legal[mover][0]), 0))
        table = a_table(game, kind, journal)
    return table


def rows_of(table: Table, seat: int) -> list[list[str]]:
    """The custom ids in each row of a hand's buttons and lists."""
    found = hand_message(SeatView(table, seat, "en")).view.walk_children()
    rows_in = [item.children for item in found if isinstance(item, ui.ActionRow)]
    return [[str(getattr(control, "custom_id", "")) for control in row] for row in rows_in]


async def test_a_step_may_bring_a_picture_of_its_own(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    asks(monkeypatch, table, 3)
    asked: list[tuple[str, ...]] = []
    other = Scene(800, 400, (), "the left half")

    def on_way(_observation: Any, way: tuple[str, ...], _look: Any) -> Scene:
        asked.append(tuple(way))
        return other

    change(monkeypatch, hand_at=on_way)
    top, step = (
        hand_message(SeatView(table, 0, "en")),
        hand_message(SeatView(table, 0, "en"), ChoiceCursor(("a",))),
    )
    assert asked == [("a",)]
    assert step.pictures[HAND_PICTURE] == other != top.pictures[HAND_PICTURE]
    assert step.moment == top.moment, "a half made choice is no new hand"


async def test_a_view_of_a_table_that_was_closed_meanwhile_holds_no_longer(table: Table) -> None:
    view = SeatView(table, 0, "en")
    assert view.holds
    await table.cancel("closed")  # which is no entry of the journal
    assert not view.holds


def lines_on_a_phone(labels: list[str]) -> list[int]:
    """How many buttons stand in each row."""
    return [len(row.children) for row in rows([button(label, "go", n) for n, label in enumerate(labels)])]


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
    assert shortened(short, say, MOST_ROWS) == short
    assert shortened([*short, "Tobias draws."], say, MOST_ROWS) == [
        say("hand.more_happened", n=2),
        *short[2:],
        "Tobias draws.",
    ]
    long = [f"{n} " + "word " * 25 for n in range(4)]
    assert shortened(long, say, MOST_ROWS) == [say("hand.more_happened", n=2), *long[2:]]
    endless = ["word " * 200]
    assert shortened(endless, say, MOST_ROWS) == endless


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


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
@pytest.mark.parametrize("game", ["atom", "atom_duel", "canasta", "chemistry_battle", "duel52", "molecular"])
def test_a_hand_that_waits_says_that_a_move_was_taken_back(game: str, locale: str) -> None:
    rules = catalog.get(game)
    kind = next(kind for kind in covering(rules) if kind.seats > 1 and _one_begins(rules, kind))
    fresh = a_table(rules, kind, [])
    (first,) = fresh.waiting()
    act = Entry(1, "act", first, to_builtins(fresh.legal[first][0]), 0)
    undo = Entry(2 + LEFT_OUT, "undo", first, [1], 0)
    other = (first + 1) % kind.seats
    back = a_table(rules, kind, [act, undo])
    views = [SeatView(table, other, locale) for table in (fresh, back)]
    line = words(locale)("undo.line", name=views[1].look.name(first))
    told = [line in words_of(hand_message(view)) for view in views]
    assert told == [False, True]
    assert views[0].moment() != views[1].moment()
    mover = SeatView(back, first, locale)
    assert line not in words_of(hand_message(mover))


def _one_begins(rules: AnyGame, kind: Kind) -> bool:
    return len(a_table(rules, kind, []).waiting()) == 1


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
@pytest.mark.parametrize("game", ["canasta", "compound_capture"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_hand_names_every_card_drawn_in_a_turn(game: str, locale: str, seat: int) -> None:
    rules = catalog.get(game)
    kind = next(kind for kind in covering(rules) if kind.seats == 2)
    table, journal = a_table(rules, kind, []), list[Entry]()
    turns = ("draw", "draw"), ("draw", "draw", "discard", "draw", "draw")
    for verb in turns[seat not in table.waiting()]:
        (mover,) = table.waiting()
        action = next(act for act in table.legal[mover] if act[0] == verb)
        journal.append(Entry(len(journal) + 1, "act", mover, to_builtins(action), 0))
        table = a_table(rules, kind, journal)
    view = SeatView(table, seat, locale)
    drawn = [event for event in view.recent if event.kind == "draw" and event.seat == seat]
    assert [event.facts["card"] for event in drawn] == list(view.gained)
    told = words_of(hand_message(view))
    lines = [view.presenter.line(event, seat, view.look) for event in drawn]
    assert [line for line in lines if not line or line not in told] == []
    assert len(set(lines)) == 2
