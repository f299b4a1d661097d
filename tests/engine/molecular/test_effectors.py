"""Every effector of the data file (docs/rules/molecular.md, section 5)."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.molecular import effects
from engine.molecular.board import cell_of, place_of
from engine.molecular.cards import EFFECTORS, REAGENTS
from engine.molecular.moves import PASS, REVEAL, SKIP, Move
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
    refusal,
    revealed,
    stack,
    tile,
    verbs,
    with_board,
)


def test_every_effector_is_either_a_function_or_lasts() -> None:
    lasting = {"hood", "glass", "notebook", "audit", "unsat", "ringbonus", "openaccess", "strict"}
    assert set(effects.INSTANTS) | set(REAGENTS) | set(map(e, lasting)) == set(range(EFFECTORS))


# instants


@pytest.mark.rule("molecular", "5.1")
def test_research_grant_scores_two() -> None:
    state = revealed("grant")
    assert state.scores == [2, 0]
    assert state.actions == 1
    assert state.used_effectors == [e("grant")]


@pytest.mark.rule("molecular", "4.1", "5.1")
def test_fresh_delivery_draws_two_and_the_larger_pool_is_kept() -> None:
    state = revealed("delivery")
    assert len(state.tiles.held[0]) == 7
    state.apply(0, PASS)
    state.apply(1, PASS)
    state.apply(1, PASS)
    assert len(state.tiles.held[0]) == 7


@pytest.mark.rule("molecular", 11)
def test_fresh_delivery_draws_fewer_from_a_short_supply() -> None:
    state = game()
    stack(state, "delivery")
    state.tiles.pile = state.tiles.pile[:1]
    state.apply(0, REVEAL)
    assert len(state.tiles.held[0]) == 6


@pytest.mark.rule("molecular", 11, "5.1")
def test_spillage_removes_an_end_tile_and_moves_no_points() -> None:
    state = revealed("spill", board=of_smiles("CO"))
    state.scores[:] = [5, 6]
    ends = {(m.q, m.r) for m in state.legal_actions(0)}
    assert {m.verb for m in state.legal_actions(0)} == {"spill"}
    hydrogens = {place_of(c) for c, bonds in state.board.bonds.items() if len(bonds) == 1}
    assert ends == hydrogens
    assert refusal(state, 0, Move("spill", -1, 0, 0)) == "not_an_end"
    assert refusal(state, 0, Move("spill", -1, 9, 9)) == "no_tile_there"
    assert refusal(state, 0, PASS) == "choose_first"
    size, (q, r) = len(state.tiles.pile), min(ends)
    state.apply(0, Move("spill", -1, q, r))
    assert cell_of(q, r) not in state.board.tiles
    assert len(state.tiles.pile) == size + 1
    assert state.scores == [5, 6]
    assert state.board.rim[cell_of(q, r)]  # the edge is open again


@pytest.mark.rule("molecular", 11)
def test_spillage_refuses_a_tile_with_two_bonds() -> None:
    state = revealed("spill", board=of_smiles("CO"))
    oxygen = next(place_of(c) for c, b in state.board.bonds.items() if len(b) == 2)
    assert refusal(state, 0, Move("spill", -1, *oxygen)) == "not_an_end"


@pytest.mark.rule("molecular", 11)
def test_spillage_on_the_start_tile_alone_does_nothing() -> None:
    state = revealed("spill")
    assert state.pending is None
    assert kinds_of(state, "nothing") == [{"card": e("spill")}]


@pytest.mark.rule("molecular", "5.1")
def test_contamination_gives_everybody_a_new_pool() -> None:
    state = game(3)
    give_pool(state, 0, "O2-1", "O2-1", "O2-1", "O2-1", "O2-1")
    before = Counter(state.tiles.pile + [k for s in range(3) for k in state.tiles.kinds(s)])
    stack(state, "contamination")
    state.apply(0, REVEAL)
    assert [len(held) for held in state.tiles.held] == [5, 5, 5]
    assert Counter(state.tiles.pile + [k for s in range(3) for k in state.tiles.kinds(s)]) == before
    assert state.tiles.kinds(0) != [tile("O2-1")] * 5


@pytest.mark.rule("molecular", 11)
def test_contamination_draws_one_at_a_time_from_the_revealer() -> None:
    state = game(3, first=2)
    stack(state, "contamination")
    state.apply(1, REVEAL)
    order = [k for n in range(5) for k in (state.tiles.kinds(s)[n] for s in (1, 2, 0))]
    mixed = state.clone()
    mixed.tiles.pile += order[::-1]
    assert [mixed.tiles.pile.pop() for _ in order] == order
    drawn = [ev.facts["count"] for ev in state.events or () if ev.kind == "drew"]
    assert drawn == [5, 5, 5]


def test_contamination_keeps_a_pool_only_up_to_the_pool_size() -> None:
    state = revealed("delivery", "contamination")
    assert len(state.tiles.held[0]) == 7
    state.apply(0, REVEAL)
    assert len(state.tiles.held[0]) == 5


@pytest.mark.rule("molecular", 11, "5.1")
def test_conference_passes_cards_left_all_at_once() -> None:
    state = game(3)
    for seat, names in enumerate(
        (("ether", "amide", "urea"), ("azo", "diene", "ketone"), ("enol", "acid", "alkene"))
    ):
        give_hand(state, seat, *names)
    stack(state, "conference")
    state.apply(0, REVEAL)
    assert state.to_act() == (0, 1, 2)
    assert refusal(state, 0, Move("give", g("azo"))) == "not_in_hand"
    state.apply(2, Move("give", g("acid")))
    assert state.to_act() == (0, 1)
    assert state.cards.holds(2, g("acid"))  # nothing moves before all have chosen
    state.apply(0, Move("give", g("ether")))
    state.apply(1, Move("give", g("azo")))
    assert state.cards.kinds(0) == [g("amide"), g("urea"), g("acid")]
    assert state.cards.kinds(1) == [g("diene"), g("ketone"), g("ether")]
    assert state.cards.kinds(2) == [g("enol"), g("alkene"), g("azo")]
    assert state.to_act() == (0,)
    assert state.actions == 1


@pytest.mark.rule("molecular", 11)
def test_conference_asks_only_who_holds_a_card() -> None:
    state = game(3)
    give_hand(state, 1)
    stack(state, "conference")
    state.apply(0, REVEAL)
    assert state.to_act() == (0, 2)
    for seat in (0, 2):
        state.apply(seat, state.legal_actions(seat)[0])
    assert [len(held) for held in state.cards.held] == [3, 1, 2]


@pytest.mark.rule("molecular", "5.1")
def test_erratum_clears_one_group() -> None:
    state = game()
    state.counters[g("ether")], state.counters[g("acid")] = 3, 1
    stack(state, "erratum")
    state.apply(0, REVEAL)
    assert [m.what for m in state.legal_actions(0)] == [g("ether"), g("acid")]
    assert refusal(state, 0, Move("clear", g("diol"))) == "no_counters"
    state.apply(0, Move("clear", g("ether")))
    assert (state.counters[g("ether")], state.counters[g("acid")]) == (0, 1)


@pytest.mark.rule("molecular", 11)
def test_erratum_without_counters_does_nothing() -> None:
    assert revealed("erratum").pending is None


@pytest.mark.rule("molecular", "5.1")
def test_rival_paper_puts_counters_on_two_different_groups() -> None:
    state = revealed("rival")
    state.apply(0, Move("rival", g("ether")))
    assert refusal(state, 0, Move("rival", g("ether"))) == "same_group"
    state.apply(0, Move("rival", g("acid")))
    assert state.pending is None
    assert (state.counters[g("ether")], state.counters[g("acid")], sum(state.counters)) == (1, 1, 2)


@pytest.mark.rule("molecular", "5.1")
def test_serendipity_plays_a_tile_for_free() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "O11-1")
    stack(state, "serendipity")
    state.apply(0, REVEAL)
    assert verbs(state, 0) == {"tile", "skip"}
    state.apply(0, placed(state, 0, 1, -1)[0])
    assert state.actions == 1
    assert state.scores[0] == 1
    assert not state.tiled


def test_serendipity_may_be_declined() -> None:
    state = revealed("serendipity")
    state.apply(0, SKIP)
    assert (state.actions, state.pending) == (1, None)


@pytest.mark.rule("molecular", "5.1")
def test_rapid_publication_plays_a_card_for_free() -> None:
    state = with_board(game(), embedded("COC", [(0, 1, 1), (1, 2, 1)]))
    give_hand(state, 0, "ether", "acid", "acid")
    stack(state, "publication")
    state.apply(0, REVEAL)
    assert verbs(state, 0) == {"group", "skip"}
    state.apply(0, Move("group", g("ether")))
    assert (state.scores[0], state.actions, state.counters[g("ether")]) == (3, 1, 1)


@pytest.mark.rule("molecular", "5.1")
def test_small_explosion_takes_hydrogens_off_oxygens_only() -> None:
    state = revealed("explosion", board=of_smiles("CO"))
    names = Counter(effects._element(state.board, cell) for cell in state.board.tiles)
    assert names == {"C": 1, "O": 1, "H": 3}
    assert state.scores == [0, 0]


@pytest.mark.rule("molecular", 11)
def test_small_explosion_without_any_does_nothing() -> None:
    state = revealed("explosion", board=of_smiles("C"))
    assert len(state.board.tiles) == 5
    assert kinds_of(state, "nothing")


@pytest.mark.rule("molecular", 11, 12, "5.1")
def test_fire_alarm_ends_the_turn_and_the_free_tile_is_lost() -> None:
    state = game()
    state.reagent = e("catalyst")
    stack(state, "alarm")
    state.apply(0, REVEAL)
    assert state.to_act() == (1,)


@pytest.mark.rule("molecular", 11, "5.1")
def test_poached_student_takes_at_random_and_gives_one_back() -> None:
    taken = set()
    for seed in range(20):
        state = game(3, seed)
        give_hand(state, 0, "ether", "amide", "urea")
        give_hand(state, 1, "azo", "diene", "ketone")
        stack(state, "poach")
        state.apply(0, REVEAL)
        assert [m.what for m in state.legal_actions(0)] == [1, 2]
        assert refusal(state, 0, Move("poach", 0)) == "poach_self"
        state.apply(0, Move("poach", 1))
        got = state.cards.kinds(0)[-1]
        taken.add(got)
        assert got in {g("azo"), g("diene"), g("ketone")}
        assert len(state.cards.held[1]) == 2
        assert Move("give", got) in state.legal_actions(0)  # the same one may go back
        state.apply(0, Move("give", g("ether")))
        assert g("ether") in state.cards.kinds(1)
        assert [len(held) for held in state.cards.held] == [3, 3, 3]
    assert len(taken) == 3


@pytest.mark.rule("molecular", 11)
def test_poached_student_needs_somebody_with_a_card() -> None:
    state = game(3)
    give_hand(state, 1)
    stack(state, "poach")
    state.apply(0, REVEAL)
    assert refusal(state, 0, Move("poach", 1)) == "poach_empty"
    assert refusal(state, 0, Move("poach", 7)) == "poach_empty"
    lonely = game(2)
    give_hand(lonely, 1)
    stack(lonely, "poach")
    lonely.apply(0, REVEAL)
    assert lonely.pending is None
