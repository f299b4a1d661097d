"""Master of Canasta judges anew what Steady likes best, by numbers that a player can count after it."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import numpy as np
import pytest

from engine import data
from engine.ai.network import SecondLayerNeuron
from engine.arena import key_of
from engine.chemistry.ai import canasta_master as master_module
from engine.chemistry.ai.canasta_features import PLAY, SITUATION, Known
from engine.chemistry.ai.canasta_master import BEHIND, HEAT, TRIED, WAYS, master, tried, worths
from engine.chemistry.ai.canasta_network import DATA, FirstLayerNeuron, Network, Weights, learned
from engine.chemistry.ai.heuristic import MoveScorer
from engine.chemistry.ai.judge import closing, judge
from engine.chemistry.ai.search import sharp
from engine.chemistry.canasta import GAME
from engine.chemistry.deck import WILD
from engine.chemistry.moves import DRAWS, PILE, STOCK, Move
from engine.chemistry.observation import FIRST, OVER, SECOND
from engine.chemistry.observation import PLAY as PLAYING
from engine.chemistry.state import CollectState
from tests.engine.chemistry.positions import arrange, card, dealt, discard, lay
from tools.train import canasta_network as learning
from tools.train import networks as steps


def asked(state: CollectState, seed: int = 1) -> Move:
    seat = state.turn
    return master(state.observe(seat), state.legal_actions(seat), random.Random(seed))


def begun(decisions: int, phase: int, number: int = 1) -> CollectState:
    """A match in which Master has decided so often, and then on to a decision of that phase."""
    state = GAME.deal(GAME.setup(2, key_of(3, number)))
    assert isinstance(state, CollectState)
    made = 0
    while made < decisions or state.phase != phase:
        state.push(state.turn, asked(state))
        made += 1
    return state


def known(state: CollectState) -> Known:
    seen = state.observe(state.turn)
    return Known(seen, MoveScorer(seen))


def test_what_it_says_of_itself_is_the_game_that_it_learned() -> None:
    assert GAME.levels[-2:] == ("sharp", "master")
    assert GAME.level_in("master", 2, {}) == "master"
    assert GAME.level_in("master", 3, {}) == "sharp"
    assert GAME.level_in("master", 2, {"decks": "ionic"}) == "sharp"
    assert GAME.level_in("master", 2, {"rounds": 1}) == "sharp"


@pytest.mark.parametrize("what", ["usual", "one deck", "three", "one round"])
def test_it_is_the_sharp_one_where_nothing_was_learned(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    used = list[str]()

    def noted(*about: Any) -> Move:
        used.append("sharp")
        move: Move = sharp(*about)
        return move

    monkeypatch.setattr(master_module, "sharp", noted)
    state = dealt(
        is_canasta=True,
        seats=3 if what == "three" else 2,
        decks="covalent" if what == "one deck" else "both",
        rounds=1 if what == "one round" else 10,
    )
    assert asked(state) in state.legal_actions(state.turn)
    assert bool(used) is (what != "usual")


def test_it_plays_rounds_to_their_end_and_the_same_luck_gives_the_same() -> None:
    found = []
    for _ in range(2):
        state, rng = GAME.deal(GAME.setup(2, key_of(3, 2))), random.Random(4)
        while state.to_act() and state.observe(0).round == 1:
            seat = state.to_act()[0]
            actions = state.legal_actions(seat)
            move = master(state.observe(seat), actions, rng)
            assert move in actions
            state.push(seat, move)
        found.append(state.observe(0).totals)
    assert found[0] == found[1] != (0, 0)


def test_it_sees_one_card_before_it_chooses_the_second() -> None:
    assert asked(begun(0, FIRST)) == DRAWS[STOCK]


def test_it_takes_the_card_that_makes_a_run() -> None:
    state = arrange(
        "Mn Fe Xe Al K K P S",
        "H H C C N F Fe",
        row="CH4 SO3 N2O HCN C2H4 N2H4",
        pile="Fe Co",
        stock="H O C N F S O H C N O H C F H O",
        phase=SECOND,
        is_canasta=True,
    )
    assert asked(state) == DRAWS[PILE]


def test_a_run_that_goes_out_in_the_lead_is_laid() -> None:
    state = arrange("Mn Fe Co", "H H C C N F Fe", pile="Fe Xe", is_canasta=True)
    state.totals = [240, 100]
    assert asked(state) == lay(25, "Mn Fe Co")


def test_of_one_compound_only_the_best_ways_are_judged() -> None:
    """With a wild card CO2 is made in many ways, each with another card on top."""
    state = arrange("C O O * Xe", "H H C C N F Fe", row="CO2 CH4 NaF SO3 N2O HCN", is_canasta=True)
    seen = state.observe(0)
    found = tried(seen, MoveScorer(seen), state.legal_actions(0))
    assert len(found) <= TRIED
    ways = [move.what for move, _ in found if move.verb == "capture"]
    possible = [move for move in state.legal_actions(0) if move.verb == "capture"]
    assert max(map(ways.count, ways)) == WAYS < len(possible)
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)


def test_nobody_claims_before_the_second_card_is_drawn() -> None:
    state = arrange("Si H H C C N F", "H H C C N F Fe", phase=SECOND, is_canasta=True)
    state.runs[1] = [(13, (13, WILD, 15))]
    state.wilds = [(14, 1, 0)]
    seen = state.observe(0)
    actions = state.legal_actions(0)
    assert any(move.verb == "claim" for move in actions)
    assert {move for move, _ in tried(seen, MoveScorer(seen), actions)} == set(DRAWS)


def test_where_the_network_says_nothing_it_is_steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands far behind is not put further behind than the network can bring back."""
    weights = learned().weights
    mute = [msgspec.structs.replace(one, out=0.0) for one in weights.second]
    monkeypatch.setattr(master_module, "learned", lambda: Network(Weights(weights.first, mute)))
    state = begun(12, PLAYING)
    seen = state.observe(state.turn)
    scorer = MoveScorer(seen)
    best = tried(seen, scorer, state.legal_actions(state.turn))
    found = worths(seen, scorer, best)
    assert found[0] == 0.0
    assert found == sorted(found, reverse=True)
    assert min(found) >= -BEHIND
    assert found[1] == pytest.approx(max(-BEHIND, (best[1][1] - best[0][1]) / HEAT))
    assert asked(state) == best[0][0]


def test_it_knows_what_was_taken_and_guesses_the_rest() -> None:
    """What was taken from the pile is certain, what is not unseen is not held; all adds up to the hand."""
    state = begun(10, PLAYING)
    about = known(state)
    for kind in range(55):
        chances = about.holds(kind)
        assert chances[: about.known[kind] + 1] == [1.0] * (about.known[kind] + 1)
        assert chances == sorted(chances, reverse=True)
        if not about.scorer.unseen[kind]:
            assert chances[about.known[kind] + 1] == 0.0
    hidden = sum(sum(about.holds(kind)[1:]) for kind in range(55))
    assert hidden == pytest.approx(state.sizes[1 - state.turn], rel=0.05)


def test_it_remembers_what_the_other_one_left_on_the_pile() -> None:
    state = GAME.deal(GAME.setup(2, key_of(3, 5)))
    assert isinstance(state, CollectState)
    first, top = state.turn, state.discard[-1]
    for move in (DRAWS[STOCK], DRAWS[STOCK]):
        state.push(first, move)
    thrown = next(kind for kind in range(1, 55) if state.hands[first][kind])
    state.push(first, Move("discard", thrown))
    about = known(state)
    assert about.passed == {top}
    assert about.last == 3
    state.push(state.turn, DRAWS[STOCK])
    state.push(state.turn, DRAWS[PILE])
    assert known(state).passed == {top}
    state.push(state.turn, Move("discard", thrown))
    other = known(state)
    assert other.passed == set()
    assert other.known[thrown] == 0


def test_a_card_of_the_pile_makes_no_compound_less_likely() -> None:
    """No card makes a compound less likely, and no chance is more than one."""
    state = begun(10, PLAYING)
    about = known(state)
    row = state.observe(state.turn).row
    for compound, before in zip(row, about.likely, strict=True):
        assert 0.0 <= before <= 1.0
        for kind in range(55):
            assert about._captures(compound, kind) >= before - 1e-9


@pytest.mark.parametrize(("decisions", "phase"), [(0, SECOND), (8, PLAYING), (20, SECOND), (40, PLAYING)])
def test_a_decision_is_read_in_so_many_numbers(decisions: int, phase: int) -> None:
    state = begun(decisions, phase)
    about = known(state)
    found = about.situation()
    assert len(found) == SITUATION
    assert found[0] == pytest.approx((len(state.order) - state.at) / 99)
    best = tried(about.seen, about.scorer, state.legal_actions(state.turn))
    for move, score in best:
        numbers = about.described(move, score, best[0][1])
        assert len(numbers) == PLAY
        assert all(-3 <= number <= 4 for number in numbers)
        after = state.clone()
        after.push(state.turn, move)
        left = sum(after.hands[state.turn]) - (move == DRAWS[STOCK])
        assert numbers[0] == pytest.approx(left / 10)


def test_a_move_that_ends_the_round_is_told_by_the_share_that_it_brings() -> None:
    """Out with the last card at 240 points: the compound captured brings the match."""
    state = arrange("Xe", "H H C C N F Fe", pile="Fe Co", is_canasta=True)
    state.totals, state.captured = [240, 100], [[1], []]
    about = known(state)
    numbers = about.described(discard("Xe"), 0.0, 0.0)
    assert numbers[46:48] == [True, 1.0]
    state.totals = [100, 240]
    assert known(state).described(discard("Xe"), 0.0, 0.0)[47] < 0.5


def test_what_closes_a_round_is_judged_as_sharp_judges_it() -> None:
    state = begun(4, PLAYING)
    state.totals, state.phase = [130, 90], OVER
    about = {"played": state.round, "rounds": 10, "dealer": state.dealer, "canasta": True}
    for seat in (0, 1):
        assert closing(state.totals, seat, **about) == judge(state, seat)
    assert closing([260.0, 90.0], 0, **about) == 1.0
    assert closing([260.0, 260.0], 0, **about) == pytest.approx(0.5, abs=0.1)


def test_a_network_of_another_shape_is_refused() -> None:
    weights = learned().weights
    fewer = [msgspec.structs.replace(one, play=one.play[1:]) for one in weights.first]
    with pytest.raises(ValueError, match="first line"):
        Network(Weights(fewer, weights.second))
    with pytest.raises(ValueError, match="second line"):
        Network(Weights(weights.first[1:], weights.second))


def test_a_network_of_one_neuron_adds_up_by_hand() -> None:
    """It sees the fourth number of what is known twice over, and takes the second of the move from it."""
    situation, play, move = [0.0] * SITUATION, [0.0] * PLAY, [0.0] * PLAY
    situation[3], play[1] = 2.0, -1.0
    seen = [0.0] * SITUATION
    seen[3], move[1] = 0.5, 0.75
    network = Network(
        Weights([FirstLayerNeuron(0.25, situation, play)], [SecondLayerNeuron(0.5, [2.0], 0.1)])
    )
    assert network.logits(seen, [move]) == [pytest.approx(0.1 * (0.5 + 2 * 0.5))]


def test_what_is_learned_is_written_as_it_was_read() -> None:
    source = (data.folder() / "cards" / DATA).read_bytes()
    text = learning.text(learning.layers(learned().weights))
    assert msgspec.json.decode(text, type=Weights) == msgspec.json.decode(source, type=Weights)


def test_what_is_learned_from_reads_a_decision_as_the_opponent_does() -> None:
    state = begun(12, PLAYING)
    seen = state.observe(state.turn)
    scorer, actions = MoveScorer(seen), state.legal_actions(state.turn)
    best = tried(seen, scorer, actions)
    moves, scores, rows = learning.choices(seen, actions)
    found = scores + steps.forward(learning.layers(learned().weights), rows)[2]
    assert moves == [move for move, _ in best]
    assert list(found[: len(moves)]) == pytest.approx(worths(seen, scorer, best))


def test_a_capture_at_the_end_is_worth_the_match_to_who_learns() -> None:
    """At 240 points each, going out with a run wins; a card thrown does not."""
    state = arrange("Mn Fe Co", "H H C C N F Fe", pile="Fe Xe", stock="H O C N", is_canasta=True)
    state.totals = [240, 240]
    found = learning.layers(learned().weights)
    assert learning.worth(state, lay(25, "Mn Fe Co"), found) == 1.0
    assert 0.0 < learning.worth(state, discard("Co"), found) < 1.0
    assert state.hands[0][card("Co")] == 1


def test_a_small_step_makes_what_is_worth_more_more_likely() -> None:
    found = learning.fresh(np.random.default_rng(1))
    found[4] += 0.1
    one = next(iter(learning.played(1, found)))
    best = int(np.argmax(np.where(one.there, one.worth, -np.inf)))

    def chance() -> float:
        rows = steps.forward(found, one.rows)[2]
        return float(steps.softmax(one.scores + rows, one.there)[best])

    before = chance()
    steps.Adam(found).step(learning.slopes(found, [one], learning.spread_of([one])))
    assert chance() > before
