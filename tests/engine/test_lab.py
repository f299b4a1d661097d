"""The lab: what is planted is found, what is alike is not, and intervals are those of the books."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from engine import catalog, lab
from engine.arena import key_of
from engine.game import Outcome, Standing
from engine.lab import Batch, Count, LabRules
from tests.conformance.walk import every_game


def rules(game: str = "probe", level: str = "random", seats: int = 2, **options: Any) -> LabRules:
    return LabRules(game, {**catalog.get(game).defaults(), **options}, seats, level)


@pytest.mark.parametrize(
    ("won", "of", "low", "high"),
    [
        # Newcombe (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals_are_those_of_newcombe(won: int, of: int, low: float, high: float) -> None:
    assert lab.wilson(won, of) == pytest.approx((low, high), abs=0.00006)


def test_differences_are_those_of_newcombe() -> None:
    """56 of 70 against 48 of 80, method 10 of Newcombe (1998)."""
    differs, ends = lab.difference(Count(70, 56), Count(80, 48))
    assert differs == pytest.approx(0.2)
    assert ends == pytest.approx((0.0524, 0.3339), abs=0.00006)


def batch(rules: LabRules, games: int, rng: random.Random, *, strong: str = "", seat: float = 0.5) -> Batch:
    """Games of a toy: each of two seats holds one of ten cards, seat 0 wins so often, `strong` oftener."""
    made = Batch(rules.digest, 1, 0, games, won=[0.0, 0.0])
    for _ in range(games):
        held = rng.sample(range(10), 2)
        chance = seat + 0.2 * ((f"c{held[0]}" == strong) - (f"c{held[1]}" == strong))
        winner = int(rng.random() >= chance)
        made.decisions.append(10 + rng.randrange(5))
        made.turns.append(5)
        made.won[winner] += 1
        for who in (0, 1):
            for how in lab.HOWS:
                kept = made.cards.setdefault(f"c{held[who]}", {})
                kept.setdefault(how, Count()).add(Count(1, float(who == winner)))
    return made


def found_in(strong: str = "", seat: float = 0.5, start: int = 1) -> lab.Findings:
    played = batch(rules(), 4000, random.Random(start), strong=strong, seat=seat)
    return lab.findings(rules(), [played], 1)


def test_a_planted_advantage_of_a_seat_is_found() -> None:
    planted, fair = found_in(seat=0.6), found_in(start=2)
    low, high = lab.wilson(planted.seats[0].won, planted.games)
    assert planted.even < low < 0.6 < high
    low, high = lab.wilson(fair.seats[0].won, fair.games)
    assert low < fair.even < high


def test_a_planted_card_is_found_and_no_more_than_chance_besides() -> None:
    planted, fair = found_in(strong="c3"), found_in(start=2)
    every = lab.compared(planted, fair, "held")
    assert every[0].card == "c3"
    assert every[0].telling
    assert every[0].differs == pytest.approx(0.2, abs=0.06)
    assert sum(each.telling for each in every) <= 3


def test_who_begins_is_counted_by_lot_and_not_by_seat() -> None:
    """In Duel 52 the first seat is drawn: each seat begins in some games, and a game has one beginner."""
    mine = LabRules("duel52", catalog.get("duel52").defaults(), 2, "random")
    found = lab.findings(mine, [lab.play(mine, 5, 0, 20)], 5)
    won = 0.0
    for number in range(20):
        game = lab.play(mine, 5, number, 1)
        state = catalog.get("duel52").deal(catalog.get("duel52").setup(2, key_of(5, number)))
        won += game.won[state.to_act()[0]]
    assert found.began == Count(20, won)
    assert found.began.won not in {each.won for each in found.seats}


def test_nobody_begins_where_all_act_at_once() -> None:
    assert lab.play(rules(), 5, 0, 2).began.seats == 0


def test_equal_sets_report_no_difference() -> None:
    """The same rules from the same keys are the same games."""
    one, other = (lab.findings(rules(), [lab.play(rules(), 7, 0, 40)], 7) for _ in range(2))
    pairs = lab.paired(one, other)
    assert (pairs.mean, pairs.ci95) == (0.0, (0.0, 0.0))
    assert [count.won for count in one.seats] == [count.won for count in other.seats]
    assert not any(each.telling for how in lab.HOWS for each in lab.compared(one, other, how))


def test_rules_that_are_longer_are_found_longer() -> None:
    short, long = rules(rounds=1), rules(rounds=3)
    one, other = (lab.findings(each, [lab.play(each, 1, 0, 20)], 1) for each in (short, long))
    low, high = lab.paired(one, other).ci95
    assert low <= high < 0


def test_a_series_goes_on_where_it_was_left() -> None:
    mine = rules()
    first = [lab.play(mine, 3, start, count) for start, count in lab.missing([], mine, 3, 13)]
    assert [(each.first, each.count) for each in first] == [(0, 10), (10, 3)]
    assert list(lab.missing(first, mine, 3, 13)) == []
    assert list(lab.missing(first, mine, 4, 5)) == [(0, 5)], "another seed is another series"
    more = [lab.play(mine, 3, start, count) for start, count in lab.missing(first, mine, 3, 25)]
    assert [(each.first, each.count) for each in more] == [(13, 10), (23, 2)]
    whole = lab.findings(mine, [lab.play(mine, 3, 0, 25)], 3)
    assert lab.findings(mine, [*more, *first], 3) == whole
    assert list(lab.missing(first, rules(rounds=1), 3, 2)) == [(0, 2)]


@pytest.mark.parametrize(
    ("standings", "won"),
    [
        ((Standing(1, 5.0), Standing(2, 3.0)), [1.0, 0.0]),
        ((Standing(1, 5.0), Standing(1, 5.0)), [0.5, 0.5]),
        ((Standing(1, 5.0, 0), Standing(2, 3.0, 1), Standing(1, 5.0, 0), Standing(2, 3.0, 1)), [1, 0, 1, 0]),
    ],
)
def test_partners_win_together_and_a_draw_is_shared(standings: Sequence[Standing], won: list[float]) -> None:
    assert lab.shares(Outcome(tuple(standings))) == won


@every_game
def test_every_game_says_what_a_seat_holds(game: Any) -> None:
    """By keys that are looked up, of the observer's own hand alone."""
    options = game.defaults()
    seats = next((n for n in game.seats(options) if n > 1), 1)
    level = next(iter(game.opponents))
    played = lab.play(LabRules(game.key, options, seats, level), 1, 0, 1)
    state = game.deal(game.setup(seats, bytes(32), **options))
    assert game.in_hand(state.observe(None)) == ()
    assert played.cards or game.key == "probe"
    for by in played.cards.values():
        assert by.get("held", Count()).seats <= by.get("drawn", Count()).seats <= seats
