"""Every effector of the data file (rules/molecular.md, E5)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.game import IllegalAction
from engine.molecular import effects
from engine.molecular.board import Board, cell_of, place_of
from engine.molecular.cards import EFFECTORS, KINDS, RAISED, REAGENTS
from engine.molecular.moves import PASS, REVEAL, SKIP, Move
from engine.molecular.state import MolecularState
from tests.engine.molecular.tables import (
    e,
    embedded,
    g,
    game,
    give_hand,
    give_pool,
    kinds_of,
    of_smiles,
    placed,
    random_board,
    stack,
    tile,
    verbs,
    with_board,
)


def revealed(*cards: str, seats: int = 2, board: Board | None = None) -> MolecularState:
    """A game in which seat 0 has just revealed the first card; the others come next."""
    state = game(seats)
    if board is not None:
        with_board(state, board)
    stack(state, *cards)
    state.apply(0, REVEAL)
    return state


def refusal(state: MolecularState, seat: int, move: Move) -> str:
    with pytest.raises(IllegalAction) as error:
        state.verify(seat, move)
    return error.value.rule


def test_every_effector_is_either_a_function_or_lasts() -> None:
    lasting = {"hood", "glass", "notebook", "audit", "unsat", "ringbonus", "openaccess", "strict"}
    assert set(effects.INSTANTS) | set(REAGENTS) | set(map(e, lasting)) == set(range(EFFECTORS))


# instants


def test_research_grant_scores_two() -> None:
    state = revealed("grant")
    assert state.scores == [2, 0]
    assert state.actions == 1
    assert state.used_effectors == [e("grant")]


def test_fresh_delivery_draws_two_and_the_larger_pool_is_kept() -> None:
    state = revealed("delivery")
    assert len(state.tiles.held[0]) == 7
    state.apply(0, PASS)
    state.apply(1, PASS)
    state.apply(1, PASS)
    assert len(state.tiles.held[0]) == 7


def test_fresh_delivery_draws_fewer_from_a_short_supply() -> None:
    state = game()
    stack(state, "delivery")
    state.tiles.pile = state.tiles.pile[:1]
    state.apply(0, REVEAL)
    assert len(state.tiles.held[0]) == 6


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


def test_spillage_refuses_a_tile_with_two_bonds() -> None:
    state = revealed("spill", board=of_smiles("CO"))
    oxygen = next(place_of(c) for c, b in state.board.bonds.items() if len(b) == 2)
    assert refusal(state, 0, Move("spill", -1, *oxygen)) == "not_an_end"


def test_spillage_on_the_start_tile_alone_does_nothing() -> None:
    state = revealed("spill")
    assert state.pending is None
    assert kinds_of(state, "nothing") == [{"card": e("spill")}]


def test_contamination_gives_everybody_a_new_pool() -> None:
    state = game(3)
    give_pool(state, 0, "O2-1", "O2-1", "O2-1", "O2-1", "O2-1")
    before = Counter(state.tiles.pile + [k for s in range(3) for k in state.tiles.kinds(s)])
    stack(state, "contamination")
    state.apply(0, REVEAL)
    assert [len(held) for held in state.tiles.held] == [5, 5, 5]
    assert Counter(state.tiles.pile + [k for s in range(3) for k in state.tiles.kinds(s)]) == before
    assert state.tiles.kinds(0) != [tile("O2-1")] * 5


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


def test_conference_asks_only_who_holds_a_card() -> None:
    state = game(3)
    give_hand(state, 1)
    stack(state, "conference")
    state.apply(0, REVEAL)
    assert state.to_act() == (0, 2)
    for seat in (0, 2):
        state.apply(seat, state.legal_actions(seat)[0])
    assert [len(held) for held in state.cards.held] == [3, 1, 2]


def test_erratum_clears_one_group() -> None:
    state = game()
    state.counters[g("ether")], state.counters[g("acid")] = 3, 1
    stack(state, "erratum")
    state.apply(0, REVEAL)
    assert [m.what for m in state.legal_actions(0)] == [g("ether"), g("acid")]
    assert refusal(state, 0, Move("clear", g("diol"))) == "no_counters"
    state.apply(0, Move("clear", g("ether")))
    assert (state.counters[g("ether")], state.counters[g("acid")]) == (0, 1)


def test_erratum_without_counters_does_nothing() -> None:
    assert revealed("erratum").pending is None


def test_rival_paper_puts_counters_on_two_different_groups() -> None:
    state = revealed("rival")
    state.apply(0, Move("rival", g("ether")))
    assert refusal(state, 0, Move("rival", g("ether"))) == "same_group"
    state.apply(0, Move("rival", g("acid")))
    assert state.pending is None
    assert (state.counters[g("ether")], state.counters[g("acid")], sum(state.counters)) == (1, 1, 2)


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


def test_rapid_publication_plays_a_card_for_free() -> None:
    state = with_board(game(), embedded("COC", [(0, 1, 1), (1, 2, 1)]))
    give_hand(state, 0, "ether", "acid", "acid")
    stack(state, "publication")
    state.apply(0, REVEAL)
    assert verbs(state, 0) == {"group", "skip"}
    state.apply(0, Move("group", g("ether")))
    assert (state.scores[0], state.actions, state.counters[g("ether")]) == (3, 1, 1)


def test_small_explosion_takes_hydrogens_off_oxygens_only() -> None:
    state = revealed("explosion", board=of_smiles("CO"))
    names = Counter(effects._element(state.board, cell) for cell in state.board.tiles)
    assert names == {"C": 1, "O": 1, "H": 3}
    assert state.scores == [0, 0]


def test_small_explosion_without_any_does_nothing() -> None:
    state = revealed("explosion", board=of_smiles("C"))
    assert len(state.board.tiles) == 5
    assert kinds_of(state, "nothing")


def test_fire_alarm_ends_the_turn_and_the_free_tile_is_lost() -> None:
    state = game()
    state.reagent = e("catalyst")
    stack(state, "alarm")
    state.apply(0, REVEAL)
    assert state.to_act() == (1,)


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


# what lasts


def test_fume_hood_and_glassware_change_the_pool_size() -> None:
    state = revealed("hood")
    assert state.pool_size() == 6
    state.apply(0, PASS)
    assert len(state.tiles.held[1]) == 6
    state = revealed("glass")
    state.apply(0, PASS)
    assert state.pool_size() == 4
    assert len(state.tiles.held[1]) == 5  # a larger pool is kept


def test_second_notebook_raises_the_hand_limit() -> None:
    state = revealed("notebook")
    state.apply(0, PASS)
    assert len(state.cards.held[1]) == 4


def test_safety_audit_forbids_the_same_action_twice_and_counts_its_own_reveal() -> None:
    state = revealed("audit")
    assert refusal(state, 0, REVEAL) == "audit"
    assert verbs(state, 0) == {"tile", "group", "pass"}
    state.apply(0, PASS)
    state.apply(1, next(m for m in state.legal_actions(1) if m.verb == "tile"))
    assert verbs(state, 1) == {"reveal", "group", "pass"}


def test_safety_audit_does_not_count_plays_that_use_no_action() -> None:
    state = game()
    state.actives = [e("audit")]
    state.reagent = e("catalyst")
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "O11-1")
    for _ in range(2):  # the first tile is free, the second an action
        state.apply(0, next(m for m in state.legal_actions(0) if m.verb == "tile"))
    assert state.actions == 1
    assert "tile" not in verbs(state, 0)


def tile_points(state: MolecularState, kind: str, q: int, r: int) -> int:
    before = state.scores[0]
    twin = state.clone()
    twin.apply(0, next(m for m in placed(twin, 0, q, r) if m.what == tile(kind)))
    return twin.scores[0] - before


def test_unsaturation_bonus_wants_a_double_bond() -> None:
    board = embedded("CC", [(0, 1, 2)])
    other = next(c for c in board.tiles if c != cell_of(0, 0))
    board.lift(other)
    state = with_board(game(), board)
    give_pool(state, 0, "O2-1", "H1-1", "H1-1", "H1-1", "H1-1")
    single = next(m for m in state.legal_actions(0) if m.what == tile("H1-1"))
    for copies in (0, 1, 2):
        state.actives = [e("unsat")] * copies
        assert tile_points(state, "O2-1", *place_of(other)) == 2 + copies
        assert tile_points(state, "H1-1", single.q, single.r) == 1


def two_edge_place(rng: random.Random) -> tuple[MolecularState, Move]:
    """A position with a legal placement that satisfies two edges."""
    while True:
        state = with_board(game(), random_board(25, rng))
        for move in state.legal_actions(0):
            if move.verb == "tile":
                twin = state.clone()
                twin.apply(0, move)
                bonds = twin.board.bonds[cell_of(move.q, move.r)]
                if len(bonds) == 2 and all(code >> 4 == 1 for code, _ in bonds):
                    return state, move


def test_ring_strain_wants_two_edges() -> None:
    state, move = two_edge_place(random.Random(4))
    for copies in (0, 1, 2):
        state.actives = [e("ringbonus")] * copies
        twin = state.clone()
        twin.apply(0, move)
        assert twin.scores[0] == 2 + copies


def test_hydrogen_and_grignard_reagents() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "C1111-1", "O11-1", "N111-1", "H1-1")
    points = {}
    for reagent in ("hydrogen", "grignard"):
        state.reagent = e(reagent)
        points[reagent] = [tile_points(state, kind, 1, -1) for kind in ("H1-1", "C1111-1", "O11-1")]
    assert points == {"hydrogen": [2, 1, 1], "grignard": [1, 2, 1]}


def test_grignard_wants_a_bond_to_carbon() -> None:
    state = with_board(game(), embedded("COH", [(0, 1, 1), (1, 2, 1)]))
    board = state.board
    hydrogen = next(c for c, b in board.bonds.items() if len(b) == 1 and b[0][1] != cell_of(0, 0))
    board.lift(hydrogen)
    state = with_board(state, Board.of(board.tiles))
    state.reagent = e("grignard")
    give_pool(state, 0, "C1111-1", "C1111-2", "C1111-3", "H1-1", "H1-1")
    q, r = place_of(hydrogen)
    carbons = [m for m in placed(state, 0, q, r) if m.what != tile("H1-1")]
    assert carbons
    for move in carbons:
        twin = state.clone()
        twin.apply(0, move)
        meets = any(effects._element(twin.board, near) == "C" for _, near in twin.board.bonds[hydrogen])
        assert twin.scores[0] == len(twin.board.bonds[hydrogen]) + meets


@pytest.mark.parametrize("reagent", ["oxidant", "reductant", "dehydrate", "hydrolysis", "base"])
def test_card_reagents_add_two_only_where_an_example_is_present(reagent: str) -> None:
    raised = RAISED[e(reagent)]
    state = game()
    state.reagent = e(reagent)
    for group in range(32):
        state.counts[group] = 1
        plain, state.reagent = state.worth(group).total, -1
        assert plain - state.worth(group).total == (2 if group in raised else 0)
        state.reagent = e(reagent)
        state.counts[group] = 0
        assert state.worth(group).total == 0


def test_reagents_name_the_groups_of_the_page() -> None:
    wanted = {
        "oxidant": {"aldehyde", "ketone", "acid", "peroxide"},
        "reductant": {"alcohol", "amine1", "amine2", "amine3", "methyl"},
        "dehydrate": {"ether", "ester", "alkene", "nitrile", "anhydride"},
        "hydrolysis": {"acid", "alcohol", "diol", "amide"},
        "base": {"enol", "enone", "diene", "aminoacid"},
    }
    assert {e(name): {g(one) for one in ids} for name, ids in wanted.items()} == RAISED


def test_the_bonus_raises_the_base_before_the_floor() -> None:
    state = game()
    state.counts[g("ether")] = 1
    state.counters[g("ether")] = 4
    assert state.worth(g("ether")).total == 0
    state.reagent = e("dehydrate")
    assert state.worth(g("ether")).total == 1


def test_open_access_overrules_strict_referee() -> None:
    state = game()
    state.counts[g("acid")], state.counters[g("acid")] = 1, 1
    assert state.worth(g("acid")).total == 3
    state.actives = [e("strict")]
    assert state.worth(g("acid")).total == 2
    state.actives = [e("strict"), e("openaccess")]
    assert state.worth(g("acid")).total == 4


def test_open_access_still_places_counters() -> None:
    state = with_board(game(), embedded("COC", [(0, 1, 1), (1, 2, 1)]))
    state.actives = [e("openaccess")]
    give_hand(state, 0, "ether", "acid", "acid")
    state.apply(0, Move("group", g("ether")))
    assert state.counters[g("ether")] == 1


def test_a_new_reagent_discards_the_old() -> None:
    state = revealed("oxidant", "base")
    assert state.reagent == e("oxidant")
    state.apply(0, REVEAL)
    assert state.reagent == e("base")
    assert state.used_effectors == [e("oxidant")]


def test_a_fourth_active_discards_the_oldest() -> None:
    state = revealed("hood", "notebook", "unsat", "strict")
    state.apply(0, REVEAL)
    state.apply(1, REVEAL)
    assert state.actives == [e("hood"), e("notebook"), e("unsat")]
    state.apply(1, REVEAL)
    assert state.actives == [e("notebook"), e("unsat"), e("strict")]
    assert e("hood") in state.used_effectors
    assert state.pool_size() == 5


# Catalyst


def catalyst(*pool: str) -> MolecularState:
    state = game()
    state.reagent = e("catalyst")
    give_pool(state, 0, *(pool or ("H1-1", "H1-1", "H1-1", "H1-1", "O11-1")))
    return state


def lay_any(state: MolecularState, seat: int = 0) -> None:
    state.apply(seat, next(m for m in state.legal_actions(seat) if m.verb == "tile"))


def test_catalyst_makes_the_first_tile_free() -> None:
    state = catalyst()
    lay_any(state)
    assert state.actions == 2
    lay_any(state)
    assert state.actions == 1


def test_the_free_tile_may_come_after_both_actions_or_be_declined() -> None:
    for decline in (False, True):
        state = catalyst()
        state.apply(0, PASS)
        state.apply(0, PASS)
        assert state.to_act() == (0,)
        assert verbs(state, 0) == {"tile", "pass"}
        assert refusal(state, 0, REVEAL) == "no_actions"
        if decline:
            state.apply(0, PASS)
        else:
            lay_any(state)
        assert state.to_act() == (1,)


def test_an_earlier_ordinary_tile_settles_the_free_one() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "O11-1")
    stack(state, "catalyst")
    lay_any(state)
    state.apply(0, REVEAL)
    assert state.to_act() == (1,)


def test_serendipity_s_tile_does_not_settle_the_free_one() -> None:
    state = catalyst()
    stack(state, "serendipity")
    state.apply(0, REVEAL)
    lay_any(state)
    assert state.actions == 1
    lay_any(state)
    assert state.actions == 1


def test_a_forfeit_loses_the_free_tile() -> None:
    state = catalyst()
    state.scores[0] = 1
    state.apply(0, Move("forfeit"))
    assert state.to_act() == (1,)


def test_who_has_no_tile_is_not_asked_for_a_free_one() -> None:
    state = catalyst()
    for kind in state.tiles.kinds(0):
        state.left[kind] -= 1
    state.unplayed = sum(1 << kind for kind in range(KINDS) if state.left[kind])
    state.tiles.held[0] = []
    state.apply(0, PASS)
    state.apply(0, PASS)
    assert state.to_act() == (1,)
