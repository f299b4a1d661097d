"""Settlements and scores: the worked examples of the rules page and the limits around them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.atom.scoring import GameResult, needs_second, outcome, settle

FOUR = (0, 1, 0, 1)


def result(
    totals: tuple[int, int], order: Sequence[int] = (0, 1, 2), sweep: int = -1, teams: Sequence[int] = FOUR
) -> GameResult:
    empty = (0,) * len(teams)
    return GameResult(1, 5, tuple(order), (), empty, empty, tuple(teams), totals, sweep)


def verdict(*results: GameResult) -> tuple[list[int], float, str]:
    """Winners, the winners' score, and the reason."""
    end = outcome(results)
    winners = list(end.winners())
    assert sorted({one.score for one in end.standings}) == [
        -end.standings[winners[0]].score,
        end.standings[winners[0]].score,
    ]
    return winners, end.standings[winners[0]].score, end.reason


@pytest.mark.rule("atom", "4.4", "6.2")
def test_settlement_example_downstream_gives_to_upstream_and_the_other_team() -> None:
    """A1, B1, A2 out, B2 last: B2's 60 go to A1, the 20 it holds to team A: 200 to 100, a second game."""
    settled = settle((1, 5), [0, 1, 2], [120, 100, 0, 60], [0, 0, 0, 20], FOUR)
    assert settled.totals == (200, 100)
    assert settled.downstream == (3,)
    assert needs_second(settled)


@pytest.mark.rule("atom", "4.4")
def test_settlement_example_upstream_may_be_the_partner_of_downstream() -> None:
    settled = settle((1, 5), [0, 1, 3], [100, 60, 70, 50], [0, 0, 20, 0], FOUR)
    assert settled.totals == (100 + 70, 60 + 50 + 20)


@pytest.mark.rule("atom", "5.1", "6.3")
def test_example_under_60_after_the_settlement_is_a_double() -> None:
    assert verdict(result((250, 50))) == ([0, 2], 2, "few_points")
    assert not needs_second(result((250, 50)))
    assert verdict(result((59, 241))) == ([1, 3], 2, "few_points")
    assert needs_second(result((60, 240)))


@pytest.mark.rule("atom", 7, "5.1")
def test_both_partners_out_first_is_a_double_whatever_the_points() -> None:
    settled = settle((1, 5), [1, 3], [200, 0, 100, 0], [0, 0, 0, 0], FOUR)
    assert settled.sweep == 1
    assert settled.totals == (0, 300)
    assert verdict(settled) == ([1, 3], 2, "sweep")


@pytest.mark.rule("atom", "5.2", "6.3")
def test_example_300_to_300_goes_to_the_team_of_the_first_upstream() -> None:
    first = result((180, 120), order=(1, 0, 2))
    assert verdict(first, result((120, 180), order=(0, 1, 2))) == ([1, 3], 1, "upstream")


@pytest.mark.rule("atom", 9, "5.2")
def test_more_than_300_of_600_is_a_single_even_after_a_double_win_in_game_two() -> None:
    assert verdict(result((70, 230)), result((231, 69))) == ([0, 2], 1, "points")
    assert verdict(result((70, 230)), result((230, 70)))[2] == "upstream"
    assert verdict(result((60, 240)), result((300, 0), order=(0, 2), sweep=0)) == ([0, 2], 1, "points")


TWO = (0, 0, 1, 1, 1)
THREE = (0, 0, 0, 1, 1)


@pytest.mark.rule("atom", "5.3", "6.3")
@pytest.mark.parametrize(
    ("totals", "order", "teams", "winners", "score", "reason"),
    [
        # 2 x 100 against 3 x 100: exactly on target, the side of upstream
        ((200, 300), (2, 0, 1), TWO, [2, 3, 4], 1, "upstream"),
        ((200, 300), (0, 2, 1), TWO, [0, 1], 1, "upstream"),
        ((300, 200), (0, 3, 4), THREE, [0, 1, 2], 1, "upstream"),
        ((205, 295), (2, 0, 1), TWO, [0, 1], 1, "points"),
        ((195, 305), (0, 2, 1), TWO, [2, 3, 4], 1, "points"),
        ((295, 205), (0, 3, 4), THREE, [3, 4], 1, "points"),
        ((445, 55), (0, 3, 4), THREE, [0, 1, 2], 2, "few_points"),
        ((440, 60), (0, 3, 4), THREE, [0, 1, 2], 1, "points"),
        ((55, 445), (0, 2, 3, 4), TWO, [2, 3, 4], 2, "few_points"),
        ((500, 0), (0, 2, 1), TWO, [0, 1], 3, "all_points"),
        ((0, 500), (0, 2, 3, 4), TWO, [2, 3, 4], 3, "all_points"),
    ],
)
def test_scores_of_five_players(  # noqa: PLR0917 - a table of examples
    totals: tuple[int, int],
    order: Sequence[int],
    teams: Sequence[int],
    winners: list[int],
    score: int,
    reason: str,
) -> None:
    assert verdict(result(totals, order, teams=teams)) == (winners, score, reason)


@pytest.mark.rule("atom", 10)
def test_triple_before_double_before_single() -> None:
    assert verdict(result((500, 0), (0, 1), 0, TWO)) == ([0, 1], 3, "sweep")
    assert verdict(result((40, 460), (2, 3, 4), 1, TWO)) == ([2, 3, 4], 3, "sweep")


@pytest.mark.rule("atom", 7, "5.3")
def test_a_side_of_five_that_runs_first_gets_all_points() -> None:
    settled = settle((1, 5), [3, 4], [100, 50, 60, 30, 20], [100, 100, 40, 0, 0], THREE)
    assert (settled.totals, settled.sweep) == ((0, 500), 1)
    assert settled.downstream == (0, 1, 2)


@pytest.mark.rule("atom", 6, "4.4")
def test_several_downstream_give_each_their_points() -> None:
    settled = settle((1, 5), [2, 0, 1], [50, 60, 150, 70, 30], [0, 0, 0, 90, 50], TWO)
    # 3 and 4 still held cards: 100 captured go to upstream (seat 2, their own side), 140 to the others
    assert settled.totals == (50 + 60 + 140, 150 + 100)
    assert settled.sweep == -1
