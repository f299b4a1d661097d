"""Chemistry Canasta (docs/rules/chemistry.md, section 4): every example and decision of the page."""

from __future__ import annotations

import random

import pytest

from engine.chemistry import canasta
from engine.chemistry.deck import BY_FORMULA, WILD
from engine.chemistry.moves import DRAWS, END, PILE, STOCK, Move, claim, runs
from engine.chemistry.observation import AFTER, CLOSE, FIRST, OVER, PLAY
from engine.chemistry.state import CollectState
from engine.game import IllegalAction
from tests.engine.chemistry.positions import arrange, card, cards, dealt, discard, hand, lay, take

GAME = canasta.GAME


def table(*hands: str, row: str = "H2O CO2 HF SO2 NaCl MgO", **more: object) -> CollectState:
    return arrange(*hands, row=row, is_canasta=True, **more)  # type: ignore[arg-type]


def refused(state: CollectState, move: Move, seat: int = 0) -> dict[str, object]:
    before = state.fingerprint()
    with pytest.raises(IllegalAction) as caught:
        state.apply(seat, move)
    assert state.fingerprint() == before
    assert caught.value.rule in GAME.refusals
    return {"rule": caught.value.rule, **caught.value.facts}


def verbs(state: CollectState, seat: int = 0) -> set[str]:
    return {move.verb for move in state.legal_actions(seat)}


def lay_down(state: CollectState, seat: int, start: int, text: str) -> None:
    """A run that lies on the table already."""
    first, second, third = cards(text)
    state.runs[seat].append((start, (first, second, third)))
    for step, kind in enumerate((first, second, third)):
        if kind == WILD:
            state.wilds.append((start + step, seat, len(state.runs[seat]) - 1))


# 1: captures or runs


@pytest.mark.rule("chemistry", "4.1")
def test_the_draw_deck_is_the_basic_deck_and_the_expansions() -> None:
    assert len(dealt(is_canasta=True, seats=2).order) == 114
    assert len(dealt(is_canasta=True, seats=2, decks="ionic").order) == 84
    assert GAME.seats({"decks": "ionic"}) == (1, 2, 3, 4, 5, 6)


@pytest.mark.rule("chemistry", "4.6", "5.2")
def test_the_run_al_si_p_counts_30() -> None:
    state = table("Al Si P H", "S")
    state.apply(0, lay(13, "Al Si P"))
    assert state.runs[0] == [(13, (13, 14, 15))]
    assert state.phase == CLOSE
    state.at = len(state.order)
    state.apply(0, discard("H"))
    assert state.last is not None
    assert state.last.points[0] == 30


@pytest.mark.rule("chemistry", "4.2")
def test_after_a_run_one_card_is_discarded_and_nothing_else_is_played() -> None:
    state = table("Al Si P H H O", "S")
    state.apply(0, lay(13, "Al Si P"))
    assert verbs(state) == {"discard"}
    assert refused(state, take("H2O", "H H O"))["rule"] == "run_made"
    assert refused(state, lay(13, "Al Si P"))["rule"] == "run_made"
    state.apply(0, discard("H"))
    assert state.turn == 1


@pytest.mark.rule("chemistry", "4.2")
def test_after_a_capture_there_is_no_run_and_no_discard() -> None:
    state = table("H H O Al Si P", "S")
    lay_down(state, 1, 43, "Tc * Rh")
    state.apply(0, take("H2O", "H H O"))
    assert state.phase == AFTER
    assert verbs(state) == {"end"}
    for move in (lay(13, "Al Si P"), discard("Al"), take("H2O", "H H O")):
        assert refused(state, move)["rule"] == "capture_made"
    state.apply(0, END)
    assert state.turn == 1


def test_a_capture_ends_the_turn_where_nothing_is_left_to_do() -> None:
    state = table("H H O Al Si P", "S")
    state.apply(0, take("H2O", "H H O"))
    assert state.turn == 1


@pytest.mark.rule("chemistry", 11)
def test_a_wild_beside_12_and_13_may_be_11_or_14() -> None:
    state = table("Mg Al * H", "S")
    laid = {(move.what, move.cards) for move in state.legal_actions(0) if move.verb == "run"}
    assert laid == {(12, (12, 13, 0)), (11, (0, 12, 13))}
    # with the wild in the middle it would have to be between them
    assert refused(state, Move("run", 12, (12, 0, 13)))["problem"] == "not_in_a_row"


@pytest.mark.rule("chemistry", 11)
def test_runs_stay_within_1_to_54() -> None:
    state = table("I Xe *", "S")
    assert {move.what for move in state.legal_actions(0) if move.verb == "run"} == {52}
    facts = refused(state, Move("run", 53, (53, 54, 0)))
    assert (facts["problem"], facts["last"]) == ("beyond_the_deck", 54)
    state = table("H He *", "S")
    assert {move.what for move in state.legal_actions(0) if move.verb == "run"} == {1}


@pytest.mark.rule("chemistry", 11)
def test_one_of_the_three_must_be_an_element() -> None:
    state = table("* * * H", "S")
    assert refused(state, Move("run", 12, (0, 0, 0)))["problem"] == "wilds_alone"
    assert {move.cards for move in state.legal_actions(0) if move.verb == "run"} == {(1, 0, 0)}


@pytest.mark.rule("chemistry", 11)
def test_a_run_is_exactly_three_in_a_row() -> None:
    state = table("Mg Al P Si", "S")
    assert refused(state, Move("run", 12, (12, 13, 15)))["problem"] == "not_in_a_row"
    facts = refused(state, Move("run", 10, (10, 11, 12)))
    assert (facts["problem"], facts["missing"]) == ("not_held", [[10, 1], [11, 1]])


@pytest.mark.rule("chemistry", 11)
def test_element_cards_of_the_expansions_serve_runs_too() -> None:
    state = table("Na Na Mg Al H", "S")
    state.apply(0, lay(11, "Na Mg Al"))
    assert hand(state) == {"Na": 1, "H": 1}


def test_all_runs_are_found() -> None:
    """Against the plain definition, on random hands."""
    rng = random.Random(1)
    for _ in range(200):
        counts = bytearray(55)
        for _ in range(rng.randrange(3, 16)):
            counts[rng.choice((0, rng.randrange(1, 55), rng.randrange(1, 20)))] += 1
        plain = set()
        for start in range(1, 53):
            for shape in range(1, 8):
                three = tuple(start + step if shape >> step & 1 else 0 for step in range(3))
                if all(counts[kind] for kind in three if kind) and three.count(0) <= counts[0]:
                    plain.add((start, three))
        found = [(move.what, move.cards) for move in runs(counts)]
        assert set(found) == plain
        assert len(found) == len(plain)


# 2: claims


@pytest.mark.rule("chemistry", 12, "4.3", "5.2")
def test_b_lays_ru_on_the_wild_of_a_and_the_run_still_scores_for_a() -> None:
    state = table("Ru H", "S")
    lay_down(state, 1, 43, "Tc * Rh")
    state.apply(0, claim(44, 1, 0))
    assert state.runs[1] == [(43, (43, 44, 45))]
    assert hand(state) == {"H": 1, "*": 1}
    assert state.wilds == []
    assert state.turn == 0
    state.at = len(state.order)
    state.apply(0, discard("H"))
    assert state.last is not None
    assert state.last.points == (-5, 30 - 1)


@pytest.mark.rule("chemistry", 12)
def test_claims_are_possible_before_drawing_after_it_and_after_a_run_or_capture() -> None:
    for phase in (FIRST, PLAY):
        state = table("Ru H", "S", phase=phase)
        lay_down(state, 0, 43, "Tc * Rh")
        assert claim(44, 0, 0) in state.legal_actions(0)
    state = table("Ru Al Si P H", "S")
    lay_down(state, 1, 43, "Tc * Rh")
    state.apply(0, lay(13, "Al Si P"))
    assert claim(44, 1, 0) in state.legal_actions(0)
    state = table("Ru H H O", "S")
    lay_down(state, 1, 43, "Tc * Rh")
    state.apply(0, take("H2O", "H H O"))
    assert claim(44, 1, 0) in state.legal_actions(0)


@pytest.mark.rule("chemistry", 12)
def test_any_number_of_claims_in_a_turn_and_the_wild_can_be_used_at_once() -> None:
    state = table("Ru Mo Al H", "S")
    lay_down(state, 1, 43, "Tc * Rh")
    lay_down(state, 0, 40, "Zr Nb *")
    state.apply(0, claim(44, 1, 0))
    state.apply(0, claim(42, 0, 0))
    assert hand(state) == {"Al": 1, "H": 1, "*": 2}
    state.apply(0, lay(13, "Al * *"))
    assert state.sizes[0] == 1


@pytest.mark.rule("chemistry", "4.3")
def test_a_claim_needs_the_exact_element_and_a_wild_in_its_place() -> None:
    state = table("Ru H", "S")
    lay_down(state, 1, 43, "Tc * Rh")
    assert refused(state, claim(45, 1, 0))["rule"] == "no_such_wild"
    state = table("H", "S")
    lay_down(state, 1, 43, "Tc * Rh")
    assert refused(state, claim(44, 1, 0)) == {"rule": "card_not_in_hand", "card": 44}


@pytest.mark.rule("chemistry", 12)
def test_not_in_the_turn_of_another() -> None:
    state = table("H", "Ru S")
    lay_down(state, 0, 43, "Tc * Rh")
    assert refused(state, claim(44, 0, 0), seat=1)["rule"] == "not_your_turn"


# 3: going out


def ended(state: CollectState) -> tuple[str, int]:
    assert state.last is not None
    return state.last.reason, state.last.seat


@pytest.mark.rule("chemistry", 13, "4.4", "5.2")
def test_a_hand_of_three_laid_as_a_run_is_out_without_a_discard() -> None:
    state = table("Al Si P", "S S")
    state.apply(0, lay(13, "Al Si P"))
    assert ended(state) == ("out", 0)


@pytest.mark.rule("chemistry", 13, "4.4")
def test_a_capture_with_the_last_cards_is_out() -> None:
    state = table("H H O", "S S")
    state.apply(0, take("H2O", "H H O"))
    assert ended(state) == ("out", 0)


@pytest.mark.rule("chemistry", "4.4")
def test_the_last_card_discarded_is_out() -> None:
    state = table("H", "S S")
    state.apply(0, discard("H"))
    assert ended(state) == ("out", 0)


@pytest.mark.rule("chemistry", 13)
def test_with_one_card_left_after_a_capture_it_may_be_discarded_to_go_out() -> None:
    state = table("H H O Fe", "S S")
    state.apply(0, take("H2O", "H H O"))
    assert set(state.legal_actions(0)) == {discard("Fe"), END}
    state.apply(0, discard("Fe"))
    assert ended(state) == ("out", 0)


@pytest.mark.rule("chemistry", 13)
def test_or_it_may_be_kept() -> None:
    state = table("H H O Fe", "S S")
    state.apply(0, take("H2O", "H H O"))
    state.apply(0, END)
    assert state.last is None
    assert state.turn == 1


@pytest.mark.rule("chemistry", 13)
def test_with_two_cards_left_after_a_capture_none_is_discarded() -> None:
    state = table("H H O Fe Zn", "S S")
    lay_down(state, 1, 43, "Tc * Rh")
    state.apply(0, take("H2O", "H H O"))
    assert verbs(state) == {"end"}


def test_end_is_for_after_a_capture_only() -> None:
    assert refused(table("H", "S"), END)["rule"] == "nothing_to_end"


# 4: the end of a round


@pytest.mark.rule("chemistry", "4.5")
def test_the_round_ends_when_all_compounds_are_captured() -> None:
    state = table("H H O Fe", "S", row="H2O")
    state.up = len(state.stack)
    state.apply(0, take("H2O", "H H O"))
    assert ended(state) == ("all_captured", -1)


@pytest.mark.rule("chemistry", 14, "4.5")
def test_the_stock_is_never_reshuffled_whoever_draws_its_last_card_finishes_the_turn() -> None:
    state = table("H H O", "S S", stock="O Fe", pile="Cl N S", phase=FIRST)
    state.apply(0, DRAWS[STOCK])
    state.apply(0, DRAWS[STOCK])
    assert state.last is None
    state.apply(0, take("H2O", "H H O"))
    assert ended(state) == ("exhausted", 0)


@pytest.mark.rule("chemistry", 14)
def test_with_one_card_in_the_stock_the_other_is_the_top_of_the_discard_pile() -> None:
    for source in (STOCK, PILE):
        state = table("H", "S S", stock="O", pile="Cl N", phase=FIRST)
        assert list(state.legal_actions(0)) == [DRAWS[STOCK]]
        state.apply(0, DRAWS[source])
        assert hand(state) == {"H": 1, "O": 1, "N": 1}
        assert state.phase == PLAY


@pytest.mark.rule("chemistry", 14)
def test_once_around_without_a_capture_is_no_end() -> None:
    state = table("H S", "H S", stock="O " * 20, phase=FIRST)
    for turn in (0, 1, 0, 1):
        state.apply(turn, DRAWS[STOCK])
        state.apply(turn, DRAWS[STOCK])
        state.apply(turn, discard("O"))
    assert state.last is None


# 5: points


@pytest.mark.rule("chemistry", "4.6", "5.3")
def test_two_compounds_a_run_four_elements_and_a_wild_give_71() -> None:
    state = table("Fe Zn Ca K * H", "S")
    state.captured[0] = [BY_FORMULA["CH4"], BY_FORMULA["NH3"]]
    lay_down(state, 0, 13, "Al Si P")
    state.at = len(state.order)
    state.apply(0, discard("H"))
    assert state.last is not None
    assert state.last.points[0] == 50 + 30 - 4 - 5 == 71


@pytest.mark.rule("chemistry", 12, "4.6")
def test_wilds_in_runs_count_10_for_the_owner_of_the_run() -> None:
    state = table("H", "S")
    lay_down(state, 1, 43, "Tc * *")
    state.apply(0, discard("H"))
    assert state.last is not None
    assert state.last.points == (0, 30 - 1)


@pytest.mark.rule("chemistry", "4.6")
def test_solo_reaches_250_in_as_few_rounds_as_it_can() -> None:
    state = table("H")
    state.totals, state.round = [260], 3
    state.apply(0, discard("H"))
    assert state.phase == OVER
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.facts["rounds"]) == ("target", 3)


def test_the_pause_after_a_capture_depends_on_open_cards_only() -> None:
    """Whether the turn goes on must not tell whether a claim is possible."""
    for held in ("H H O Ru Zn", "H H O Fe Zn"):
        state = table(held, "S S")
        lay_down(state, 1, 43, "Tc * Rh")
        state.apply(0, take("H2O", "H H O"))
        assert state.to_act() == (0,)
    assert card("Ru") == 44
