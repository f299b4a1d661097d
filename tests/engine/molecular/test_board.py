"""The board: where a tile may lie (docs/rules/molecular.md, section 2)."""

from __future__ import annotations

import random

import pytest

from engine.game import IllegalAction
from engine.molecular import menu
from engine.molecular.board import BONDED, MIDDLE, OFFSETS, Board, cell_of, place_of, unpacked
from engine.molecular.cards import EDGES, KINDS, SHAPE_EDGES, SHAPE_OF
from engine.molecular.moves import LAID, Move
from tests.engine.molecular.positions import game, give_pool, lay, placed, random_board, tile


def slow_placements(board: Board, kinds: set[int]) -> set[tuple[int, int, int, tuple[int, ...]]]:
    """The rule word for word: every cell, every kind, every rotation."""
    found = set()
    near = {cell + offset for cell in board.tiles for offset in OFFSETS} - set(board.tiles)
    for cell in near:
        for kind in kinds:
            for turn in range(6):
                edges = SHAPE_EDGES[SHAPE_OF[kind][turn]]
                bonds, fits = 0, True
                for edge in range(EDGES):
                    other = board.tiles.get(cell + OFFSETS[edge])
                    if other is not None:
                        faces = SHAPE_EDGES[other][(edge + 3) % 6]
                        fits = fits and faces == edges[edge]
                        bonds += faces
                if fits and bonds:
                    found.add((*place_of(cell), kind, edges))
    return found


@pytest.mark.rule("molecular", "2.3")
def test_placements_are_those_of_the_rule_each_named_once() -> None:
    rng = random.Random(5)
    LAID.clear()  # full, it forgets them all, and other tests have filled it
    for _ in range(60):
        board = random_board(rng.randrange(1, 70), rng)
        kinds = set(rng.sample(range(KINDS), 9))
        codes = board.placements(kinds)
        assert codes == sorted(set(codes))
        named = [(q, r, kind, SHAPE_EDGES[SHAPE_OF[kind][turn]]) for kind, q, r, turn in map(unpacked, codes)]
        assert len(set(named)) == len(named)
        assert set(named) == slow_placements(board, kinds)
        moves = menu.tiles(board, kinds)
        assert moves == [Move("tile", *unpacked(code)) for code in codes]
        assert all(one is other for one, other in zip(moves, menu.tiles(board, kinds), strict=True))


def test_moves_into_more_cells_than_are_kept_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    board = random_board(60, random.Random(3))
    known = menu.tiles(board, range(KINDS))
    monkeypatch.setattr("engine.molecular.moves._MOST_KEPT", 2)
    LAID.clear()
    assert menu.tiles(board, range(KINDS)) == known
    assert len(LAID) <= 2


def test_taking_tiles_away_restores_the_board_before() -> None:
    rng = random.Random(8)
    for _ in range(40):
        board = random_board(50, rng)
        twin = board.clone()
        for cell in rng.sample(board.ends(), min(3, len(board.ends()))):
            shape = twin.tiles[cell]
            twin.lift(cell)
            assert cell not in twin.tiles
            rebuilt = Board.of(twin.tiles)
            assert (twin.rim, {c: sorted(b) for c, b in twin.bonds.items()}) == (
                rebuilt.rim,
                {c: sorted(b) for c, b in rebuilt.bonds.items()},
            )
            assert twin.open == {c: pattern for c, pattern in twin.rim.items() if pattern & BONDED}
            twin.lay(cell, shape)
        assert twin.tiles == board.tiles
        assert (twin.rim, twin.open) == (board.rim, board.open)


@pytest.mark.rule("molecular", "2.5")
def test_the_page_s_example_of_a_first_tile() -> None:
    """O (1,1) fits at (1,-1) with a single bond on edge 3; O (2) does not, since 2 is not 1."""
    state = game()
    give_pool(state, 0, "O11-1", "O2-1", "O11-3", "C112-1", "N3-1")
    moves = placed(state, 0, 1, -1)
    assert {m.what for m in moves} == {tile("O11-1"), tile("O11-3"), tile("C112-1")}
    for move in moves:
        assert SHAPE_EDGES[SHAPE_OF[move.what][move.turn]][3] == 1
    before = state.scores[0]
    state.apply(0, next(m for m in moves if m.what == tile("O11-1")))
    assert state.scores[0] == before + 1
    with pytest.raises(IllegalAction) as refused:
        state.apply(0, lay("O2-1", 0, 1))
    assert refused.value.rule in ("edges_differ", "no_bond")


@pytest.mark.rule("molecular", "2.5")
def test_the_page_s_example_of_a_second_tile() -> None:
    """At (0,-1) a tile meets C's edge 5, which is blank, and O's edge 4: both must match, one must bond."""
    state = game()
    give_pool(state, 0, "O11-3", "H1-1", "O11-1", "O11-2", "N3-1")
    # O with bonds on edges 3 and 4: its neighbour at edge 4 of (1,-1) is (0,-1)
    turn = next(t for t in range(6) if SHAPE_EDGES[SHAPE_OF[tile("O11-3")][t]] == (0, 0, 0, 1, 1, 0))
    state.apply(0, lay("O11-3", 1, -1, turn))
    for move in placed(state, 0, 0, -1):
        edges = SHAPE_EDGES[SHAPE_OF[move.what][move.turn]]
        assert edges[1] == 1
        assert edges[2] == 0  # edge 2 of (0,-1) faces the start tile's blank edge 5
    assert {m.what for m in placed(state, 0, 0, -1)} == {tile("H1-1"), tile("O11-1"), tile("O11-2")}


@pytest.mark.rule("molecular", "2.3")
def test_blank_edges_may_meet_but_a_tile_needs_a_bond() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "O2-1")
    # edge 2 of the start tile, south-east, is blank: nothing may be laid there yet
    assert not placed(state, 0, 0, 1)
    blank = next(t for t in range(6) if not SHAPE_EDGES[SHAPE_OF[tile("H1-1")][t]][5])
    with pytest.raises(IllegalAction) as refused:
        state.apply(0, lay("H1-1", 0, 1, blank))
    assert refused.value.rule == "no_bond"


@pytest.mark.rule("molecular", "2.1")
def test_equal_rotations_are_one_move_and_any_of_them_is_allowed() -> None:
    state = game()
    give_pool(state, 0, "N111-1", "N111-1", "H1-1", "H1-1", "H1-1")
    mine = [m for m in placed(state, 0, 1, -1) if m.what == tile("N111-1")]
    assert len(mine) == 1
    twin = mine[0]._replace(turn=(mine[0].turn + 2) % 6)
    state.verify(0, twin)
    again = state.clone()
    state.apply(0, mine[0])
    again.apply(0, twin)
    assert state.board.tiles == again.board.tiles


@pytest.mark.rule("molecular", "2.3")
@pytest.mark.parametrize(
    ("move", "rule"),
    [
        (lay("N3-1", 1, -1), "not_in_pool"),
        (lay("H1-1", 0, 0), "cell_taken"),
        (lay("H1-1", 5, 5), "not_beside"),
        (lay("H1-1", 1, -1, 0), "edges_differ"),
        (Move("tile", 99), "unknown_action"),
        (Move("tile", 0, 1, -1, 6), "unknown_action"),
        (Move("tile", 0, 10**6, 0), "unknown_action"),
    ],
)
def test_what_is_wrong_with_a_placement_is_said(move: Move, rule: str) -> None:
    state = game()
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "O2-1")
    before = state.fingerprint()
    with pytest.raises(IllegalAction) as refused:
        state.apply(0, move)
    assert refused.value.rule == rule
    assert state.fingerprint() == before


def test_the_refusal_of_an_edge_names_it() -> None:
    state = game()
    give_pool(state, 0, "O2-1", "H1-1", "H1-1", "H1-1", "H1-1")
    turn = next(t for t in range(6) if SHAPE_EDGES[SHAPE_OF[tile("O2-1")][t]][3] == 2)
    with pytest.raises(IllegalAction) as refused:
        state.apply(0, lay("O2-1", 1, -1, turn))
    assert refused.value.rule == "edges_differ"
    assert {k: refused.value.facts[k] for k in ("edge", "own", "other")} == {"edge": 3, "own": 2, "other": 1}


def test_the_far_cells_are_within_reach() -> None:
    for place in ((-138, 138), (138, -138), (0, 138), (138, 0)):
        assert place_of(cell_of(*place)) == place
    assert place_of(MIDDLE) == (0, 0)
    assert Board.begun().rim[cell_of(1, -1)] & BONDED
