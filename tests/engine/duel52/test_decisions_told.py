"""The decisions of docs/rules/duel52.md of which a line of a table says too little: what is seen and told,
the deal, turns, the end, solo."""

from __future__ import annotations

import random

import pytest

from engine.duel52 import GAME
from engine.duel52.cards import VARIANTS
from engine.duel52.marks import BOTH, NEITHER
from engine.duel52.notation import read, write
from engine.duel52.state import DuelState
from engine.game import Outcome
from engine.playing_cards import parse
from tests.engine.duel52.positions import REST, act, after, codes, play, refused, told

DRY = "hands=2s/2h"
"""The same with an empty draw pile."""


def ended(text: str, *acts: str) -> Outcome:
    outcome = play(text, *acts).outcome()
    assert outcome is not None
    return outcome


def ranks(outcome: Outcome) -> list[int]:
    return [standing.rank for standing in outcome.standings]


# 5: backs


@pytest.mark.rule("duel52", 5, "4.2")
def test_5_damage_stays_when_a_card_is_flipped() -> None:
    text = f"standard A3 (Js)1|-|-/5c,9c|-|- {REST}"
    state = play(text, "flip Js", "play 2s 1")
    assert after(text, "flip Js") == f"standard A2 Js1|-|-/5c,9c|-|- {REST}"
    # two more points are left: a 9 deals them at once
    assert state.damage[state.rows[0][0]] == 1
    assert after(f"standard A3 5s,9s|-|-/Jc1|-|- {REST}", "attack 9s Jc") == (
        f"standard A2 5s,9s!|-|-/-|-|- {REST} gone=Jc"
    )


@pytest.mark.rule("duel52", 5, 20, "4.3")
def test_5_a_card_killed_face_down_is_told_to_those_who_knew_it() -> None:
    state = play(f"standard A3 5s|-|-/(Kc)1|-|- {REST}", "attack 5s Kc")
    (killed,) = told(state, "killed")
    assert killed.seen_by(1).facts["card"] == 47 - 3  # type: ignore[union-attr]
    for viewer in (0, None):
        assert "card" not in killed.seen_by(viewer).facts  # type: ignore[union-attr]
    known = play(f"standard A3 5s|-|-/(Kc)1@AB|-|- {REST}", "attack 5s Kc")
    assert "card" in told(known, "killed")[0].seen_by(0).facts  # type: ignore[union-attr]


# 15: teams


@pytest.mark.rule("duel52", 15)
def test_15_frost_lasts_to_the_end_of_the_sides_next_turn() -> None:
    text = "teams A1 (6s)@A|-|-/Jc|-|- hands=2s/2h/3s/3h pile=2d2c4d4c"
    frozen = "teams B3 6s|-|-/Jc*|-|- hands=2s/2d2h/3s/3h pile=2c4d4c"
    assert after(text, "flip 6s") == frozen
    state = play(frozen, "play 2h 2", "play 2d 2")
    assert state.actions == 1
    text = "teams B1 6s|-|-/Jc*|-|- hands=2s/2h/3s/3h pile=2d2c"
    assert after(text, "play 2h 2") == "teams C3 6s|-|-/Jc|(2h)@B|- hands=2s/-/2d3s/3h pile=2c"


# looking


@pytest.mark.rule("duel52", 19, "6.3", "8.1")
def test_a_4_looks_at_any_back_and_only_its_player_sees_it() -> None:
    text = f"standard A3 (4s),(5s)|[Ks]|-/(Jc),9c|-|[Kd] {REST}"
    state = play(text, "flip 4s")
    assert codes(state, "look") == {"5s", "Ks", "Jc", "Kd"}
    assert refused(f"standard A2 4s,(5s)|-|-/9c|-|- {REST} ask=look:0", "look 9c") == "only_backs"
    assert after(text, "flip 4s", "look Kd") == (f"standard A2 4s,(5s)|[Ks]|-/(Jc),9c|-|[Kd]@A {REST}")
    seen = play(text, "flip 4s", "look Jc")
    assert seen.observe(0).row(1, 0)[0].card == 36
    assert seen.observe(None).row(1, 0)[0].card == -1
    (look,) = told(seen, "look")
    assert look.seen_by(0).facts["card"] == 36  # type: ignore[union-attr]
    assert "card" not in look.seen_by(1).facts  # type: ignore[union-attr]


@pytest.mark.rule("duel52", 19)
def test_a_4_must_look_while_there_is_a_back_own_ones_included() -> None:
    state = play(f"standard A3 (4s),(5s)|-|-/9c|-|- {REST}", "flip 4s")
    assert {move.verb for move in state.legal_actions(0)} == {"look"}
    assert refused(f"standard A2 4s,(5s)|-|-/9c|-|- {REST} ask=look:0", "flip 5s") == "choose_first"
    assert after(f"standard A3 (4s)|-|-/9c|-|- {REST}", "flip 4s") == f"standard A2 4s|-|-/9c|-|- {REST}"


@pytest.mark.rule("duel52", 19, "8.2")
def test_in_teams_a_back_is_shown_once_then_known_but_never_shown_again() -> None:
    text = "teams A3 (4s)@A|-|-/(Jc)@B|-|- hands=2s/2h/3s/3h pile=2d2c"
    state = play(text, "flip 4s", "look Jc")
    back = state.observe(0).row(1, 0)[0]
    assert (back.card, back.shown) == (36, True)
    # whoever laid it knows it as well, and is shown nothing
    assert not state.observe(1).row(1, 0)[0].shown
    assert state.observe(1).row(1, 0)[0].card == 36
    # a log can be read again, so it is not in there
    (look,) = told(state, "look")
    assert "card" not in look.seen_by(0).facts  # type: ignore[union-attr]
    assert state.observe(2).row(1, 0)[0].card == -1
    state.apply(0, act(state, "play 2s 1"))
    back = state.observe(0).row(1, 0)[0]
    assert (back.card, back.shown) == (36, False)
    laid = play("teams A3 -|-|-/Jc|-|- hands=2s5s/2h/3s/3h pile=2d2c", "play 5s 1").observe(0).row(0, 0)[0]
    assert (laid.card, laid.shown) == (15, False)


@pytest.mark.rule("duel52", "8.1", "2.1")
def test_players_know_what_they_laid_but_never_the_bases() -> None:
    seen = read(f"standard A3 (4s)|[5s]|-/-|-|- {REST}").observe(0)
    assert [unit.card for unit in (*seen.row(0, 0), *seen.row(0, 1))] == [11, -1]
    assert seen.row(0, 0)[0].shown


# 6: the 5 and the King


@pytest.mark.rule("duel52", 6)
def test_6_what_a_5_flips_for_a_king_is_not_added_to_the_list() -> None:
    # the King reactivates the 5, the 5 turns the 7 up: it heals once, and the Ace waits in the King's list
    text = f"standard A3 (Ks),5s,As!,(7s)|8s1|-/9c|-|- {REST}"
    state = play(text, "flip Ks", "order 5s")
    assert not state.asks
    assert len(told(state, "heal")) == 1
    assert after(text, "flip Ks", "order 5s") == f"standard A3 Ks,5s,As+,7s|8s|-/9c|-|- {REST}"


@pytest.mark.rule("duel52", 6)
def test_6_a_king_flipped_by_a_5_empowers_what_the_5_flipped() -> None:
    text = f"standard A3 (5s),(Ks),(As)|-|-/9c|-|- {REST}"
    state = play(text, "flip 5s", "order Ks")
    # the King's list: the 5 and the Ace; the Ace's own flip waits below
    assert codes(state, "order") == {"5s", "As"}
    assert play(text, "flip 5s", "order Ks", "order 5s").actions == 4


# 7: the 6


@pytest.mark.rule("duel52", 7)
def test_7_frost_lasts_until_the_end_of_the_owners_next_turn() -> None:
    text = "standard A1 (6s)|-|-/8c|-|- hands=2s/2h3h4h pile=2d2c5d5c"
    frozen = play(text, "flip 6s")
    assert frozen.turn == 1
    assert frozen.flags[frozen.rows[3][0]] & 2
    thawed = "standard A3 6s|-|-/8c|(2h),(3h),(4h)|- hands=2c2s/2d pile=5d5c"
    assert after(text, "flip 6s", "play 2h 2", "play 3h 2", "play 4h 2") == thawed


# 8: the Queen


@pytest.mark.rule("duel52", 8)
def test_8_a_moved_card_does_not_reactivate_but_a_jack_taunts_at_once() -> None:
    text = f"standard A1 (Qs)|7s,Js1|-/8c|-|- {REST}"
    moved = play(text, "flip Qs", "move Js")
    assert not told(moved, "heal")
    # it is B's turn now, and the 8 may hit nothing but the Jack
    assert codes(moved, "attack") == {"Js"}


@pytest.mark.rule("duel52", 8)
def test_8_a_base_moves_only_when_the_pile_is_empty_and_stays_unseen() -> None:
    text = f"standard A2 Qs|8s|[5s]/8c|-|- {REST} ask=move:0"
    assert refused(text, "move 5s") == "locked_base"
    text = f"standard A3 (Qs)|8s|(5s)@-/8c|-|- {DRY}"
    state = play(text, "flip Qs", "move 5s")
    assert after(text, "flip Qs", "move 5s") == f"standard A2 Qs,(5s)@-|8s|-/8c|-|- {DRY} held=-AA"
    assert state.observe(0).row(0, 0)[1].card == -1


# 9: the Ace


@pytest.mark.rule("duel52", 9)
def test_9_an_ace_attacks_once_in_later_turns() -> None:
    state = play("standard A1 As+|-|-/9c,Jc|-|- hands=2s/2h pile=2d2c", "attack As Jc")
    assert "As+" not in after("standard A1 As+|-|-/9c,Jc|-|- hands=2s/2h pile=2d2c", "attack As Jc")
    assert state.turn == 1


# 10: the 2


@pytest.mark.rule("duel52", 10, "6.1")
def test_10_a_2_draws_then_discards_any_card_of_the_hand() -> None:
    text = "standard A3 (2s)|-|-/8c|-|- hands=3s/2h pile=2d2c"
    state = play(text, "flip 2s")
    assert [move.card for move in state.legal_actions(0)] == [1, 7]
    assert after(text, "flip 2s", "discard 3s") == (
        "standard A2 2s|-|-/8c|-|- hands=2d/2h pile=2c gone={3s}@A"
    )
    assert (
        refused("standard A2 2s|-|-/8c|-|- hands=2d3s/2h pile=2c ask=discard:0", "discard 2h")
        == "not_in_hand"
    )


@pytest.mark.rule("duel52", 10)
def test_10_the_discard_is_face_down_for_the_others() -> None:
    state = play("standard A3 (2s)|-|-/8c|-|- hands=3s/2h pile=2d2c", "flip 2s", "discard 3s")
    assert [state.observe(viewer).gone[0].card for viewer in (0, 1, None)] == [7, -1, -1]
    (event,) = told(state, "discard")
    assert "card" not in event.seen_by(1).facts  # type: ignore[union-attr]


# 12: the pile


@pytest.mark.rule("duel52", 12)
def test_12_a_5_after_a_2_flips_the_base_that_the_2_unlocked() -> None:
    text = "standard A3 (Ks),5h,2s,[8s]|-|-/8c|-|- hands=3s/2h pile=2d"
    state = play(text, "flip Ks", "order 2s", "discard 3s")
    assert state.events is not None
    assert after(text, "flip Ks", "order 2s", "discard 3s") == (
        "standard A2 Ks,5h,2s,8s|-|-/8c|-|- hands=2d/2h gone={3s}@A"
    )


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


# 13: winning


@pytest.mark.rule("duel52", 13, "1.3")
def test_13_two_lanes_win_when_the_opponents_hand_is_empty() -> None:
    outcome = ended("standard A3 5s|5h|-/9c1|-|8c", "attack 5s 9c")
    assert (outcome.reason, ranks(outcome)) == ("two_lanes", [1, 2])
    assert [standing.score for standing in outcome.standings] == [1.0, 0.0]


@pytest.mark.rule("duel52", 13)
def test_13_the_test_comes_after_the_powers() -> None:
    # the Queen leaves lane 2 to B before her power is done, and nothing is tested in between
    state = play("standard A3 (Qs)|4s|3s/9c|8c|7c", "flip Qs")
    assert state.outcome() is None
    assert state.asks


@pytest.mark.rule("duel52", 13)
def test_13_by_rules_1_both_sides_may_have_two_lanes_and_draw() -> None:
    # the attack on the 8 kills both: lanes 1 and 2 are empty, each side is gone from two lanes
    outcome = ended("standard A3 5s1|-|4s/8c1|-|9c held=none", "attack 5s 8c")
    assert (outcome.reason, ranks(outcome)) == ("both_sides", [1, 1])
    assert [standing.score for standing in outcome.standings] == [0.5, 0.5]


@pytest.mark.rule("duel52", 13)
def test_13_by_rules_1_a_queen_may_hand_over_a_lane() -> None:
    text, acts = "standard A2 9s|(Qh)|-/-|Kc|5d", ("flip Qh", "move 9s")
    assert ranks(ended(f"{text} held=none", *acts)) == [2, 1]
    state = play(text, *acts)
    assert state.outcome() is None
    assert state.held == [0, BOTH, 1]


@pytest.mark.rule("duel52", 13)
def test_13_in_teams_an_empty_lane_is_held_by_both_partners() -> None:
    text = "teams C2 9s|(Qh)|-/-|Kc|5d"
    state = play(text, "flip Qh", "move 9s")
    assert state.outcome() is None
    assert state.held == [0, BOTH, 1]
    outcome = ended("teams C2 -|5s|-/-|8c1|5d held=A-B", "attack 5s 8c")
    assert ranks(outcome) == [1, 2, 1, 2]


def test_13_games_of_version_1_go_on_by_their_rules() -> None:
    old = GAME.at(1)
    setup = old.setup(2, bytes(32), variant="standard", vampiric=False)
    state = old.deal(setup)
    assert isinstance(state, DuelState)
    assert state.held == []
    world = old.sample(state.observe(0), random.Random(1))
    assert isinstance(world, DuelState)
    assert world.held == []
    now = GAME.deal(GAME.setup(2, bytes(32), variant="standard", vampiric=False))
    assert now.held == [BOTH] * 3


@pytest.mark.parametrize("variant", VARIANTS)
def test_13_games_of_version_2_go_on_by_their_rules(variant: str) -> None:
    old, seats = GAME.at(2), VARIANTS[variant].seats
    state = old.deal(old.setup(seats, bytes(32), variant=variant, vampiric=False))
    assert isinstance(state, DuelState)
    assert state.held == ([NEITHER] * state.lanes if state.sides == 2 else [])
    world = old.sample(state.observe(0), random.Random(1))
    assert isinstance(world, DuelState)
    assert world.held == state.held
    assert read(write(state)).held == state.held


@pytest.mark.rule("duel52", 13)
def test_13_in_teams_both_hands_of_the_other_side_must_be_empty() -> None:
    assert play("teams A3 5s|5h|-/9c1|-|8c hands=-/-/-/2h", "attack 5s 9c").outcome() is None
    outcome = ended("teams C3 5s|5h|-/9c1|-|8c hands=2s/-/2h/-", "attack 5s 9c")
    assert ranks(outcome) == [1, 2, 1, 2]
    assert [standing.team for standing in outcome.standings] == [0, 1, 0, 1]


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


@pytest.mark.rule("duel52", 14)
def test_14_a_jack_taunts_for_everybody_elses_attacks() -> None:
    state = read("triangles A3 5s|-|-|-/8c|-|-|-/Jd,9d|-|-|- hands=2s/2h/2c pile=3c3d")
    assert {m.target for m in state.legal_actions(0) if m.verb == "attack"} == {2}
    # its owner is not held by it
    state = read("triangles C3 5s|-|-|-/8c|-|-|-/Jd,9d|-|-|- hands=2s/2h/2c pile=3c3d")
    assert {m.target for m in state.legal_actions(2) if m.verb == "attack"} == {0, 1}


@pytest.mark.rule("duel52", 14)
def test_14_the_turn_of_who_is_out_does_not_count() -> None:
    state = play("triangles A1 5s,5h|-|-|-/8c1|-|-|-/4d|3d|-|- hands=2s/-/2c turns=9", "attack 5s 8c")
    assert (state.turn, state.turns, state.quiet) == (2, 10, 0)
    assert [event.seat for event in told(state, "turn")] == [2]
    assert told(state, "no_action") == []


@pytest.mark.rule("duel52", 14)
def test_14_it_is_tested_when_a_2_takes_the_last_card() -> None:
    text = "triangles A3 5s|5h,(2s)|-|-/-|-|8c|-/-|-|8d|- hands=-/2h/2c pile=3c"
    state = play(text, "flip 2s")
    assert state.outcome() is not None
    assert not state.asks


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
    assert ended("solo A2 -|5s|-/-|8c1|5d held=--B bet=B", "attack 5s 8c").facts["bet_won"] is False
