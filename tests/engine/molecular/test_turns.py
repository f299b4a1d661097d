"""Turns, actions, group cards, forfeits and the three ends (docs/rules/molecular.md, sections 3 and 4)."""

from __future__ import annotations

import random

import pytest

from engine.game import IllegalAction, IllegalSetup
from engine.molecular import GAME
from engine.molecular.board import Board, cell_of
from engine.molecular.cards import BOX, DECK, KINDS, SUPPLY
from engine.molecular.hidden_pieces import PUBLIC
from engine.molecular.moves import FORFEIT, PASS, REVEAL, Move
from tests.engine.molecular.positions import (
    e,
    embedded,
    g,
    game,
    give_hand,
    give_pool,
    kinds_of,
    of_smiles,
    placed,
    stack,
    tile,
    verbs,
    with_board,
)


def refused(state: object, seat: int, move: Move) -> str:
    with pytest.raises(IllegalAction) as error:
        state.verify(seat, move)  # type: ignore[attr-defined]
    return error.value.rule


# setup


@pytest.mark.rule("molecular", "4.1")
@pytest.mark.parametrize("seats", range(1, 9))
def test_the_deal(seats: int) -> None:
    state = game(seats)
    assert state.rules.rounds == BOX.meta.rounds[seats - 1]
    assert all(len(held) == 5 for held in state.tiles.held)
    assert all(len(held) == 3 for held in state.cards.held)
    assert len(state.tiles.pile) == len(SUPPLY) - 5 * seats
    assert len(state.cards.pile) == len(DECK) - 3 * seats
    assert state.board.tiles.keys() == {cell_of(0, 0)}
    assert state.to_act() == (0,)


@pytest.mark.rule("molecular", 8, "4.4")
@pytest.mark.parametrize(("seats", "rounds"), [(1, 20), (2, 15), (4, 10), (8, 5)])
def test_rounds_of_the_source(seats: int, rounds: int) -> None:
    assert game(seats).rules.rounds == rounds


@pytest.mark.rule("molecular", 8, 9)
def test_the_host_may_choose_rounds_and_who_begins() -> None:
    assert game(4, rounds=3).rules.rounds == 3
    assert game(4, first=3).to_act() == (2,)
    firsts = {GAME.deal(GAME.setup(4, bytes([n]) * 32)).turn for n in range(40)}
    assert firsts == {0, 1, 2, 3}
    with pytest.raises(IllegalSetup) as error:
        GAME.setup(2, bytes(32), first=3)
    assert error.value.rule == "first_seat"


# actions


@pytest.mark.rule("molecular", 14, "4.2")
def test_two_actions_in_any_order_and_the_same_twice() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "H1-1", "O11-1", "O11-2", "O11-3")
    state.apply(0, placed(state, 0, 1, -1)[0])
    assert (state.to_act(), state.actions) == ((0,), 1)
    state.apply(0, next(m for m in state.legal_actions(0) if m.verb == "tile"))
    assert state.to_act() == (1,)
    assert state.scores[0] == 2


@pytest.mark.rule("molecular", "4.1")
def test_the_pool_and_hand_are_filled_at_the_start_of_the_turn() -> None:
    state = game()
    give_hand(state, 0, "ether", "amide", "alkene")
    state.apply(0, Move("group", g("ether")))
    state.apply(0, next(m for m in state.legal_actions(0) if m.verb == "tile"))
    assert (len(state.tiles.held[0]), len(state.cards.held[0])) == (4, 2)
    state.apply(1, PASS)
    state.apply(1, PASS)
    assert (len(state.tiles.held[0]), len(state.cards.held[0])) == (5, 3)


@pytest.mark.rule("molecular", 7)
def test_passing_gives_up_one_action() -> None:
    state = game()
    state.apply(0, PASS)
    assert state.to_act() == (0,)
    state.apply(0, PASS)
    assert state.to_act() == (1,)
    assert state.round == 1


# group cards


@pytest.mark.rule("molecular", "3.1", "3.2", "3.5")
def test_two_ethers_score_four_then_three() -> None:
    """No counter: 3 + 1; next time 3 + 1 - 1."""
    state = with_board(game(), embedded("COCCOC", [(n, n + 1, 1) for n in range(5)]))
    give_hand(state, 0, "ether", "ether", "amide")
    state.apply(0, Move("group", g("ether")))
    assert (state.scores[0], state.counters[g("ether")]) == (4, 1)
    state.apply(0, Move("group", g("ether")))
    assert (state.scores[0], state.counters[g("ether")]) == (7, 2)
    assert kinds_of(state, "group")[1]["score"] == [2, 3, 0, 1, 1]


@pytest.mark.rule("molecular", 5, "3.2")
def test_without_an_example_a_card_is_a_discard_of_nothing() -> None:
    state = game()
    give_hand(state, 0, "diacid", "amide", "alkene")
    state.counters[g("diacid")] = 2
    state.reagent = e("hydrolysis")
    state.apply(0, Move("group", g("diacid")))
    assert (state.scores[0], state.counters[g("diacid")]) == (0, 2)
    assert state.used_cards == [g("diacid")]


@pytest.mark.rule("molecular", 5)
def test_a_card_never_scores_below_nothing_but_still_leaves_a_counter() -> None:
    state = with_board(game(), embedded("COC", [(0, 1, 1), (1, 2, 1)]))
    give_hand(state, 0, "ether", "amide", "alkene")
    state.counters[g("ether")] = 9
    state.apply(0, Move("group", g("ether")))
    assert (state.scores[0], state.counters[g("ether")]) == (0, 10)


def test_a_card_not_in_hand_is_refused() -> None:
    state = game()
    give_hand(state, 0, "ether", "amide", "alkene")
    assert refused(state, 0, Move("group", g("diacid"))) == "not_in_hand"


# the option: one point for each edge


@pytest.mark.rule("molecular", 4, "2.4")
def test_a_double_bond_counts_two_or_one_by_option() -> None:
    for option, points in (("orders", 2), ("edges", 1)):
        state = with_board(game(bond_points=option), embedded("C=C".replace("=", ""), [(0, 1, 2)]))
        board = Board.of(state.board.tiles)
        # take the second carbon off again: its place asks for a double bond
        other = next(c for c in board.tiles if c != cell_of(0, 0))
        board.lift(other)
        state = with_board(state, board)
        give_pool(state, 0, "O2-1", "H1-1", "H1-1", "H1-1", "H1-1")
        move = next(m for m in state.legal_actions(0) if m.what == tile("O2-1") and m.verb == "tile")
        state.apply(0, move)
        assert state.scores[0] == points


# forfeit


@pytest.mark.rule("molecular", "4.3")
def test_a_forfeit_costs_a_point_and_both_actions() -> None:
    state = game()
    assert FORFEIT not in state.legal_actions(0)
    assert refused(state, 0, FORFEIT) == "forfeit_points"
    state.scores[0] = 1
    before = (state.tiles.kinds(0), state.cards.kinds(0))
    state.apply(0, FORFEIT)
    assert state.scores[0] == 0
    assert state.to_act() == (1,)
    assert (len(state.tiles.held[0]), len(state.cards.held[0])) == (5, 3)
    assert (state.tiles.kinds(0), state.cards.kinds(0)) != before
    assert [m.who for m in (*state.tiles.mixes, *state.cards.mixes)] == [0, 0]


@pytest.mark.rule("molecular", "4.3")
def test_a_forfeit_comes_instead_of_both_actions() -> None:
    state = game()
    state.scores[0] = 5
    state.apply(0, PASS)
    assert FORFEIT not in state.legal_actions(0)
    assert refused(state, 0, FORFEIT) == "forfeit_late"


# rounds and the ends


@pytest.mark.rule("molecular", "4.5")
def test_the_last_round_ends_the_game() -> None:
    state = game(3, rounds=2)
    for _ in range(2 * 3 * 2):
        assert state.outcome() is None
        state.apply(state.turn, PASS)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.reason == "rounds"
    assert outcome.winners() == (0, 1, 2)
    assert refused(state, 0, PASS) == "over"


@pytest.mark.rule("molecular", 9, "4.5")
def test_the_highest_score_wins_and_equals_share() -> None:
    state = game(3, rounds=1)
    state.scores[:] = [4, 7, 7]
    for _ in range(6):
        state.apply(state.turn, PASS)
    outcome = state.outcome()
    assert outcome is not None
    assert [s.rank for s in outcome.standings] == [3, 1, 1]
    assert outcome.winners() == (1, 2)


@pytest.mark.rule("molecular", 9, "4.5")
def test_a_closed_molecule_ends_the_game_after_the_turn() -> None:
    state = with_board(game(), of_smiles("C"))
    state.apply(0, PASS)
    assert state.outcome() is None
    state.apply(0, PASS)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.reason == "stuck"


@pytest.mark.rule("molecular", "4.5")
def test_an_opening_that_no_unplayed_tile_fits_ends_the_game() -> None:
    """The supply counts too, not only the pool: with one H left somewhere the game goes on."""
    for hydrogens, over in ((1, False), (0, True)):
        state = with_board(game(), embedded("CHHH", [(0, n, 1) for n in (1, 2, 3)]))
        for hidden in (state.tiles,):
            hidden.pile = [tile("H1-1")] * hydrogens + [tile("O2-1")] * 5
            hidden.held = [[tile("O2-1")], [tile("N3-1")]]
        state.left = [0] * KINDS
        state.left[tile("O2-1")], state.left[tile("N3-1")], state.left[tile("H1-1")] = 6, 1, hydrogens
        state.unplayed = sum(1 << kind for kind in range(KINDS) if state.left[kind])
        state.apply(0, PASS)
        state.apply(0, PASS)
        assert (state.over == "stuck") is over


@pytest.mark.rule("molecular", "4.5")
def test_the_game_ends_when_all_tiles_are_played() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "O2-1")
    state.tiles.pile = []
    state.tiles.held = [[tile("H1-1")], []]
    state.left = [0] * KINDS
    state.left[tile("H1-1")] = 1
    state.unplayed = 1 << tile("H1-1")
    state.apply(0, placed(state, 0, 1, -1)[0])
    state.apply(0, PASS)
    assert state.over == "all_played"


@pytest.mark.rule("molecular", 7)
def test_an_empty_supply_is_no_end() -> None:
    state = game()
    gone, state.tiles.pile = state.tiles.pile, []
    for kind in gone:
        state.left[kind] -= 1
    state.unplayed = sum(1 << kind for kind in range(KINDS) if state.left[kind])
    state.apply(0, next(m for m in state.legal_actions(0) if m.verb == "tile"))
    state.apply(0, PASS)
    assert not state.over
    assert len(state.tiles.held[1]) == 5
    state.apply(1, PASS)
    state.apply(1, PASS)
    assert len(state.tiles.held[0]) == 4


@pytest.mark.rule("molecular", 7)
def test_an_empty_group_deck_is_made_from_the_discard() -> None:
    state = game()
    give_hand(state, 0, "ether", "ether", "amide")
    state.cards.pile, state.used_cards = [], [*state.cards.pile]
    before = len(state.used_cards)
    state.apply(0, Move("group", g("ether")))
    state.apply(0, PASS)
    state.apply(1, PASS)
    state.apply(1, PASS)
    assert len(state.cards.held[0]) == 3
    assert state.used_cards == []
    assert len(state.cards.pile) == before
    assert state.cards.mixes[-1].who == PUBLIC


@pytest.mark.rule("molecular", 7)
def test_an_empty_effector_deck_is_made_from_its_discard() -> None:
    state = game()
    state.used_effectors = [c for c in state.effectors if c == e("grant")]
    state.effectors = []
    state.apply(0, REVEAL)
    assert state.scores[0] == 2
    assert len(state.effectors) == 1


# solo


@pytest.mark.rule("molecular", 8, 11)
def test_solo_discards_conference_and_poached_student_without_effect() -> None:
    state = game(1)
    stack(state, "conference", "poach")
    hand = state.cards.kinds(0)
    state.apply(0, REVEAL)
    state.apply(0, REVEAL)
    assert state.round == 2
    assert state.cards.kinds(0) == hand
    assert [fact["card"] for fact in kinds_of(state, "nothing")] == [e("conference"), e("poach")]


@pytest.mark.rule("molecular", 14)
@pytest.mark.parametrize("seats", [1, 2, 8])
def test_random_games_of_one_two_and_eight_seats_end(seats: int) -> None:
    rng = random.Random(seats)
    for seed in range(6):
        state = GAME.deal(GAME.setup(seats, bytes([seed]) * 32))
        pieces = state.census()
        while state.to_act():
            seat = rng.choice(state.to_act())
            state.push(seat, rng.choice(state.legal_actions(seat)))
        outcome = state.outcome()
        assert outcome is not None
        assert outcome.reason in ("rounds", "stuck", "all_played")
        assert state.census() == pieces


def test_what_can_be_done_in_a_turn() -> None:
    state = game()
    assert verbs(state, 0) == {"tile", "reveal", "group", "pass"}
    state.scores[0] = 1
    assert verbs(state, 0) == {"tile", "reveal", "group", "pass", "forfeit"}
    assert state.legal_actions(1) == ()
    assert refused(state, 1, PASS) == "not_your_turn"
    assert refused(state, 0, Move("give", 0)) == "not_asked"
