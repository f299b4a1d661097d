"""Corrections of brackets and leagues: later matches change with a result, or it stays."""

from __future__ import annotations

import random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.brackets import Bracket, BracketEntry, BracketError, Kind, Match, most, start
from tests.support.games.brackets import named, refusal

KINDS: tuple[Kind, ...] = get_args(Kind)
kinds = st.sampled_from(KINDS)


def won(match: Match, player: str) -> BracketEntry:
    return BracketEntry("won", match.key, player)


def decided(bracket: Bracket, rng: random.Random) -> Bracket:
    match = rng.choice(bracket.ready())
    return bracket.report(match.key, rng.choice(match.players))


@pytest.mark.parametrize("kind", KINDS)
def test_the_right_player_goes_on_after_a_correction(kind: Kind) -> None:
    bracket = start(kind, named(4))
    for match in bracket.ready():
        bracket = bracket.report(match.key, match.players[0])
    first = bracket.match("R1.1" if bracket.league else "W1.1")
    corrected = bracket.correct(first.key, won(first, first.players[1]))
    again = start(kind, named(4))
    for match in again.ready():
        again = again.report(match.key, match.players[match.key == first.key])
    assert corrected == again


@pytest.mark.parametrize("kind", KINDS)
def test_a_match_that_was_noted_by_mistake_is_played_after_all(kind: Kind) -> None:
    bracket = start(kind, named(5))
    match = bracket.ready()[0]
    assert bracket.report(match.key, match.players[0]).correct(match.key, None) == bracket


@given(kinds, st.integers(3, 9), st.integers(0, 2**32), st.booleans())
def test_a_correction_changes_no_match_that_was_played(
    kind: Kind, count: int, seed: int, removed: bool
) -> None:
    """The other reports still belong to matches of the same players."""
    rng = random.Random(seed)
    bracket = start(kind, named(min(count, most(kind))))
    for _ in range(rng.randrange(1, 12)):
        if not bracket.ready():
            break
        if rng.random() < 0.15 and len(bracket.withdrawn) < count - 2:
            staying = [player for player in bracket.players if player not in bracket.withdrawn]
            bracket = bracket.withdraw(rng.choice(staying))
        else:
            bracket = decided(bracket, rng)
    for match in bracket.matches():
        if len(match.players) < 2 or not match.decided:
            continue
        entry = None if removed else won(match, match.other(match.winner))
        try:
            later = bracket.correct(match.key, entry)
        except BracketError as refusal:
            assert refusal.rule in ("too_late", "lost_by_withdrawal")  # noqa: PT017 - both are answers
            continue
        for report in later.log:
            if report.what != "withdrawn" and report.match != match.key:
                now = later.match(report.match)
                assert set(now.players) == set(bracket.match(report.match).players)
                assert now.winner == bracket.match(report.match).winner
        if entry is not None:
            assert later.match(match.key).winner == entry.player


@given(kinds, st.integers(3, 9), st.integers(0, 2**32))
def test_a_withdrawal_taken_back_at_once_never_happened(kind: Kind, count: int, seed: int) -> None:
    rng = random.Random(seed)
    bracket = start(kind, named(min(count, most(kind))))
    for _ in range(rng.randrange(6)):
        if bracket.ready():
            bracket = decided(bracket, rng)
    player = rng.choice(bracket.players)
    assert bracket.withdraw(player).readmit(player) == bracket
    assert refusal(bracket.readmit, player) == "not_withdrawn"


def test_a_swiss_result_stands_once_the_next_round_has_begun() -> None:
    bracket = start("swiss", named(4))
    for match in bracket.ready():
        bracket = bracket.report(match.key, match.players[0])
    first = bracket.match("R1.1")
    entry = won(first, first.players[1])
    assert bracket.correct("R1.1", entry).league
    assert refusal(bracket.correct, "R1.1", entry, {"R2.2"}) == "too_late"
    played = bracket.report("R2.1", bracket.match("R2.1").players[0])
    with pytest.raises(BracketError) as found:
        played.correct("R1.1", entry)
    assert found.value.facts["later"] == "R2.1"
    assert refusal(played.correct, "R1.1", None) == "too_late"


@pytest.mark.parametrize("kind", ["single", "double"])
def test_a_bracket_result_stands_once_either_player_has_begun_the_next_match(kind: Kind) -> None:
    bracket = start(kind, named(8))
    for match in bracket.ready():
        bracket = bracket.report(match.key, match.players[0])
    first, other = bracket.match("W1.1"), bracket.match("W1.3")
    for later in ["W2.1"] + ["L1.1"] * (kind == "double"):
        for result in (won(first, first.players[1]), None):
            assert refusal(bracket.correct, "W1.1", result, {later}) == "too_late"
        winner = bracket.match(later).players[0]
        assert refusal(bracket.report(later, winner).correct, "W1.1", None) == "too_late"
    assert bracket.correct(other.key, won(other, other.players[1]), {"W2.1"}).match("W2.2").players


def test_a_round_robin_is_corrected_to_the_end() -> None:
    bracket = start("round_robin", named(4))
    while len(ready := bracket.ready()) + sum(m.decided for m in bracket.matches()) and not bracket.champion:
        bracket = bracket.report(ready[0].key, min(ready[0].players))
    first = bracket.match("R1.1")
    corrected = bracket.correct("R1.1", won(first, max(first.players)))
    assert corrected.match("R1.1").winner == max(first.players)
    assert refusal(bracket.correct, "R1.1", None) == "too_late"  # later rounds were played


def test_what_a_withdrawal_decided_is_changed_by_taking_that_back() -> None:
    for kind in KINDS:
        bracket = start(kind, named(6))
        match = bracket.ready()[-1]
        bracket = bracket.withdraw(match.players[0])
        assert refusal(bracket.correct, match.key, won(match, match.players[0])) == "lost_by_withdrawal"
        assert refusal(bracket.correct, match.key, None) == "lost_by_withdrawal"


def test_a_withdrawal_is_final_once_a_match_that_follows_from_it_has_begun() -> None:
    single = start("single", named(4)).withdraw("p1").report("W1.2", "p2")
    assert single.match("W2.1").ready
    assert refusal(single.readmit, "p1", {"W2.1"}) == "too_late"
    assert [match.key for match in single.readmit("p1").ready()] == ["W1.1"]
    swiss = start("swiss", named(6)).withdraw("p1")
    for match in swiss.ready():
        swiss = swiss.report(match.key, match.players[0])
    assert swiss.league is not None
    assert swiss.league.round == 2
    assert refusal(swiss.readmit, "p1", {"R2.1"}) == "too_late"
    back = swiss.readmit("p1")
    assert [match.key for match in back.ready()] == ["R1.1"]


def test_a_draw_by_mistake_leaves_no_replay() -> None:
    bracket = start("single", named(4))
    assert bracket.report("W1.1", None).correct("W1.1", None) == bracket
