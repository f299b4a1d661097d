"""The opponents: legal, strong enough, and blind to what they may not see."""

from __future__ import annotations

import random
import time

import pytest

from engine import arena
from engine.molecular import GAME
from engine.molecular.ai.heuristic import heuristic, rated, then
from engine.molecular.ai.heuristic import scores as scores_of
from engine.molecular.ai.outlook import Outlook
from engine.molecular.board import cell_of, unpacked
from engine.molecular.cards import ELEMENT, SHAPE_OF
from engine.molecular.moves import REVEAL, Move
from engine.molecular.observation import Pending
from engine.molecular.state import MolecularState
from tests.engine.molecular.positions import (
    e,
    embedded,
    g,
    game,
    give_hand,
    give_pool,
    of_smiles,
    tile,
    with_board,
)

pytestmark = pytest.mark.repeats


def test_the_heuristic_beats_random_clearly() -> None:
    result = arena.arena(GAME, ["steady", "random"], {}, games=16, seed=5, timer=time.process_time)
    assert result.contenders[0].win_share > 0.85


def test_the_heuristic_plays_every_number_of_seats() -> None:
    for seats in (1, 2, 8):
        state, rng = game(seats, rounds=2), random.Random(seats)
        while state.to_act():
            seat = state.to_act()[0]
            state.apply(seat, heuristic(state.observe(seat), state.legal_actions(seat), rng))
        assert state.outcome() is not None
        assert min(state.scores) > 0


def test_it_completes_a_group_for_a_card_in_hand() -> None:
    state = with_board(game(), embedded("CO", [(0, 1, 1)]))
    give_pool(state, 0, "H1-1", "N3-1", "O2-1", "N3-1", "O2-1")
    give_hand(state, 0, "alcohol", "diacid", "benzene")
    rng = random.Random(1)
    for _ in range(2):
        state.apply(0, heuristic(state.observe(0), state.legal_actions(0), rng))
    assert state.scores[0] == 1 + 3
    assert state.counters[g("alcohol")] == 1


def test_it_plays_a_ripe_card_in_the_last_turn() -> None:
    state = with_board(game(rounds=1), embedded("COC", [(0, 1, 1), (1, 2, 1)]))
    give_hand(state, 0, "ether", "diacid", "benzene")
    give_pool(state, 0, "N3-1", "N3-1", "N3-1", "O2-1", "O2-1")
    for _ in range(2):
        state.apply(0, heuristic(state.observe(0), state.legal_actions(0), random.Random(1)))
    assert state.counters[g("ether")] == 1
    assert state.scores[0] >= 3


@pytest.mark.parametrize("seed", range(5))
def test_with_the_last_action_it_reveals_where_nothing_else_scores(seed: int) -> None:
    """No group of its cards is on the table and no tile fits: only an effector can still bring something."""
    state = with_board(game(rounds=1), embedded("CO", [(0, 1, 1)]))
    state.actions = 1
    give_hand(state, 0, "azo", "diacid", "benzene")
    give_pool(state, 0, *["N3-1"] * 2, *["O2-1"] * 3)
    actions = state.legal_actions(0)
    assert {move.verb for move in actions} == {"reveal", "group", "pass"}
    assert heuristic(state.observe(0), actions, random.Random(seed)) == REVEAL


@pytest.mark.parametrize("seed", range(5))
def test_it_reveals_no_effector_where_a_tile_scores(seed: int) -> None:
    """The same, but a hydrogen fits."""
    state = with_board(game(rounds=1), embedded("CO", [(0, 1, 1)]))
    state.actions = 1
    give_hand(state, 0, "azo", "diacid", "benzene")
    give_pool(state, 0, "H1-1", *["N3-1"] * 2, *["O2-1"] * 2)
    actions = state.legal_actions(0)
    assert REVEAL in actions
    move = heuristic(state.observe(0), actions, random.Random(seed))
    assert (move.verb, ELEMENT[move.what]) == ("tile", "H")


def test_it_gives_away_its_least_card() -> None:
    state = with_board(game(), embedded("COC", [(0, 1, 1), (1, 2, 1)]))
    give_hand(state, 0, "ether", "diacid", "alkene")
    state.pending = None
    state.effectors.remove(e("conference"))
    state.effectors.append(e("conference"))
    state.apply(0, Move("reveal"))
    choice = heuristic(state.observe(0), state.legal_actions(0), random.Random(1))
    assert choice == Move("give", g("alkene"))


def test_a_free_play_that_scores_is_never_declined() -> None:
    """Not even a single point where a triple bond lies open for the next player."""
    board = embedded("COC", [(0, 1, 1), (1, 2, 1)])
    kind, q, r, turn = unpacked(board.placements([tile("C13-1")])[0])
    board.lay(cell_of(q, r), SHAPE_OF[kind][turn])
    for pending, verb in (("serendipity", "tile"), ("publication", "group")):
        for actions in (0, 1):
            state = with_board(game(), board)
            give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "H1-1")
            give_hand(state, 0, "ether", "diacid", "benzene")
            state.counters[g("ether")] = 2
            state.pending, state.actions = Pending(verb, e(pending)), actions
            for seed in range(5):
                move = heuristic(state.observe(0), state.legal_actions(0), random.Random(seed))
                assert move.verb == verb
                assert scores(state, 0, move)


def test_a_free_play_is_not_declined_in_whole_games() -> None:
    offered = 0
    for seed in range(12):
        state, rng = game(3, seed=seed), random.Random(seed)
        while state.to_act():
            seat = state.to_act()[0]
            actions = state.legal_actions(seat)
            move = heuristic(state.observe(seat), actions, rng)
            if state.pending is not None and state.pending.verb in ("tile", "group"):
                plays = [one for one in actions if one.verb != "skip" and scores(state, seat, one)]
                offered += bool(plays)
                assert move.verb != "skip" or not plays
            elif rng.random() < 0.3:
                move = REVEAL if REVEAL in actions else move
            state.apply(seat, move)
    assert offered > 10


def scores(state: MolecularState, seat: int, move: Move) -> bool:
    twin = state.clone()
    twin.apply(seat, move)
    return twin.scores[seat] > state.scores[seat]


def test_it_does_not_choke_the_molecule() -> None:
    """Steady opponents play nearly all their games to the last round."""
    stuck = 0
    for seed in range(12):
        state, rng = game(4, seed=seed), random.Random(seed)
        while seats := state.to_act():
            state.push(seats[0], heuristic(state.observe(seats[0]), state.legal_actions(seats[0]), rng))
        stuck += state.over == "stuck"
    assert stuck <= 1


def test_where_hardly_anything_fits_it_opens_the_molecule() -> None:
    """One cell is left: a carbon keeps the game going, a hydrogen ends it. In the last round it may."""
    for rounds, element in ((10, "C"), (1, "H")):
        board = of_smiles("C")
        board.lift(board.ends()[0])
        state = with_board(game(rounds=rounds), board)
        state.actions = 1
        give_pool(state, 0, "H1-1", "H1-1", "C1111-1", "H1-1", "H1-1")
        give_hand(state, 0, "azo", "diacid", "benzene")
        tiles = [move for move in state.legal_actions(0) if move.verb == "tile"]
        move = heuristic(state.observe(0), tiles, random.Random(1))
        assert ELEMENT[move.what] == element


def test_what_follows_a_choice_is_the_rest_of_the_turn() -> None:
    """While an effector asks, all actions that are left are still to come; an action in turn uses one."""
    state = with_board(game(), embedded("CO", [(0, 1, 1)]))
    give_hand(state, 0, "ether", "diacid", "benzene")
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "H1-1")
    state.pending, state.actions = Pending("group", e("publication")), 1
    assert then(Outlook.seen(state.observe(0)), "skip") == 1  # a hydrogen can still be laid
    state.actions = 0
    assert then(Outlook.seen(state.observe(0)), "skip") < 0  # the next player finds what is open
    state.pending, state.actions = None, 1
    assert then(Outlook.seen(state.observe(0)), "pass") < 0
    state.actions = 2
    assert then(Outlook.seen(state.observe(0)), "reveal") == 1
    hydrogens = [move for move in state.legal_actions(0) if move.verb == "tile"]
    free = rated(Outlook.seen(state.observe(0)), hydrogens)
    state.actives = [e("audit")]
    bound = rated(Outlook.seen(state.observe(0)), hydrogens)
    assert max(bound) < max(free)  # no second tile under the audit


def test_a_position_is_rated_like_its_observation() -> None:
    rng, counted = random.Random(4), 0
    for seats, seed in ((2, 1), (3, 2)):
        state = game(seats, seed=seed)
        while waiting := state.to_act():
            seat = waiting[0]
            moves, seen = state.legal_actions(seat), state.observe(seat)
            worth = scores_of(seen, moves, rng)
            if rng.random() < 0.3:
                assert worth == rated(Outlook.within(state, seat), moves)
                counted += 1
            often = REVEAL in moves and rng.random() < 0.3
            state.push(seat, REVEAL if often else moves[worth.index(max(worth))])
    assert counted > 30
