"""Tournaments: every bracket is legal, has one champion, and as many matches as it must."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.brackets import (
    LEAST,
    MOST,
    Bracket,
    Kind,
    Match,
    at_random,
    by_rating,
    start,
)
from tests.support.games.brackets import named, refusal

kinds: st.SearchStrategy[Kind] = st.sampled_from(["single", "double"])
sizes = st.integers(LEAST, MOST)
seeds = st.integers(0, 2**32)


def play(bracket: Bracket, rng: random.Random, *, draws: float = 0.0) -> Bracket:
    """Play it to the end."""
    while ready := bracket.ready():
        match = rng.choice(ready)
        winner = None if rng.random() < draws else rng.choice(match.players)
        bracket = bracket.report(match.key, winner)
    return bracket


def best_wins(bracket: Bracket) -> Bracket:
    while ready := bracket.ready():
        match = ready[0]
        bracket = bracket.report(match.key, min(match.players, key=bracket.players.index))
    return bracket


# -- what holds for all of them ---------------------------------------------------------------


@pytest.mark.rule("duel52", 16)
@given(kinds, sizes, seeds)
def test_a_tournament_has_one_champion_and_the_right_number_of_matches(
    kind: Kind, count: int, seed: int
) -> None:
    bracket = play(start(kind, named(count)), random.Random(seed))
    assert bracket.champion in bracket.players
    matches = bracket.matches()
    assert all(match.winner for match in matches)
    if kind == "single":
        assert len(matches) == count - 1
    else:
        assert len(matches) == 2 * count - 2 + any(match.key == "F2" for match in matches)


@pytest.mark.rule("duel52", 16)
@given(kinds, sizes, seeds)
def test_nobody_plays_after_being_beaten_for_good(kind: Kind, count: int, seed: int) -> None:
    rng = random.Random(seed)
    bracket = start(kind, named(count))
    lives = 1 if kind == "single" else 2
    lost: Counter[str] = Counter()
    busy: set[str] = set()
    while ready := bracket.ready():
        seated = [player for match in ready for player in match.players]
        assert len(set(seated)) == len(seated), "somebody is to play two matches at once"
        assert all(lost[player] < lives for player in seated)
        match = rng.choice(ready)
        one, two = match.players
        assert one != two
        winner = rng.choice(match.players)
        busy |= set(match.players)
        bracket = bracket.report(match.key, winner)
        lost[one if winner == two else two] += 1
    beaten = {player for player in bracket.players if lost[player] == lives}
    assert beaten == set(bracket.players) - {bracket.champion}
    assert busy == set(bracket.players)


@given(kinds, sizes, seeds)
def test_a_tournament_survives_json_at_any_point(kind: Kind, count: int, seed: int) -> None:
    rng = random.Random(seed)
    bracket = start(kind, named(count))
    while ready := bracket.ready():
        again = msgspec.json.decode(msgspec.json.encode(bracket), type=Bracket)
        assert again == bracket
        assert again.matches() == bracket.matches()
        bracket = bracket.report(ready[0].key, rng.choice((*ready[0].players, None)))
    assert msgspec.json.decode(msgspec.json.encode(bracket), type=Bracket).champion == bracket.champion


@given(kinds, sizes, seeds)
def test_withdrawals_never_stop_a_tournament(kind: Kind, count: int, seed: int) -> None:
    rng = random.Random(seed)
    bracket = start(kind, named(count))
    left = list(bracket.players)
    while ready := bracket.ready():
        assert not {player for match in ready for player in match.players} & bracket.withdrawn
        if left and rng.random() < 0.3:
            player = left.pop(rng.randrange(len(left)))
            bracket = bracket.withdraw(player)
            continue
        bracket = bracket.report(ready[0].key, rng.choice(ready[0].players))
    assert bracket.champion
    if len(bracket.withdrawn) < count and bracket.champion in bracket.withdrawn:
        # only who has won before may leave as champion
        assert bracket.log[-1].what == "withdrawn"


@given(kinds, sizes, seeds)
def test_what_is_decided_stays_so_whoever_leaves(kind: Kind, count: int, seed: int) -> None:
    rng = random.Random(seed)
    bracket = start(kind, named(count))
    decided: dict[str, Match] = {}
    for _ in range(6 * count):
        ready, staying = bracket.ready(), sorted({*bracket.players} - bracket.withdrawn)
        what = rng.choice(("won", "won", "drawn", "missed", "left"))
        if what == "left" and staying:
            bracket = bracket.withdraw(rng.choice(staying))
        elif ready and what == "missed":
            bracket = bracket.miss(rng.choice(ready).key)
        elif ready:
            match = rng.choice(ready)
            bracket = bracket.report(match.key, rng.choice(match.players) if what == "won" else None)
        keys = [*decided] + [match.key for match in ready]
        now = {key: match for key in keys if (match := bracket.match(key)).decided}
        assert decided.items() <= now.items()
        decided = now


@given(kinds, sizes, seeds)
def test_places_rank_everybody_once(kind: Kind, count: int, seed: int) -> None:
    bracket = start(kind, named(count))
    assert bracket.places() == ()
    bracket = play(bracket, random.Random(seed), draws=0.2)
    places = bracket.places()
    assert sorted(place.player for place in places) == sorted(bracket.players)
    assert places[0].player == bracket.champion
    assert [place.rank for place in places[:2]] == [1, 2]
    ranks = [place.rank for place in places]
    assert ranks == sorted(ranks)
    assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)


# -- seeds and byes ---------------------------------------------------------------------------


@given(kinds, sizes)
def test_the_better_seed_always_winning_gives_the_order_of_the_seeds(kind: Kind, count: int) -> None:
    bracket = best_wins(start(kind, named(count)))
    places = bracket.places()
    assert [place.player for place in places[:2]] == ["p1", "p2"]
    assert not any(match.key == "F2" for match in bracket.matches())
    if kind == "double":
        assert places[2].player in ("p3", "p4")


@pytest.mark.rule("duel52", 16)
@given(kinds, sizes)
def test_byes_go_to_the_top_seeds(kind: Kind, count: int) -> None:
    size = 4
    while size < count:
        size *= 2
    bracket = start(kind, named(count))
    first = {player for match in bracket.matches() if match.key.startswith("W1.") for player in match.players}
    assert set(named(count)) - first == set(named(size - count))


def test_the_first_round_of_eight() -> None:
    first = [match.players for match in start("single", named(8)).ready()]
    assert first == [("p1", "p8"), ("p4", "p5"), ("p2", "p7"), ("p3", "p6")]


@pytest.mark.rule("duel52", 16)
def test_seeds_by_rating_and_at_random() -> None:
    assert by_rating({"a": 3.0, "b": 9.5, "c": 3.0, "d": 4.0}) == ("b", "d", "a", "c")
    players = named(9)
    orders = {at_random(players, bytes([number]) * 32) for number in range(20)}
    assert len(orders) > 15
    assert all(sorted(order) == sorted(players) for order in orders)
    assert at_random(players, bytes(32)) == at_random(players, bytes(32))


# -- single cases ------------------------------------------------------------------------------


@pytest.mark.rule("duel52", 16)
def test_the_second_final_is_played_when_the_unbeaten_player_loses_the_first() -> None:
    bracket = start("double", named(3))
    for key, winner in (("W1.2", "p2"), ("W2.1", "p1"), ("L2.1", "p2")):
        bracket = bracket.report(key, winner)
    assert [match.key for match in bracket.ready()] == ["F1"]
    assert bracket.report("F1", "p1").champion == "p1"
    second = bracket.report("F1", "p2")
    assert second.champion == ""
    assert [match.key for match in second.ready()] == ["F2"]
    assert second.report("F2", "p1").champion == "p1"
    assert second.report("F2", "p2").champion == "p2"


@pytest.mark.rule("duel52", 16)
def test_a_drawn_match_is_played_again_with_seats_exchanged_then_the_seed_decides() -> None:
    bracket = start("single", named(4))
    assert bracket.match("W1.1").players == ("p1", "p4")
    once = bracket.report("W1.1", None)
    assert once.match("W1.1") == Match("W1.1", ("p4", "p1"), ready=True, draws=1)
    assert once.report("W1.1", "p4").match("W1.1").winner == "p4"
    twice = once.report("W1.1", None)
    assert twice.match("W1.1").winner == "p1"
    assert not twice.match("W1.1").walkover


def test_who_withdraws_loses_the_open_match_and_all_later_ones() -> None:
    bracket = start("double", named(4)).withdraw("p1")
    assert bracket.match("W1.1") == Match("W1.1", ("p1", "p4"), winner="p4", walkover=True)
    assert [match.key for match in bracket.ready()] == ["W1.2"]
    bracket = bracket.report("W1.2", "p2")
    assert bracket.match("L1.1").winner == "p3"


def test_who_leaves_after_a_match_that_both_missed_has_won_it_all_the_same() -> None:
    bracket = start("single", named(4)).miss("W1.1").withdraw("p1")
    assert bracket.match("W1.1").winner == "p1"
    bracket = bracket.report("W1.2", "p3")
    assert bracket.champion == "p3"
    assert bracket.withdraw("p3").champion == "p3"


def test_who_stayed_longer_wins_a_match_that_both_leave() -> None:
    bracket = start("single", named(4)).withdraw("p1").withdraw("p4")
    assert bracket.match("W1.1").winner == "p4"


def test_the_last_one_to_stay_is_the_champion() -> None:
    bracket = start("single", named(5))
    for player in ("p1", "p2", "p3", "p5"):
        bracket = bracket.withdraw(player)
    assert bracket.champion == "p4"


def test_what_is_refused() -> None:
    assert refusal(start, "single", named(2)) == "players"
    assert refusal(start, "single", named(33)) == "players"
    assert refusal(start, "single", ("a", "b", "a")) == "twice"
    bracket = start("single", named(4))
    assert refusal(bracket.report, "W9.1", "p1") == "no_such_match"
    assert refusal(bracket.report, "F1", "p1") == "no_such_match"
    assert refusal(bracket.report, "W2.1", "p1") == "not_ready"
    assert refusal(bracket.report, "W1.1", "p2") == "not_in_match"
    assert refusal(bracket.report("W1.1", "p1").report, "W1.1", "p4") == "already_played"
    assert refusal(bracket.withdraw, "p7") == "no_such_player"
    assert refusal(bracket.withdraw("p3").withdraw, "p3") == "already_withdrawn"


@pytest.mark.parametrize("kind", ["single", "double"])
def test_a_no_show_loses_by_walkover(kind: Kind) -> None:
    bracket = start(kind, named(4)).report("W1.1", "p4", walkover=True)
    assert bracket.match("W1.1") == Match("W1.1", ("p1", "p4"), winner="p4", walkover=True)
    bracket = bracket.report("W1.2", "p2")
    assert not bracket.match("W1.2").walkover
    before = start(kind, named(4)).withdraw("p4").match("W1.1")
    assert (before.winner, before.walkover) == ("p1", True)
    during = start(kind, named(4)).withdraw("p4", "W1.1").match("W1.1")
    assert (during.winner, during.walkover) == ("p1", False)
