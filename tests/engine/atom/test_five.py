"""Five players: the call, hidden and revealed partners, and what can be deduced."""

from __future__ import annotations

import random
from itertools import product

import pytest

from engine.atom import GAME
from engine.atom.moves import CALLS, PASS
from engine.atom.sides import known, spreads, teams_of
from engine.game import IllegalAction
from tests.engine.atom.positions import arrange, card, kinds, lay, play

FIVE = ("AH KH 3C", "AS AS 3D", "AS AS 4D", "AS 4C 6C", "9C 9D 9H")


@pytest.mark.rule("atom", "2.3")
def test_2_3_the_caller_names_a_card_that_he_does_not_hold() -> None:
    for number in range(12):
        state = GAME.deal(GAME.setup(5, number.to_bytes(32, "big")))
        caller = state.receiver
        hand = state.observe(caller).hand
        wanted = {c for c in range(52) if not hand[c] and c >> 2 != state.blade}
        assert {move.cards[0] for move in state.legal_actions(caller)} == wanted
        for c in range(54):
            if c in wanted:
                state.verify(caller, CALLS[c])
                continue
            with pytest.raises(IllegalAction) as caught:
                state.verify(caller, CALLS[c])
            barred = c >= 52 or c >> 2 == state.blade
            assert caught.value.rule == ("not_callable" if barred else "call_not_own")
        with pytest.raises(IllegalAction) as caught:
            state.verify(caller, PASS)
        assert caught.value.rule == "call_first"
        state.apply(caller, CALLS[min(wanted)])
        assert state.to_act() == (caller,)


@pytest.mark.rule("atom", 2, "2.4")
def test_2_3_somebody_else_always_holds_two() -> None:
    for number in range(40):
        state = GAME.deal(GAME.setup(5, number.to_bytes(32, "big")))
        caller = state.receiver
        state.apply(caller, random.Random(number).choice(state.legal_actions(caller)))
        assert state.teams[caller] == 0
        assert state.teams.count(0) in (2, 3)


@pytest.mark.rule("atom", 2)
def test_a_void_deal_is_dealt_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.atom.state import AtomState

    real, asked = AtomState.callable, []

    def once(self: AtomState, seat: int) -> list[object]:
        asked.append(seat)
        return [] if len(asked) == 1 else list(real(self, seat))

    plain = GAME.deal(GAME.setup(5, bytes(32)))
    monkeypatch.setattr(AtomState, "callable", once)
    again = GAME.deal(GAME.setup(5, bytes(32)))
    assert (plain.deals, again.deals) == (1, 2)
    assert again.hands != plain.hands


@pytest.mark.rule("atom", "2.4")
def test_partners_are_those_with_two_or_more() -> None:
    assert teams_of(0, (0, 2, 2, 1, 0)) == (0, 0, 0, 1, 1)
    assert teams_of(3, (5, 0, 0, 0, 0)) == (0, 1, 1, 0, 1)


@pytest.mark.rule("atom", "2.3", "2.4")
def test_the_roles_of_five_are_told_apart_and_four_have_none() -> None:
    state = arrange(*FIVE, called="AS")
    assert GAME.roles_in(state) == ("caller", "partner", "partner", "opponent", "opponent")
    assert set(GAME.roles_in(state)) == set(GAME.roles)
    assert GAME.roles_in(GAME.deal(GAME.setup(4, bytes(32)))) == ()


@pytest.mark.rule("atom", 3)
def test_2_4_a_partner_is_revealed_by_two_copies_at_once_or_in_total() -> None:
    state = arrange(*FIVE, caller=0, called="AS")
    assert state.observe(None).revealed == ()
    play(state, "3C", "AS", "pass", "pass", "pass", "pass")
    assert state.observe(None).revealed == ()
    play(state, "AS", "pass", "pass", "pass", "pass")
    assert state.observe(None).revealed == (1,)
    assert kinds(state).count("revealed") == 1
    state = arrange(*FIVE, caller=0, called="AS", leader=2)
    play(state, "AS AS")
    assert state.observe(None).revealed == (2,)


@pytest.mark.rule("atom", 3)
def test_2_4_further_copies_reveal_nobody_again() -> None:
    state = arrange("AH KH 3C", "AS AS AS 3D", "AS AS 4D", "4C", "9C 9D", caller=0, called="AS", leader=1)
    play(state, "AS AS", "pass", "pass", "pass", "pass", "AS")
    assert kinds(state).count("revealed") == 1


@pytest.mark.rule("atom", "2.4")
def test_everybody_knows_the_own_side_and_the_spectator_nothing() -> None:
    state = arrange(*FIVE, caller=0, called="AS")
    assert state.observe(None).sides == (0, -1, -1, -1, -1)
    assert state.observe(1).sides[1] == 0
    assert state.observe(3).sides[3] == 1
    assert state.observe(4).sides[:1] == (0,)


def test_who_holds_four_copies_knows_all_sides() -> None:
    state = arrange("AH KH 3C", "AS AS AS AS", "AS 4D", "4C 6C", "9C 9D", caller=0, called="AS")
    assert state.observe(1).sides == (0, 0, 1, 1, 1)
    assert state.observe(0).sides == (0, -1, -1, -1, -1)


def test_a_game_that_goes_on_tells_that_no_side_is_out() -> None:
    """The caller is out, and so is an opponent: a partner must be among those who still hold cards."""
    state = arrange("3C", "4D 4H 4S", "9D", "AS AS AS 6C", "AS AS 8D 8H", caller=0, called="AS")
    play(state, "3C", "4D", "9D", "pass", "pass", "pass")
    assert state.out == [0, 2]
    assert not state.over
    for dealt, _ in spreads(0, tuple(state.copies_laid(card("AS"))), (1, 0), tuple(state.left), False):
        assert max(dealt[3], dealt[4]) >= 2


def test_the_deductions_are_exact() -> None:
    """Against the plain way: try every spread of the copies and keep those that fit."""
    rng = random.Random(3)
    for _ in range(60):
        caller, viewer = rng.sample(range(5), 2)
        dealt = [0] * 5
        for _ in range(5):
            dealt[rng.choice([seat for seat in range(5) if seat != caller])] += 1
        played = tuple(rng.randint(0, many) for many in dealt)
        left = tuple(max(rng.randint(0, 4), many - gone) for many, gone in zip(dealt, played, strict=True))
        own = dealt[viewer] - played[viewer]
        fits = set()
        for hidden in product(range(6), repeat=5):
            if (
                hidden[caller]
                or hidden[viewer] != own
                or any(h > n for h, n in zip(hidden, left, strict=True))
            ):
                continue
            whole = tuple(h + p for h, p in zip(hidden, played, strict=True))
            if sum(whole) != 5:
                continue
            going = {side for side, n in zip(teams_of(caller, whole), left, strict=True) if n}
            if len(going) == 2:
                fits.add(whole)
        found = spreads(caller, played, (viewer, own), left, False)
        assert {one for one, _ in found} == fits
        if fits:
            sides = known(caller, found)
            for seat in range(5):
                said = {teams_of(caller, one)[seat] for one in fits}
                assert sides[seat] == (said.pop() if len(said) == 1 else -1)


@pytest.mark.rule("atom", 6, "4.3")
def test_4_3_five_end_when_all_members_of_one_side_are_out() -> None:
    gone = ("", "", "AS", "AS", "AS")
    state = arrange("3C", "AS AS", "5C 10D", "4C 6C", "9C 9D", caller=0, called="AS", gone=gone)
    assert state.teams == (0, 0, 1, 1, 1)
    play(state, "3C", "AS", "pass", "pass", "pass")
    assert not state.over
    play(state, "AS")
    assert state.over
    result = state.results[0]
    assert (result.order, result.downstream, result.sweep) == ((0, 1), (2, 3, 4), 0)
    assert result.left == (0, 0, 15, 0, 0)
    assert result.totals == (15, 0)
    assert state.observe(None).sides == (0, 0, 1, 1, 1)


@pytest.mark.rule("atom", 6, "4.3")
def test_4_3_five_go_on_while_both_sides_have_somebody_with_cards() -> None:
    gone = ("", "", "AS", "AS", "AS")
    state = arrange("3C", "AS AS", "4H", "4C 6C", "9C 9D", caller=0, called="AS", gone=gone)
    play(state, "3C", "pass", "4H")
    assert state.out == [0, 2]
    assert not state.over
    # the caller is out and the game goes on: a partner still holds cards, and those are not all of them
    assert state.observe(None).sides == (0, -1, 1, -1, -1)


def test_a_sample_keeps_what_the_call_and_the_turned_up_card_tell() -> None:
    rng = random.Random(8)
    for number in range(6):
        state = GAME.deal(GAME.setup(5, number.to_bytes(32, "big")))
        caller = state.receiver
        state.apply(caller, rng.choice(state.legal_actions(caller)))
        called, turned = state.called, state.turned
        seen = state.observe((caller + 1) % 5)
        for _ in range(20):
            world = GAME.sample(seen, rng)
            assert world.observe(caller).hand[turned] >= 1
            assert world.observe(caller).hand[called] == 0
            assert world.teams[caller] == 0


def test_passes_and_beats_are_counted_by_pair() -> None:
    state = arrange(*FIVE, caller=0, called="AS")
    play(state, "3C", "AS", "pass", "pass", "pass", "pass")
    seen = state.observe(None)
    assert seen.beaten[5 * 1 + 0] == 1
    assert [seen.let[5 * seat + 1] for seat in range(5)] == [1, 0, 1, 1, 1]
    assert lay("pass") == PASS
