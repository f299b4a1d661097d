"""The powers that work at play time, one by one (docs/rules/atom_duel.md, sections 4.1 and 5)."""

from __future__ import annotations

import random

import pytest

from engine.atom_duel import GAME
from engine.game import IllegalAction
from tests.engine.atom_duel.positions import arrange, kinds, move, play, z


def refused(state: object, word: str) -> str:
    with pytest.raises(IllegalAction) as caught:
        play(state, word)  # type: ignore[arg-type]
    return caught.value.rule


@pytest.mark.rule("atom_duel", "4.1", "5.1")
def test_a_laser_vaporises_what_it_hits() -> None:
    state = arrange("Y Ba", "Br Og", "Ca Os", level=3)
    play(state, "Y")
    assert refused(state, "aim:0.1") == "own_row"
    assert refused(state, "aim:1.3") == "empty_slot"
    play(state, "aim:1.1")
    assert state.counts == [1, 1, 2]
    assert z("Og") in state.observe(2).gone
    play(state, "Br", "Ca")
    assert state.points == [1, 0, 0]


def spared(immune: str, level: int, version: int = GAME.version) -> bool:
    """Aim a Laser at this card and return whether it stays: shown to everyone, without a second aim."""
    state = arrange("Y Ba", f"Br {immune}", "Ca Os", level=level, version=version)
    play(state, "Y", "aim:1.1")
    seen = state.observe(2)
    if z(immune) in seen.gone:
        assert state.counts == [1, 1, 2]
        return False
    assert state.counts == [1, 2, 2]
    assert seen.rows[1][1] == state.observe(None).rows[1][1] == z(immune)
    assert refused(state, "Ca") == "card_not_in_hand"  # it is the next one's turn
    return True


@pytest.mark.rule("atom_duel", 26, 34, "5.1", "5.10")
def test_a_laser_on_copper_is_wasted_from_level_3_and_shows_it() -> None:
    assert [spared("Cu", level) for level in range(3, 8)] == [True] * 5


@pytest.mark.rule("atom_duel", 26, 34, "5.1", "5.10")
def test_a_laser_on_gold_is_wasted_from_level_7_and_shows_it() -> None:
    assert [spared("Au", level) for level in range(3, 8)] == [False] * 4 + [True]


@pytest.mark.rule("atom_duel", 34)
def test_by_rules_1_a_laser_on_gold_is_wasted_from_level_3() -> None:
    assert [spared("Au", level, version=1) for level in range(3, 8)] == [True] * 5


@pytest.mark.rule("atom_duel", "3.5")
def test_a_seat_that_lost_its_last_card_does_not_play() -> None:
    state = arrange("Y Ba", "Og", "Ca Os", level=3)
    play(state, "Y", "aim:1.0", "Ca")
    assert state.points == [1, 0, 0]
    state = arrange("He Ba", "Og", level=3)
    play(state, "He", "aim:1.0")
    assert state.points == [1, 0]


@pytest.mark.rule("atom_duel", 29)
def test_a_laser_announced_as_magnet_does_not_aim() -> None:
    state = arrange("Nd Ba", "Br Og", "Ca Os")
    assert refused(state, "Nd") == "announce_first"
    play(state, "Nd/magnet")
    assert state.to_act() == (1,)


@pytest.mark.rule("atom_duel", 43, "5.2")
def test_hydrogen_passes_all_cards_to_the_left_before_the_leader_is_found() -> None:
    state = arrange("H Ba", "Br", "U Os Lu")
    play(state, "H", "Br", "U")
    rows = [[card for card in row if card] for row in state.rows]
    assert rows == [[z("Os"), z("Lu")], [z("Ba")], []]
    assert state.leader == 0  # the winner has none left, so the next clockwise with cards
    assert state.observe(2).rows[0][:2] == (z("Os"), z("Lu"))  # it knows what it gave
    assert state.observe(1).rows[0][:2] == (-1, -1)


@pytest.mark.rule("atom_duel", "4.1", "5.3")
def test_chlorine_deals_all_unplayed_cards_again() -> None:
    state = arrange("Ba Cl I", "Br Og Te", "U Os")
    before = state.observe(1)
    assert before.rows[1][1] == z("Og")
    play(state, "Cl")
    assert state.counts == [2, 3, 2]
    after = state.observe(1)
    own = {card for card in after.rows[1] if card}
    lost = {z("Br"), z("Og"), z("Te")} - own
    assert lost
    (group,) = after.groups
    assert set(group.cards) == lost
    assert {seat for seat, _ in group.places} == {0, 2}
    held = sorted(card for row in state.rows for card in row if card)
    assert held == sorted(map(z, ("Ba", "I", "Br", "Og", "Te", "U", "Os")))


@pytest.mark.rule("atom_duel", "5.4")
def test_zinc_adds_five_to_what_its_player_plays_later() -> None:
    state = arrange("Zn Fe Al", "Br Sc I", "Ca S Os")
    play(state, "Zn", "Br", "Ca")
    assert state.last is not None
    assert [play[0] for play in state.last.plays] == [60, 70, 40]
    play(state, "Sc", "S", "Fe/magnet")
    assert [play[0] for play in state.last.plays] == [42, 32, 62]
    assert state.observe(1).zinc == (0,)


@pytest.mark.rule("atom_duel", 38, "5.5")
def test_germanium_hides_the_cards_from_their_owners() -> None:
    state = arrange("Ge Fe Al", "Br Sc I", "Ca S Os")
    play(state, "Ge")
    seen = state.observe(1)
    assert seen.hidden
    assert seen.rows[1][:3] == (-1, -1, -1)
    assert [(set(g.cards), {seat for seat, _ in g.places}) for g in seen.groups] == [
        ({z("Br"), z("Sc"), z("I")}, {1})
    ]
    assert refused(state, "Br") == "cards_hidden"
    assert refused(state, "flip:3") == "empty_slot"
    assert [move.verb for move in state.legal_actions(1)] == ["flip"] * 3
    slot = state.rows[2].index(z("S"))
    play(state, "flip:0", f"flip:{slot}")
    assert state.hand == 2
    assert z("S") in state.gone


@pytest.mark.rule("atom_duel", 38)
def test_under_germanium_the_announcement_is_asked_after_the_flip() -> None:
    state = arrange("Ge Lu", "Fe Ba", "Ca S")
    play(state, "Ge")
    play(state, f"flip:{state.rows[1].index(z('Fe'))}")
    assert state.pending is not None
    assert state.to_act() == (1,)
    assert refused(state, "announce:laser") == "other_power"
    play(state, "announce:magnet", "flip:0")
    assert state.last is not None
    assert state.last.plays[1][4] == "magnet"


@pytest.mark.rule("atom_duel", "5.6")
def test_strontium_shows_one_card_of_every_other_player() -> None:
    state = arrange("Ba", "Sr Fe", "Ca S", "Tl", leader=1)
    play(state, "Sr")
    assert refused(state, "reveal:3.0") == "other_player"
    play(state, "reveal:2.1", "reveal:3.0", "reveal:0.0")
    for viewer in (0, 3, None):
        assert state.observe(viewer).rows[2][:2] == (-1, z("S"))
    assert state.counts == [1, 1, 2, 1]


@pytest.mark.rule("atom_duel", "5.7")
def test_thallium_shows_three_cards_of_one_player_to_its_player_only() -> None:
    state = arrange("Tl Ba", "Br Sc I Og", "Ca S")
    play(state, "Tl", "peek:1.3")
    assert refused(state, "peek:2.0") == "other_player"
    assert refused(state, "peek:1.3") == "already_named"
    assert state.observe(0).rows[1][3] == -1  # seen only when all are named
    play(state, "peek:1.0", "peek:1.2")
    assert state.observe(0).rows[1][:4] == (z("Br"), -1, z("I"), z("Og"))
    assert set(state.observe(2).rows[1][:4]) == {-1}
    peek = next(event for event in state.events or () if event.kind == "peek")
    assert peek.secret["cards"] == [z("Og"), z("Br"), z("I")]
    assert peek.knowers == (0,)


@pytest.mark.rule("atom_duel", "5.7")
def test_thallium_looks_at_all_where_there_are_fewer() -> None:
    state = arrange("Tl Ba", "Br Sc", "Ca S")
    play(state, "Tl", "peek:2.1", "peek:2.0")
    assert state.to_act() == (1,)
    assert state.observe(0).rows[2][:2] == (z("Ca"), z("S"))


@pytest.mark.rule("atom_duel", 39, "5.8")
def test_mercury_trades_two_cards_slot_for_slot() -> None:
    state = arrange("Hg Ba Fe", "Br Sc I", "Ca")
    play(state, "Hg")
    assert refused(state, "trade:2") == "trade_two_cards"
    play(state, "trade:1", "give:Fe")
    assert refused(state, "give:Fe") == "already_named"
    play(state, "give:Ba", "take:0", "take:2")
    assert state.rows[0][:3] == [0, z("I"), z("Br")]
    assert state.rows[1][:3] == [z("Fe"), z("Sc"), z("Ba")]
    assert state.observe(0).rows[1][:3] == (z("Fe"), -1, z("Ba"))
    assert state.observe(1).rows[0][:3] == (0, z("I"), z("Br"))
    assert state.observe(2).rows[0][:3] == (0, -1, -1)
    assert state.observe(1).rows[1][:3] == (z("Fe"), z("Sc"), z("Ba"))


@pytest.mark.rule("atom_duel", 29, "5.8")
def test_mercury_may_keep_its_cards() -> None:
    state = arrange("Hg Ba Fe", "Br Sc I")
    play(state, "Hg", "keep")
    assert state.to_act() == (1,)


@pytest.mark.rule("atom_duel", 38)
def test_mercury_under_germanium_trades_unseen_cards() -> None:
    state = arrange("Ge Ba Fe", "Hg Sc I", "Ca Lu")
    play(state, "Ge")
    state.rows[1][:3] = [z("Sc"), z("Hg"), z("I")]  # one of the orders that nobody can tell apart
    play(state, "flip:1", "trade:0")
    assert refused(state, "give:Sc") == "cards_hidden"
    play(state, "give:2", "give:0", "take:0", "take:1")
    seen = state.observe(1)
    assert [card for card in seen.rows[1] if card] == [-1, -1]
    # its own two cards lie in the slots of those it took; which is which it cannot tell
    (group,) = seen.groups
    assert set(group.cards) == {z("Sc"), z("I")}
    assert group.places == ((0, 0), (0, 1))


@pytest.mark.rule("atom_duel", 40, "5.9")
def test_lanthanum_lays_all_open_until_the_hand_ends() -> None:
    state = arrange("La Ba", "Br Sc", "Ca S")
    play(state, "La")
    assert state.observe(None).rows[2][:2] == (z("Ca"), z("S"))
    play(state, "Br", "Ca")
    assert not state.face_up
    assert state.observe(0).rows[1][:2] == (0, z("Sc"))  # seen, not moved since


@pytest.mark.rule("atom_duel", 40)
def test_lanthanum_overrides_germanium_for_its_hand() -> None:
    state = arrange("Ge Lu Fe", "La Sc I", "Ca S Ba")
    play(state, "Ge")
    state.rows[1][:3] = [z("Sc"), z("La"), z("I")]
    play(state, "flip:1")
    assert set(state.observe(0).rows[2]) == {z("Ca"), z("S"), z("Ba"), 0}
    assert refused(state, "flip:0") == "cards_open"
    play(state, "Ca")
    assert state.hidden
    seen = state.observe(1)
    assert [set(group.cards) for group in seen.groups] == [
        {z("Lu"), z("Fe")},
        {z("Sc"), z("I")},
        {z("S"), z("Ba")},
    ]


@pytest.mark.rule("atom_duel", 40)
def test_lanthanum_played_first_delays_the_shuffle_of_germanium() -> None:
    state = arrange("La Ba Fe", "Ge Sc I", "Ca S Lu")
    play(state, "La", "Ge")
    assert not state.hidden
    assert state.rows[2][:3] == [z("Ca"), z("S"), z("Lu")]
    play(state, "Ca")
    assert state.hidden
    seen = state.observe(0)
    assert {(frozenset(g.cards), frozenset(s for s, _ in g.places)) for g in seen.groups} == {
        (frozenset(map(z, cards)), frozenset([seat]))
        for seat, cards in enumerate((("Ba", "Fe"), ("Sc", "I"), ("S", "Lu")))
    }
    assert state.observe(None).groups == seen.groups


@pytest.mark.rule("atom_duel", "3.6")
def test_below_level_seven_no_unique_power_works() -> None:
    for symbol in ("H", "Cl", "Zn", "Ge", "Sr", "La", "Hg", "Tl"):
        state = arrange(f"{symbol} Ba", "Br Sc", "Ca S", level=6)
        play(state, symbol)
        assert state.pending is None
        assert [state.pass_left, state.zinc, state.face_down, state.face_up] == [False, 0, False, False]
        assert kinds(state) == ["play"]


@pytest.mark.parametrize("seed", range(40))
def test_a_shuffled_row_is_sampled_evenly(seed: int) -> None:
    """Under Germanium each own card is as likely in each own slot; no sample breaks a group."""
    state = arrange("Ge Fe Al", "Br Sc I", "Ca S Os")
    play(state, "Ge")
    world = GAME.sample(state.observe(1), random.Random(seed))
    assert sorted(world.rows[1]) == sorted(state.rows[1])
    assert world.observe(1) == state.observe(1)


def test_moves_read_back() -> None:
    assert move("Fe/magnet") == ("play", 26, -1, -1, "magnet")
    assert GAME.action(["play", 26, -1, -1, "magnet"]) is move("Fe/magnet")
    for bad in (["play", 26], ["play", 26.0, -1, -1, ""], ["play", True, -1, -1, ""], ["aim", 0, 9, 0, ""]):
        with pytest.raises(ValueError, match="move"):
            GAME.action(bad)
