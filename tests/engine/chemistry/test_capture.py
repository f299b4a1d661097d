"""Compound Capture (docs/rules/chemistry.md, section 3): every example and decision of the page."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine.chemistry import capture
from engine.chemistry.deck import BOOK, BY_FORMULA, WILD
from engine.chemistry.moves import DRAWS, PILE, STOCK, Move, captures, lack
from engine.chemistry.observation import FIRST, OVER, PLAY, SECOND
from engine.chemistry.scoring import TARGET
from engine.chemistry.state import CollectState
from engine.game import IllegalAction
from tests.engine.chemistry.positions import arrange, card, cards, dealt, discard, hand, take

GAME = capture.GAME


def refused(state: CollectState, move: Move, seat: int = 0) -> dict[str, object]:
    """The rule that refuses, with its facts; the position stays as it is."""
    before = state.fingerprint()
    with pytest.raises(IllegalAction) as caught:
        state.apply(seat, move)
    assert state.fingerprint() == before
    assert caught.value.rule in GAME.refusals
    return {"rule": caught.value.rule, **caught.value.facts}


# 1: the deal


@pytest.mark.rule("chemistry", "3.1")
def test_one_deck_is_for_1_to_3_both_for_1_to_6() -> None:
    assert GAME.seats({"decks": "covalent"}) == (1, 2, 3)
    assert GAME.seats({"decks": "ionic"}) == (1, 2, 3)
    assert GAME.seats({"decks": "both"}) == (1, 2, 3, 4, 5, 6)


@pytest.mark.rule("chemistry", "3.1")
def test_six_face_up_seven_cards_each_one_opens_the_discard_pile() -> None:
    state = dealt(seats=3)
    assert len(state.row) == 6
    assert state.sizes == [7, 7, 7]
    assert len(state.discard) == 1
    assert len(state.order) - state.at == 60 - 21 - 1
    assert state.total == 48
    assert len({*state.row}) == 6


@pytest.mark.rule("chemistry", "3.1")
def test_the_player_left_of_the_dealer_starts_and_play_goes_clockwise() -> None:
    dealers = set()
    for seed in range(20):
        state = GAME.deal(GAME.setup(4, seed.to_bytes(32, "big")))
        assert state.turn == (state.dealer + 1) % 4
        dealers.add(state.dealer)
        state.apply(state.turn, DRAWS[PILE])
        mover = state.turn
        state.apply(mover, next(m for m in state.legal_actions(mover) if m.verb == "discard"))
        assert state.turn == (mover + 1) % 4
    assert dealers == {0, 1, 2, 3}


# 2: drawing


@pytest.mark.rule("chemistry", "3.2")
def test_draw_two_from_the_stock() -> None:
    state = arrange("H", "H", stock="O S Cl", phase=FIRST)
    state.apply(0, DRAWS[STOCK])
    assert state.phase == SECOND
    assert hand(state) == {"H": 1, "O": 1}
    state.apply(0, DRAWS[STOCK])
    assert state.phase == PLAY
    assert hand(state) == {"H": 1, "O": 1, "S": 1}


@pytest.mark.rule("chemistry", "3.2")
def test_draw_stock_then_the_top_of_the_discard_pile() -> None:
    state = arrange("H", "H", stock="O S Cl", pile="F N", phase=FIRST)
    state.apply(0, DRAWS[STOCK])
    state.apply(0, DRAWS[PILE])
    assert hand(state) == {"H": 1, "O": 1, "N": 1}
    assert state.discard == cards("F")


def test_after_the_discard_pile_the_other_card_comes_from_the_stock_at_once() -> None:
    state = arrange("H", "H", stock="O S Cl", pile="F N", phase=FIRST)
    state.apply(0, DRAWS[PILE])
    assert state.phase == PLAY
    assert hand(state) == {"H": 1, "O": 1, "N": 1}


@pytest.mark.rule("chemistry", "3.2")
def test_two_from_the_discard_pile_are_refused() -> None:
    state = arrange("H", "H", stock="O S Cl", pile="F N", phase=FIRST)
    state.apply(0, DRAWS[PILE])
    assert refused(state, DRAWS[PILE]) == {"rule": "draw_source", "problem": "two_from_discard"}


@pytest.mark.rule("chemistry", 7)
def test_an_empty_stock_is_made_of_the_discard_pile_except_its_top() -> None:
    state = arrange("H", "H", stock="", pile="F N S Cl", phase=FIRST)
    state.apply(0, DRAWS[STOCK])
    assert state.discard == cards("Cl")
    assert sorted([*state.order]) == sorted(cards("F N S"))
    assert state.phase == SECOND


@pytest.mark.rule("chemistry", 7)
def test_the_pile_is_shuffled_only_when_a_card_must_be_drawn() -> None:
    state = arrange("H", "H", stock="O S", pile="F N Cl", phase=FIRST)
    state.apply(0, DRAWS[STOCK])
    state.apply(0, DRAWS[STOCK])
    assert state.at == len(state.order)
    assert state.discard == cards("F N Cl")


@pytest.mark.rule("chemistry", 7)
def test_two_cards_must_be_drawn_while_two_can_be_had() -> None:
    """With the discard pile taken first there would be nothing to shuffle, so the stock comes first."""
    state = arrange("H", "H", stock="", pile="F N", phase=FIRST)
    assert list(state.legal_actions(0)) == [DRAWS[STOCK]]
    assert refused(state, DRAWS[PILE]) == {"rule": "draw_source", "problem": "two_possible"}
    state.apply(0, DRAWS[STOCK])
    assert hand(state) == {"H": 1, "F": 1, "N": 1}
    assert state.phase == PLAY


def test_with_one_card_in_stock_and_one_on_the_pile_both_are_drawn() -> None:
    for source in DRAWS:
        state = arrange("H", "H", stock="O", pile="N", phase=FIRST)
        state.apply(0, source)
        assert hand(state) == {"H": 1, "O": 1, "N": 1}
        assert state.phase == PLAY


@pytest.mark.rule("chemistry", 7)
def test_fewer_than_two_cards_draw_what_there_is() -> None:
    state = arrange("H", "H", stock="", pile="N", phase=FIRST)
    assert list(state.legal_actions(0)) == [DRAWS[PILE]]
    assert refused(state, DRAWS[STOCK]) == {"rule": "draw_source", "problem": "stock_empty"}
    state.apply(0, DRAWS[PILE])
    assert hand(state) == {"H": 1, "N": 1}
    assert state.phase == PLAY


@pytest.mark.rule("chemistry", 7)
def test_with_nothing_to_draw_the_turn_goes_on() -> None:
    state = arrange("H", "H H", stock="", pile="", phase=FIRST)
    state.begin_turn(1)
    assert state.phase == PLAY
    state.apply(1, discard("H"))
    assert state.phase == FIRST
    assert refused(state, DRAWS[STOCK])["problem"] == "stock_empty"


def test_whoever_has_and_finds_nothing_is_passed_over() -> None:
    state = arrange("", "H H", "H", stock="", pile="", phase=FIRST)
    state.begin_turn(0)
    assert state.turn == 1
    assert state.dry == 1


def test_an_empty_discard_pile_gives_nothing() -> None:
    state = arrange("H", "H", stock="O O O", pile="", phase=FIRST)
    assert list(state.legal_actions(0)) == [DRAWS[STOCK]]
    assert refused(state, DRAWS[PILE]) == {"rule": "draw_source", "problem": "discard_empty"}
    state.apply(0, DRAWS[STOCK])
    assert state.sizes[0] == 3


def test_nothing_else_before_the_draw_and_no_third_card() -> None:
    state = arrange("H H O", "H", phase=FIRST)
    assert refused(state, take("H2O", "H H O"))["rule"] == "draw_first"
    assert refused(state, discard("H"))["rule"] == "draw_first"
    state.apply(0, DRAWS[STOCK])
    state.apply(0, DRAWS[STOCK])
    assert refused(state, DRAWS[STOCK]) == {"rule": "already_drawn", "problem": "play"}


# 3: capturing


@pytest.mark.rule("chemistry", "3.3", "5.1")
def test_co2_with_c_o_and_a_wild() -> None:
    state = arrange("C O * S", "H")
    state.apply(0, take("CO2", "C O *"))
    assert state.captured[0] == [BY_FORMULA["CO2"]]
    assert hand(state) == {"S": 1}


@pytest.mark.rule("chemistry", "3.3", "5.1")
def test_hf_with_two_wilds_is_refused() -> None:
    state = arrange("* * H", "H")
    assert refused(state, take("HF", "* *")) == {
        "rule": "exact_cards",
        "compound": BY_FORMULA["HF"],
        "problem": "wilds_alone",
    }


@pytest.mark.rule("chemistry", "3.4", "5.1")
def test_so2_discards_three_and_no_further_discard() -> None:
    state = arrange("S O O H", "H")
    state.apply(0, take("SO2", "O S O"))
    assert state.discard == cards("Cl O S O")
    assert hand(state) == {"H": 1}
    assert state.turn == 1


@pytest.mark.rule("chemistry", 8)
def test_the_last_named_card_lies_on_top() -> None:
    state = arrange("H H O", "H")
    state.apply(0, take("H2O", "H O H"))
    assert state.discard[-1] == card("H")


@pytest.mark.rule("chemistry", 8)
def test_a_wild_may_stand_in_even_when_the_element_is_in_hand() -> None:
    state = arrange("H H O *", "H")
    state.apply(0, take("H2O", "H * O"))
    assert hand(state) == {"H": 1}


@pytest.mark.rule("chemistry", "3.1", "3.3")
def test_only_one_capture_a_turn_and_the_row_is_refilled_at_once() -> None:
    state = arrange("H H O C O O", "H")
    fresh = state.stack[state.up]
    place = state.row.index(BY_FORMULA["H2O"])
    state.apply(0, take("H2O", "H H O"))
    assert state.row[place] == fresh
    assert len(state.row) == 6
    assert state.turn == 1


@pytest.mark.rule("chemistry", "3.1")
def test_the_row_shrinks_when_the_stack_is_used_up() -> None:
    state = arrange("H H O C", "H")
    state.up = len(state.stack)
    state.apply(0, take("H2O", "H H O"))
    assert len(state.row) == 5


@pytest.mark.rule("chemistry", 8)
def test_a_player_able_to_capture_may_decline() -> None:
    state = arrange("H H O", "H")
    state.apply(0, discard("O"))
    assert state.turn == 1


def test_a_capture_of_a_compound_that_is_not_face_up_is_refused() -> None:
    state = arrange("C H H H H", "H")
    assert refused(state, take("CH4", "C H H H H"))["rule"] == "not_face_up"


@pytest.mark.rule("chemistry", "3.3")
def test_more_cards_than_the_formula_are_refused() -> None:
    state = arrange("H H H O", "H")
    assert refused(state, take("H2O", "H H H O"))["problem"] == "too_many_cards"
    facts = refused(state, take("H2O", "H H H"))
    assert facts["problem"] == "too_many_of_one"
    assert (facts["surplus"], facts["missing"], facts["short"]) == ([[1, 1]], [[8, 1]], 1)


def test_a_refused_capture_says_which_atom_is_missing() -> None:
    state = arrange("C O O", "H")
    facts = refused(state, take("CO2", "C O"))
    assert (facts["problem"], facts["missing"], facts["short"]) == ("atom_missing", [[8, 1]], 1)
    facts = refused(state, take("SO2", "S O O"))
    assert (facts["problem"], facts["missing"]) == ("not_held", [[card("S"), 1]])
    facts = refused(state, take("CO2", "C O *"))
    assert (facts["problem"], facts["missing"]) == ("not_held", [[WILD, 1]])


@pytest.mark.parametrize(
    ("held", "named", "short", "wilds"),
    [
        ("C O", "C O", 1, 0),
        ("C O *", "C O", 1, 1),
        ("C * * *", "C", 2, 2),
        ("C * * *", "C *", 1, 1),
        ("C O *", "C O O", 1, 1),
        ("O *", "C O O", 2, 1),
        ("* * *", "C O O", 3, 2),
        ("* *", "C * *", 1, 0),
        ("* * *", "", 3, 2),
    ],
)
def test_a_refused_capture_says_how_many_wilds_could_stand_in(
    held: str, named: str, short: int, wilds: int
) -> None:
    """Wilds that are named already cannot, and wilds alone never do."""
    facts = refused(arrange(held, "H"), take("CO2", named))
    assert (facts["short"], facts["wilds"]) == (short, wilds)


def test_an_atom_that_is_not_in_the_formula_is_refused() -> None:
    state = arrange("H Cl O", "H")
    facts = refused(state, take("H2O", "H Cl O"))
    assert (facts["problem"], facts["card"]) == ("not_in_formula", card("Cl"))


def test_a_card_that_is_not_held_cannot_be_discarded() -> None:
    assert refused(arrange("H", "H"), discard("O"))["rule"] == "card_not_in_hand"


def test_every_order_of_the_same_cards_passes_and_legal_ones_differ_in_what_matters() -> None:
    state = arrange("H H O", "H", row="H2O")
    legal = [move for move in state.legal_actions(0) if move.verb == "capture"]
    assert {move.cards[-1] for move in legal} == {card("H"), card("O")}
    assert len(legal) == 2
    state.verify(0, take("H2O", "O H H"))
    state.verify(0, take("H2O", "H O H"))


def test_all_ways_to_pay_are_there() -> None:
    state = arrange("C O O *", "H", row="CO2")
    paid = {tuple(sorted(move.cards)) for move in state.legal_actions(0) if move.verb == "capture"}
    assert paid == {(6, 8, 8), (0, 8, 8), (0, 6, 8)}


def test_after_a_capture_with_the_last_cards_the_round_goes_on() -> None:
    state = arrange("H H O", "H")
    state.apply(0, take("H2O", "H H O"))
    assert state.round == 1
    assert state.sizes[0] == 0
    assert state.turn == 1


# 4: the end of a round


def ended(state: CollectState) -> str:
    assert state.last is not None
    return state.last.reason


@pytest.mark.rule("chemistry", "3.5")
def test_the_round_ends_when_all_compounds_are_captured() -> None:
    state = arrange("H H O C", "H", row="H2O")
    state.up = len(state.stack)
    state.apply(0, take("H2O", "H H O"))
    assert ended(state) == "all_captured"


@pytest.mark.rule("chemistry", 9, "3.5")
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_round_ends_after_as_many_turns_without_a_capture_as_there_are_players(seats: int) -> None:
    state = arrange(*["H S"] * seats, stock="O " * 30, phase=FIRST)
    for turn in range(seats):
        assert state.last is None
        state.apply(turn, DRAWS[STOCK])
        state.apply(turn, DRAWS[STOCK])
        state.apply(turn, discard("H"))
    assert ended(state) == "stuck"


@pytest.mark.rule("chemistry", 9)
def test_a_capture_starts_the_count_again() -> None:
    state = arrange("H H O", "H S", stock="O " * 30)
    state.dry = 1
    state.apply(0, take("H2O", "H H O"))
    assert state.dry == 0
    state.apply(1, DRAWS[PILE])
    state.apply(1, discard("S"))
    assert state.last is None


@pytest.mark.rule("chemistry", 9)
def test_solo_three_turns_without_a_capture() -> None:
    state = arrange("H S", stock="Cl " * 30, phase=FIRST)
    for turn in range(3):
        assert state.last is None
        state.apply(0, DRAWS[STOCK])
        state.apply(0, DRAWS[STOCK])
        state.apply(0, discard("Cl"))
    assert ended(state) == "stuck"


# 5: points


def finish(state: CollectState) -> None:
    """Let the round end at the next discard."""
    state.dry = state.seats + 3


@pytest.mark.rule("chemistry", "3.6")
def test_score_25_per_compound_less_1_per_element_and_5_per_wild() -> None:
    state = arrange("H O * *", "S")
    state.captured[0] = [0, 1]
    finish(state)
    state.apply(0, discard("H"))
    assert state.last is not None
    assert state.last.points == (50 - 1 - 10, -1)


@pytest.mark.rule("chemistry", "3.6")
def test_points_may_be_negative() -> None:
    state = arrange("* * H", "S")
    finish(state)
    state.apply(0, discard("H"))
    assert state.totals == [-10, -1]


@pytest.mark.rule("chemistry", 10, "3.7")
def test_at_250_after_a_round_the_highest_wins() -> None:
    state = arrange("H", "H")
    state.totals = [240, 252]
    state.captured = [[0], []]
    finish(state)
    state.apply(0, discard("H"))
    assert state.phase == OVER
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.reason == "target"
    assert [(one.rank, one.score) for one in outcome.standings] == [(1, 265), (2, 251)]


@pytest.mark.rule("chemistry", 10)
def test_equal_highest_totals_take_another_round() -> None:
    state = arrange("H S", "H")
    state.totals = [TARGET + 1, TARGET + 1]
    finish(state)
    state.apply(0, discard("H"))
    assert state.totals == [TARGET, TARGET]
    assert state.phase == FIRST
    assert state.round == 2


@pytest.mark.rule("chemistry", 10)
def test_the_match_ends_after_round_10_and_equal_totals_share() -> None:
    state = arrange("H S", "H")
    state.round, state.totals = 10, [20, 20]
    finish(state)
    state.apply(0, discard("H"))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.reason == "last_round"
    assert [one.rank for one in outcome.standings] == [1, 1]


@pytest.mark.rule("chemistry", 10)
def test_the_deal_moves_to_the_left() -> None:
    state = arrange("H S", "H", "H")
    dealer = state.dealer
    finish(state)
    state.apply(0, discard("H"))
    assert state.dealer == (dealer + 1) % 3
    assert state.turn == (state.dealer + 1) % 3
    assert state.sizes == [7, 7, 7]


@pytest.mark.rule("chemistry", 10)
def test_solo_not_at_250_after_round_10_is_lost() -> None:
    state = arrange("H S")
    state.round, state.totals = 10, [200]
    finish(state)
    state.apply(0, discard("H"))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.reason == "target_missed"


@pytest.mark.rule("chemistry", "3.7")
def test_one_round_is_a_game_of_its_own() -> None:
    state = arrange("H S", "H", rounds=1)
    state.captured = [[], [3]]
    finish(state)
    state.apply(0, discard("H"))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.reason == "one_round"
    assert [one.rank for one in outcome.standings] == [2, 1]


# knowing and lacking


@pytest.mark.parametrize(
    ("held", "formula", "short"),
    [
        ("C O O", "CO2", 0),
        ("C *", "CO2", 1),
        ("* * *", "CO2", 1),  # wilds alone do not do: one element is lacking
        ("", "CH3OH", 6),
        ("O O O O", "CO2", 1),
    ],
)
def test_what_a_hand_lacks(held: str, formula: str, short: int) -> None:
    counts = arrange(held, "H").hands[0]
    assert lack(BY_FORMULA[formula], counts) == short


def test_what_lacks_nothing_can_be_captured_and_only_that() -> None:
    rng = random.Random(4)
    for _ in range(300):
        pool = ["H", "C", "O", "N", "S", "Cl", "F", "Na", "Mg", "Fe", "*", "*"]
        counts = arrange(" ".join(rng.choices(pool, k=7)), "H").hands[0]
        for number in range(len(BOOK.compounds)):
            assert bool(captures([number], counts)) == (lack(number, counts) == 0)


def sums(state: CollectState) -> Callable[[], list[int]]:
    return lambda: [sum(held) for held in state.hands]


def test_sizes_are_kept_right() -> None:
    state = dealt(seats=4)
    rng = random.Random(2)
    while state.to_act():
        assert sums(state)() == state.sizes
        state.apply(state.turn, rng.choice(state.legal_actions(state.turn)))
