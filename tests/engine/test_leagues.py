"""Leagues: everybody plays every round, nobody meets twice without need, and the points add up."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.brackets import LEAGUES, LEAST, MOST, Bracket, Kind, League, Match, most, start, swiss_rounds
from engine.brackets.pairing import circle, rematches, swiss
from tests.support.games.brackets import named, refusal

kinds: st.SearchStrategy[Kind] = st.sampled_from(sorted(LEAGUES))
sizes = st.integers(LEAST, 12)
seeds = st.integers(0, 2**32)


def begun(kind: Kind, count: int, rounds: int = 0) -> Bracket:
    return start(kind, named(min(count, most(kind))), rounds)


def decided(bracket: Bracket, match: Match, rng: random.Random) -> Bracket:
    """Report a match somehow."""
    if rng.random() < 0.05:
        return bracket.miss(match.key)
    return bracket.report(match.key, rng.choice((*match.players, None)))


def of_round(bracket: Bracket, number: int) -> list[Match]:
    return [match for match in bracket.matches() if match.key.startswith(f"R{number}.")]


def by_hand(players: list[str], met: set[frozenset[str]]) -> bool:
    """Whether these can be paired without a rematch, by trying everything."""
    if not players:
        return True
    one, *others = players
    return any(
        frozenset((one, two)) not in met and by_hand([p for p in others if p != two], met) for two in others
    )


@given(kinds, sizes, seeds)
def test_a_league_that_went_on_is_the_same_played_anew(kind: Kind, count: int, seed: int) -> None:
    """Report after report, withdrawals too; what was known before stays what it was."""
    rng = random.Random(seed)
    bracket = begun(kind, count)
    league = bracket.league
    assert league is not None
    while not league.over:
        staying = sorted(set(bracket.players) - bracket.withdrawn)
        if rng.random() < 0.1 and staying:
            bracket = bracket.withdraw(rng.choice(staying))
        else:
            bracket = decided(bracket, rng.choice(bracket.ready()), rng)
        before, kept = league, vars(league).copy() | {"matches": league.matches.copy()}
        league = league.after(bracket.log[-1])
        anew = League(bracket.kind, bracket.players, bracket.rounds, bracket.log)
        assert vars(league) == vars(anew)
        assert list(league.matches) == list(anew.matches)
        assert vars(before) == kept
        for number in range(league.rounds + 2):
            assert league.of_round(number) == of_round(bracket, number)


class Keyed(dict[str, Match]):
    """Matches that count how many of them are looked up, and refuse to be read from end to end."""

    looked_up = 0

    def get(self, key: str, default: Match | None = None) -> Match | None:  # type: ignore[override]
        self.looked_up += 1
        return super().get(key, default)

    def values(self) -> Any:
        raise AssertionError("all matches are read")


def test_a_round_is_found_without_a_look_at_the_others() -> None:
    league = begun("round_robin", MOST).league
    assert league is not None
    league.matches = matches = Keyed(league.matches)
    assert len(league.of_round(MOST // 2)) == MOST // 2
    assert matches.looked_up == MOST // 2 + 1


# -- what holds for all of them ---------------------------------------------------------------


@given(kinds, sizes, seeds)
def test_everybody_plays_every_round_or_has_the_one_bye(kind: Kind, count: int, seed: int) -> None:
    rng = random.Random(seed)
    bracket = begun(kind, count)
    byes: Counter[str] = Counter()
    league = bracket.league
    assert league is not None
    rounds = league.rounds
    assert (
        rounds
        == {
            "swiss": swiss_rounds(len(bracket.players)),
            "round_robin": len(bracket.players) - 1 + len(bracket.players) % 2,
            "double_round_robin": 2 * (len(bracket.players) - 1 + len(bracket.players) % 2),
        }[kind]
    )
    for number in range(1, rounds + 1):
        league = bracket.league
        assert league is not None
        assert league.round == number
        ready = bracket.ready()
        assert [match.key for match in ready] == [f"R{number}.{n}" for n in range(1, len(ready) + 1)]
        seated = [player for match in ready for player in match.players]
        resting = set(bracket.players) - set(seated)
        assert len(seated) == len(set(seated))
        assert resting == ({league.bye} if league.bye else set())
        assert len(resting) == len(bracket.players) % 2
        byes.update(resting)
        for match in rng.sample(ready, len(ready)):
            bracket = decided(bracket, match, rng)
    assert bracket.champion in bracket.players
    assert not bracket.ready()
    assert max(byes.values(), default=0) <= (2 if kind == "double_round_robin" else 1)


@given(kinds, sizes, seeds)
def test_the_points_add_up(kind: Kind, count: int, seed: int) -> None:
    rng = random.Random(seed)
    bracket = begun(kind, count)
    byes = 0
    for _ in range(rng.randrange(30)):
        if not (ready := bracket.ready()):
            break
        bracket = decided(bracket, rng.choice(ready), rng)
    league = bracket.league
    assert league is not None
    if kind == "swiss" and count % 2:
        byes = league.round
    for score in league.standings:
        assert score.points == score.wins + score.draws / 2
    shared = sum(1 for match in bracket.matches() if match.drawn or match.winner)
    assert sum(score.points for score in league.standings) == shared + byes
    played = sum(1 for match in bracket.matches() if match.decided)
    counted = sum(score.wins + score.draws + score.losses for score in league.standings)
    assert counted == 2 * played + byes


@given(kinds, sizes, seeds)
def test_any_order_of_reports_of_a_round_leads_to_the_same(kind: Kind, count: int, seed: int) -> None:
    rng = random.Random(seed)
    one = two = begun(kind, count)
    while ready := one.ready():
        assert ready == two.ready()
        results = [(match.key, rng.choice((*match.players, None))) for match in ready]
        for key, winner in rng.sample(results, len(results)):
            one = one.report(key, winner)
        for key, winner in rng.sample(results, len(results)):
            two = two.report(key, winner)
    assert one.league is not None
    assert two.league is not None
    assert one.league.standings == two.league.standings


@given(kinds, sizes, seeds)
def test_withdrawals_at_any_point_never_stop_a_league(kind: Kind, count: int, seed: int) -> None:
    rng = random.Random(seed)
    bracket = begun(kind, count)
    left = list(bracket.players)
    while ready := bracket.ready():
        assert not {player for match in ready for player in match.players} & bracket.withdrawn
        if rng.random() < 0.3:
            bracket = bracket.withdraw(left.pop(rng.randrange(len(left))))
            continue
        bracket = decided(bracket, rng.choice(ready), rng)
    league = bracket.league
    assert league is not None
    assert [score.rank for score in league.standings] == list(range(1, len(bracket.players) + 1))
    assert {score.player for score in league.standings} == set(bracket.players)
    assert bracket.champion == league.standings[0].player == bracket.places()[0].player
    assert not league.standings[0].left
    if len(left) == 1:
        assert bracket.champion == left[0]
    behind = [(score.annulled, score.left) for score in league.standings]
    assert behind == sorted(behind)


@given(kinds, sizes, seeds)
def test_a_league_survives_json_at_any_point(kind: Kind, count: int, seed: int) -> None:
    rng = random.Random(seed)
    bracket = begun(kind, count)
    while ready := bracket.ready():
        again = msgspec.json.decode(msgspec.json.encode(bracket), type=Bracket)
        assert again == bracket
        assert again.matches() == bracket.matches()
        bracket = decided(bracket, ready[0], rng)


# -- Swiss ------------------------------------------------------------------------------------


@given(st.integers(LEAST, 9), seeds, st.data())
def test_nobody_meets_twice_while_that_can_be_avoided(count: int, seed: int, data: st.DataObject) -> None:
    rng = random.Random(seed)
    bracket = start("swiss", named(count), data.draw(st.integers(1, count - 1)))
    met: set[frozenset[str]] = set()
    byes: Counter[str] = Counter()
    number = 0
    while ready := bracket.ready():
        league = bracket.league
        assert league is not None
        if league.round > number:
            number = league.round
            staying = [player for player in bracket.players if player not in bracket.withdrawn]
            fewest = min(byes[player] for player in staying)
            free = [p for p in staying if byes[p] == fewest] if len(staying) % 2 else [""]
            spared = any(by_hand([p for p in staying if p != resting], met) for resting in free)
            pairs = [frozenset(match.players) for match in of_round(bracket, number)]
            assert league.bye in free
            assert not (spared and met.intersection(pairs)), "a rematch that was not needed"
            met.update(pairs)
            byes.update([league.bye])
        if rng.random() < 0.05 and len(bracket.withdrawn) < count - 2:
            bracket = bracket.withdraw(rng.choice([p for p in bracket.players if p not in bracket.withdrawn]))
            continue
        bracket = decided(bracket, ready[0], rng)


def fewest(players: str, met: set[frozenset[str]]) -> int:
    """How many rematches a round of these needs at least, by trying everything."""
    if not players:
        return 0
    one, others = players[0], players[1:]
    return min((frozenset((one, two)) in met) + fewest(others.replace(two, ""), met) for two in others)


@given(st.sets(st.sampled_from([frozenset(pair) for pair in combinations("abcdefgh", 2)])))
def test_the_fewest_rematches_are_found(met: set[frozenset[str]]) -> None:
    assert rematches("abcdefgh", met) == fewest("abcdefgh", met)
    pairs, bye = swiss("abcdefgh", dict.fromkeys("abcdefgh", 0.0), met, {})
    assert bye == ""
    assert sum(frozenset(pair) in met for pair in pairs) == fewest("abcdefgh", met)


def few_left_to_meet(players: str, seed: int) -> set[frozenset[str]]:
    """Most have met: who is left to meet goes round in odd circles, where a search by hand is led astray."""
    rng = random.Random(seed)
    share = rng.uniform(0.4, 0.9)
    return {frozenset(pair) for pair in combinations(players, 2) if rng.random() < share}


def test_the_fewest_rematches_are_found_where_most_have_met() -> None:
    for seed in range(400):
        met = few_left_to_meet("abcdefgh", seed)
        assert rematches("abcdefgh", met) == fewest("abcdefgh", met), seed


def test_the_bye_goes_to_the_lowest_unless_another_one_spares_a_rematch() -> None:
    elsewhere = Counter[bool]()
    for seed in range(200):
        met = few_left_to_meet("abcdefg", seed)
        byes = {player: random.Random(f"{seed}{player}").randrange(2) for player in "abcdefg"}
        free = [player for player in "gfedcba" if byes[player] == min(byes.values())]
        needed = {player: fewest("abcdefg".replace(player, ""), met) for player in free}
        pairs, bye = swiss("abcdefg", dict.fromkeys("abcdefg", 0.0), met, byes)
        assert bye == min(needed, key=lambda player: needed[player]), seed  # of equals the lowest
        assert sorted(player for pair in pairs for player in pair) == sorted(set("abcdefg") - {bye})
        assert sum(frozenset(pair) in met for pair in pairs) == needed[bye]
        elsewhere[bye != free[0]] += 1
    assert elsewhere[True] > 5


def test_the_first_round_pairs_the_upper_half_with_the_lower() -> None:
    assert [match.players for match in start("swiss", named(8)).ready()] == [
        ("p1", "p5"),
        ("p2", "p6"),
        ("p3", "p7"),
        ("p4", "p8"),
    ]
    league = start("swiss", named(5)).league
    assert league is not None
    assert league.bye == "p5"


def test_winners_meet_winners() -> None:
    bracket = start("swiss", named(8))
    for match in bracket.ready():
        bracket = bracket.report(match.key, min(match.players))
    assert [set(match.players) for match in bracket.ready()] == [
        {"p1", "p3"},
        {"p2", "p4"},
        {"p5", "p7"},
        {"p6", "p8"},
    ]


@pytest.mark.parametrize(
    ("players", "rounds", "seed"),
    [(12, 7, 1), *(pytest.param(MOST, 12, n, marks=pytest.mark.long) for n in (2, 3))],
)
def test_nobody_meets_twice_however_many_play(players: int, rounds: int, seed: int) -> None:
    rng = random.Random(seed)
    bracket = start("swiss", named(players), rounds)
    met: Counter[frozenset[str]] = Counter()
    for _ in range(rounds):
        for match in bracket.ready():
            met[frozenset(match.players)] += 1
            bracket = bracket.report(match.key, rng.choice((*match.players, None)))
    assert max(met.values()) == 1
    assert bracket.champion


def test_a_draw_is_half_a_point_and_buchholz_tells_equal_points_apart() -> None:
    bracket = start("swiss", named(4))
    bracket = bracket.report("R1.1", None).report("R1.2", "p2")  # p1 - p3, p2 - p4
    assert bracket.match("R1.1").decided
    assert not bracket.match("R1.1").ready
    assert [set(match.players) for match in bracket.ready()] == [{"p2", "p1"}, {"p3", "p4"}]
    bracket = bracket.report("R2.1", "p1").report("R2.2", "p3")
    assert bracket.league is not None
    standings = bracket.league.standings
    assert [(s.player, s.points, s.buchholz, s.sonneborn) for s in standings] == [
        ("p1", 1.5, 2.5, 1.75),
        ("p3", 1.5, 1.5, 0.75),
        ("p2", 1.0, 1.5, 0.0),
        ("p4", 0.0, 2.5, 0.0),
    ]


def test_who_withdraws_from_a_swiss_tournament_is_not_paired_any_more() -> None:
    bracket = start("swiss", named(5), 4).report("R1.1", "p1").withdraw("p2")
    assert bracket.match("R1.2") == Match("R1.2", ("p2", "p4"), winner="p4", walkover=True)
    later = {player for match in bracket.ready() for player in match.players}
    assert later == {"p1", "p3", "p4", "p5"}
    assert bracket.league is not None
    assert (bracket.league.round, bracket.league.bye) == (2, "")
    assert bracket.league.standings[-1].player == "p2"


Results = dict[frozenset[str], str | None]


def f_never_comes(wins: Results) -> Bracket:
    """Six play three rounds; f comes to none of their matches. Return how it ended."""
    bracket = start("swiss", list("abcdef"), 3)
    while ready := bracket.ready():
        match = ready[0]
        if "f" in match.players:
            bracket = bracket.report(match.key, match.other("f"), walkover=True)
        else:
            bracket = bracket.report(match.key, wins[frozenset(match.players)])
    return bracket


def test_a_walkover_counts_in_the_tie_breaks_as_a_bye_does() -> None:
    results: Results = {
        frozenset("ad"): "a", frozenset("be"): "b", frozenset("ab"): "a",
        frozenset("dc"): "c", frozenset("ca"): None, frozenset("ed"): "d",
    }  # fmt: skip
    bracket = f_never_comes(results)
    assert bracket.match("R1.3") == Match("R1.3", ("c", "f"), winner="c", walkover=True)
    assert bracket.league is not None
    first, second, *_, last = bracket.league.standings
    assert (first.player, first.points, first.buchholz, first.sonneborn) == ("c", 2.5, 6.0, 4.75)
    assert (second.player, second.points, second.buchholz, second.sonneborn) == ("a", 2.5, 5.5, 4.25)
    assert (last.player, last.buchholz, last.sonneborn) == ("f", 0.0, 0.0)
    assert bracket.champion == "c"
    before = msgspec.structs.replace(bracket, unplayed_walkovers=False)
    assert before.champion == "a", "a tournament that began before this rule keeps its winner"


def test_a_stored_bracket_of_before_keeps_its_standings() -> None:
    old = (
        b'{"kind":"swiss","players":["a","b","c"],"rounds":2,"log":[["won","R1.1","a"],["withdrawn","","b"]]}'
    )
    bracket = msgspec.json.decode(old, type=Bracket)
    assert not bracket.unplayed_walkovers
    assert not bracket.match("R1.1").walkover
    assert start("swiss", list("abc")).unplayed_walkovers


@given(sizes, seeds)
def test_walkovers_change_no_points_and_no_pairing(count: int, seed: int) -> None:
    rng = random.Random(seed)
    one = two = begun("swiss", count)
    while ready := one.ready():
        assert ready == two.ready()
        winner = rng.choice(ready[0].players)
        one, two = one.report(ready[0].key, winner, walkover=True), two.report(ready[0].key, winner)
    assert one.league is not None
    assert two.league is not None
    points = [{score.player: score.points for score in each.standings} for each in (one.league, two.league)]
    assert points[0] == points[1]
    for score in one.league.standings:  # without opponents, only the own points of a player count
        assert score.buchholz == one.league.rounds * score.points


def test_a_walkover_is_no_encounter() -> None:
    """Two with the same points and tie-breaks: the higher seed is ahead, as if they had not met."""
    for walkover, first in ((True, "p1"), (False, "p3")):
        bracket = start("swiss", named(4), 1).report("R1.1", "p3", walkover=walkover).withdraw("p2")
        assert bracket.league is not None
        group = {"p1", "p3"}
        met = bracket.league._encounters(group)
        assert max(group, key=lambda player: (met[player], player == "p1")) == first


@pytest.mark.parametrize("kind", sorted(LEAGUES))
def test_who_withdraws_before_the_match_loses_by_walkover_and_during_it_a_game(kind: Kind) -> None:
    before = start(kind, named(6)).withdraw("p6")
    key = next(match.key for match in before.matches() if "p6" in match.players)
    assert before.match(key).walkover
    during = start(kind, named(6)).withdraw("p6", key)
    match = during.match(key)
    assert (match.winner, match.walkover) == (match.other("p6"), False)


# -- round robin ------------------------------------------------------------------------------


def test_a_walkover_counts_like_a_win_in_a_round_robin() -> None:
    """Everyone meets the absent player, so no one gains by it."""
    one = two = start("round_robin", named(5))
    while ready := one.ready():
        winner = min(ready[0].players)
        one, two = (
            one.report(ready[0].key, winner, walkover="p5" in ready[0].players),
            two.report(ready[0].key, winner),
        )
    assert one.league is not None
    assert two.league is not None
    assert one.league.standings == two.league.standings
    assert sum(match.walkover for match in one.matches()) == 4


@given(st.integers(LEAST, MOST))
def test_the_circle_lets_everybody_meet_once_with_fair_seats(count: int) -> None:
    rounds = circle(named(count))
    pairs = [frozenset(pair) for pairs in rounds for pair in pairs]
    assert len(pairs) == len(set(pairs)) == count * (count - 1) // 2
    first = Counter(one for pairs in rounds for one, _ in pairs)
    second = Counter(two for pairs in rounds for _, two in pairs)
    assert all(abs(first[player] - second[player]) <= 1 for player in named(count))


def test_twice_with_seats_exchanged() -> None:
    matches = start("double_round_robin", named(4)).matches()
    assert len(matches) == 12
    assert len({match.players for match in matches}) == 12
    assert refusal(start, "double_round_robin", named(11)) == "players"


def test_the_direct_encounter_counts_behind_sonneborn_berger() -> None:
    """Three in a circle are told apart by their seeds, two by who has beaten whom."""
    beaten = {("p1", "p3"), ("p2", "p1"), ("p1", "p4"), ("p2", "p4"), ("p3", "p2"), ("p3", "p4")}
    bracket = start("round_robin", named(4))
    while ready := bracket.ready():
        one, two = ready[0].players
        bracket = bracket.report(ready[0].key, one if (one, two) in beaten else two)
    assert bracket.league is not None
    found = [(s.player, s.points, s.sonneborn) for s in bracket.league.standings]
    assert found == [("p1", 2.0, 2.0), ("p2", 2.0, 2.0), ("p3", 2.0, 2.0), ("p4", 0.0, 0.0)]
    bracket = start("round_robin", named(4))
    for winner in ("p4", None, "p2", "p1", None, None):
        bracket = bracket.report(bracket.ready()[0].key, winner)
    assert bracket.league is not None
    found = [(s.player, s.points, s.sonneborn) for s in bracket.league.standings]
    assert found == [("p2", 2.0, 2.75), ("p4", 1.5, 2.0), ("p1", 1.5, 2.0), ("p3", 1.0, 1.75)]


def test_who_leaves_early_is_annulled_and_who_leaves_late_loses_what_is_left() -> None:
    bracket = start("round_robin", named(6))  # five rounds
    early = bracket.report("R1.1", "p6").report("R1.2", "p2").report("R1.3", "p3").withdraw("p3")
    assert early.league is not None
    last = early.league.standings[-1]
    assert (last.player, last.annulled, last.points) == ("p3", True, 0.0)
    assert sum(score.points for score in early.league.standings) == 2
    late = bracket
    for _ in range(3):
        for match in late.ready():
            late = late.report(match.key, min(match.players))
    late = late.withdraw("p1")
    assert late.league is not None
    assert not any(score.annulled for score in late.league.standings)
    for match in late.ready():
        late = late.report(match.key, min(match.players))
    walkovers = [match for match in late.matches() if match.walkover]
    assert len(walkovers) == 2
    assert all("p1" in match.players and match.winner not in ("", "p1") for match in walkovers)


def test_who_leaves_after_their_last_match_keeps_their_place() -> None:
    """Nothing of the league is left to them; who has another round before them goes behind all others."""
    bracket = start("round_robin", named(4))
    for number in range(3):
        for match in bracket.ready():
            if "p1" in match.players or number < 2:
                bracket = bracket.report(match.key, min(match.players))
    league = bracket.withdraw("p1").league
    assert league is not None
    assert (league.standings[0].player, league.standings[0].left) == ("p1", False)
    bracket = start("round_robin", named(4))
    for match in bracket.ready():
        bracket = bracket.report(match.key, min(match.players))
    own = next(match for match in bracket.ready() if "p1" in match.players)
    league = bracket.report(own.key, "p1").withdraw("p1").league  # the other match of the round is still on
    assert league is not None
    assert (league.standings[-1].player, league.standings[-1].left) == ("p1", True)


# -- single cases -----------------------------------------------------------------------------


def test_nobody_gets_a_point_where_nobody_came() -> None:
    bracket = start("swiss", named(4)).miss("R1.1")
    assert bracket.match("R1.1") == Match("R1.1", ("p1", "p3"), walkover=True)
    assert bracket.league is not None
    assert sum(score.losses for score in bracket.league.standings) == 2
    assert start("single", named(4)).miss("W1.1").match("W1.1").winner == "p1"


def test_what_a_league_refuses() -> None:
    assert refusal(start, "swiss", named(4), 4) == "rounds"
    bracket = start("round_robin", named(4))
    assert refusal(bracket.report, "R2.1", "p1") == "not_ready"
    assert refusal(bracket.report, "R9.1", "p1") == "no_such_match"
    assert refusal(bracket.report("R1.1", None).report, "R1.1", "p1") == "already_played"
    assert refusal(bracket.miss, "R2.1") == "not_ready"
