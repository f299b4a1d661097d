"""The master opponent of Compound Capture: what it weighs, and where it is the sharp one."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from engine import data
from engine.arena import key_of
from engine.chemistry.ai import master as master_module
from engine.chemistry.ai.master import Turn, master
from engine.chemistry.ai.search import sharp
from engine.chemistry.ai.value import DATA, learned
from engine.chemistry.capture import GAME
from engine.chemistry.deck import WILD
from engine.chemistry.moves import DRAWS, PILE, STOCK, Move
from engine.chemistry.observation import FIRST, PLAY, SECOND
from engine.chemistry.state import CollectState
from tests.engine.chemistry.positions import arrange, dealt
from tools.train.chemistry_value import COLUMNS, ended, solved, weighted
from tools.train.on_policy import text


def asked(state: CollectState, seed: int = 1) -> Move:
    seat = state.turn
    return master(state.observe(seat), state.legal_actions(seat), random.Random(seed))


def begun(decisions: int, phase: int, number: int = 1) -> CollectState:
    """A match in which the master has decided so often, and then on to a decision of that phase."""
    state = GAME.deal(GAME.setup(2, key_of(3, number)))
    made = 0
    while made < decisions or state.phase != phase:
        state.push(state.turn, asked(state))
        made += 1
    return state


def test_it_is_offered_above_the_sharp_one() -> None:
    assert GAME.levels[-2:] == ("sharp", "master")
    assert GAME.opponents["master"] is master
    assert GAME.usual == {"master": "sharp"}


def test_it_plays_a_match_to_its_end_and_the_same_luck_gives_the_same() -> None:
    found = []
    for _ in range(2):
        state, rng = GAME.deal(GAME.setup(2, key_of(3, 2))), random.Random(4)
        while state.to_act() and state.round == 1:
            actions = state.legal_actions(state.turn)
            move = master(state.observe(state.turn), actions, rng)
            assert move in actions
            state.push(state.turn, move)
        found.append(state.totals)
    assert found[0] == found[1] != [0, 0]


def test_it_sees_one_card_before_it_chooses_the_second() -> None:
    state = begun(0, FIRST)
    assert asked(state) == DRAWS[STOCK]


def test_it_takes_the_card_that_brings_a_compound() -> None:
    """With two chlorines a calcium makes a compound, and nothing else in the hand does."""
    state = arrange(
        "Cl Cl K K Na Zn Al",
        "H H C C N F Fe",
        row="CaCl2 CO2 CH4 SO2 N2O HCN",
        pile="Fe Ca",
        stock="H O C N F S O H",
        phase=SECOND,
    )
    assert asked(state) == DRAWS[PILE]
    state.discard.reverse()
    assert asked(state) == DRAWS[STOCK]


def test_what_ends_the_round_costs_as_little_as_possible() -> None:
    """After a turn without a capture another one ends the round, and a wild card in hand costs most."""
    state = arrange("* Na P Fe", "H H C C N F Fe", row="CO2 CH4 SO2 N2O HCN C2H4")
    state.dry = 1
    assert asked(state) == Move("discard", WILD)


def test_a_capture_is_worth_its_points_and_what_follows() -> None:
    state = begun(12, PLAY)
    turn = Turn(state.observe(state.turn), random.Random(1))
    best = turn.ranked(state.legal_actions(state.turn))
    worths = [turn.worth(turn.scorer.hand, move) for move in best]
    assert worths == sorted(worths, reverse=True)
    assert best[0] == turn.play(state.legal_actions(state.turn))


@pytest.mark.parametrize("what", ["usual", "one deck", "three", "one round", "alone"])
def test_it_is_the_sharp_one_where_nothing_was_learned(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    used = list[str]()

    def noted(*about: Any) -> Move:
        used.append("sharp")
        move: Move = sharp(*about)
        return move

    monkeypatch.setattr(master_module, "sharp", noted)
    seats = {"three": 3, "alone": 1}.get(what, 2)
    state = dealt(
        seats=seats,
        decks="covalent" if what == "one deck" else "both",
        rounds=1 if what == "one round" else 10,
    )
    assert asked(state) in state.legal_actions(state.turn)
    assert bool(used) is (what not in ("usual", "one deck"))


def test_prices_are_learned_from_what_follows() -> None:
    """A number that is always followed by two points comes to be worth two."""
    one = np.zeros(COLUMNS)
    one[5] = 1.0
    found = solved((np.array([one]), np.array([2.0])) for _ in range(5_000))
    assert found[5] == pytest.approx(2.0, abs=0.05)
    assert not found[6:].any()


@pytest.mark.parametrize("decisions", [6, 14, 25])
def test_the_columns_of_the_bench_are_what_the_opponent_says(decisions: int) -> None:
    """Weights times columns is what the opponent says of the end of a turn when it knows the other hand."""
    state = begun(decisions, PLAY)
    seat, said = state.turn, learned().weights
    flat = [weight for row in (*said.features.values(), *said.elements.values()) for weight in row]
    turn = Turn(state.observe(seat), random.Random(1), others=[state.hands[1 - seat]])
    move = turn.play(state.legal_actions(seat))
    worth = turn.worth(turn.scorer.hand, move)
    after = state.clone()
    after.push(seat, move)
    assert after.round == state.round
    points = 25 * (len(after.captured[seat]) - len(state.captured[seat]))
    found = ended(after, seat, state, random.Random(1))
    assert points + float(found @ np.array(flat)) == pytest.approx(worth)
    assert weighted(flat) == said


def test_the_data_file_is_written_as_it_is_read() -> None:
    file = data.folder() / "cards" / DATA
    assert text(learned().weights) == file.read_text(encoding="utf-8")
