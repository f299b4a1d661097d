"""The patterns of Molecular, each in a position where it holds and in one where it does not."""

from __future__ import annotations

from typing import Any

import pytest

from engine.molecular import GAME
from engine.molecular.ai.patterns import happenings
from engine.molecular.board import unpacked
from engine.molecular.moves import REVEAL, Move
from engine.molecular.state import MolecularState
from engine.reason import Happening
from tests.engine.molecular.positions import (
    embedded,
    g,
    game,
    give_hand,
    give_pool,
    revealed,
    tile,
    with_board,
)

PATTERNS = {pattern.key: pattern for pattern in GAME.patterns}
METHANOL = [(0, 1, 1)]
ETHER = [(0, 1, 1), (1, 2, 1)]


def found(state: MolecularState, key: str, move: Move) -> dict[str, Any] | None:
    """The facts of a pattern for a move of seat 0, or None."""
    reason = PATTERNS[key].reason(state.observe(0), move)
    return None if reason is None else reason.facts


def placements(state: MolecularState, name: str) -> list[Move]:
    """All ways to lay a tile of this kind."""
    return [Move("tile", *unpacked(code)) for code in state.board.placements([tile(name)])]


def holding(board: Any, *cards: str, pool: tuple[str, ...] = ("N3-1",) * 5, **options: int) -> MolecularState:
    """A turn of seat 0 at a board, with these cards and tiles."""
    state = with_board(game(**options), board)
    give_hand(state, 0, *cards)
    give_pool(state, 0, *pool)
    return state


def test_a_card_that_scores_says_how_much() -> None:
    state = holding(embedded("COC", ETHER), "ether", "diacid", "benzene")
    assert found(state, "group_now", Move("group", g("ether"))) == {"group": g("ether"), "points": 3}
    assert found(state, "group_now", Move("group", g("benzene"))) is None


@pytest.mark.parametrize(("rounds", "actions", "last"), [(1, 1, True), (1, 2, False), (2, 1, False)])
def test_the_last_action_of_the_game_is_the_last_chance(rounds: int, actions: int, last: bool) -> None:
    state = holding(embedded("COC", ETHER), "ether", "diacid", "benzene", rounds=rounds)
    state.actions = actions
    told = found(state, "last_chance", Move("group", g("ether")))
    assert told == ({"group": g("ether"), "points": 3} if last else None)


def test_a_hydrogen_on_the_oxygen_completes_an_alcohol() -> None:
    pool = ("H1-1", "N3-1", "O2-1", "N3-1", "O2-1")
    state = holding(embedded("CO", METHANOL), "alcohol", "diacid", "benzene", pool=pool)
    told = [found(state, "completes", move) for move in placements(state, "H1-1")]
    assert {"group": g("alcohol"), "points": 3} in told
    assert None in told, "on the carbon it makes no alcohol"
    assert not any(found(state, "raises", move) for move in placements(state, "H1-1"))


def test_a_tile_that_closes_two_bonds_says_its_points() -> None:
    state = holding(embedded("CO", METHANOL), "azo", "diacid", "benzene", pool=("H1-1",) * 5)
    assert {found(state, "tile_now", move) is None for move in placements(state, "H1-1")} == {True}
    double = embedded("CC", [(0, 1, 2)])
    wide = holding(double, "azo", "diacid", "benzene", pool=("C1111-1",) * 5)
    assert [found(wide, "tile_now", move) for move in placements(wide, "C1111-1")]


def test_a_place_is_opened_for_the_next_player_or_for_oneself() -> None:
    """A carbon with a triple bond opens a place for three bonds."""
    state = holding(embedded("CO", METHANOL), "azo", "diacid", "benzene", pool=("C13-1", "N3-1", "N3-1"))
    opening = placements(state, "C13-1")
    state.actions = 1
    assert {"player": 1, "bonds": 3} in [found(state, "opens_for_next", move) for move in opening]
    assert not any(found(state, "opens_for_you", move) for move in opening)
    assert not any(found(state, "opens_for_next", move) for move in placements(state, "H1-1"))
    state.actions = 2
    assert not any(found(state, "opens_for_next", move) for move in opening)


def test_alone_nobody_comes_next() -> None:
    state = holding(embedded("CO", METHANOL), "azo", "diacid", "benzene", pool=("C13-1",), seats=1)
    state.actions = 1
    assert not any(found(state, "opens_for_next", move) for move in placements(state, "C13-1"))


def test_an_effector_is_for_those_with_nothing_better_to_do() -> None:
    state = holding(embedded("CO", METHANOL), "azo", "diacid", "benzene", pool=("H1-1",) * 5)
    assert found(state, "nothing_scores", REVEAL) == {}
    ripe = holding(embedded("COC", ETHER), "ether", "diacid", "benzene", pool=("H1-1",) * 5)
    assert found(ripe, "nothing_scores", REVEAL) is None


def test_a_card_that_scores_nothing_is_cycled_while_turns_are_left() -> None:
    state = holding(embedded("CO", METHANOL), "azo", "diacid", "benzene")
    assert found(state, "useless_card", Move("group", g("azo"))) == {"group": g("azo")}
    over = holding(embedded("CO", METHANOL), "azo", "diacid", "benzene", rounds=1)
    assert found(over, "useless_card", Move("group", g("azo"))) is None


def test_a_rival_paper_hits_what_the_others_hold() -> None:
    state = revealed("rival", board=embedded("COC", ETHER))
    give_hand(state, 0, "alcohol", "diacid", "benzene")
    assert found(state, "rival_theirs", Move("rival", g("ether"))) == {"group": g("ether"), "points": 3}
    assert found(state, "rival_theirs", Move("rival", g("azo"))) is None
    assert found(state, "rival_own", Move("rival", g("alcohol"))) == {"group": g("alcohol")}
    assert found(state, "rival_own", Move("rival", g("ether"))) is None


def test_an_erratum_helps_the_own_card() -> None:
    state = revealed("erratum", board=embedded("COC", ETHER))
    give_hand(state, 0, "ether", "diacid", "benzene")
    state.counters[g("ether")], state.counters[g("azo")] = 2, 2
    assert found(state, "clears_own", Move("clear", g("ether"))) == {"group": g("ether"), "counters": 2}
    assert found(state, "clears_own", Move("clear", g("azo"))) is None


def test_a_student_is_poached_from_the_leader() -> None:
    state = revealed("poach", seats=3)
    state.scores[:] = [1, 5, 3]
    assert found(state, "poach_leader", Move("poach", 1)) == {"player": 1, "points": 5, "lead": 1}
    assert found(state, "poach_leader", Move("poach", 2)) is None


def test_what_is_given_away_is_what_scores_nothing() -> None:
    state = revealed("conference", board=embedded("COC", ETHER))
    give_hand(state, 0, "ether", "diacid", "alkene")
    assert found(state, "gives_useless", Move("give", g("alkene"))) == {"group": g("alkene")}
    assert found(state, "gives_useless", Move("give", g("ether"))) is None
    assert found(state, "gives_cheap", Move("give", g("diacid"))) is None


def test_a_tile_turned_another_way_is_the_same_move() -> None:
    state = holding(embedded("CO", METHANOL), "azo", "diacid", "benzene", pool=("C1111-1",) * 5)
    ways = placements(state, "C1111-1")
    spelt = {GAME.spelling(state.observe(0), move) for move in ways}
    assert len(spelt) == len({(move.q, move.r) for move in ways}) < len(ways)


def test_what_follows_is_told_without_the_move_itself() -> None:
    state = holding(embedded("COC", ETHER), "ether", "diacid", "benzene", pool=("H1-1",) * 5)
    state.events = []
    state.push(0, Move("group", g("ether")))
    assert list(happenings(state.events, 0)) == []
    twice = [state.events[0], *state.events]
    assert list(happenings(twice, 1)) == [Happening("group_of_others", good=False)]
    assert list(happenings(twice, 0)) == [Happening("group_follows", g("ether"))]
