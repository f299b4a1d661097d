"""The patterns of Compound Capture and Canasta, each in a position where it holds and in one where it does
not."""

from __future__ import annotations

from typing import Any

from engine.chemistry import canasta, capture
from engine.chemistry.ai.patterns import happenings
from engine.chemistry.deck import BY_FORMULA
from engine.chemistry.moves import DISCARDS, DRAWS, Move, claim
from engine.chemistry.observation import AFTER, FIRST, SECOND, TAKE, entry
from engine.chemistry.state import CollectState
from engine.reason import Happening
from tests.engine.chemistry.positions import arrange, card, cards
from tests.support.games.chemistry import with_an_open_wild

PATTERNS = {pattern.key: pattern for pattern in capture.GAME.patterns}
STOCK, PILE = DRAWS
WATER = BY_FORMULA["H2O"]


def found(state: CollectState, key: str, move: Move) -> dict[str, Any] | None:
    """The facts of a pattern for a move of seat 0, silent ones left out."""
    reason = PATTERNS[key].reason(state.observe(0), move)
    if reason is None:
        return None
    return {name: value for name, value in reason.facts.items() if name in capture.GAME.reasons[key].said}


def discard(text: str) -> Move:
    return DISCARDS[card(text)]


def capturing(formula: str, text: str) -> Move:
    return Move("capture", BY_FORMULA[formula], tuple(cards(text)))


def test_a_capture_brings_its_points() -> None:
    state = arrange("H H O *", "S")
    assert found(state, "captures", capturing("H2O", "H H O")) == {"compound": WATER, "points": 25}
    assert found(state, "captures", discard("O")) is None


def test_a_capture_without_a_wild_card_spares_it() -> None:
    state = arrange("H H O *", "S")
    assert found(state, "spares_wild", capturing("H2O", "H H O")) == {}
    assert found(state, "spares_wild", capturing("H2O", "* H O")) is None
    assert found(arrange("H H O", "S"), "spares_wild", capturing("H2O", "H H O")) is None, "there is none"


def test_the_card_on_the_pile_may_be_what_is_lacking() -> None:
    state = arrange("H O", "S", row="H2O", pile="H", phase=SECOND)
    assert found(state, "completes", PILE) == {"card": card("H"), "compound": WATER}
    assert found(state, "completes", STOCK) is None
    assert found(arrange("O", "S", row="H2O", pile="H", phase=SECOND), "completes", PILE) is None


def test_a_card_brings_a_compound_nearer() -> None:
    state = arrange("O", "S", row="H2O", pile="H", phase=SECOND)
    assert found(state, "nearer", PILE) == {"card": card("H"), "compound": WATER, "short": 1}
    assert found(arrange("O", "S", row="HF", pile="Cl", phase=SECOND), "nearer", PILE) is None


def test_a_useless_card_speaks_for_the_stock() -> None:
    state = arrange("H O", "S", row="H2O", pile="Cl", phase=SECOND)
    assert found(state, "pile_useless", STOCK) == {"card": card("Cl")}
    assert found(state, "pile_useless", PILE) is None
    assert found(arrange("H O", "S", row="H2O", pile="H", phase=SECOND), "pile_useless", STOCK) is None


def test_the_first_card_may_be_seen_before_the_pile_is_taken() -> None:
    state = arrange("H O", "S", row="H2O", pile="H", phase=FIRST)
    assert found(state, "two_unknown", STOCK) == {}
    assert found(arrange("H O", "S", row="H2O", pile="H", phase=SECOND), "two_unknown", STOCK) is None


def test_a_discard_is_needless_or_feeds_the_next_player() -> None:
    state = arrange("Cl O", "S", row="H2O CO2 MgO")
    assert found(state, "needless", discard("Cl")) == {"card": card("Cl")}
    assert found(state, "needless", discard("O")) is None
    assert found(state, "feeds_next", discard("O")) == {"card": card("O"), "player": 1, "compounds": 3}
    assert found(state, "feeds_next", discard("Cl")) is None
    assert found(arrange("Cl O", row="H2O CO2 MgO"), "feeds_next", discard("O")) is None, "alone"


def test_a_discard_may_break_what_is_nearly_made() -> None:
    state = arrange("H O Cl", "S", row="H2O")
    assert found(state, "breaks_compound", discard("O")) == {"card": card("O"), "compound": WATER}
    assert found(state, "breaks_compound", discard("Cl")) is None
    assert found(state, "spare", discard("Cl")) == {"card": card("Cl")}
    assert found(state, "spare", discard("O")) is None


def test_a_wild_card_is_not_given_away() -> None:
    state = arrange("* O", "S")
    assert found(state, "discards_wild", discard("*")) == {}
    assert found(state, "discards_wild", discard("O")) is None


def test_three_in_a_row_bring_their_points() -> None:
    state = arrange("H He Li", "S", is_canasta=True)
    assert found(state, "lays_run", Move("run", 1, tuple(cards("H He Li")))) == {"points": 30}
    assert found(state, "lays_run", discard("H")) is None


def test_going_out_in_front_ends_the_round() -> None:
    state = arrange("H He Li", "S", is_canasta=True)
    out = Move("run", 1, tuple(cards("H He Li")))
    assert found(state, "ends_ahead", out) == {"own": 30, "other": -1}, "their card costs a point"
    state.totals[1] = 100
    assert found(state, "ends_ahead", out) is None, "behind"
    assert found(arrange("H He Li O", "S", is_canasta=True), "ends_ahead", out) is None, "a card is left"


def test_a_claimed_wild_card_may_make_a_play() -> None:
    state = with_an_open_wild("Ru F")
    taken = claim(44, 1, 0)
    assert found(state, "claims_wild", taken) == {"card": 44}
    assert found(state, "claims_play", taken) == {}, "hydrogen fluoride with the wild card"
    assert found(with_an_open_wild("Ru Ne"), "claims_play", taken) is None


def test_a_capture_with_other_cards_is_the_same_move() -> None:
    seen = arrange("H H O *", "S").observe(0)
    spelling = capture.GAME.spelling
    assert spelling(seen, capturing("H2O", "H H O")) == spelling(seen, capturing("H2O", "* H O"))
    assert spelling(seen, discard("H")) != spelling(seen, discard("O"))
    assert canasta.GAME.spelling(seen, Move("run", 1, (1, 2, 3))) == ("run", (1, 2, 3))


def test_what_follows_is_told_without_the_move_itself() -> None:
    state = arrange("H H O *", "S")
    state.events = []
    state.push(0, capturing("H2O", "H H O"))
    assert list(happenings(state.events, 0)) == []
    twice = [state.events[0], *state.events]
    assert list(happenings(twice, 0)) == [Happening("capture_follows", WATER)]
    assert list(happenings(twice, 1)) == [Happening("capture_of_others", good=False)]


def test_the_last_discard_of_a_round_decides_it_only_if_hidden_cards_cannot_matter() -> None:
    state = arrange("O F", "S", row="NaCl")
    state.dry, state.totals = 1, [260, 250]
    assert found(state, "wins", discard("O")) == {"own": 259, "other": 249}
    state.totals = [200, 100]
    assert found(state, "wins", discard("O")) is None, "the target is not reached"
    assert found(state, "ends_ahead", discard("O")) == {"own": 199, "other": 99}
    state.dry = 0
    assert found(state, "ends_ahead", discard("O")) is None, "the round goes on"


def test_a_round_should_not_end_behind() -> None:
    state = arrange("H He Li", "S", is_canasta=True)
    out = Move("run", 1, tuple(cards("H He Li")))
    assert found(state, "ends_behind", out) is None
    state.totals = [0, 100]
    assert found(state, "ends_behind", out) == {"own": 30, "player": 1, "other": 95}
    state.totals = [0, 32]
    assert found(state, "ends_behind", out) is None, "their card may be wild and cost five points"


def test_a_wild_card_goes_before_it_costs_points() -> None:
    state = arrange("* F", "S", row="NaCl")
    assert found(state, "sheds_wild", discard("*")) is None
    state.dry = 1
    assert found(state, "sheds_wild", discard("*")) == {"wild": 5}
    assert found(state, "discards_wild", discard("*")) is None, "nobody can use it any more"


def test_nothing_is_fed_to_the_next_player_as_the_round_ends() -> None:
    state = arrange("O F", "S", row="H2O CO2")
    assert found(state, "feeds_next", discard("O")) is not None
    state.dry = 1
    for key in ("feeds_next", "needless", "spare", "far", "breaks_compound"):
        assert found(state, key, discard("O")) is None, key


def test_a_claim_can_wait_for_the_draw_and_comes_too_late_at_the_end() -> None:
    state = with_an_open_wild("Ru F")
    taken = claim(44, 1, 0)
    state.phase = FIRST
    assert found(state, "claim_waits", taken) == {"card": 44}
    state.phase = AFTER
    assert found(state, "claim_waits", taken) is None
    assert found(state, "claims_play", taken) is None, "nothing more is played in this turn"
    assert found(state, "claims_late", taken) is None, "there are cards to draw"
    state.at = len(state.order)
    assert found(state, "claims_late", taken) == {"wild": 5}


def test_a_run_in_hand_is_safe_and_a_compound_is_not() -> None:
    state = arrange("C O Al Si P", "S", row="CO", is_canasta=True)
    assert found(state, "run_stays", capturing("CO", "C O")) == {"compound": BY_FORMULA["CO"]}
    assert (
        found(arrange("C O Al Si", "S", row="CO", is_canasta=True), "run_stays", capturing("CO", "C O"))
        is None
    )


def test_wild_cards_spent_are_counted_and_one_on_top_is_a_present() -> None:
    state = arrange("H O *", "S")
    water = capturing("H2O", "H O *")
    assert found(state, "spends_wilds", water) == {"wilds": 1}
    assert found(state, "tops_wild", water) == {"player": 1}
    assert found(state, "tops_wild", capturing("H2O", "* H O")) is None
    assert found(arrange("H H O", "S"), "spends_wilds", capturing("H2O", "H H O")) is None


def test_a_wild_card_in_a_run_can_be_claimed_while_the_element_is_out() -> None:
    state = arrange("Tc *", "S", is_canasta=True)
    laid = Move("run", 43, tuple(cards("Tc * Rh")))
    assert found(state, "claimable", laid) == {"cards": 1}
    state.discard = cards("Ru")
    assert found(state, "claimable", laid) is None, "the only ruthenium is on the pile"


def test_the_pile_may_save_a_wild_card() -> None:
    state = arrange("H O *", "S", row="H2O", pile="H", phase=SECOND)
    assert found(state, "saves_wild", PILE) == {"card": card("H"), "compound": WATER}
    assert found(state, "pile_useless", STOCK) is None
    assert found(arrange("H O *", "S", row="H2O", pile="Cl", phase=SECOND), "saves_wild", PILE) is None


def test_two_of_three_in_a_row_belong_together() -> None:
    state = arrange("Ru F", "S", pile="Tc", is_canasta=True, phase=SECOND)
    assert found(state, "joins_run", PILE) == {"card": 43, "other": 44}
    assert found(state, "pile_useless_run", STOCK) is None
    state.discard = cards("Xe")
    assert found(state, "joins_run", PILE) is None
    assert found(state, "pile_useless_run", STOCK) == {"card": 54}
    held = arrange("Tc Rh Xe", "S", is_canasta=True)
    assert found(held, "breaks_run", discard("Tc")) == {"card": 43, "other": 45}
    assert found(held, "breaks_run", discard("Xe")) is None
    assert found(held, "needless_run", discard("Xe")) == {"card": 54}
    assert found(held, "needless_run", discard("Rh")) is None


def test_what_the_next_player_openly_took_may_lack_just_this_card() -> None:
    state = arrange("O F", "H H", row="H2O")
    state.log += [entry(TAKE, 1, card("H"))] * 2
    facts = {"card": card("O"), "compound": WATER, "player": 1}
    assert found(state, "completes_for_next", discard("O")) == facts
    state.log.pop()
    assert found(state, "completes_for_next", discard("O")) is None


def test_a_card_only_for_what_is_out_of_reach_can_go() -> None:
    state = arrange("H Cl", "S", row="CH4")
    assert found(state, "far", discard("H")) == {"card": card("H"), "short": 4}
    assert found(arrange("H H H Cl", "S", row="CH4"), "far", discard("H")) is None
