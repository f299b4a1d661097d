"""How Atom explains itself: what beats the table, how a game was settled, and who has won."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from bot.presenters import get
from bot.presenters.atom import explain
from bot.render.scene import Look
from engine.atom.scoring import GameResult, outcome, settle
from engine.atom.state import OVER
from engine.game import IllegalAction
from tests.engine.atom.positions import arrange, lay, play
from tests.support.discord.keys import MARKED, all_keys, key, keys, plain

PRESENTER = get("atom")
LOOK = Look(names=("Ann", "Ben", "Cy", "Dee", "Eve"), locale=MARKED)
FOUR = Look(names=("Ann", "Ben", "Cy", "Dee"), locale=MARKED)


def test_why_says_what_beats_the_table() -> None:
    state = arrange("QH QD 3C", "KD 4H", "9C", "6D")
    play(state, "QH QD")
    said = PRESENTER.explain(state.observe(1), FOUR)
    assert ways(said) == ["ranks", "of_2", "blades", "of_2", "any_bomb", "any_atom"]
    table, _, *falls_to = plain(said).splitlines()
    assert "Q♦ Q♥" in table
    assert "Ann" in table
    assert "K" in falls_to[0]
    assert "2" in falls_to[0]
    assert "7" in falls_to[1]


def ways(said: str) -> list[str]:
    """The keys of what beats the table."""
    lines = [line for line in said.splitlines() if keys(line) == ["atom.explain.way"]]
    found = [name for line in lines for name in all_keys(line)[1:] if name.startswith("atom.explain.")]
    return [name.removeprefix("atom.explain.") for name in found]


EIGHT = "{0}C {0}C {0}D {0}D {0}H {0}H {0}S {0}S"


@pytest.mark.parametrize(
    ("table", "blade", "seats", "beaten_by", "facts"),
    [
        ("9H 9H 9H", "7", 4, ["higher_rank", "higher_suit", "any_nuke"], ["9 in ♠", "7 (Blade)", " 2 "]),
        (
            "9D 9D 9D",
            "2",
            4,
            ["higher_rank", "higher_suit", "any_nuke"],
            ["9 in ♠, ♥, ♣", "2 (Blade)", " A "],
        ),
        ("BJ BJ BJ", "7", 4, ["higher_rank", "red_jokers", "any_nuke"], ["7 (Blade)", " 2 "]),
        ("RJ RJ RJ", "7", 4, ["higher_rank", "any_nuke"], ["7 (Blade)", " 2 "]),
        ("7S 7S 7S", "7", 4, ["any_nuke"], ["7 (Blade)", " 2 "]),
        (EIGHT.format("9"), "7", 4, ["higher_rank"], ["7 (Blade)", " 2 "]),
        (EIGHT.format("7"), "7", 4, [], []),
        (EIGHT.format("7"), "7", 5, ["above", "tier_4", "tier_5", "tier_6", "tier_7"], ["7 (Blade)", " 2 "]),
    ],
)
def test_why_says_what_beats_an_atom_or_a_nuke(
    table: str, blade: str, seats: int, beaten_by: list[str], facts: list[str]
) -> None:
    state = arrange(table + " 3C", *("4D", "6D", "8D", "10D")[: seats - 1], blade=blade)
    play(state, table)
    look = LOOK if seats == 5 else FOUR
    said = PRESENTER.explain(state.observe(1), look)
    assert ways(said) == beaten_by
    assert ("atom.explain.unbeaten" in keys(said)) is not bool(beaten_by)
    assert [fact for fact in facts if fact not in plain(said)] == []
    stands = {"atom.explain.atom_stands", "atom.explain.nuke_stands"} & set(keys(said))
    assert len(stands) == bool(beaten_by)
    with pytest.raises(IllegalAction) as caught:
        state.verify(1, lay("4D"))
    assert (key(PRESENTER.why(caught.value, look)) == "why.unbeaten") is not bool(beaten_by)


def test_why_tells_the_last_plays_of_a_long_trick() -> None:
    state = arrange("3C 4C", "4D 5D", "6D 7C", "8D 9D", blade="2")
    play(state, "3C", "4D", "6D", "8D", "pass", "pass", "pass")
    assert "atom.explain.skipped" not in keys(PRESENTER.explain(state.observe(None), FOUR))
    ranks = ["3", "4", "5", "6", "8", "9", "10", "J", "Q", "K", "A", "2", "7"]
    hands = [" ".join(f"{rank}C" for rank in ranks[seat::4]) + f" {ranks[seat]}D" for seat in range(4)]
    state = arrange(*hands)
    play(state, *(f"{rank}C" for rank in ranks), "pass", "pass", "pass")
    said = keys(PRESENTER.explain(state.observe(None), FOUR))
    assert said[1] == "atom.explain.skipped"
    assert said.count("atom.explain.act") == explain.MOST_ACTS == 12


def test_nobody_was_asked_to_beat_the_play_that_ends_a_game() -> None:
    state = arrange("KS", "3D 4D", "AS", "3H 4H")
    play(state, "KS", "pass")
    assert "atom.explain.taken" not in keys(PRESENTER.explain(state.observe(None), FOUR))
    play(state, "AS")
    lines = PRESENTER.explain(state.observe(None), FOUR).splitlines()
    (ended,) = (plain(line) for line in lines if keys(line) == ["atom.explain.ended"])
    assert "Cy" in ended
    assert "10" in ended
    assert not any("atom.explain.taken" in keys(line) for line in lines)


PAIRS = (0, 1, 0, 1)
CALLER_AND_ONE = (0, 0, 1, 1, 1)


def game(
    captured: Sequence[int], order: Sequence[int], teams: Sequence[int] = PAIRS, number: int = 1
) -> GameResult:
    return settle((number, 5), order, captured, [0] * len(teams), teams)


def facts_in(text: str) -> list[str]:
    """The names of people and the numbers in a text, as they come; without the number of the line."""
    return re.findall(r"\b(?:Ann|Ben|Cy|Dee|Eve|\d+)\b", re.sub(r"^\d+\.", "", plain(text)))


@pytest.mark.parametrize(
    ("results", "reason", "said", "facts"),
    [
        (
            [game((200, 0, 100, 0), (0, 2))],
            "sweep",
            "sweep 2",
            "Ann Cy",
        ),
        (
            [game((200, 30, 70, 0), (0, 1, 2))],
            "few_points",
            "few_points 2",
            "Ben Dee 60 Ann Cy",
        ),
        (
            [game((100, 0, 100, 100), (0, 1, 3)), game((20, 140, 20, 120), (1, 0, 3), number=2)],
            "points",
            "points 1",
            "380 220 Ben Dee",
        ),
        (
            [game((100, 0, 100, 100), (1, 0, 2)), game((60, 140, 40, 60), (0, 1, 3), number=2)],
            "upstream",
            "upstream 1",
            "300 300 Ben",
        ),
        (
            [game((200, 100, 70, 80, 50), (0, 1), CALLER_AND_ONE)],
            "sweep",
            "sweep 3",
            "Ann Ben",
        ),
        (
            [game((0, 0, 300, 150, 50), (2, 0, 3, 4), CALLER_AND_ONE)],
            "all_points",
            "all_points 3",
            "Cy Dee Eve",
        ),
        (
            [game((20, 30, 300, 100, 50), (2, 0, 3, 4), CALLER_AND_ONE)],
            "few_points",
            "few_points 2",
            "Ann Ben 60 Cy Dee Eve",
        ),
        (
            [game((200, 30, 100, 100, 70), (0, 2, 3, 4), CALLER_AND_ONE)],
            "points",
            "points_five 1",
            "Ann Ben 100",
        ),
        (
            [game((150, 50, 100, 100, 100), (2, 0, 1, 3), CALLER_AND_ONE)],
            "upstream",
            "upstream_five 1",
            "100 Cy",
        ),
    ],
)
def test_why_gives_the_reason_that_decided(
    results: list[GameResult], reason: str, said: str, facts: str
) -> None:
    """Game 2 below 60, or five players with 500 to 0, are no double win: the outcome's own reason counts."""
    seats = len(results[0].teams)
    state = arrange(*["3C", "4C", "5C", "6C", "8C"][:seats], game=len(results))
    state.results, state.phase = results, OVER
    end = state.outcome()
    assert end is not None
    assert end.reason == reason
    text = PRESENTER.explain(state.observe(None), LOOK if seats == 5 else FOUR)
    last, (key_of_it, score) = text.splitlines()[-1], said.split()
    assert f"atom.explain.{key_of_it}" in all_keys(last)
    assert [name for name in all_keys(text) if "score" in name] == [f"atom.score.{score}"]
    assert [fact for fact in facts_in(last) if fact not in "12" or fact in facts.split()] == facts.split()


def test_why_says_that_game_one_leaves_it_open_and_what_a_sweep_counts_in_game_two() -> None:
    first = game((100, 0, 100, 100), (0, 1, 3))
    state = arrange("3C", "4C", "5C", "6C", game=2)
    state.results = [first]
    said = PRESENTER.explain(state.observe(None), FOUR)
    assert all_keys(said.splitlines()[-1]) == ["atom.explain.step", "atom.explain.open"]
    state.results, state.phase = [first, game((100, 0, 100, 100), (1, 3), number=2)], OVER
    lines = PRESENTER.explain(state.observe(None), FOUR).splitlines()
    assert "atom.explain.all_count" in all_keys(lines[-2])
    assert facts_in(lines[-2]) == ["Ben", "Dee"]
    assert "atom.explain.points" in all_keys(lines[-1])
    assert facts_in(lines[-1]) == ["400", "200", "Ben", "Dee"]


def test_why_tells_a_settlement_step_by_step() -> None:
    state = arrange("3S", "KS", "AH", "5H 10H", captured=(0, 60, 90, 100))
    play(state, "3S", "KS", "AH")
    steps = {
        all_keys(line)[1].removeprefix("atom.explain."): facts_in(line)
        for line in PRESENTER.explain(state.observe(None), FOUR).splitlines()
        if keys(line) == ["atom.explain.step"]
    }
    assert steps["order"] == ["Ann", "Ben", "Cy"]
    assert steps["downstream"] == ["Dee", "100", "Ann", "15", "Ann", "Cy"]
    assert steps["totals"] == ["Ann", "Cy", "215", "Ben", "Dee", "60"]


def test_endings_name_winners_score_and_reason() -> None:
    first = settle((1, 5), [0, 1, 2], [120, 100, 40, 0], [0, 0, 0, 40], (0, 1, 0, 1))
    second = settle((2, 6), [1, 0, 2], [60, 180, 40, 20], [0, 0, 0, 0], (0, 1, 0, 1))
    said = PRESENTER.ending(outcome([first, second]), FOUR).splitlines()
    assert [(key(line), facts_in(line)) for line in said] == [
        ("ending.won", ["Ann", "Cy", "1"]),
        ("ending.lost", ["Ben", "Dee", "1"]),
        ("ending.upstream", ["300", "300", "Ann"]),
    ]


def test_endings_put_the_total_of_the_winners_first_and_name_the_upstream() -> None:
    first, second = game((100, 0, 100, 100), (1, 0, 2)), game((60, 140, 40, 60), (0, 1, 3), number=2)
    last = PRESENTER.ending(outcome([first, second]), FOUR).splitlines()[-1]
    assert (key(last), facts_in(last)[-1]) == ("ending.upstream", "Ben")
    beaten = game((20, 140, 20, 120), (1, 0, 3), number=2)
    winners, _, last = PRESENTER.ending(outcome([first, beaten]), FOUR).splitlines()
    assert (key(winners), facts_in(winners)) == ("ending.won", ["Ben", "Dee", "1"])
    assert (key(last), facts_in(last)) == ("ending.points", ["380", "220"])
