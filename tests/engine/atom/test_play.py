"""Tricks, passes, running out, points, and why a move is refused."""

from __future__ import annotations

from typing import Any

import pytest

from engine.atom import GAME
from engine.atom.moves import PASS, Move
from engine.atom.position import OVER
from engine.game import IllegalAction
from tests.engine.atom.positions import arrange, card, cards, kinds, lay, play


def refused(state: Any, move: Move, seat: int | None = None) -> IllegalAction:
    with pytest.raises(IllegalAction) as caught:
        state.apply(state.turn if seat is None else seat, move)
    return caught.value


@pytest.mark.rule("atom", "4.1")
def test_4_1_passing_is_not_final_and_the_last_player_takes_the_points() -> None:
    state = arrange("5H 4S 3C", "8D 10S 3C", "9D 4C 6C", "4D 4H 3D")
    play(state, "5H", "8D", "9D", "pass", "pass")
    assert (state.turn, state.pot) == (1, 5)
    play(state, "10S", "pass", "pass", "pass")
    assert state.captured == [0, 15, 0, 0]
    assert (state.turn, state.best) == (1, None)


@pytest.mark.rule("atom", "4.1")
def test_4_1_a_leader_may_not_pass() -> None:
    state = arrange("5H 4S", "8D", "9D", "4D")
    assert refused(state, PASS) == IllegalAction("must_lead")
    assert PASS not in state.legal_actions(0)


@pytest.mark.rule("atom", "4.1")
def test_4_1_jokers_bring_no_points_whatever_they_stand_for() -> None:
    state = arrange("KH RJ RJ 3S", "3D", "4D", "6D")
    play(state, "KH RJ RJ")
    assert state.pot == 10


@pytest.mark.rule("atom", "4.2")
def test_4_2_after_an_unbeaten_last_hand_the_next_player_leads() -> None:
    state = arrange("KS", "3D 4D", "3C 4C", "3H 4H")
    play(state, "KS", "pass", "pass", "pass")
    assert state.captured[0] == 10
    assert (state.turn, state.leader, state.out) == (1, 1, [0])
    assert state.best is None


@pytest.mark.rule("atom", "4.2")
def test_4_2_a_last_hand_can_be_beaten() -> None:
    state = arrange("KS", "3D AD", "3C 4C", "3H 4H")
    play(state, "KS", "AD", "pass", "pass")
    assert state.captured == [0, 10, 0, 0]
    assert state.turn == 1


@pytest.mark.rule("atom", "4.2")
def test_players_without_cards_are_skipped() -> None:
    state = arrange("KS", "AS", "3C 4C 8S", "3H 4H 9S")
    play(state, "KS", "AS", "pass", "pass")
    assert (state.out, state.turn) == ([0, 1], 2)
    play(state, "3C", "4H", "8S", "pass")
    assert state.turn == 2


@pytest.mark.rule("atom", "2.1", "4.3")
def test_4_3_the_game_ends_at_once_when_partners_are_out_first() -> None:
    state = arrange("KS", "3D 4D", "AS", "3H 4H")
    play(state, "KS", "pass", "AS")
    assert state.phase == OVER
    result = state.results[0]
    assert (result.order, result.downstream, result.sweep) == ((0, 2), (1, 3), 0)


@pytest.mark.rule("atom", 6, "4.3")
def test_4_3_the_game_ends_when_one_player_has_cards_and_the_running_trick_counts() -> None:
    state = arrange("3S", "KS", "AH", "5H 10H", captured=(0, 60, 90, 100))
    play(state, "3S", "KS", "AH")
    result = state.results[0]
    assert (result.order, result.downstream) == ((0, 1, 2), (3,))
    # the running trick (a king) goes to seat 2; downstream's 100 to upstream, its 15 to the other team
    assert result.captured == (0, 60, 100, 100)
    assert result.left == (0, 0, 0, 15)
    assert result.totals == (0 + 100 + 100 + 15, 60)
    assert kinds(state)[-5:] == ["out", "trick", "laid_open", "settled", "dealt"]


@pytest.mark.rule("atom", 1, "1.1", "2.2")
def test_2_the_turned_up_card_names_the_blade_and_the_leader() -> None:
    receivers = set()
    for number in range(24):
        for seats in (4, 5):
            state = GAME.deal(GAME.setup(seats, number.to_bytes(32, "big")))
            assert state.turned < 52
            assert state.blade == state.turned >> 2
            assert state.turn == state.leader == state.receiver
            hand = state.observe(state.receiver).hand
            assert hand[state.turned] >= 1
            receivers.add((seats, state.receiver))
            if seats == 4:
                assert sorted(state.left) == [40, 40, 41, 41]
                big = [seat for seat in range(4) if state.left[seat] == 41]
                assert big in ([0, 1], [1, 2], [2, 3], [0, 3])
            else:
                assert state.left == [54] * 5
    assert len(receivers) == 9


@pytest.mark.rule("atom", "5.2")
def test_5_game_two_is_led_by_upstream_with_a_new_deal() -> None:
    state = arrange("3S", "KS", "AH", "5H 10H", captured=(100, 100, 0, 75))
    play(state, "3S", "KS", "AH")
    assert (state.game, state.turn, len(state.results)) == (2, 0, 1)
    assert sum(state.left) == 162
    # the deal starts at the leader, so he and his neighbour hold 41
    assert state.left == [41, 41, 40, 40]
    assert state.captured == [0, 0, 0, 0]


@pytest.mark.rule("atom", 1, "5.2")
def test_5_game_two_is_dealt_from_its_leader_on_whoever_that_is() -> None:
    state = arrange("5H 10H", "3S", "KS", "AH", leader=1, captured=(75, 100, 100, 0))
    play(state, "3S", "KS", "AH")
    assert (state.game, state.turn, state.leader) == (2, 1, 1)
    assert state.left == [40, 41, 41, 40]


@pytest.mark.rule("atom", "1.2")
def test_points_of_a_whole_game_add_up() -> None:
    import random

    rng = random.Random(5)
    for seats, every in ((4, 300), (5, 500)):
        for number in range(15):
            state = GAME.deal(GAME.setup(seats, number.to_bytes(32, "big")))
            while turn := state.to_act():
                state.push(turn[0], rng.choice(state.legal_actions(turn[0])))
            for result in state.results:
                assert sum(result.totals) == every
                assert sum(result.captured) + sum(result.left) == every


# -- refusals ---------------------------------------------------------------------------------


@pytest.mark.rule("atom", "3.2", "3.3")
def test_mixed_ranks_and_blades_with_jokers_are_refused() -> None:
    state = arrange("8C 8D 9D 7S RJ", "3D", "4D", "6D")
    assert refused(state, lay("8C 8D 9D")) == IllegalAction("not_one_rank", ranks=[6, 7], jokers=0, blade=5)
    assert refused(state, lay("7S RJ")) == IllegalAction("not_one_rank", ranks=[5], jokers=1, blade=5)
    assert refused(state, lay("8C 8C")) == IllegalAction("not_in_hand", card=card("8C"), held=1, wanted=2)


@pytest.mark.rule("atom", "3.8")
@pytest.mark.parametrize(
    ("table", "mine", "rule"),
    [
        ("8C", "8D", "too_low"),
        ("8C", "9D 9C", "other_count"),
        ("9C 9H", "8S 8H", "too_low"),
        ("3C 3D 3H 3S", "8D 8H 8S", "bigger_bomb"),
        ("5C 5D 5H 5S", "4C 4D 4H 4S", "too_low"),
        ("5C 5D 5H 5S 5S", "8C 8D 8H 8S", "bigger_bomb"),
        ("7C", "2D", "only_atoms"),
        ("7C", "8C 8D 8H 8S", "only_atoms"),
        ("7C 7D 7H 7S", "8C 8D 8H 8S 8S", "only_atoms"),
        ("9C 9C 9C", "7S", "higher_atom"),
        ("9C 9C 9C", "8S 8S 8S", "higher_atom"),
    ],
)
def test_what_does_not_beat_the_table_is_refused_with_its_rule(table: str, mine: str, rule: str) -> None:
    state = arrange(table + " 3C", mine + " 3D", "4D", "6D")
    play(state, table)
    said = refused(state, lay(mine))
    assert said == IllegalAction(rule, cards=list(cards(mine)), table=list(cards(table)), blade=5)
    assert lay(mine) not in state.legal_actions(1)


def test_turns_and_nonsense_are_refused() -> None:
    state = arrange("8C 8D", "3D", "4D", "6D")
    assert refused(state, lay("3D"), 1).rule == "not_your_turn"
    for nonsense in (
        None,
        ("play",),
        ("play", ()),
        ("play", (99,)),
        ("fly", ()),
        ("play", "8C"),
        ("pass", (3,)),
    ):
        bad: Any = nonsense
        assert refused(state, bad).rule == "unknown_action"
    assert refused(state, Move("call", (3,))) == IllegalAction("nothing_to_call", called=-1)
    with pytest.raises(ValueError, match="no move"):
        GAME.action(["play", []])
    assert GAME.action(["play", [9, 3]]) == Move("play", (3, 9))
    play(state, "8C 8D", "pass", "pass")
    state.phase = OVER
    assert refused(state, PASS).rule == "over"
