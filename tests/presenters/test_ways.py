"""How a decision is put into the words of the choices that lead to it."""

import random
from typing import Any

import pytest

from bot import presenters
from bot.presenters.base import Branch, Choice, Leaf
from bot.presenters.paths import Route, in_words, ways_to
from bot.render.scene import Look
from engine.duel52.notation import read
from engine.game import AnyState, Game
from tests.conformance.walk import every_game, random_play
from tests.engine.atom_duel.positions import arrange as atom_duel
from tests.engine.atom_duel.positions import play
from tests.engine.chemistry.positions import arrange as chemistry
from tests.engine.duel52.positions import REST
from tests.engine.duel52.positions import play as duel52
from tests.engine.molecular.positions import game as molecular
from tests.engine.molecular.positions import give_pool
from tests.support.games.probe import Act

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve", "Fay", "Gil", "Hal")


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (("Trade with B", "3 · Iron"), "Trade with B · 3 · Iron"),
        (("Other cards…", "Q♣"), "Q♣"),
        (("2 N", "Another way…", "K-2"), "2 N · K-2"),
        (("6 · 26 Iron …", "as an Alloy"), "6 · 26 Iron · as an Alloy"),
        (("Go on…",), "Go on…"),
    ],
)
def test_a_decision_reads_as_the_choices_that_say_something(labels: tuple[str, ...], told: str) -> None:
    assert in_words(Route(Act("pass"), ("a",), labels)) == told


def test_of_several_ways_to_a_decision_the_shortest_counts() -> None:
    leaf = Leaf(Act("pass"))
    behind = Choice("more", "More…", Branch("Which?", (Choice("b", "B", leaf),)))
    tree = Branch("What?", (behind, Choice("a", "A", leaf), Choice("c", "C", leaf)))
    assert ways_to(tree, [Act("pass")])[Act("pass")].path == ("a",)


def decisions(game: str, state: AnyState) -> list[str]:
    """What can be done now, as a lesson would say it."""
    (seat,) = state.to_act()
    legal = state.legal_actions(seat)
    tree = presenters.get(game).choices(state.observe(seat), legal, Look(names=NAMES))
    return [in_words(way) for way in ways_to(tree, legal).values()]


def test_a_lesson_says_which_card_goes_where_and_who_attacks_whom() -> None:
    told = decisions("duel52", read("standard A3 5s,6h,(4s)|-|-/8c1,9c|-|- hands=2s3s/2h pile=2d2c"))
    for move in ("Lay 2♠ in lane 1", "Flip ① 4♠", "6♥ kills 8♣", "5♠ hits 9♣"):
        assert move in told
    assert not any("yours" in move for move in told), "how many lie there belongs on the button"


def test_a_look_and_an_order_are_told_with_what_is_done() -> None:
    """A review has no question above them: “You ② 7♥” says nothing."""
    look = duel52(f"standard A3 (4s),(5s)|-|-/(9c)|-|(8c) {REST}", "flip 4s")
    assert sorted(decisions("duel52", look)) == [
        "Look at Card a of Ben in lane 1",
        "Look at Card a of Ben in lane 3",
        "Look at own 5♠ in lane 1",
    ]
    order = duel52(f"standard A3 (5s),(6s),(As),(7s)|-|-/(Jc)|-|- {REST}", "flip 5s")
    assert sorted(decisions("duel52", order)) == ["Let ① 6♠ work", "Let ① 7♠ work", "Let ① A♠ work"]


@pytest.mark.parametrize("row", ["HF CO2", "HF CO2 CO"])
def test_a_payment_is_told_with_what_it_captures(row: str) -> None:
    """In few ways it stands beside others, in many behind its compound: it reads the same."""
    told = decisions("compound_capture", chemistry("H F O O C * Fe", "H", row=row))
    captures = [move for move in told if "CO₂" in move]
    assert "Capture CO₂" in captures
    assert "Capture CO₂ with C O O" in captures
    assert all(move.startswith("Capture CO₂") for move in captures)


@pytest.mark.parametrize("hand", ["H N O S Cl K *", "H N O S Cl K Fe Zn Ag Xe Mg Al"])
def test_a_discard_is_told_as_one_where_nothing_else_can_be_done(hand: str) -> None:
    """The answer of a puzzle has no question above it: "The best move: Wild card" says nothing."""
    told = decisions("compound_capture", chemistry(hand, "H", row="Al2O3"))
    assert len(told) == len(hand.split())
    assert all(move.startswith("Discard ") for move in told)


def test_a_laser_is_told_by_whom_it_aims_at_with_one_opponent_as_well() -> None:
    """A review and a hint have no question above them: “Slot 1” alone would say nothing."""
    state = atom_duel("He Sc", "Pb Ca")
    play(state, "He")
    assert decisions("atom_duel", state) == ["Ben: Slot 1", "Ben: Slot 2"]
    state = atom_duel("He Sc", "Pb Ca", "Ti V")
    play(state, "He")
    assert "Cy: Slot 1" in decisions("atom_duel", state)


def test_a_tile_is_told_by_its_cell_and_by_what_stays_open() -> None:
    state = molecular()
    give_pool(state, 0, "H1-1", "C1111-1", "C1111-1", "N3-1", "O2-1")
    told = decisions("molecular", state)
    assert "Tile 1 (hydrogen) in cell A" in told
    carbon = [move for move in told if move.startswith("Tile 2 (carbon) in cell A, open ")]
    assert len(set(carbon)) == len(carbon) == 2, "each of the two ways round: the hand shows no other name"
    assert not any("+1" in move for move in told)


@every_game
def test_two_decisions_never_read_alike(game: Game[Any, Any]) -> None:
    presenter, rng = presenters.get(game.key), random.Random(3)
    setup = game.setup(max(2, game.seats(game.defaults())[0]), bytes(32))
    for state, _ in random_play(game, setup, rng):
        for seat in state.to_act() if rng.random() < 0.1 else ():
            legal = state.legal_actions(seat)
            tree = presenter.choices(state.observe(seat), legal, Look(names=NAMES))
            told = [in_words(way) for way in ways_to(tree, legal).values()]
            assert len(set(told)) == len(told)
