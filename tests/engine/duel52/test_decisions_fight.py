"""Attacks, damage and pairs (docs/rules/duel52.md, decisions 1 to 5, 11 and 15)."""

from __future__ import annotations

import pytest

from engine.duel52.notation import read
from tests.engine.duel52.positions import after, codes, play, refused, told

REST = "hands=2s/2h pile=2d2c"
"""Cards elsewhere, so that no game ends."""


# 1: the 10


@pytest.mark.rule("duel52", 1, "6.9", "6.10")
def test_1_a_10_against_a_jack_hits_only_jacks() -> None:
    text = f"standard A3 Ts|-|-/Jc,9c,(4c)|-|- {REST}"
    assert codes(read(text), "attack") == {"Jc"}
    assert refused(text, "attack Ts Jc 4c") == "taunted"
    assert after(text, "attack Ts Jc") == f"standard A2 Ts!|-|-/Jc1,9c,(4c)|-|- {REST}"


@pytest.mark.rule("duel52", 1)
def test_1_a_10_against_two_jacks_deals_one_damage_each() -> None:
    text = f"standard A3 Ts|-|-/Jc,9c,Jd|-|- {REST}"
    assert codes(read(text), "attack") == {"Jc Jd"}
    assert refused(text, "attack Ts Jc") == "two_targets"
    assert after(text, "attack Ts Jd Jc") == f"standard A2 Ts!|-|-/Jc1,9c,Jd1|-|- {REST}"


@pytest.mark.rule("duel52", 1)
def test_1_a_jack_that_dies_to_the_first_half_still_protects() -> None:
    text = f"standard A3 Ts|-|-/Jc2,9c,(4c)|-|- {REST}"
    assert refused(text, "attack Ts Jc 4c") == "taunted"
    assert after(text, "attack Ts Jc") == f"standard A2 Ts!|-|-/9c,(4c)|-|- {REST} gone=Jc"


@pytest.mark.rule("duel52", 1)
def test_1_a_10_must_name_two_where_it_can() -> None:
    text = f"standard A3 Ts|-|-/8c,(4c),5c|-|- {REST}"
    assert refused(text, "attack Ts 4c") == "two_targets"
    assert codes(read(text), "attack") == {"8c 4c", "8c 5c", "4c 5c"}
    assert after(text, "attack Ts 5c 4c") == f"standard A2 Ts!|-|-/8c,(4c)1,5c1|-|- {REST}"


@pytest.mark.rule("duel52", 1)
def test_1_a_face_up_9_may_be_named_only_alone() -> None:
    text = f"standard A3 Ts|-|-/9c,(4c)|-|- {REST}"
    assert refused(text, "attack Ts 9c 4c") == "nine_alone"
    assert codes(read(text), "attack") == {"9c", "4c"}
    assert after(text, "attack Ts 9c") == f"standard A2 Ts!|-|-/9c1,(4c)|-|- {REST}"
    assert after(text, "attack Ts 4c") == f"standard A2 Ts!|-|-/9c,(4c)1|-|- {REST}"


@pytest.mark.rule("duel52", 1, "6.9")
def test_1_a_pair_of_10s_deals_two_and_one() -> None:
    text = f"standard A3 Ts=a,Th=a|-|-/8c,5c|-|- {REST}"
    assert codes(read(text), "attack") == {"8c 5c", "5c 8c"}
    assert refused(text, "attack Ts 5c") == "two_targets"
    # both attackers are damaged by the 8, though only one point hit it
    assert after(text, "attack Th 5c 8c") == f"standard A2 Ts1!=a,Th1!=a|-|-/8c1|-|- {REST} gone=5c"


@pytest.mark.rule("duel52", 1)
def test_1_a_pair_of_10s_with_one_legal_target_deals_two() -> None:
    text = f"standard A3 Ts=a,Th=a|-|-/5c|-|- {REST}"
    assert after(text, "attack Ts 5c") == f"standard A2 Ts!=a,Th!=a|-|-/-|-|- {REST} gone=5c"
    text = f"standard A3 Ts=a,Th=a|-|-/5c,9c|-|- {REST}"
    assert after(text, "attack Ts 9c") == f"standard A2 Ts!=a,Th!=a|-|-/5c|-|- {REST} gone=9c"
    assert after(text, "attack Ts 5c") == f"standard A2 Ts!=a,Th!=a|-|-/9c|-|- {REST} gone=5c"


@pytest.mark.rule("duel52", 1)
def test_1_only_a_10_has_two_targets() -> None:
    assert refused(f"standard A3 8s|-|-/5c,4c|-|- {REST}", "attack 8s 5c 4c") == "one_target"


# 2: the 9


@pytest.mark.rule("duel52", 2, "6.8")
def test_2_a_9_deals_two_to_a_face_up_jack_only() -> None:
    assert after(f"standard A3 9s|-|-/Jc|-|- {REST}", "attack 9s Jc") == (
        f"standard A2 9s!|-|-/Jc2|-|- {REST}"
    )
    assert after(f"standard A3 9s|-|-/(Jc)|-|- {REST}", "attack 9s Jc") == (
        f"standard A2 9s!|-|-/(Jc)1|-|- {REST}"
    )
    assert after(f"standard A3 9s|-|-/5c|-|- {REST}", "attack 9s 5c") == (
        f"standard A2 9s!|-|-/5c1|-|- {REST}"
    )


@pytest.mark.rule("duel52", 2)
def test_2_a_pair_of_9s_deals_three_to_a_jack() -> None:
    text = f"standard A3 9s=a,9h=a|-|-/Jc|-|- {REST}"
    assert after(text, "attack 9s Jc") == f"standard A2 9s!=a,9h!=a|-|-/-|-|- {REST} gone=Jc"


# 3: the 8, and the Vampiric


@pytest.mark.rule("duel52", 3, "6.7", "6.8")
def test_3_an_8_damages_its_attacker_but_not_a_9() -> None:
    assert after(f"standard A3 5s|-|-/8c|-|- {REST}", "attack 5s 8c") == (
        f"standard A2 5s1!|-|-/8c1|-|- {REST}"
    )
    assert after(f"standard A3 9s|-|-/8c|-|- {REST}", "attack 9s 8c") == (
        f"standard A2 9s!|-|-/8c1|-|- {REST}"
    )


@pytest.mark.rule("duel52", 3)
def test_3_an_8_damages_also_when_it_dies_of_it() -> None:
    text = f"standard A3 5s1|-|-/8c1|-|- {REST}"
    assert after(text, "attack 5s 8c") == f"standard A2 -|-|-/-|-|- {REST} gone=8c,5s"


@pytest.mark.rule("duel52", 3)
def test_3_an_8_damages_also_as_the_second_target_of_a_10() -> None:
    text = f"standard A3 Ts|-|-/5c,8c|-|- {REST}"
    assert after(text, "attack Ts 5c 8c") == f"standard A2 Ts1!|-|-/5c1,8c1|-|- {REST}"


@pytest.mark.rule("duel52", 3)
def test_3_a_pair_that_attacks_an_8_takes_one_damage_each() -> None:
    text = f"standard A3 5s=a,5h1=a|-|-/8c|-|- {REST}"
    # the pair is one card short afterwards: the other is single again
    assert after(text, "attack 5s 8c") == f"standard A2 5s1!|-|-/-|-|- {REST} gone=8c,5h"


@pytest.mark.rule("duel52", 3)
def test_3_two_8s_hit_by_one_attack_deal_one_each() -> None:
    text = f"standard A3 Ts|-|-/8c,8d|-|- {REST}"
    assert after(text, "attack Ts 8c 8d") == f"standard A2 -|-|-/8c1,8d1|-|- {REST} gone=Ts"


@pytest.mark.rule("duel52", 3, "6.10")
def test_3_a_jack_that_attacks_an_8_has_three_points() -> None:
    assert after(f"standard A3 Js1|-|-/8c|-|- {REST}", "attack Js 8c") == (
        f"standard A2 Js2!|-|-/8c1|-|- {REST}"
    )


@pytest.mark.rule("duel52", 3)
def test_3_a_face_down_8_is_only_a_back() -> None:
    text = f"standard A3 5s|-|-/(8c)|-|- {REST}"
    assert after(text, "attack 5s 8c") == f"standard A2 5s!|-|-/(8c)1|-|- {REST}"


@pytest.mark.rule("duel52", 3, "7.2")
def test_3_a_vampiric_card_heals_when_it_kills() -> None:
    text = f"standard+v A3 4s1|-|-/5c1|-|- {REST}"
    assert after(text, "attack 4s 5c") == f"standard+v A2 4s!|-|-/-|-|- {REST} gone=5c"
    # without a kill, and without vampires, nothing heals
    assert after(f"standard+v A3 4s1|-|-/5c|-|- {REST}", "attack 4s 5c") == (
        f"standard+v A2 4s1!|-|-/5c1|-|- {REST}"
    )
    assert after(f"standard A3 4s1|-|-/5c1|-|- {REST}", "attack 4s 5c") == (
        f"standard A2 4s1!|-|-/-|-|- {REST} gone=5c"
    )


@pytest.mark.rule("duel52", 3)
def test_3_a_vampiric_heal_comes_before_deaths_are_counted() -> None:
    text = f"standard+v A3 3s1|-|-/8c1|-|- {REST}"
    assert after(text, "attack 3s 8c") == f"standard+v A2 3s1!|-|-/-|-|- {REST} gone=8c"
    assert after(f"standard+v A3 3s1|-|-/8c|-|- {REST}", "attack 3s 8c") == (
        f"standard+v A2 -|-|-/8c1|-|- {REST} gone=3s"
    )


@pytest.mark.rule("duel52", 3)
def test_3_in_a_pair_each_vampire_heals() -> None:
    text = f"standard+v A3 3s1=a,3h1=a|-|-/5c|-|- {REST}"
    assert after(text, "attack 3s 5c") == f"standard+v A2 3s!=a,3h!=a|-|-/-|-|- {REST} gone=5c"


# 4: the 3


@pytest.mark.rule("duel52", 4, "6.2")
def test_4_a_3_killed_face_down_returns_face_up_without_damage() -> None:
    text = f"standard A3 5s|-|-/(3c)1|-|- {REST}"
    assert after(text, "attack 5s 3c") == f"standard A2 5s!|-|-/3c|-|- {REST}"


@pytest.mark.rule("duel52", 4)
def test_4_excess_damage_is_lost_and_frost_stays() -> None:
    text = f"standard A3 5s=a,5h=a|-|-/(3c)1*|-|- {REST}"
    assert after(text, "attack 5s 3c") == f"standard A2 5s!=a,5h!=a|-|-/3c*|-|- {REST}"


@pytest.mark.rule("duel52", 4, "4.3", "6.2")
def test_4_a_3_killed_face_up_is_gone() -> None:
    text = f"standard A3 5s|-|-/3c1|-|- {REST}"
    assert after(text, "attack 5s 3c") == f"standard A2 5s!|-|-/-|-|- {REST} gone=3c"


@pytest.mark.rule("duel52", 4)
def test_4_a_base_3_springs_too_after_the_pile_ran_out() -> None:
    text = "standard A3 5s|-|-/(3c)1@-|-|- hands=2s/2h"
    assert after(text, "attack 5s 3c") == "standard A2 5s!|-|-/3c|-|- hands=2s/2h"


@pytest.mark.rule("duel52", 4, "7.2")
def test_4_a_vampiric_3_springs_no_trap() -> None:
    text = f"standard+v A3 5s|-|-/(3c)1|-|- {REST}"
    assert after(text, "attack 5s 3c") == f"standard+v A2 5s!|-|-/-|-|- {REST} gone=(3c)@B"


# 5: backs


@pytest.mark.rule("duel52", 5)
def test_5_a_face_down_jack_has_two_points_and_does_not_taunt() -> None:
    text = f"standard A3 5s,6s|-|-/(Jc),(4c)|-|- {REST}"
    assert codes(read(text), "attack") == {"Jc", "4c"}
    assert after(text, "attack 5s Jc", "attack 6s Jc") == (
        f"standard A1 5s!,6s!|-|-/(4c)|-|- {REST} gone=(Jc)@B"
    )


@pytest.mark.rule("duel52", 5)
def test_5_a_face_down_9_can_be_hit_by_a_10_beside_another() -> None:
    text = f"standard A3 Ts|-|-/(9c),4c|-|- {REST}"
    assert codes(read(text), "attack") == {"9c 4c"}
    assert after(text, "attack Ts 9c 4c") == f"standard A2 Ts!|-|-/(9c)1,4c1|-|- {REST}"


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


# 11: pairs


@pytest.mark.rule("duel52", 11, "5.2")
def test_11_a_pair_deals_two_damage_with_one_action() -> None:
    text = f"standard A3 5s,5h|-|-/Jc|-|- {REST}"
    assert after(text, "pair 5h 5s", "attack 5h Jc") == f"standard A1 5s!=a,5h!=a|-|-/Jc2|-|- {REST}"


@pytest.mark.rule("duel52", 11)
def test_11_a_pair_attacks_only_if_each_still_may() -> None:
    text = f"standard A3 5s!,5h|-|-/Jc|-|- {REST}"
    assert refused(f"standard A3 5s!=a,5h=a|-|-/Jc|-|- {REST}", "attack 5h Jc") == "mate_cannot"
    assert refused(f"standard A3 5s*=a,5h=a|-|-/Jc|-|- {REST}", "attack 5h Jc") == "mate_cannot"
    assert codes(play(text, "pair 5s 5h"), "attack") == set()


@pytest.mark.rule("duel52", 11)
def test_11_two_aces_attack_twice_as_a_pair() -> None:
    text = f"standard A3 As+=a,Ah+=a|-|-/Jc,5c|-|- {REST}"
    assert after(text, "attack As Jc", "attack Ah Jc") == (
        f"standard A1 As!=a,Ah!=a|-|-/5c|-|- {REST} gone=Jc"
    )


@pytest.mark.rule("duel52", 11)
def test_11_one_fresh_ace_does_not_carry_the_other() -> None:
    text = f"standard A3 As+=a,Ah=a|-|-/Jc,5c|-|- {REST}"
    state = play(text, "attack As Jc")
    assert codes(state, "attack") == set()
    assert after(text, "attack As Jc") == f"standard A2 As=a,Ah!=a|-|-/Jc2,5c|-|- {REST}"


@pytest.mark.rule("duel52", 11, "5.1")
def test_11_what_makes_no_pair() -> None:
    assert refused(f"standard A3 5s,6s|-|-/Jc|-|- {REST}", "pair 5s 6s") == "pair_ranks"
    assert refused(f"standard A3 5s|5h|-/Jc|-|- {REST}", "pair 5s 5h") == "pair_lane"
    assert refused(f"standard A3 5s,(5h)|-|-/Jc|-|- {REST}", "pair 5s 5h") == "pair_face_down"
    assert refused(f"standard A3 5s=a,5h=a,5d|-|-/Jc|-|- {REST}", "pair 5s 5d") == "pair_three"


# attacks in general


@pytest.mark.rule("duel52", "3.3", "4.1")
def test_each_card_attacks_once_per_turn() -> None:
    text = f"standard A3 5s|-|-/Jc|-|- {REST}"
    state = play(text, "attack 5s Jc")
    assert codes(state, "attack") == set()
    assert refused(f"standard A3 5s!|-|-/Jc|-|- {REST}", "attack 5s Jc") == "has_attacked"


@pytest.mark.rule("duel52", "1.2", "3.4")
def test_attacks_stay_in_the_lane_and_among_enemies() -> None:
    text = f"standard A3 5s,(4s)|6s|-/Jc|Qc|[Kc] {REST}"
    assert refused(text, "attack 5s Qc") == "other_lane"
    assert refused(text, "attack 5s 6s") == "own_card"
    assert refused(text, "attack 4s Jc") == "back_cannot_attack"
    assert refused(text, "attack Jc 5s") == "not_yours"
    assert refused(f"standard A3 5s|-|-/[Kc]|-|- {REST}", "attack 5s Kc") == "base_safe"
    assert refused(f"standard A3 5s*|-|-/Kc|-|- {REST}", "attack 5s Kc") == "frozen_attack"


# 15: teams


@pytest.mark.rule("duel52", 15, "7.4")
def test_15_partners_use_each_others_cards_once_per_turn() -> None:
    text = "teams C3 5s,(7s)@A|-|-/Jc|-|- hands=2s/2h/3s/3h pile=2d2c"
    assert after(text, "attack 5s Jc", "flip 7s") == (
        "teams C1 5s!,7s|-|-/Jc1|-|- hands=2s/2h/3s/3h pile=2d2c"
    )
    assert refused(text, "flip Jc") == "not_yours"


@pytest.mark.rule("duel52", 15)
def test_15_a_bonus_action_belongs_to_whose_turn_it_is() -> None:
    text = "teams C1 (As)@A|-|-/Jc|-|- hands=2s/2h/3s/3h pile=2d2c"
    assert after(text, "flip As") == "teams C1 As+|-|-/Jc|-|- hands=2s/2h/3s/3h pile=2d2c"


@pytest.mark.rule("duel52", 15)
def test_15_own_means_the_sides_cards() -> None:
    text = "teams C3 (7s)@A,6s1|5s1|-/Jc1|-|- hands=2s/2h/3s/3h pile=2d2c"
    assert after(text, "flip 7s") == "teams C2 7s,6s|5s|-/Jc1|-|- hands=2s/2h/3s/3h pile=2d2c"


@pytest.mark.rule("duel52", 15)
def test_15_frost_lasts_to_the_end_of_the_sides_next_turn() -> None:
    text = "teams A1 (6s)@A|-|-/Jc|-|- hands=2s/2h/3s/3h pile=2d2c4d4c"
    frozen = "teams B3 6s|-|-/Jc*|-|- hands=2s/2d2h/3s/3h pile=2c4d4c"
    assert after(text, "flip 6s") == frozen
    state = play(frozen, "play 2h 2", "play 2d 2")
    assert state.actions == 1
    text = "teams B1 6s|-|-/Jc*|-|- hands=2s/2h/3s/3h pile=2d2c"
    assert after(text, "play 2h 2") == "teams C3 6s|-|-/Jc|(2h)@B|- hands=2s/-/2d3s/3h pile=2c"
