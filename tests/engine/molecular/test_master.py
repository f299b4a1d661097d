"""The master opponent: whole turns, and where it is the sharp one."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from engine.molecular import GAME, groups
from engine.molecular.ai import master as master_module
from engine.molecular.ai.master import Turn, master
from engine.molecular.ai.search import sharp
from engine.molecular.ai.value import learned
from engine.molecular.moves import PLAYS, Move
from engine.molecular.state import MolecularState
from tests.engine.molecular.positions import e, embedded, g, game, give_hand, give_pool, with_board
from tools.train.molecular_value import COLUMNS, columns, solved, weighted
from tools.train.on_policy import text


def asked(state: MolecularState, seed: int = 1) -> Move:
    seat = state.to_act()[0]
    return master(state.observe(seat), state.legal_actions(seat), random.Random(seed))


def begun(decisions: int, seed: int = 3) -> MolecularState:
    """A game of two in which the master has decided so often."""
    state = game(2, seed=seed)
    for _ in range(decisions):
        state.push(state.turn, asked(state))
    return state


def test_it_is_offered_above_the_sharp_one() -> None:
    assert GAME.levels[-2:] == ("sharp", "master")
    assert GAME.opponents["master"] is master
    assert GAME.usual == {"master": "sharp"}


def test_what_it_decides_is_legal_and_reckoned_right() -> None:
    """Points and examples of each turn that it looks at are those that the rules find."""
    state, rng = begun(7), random.Random(2)
    seat = state.turn
    for _ in range(4):
        turn = Turn(state.observe(seat), rng)
        best = turn.best()
        assert best is not None
        assert best.move in state.legal_actions(seat)
        if state.actions == 1:
            for end in rng.sample(turn.ends(), 5):
                after = state.clone()
                after.actions = 2
                after.push(seat, end.move)
                assert after.scores[seat] - state.scores[seat] == end.held.points
                assert sorted(after.cards.kinds(seat)) == sorted(end.held.hand)
                assert [groups.count(after.board, group) for group in range(len(PLAYS))] == list(
                    end.held.counts
                )
        state.push(seat, best.move)
        seat = state.turn


def test_it_leaves_the_board_as_it_found_it() -> None:
    state = begun(5)
    turn = Turn(state.observe(state.turn), random.Random(1))
    before = dict(turn.board.tiles), dict(turn.board.rim), dict(turn.board.open)
    turn.best()
    assert (turn.board.tiles, turn.board.rim, turn.board.open) == before


def test_in_the_last_turn_points_are_all() -> None:
    """With nothing to come for either, the best turn is the one that brings most."""
    state = begun(6)
    state.round, state.first = state.rules.rounds, 1 - state.turn
    turn = Turn(state.observe(state.turn), random.Random(1))
    best = turn.best()
    assert best is not None
    assert best.held.points == max(end.held.points for end in turn.ends())


def test_it_plays_a_ripe_card_when_time_is_up() -> None:
    state = with_board(game(), embedded("COC", [(0, 1, 1), (1, 2, 1)]))
    give_hand(state, 0, "ether", "benzene")
    give_pool(state, 0)
    state.first, state.round, state.actions = 1, state.rules.rounds, 1
    assert asked(state) == PLAYS[g("ether")]


def test_the_same_luck_gives_the_same_decision() -> None:
    state = begun(9)
    assert asked(state, 7) == asked(state, 7)


@pytest.mark.parametrize(
    "what", ["usual", "short", "long", "single", "three", "edges", "audit", "catalyst", "alone"]
)
def test_it_is_the_sharp_one_where_nothing_was_learned(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    used = list[str]()

    def noted(*about: Any) -> Move:
        used.append("sharp")
        move: Move = sharp(*about)
        return move

    monkeypatch.setattr(master_module, "sharp", noted)
    state = game({"three": 3, "alone": 1}.get(what, 2), seed=4)
    if rounds := {"single": 1, "short": 2, "long": 20}.get(what):
        state.rules = state.rules._replace(rounds=rounds)
    elif what == "edges":
        state.rules = state.rules._replace(per_edge=True)
    elif what == "audit":
        state.actives = [e("audit")]
    elif what == "catalyst":
        state.reagent = e("catalyst")
    assert asked(state) in state.legal_actions(state.turn)
    assert bool(used) is (what not in ("usual", "short", "long"))


def test_prices_are_learned_from_what_follows() -> None:
    """A number that is always followed by two points comes to be worth two."""
    one = np.zeros(COLUMNS)
    one[5] = 1.0
    found = solved((np.array([one]), np.array([2.0])) for _ in range(5_000))
    assert found[5] == pytest.approx(2.0, abs=0.05)
    assert not found[6:].any()


def test_the_numbers_of_the_bench_are_those_of_the_opponent() -> None:
    """Weights times columns is what the opponent says of the end of its turn."""
    state = begun(8)
    while state.actions != 1:
        state.push(state.turn, asked(state))
    seat = state.turn
    best = Turn(state.observe(seat), random.Random(1)).best()
    assert best is not None
    said = learned().weights
    flat = [
        weight
        for row in (*vars_of(said.features), *said.cards.values(), *said.tiles.values())
        for weight in row
    ]
    after = state.clone()
    after.actions = 2
    after.push(seat, best.move)
    worth = best.held.points + float(columns(after, seat, best.features) @ np.array(flat))
    assert worth == pytest.approx(best.worth)
    assert weighted(flat) == said
    assert text(said).count("\n") > len(PLAYS)


def vars_of(features: Any) -> list[tuple[float, ...]]:
    return [getattr(features, name) for name in features.__struct_fields__]
