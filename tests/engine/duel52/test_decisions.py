"""The decisions of docs/rules/duel52.md as a table: positions, acts, and what comes of them.

How to read it says `Case` in positions.py; what needs more than a line is in test_decisions_told.py.
"""

from __future__ import annotations

import pytest

from tests.engine.duel52.positions import Case, table


@pytest.mark.rule("duel52", 1, "6.9", "6.10")
@table(
    """
    a 10 against a Jack hits only Jacks
      standard A3 Ts|-|-/Jc,9c,(4c)|-|- &
        attack? = Jc
        attack Ts Jc 4c = !taunted
        attack Ts Jc = standard A2 Ts!|-|-/Jc1,9c,(4c)|-|- &
    a 10 against two Jacks deals one damage each
      standard A3 Ts|-|-/Jc,9c,Jd|-|- &
        attack? = Jc Jd
        attack Ts Jc = !two_targets
        attack Ts Jd Jc = standard A2 Ts!|-|-/Jc1,9c,Jd1|-|- &
    a Jack that dies to the first half still protects
      standard A3 Ts|-|-/Jc2,9c,(4c)|-|- &
        attack Ts Jc 4c = !taunted
        attack Ts Jc = standard A2 Ts!|-|-/9c,(4c)|-|- & gone=Jc
    a 10 must name two where it can
      standard A3 Ts|-|-/8c,(4c),5c|-|- &
        attack Ts 4c = !two_targets
        attack? = 4c 5c, 8c 4c, 8c 5c
        attack Ts 5c 4c = standard A2 Ts!|-|-/8c,(4c)1,5c1|-|- &
    a face-up 9 may be named only alone
      standard A3 Ts|-|-/9c,(4c)|-|- &
        attack Ts 9c 4c = !nine_alone
        attack? = 4c, 9c
        attack Ts 9c = standard A2 Ts!|-|-/9c1,(4c)|-|- &
        attack Ts 4c = standard A2 Ts!|-|-/9c,(4c)1|-|- &
    a pair of 10s deals two and one
      # both attackers are damaged by the 8, though only one point hit it
      standard A3 Ts=a,Th=a|-|-/8c,5c|-|- &
        attack? = 5c 8c, 8c 5c
        attack Ts 5c = !two_targets
        attack Th 5c 8c = standard A2 Ts1!=a,Th1!=a|-|-/8c1|-|- & gone=5c
    a pair of 10s with one legal target deals two
      standard A3 Ts=a,Th=a|-|-/5c|-|- &
        attack Ts 5c = standard A2 Ts!=a,Th!=a|-|-/-|-|- & gone=5c
      standard A3 Ts=a,Th=a|-|-/5c,9c|-|- &
        attack Ts 9c = standard A2 Ts!=a,Th!=a|-|-/5c|-|- & gone=9c
        attack Ts 5c = standard A2 Ts!=a,Th!=a|-|-/9c|-|- & gone=5c
    only a 10 has two targets
      standard A3 8s|-|-/5c,4c|-|- &
        attack 8s 5c 4c = !one_target
    """
)
def test_1_the_10(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", 2, "6.8")
@table(
    """
    a 9 deals two to a face-up Jack only
      standard A3 9s|-|-/Jc|-|- &
        attack 9s Jc = standard A2 9s!|-|-/Jc2|-|- &
      standard A3 9s|-|-/(Jc)|-|- &
        attack 9s Jc = standard A2 9s!|-|-/(Jc)1|-|- &
      standard A3 9s|-|-/5c|-|- &
        attack 9s 5c = standard A2 9s!|-|-/5c1|-|- &
    a pair of 9s deals three to a Jack
      standard A3 9s=a,9h=a|-|-/Jc|-|- &
        attack 9s Jc = standard A2 9s!=a,9h!=a|-|-/-|-|- & gone=Jc
    """
)
def test_2_the_9(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", 3, "6.7", "6.8", "6.10", "7.2")
@table(
    """
    an 8 damages its attacker but not a 9
      standard A3 5s|-|-/8c|-|- &
        attack 5s 8c = standard A2 5s1!|-|-/8c1|-|- &
      standard A3 9s|-|-/8c|-|- &
        attack 9s 8c = standard A2 9s!|-|-/8c1|-|- &
    an 8 damages also when it dies of it
      standard A3 5s1|-|-/8c1|-|- &
        attack 5s 8c = standard A2 -|-|-/-|-|- & gone=8c,5s
    an 8 damages also as the second target of a 10
      standard A3 Ts|-|-/5c,8c|-|- &
        attack Ts 5c 8c = standard A2 Ts1!|-|-/5c1,8c1|-|- &
    a pair that attacks an 8 takes one damage each
      # the pair is one card short afterwards: the other is single again
      standard A3 5s=a,5h1=a|-|-/8c|-|- &
        attack 5s 8c = standard A2 5s1!|-|-/-|-|- & gone=8c,5h
    two 8s hit by one attack deal one each
      standard A3 Ts|-|-/8c,8d|-|- &
        attack Ts 8c 8d = standard A2 -|-|-/8c1,8d1|-|- & gone=Ts
    a Jack that attacks an 8 has three points
      standard A3 Js1|-|-/8c|-|- &
        attack Js 8c = standard A2 Js2!|-|-/8c1|-|- &
    a face-down 8 is only a back
      standard A3 5s|-|-/(8c)|-|- &
        attack 5s 8c = standard A2 5s!|-|-/(8c)1|-|- &
    a Vampiric card heals when it kills
      # without a kill, and without vampires, nothing heals
      standard+v A3 4s1|-|-/5c1|-|- &
        attack 4s 5c = standard+v A2 4s!|-|-/-|-|- & gone=5c
      standard+v A3 4s1|-|-/5c|-|- &
        attack 4s 5c = standard+v A2 4s1!|-|-/5c1|-|- &
      standard A3 4s1|-|-/5c1|-|- &
        attack 4s 5c = standard A2 4s1!|-|-/-|-|- & gone=5c
    a Vampiric heal comes before deaths are counted
      standard+v A3 3s1|-|-/8c1|-|- &
        attack 3s 8c = standard+v A2 3s1!|-|-/-|-|- & gone=8c
      standard+v A3 3s1|-|-/8c|-|- &
        attack 3s 8c = standard+v A2 -|-|-/8c1|-|- & gone=3s
    in a pair each Vampire heals
      standard+v A3 3s1=a,3h1=a|-|-/5c|-|- &
        attack 3s 5c = standard+v A2 3s!=a,3h!=a|-|-/-|-|- & gone=5c
    """
)
def test_3_the_8_and_the_vampiric(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", 4, "4.3", "6.2", "7.2")
@table(
    """
    a 3 killed face-down returns face-up without damage
      standard A3 5s|-|-/(3c)1|-|- &
        attack 5s 3c = standard A2 5s!|-|-/3c|-|- &
    excess damage is lost and frost stays
      standard A3 5s=a,5h=a|-|-/(3c)1*|-|- &
        attack 5s 3c = standard A2 5s!=a,5h!=a|-|-/3c*|-|- &
    a 3 killed face-up is gone
      standard A3 5s|-|-/3c1|-|- &
        attack 5s 3c = standard A2 5s!|-|-/-|-|- & gone=3c
    a base 3 springs too after the pile ran out
      standard A3 5s|-|-/(3c)1@-|-|- hands=2s/2h
        attack 5s 3c = standard A2 5s!|-|-/3c|-|- hands=2s/2h
    a Vampiric 3 springs no trap
      standard+v A3 5s|-|-/(3c)1|-|- &
        attack 5s 3c = standard+v A2 5s!|-|-/-|-|- & gone=(3c)@B
    """
)
def test_4_the_3(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", 5)
@table(
    """
    a face-down Jack has two points and does not taunt
      standard A3 5s,6s|-|-/(Jc),(4c)|-|- &
        attack? = 4c, Jc
        attack 5s Jc; attack 6s Jc = standard A1 5s!,6s!|-|-/(4c)|-|- & gone=(Jc)@B
    a face-down 9 can be hit by a 10 beside another
      standard A3 Ts|-|-/(9c),4c|-|- &
        attack? = 9c 4c
        attack Ts 9c 4c = standard A2 Ts!|-|-/(9c)1,4c1|-|- &
    """
)
def test_5_backs(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", 11, "5.1", "5.2")
@table(
    """
    a pair deals two damage with one action
      standard A3 5s,5h|-|-/Jc|-|- &
        pair 5h 5s; attack 5h Jc = standard A1 5s!=a,5h!=a|-|-/Jc2|-|- &
    a pair attacks only if each still may
      standard A3 5s!=a,5h=a|-|-/Jc|-|- &
        attack 5h Jc = !mate_cannot
      standard A3 5s*=a,5h=a|-|-/Jc|-|- &
        attack 5h Jc = !mate_cannot
      standard A3 5s!,5h|-|-/Jc|-|- &
        pair 5s 5h; attack? = none
    two Aces attack twice as a pair
      standard A3 As+=a,Ah+=a|-|-/Jc,5c|-|- &
        attack As Jc; attack Ah Jc = standard A1 As!=a,Ah!=a|-|-/5c|-|- & gone=Jc
    one fresh Ace does not carry the other
      standard A3 As+=a,Ah=a|-|-/Jc,5c|-|- &
        attack As Jc; attack? = none
        attack As Jc = standard A2 As=a,Ah!=a|-|-/Jc2,5c|-|- &
    what makes no pair
      standard A3 5s,6s|-|-/Jc|-|- &
        pair 5s 6s = !pair_ranks
      standard A3 5s|5h|-/Jc|-|- &
        pair 5s 5h = !pair_lane
      standard A3 5s,(5h)|-|-/Jc|-|- &
        pair 5s 5h = !pair_face_down
      standard A3 5s=a,5h=a,5d|-|-/Jc|-|- &
        pair 5s 5d = !pair_three
    """
)
def test_11_pairs(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", "1.2", "3.3", "3.4", "4.1")
@table(
    """
    each card attacks once per turn
      standard A3 5s|-|-/Jc|-|- &
        attack 5s Jc; attack? = none
      standard A3 5s!|-|-/Jc|-|- &
        attack 5s Jc = !has_attacked
    attacks stay in the lane and among enemies
      standard A3 5s,(4s)|6s|-/Jc|Qc|[Kc] &
        attack 5s Qc = !other_lane
        attack 5s 6s = !own_card
        attack 4s Jc = !back_cannot_attack
        attack Jc 5s = !not_yours
      standard A3 5s|-|-/[Kc]|-|- &
        attack 5s Kc = !base_safe
      standard A3 5s*|-|-/Kc|-|- &
        attack 5s Kc = !frozen_attack
    """
)
def test_attacks_in_general(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", 15, "7.4")
@table(
    """
    partners use each other's cards once per turn
      teams C3 5s,(7s)@A|-|-/Jc|-|- hands=2s/2h/3s/3h pile=2d2c
        attack 5s Jc; flip 7s = teams C1 5s!,7s|-|-/Jc1|-|- hands=2s/2h/3s/3h pile=2d2c
        flip Jc = !not_yours
    a bonus action belongs to whose turn it is
      teams C1 (As)@A|-|-/Jc|-|- hands=2s/2h/3s/3h pile=2d2c
        flip As = teams C1 As+|-|-/Jc|-|- hands=2s/2h/3s/3h pile=2d2c
    own means the side's cards
      teams C3 (7s)@A,6s1|5s1|-/Jc1|-|- hands=2s/2h/3s/3h pile=2d2c
        flip 7s = teams C2 7s,6s|5s|-/Jc1|-|- hands=2s/2h/3s/3h pile=2d2c
    """
)
def test_15_teams(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", 6, "3.4", "6.4", "6.12", "7.2")
@table(
    """
    a 5 turns all own backs of its lane up first
      # frozen ones too; a 9 shakes the frost off, and constant powers need no order
      standard A3 (5s),(Js)*,(9s)1*|(4s)|[Ks]/(Jc)|-|- &
        flip 5s = standard A2 5s,Js*,9s1|(4s)|[Ks]/(Jc)|-|- &
    a 5 leaves a locked base and flips it when the pile is empty
      standard A3 (5s),[Ks],(8s)|-|-/(Jc)|-|- &
        flip 5s = standard A2 5s,[Ks],8s|-|-/(Jc)|-|- &
      standard A3 (5s),(8s)@-|-|-/(Jc)|-|- hands=2s/2h
        flip 5s = standard A2 5s,8s|-|-/(Jc)|-|- hands=2s/2h
    what a 5 flips works in the chosen order and the last by itself
      standard A3 (5s),(6s),(As),(7s)1|-|-/(Jc)|-|- &
        flip 5s; order? = 6s, 7s, As
        flip 5s; order 7s = standard A2 5s,6s,As,7s|-|-/(Jc)|-|- & ask=order:0:1,2
        flip 5s; order 7s; order As = standard A3 5s,6s,As+,7s|-|-/(Jc)*|-|- &
      standard A2 5s,6s,As,8s|-|-/(Jc)|-|- & ask=order:0:1,2
        order 8s = !not_listed
    a King takes a list of flip powers and no Kings
      standard A3 (Ks),Kh,6s,8s,7s,(5s)|-|-/9c,8c|-|- &
        flip Ks; order? = 6s, 7s
        flip Ks; order 6s = standard A2 Ks,Kh,6s,8s,7s,(5s)|-|-/9c,8c*|-|- &
    a Vampiric 4 is on no list
      standard+v A3 (Ks),4s,7s|8s1|-/(9c)|-|- &
        flip Ks = standard+v A2 Ks,4s,7s|8s|-/(9c)|-|- &
      standard+v A3 (4s)|-|-/(9c)|-|- &
        flip 4s = standard+v A2 4s|-|-/(9c)|-|- &
    """
)
def test_6_the_5_and_the_king(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", 7, "6.5", "6.8")
@table(
    """
    a 6 freezes all but a face-up 9
      standard A3 (6s),8s|-|-/9c,(9d),8c,[Kc]|8d|- &
        flip 6s = standard A2 6s,8s|-|-/9c,(9d)*,8c*,[Kc]*|8d|- &
    frozen cards pair and move but do not attack or flip
      standard A3 5s*,5h*,(4s)*|(Qs)|-/8c|-|- &
        attack 5s 8c = !frozen_attack
        flip 4s = !frozen_flip
        pair 5s 5h = standard A2 5s*=a,5h*=a,(4s)*|(Qs)|-/8c|-|- &
        flip Qs; move 4s = standard A2 5s*,5h*|Qs,(4s)*|-/8c|-|- &
    frozen cards keep their constant powers and reactivate
      standard A3 5s|-|-/Jc*,4c|-|- &
        attack 5s 4c = !taunted
      standard A3 5s|-|-/8c*|-|- &
        attack 5s 8c = standard A2 5s1!|-|-/8c1*|-|- &
      standard A3 (Ks),As*|-|-/8c|-|- &
        flip Ks = standard A3 Ks,As*+|-|-/8c|-|- &
    """
)
def test_7_the_6(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", "6.6")
@table(
    """
    a 7 heals the own board in all lanes
      standard A3 (7s),Js2|(4s)1|5s1/8c1|-|- &
        flip 7s = standard A2 7s,Js|(4s)|5s/8c1|-|- &
    """
)
def test_the_7(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", 8, 11, "6.11")
@table(
    """
    a Queen may decline
      standard A3 (Qs)|8s|-/8c|-|- &
        flip Qs; stay = standard A2 Qs|8s|-/8c|-|- &
      standard A3 (Qs),8s|-|-/8c|-|- &
        flip Qs = standard A2 Qs,8s|-|-/8c|-|- &
    a moved card keeps damage frost and whether it attacked
      standard A3 (Qs)|8s1*!|-/8c|-|- &
        flip Qs; move 8s = standard A2 Qs,8s1*!|-|-/8c|-|- &
    moving one of a pair unpairs both
      standard A3 (Qs)|8s=a,8h=a|-/8c|-|- &
        flip Qs; move 8h = standard A2 Qs,8h|8s|-/8c|-|- &
    a Queen calls from other lanes only
      standard A2 Qs,7s|8s|-/8c|-|- & ask=move:0
        move 7s = !same_lane
        move 8c = !not_yours
    """
)
def test_8_the_queen(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", 9, "6.13")
@table(
    """
    an Ace gives an action and attacks twice when flipped
      standard A3 (As)|-|-/8c,9c|-|- &
        flip As = standard A3 As+|-|-/8c,9c|-|- &
        flip As; attack As 9c; attack As 9c = standard A1 As!|-|-/8c|-|- & gone=9c
        flip As; attack As 9c; attack As 9c; attack? = none
    a Kinged Ace counts its attacks anew
      standard A3 (Ks),As!|-|-/Jc,9c|-|- &
        flip Ks = standard A3 Ks,As+|-|-/Jc,9c|-|- &
        flip Ks; attack As Jc; attack As Jc = standard A1 Ks,As!|-|-/Jc2,9c|-|- &
    """
)
def test_9_the_ace(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", 10)
@table(
    """
    a 2 with an empty pile does nothing
      standard A3 (2d)|-|-/8c|-|- hands=2s/2h
        flip 2d = standard A2 2d|-|-/8c|-|- hands=2s/2h
    """
)
def test_10_the_2(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", 12, "3.2", "3.4", "6.1")
@table(
    """
    the last card unlocks the bases in the middle of a turn
      standard A3 (2s)|[5s]|-/[8c]|-|- hands=3s/2h pile=2d
        flip 2s; discard 3s = standard A2 2s|(5s)@-|-/(8c)@-|-|- hands=2d/2h gone={3s}@A
        flip 2s; discard 3s; flip 5s; attack 2s 8c = standard B3 2s|5s|-/(8c)1@-|-|- hands=2d/2h gone={3s}@A
    a locked base cannot be flipped
      standard A3 [5s]|-|-/8c|-|- &
        flip 5s = !locked_base
      standard A3 5s|-|-/8c|-|- &
        flip 5s = !already_up
    a drawn card may be played with what is left
      standard A2 (2s)|-|-/8c|-|- hands=3s/2h pile=2d2c
        flip 2s; discard 3s; play 2d 3 = standard B3 2s|-|(2d)/8c|-|- hands=-/2c2h gone={3s}@A
    """
)
def test_12_the_pile(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", 18)
@table(
    """
    a player without a legal action loses the rest of the turn
      standard A3 5s|7s|4s/9c|(8c)|- hands=-/2h
        attack 5s 9c; attack 7s 8c = standard B3 5s|7s|4s/9c1|(8c)1|- hands=-/2h
    """
)
def test_setup_and_turns(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", 13)
@table(
    """
    a hand card of the opponent keeps every lane open
      standard A3 5s|5h|-/9c1|-|8c hands=-/2h
        attack 5s 9c = goes on
    nothing is won while the draw pile lasts
      standard A3 5s|5h|-/9c1|-|8c pile=2d2c
        attack 5s 9c = goes on
    an own last hand card or Queen can lose the game
      standard A3 -|-|5h/9c|8c|7c hands=2s/-
        play 2s 3 = two_lanes 2 1
      standard A3 (Qs),5s|4s|-/9c|8c|7c
        flip Qs; move 4s = two_lanes 2 1
    a lane stays won when a Queen fetches the last card from it
      standard A2 9s|(Qh)|-/-|Kc|5d
        flip Qh; move 9s = standard A1 -|Qh,9s|-/-|Kc|5d held=A-B
    an empty lane counts for the side that had it last
      # A wins by lane 1, in which nothing lies
      standard A2 -|5s|-/-|8c1|5d held=A-B
        attack 5s 8c = two_lanes 1 2
      # neither side had lane 1 to itself: it counts for both, so each has two
      standard A2 -|5s|-/-|8c1|5d held=--B
        attack 5s 8c = both_sides 1 1
      standard A2 -|5s|-/-|8c1|5d held=B-B
        attack 5s 8c = two_lanes 2 1
    a lane is kept that was left while the opponent still had a card in hand
      standard A1 9s|(Qh)|5s/-|Kc|5d hands=-/2h
        flip Qh; move 9s; play 2h 2 = standard B2 -|Qh,9s|5s/-|Kc,(2h)|5d held=A--
    a lane in which two cards kill each other counts for both
      standard A2 5s1|4s|-/8c1|-|5d
        attack 5s 8c = both_sides 1 1
      # A also has lane 2, B has none
      standard A3 4c1|7c|7h/8d1|-|7d
        attack 4c 8d = two_lanes 1 2
      # the 10 kills both enemies of lane 3, and the 8 kills the 10
      standard B3 7c,Ks,Qh|Ac|8h1,5d1/-|(5h),2d1,(7d)1,4h1|Ts1
        attack Ts 8h 5d = two_lanes 1 2
      # not if its owner has had it before
      standard A2 5s1|4s|-/8c1|-|5d held=AAB
        attack 5s 8c = two_lanes 1 2
    a side without a card left has not lost if two empty lanes count for both
      standard A1 Ks|-|5s1/-|-|8h1 held=A--
        attack 5s 8h = both_sides 1 1
    by rules 2 a lane in which two cards kill each other counts for neither
      standard A2 5s1|4s|-/8c1|-|5d held=xAB
        attack 5s 8c = no_moves 1 1
      standard A3 4c1|7c|7h/8d1|-|7d held=xAx
        attack 4c 8d = goes on
      standard B3 7c,Ks,Qh|Ac|8h1,5d1/-|(5h),2d1,(7d)1,4h1|Ts1 held=Axx
        attack Ts 8h 5d = goes on
      standard A1 Ks|-|5s1/-|-|8h1 held=Axx
        attack 5s 8h = no_moves 1 1
    holding begins with the draw that empties the pile, before the first action
      standard B2 -|(Qd)|-/-|-|- hands=-/Th pile=8s
        play Th 1 = goes on
    a card may contest a lane again
      # A has lane 2 to itself, B comes back with a hand card
      standard A1 5s|5h|-/9c|-|8c hands=-/2h
        attack 5s 9c; play 2h 2 = goes on
    nobody can act is a draw at once
      # one triangle for each: nobody has two, and nobody has an enemy
      triangles A1 5s|-|-|-/8c1|5d|-|-/-|-|5c|- turns=20
        attack 5s 8c = no_moves 1 1 1
    """
)
def test_13_winning(case: Case) -> None:
    case.hold()


@pytest.mark.rule("duel52", 14, "7.3")
@table(
    """
    two triangles win whatever the hands
      triangles A3 5s|5h|-|-/8c1|-|9c|-/-|-|9d|- hands=2s/2h/2c
        attack 5s 8c = two_triangles 1 2 2
      triangles A3 5s|5h|-|-/8c1|-|9c|-/-|-|9d|- hands=2s/2h/2c pile=3c3d
        attack 5s 8c = goes on
    an empty triangle is controlled by nobody
      triangles A3 5s|-|-|-/8c1|-|9c|-/-|-|9d|- hands=2s/2h/2c
        attack 5s 8c = goes on
    a 10 may split over two owners
      triangles A3 Ts|-|-|-/8c|-|-|-/4d|-|-|- hands=2s/2h/2c pile=3c3d
        attack Ts 8c 4d = triangles A2 Ts1!|-|-|-/8c1|-|-|-/4d1|-|-|- hands=2s/2h/2c pile=3c3d
    a 6 freezes both opponents
      triangles A3 (6s)|-|-|-/8c|-|-|-/4d|-|-|- hands=2s/2h/2c pile=3c3d
        flip 6s = triangles A2 6s|-|-|-/8c*|-|-|-/4d*|-|-|- hands=2s/2h/2c pile=3c3d
    who loses the last card is out and skipped
      triangles A1 5s,5h|-|-|-/8c1|-|-|-/4d|3d|-|- hands=2s/-/2c
        attack 5s 8c = triangles C3 5s1,5h|-|-|-/-|-|-|-/4d|3d|-|- hands=2s/-/2c gone=8c out=B
    the last one in wins and earlier out ranks lower
      triangles A3 5s|-|-|-/-|-|-|-/8c1|-|-|- hands=2s/-/- out=B
        attack 5s 8c = last_one_in 1 3 2
    all who are left going out at once draw
      triangles A3 5s1|-|-|-/-|-|-|-/8c1|-|-|- out=B
        attack 5s 8c = all_out 1 3 1
    it is tested when the pile empties by a draw
      triangles A1 5s|5h|-|-/-|-|8c|-/-|-|8d|- hands=2s/2h/2c pile=3c
        play 2s 3 = two_triangles 1 2 2
    several at once go by the turn order
      # the draw of A empties the pile; B and C both control two triangles, B comes first after A
      triangles C1 -|-|-|-/5s|5h|-|-/-|-|8d|8c hands=4s/2h/2c3h pile=3c
        play 2c 3 = two_triangles 2 1 2
      triangles C1 -|-|-|-/5s|5h|-|-/-|-|8d|8c hands=-/2h/2c3h pile=3c
        play 2c 3 = two_triangles 2 1 2
    the turn order begins with whose turn it is
      # the draw of B empties the pile; A and C both control two triangles, C comes first after B
      triangles A1 5s|5h|-|-/-|-|-|-/-|-|8d|8c hands=4s4d/2h/2c3h pile=3c
        play 4s 1 = two_triangles 2 2 1
    """
)
def test_14_triangles(case: Case) -> None:
    case.hold()
