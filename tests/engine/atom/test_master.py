"""Master judges anew what Steady likes best; a hand that runs out runs out, and of two hands all is known."""

from __future__ import annotations

import random

import msgspec
import numpy as np
import pytest

from engine import data
from engine.ai.network import SecondLayerNeuron
from engine.arena import key_of
from engine.atom import GAME
from engine.atom.ai.features import Features
from engine.atom.ai.heuristic import SURE
from engine.atom.ai.heuristic import scores as of_steady
from engine.atom.ai.master import TRIED, scores
from engine.atom.ai.network import DATA, FirstLayerNeuron, Network, Weights, learned
from engine.atom.ai.network_features import PLAY, SITUATION, described, situation
from engine.atom.moves import PASS, Move
from engine.atom.state import AtomState
from tests.engine.atom.positions import arrange, lay, play, rank
from tools.train import atom_network as learning


def chosen(state: AtomState, level: str = "master", seed: int = 0) -> Move:
    seat = state.turn
    move: Move = GAME.opponents[level](state.observe(seat), state.legal_actions(seat), random.Random(seed))
    return move


def later(moves: int, number: int = 0, jokers: str = "lowest") -> AtomState:
    """A game of Steady after so many moves."""
    state, rng = GAME.deal(GAME.setup(4, key_of(11, number), jokers=jokers)), random.Random(7)
    for _ in range(moves):
        seat = state.turn
        state.push(seat, GAME.opponents["steady"](state.observe(seat), state.legal_actions(seat), rng))
    return state


def test_what_it_says_of_itself_is_the_game_that_it_learned() -> None:
    assert GAME.level_in("master", 4, {}) == "master"
    assert GAME.level_in("master", 4, {"jokers": "three"}) == "steady"
    assert GAME.level_in("master", 5, {}) == "steady"


def test_a_hand_that_goes_out_at_once_goes_out() -> None:
    state = arrange("KC KD", "3C 4D 5H", "6C 8D", "9C 10D JH")
    assert chosen(state) == lay("KC KD")


def test_it_plays_all_that_holds_before_the_last_weak_group() -> None:
    state = arrange("AC QH QD 3D", "3C 4D 5H 6C 8D", "3D 4H 5S 6D 9H", "3H 5C 6H 8S 9S")
    led = []
    while state.left[0]:
        move = chosen(state) if state.turn == 0 else PASS
        if state.turn == 0:
            led.append(move)
        state.apply(state.turn, move)
    assert led[-1] == lay("3D")
    assert len(led) == 3


def test_between_two_hands_it_makes_the_other_split_its_aces() -> None:
    """As Sharp does: see there."""
    state = arrange(
        "", "", "KH AC AD AS", "2S 5C 5D 7C 7H 7S", blade="4", leader=3, captured=(10, 0, 235, 35)
    )
    state.out = [0, 1]
    assert chosen(state) == lay("7C 7H")


@pytest.mark.parametrize("moves", [0, 13, 40, 76])
def test_what_steady_likes_least_stays_behind(moves: int) -> None:
    state = later(moves)
    seen, actions = state.observe(state.turn), state.legal_actions(state.turn)
    steady, found = of_steady(seen, actions, random.Random(0)), scores(seen, actions)
    assert max(steady) < SURE - 1
    order = sorted(range(len(actions)), key=lambda place: -steady[place])
    tried, others = order[:TRIED], order[TRIED:]
    assert any(found[place] != steady[place] for place in tried)
    assert all(found[place] <= min(found[one] for one in tried) for place in others)


def test_it_reads_the_hand_by_rank_and_what_is_out() -> None:
    """Three kings and a joker in hand, one of each with the others, all else laid."""
    state = arrange("KC KD KH BJ 3C", "KS 4D 5H", "3D RJ 5S", "3H 5C 6H")
    known, kings = situation(Features(state.observe(0))), state.slots[rank("K")]
    assert len(known) == SITUATION
    assert (known[0] * 3, known[kings] * 4) == (pytest.approx(1), pytest.approx(3))
    out = known[21:35]
    assert (out[0] * 6, out[kings] * 6) == (pytest.approx(1), pytest.approx(1))


def test_on_a_trick_it_reads_whose_it_is_and_who_still_acts() -> None:
    state = arrange("KC KD 4C", "3C 4D 5H 6C 8D", "3D 4H 5S 6D 9H", "3H 5C 6H 8S 9S", leader=1)
    play(state, "8D", "9H", "pass")
    features = Features(state.observe(state.turn))
    known = situation(features)
    assert not known[57]
    lies = known[59:74]
    assert lies[0] == 1
    assert lies[9:12] == [0.0, 1.0, 0.0]  # the partner's
    assert known[75:78] == [True, False, False]  # the seat after, which led


def test_passing_is_described_by_nothing_and_a_play_by_what_it_does() -> None:
    state = later(13)
    features = Features(state.observe(state.turn))
    actions = state.legal_actions(state.turn)
    assert described(features, PASS, 0.0) is None
    found = described(features, actions[0], 0.25)
    assert found is not None
    assert len(found.play) == PLAY
    assert found.play[0] == 0.25


def test_a_network_of_another_shape_is_refused() -> None:
    weights = learned().weights
    fewer = [msgspec.structs.replace(one, play=one.play[1:]) for one in weights.first]
    with pytest.raises(ValueError, match="first line"):
        Network.of(Weights(fewer, weights.second))
    with pytest.raises(ValueError, match="second line"):
        Network.of(Weights(weights.first[1:], weights.second))


def test_a_network_of_one_neuron_adds_up_by_hand() -> None:
    """It sees how many of the kings are held, twice over, and that a move passes."""
    known = [0.0] * SITUATION
    known[3] = 0.5
    eyes = [0.0] * SITUATION
    eyes[3] = 2.0
    first = FirstLayerNeuron(0.25, eyes, -1.0, [0.0] * 18, [0.0] * 11, [0.0] * 27, [0.0] * PLAY)
    network = Network.of(Weights([first], [SecondLayerNeuron(0.5, [2.0], 0.1)]))
    assert network.logits(known, [None], free=False) == [pytest.approx(0.1 * (0.5 + 2 * 0.25))]


def test_what_is_learned_is_written_as_it_was_read() -> None:
    source = (data.folder() / "cards" / DATA).read_bytes()
    text = learning.text(learning.layers(learned().weights))
    assert msgspec.json.decode(text, type=Weights) == msgspec.json.decode(source, type=Weights)


def test_what_is_learned_from_reads_a_decision_as_the_opponent_does() -> None:
    state = later(13)
    seen, actions = state.observe(state.turn), state.legal_actions(state.turn)
    found = learning.layers(learned().weights)
    moves, worth, rows = learning.choices(seen, actions)
    judged = learning.HEAT * (worth + learning.forward(found, rows)[2])
    by_opponent = dict(zip(actions, scores(seen, actions), strict=True))
    assert [by_opponent[move] for move in moves] == pytest.approx(list(judged[: len(moves)]))


def test_more_than_was_expected_speaks_for_what_was_done_before() -> None:
    """Won, where .4 and then .7 were expected: .3 more at last, .3 more and a part of that before."""
    nothing = np.zeros(1)
    met = [learning.AtomExample(nothing, nothing, nothing, 0, 0.0, expected) for expected in (0.4, 0.7)]
    assert list(learning.advantages(met, 1.0)) == pytest.approx([0.3, 0.3 + learning.LAMBDA * 0.3])


def test_a_small_step_makes_what_went_well_more_likely() -> None:
    found = learning.fresh(np.random.default_rng(1))
    found[4] += 0.1
    one = next(one for chain in learning.played(1, found)[0] for one in chain)
    before = learning.softmax(one.scores + learning.forward(found, one.rows)[2], one.there)[one.drawn]
    learning.Adam(found).step(learning.slopes(found, [one], np.array([1.0])))
    after = learning.softmax(one.scores + learning.forward(found, one.rows)[2], one.there)[one.drawn]
    assert after > before
