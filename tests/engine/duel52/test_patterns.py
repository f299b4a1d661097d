"""The patterns of Duel 52, each in a position where it holds and in one where it does not."""

from __future__ import annotations

from typing import Any

import pytest

from engine.duel52.game import GAME
from engine.duel52.moves import Move
from engine.duel52.notation import read
from engine.duel52.position import Position
from engine.playing_cards import CODES

PATTERNS = {pattern.key: pattern for pattern in GAME.patterns}
REST = "hands=2s/2h pile=2d2c"


def card(code: str) -> int:
    return CODES.index(code)


def found(state: Any, key: str, move: Move) -> dict[str, Any] | None:
    """The facts of a pattern for a move of the seat in turn, silent ones left out."""
    reason = PATTERNS[key].reason(state.observe(state.to_act()[0]), move)
    if reason is None:
        return None
    return {name: value for name, value in reason.facts.items() if name in GAME.reasons[key].said}


def unit(state: Position, code: str) -> int:
    """The number of a card on the table."""
    seen = state.observe(state.to_act()[0])
    return next(one.unit for row in seen.rows for one in row if one.card == card(code))


def attack(state: Any, one: str, other: str) -> Move:
    return Move("attack", unit=unit(state, one), target=unit(state, other))


def test_a_kill_says_what_is_left_in_the_lane() -> None:
    state = read(f"standard A2 9c,5h|-|-/Kd1,7s|-|- {REST}")
    told = {"lane": 0, "card": card("Kd"), "others": 1, "own": 2}
    assert found(state, "kills", attack(state, "9c", "Kd")) == told
    assert found(state, "kills", attack(state, "9c", "7s")) is None
    assert found(state, "clears_lane", attack(state, "9c", "Kd")) is None


def test_the_last_card_of_a_lane_is_cleared() -> None:
    state = read(f"standard A2 9c|-|-/Kd1|-|- {REST}")
    assert found(state, "clears_lane", attack(state, "9c", "Kd")) == {"lane": 0}


def test_a_card_that_survives_is_wounded() -> None:
    state = read(f"standard A2 9c|-|-/Kd|-|- {REST}")
    assert found(state, "wounds", attack(state, "9c", "Kd")) == {"card": card("Kd"), "left": 1}
    assert found(state, "kills", attack(state, "9c", "Kd")) is None


def test_an_eight_strikes_back_at_all_but_nines() -> None:
    state = read(f"standard A2 9c,5h1|-|-/8d|-|- {REST}")
    assert found(state, "dies_to_eight", attack(state, "5h", "8d")) == {"card": card("5h")}
    assert found(state, "dies_to_eight", attack(state, "9c", "8d")) is None
    whole = read(f"standard A2 5h|-|-/8d|-|- {REST}")
    assert found(whole, "hurt_by_eight", attack(whole, "5h", "8d")) == {"card": card("5h")}


@pytest.mark.parametrize(
    ("row", "code", "key", "facts"),
    [
        ("(7s),Kd1|-|-/9c|-|-", "7s", "heals", {"cards": 1}),
        ("(6s)|-|-/9c,4d,Kh|-|-", "6s", "freezes", {"lane": 0, "cards": 2}),
        ("(5s),(4c)|-|-/9c|-|-", "5s", "turns_up", {"lane": 0, "cards": 1}),
        ("(Ks),7h|-|-/9c|-|-", "Ks", "works_again", {"cards": 1}),
        ("(Js),7h|-|-/9c|-|-", "Js", "guards", {"lane": 0, "cards": 1}),
        ("(Ts)|-|-/9c,7h|-|-", "Ts", "strikes_two", {"lane": 0, "card": card("Ts"), "cards": 2}),
        ("(Qs)|7h|-/9c|-|-", "Qs", "fetches", {"lane": 0, "card": card("Qs")}),
        ("(As)|-|-/9c|-|-", "As", "one_more_action", {"card": card("As")}),
        ("(3s)|-|-/9c|-|-", "3s", "springs_no_more", {}),
    ],
)
def test_a_card_turned_up_says_what_its_power_does(
    row: str, code: str, key: str, facts: dict[str, Any]
) -> None:
    state = read(f"standard A2 {row} {REST}")
    flip = Move("flip", unit=unit(state, code))
    assert found(state, key, flip) == facts
    others = {"heals", "freezes", "turns_up", "works_again", "guards", "strikes_two", "fetches"} - {key}
    assert not any(found(state, other, flip) for other in others)


def test_a_seven_without_wounds_heals_nobody() -> None:
    state = read(f"standard A2 (7s),Kd|-|-/9c|-|- {REST}")
    assert found(state, "heals", Move("flip", unit=unit(state, "7s"))) is None


def test_where_a_card_is_laid_says_how_the_lane_stands() -> None:
    state = read(f"standard A2 Kd|4d|-/9c,7h|6c|- {REST}")
    laid = [Move("play", card("2s"), lane) for lane in range(3)]
    assert found(state, "catches_up", laid[0]) == {"lane": 0, "own": 1, "others": 2}
    assert found(state, "gets_ahead", laid[1]) == {"lane": 1}
    assert found(state, "enters_lane", laid[2]) == {"lane": 2}
    assert not found(state, "adds", laid[0])


def test_a_three_waits_unless_it_is_vampiric() -> None:
    state = read("standard A2 Kd|-|-/9c|-|- hands=3s/2h pile=2d2c")
    assert found(state, "trap", Move("play", card("3s"), 0)) == {}
    assert found(state, "trap", Move("play", card("2s"), 0)) is None


def test_two_of_a_rank_can_make_a_pair() -> None:
    state = read("standard A2 Kd|-|-/9c|-|- hands=Ks/2h pile=2d2c")
    assert found(state, "makes_pair", Move("play", card("Ks"), 0)) == {"lane": 0, "card": card("Kd")}
    assert found(state, "makes_pair", Move("play", card("Ks"), 1)) is None
