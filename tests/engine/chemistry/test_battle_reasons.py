"""The patterns of Chemistry Battle, each in a round where it holds and in one where it does not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.chemistry.battle import GAME
from engine.chemistry.battle.rounds import FLIP, PLAYS, Observation
from engine.chemistry.deck import BASIC

PATTERNS = {pattern.key: pattern for pattern in GAME.patterns}
XENON = max(BASIC)


def held(*hand: int, plays: tuple[int, ...] = (), gone: tuple[int, ...] = ()) -> Observation:
    """A round between three hands in which seat 2 is asked, with these cards played and gone."""
    state = GAME.deal(GAME.setup(3, bytes(32)))
    seen = state.observe(state.turn)
    return msgspec.structs.replace(seen, hand=hand, plays=plays, piles=(gone, (), ()))


def found(seen: Observation, key: str, card: int) -> dict[str, Any] | None:
    reason = PATTERNS[key].reason(seen, PLAYS[card])
    return None if reason is None else reason.facts


def test_who_plays_last_takes_the_round_with_the_cheapest_card() -> None:
    seen = held(20, 40, 50, plays=(30, 10))
    assert found(seen, "takes_last", 40) == {"card": 40, "cards": 3}
    assert found(seen, "takes_last", 50) is None, "dearer than it needs to be"
    assert found(seen, "takes_last", 20) is None
    assert found(held(20, 40, plays=(30,)), "takes_last", 40) is None, "somebody still plays"
    first = msgspec.structs.replace(seen, kitty=2)
    assert found(first, "takes_last", 40) == {"card": 40, "cards": 5}, "the kitty too"


def test_xenon_is_unbeatable_and_krypton_once_the_rest_has_gone() -> None:
    assert found(held(20, XENON), "unbeatable", XENON) == {"card": XENON}
    assert found(held(20, 50), "unbeatable", 50) is None
    assert found(held(20, 50, gone=(51, 52, 53, XENON)), "unbeatable", 50) == {"card": 50}


def test_what_cannot_win_is_low() -> None:
    seen = held(20, 40, plays=(45,))
    assert found(seen, "nothing_beats", 20) == {"best": 45}
    assert found(seen, "nothing_beats", 40) is None, "that is no low card"
    assert found(seen, "round_is_lost", 40) == {"best": 45}
    assert found(held(20, 50, plays=(45,)), "nothing_beats", 20) is None
    assert found(held(20, 50, plays=(45,)), "lets_go", 20) == {"best": 45}
    assert found(held(20, 50, plays=(45,)), "lets_go", 50) is None


def test_a_high_card_is_not_thrown_away() -> None:
    seen = held(20, 48, plays=(50,))
    assert found(seen, "throws_high", 48) == {"card": 48}
    assert found(seen, "throws_high", 20) is None


def test_a_few_cards_above_are_counted() -> None:
    seen = held(20, 52)
    assert found(seen, "few_above", 52) == {"card": 52, "others": 2, "fewer": -2}
    assert found(seen, "few_above", 20) is None


def test_the_top_card_is_kept() -> None:
    seen = held(20, XENON)
    assert found(seen, "keeps_top", 20) == {"top": XENON}
    assert found(seen, "keeps_top", XENON) is None
    assert found(held(20, 50), "keeps_top", 20) is None


def test_a_lead_tells_what_stays() -> None:
    assert found(held(20, 40, 50), "leads_low", 40) == {"higher": 1}
    assert found(held(20, 40, 50), "leads_low", 50) is None
    assert found(held(20, 40, plays=(10,)), "leads_low", 20) is None


def test_most_that_can_come_is_lower() -> None:
    assert found(held(20, 40), "above_most", 40) is not None
    assert found(held(20, 40), "above_most", 20) is None


def test_the_lowest_card_that_beats_the_table() -> None:
    seen = held(20, 35, 40, plays=(30,))
    assert found(seen, "cheapest", 35) == {"card": 35, "best": 30}
    assert found(seen, "cheapest", 40) is None, "dearer than it needs to be"
    assert found(seen, "cheapest", 20) is None
    assert found(held(20, 35), "cheapest", 20) is None, "nothing lies there"


@pytest.mark.parametrize("key", PATTERNS)
def test_a_blind_card_says_nothing(key: str) -> None:
    state = GAME.deal(GAME.setup(3, bytes(32), blind=True))
    assert PATTERNS[key].reason(state.observe(state.turn), FLIP) is None
