"""Effectors that last, and Catalyst (docs/rules/molecular.md, section 5)."""

from __future__ import annotations

import random
from itertools import product

import pytest

from engine.molecular import GAME, effects, turns
from engine.molecular.board import Board, cell_of, place_of
from engine.molecular.cards import KINDS, RAISED
from engine.molecular.moves import PASS, REVEAL, Move
from engine.molecular.state import MolecularState
from tests.engine.molecular.positions import (
    e,
    embedded,
    g,
    game,
    give_hand,
    give_pool,
    placed,
    random_board,
    refusal,
    revealed,
    stack,
    tile,
    verbs,
    with_board,
)

# what lasts


@pytest.mark.rule("molecular", "5.2")
def test_fume_hood_and_glassware_change_the_pool_size() -> None:
    state = revealed("hood")
    assert state.pool_size() == 6
    state.apply(0, PASS)
    assert len(state.tiles.held[1]) == 6
    state = revealed("glass")
    state.apply(0, PASS)
    assert state.pool_size() == 4
    assert len(state.tiles.held[1]) == 5  # a larger pool is kept


@pytest.mark.rule("molecular", "5.2")
def test_second_notebook_raises_the_hand_limit() -> None:
    state = revealed("notebook")
    state.apply(0, PASS)
    assert len(state.cards.held[1]) == 4


@pytest.mark.rule("molecular", 12, "5.2")
def test_safety_audit_forbids_the_same_action_twice_and_counts_its_own_reveal() -> None:
    state = revealed("audit")
    assert refusal(state, 0, REVEAL) == "audit"
    assert verbs(state, 0) == {"tile", "group", "pass"}
    state.apply(0, PASS)
    state.apply(1, next(m for m in state.legal_actions(1) if m.verb == "tile"))
    assert verbs(state, 1) == {"reveal", "group", "pass"}


def test_a_turn_allows_what_the_legal_moves_and_the_observation_say() -> None:
    """Catalyst, Safety audit and the actions left, in every mixture: one answer for all who ask."""
    state = game()
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "O11-1")
    for actions, used, tiled, actives, reagent in product(
        (0, 1, 2), range(8), (False, True), ([], [e("audit")]), (-1, e("catalyst"))
    ):
        state.actions, state.used, state.tiled = actions, used, tiled
        state.actives, state.reagent = actives, reagent
        seen = state.observe(0)
        for verb in ("tile", "group", "reveal"):
            assert turns.may_use(state, verb) == turns.may_use(seen, verb) == (verb in verbs(state, 0))


@pytest.mark.rule("molecular", 12)
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


@pytest.mark.rule("molecular", "5.2")
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


@pytest.mark.rule("molecular", "5.2")
def test_ring_strain_wants_two_edges() -> None:
    state, move = two_edge_place(random.Random(4))
    for copies in (0, 1, 2):
        state.actives = [e("ringbonus")] * copies
        twin = state.clone()
        twin.apply(0, move)
        assert twin.scores[0] == 2 + copies


@pytest.mark.rule("molecular", "5.3")
def test_hydrogen_and_grignard_reagents() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "C1111-1", "O11-1", "N111-1", "H1-1")
    points = {}
    for reagent in ("hydrogen", "grignard"):
        state.reagent = e(reagent)
        points[reagent] = [tile_points(state, kind, 1, -1) for kind in ("H1-1", "C1111-1", "O11-1")]
    assert points == {"hydrogen": [2, 1, 1], "grignard": [1, 2, 1]}


@pytest.mark.rule("molecular", "5.3")
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


@pytest.mark.rule("molecular", 13, "5.3")
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


@pytest.mark.rule("molecular", "5.3")
def test_reagents_name_the_groups_of_the_page() -> None:
    wanted = {
        "oxidant": {"aldehyde", "ketone", "acid", "peroxide"},
        "reductant": {"alcohol", "amine1", "amine2", "amine3", "methyl"},
        "dehydrate": {"ether", "ester", "alkene", "nitrile", "anhydride"},
        "hydrolysis": {"acid", "alcohol", "diol", "amide"},
        "base": {"enol", "enone", "diene", "aminoacid"},
    }
    assert {e(name): {g(one) for one in ids} for name, ids in wanted.items()} == RAISED


@pytest.mark.rule("molecular", 13)
def test_the_bonus_raises_the_base_before_the_floor() -> None:
    state = game()
    state.counts[g("ether")] = 1
    state.counters[g("ether")] = 4
    assert state.worth(g("ether")).total == 0
    state.reagent = e("dehydrate")
    assert state.worth(g("ether")).total == 1


@pytest.mark.rule("molecular", 10, "5.2")
def test_open_access_overrules_strict_referee() -> None:
    state = game()
    state.counts[g("acid")], state.counters[g("acid")] = 1, 1
    assert state.worth(g("acid")).total == 3
    state.actives = [e("strict")]
    assert state.worth(g("acid")).total == 2
    state.actives = [e("strict"), e("openaccess")]
    assert state.worth(g("acid")).total == 4


@pytest.mark.rule("molecular", "5.2")
def test_open_access_still_places_counters() -> None:
    state = with_board(game(), embedded("COC", [(0, 1, 1), (1, 2, 1)]))
    state.actives = [e("openaccess")]
    give_hand(state, 0, "ether", "acid", "acid")
    state.apply(0, Move("group", g("ether")))
    assert state.counters[g("ether")] == 1


@pytest.mark.rule("molecular", "5.3")
def test_a_new_reagent_discards_the_old() -> None:
    state = revealed("oxidant", "base")
    assert state.reagent == e("oxidant")
    state.apply(0, REVEAL)
    assert state.reagent == e("base")
    assert state.used_effectors == [e("oxidant")]


@pytest.mark.rule("molecular", 10, "5.2")
def test_active_cards_stay_however_many_there_are() -> None:
    names = ("hood", "notebook", "unsat", "strict", "ringbonus", "openaccess", "oxidant", "glass", "base")
    state = revealed(*names)
    state.events = []
    for _ in names[1:]:
        state.apply(state.turn, REVEAL)
    assert state.actives == [e(name) for name in names if name not in ("oxidant", "base")]
    assert state.reagent == e("base")
    assert state.used_effectors == [e("oxidant")]
    gone = [event.facts["gone"] for event in state.events if event.kind == "active"]
    assert gone == [[]] * 7 + [[e("oxidant")]]
    assert state.pool_size() == 5


@pytest.mark.rule("molecular", 10)
def test_by_rules_1_a_fourth_active_discards_the_oldest() -> None:
    old = GAME.at(1)
    dealt = old.deal(old.setup(2, bytes(32)))
    world = old.sample(dealt.observe(0), random.Random(1))
    assert isinstance(dealt, MolecularState)
    assert isinstance(world, MolecularState)
    assert dealt.most_actives == world.most_actives == 3
    state = revealed("hood", "notebook", "unsat", "strict")
    state.most_actives = 3
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


@pytest.mark.rule("molecular", "5.3")
def test_catalyst_makes_the_first_tile_free() -> None:
    state = catalyst()
    lay_any(state)
    assert state.actions == 2
    lay_any(state)
    assert state.actions == 1


@pytest.mark.rule("molecular", 7, 12)
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


@pytest.mark.rule("molecular", 12)
def test_an_earlier_ordinary_tile_settles_the_free_one() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "O11-1")
    stack(state, "catalyst")
    lay_any(state)
    state.apply(0, REVEAL)
    assert state.to_act() == (1,)


@pytest.mark.rule("molecular", 12)
def test_serendipity_s_tile_does_not_settle_the_free_one() -> None:
    state = catalyst()
    stack(state, "serendipity")
    state.apply(0, REVEAL)
    lay_any(state)
    assert state.actions == 1
    lay_any(state)
    assert state.actions == 1


@pytest.mark.rule("molecular", 12)
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
