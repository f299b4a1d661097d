"""The patterns of Atom, each in a trick where it holds and in one where it does not."""

from __future__ import annotations

from typing import Any

import pytest

from engine.atom import GAME
from engine.atom.ai.patterns import happenings
from engine.atom.state import AtomState
from engine.game import Event
from engine.reason import Happening
from tests.engine.atom.positions import arrange, lay, rank

PATTERNS = {pattern.key: pattern for pattern in GAME.patterns}
REST = ("3C 3D 4H 4S 9C", "3H 3S 4C 4D 9D", "6C 6D 8H 8S 9H")


def found(state: AtomState, key: str, text: str) -> dict[str, Any] | None:
    """The facts of a pattern for a move of the seat in turn, silent ones left out."""
    reason = PATTERNS[key].reason(state.observe(state.to_act()[0]), lay(text))
    if reason is None:
        return None
    return {name: value for name, value in reason.facts.items() if name in GAME.reasons[key].said}


def against(table: str, hand: str, *, partner: bool = False, pot: int = 0) -> AtomState:
    """Four players: these cards are on the table, laid by the partner or by an opponent; seat 0 follows."""
    leader = 2 if partner else 3
    hands = [hand, *REST]
    hands[leader] = f"{table} {hands[leader]}"
    state = arrange(*hands, leader=leader)
    state.apply(leader, lay(table))
    if partner:
        state.apply(3, lay("pass"))
    state.pot += pot
    return state


def test_the_last_cards_go_out() -> None:
    state = arrange("KC KD", *REST)
    assert found(state, "goes_out", "KC KD") == {}
    assert found(state, "goes_out", "KC") is None


def test_a_partner_keeps_the_trick() -> None:
    state = against("KC", "AC 8C", partner=True)
    assert found(state, "beats_partner", "AC") == {"player": 2}
    assert found(state, "leaves_partner", "pass") == {"player": 2, "points": 10}
    foe = against("KC", "AC 8C")
    assert found(foe, "beats_partner", "AC") is None
    assert found(foe, "leaves_partner", "pass") is None


@pytest.mark.parametrize(("pot", "rich"), [(40, True), (0, False)])
def test_many_points_are_worth_a_fight(pot: int, rich: bool) -> None:
    state = against("8C", "AC JC", pot=pot)
    assert found(state, "rich_trick", "AC") == ({"points": 40} if rich else None)
    assert found(state, "leaves_empty", "pass") == (None if rich else {})


def test_a_bomb_is_not_broken_up_or_spent_on_nothing() -> None:
    state = against("8C", "AC AD AH AS JC")
    assert found(state, "breaks_bomb", "AC") == {"rank": rank("A"), "cards": 4}
    assert found(state, "breaks_bomb", "JC") is None
    assert found(state, "spends_bomb", "AC AD AH AS") == {"points": 0}
    rich = against("8C", "AC AD AH AS JC", pot=60)
    assert found(rich, "spends_bomb", "AC AD AH AS") is None


def test_an_atom_is_not_broken_up() -> None:
    state = against("8C", "AC AC AC JC")
    assert found(state, "breaks_atom", "AC") == {"rank": rank("A")}
    assert found(state, "breaks_atom", "JC") is None


def test_a_joker_is_not_spent_lightly() -> None:
    state = against("8C 8D", "AC RJ JC JD")
    assert found(state, "spends_joker", "AC RJ") == {"jokers": 1}
    assert found(state, "spends_joker", "JC JD") is None


def test_a_lead_sheds_what_is_low_or_many() -> None:
    state = arrange("3C 3D 3H KC KD AS", "5C 5D 4H 4S 9C", *REST[1:])
    assert found(state, "sheds_many", "3C 3D 3H") == {"cards": 3}
    assert found(state, "sheds_low", "3C 3D 3H") == {"rank": rank("3")}
    assert found(state, "sheds_low", "AS") is None
    assert found(state, "keeps_high", "3C 3D 3H") == {"rank": rank("A")}
    assert found(state, "keeps_high", "AS") is None
    assert found(state, "keeps_whole", "KC KD") == {}
    assert found(state, "keeps_whole", "KC") is None


def test_an_opponent_who_is_nearly_out_is_stopped() -> None:
    state = against("8C", "AC JC")
    assert found(state, "stops", "AC") is None, "five cards are left"
    state.left[3] = 2
    assert found(state, "stops", "AC") == {"player": 3, "cards": 2}


def test_points_are_not_put_where_others_take_them() -> None:
    state = arrange("KC 8C", "AC 3D 4H", *REST[1:])
    assert found(state, "gives_points", "KC") == {"points": 10}
    assert found(state, "gives_points", "8C") is None


def test_a_set_in_other_suits_is_the_same_move() -> None:
    seen = arrange("KC KD KH 8C", *REST).observe(0)
    assert GAME.spelling(seen, lay("KC KD")) == GAME.spelling(seen, lay("KC KH"))
    assert GAME.spelling(seen, lay("KC KD")) != GAME.spelling(seen, lay("KC KD KH"))
    assert GAME.spelling(seen, lay("pass")) != GAME.spelling(seen, lay("8C"))


def test_what_follows_is_told_without_the_move_itself() -> None:
    told = [
        Event("trick", 0, {"points": 20}),
        Event("trick", 0, {"points": 10}),
        Event("trick", 1, {"points": 0}),
        Event("out", 1, {"place": 1}),
    ]
    assert list(happenings(told, 0)) == [
        Happening("trick_follows"),
        Happening("out_of_others", good=False),
    ]
