"""Powers (docs/rules/duel52.md, decisions 6 to 10 and 12), and looking."""

from __future__ import annotations

import pytest

from engine.duel52.notation import read
from tests.engine.duel52.positions import act, after, codes, play, refused, told

REST = "hands=2s/2h pile=2d2c"
"""Cards elsewhere, so that no game ends."""
DRY = "hands=2s/2h"
"""The same with an empty draw pile."""


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


@pytest.mark.rule("duel52", 6, "6.4")
def test_6_a_5_turns_all_own_backs_of_its_lane_up_first() -> None:
    text = f"standard A3 (5s),(Js)*,(9s)1*|(4s)|[Ks]/(Jc)|-|- {REST}"
    # frozen ones too; a 9 shakes the frost off, and constant powers need no order
    assert after(text, "flip 5s") == f"standard A2 5s,Js*,9s1|(4s)|[Ks]/(Jc)|-|- {REST}"


@pytest.mark.rule("duel52", 6, "3.4", "6.4")
def test_6_a_5_leaves_a_locked_base_and_flips_it_when_the_pile_is_empty() -> None:
    text = f"standard A3 (5s),[Ks],(8s)|-|-/(Jc)|-|- {REST}"
    assert after(text, "flip 5s") == f"standard A2 5s,[Ks],8s|-|-/(Jc)|-|- {REST}"
    text = f"standard A3 (5s),(8s)@-|-|-/(Jc)|-|- {DRY}"
    assert after(text, "flip 5s") == f"standard A2 5s,8s|-|-/(Jc)|-|- {DRY}"


@pytest.mark.rule("duel52", 6)
def test_6_what_a_5_flips_works_in_the_chosen_order_and_the_last_by_itself() -> None:
    text = f"standard A3 (5s),(6s),(As),(7s)1|-|-/(Jc)|-|- {REST}"
    state = play(text, "flip 5s")
    assert codes(state, "order") == {"6s", "As", "7s"}
    assert after(text, "flip 5s", "order 7s") == (
        f"standard A2 5s,6s,As,7s|-|-/(Jc)|-|- {REST} ask=order:0:1,2"
    )
    assert after(text, "flip 5s", "order 7s", "order As") == (
        f"standard A3 5s,6s,As+,7s|-|-/(Jc)*|-|- {REST}"
    )
    assert refused(f"standard A2 5s,6s,As,8s|-|-/(Jc)|-|- {REST} ask=order:0:1,2", "order 8s") == "not_listed"


@pytest.mark.rule("duel52", 6, "6.12")
def test_6_a_king_takes_a_list_of_flip_powers_and_no_kings() -> None:
    text = f"standard A3 (Ks),Kh,6s,8s,7s,(5s)|-|-/9c,8c|-|- {REST}"
    state = play(text, "flip Ks")
    assert codes(state, "order") == {"6s", "7s"}
    assert after(text, "flip Ks", "order 6s") == (f"standard A2 Ks,Kh,6s,8s,7s,(5s)|-|-/9c,8c*|-|- {REST}")


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


@pytest.mark.rule("duel52", 6, "7.2")
def test_6_a_vampiric_4_is_on_no_list() -> None:
    text = f"standard+v A3 (Ks),4s,7s|8s1|-/(9c)|-|- {REST}"
    assert after(text, "flip Ks") == f"standard+v A2 Ks,4s,7s|8s|-/(9c)|-|- {REST}"
    assert after(f"standard+v A3 (4s)|-|-/(9c)|-|- {REST}", "flip 4s") == (
        f"standard+v A2 4s|-|-/(9c)|-|- {REST}"
    )


# 7: the 6


@pytest.mark.rule("duel52", 7, "6.5", "6.8")
def test_7_a_6_freezes_all_but_a_face_up_9() -> None:
    text = f"standard A3 (6s),8s|-|-/9c,(9d),8c,[Kc]|8d|- {REST}"
    assert after(text, "flip 6s") == f"standard A2 6s,8s|-|-/9c,(9d)*,8c*,[Kc]*|8d|- {REST}"


@pytest.mark.rule("duel52", 7)
def test_7_frost_lasts_until_the_end_of_the_owners_next_turn() -> None:
    text = "standard A1 (6s)|-|-/8c|-|- hands=2s/2h3h4h pile=2d2c5d5c"
    frozen = play(text, "flip 6s")
    assert frozen.turn == 1
    assert frozen.flags[frozen.rows[3][0]] & 2
    thawed = "standard A3 6s|-|-/8c|(2h),(3h),(4h)|- hands=2c2s/2d pile=5d5c"
    assert after(text, "flip 6s", "play 2h 2", "play 3h 2", "play 4h 2") == thawed


@pytest.mark.rule("duel52", 7, "6.5")
def test_7_frozen_cards_pair_and_move_but_do_not_attack_or_flip() -> None:
    text = f"standard A3 5s*,5h*,(4s)*|(Qs)|-/8c|-|- {REST}"
    assert refused(text, "attack 5s 8c") == "frozen_attack"
    assert refused(text, "flip 4s") == "frozen_flip"
    assert after(text, "pair 5s 5h") == f"standard A2 5s*=a,5h*=a,(4s)*|(Qs)|-/8c|-|- {REST}"
    assert after(text, "flip Qs", "move 4s") == f"standard A2 5s*,5h*|Qs,(4s)*|-/8c|-|- {REST}"


@pytest.mark.rule("duel52", 7)
def test_7_frozen_cards_keep_their_constant_powers_and_reactivate() -> None:
    assert refused(f"standard A3 5s|-|-/Jc*,4c|-|- {REST}", "attack 5s 4c") == "taunted"
    assert after(f"standard A3 5s|-|-/8c*|-|- {REST}", "attack 5s 8c") == (
        f"standard A2 5s1!|-|-/8c1*|-|- {REST}"
    )
    assert after(f"standard A3 (Ks),As*|-|-/8c|-|- {REST}", "flip Ks") == (
        f"standard A3 Ks,As*+|-|-/8c|-|- {REST}"
    )


# the 7


@pytest.mark.rule("duel52", "6.6")
def test_a_7_heals_the_own_board_in_all_lanes() -> None:
    text = f"standard A3 (7s),Js2|(4s)1|5s1/8c1|-|- {REST}"
    assert after(text, "flip 7s") == f"standard A2 7s,Js|(4s)|5s/8c1|-|- {REST}"


# 8: the Queen


@pytest.mark.rule("duel52", 8, "6.11")
def test_8_a_queen_may_decline() -> None:
    text = f"standard A3 (Qs)|8s|-/8c|-|- {REST}"
    assert after(text, "flip Qs", "stay") == f"standard A2 Qs|8s|-/8c|-|- {REST}"
    assert after(f"standard A3 (Qs),8s|-|-/8c|-|- {REST}", "flip Qs") == (
        f"standard A2 Qs,8s|-|-/8c|-|- {REST}"
    )


@pytest.mark.rule("duel52", 8, "6.11")
def test_8_a_moved_card_keeps_damage_frost_and_whether_it_attacked() -> None:
    text = f"standard A3 (Qs)|8s1*!|-/8c|-|- {REST}"
    assert after(text, "flip Qs", "move 8s") == f"standard A2 Qs,8s1*!|-|-/8c|-|- {REST}"


@pytest.mark.rule("duel52", 8, 11)
def test_8_moving_one_of_a_pair_unpairs_both() -> None:
    text = f"standard A3 (Qs)|8s=a,8h=a|-/8c|-|- {REST}"
    assert after(text, "flip Qs", "move 8h") == f"standard A2 Qs,8h|8s|-/8c|-|- {REST}"


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
    assert after(text, "flip Qs", "move 5s") == f"standard A2 Qs,(5s)@-|8s|-/8c|-|- {DRY}"
    assert state.observe(0).row(0, 0)[1].card == -1


@pytest.mark.rule("duel52", 8)
def test_8_a_queen_calls_from_other_lanes_only() -> None:
    text = f"standard A2 Qs,7s|8s|-/8c|-|- {REST} ask=move:0"
    assert refused(text, "move 7s") == "same_lane"
    assert refused(text, "move 8c") == "not_yours"


# 9: the Ace


@pytest.mark.rule("duel52", 9, "6.13")
def test_9_an_ace_gives_an_action_and_attacks_twice_when_flipped() -> None:
    text = f"standard A3 (As)|-|-/8c,9c|-|- {REST}"
    assert after(text, "flip As") == f"standard A3 As+|-|-/8c,9c|-|- {REST}"
    assert after(text, "flip As", "attack As 9c", "attack As 9c") == (
        f"standard A1 As!|-|-/8c|-|- {REST} gone=9c"
    )
    state = play(text, "flip As", "attack As 9c", "attack As 9c")
    assert codes(state, "attack") == set()


@pytest.mark.rule("duel52", 9)
def test_9_an_ace_attacks_once_in_later_turns() -> None:
    state = play("standard A1 As+|-|-/9c,Jc|-|- hands=2s/2h pile=2d2c", "attack As Jc")
    assert "As+" not in after("standard A1 As+|-|-/9c,Jc|-|- hands=2s/2h pile=2d2c", "attack As Jc")
    assert state.turn == 1


@pytest.mark.rule("duel52", 9)
def test_9_a_kinged_ace_counts_its_attacks_anew() -> None:
    text = f"standard A3 (Ks),As!|-|-/Jc,9c|-|- {REST}"
    assert after(text, "flip Ks") == f"standard A3 Ks,As+|-|-/Jc,9c|-|- {REST}"
    assert after(text, "flip Ks", "attack As Jc", "attack As Jc") == (
        f"standard A1 Ks,As!|-|-/Jc2,9c|-|- {REST}"
    )


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


@pytest.mark.rule("duel52", 10)
def test_10_a_2_with_an_empty_pile_does_nothing() -> None:
    text = f"standard A3 (2d)|-|-/8c|-|- {DRY}"
    assert after(text, "flip 2d") == f"standard A2 2d|-|-/8c|-|- {DRY}"


# 12: the pile


@pytest.mark.rule("duel52", 12, "3.4")
def test_12_the_last_card_unlocks_the_bases_in_the_middle_of_a_turn() -> None:
    text = "standard A3 (2s)|[5s]|-/[8c]|-|- hands=3s/2h pile=2d"
    assert after(text, "flip 2s", "discard 3s") == (
        "standard A2 2s|(5s)@-|-/(8c)@-|-|- hands=2d/2h gone={3s}@A"
    )
    assert after(text, "flip 2s", "discard 3s", "flip 5s", "attack 2s 8c") == (
        "standard B3 2s|5s|-/(8c)1@-|-|- hands=2d/2h gone={3s}@A"
    )


@pytest.mark.rule("duel52", 12)
def test_12_a_5_after_a_2_flips_the_base_that_the_2_unlocked() -> None:
    text = "standard A3 (Ks),5h,2s,[8s]|-|-/8c|-|- hands=3s/2h pile=2d"
    state = play(text, "flip Ks", "order 2s", "discard 3s")
    assert state.events is not None
    assert after(text, "flip Ks", "order 2s", "discard 3s") == (
        "standard A2 Ks,5h,2s,8s|-|-/8c|-|- hands=2d/2h gone={3s}@A"
    )


@pytest.mark.rule("duel52", "3.4")
def test_a_locked_base_cannot_be_flipped() -> None:
    assert refused(f"standard A3 [5s]|-|-/8c|-|- {REST}", "flip 5s") == "locked_base"
    assert refused(f"standard A3 5s|-|-/8c|-|- {REST}", "flip 5s") == "already_up"


@pytest.mark.rule("duel52", "3.2", "6.1")
def test_a_drawn_card_may_be_played_with_what_is_left() -> None:
    text = "standard A2 (2s)|-|-/8c|-|- hands=3s/2h pile=2d2c"
    assert after(text, "flip 2s", "discard 3s", "play 2d 3") == (
        "standard B3 2s|-|(2d)/8c|-|- hands=-/2c2h gone={3s}@A"
    )
