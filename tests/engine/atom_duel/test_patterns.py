"""The patterns of Atom Duel, each in a hand where it holds and in one where it does not."""

from __future__ import annotations

from typing import Any

import pytest

from engine.atom_duel import GAME
from engine.atom_duel.ai.patterns import happenings
from engine.atom_duel.state import AtomDuelState
from engine.game import Event
from engine.reason import Happening
from tests.engine.atom_duel.positions import arrange, move, play, z

PATTERNS = {pattern.key: pattern for pattern in GAME.patterns}


def found(state: AtomDuelState, key: str, word: str) -> dict[str, Any] | None:
    """The facts of a pattern for a move of the seat in turn, silent ones left out."""
    reason = PATTERNS[key].reason(state.observe(state.to_act()[0]), move(word))
    if reason is None:
        return None
    return {name: value for name, value in reason.facts.items() if name in GAME.reasons[key].said}


def to(hand: str, *rows: str, level: int = 4, round_: int = 1) -> AtomDuelState:
    """A hand into which these cards have been played, one for each row that begins with it."""
    state = arrange(*rows, level=level, round_=round_)
    play(state, *hand.split())
    return state


def test_who_plays_last_wins_with_the_cheapest_card_that_is_enough() -> None:
    state = to("Al", "Al Sc Ti", "Ga Sr F")
    assert found(state, "wins_last", "Ga") == {"card": z("Ga")}
    assert found(state, "wins_last", "F") is None
    cheaper = PATTERNS["wins_last"].between(state.observe(1), move("Ga"), move("Sr"))
    assert cheaper is not None
    assert PATTERNS["wins_last"].between(state.observe(1), move("Sr"), move("Ga")) is None


def test_a_stopper_counters_what_is_radioactive() -> None:
    state = to("Po", "Po Sc Ti", "B Sr F")
    assert found(state, "counters", "B") == {"card": z("B"), "target": z("Po")}
    assert found(state, "counters", "Sr") is None
    assert found(to("At Po", "At Ti", "Po Sr", "B F"), "counters", "F") is None


def test_at_level_1_oganesson_is_beaten_by_none() -> None:
    state = arrange("Og H", "He Li", level=1)
    assert found(state, "none_beats", "Og") == {"card": 118}
    assert found(state, "none_beats", "H") is None
    assert found(arrange("Og H", "He Li", level=4), "none_beats", "Og") is None, "an Anti-Scientist may come"


def test_a_few_cards_that_beat_it_are_counted() -> None:
    told = found(arrange("Fm H", "He Li", level=1), "few_beat", "Fm")
    assert told is not None
    assert (told["card"], told["others"]) == (100, 12)
    assert found(arrange("Fm H", "He Li", level=1), "few_beat", "H") is None


def test_what_cannot_win_goes_with_the_weakest() -> None:
    state = to("Po", "Po Sc Ti", "Na Lu Ne", level=1)
    assert found(state, "nothing_beats", "Ne") == {"value": 168, "card": z("Ne")}
    assert found(state, "nothing_beats", "Lu") is None, "71 may win later"
    assert found(to("Po", "Po Sc Ti", "Na Lv Ne", level=1), "nothing_beats", "Ne") is None


def test_a_strong_card_is_kept() -> None:
    state = to("Po", "Po Sc Ti", "Na Lv Ne", level=1)
    assert found(state, "saves", "Ne") == {"kept": z("Lv")}
    assert found(state, "saves", "Lv") is None


def test_a_weak_card_leads() -> None:
    """A player who leads 1 still has 63 to win a later hand."""
    state = arrange("H Eu", "Po Ra", level=1)
    assert found(state, "leads_weak", "H") == {"kept": z("Eu")}
    assert found(state, "leads_weak", "Eu") is None


@pytest.mark.parametrize(("hand", "holds"), [(1, True), (2, False)])
def test_francium_counts_in_the_first_hand_alone(hand: int, holds: bool) -> None:
    state = arrange("Fr H", "Po Ra", level=7)
    state.hand = hand
    assert (found(state, "only_now", "Fr") == {"card": z("Fr")}) is holds
    assert (found(state, "worthless", "Fr") is None) is holds


def test_a_laser_is_aimed_at_what_is_known_or_next() -> None:
    state = to("Sc Ar", "Sc Ti", "Ar Sr", "Og Po", level=4)
    assert found(state, "aims_next", "aim:2.1") == {"player": 2}
    assert found(state, "aims_next", "aim:0.1") is None
    assert found(state, "aims_known", "aim:2.1") is None, "nobody has seen it"


def test_a_leader_among_the_others_is_named() -> None:
    state = to("Sc Ar", "Sc Ti", "Ar Sr", "Og Po", level=4)
    state.points[:] = [3, 0, 1]
    assert found(state, "aims_leader", "aim:0.1") == {"player": 0}
    assert found(state, "aims_leader", "aim:2.1") is None


def test_hands_that_are_won_are_told_apart_from_the_running_one() -> None:
    won = [Event("hand_won", seat, {"card": card}) for seat, card in ((0, 80), (0, 40), (1, 90))]
    assert list(happenings(won, 0)) == [Happening("wins_now"), Happening("wins_later", 40)]
    assert list(happenings(won, 1)) == [Happening("wins_later", 90)]
    assert list(happenings([], 0)) == []
