"""docs/rules/atom_duel.md, decisions 1 to 25, each under its number; and the ties (section 4.13)."""

from __future__ import annotations

import pytest

from tests.engine.atom_duel.positions import arrange, play, result, seal, told, won


def values(text: str, level: int = 7, seats: int = 0) -> list[float]:
    return [value / 2 for value in result(text, level, seats).values]


def wasted(text: str, level: int = 7) -> list[str]:
    return [line.facts["reason"] for line in told(text, level) if line.kind == "wasted"]


@pytest.mark.rule("atom_duel", 1)
def test_1_alloys_come_before_oxygen_and_magnets() -> None:
    assert values("Al Mg O Ce") == [33, 33, 33, 58]
    assert values("Al Mg Co Ce") == [25, 25, 52, 58]


@pytest.mark.rule("atom_duel", 2)
def test_2_carbon_before_any_alloy_is_picked_up_by_the_next() -> None:
    end = result("C Al Ce")
    assert end.heads == (1, 1, 2)
    assert end.values[1] == 2 * 3 * (6 + 13)


@pytest.mark.rule("atom_duel", 3, "4.3")
def test_3_several_alloys_with_carbon_count_three_times() -> None:
    assert won("Al C Mg Ce") == ("C", 3 * (13 + 6 + 12))


@pytest.mark.rule("atom_duel", 4)
def test_4_an_alloy_card_announced_otherwise_still_melts() -> None:
    for other in ("Fe/magnet", "Ni/magnet", "Ti/carbide", "W/carbide", "Cr/laser"):
        assert result(f"{other} Al Ce").heads == (1, 1, 2)
    assert result("Al Fe/magnet Ce").heads == (0, 1, 2)


@pytest.mark.rule("atom_duel", 5, 27)
def test_5_an_absorbed_carbide_cuts_and_an_absorbed_magnet_is_lost() -> None:
    assert won("Ti/carbide Al Ce") == ("B", 35)
    assert values("Fe/magnet Al Co Ce U")[2] == 27 + 58


@pytest.mark.rule("atom_duel", 6, 26)
def test_6_a_second_that_cannot_be_joined_wastes_the_power() -> None:
    assert wasted("Og Rn Co", 6) == ["noble"]
    assert wasted("Og Rn O") == ["noble"]
    assert wasted("Ag Ac Co", 6) == ["immune"]
    assert wasted("U Fr! Co") == ["dead"]


@pytest.mark.rule("atom_duel", 7, "4.5", "4.6")
def test_7_oxygen_takes_its_target_and_a_magnet_leaves_it() -> None:
    assert result("U Ce Co").heads == (0, 1, 2)
    assert values("U Ce Co") == [92, 58, 85]
    assert result("U Ce O").heads == (0, 2, 2)
    assert values("U Ce O") == [92, 66, 66]


@pytest.mark.rule("atom_duel", 8, "4.6")
def test_8_a_magnet_against_one_card_beats_a_metal_without_a_sum() -> None:
    assert won("Sm Rf", 6, seats=3) == ("A", 62)
    assert won("Sm U", 6, seats=3) == ("B", 92)
    assert won("Sm Rf", 6, seats=2) == ("A", 62)


@pytest.mark.rule("atom_duel", 9)
def test_9_four_magnets_cancel_and_of_five_the_last_works() -> None:
    assert won("Co Gd Sm Dy", 6) == ("D", 66)
    assert won("Co Gd Sm Dy Nd/magnet", 6) == ("E", 60 + 64)


@pytest.mark.rule("atom_duel", 10, 28, "4.7")
def test_10_nitrogen_takes_77_from_each_result() -> None:
    assert values("Al Mg N Ce") == [25 - 77, 25 - 77, 7, 58 - 77]


@pytest.mark.rule("atom_duel", 11)
def test_11_nitrogen_and_adoption_give_the_same_number() -> None:
    assert won("Cn As N") == ("B", 112 - 77)


@pytest.mark.rule("atom_duel", 12, 27, "4.4")
def test_12_a_scientist_with_potassium_is_no_scientist() -> None:
    assert won("Cn K As") == ("B", 112 + 19)
    assert values("Cn K As")[2] == 33


@pytest.mark.rule("atom_duel", 13, "4.8")
def test_13_each_anti_adopts_its_own_kind() -> None:
    assert won("Cn Ts As Li") == ("D", 117)


@pytest.mark.rule("atom_duel", 14)
def test_14_a_radioactive_anti_adopts_and_is_beaten_by_a_stopper() -> None:
    end = result("Cn Pu Cd")
    assert end.winner == 2
    assert end.values == (224, 224, 224)
    assert end.beaten == (True, True, False)


@pytest.mark.rule("atom_duel", 15, "4.9")
def test_15_a_stopper_beats_a_radioactive_scientist() -> None:
    assert won("Cn Pb Ce", 4) == ("B", 112)


@pytest.mark.rule("atom_duel", 16)
def test_16_a_carbide_cuts_a_stopper_that_adopted() -> None:
    assert values("U Pb Nb Ce", 6) == [92, 46, 41, 58]
    assert won("U Pb Nb Ce", 6) == ("D", 58)


@pytest.mark.rule("atom_duel", 17, 26)
def test_17_a_carbide_on_an_immune_or_trumping_top_is_wasted() -> None:
    assert wasted("Au Nb Ce") == ["immune"]
    assert wasted("Cn As Ta", 6) == ["trumping"]


@pytest.mark.rule("atom_duel", 18, "4.11")
def test_18_two_carbides_use_the_ranking_before_any_cut() -> None:
    assert values("Ac In Nb V", 6)[:2] == [44.5, 24.5]


@pytest.mark.rule("atom_duel", 19)
def test_19_a_carbide_works_when_all_have_played() -> None:
    assert won("Nb Ac Ce", 6) == ("C", 58)


@pytest.mark.rule("atom_duel", 20)
def test_20_halves_are_exact() -> None:
    assert won("Nb Ac Ru", 6) == ("B", 44.5)


@pytest.mark.rule("atom_duel", 21, "4.2")
def test_21_astatine_and_francium_count_in_the_first_hand_only() -> None:
    state = arrange("Fr H Se", "Br U I", "Ca Lu Os")
    play(state, "Fr", "Br", "Ca")
    assert state.points == [1, 0, 0]
    state = arrange("Lu Fr Se", "Br U I", "Ca Ba Os")
    play(state, "Lu", "Br", "Ca", "Fr", "U", "Ba")
    assert state.points == [1, 1, 0]
    assert state.last is not None
    assert state.last.plays[0][0] == 0


@pytest.mark.rule("atom_duel", 21)
def test_21_in_the_last_round_the_first_place_counts() -> None:
    state = arrange("At Fr", "Br Ba", round_=2)
    seal(state, "At Fr", "Br Ba")
    assert state.points == [1, 1]


@pytest.mark.rule("atom_duel", 22, "4.4")
def test_22_oganesson_is_a_scientist_and_noble() -> None:
    assert won("Og As Ce") == ("B", 118)
    assert wasted("Og K Ce") == ["no_target"]
    assert wasted("Pt Ir Og O") == ["noble"]
    assert wasted("Pt Ir Og Co") == ["noble"]


@pytest.mark.rule("atom_duel", 23, "6.1")
def test_23_silver_and_gold_defy_the_magnet_of_two_players() -> None:
    assert won("Co Ag", 6, seats=2) == ("B", 47)
    assert won("Co Au", 7, seats=2) == ("B", 79)
    assert won("Co Pt", 7, seats=2) == ("A", 27)


@pytest.mark.rule("atom_duel", 23, 34)
def test_23_below_level_7_a_magnet_beats_gold() -> None:
    assert won("Co Au", 6, seats=2) == won("Co Au", 6, seats=2, gold_immune_from=7) == ("A", 27)
    assert won("Co Au", 6, seats=2, gold_immune_from=1) == ("B", 79)


@pytest.mark.rule("atom_duel", 24)
def test_24_an_anti_laboratory_adopts_like_an_anti_scientist() -> None:
    assert won("Ts Li Ce", 2) == ("B", 117)


@pytest.mark.rule("atom_duel", 25, "4.2", "5.4")
def test_25_zinc_counts_for_each_member_of_a_compound() -> None:
    assert values("Al+5 Mg+5 Ce")[:2] == [35, 35]
    assert values("Al+5 Mg Ce")[:2] == [30, 30]


@pytest.mark.rule("atom_duel", 41, "4.10", "6.1")
@pytest.mark.parametrize(
    ("hand", "winner", "value"),
    [
        ("C Bi", "A", 6),
        ("Pr Bi", "A", 59),
        ("C Pb", "B", 82),
        ("Mn Pd", "B", 46),
        ("O Se", "B", 34),
        ("K Rf", "A", 123),
        ("N Os", "A", 7),
        ("As Cn", "A", 112),
        ("Li Ts", "A", 117),
        ("Pb U", "A", 92),
        ("Nb Ac", "B", 44.5),
    ],
)
def test_41_with_two_players_all_works_but_alloys_and_oxygen(hand: str, winner: str, value: float) -> None:
    assert won(hand, 7, seats=2) == (winner, value)


@pytest.mark.rule("atom_duel", "4.13")
def test_an_anti_out_of_a_tie_leaves_the_name_to_decide() -> None:
    # Arsenic yields to Tellurium, and Lead stands before Tellurium in the alphabet
    assert won("Cn As Te Pb") == ("D", 112)
    assert won("Cn Te Pb") == ("C", 112)
    assert won("Cn As Pb") == ("B", 112)


@pytest.mark.rule("atom_duel", 34, "4.6", "4.11")
@pytest.mark.parametrize(
    ("hand", "below", "immune"),
    [
        ("Ac Au Co", ("C", 27 + 79), ("A", 89)),  # the Magnet takes the second highest
        ("Au Nb Ce", ("C", 58), ("A", 79)),  # the Carbide Bit cuts the highest
    ],
)
def test_34_a_magnet_and_a_carbide_bit_work_on_gold_below_level_7(
    hand: str, below: tuple[str, float], immune: tuple[str, float]
) -> None:
    assert won(hand, 6) == below
    assert won(hand, 6, gold_immune_from=1) == immune  # by rules 1
    assert won(hand, 7) == immune


@pytest.mark.rule("atom_duel", 37, "4.13")
def test_a_connected_magnet_counts_as_all_its_cards_in_a_tie() -> None:
    # both 109 use a power; by name alone Cobalt would stand before Lead
    assert won("Mt Pb Co", 6) == ("B", 109)


@pytest.mark.rule("atom_duel", "4.13")
def test_each_rule_of_a_tie_is_told() -> None:
    rules = {
        text: line.facts["rule"]
        for text in ("Lu Mn Pd", "Po N", "Au+5 N", "Cn As Te")
        for line in told(text)
        if line.kind == "tie"
    }
    assert list(rules.values()) == ["fewest_cards", "no_power", "name", "higher_anti"]


@pytest.mark.rule("atom_duel", "4.13")
def test_two_dead_cards_tie_by_name() -> None:
    assert won("Fr! At!", seats=2) == ("B", 0)


def test_an_unfinished_hand_expects_the_cards_to_come() -> None:
    assert result("Sm Rf", 6, seats=4, count=4).winner == 1
    assert result("Sm Rf", 6, seats=4).winner == 0


@pytest.mark.rule("atom_duel", 10)
def test_nitrogen_inside_a_compound_spares_it() -> None:
    # Oxygen takes Nitrogen over as the second of the others; its 77 still hit everything else
    assert result("U N O H").heads == (0, 2, 2, 3)
    assert values("U N O H") == [92 - 77, 15, 15, 1 - 77]
    assert won("U N O H") == ("A", 15)
