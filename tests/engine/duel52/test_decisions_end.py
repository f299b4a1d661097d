"""Turns and the end (docs/rules/duel52.md, decisions 13 and 14), the first turns, solo."""

from __future__ import annotations

import pytest

from engine.duel52 import GAME
from engine.duel52.cards import VARIANTS
from engine.duel52.notation import read
from engine.game import Outcome
from engine.playing_cards import parse
from tests.engine.duel52.positions import act, after, play, told


def ended(text: str, *acts: str) -> Outcome:
    outcome = play(text, *acts).outcome()
    assert outcome is not None
    return outcome


def ranks(outcome: Outcome) -> list[int]:
    return [standing.rank for standing in outcome.standings]


# setup and turns


@pytest.mark.rule("duel52", 17, "2.1", "2.2", "3.1")
@pytest.mark.parametrize(
    ("variant", "deal", "turns"),
    [
        ("standard", (5, 6, 10, 26), [2, 3, 3]),
        ("quick", (5, 6, 16, 20), [2, 3, 3]),
        ("long", (5, 6, 0, 36), [2, 3, 3]),
        ("solo", (5, 6, 10, 26), [2, 3, 3]),
        ("triangles", (6, 0, 0, 34), [1, 2, 3, 3]),
        ("teams", (6, 6, 0, 22), [1, 2, 2, 3, 3]),
    ],
)
def test_the_deal_of_each_variant(variant: str, deal: tuple[int, int, int, int], turns: list[int]) -> None:
    hand, bases, aside, pile = deal
    seats = VARIANTS[variant].seats
    state = GAME.deal(GAME.setup(seats, bytes(32), variant=variant))
    for verb in ("open", "bet") if variant == "solo" else ():
        state.apply(state.turn, next(m for m in state.legal_actions(state.turn) if m.verb == verb))
    seen = state.observe(None)
    assert (sum(map(len, seen.rows)), seen.aside) == (bases, aside)
    # the first player has drawn
    assert seen.pile == pile - 1
    assert sorted(seen.counts) == [hand] * (seats - 1) + [hand + 1]
    found = []
    for _ in turns:
        found.append(state.actions)
        for _ in range(state.actions):
            # cards are played one after another: nothing else may happen
            state.apply(state.turn, state.legal_actions(state.turn)[0])
    assert found == turns


@pytest.mark.rule("duel52", 17)
def test_the_first_seat_is_drawn_and_turns_follow_the_seats() -> None:
    firsts = set()
    for seed in range(40):
        state = GAME.deal(GAME.setup(3, bytes([seed]) * 32, variant="triangles"))
        firsts.add(state.turn)
        first = state.turn
        state.apply(first, state.legal_actions(first)[0])
        assert state.turn == (first + 1) % 3
    assert firsts == {0, 1, 2}


@pytest.mark.rule("duel52", 18)
def test_a_player_without_a_legal_action_loses_the_rest_of_the_turn() -> None:
    text = "standard A3 5s|7s|4s/9c|(8c)|- hands=-/2h"
    assert after(text, "attack 5s 9c", "attack 7s 8c") == ("standard B3 5s|7s|4s/9c1|(8c)1|- hands=-/2h")


# 13: winning


@pytest.mark.rule("duel52", 13, "1.3")
def test_13_two_lanes_win_when_the_opponents_hand_is_empty() -> None:
    outcome = ended("standard A3 5s|5h|-/9c1|-|8c", "attack 5s 9c")
    assert (outcome.reason, ranks(outcome)) == ("two_lanes", [1, 2])
    assert [standing.score for standing in outcome.standings] == [1.0, 0.0]


@pytest.mark.rule("duel52", 13)
def test_13_a_hand_card_of_the_opponent_keeps_every_lane_open() -> None:
    assert play("standard A3 5s|5h|-/9c1|-|8c hands=-/2h", "attack 5s 9c").outcome() is None


@pytest.mark.rule("duel52", 13)
def test_13_nothing_is_won_while_the_draw_pile_lasts() -> None:
    assert play("standard A3 5s|5h|-/9c1|-|8c pile=2d2c", "attack 5s 9c").outcome() is None


@pytest.mark.rule("duel52", 13)
def test_13_an_own_last_hand_card_or_queen_can_lose_the_game() -> None:
    outcome = ended("standard A3 -|-|5h/9c|8c|7c hands=2s/-", "play 2s 3")
    assert ranks(outcome) == [2, 1]
    outcome = ended("standard A3 (Qs),5s|4s|-/9c|8c|7c", "flip Qs", "move 4s")
    assert ranks(outcome) == [2, 1]


@pytest.mark.rule("duel52", 13)
def test_13_the_test_comes_after_the_powers() -> None:
    # the Queen leaves lane 2 to B before her power is done, and nothing is tested in between
    state = play("standard A3 (Qs)|4s|3s/9c|8c|7c", "flip Qs")
    assert state.outcome() is None
    assert state.asks


@pytest.mark.rule("duel52", 13)
def test_13_both_sides_with_two_lanes_draw() -> None:
    # the attack on the 8 kills both: lanes 1 and 2 are empty, each side is gone from two lanes
    outcome = ended("standard A3 5s1|-|4s/8c1|-|9c", "attack 5s 8c")
    assert (outcome.reason, ranks(outcome)) == ("both_sides", [1, 1])
    assert [standing.score for standing in outcome.standings] == [0.5, 0.5]


@pytest.mark.rule("duel52", 13)
def test_13_lanes_have_no_memory() -> None:
    # A has lane 2 to itself, B comes back with a hand card
    text = "standard A1 5s|5h|-/9c|-|8c hands=-/2h"
    assert play(text, "attack 5s 9c", "play 2h 2").outcome() is None


@pytest.mark.rule("duel52", 13)
def test_13_in_teams_both_hands_of_the_other_side_must_be_empty() -> None:
    assert play("teams A3 5s|5h|-/9c1|-|8c hands=-/-/-/2h", "attack 5s 9c").outcome() is None
    outcome = ended("teams C3 5s|5h|-/9c1|-|8c hands=2s/-/2h/-", "attack 5s 9c")
    assert ranks(outcome) == [1, 2, 1, 2]
    assert [standing.team for standing in outcome.standings] == [0, 1, 0, 1]


@pytest.mark.rule("duel52", 13)
def test_13_nobody_can_act_is_a_draw_at_once() -> None:
    # one triangle for each: nobody has two, and nobody has an enemy
    outcome = ended("triangles A1 5s|-|-|-/8c1|5d|-|-/-|-|5c|- turns=20", "attack 5s 8c")
    assert (outcome.reason, ranks(outcome)) == ("no_moves", [1, 1, 1])


@pytest.mark.rule("duel52", 13)
def test_13_frost_puts_the_draw_off() -> None:
    text = "triangles A1 5s|-|-|-/8c1|5d*|-|-/-|-|5c|-"
    state = play(text, "attack 5s 8c")
    # B's turn passes and thaws the 5, C's passes, then the draw is there
    assert state.outcome() is not None
    assert state.turn != 1


@pytest.mark.rule("duel52", 13)
def test_13_thirty_quiet_turns_are_a_draw() -> None:
    text = "standard A1 5s|-|-/Jc|-|- hands=2s/2h pile=2d2c quiet=29"
    outcome = ended(text, "attack 5s Jc")
    assert (outcome.reason, ranks(outcome)) == ("thirty_turns", [1, 1])
    assert play(text, "play 2s 1").quiet == 0
    assert play(text.replace("Jc", "Jc2"), "attack 5s Jc").quiet == 0
    assert play(text.replace("Jc", "(3c)1"), "attack 5s 3c").quiet == 0, (
        "a trap that springs is no quiet turn"
    )


# 14: triangles


@pytest.mark.rule("duel52", 14, "7.3")
def test_14_two_triangles_win_whatever_the_hands() -> None:
    text = "triangles A3 5s|5h|-|-/8c1|-|9c|-/-|-|9d|- hands=2s/2h/2c"
    outcome = ended(text, "attack 5s 8c")
    assert (outcome.reason, ranks(outcome)) == ("two_triangles", [1, 2, 2])
    assert play(text + " pile=3c3d", "attack 5s 8c").outcome() is None


@pytest.mark.rule("duel52", 14)
def test_14_an_empty_triangle_is_controlled_by_nobody() -> None:
    text = "triangles A3 5s|-|-|-/8c1|-|9c|-/-|-|9d|- hands=2s/2h/2c"
    assert play(text, "attack 5s 8c").outcome() is None


@pytest.mark.rule("duel52", 14)
def test_14_a_jack_taunts_for_everybody_elses_attacks() -> None:
    state = read("triangles A3 5s|-|-|-/8c|-|-|-/Jd,9d|-|-|- hands=2s/2h/2c pile=3c3d")
    assert {m.target for m in state.legal_actions(0) if m.verb == "attack"} == {2}
    # its owner is not held by it
    state = read("triangles C3 5s|-|-|-/8c|-|-|-/Jd,9d|-|-|- hands=2s/2h/2c pile=3c3d")
    assert {m.target for m in state.legal_actions(2) if m.verb == "attack"} == {0, 1}


@pytest.mark.rule("duel52", 14)
def test_14_a_10_may_split_over_two_owners() -> None:
    text = "triangles A3 Ts|-|-|-/8c|-|-|-/4d|-|-|- hands=2s/2h/2c pile=3c3d"
    assert after(text, "attack Ts 8c 4d") == (
        "triangles A2 Ts1!|-|-|-/8c1|-|-|-/4d1|-|-|- hands=2s/2h/2c pile=3c3d"
    )


@pytest.mark.rule("duel52", 14)
def test_14_a_6_freezes_both_opponents() -> None:
    text = "triangles A3 (6s)|-|-|-/8c|-|-|-/4d|-|-|- hands=2s/2h/2c pile=3c3d"
    assert after(text, "flip 6s") == ("triangles A2 6s|-|-|-/8c*|-|-|-/4d*|-|-|- hands=2s/2h/2c pile=3c3d")


@pytest.mark.rule("duel52", 14)
def test_14_who_loses_the_last_card_is_out_and_skipped() -> None:
    text = "triangles A1 5s,5h|-|-|-/8c1|-|-|-/4d|3d|-|- hands=2s/-/2c"
    assert after(text, "attack 5s 8c") == (
        "triangles C3 5s1,5h|-|-|-/-|-|-|-/4d|3d|-|- hands=2s/-/2c gone=8c out=B"
    )


@pytest.mark.rule("duel52", 14)
def test_14_the_turn_of_who_is_out_does_not_count() -> None:
    state = play("triangles A1 5s,5h|-|-|-/8c1|-|-|-/4d|3d|-|- hands=2s/-/2c turns=9", "attack 5s 8c")
    assert (state.turn, state.turns, state.quiet) == (2, 10, 0)
    assert [event.seat for event in told(state, "turn")] == [2]
    assert told(state, "no_action") == []


@pytest.mark.rule("duel52", 14)
def test_14_the_last_one_in_wins_and_earlier_out_ranks_lower() -> None:
    text = "triangles A3 5s|-|-|-/-|-|-|-/8c1|-|-|- hands=2s/-/- out=B"
    outcome = ended(text, "attack 5s 8c")
    assert (outcome.reason, ranks(outcome)) == ("last_one_in", [1, 3, 2])


@pytest.mark.rule("duel52", 14)
def test_14_all_who_are_left_going_out_at_once_draw() -> None:
    outcome = ended("triangles A3 5s1|-|-|-/-|-|-|-/8c1|-|-|- out=B", "attack 5s 8c")
    assert (outcome.reason, ranks(outcome)) == ("all_out", [1, 3, 1])


@pytest.mark.rule("duel52", 14)
def test_14_it_is_tested_when_the_pile_empties_by_a_draw() -> None:
    text = "triangles A1 5s|5h|-|-/-|-|8c|-/-|-|8d|- hands=2s/2h/2c pile=3c"
    outcome = ended(text, "play 2s 3")
    assert (outcome.reason, ranks(outcome)) == ("two_triangles", [1, 2, 2])


@pytest.mark.rule("duel52", 14)
def test_14_it_is_tested_when_a_2_takes_the_last_card() -> None:
    text = "triangles A3 5s|5h,(2s)|-|-/-|-|8c|-/-|-|8d|- hands=-/2h/2c pile=3c"
    state = play(text, "flip 2s")
    assert state.outcome() is not None
    assert not state.asks


@pytest.mark.rule("duel52", 14)
def test_14_several_at_once_go_by_the_turn_order() -> None:
    # the draw of A empties the pile; B and C both control two triangles, B comes first after A
    text = "triangles C1 -|-|-|-/5s|5h|-|-/-|-|8d|8c hands=4s/2h/2c3h pile=3c"
    outcome = ended(text, "play 2c 3")
    assert ranks(outcome) == [2, 1, 2]
    assert ranks(ended(text.replace("hands=4s", "hands=-"), "play 2c 3")) == [2, 1, 2]


@pytest.mark.rule("duel52", 14)
def test_14_the_turn_order_begins_with_whose_turn_it_is() -> None:
    # the draw of B empties the pile; A and C both control two triangles, C comes first after B
    text = "triangles A1 5s|5h|-|-/-|-|-|-/-|-|8d|8c hands=4s4d/2h/2c3h pile=3c"
    assert ranks(ended(text, "play 4s 1")) == [2, 2, 1]


# solo


@pytest.mark.rule("duel52", "7.1")
def test_solo_bets_after_both_hands_are_open() -> None:
    state = GAME.deal(GAME.setup(2, bytes(32), variant="solo"))
    seat = state.turn
    assert [len(hand) for hand in state.observe(seat).hands] == ([5, 0] if seat == 0 else [0, 5])
    (show,) = state.legal_actions(seat)
    state.apply(seat, show)
    assert [len(hand) for hand in state.observe(seat).hands] == [5, 5]
    assert [len(hand) for hand in state.observe(None).hands] == [0, 0]
    state.apply(seat, act(state, "bet B"))
    assert state.observe(seat).counts[seat] == 6
    assert state.vampiric


def test_in_solo_both_seats_know_what_one_of_them_did() -> None:
    state = play(
        "solo A3 (2s)|-|-/8c|-|- hands=5s6s/2h pile=9d2c bet=A", "play 5s 2", "flip 2s", "discard 6s"
    )
    for seat in (0, 1):
        seen = state.observe(seat)
        assert [(unit.card, unit.shown) for unit in seen.row(0, 1)] == [(parse("5s"), True)]
        assert [one.card for one in seen.gone] == [parse("6s")]
        assert [event.seen_by(seat).facts["card"] for event in told(state, "draw")] == [parse("9d")]
    assert state.observe(None).row(0, 1)[0].card < 0


@pytest.mark.rule("duel52", "7.1")
def test_solo_is_won_by_a_right_bet() -> None:
    outcome = ended("solo A3 5s|5h|-/9c1|-|8c bet=A", "attack 5s 9c")
    assert outcome.facts["bet_won"] is True
    outcome = ended("solo A3 5s|5h|-/9c1|-|8c bet=B", "attack 5s 9c")
    assert outcome.facts["bet_won"] is False
    assert ended("solo A3 5s1|-|6s/8c1|-|9c bet=B", "attack 5s 8c").facts["bet_won"] is False
