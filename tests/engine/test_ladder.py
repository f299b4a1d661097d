"""The ladder grows over runs, and stops where a step is decided."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from engine import catalog, ladder, levels
from engine.arena import ArenaResult, Contender, interval
from engine.ladder import Tally

DUEL = catalog.get("atom_duel")


def climbed(before: list[Tally], games: int) -> list[Tally]:
    return list(
        ladder.climb(
            DUEL,
            before,
            games=games,
            seats=2,
            options={"level": 1, "rounds": 1},
            date="2026-11-21",
            timer=lambda: 0.0,
        )
    )


def tally(shares: dict[str, int], level: str = "sharp", seed: int = 1) -> Tally:
    return Tally("battle", level, "steady", 2, seed, 2 * sum(shares.values()), shares, 10, 0.5)


@pytest.mark.repeats
def test_a_second_run_goes_on_with_new_deals() -> None:
    first = climbed([], 2)
    assert [(one.level, one.against, one.games) for one in first] == [
        (level, against, 2) for level, against in ladder.steps(DUEL, 2, {"level": 1})
    ]
    assert climbed(first, 2) == []
    second = climbed(first, 4)
    assert {one.seed for one in second} == {2}
    assert {one.games for one in ladder.totals(first + second)} == {4}


def test_runs_of_the_same_table_are_added_up() -> None:
    added = ladder.totals([tally({"0.5": 2}), tally({"1": 2, "0.5": 1}, seed=2), tally({"0": 1}, "casual")])
    assert [(one.level, one.shares, one.games) for one in added] == [
        ("sharp", {"0.5": 3, "1": 2}, 10),
        ("casual", {"0": 1}, 2),
    ]
    assert added[0].share == pytest.approx(0.7)
    assert added[0].ci95 == interval([0.5, 0.5, 0.5, 1, 1])
    assert added[0].ms_per_decision == pytest.approx(50)


def test_other_options_are_another_ladder() -> None:
    blind = Tally("battle", "sharp", "steady", 2, 1, 2, {"1": 1}, 1, 0.1, {"blind": True})
    assert len(ladder.totals([tally({"1": 1}), blind])) == 2


@pytest.mark.repeats
def test_what_was_played_by_other_rules_tells_nothing_of_today() -> None:
    """A new version of a game begins a ladder of its own, and nobody is told of the old one's figures."""
    old = [replace(one, rules=DUEL.version - 1) for one in climbed([], 2)]
    assert [one.games for one in climbed(old, 2)] == [2] * len(ladder.steps(DUEL, 2, {"level": 1}))
    assert len(ladder.totals(old + climbed([], 2))) == 2 * len(ladder.steps(DUEL, 2, {"level": 1}))


def test_people_are_told_of_games_by_todays_rules_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = ladder.kept(DUEL.key)
    told = next(one for one in kept if one.games >= ladder.ENOUGH and not one.options)
    told = replace(told, rules=DUEL.version)
    monkeypatch.setattr(ladder, "kept", lambda _key: (told,))
    other = told.level if told.against == levels.STEADY else told.against
    assert ladder.of_hundred(DUEL, other) is not None
    monkeypatch.setattr(ladder, "kept", lambda _key: (replace(told, rules=DUEL.version + 1),))
    assert ladder.of_hundred(DUEL, other) is None


def test_rules_that_hardly_changed_keep_their_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures by the newest rules come first as soon as there are enough."""
    duel52 = catalog.get("duel52")
    assert duel52.comparable == {2}
    old = Tally("duel52", "casual", levels.STEADY, 2, 1, 100, {"0": 35, "0.5": 15}, 9, 0.1, rules=2)
    new = replace(old, shares={"0": 45, "0.5": 5}, rules=duel52.version)
    for known, won in (((old,), 15), ((old, new), 5), ((replace(old, rules=1),), None)):
        monkeypatch.setattr(ladder, "kept", lambda _key, known=known: known)
        assert ladder.of_hundred(duel52, "casual") == won
    assert all(game.comparable < {*game.versions} for game in map(catalog.get, catalog.listed()))


def test_who_thinks_long_plays_no_more_than_is_needed() -> None:
    duel52 = catalog.get("duel52")

    def play(_game: object, names: list[str], *_: object, games: int, **_options: object) -> ArenaResult:
        first, second = Contender(names[0], [1.0] * (games // 2)), Contender(names[1])
        return ArenaResult([first, second], 2, games // 2, games)

    runs = ladder.climb(duel52, [], games=200, seats=2, options={}, date="", timer=lambda: 0.0, play=play)
    played = {(one.level, one.against): one.games for one in ladder.totals(runs)}
    assert played["master", "sharp"] == ladder.BATCH
    assert played["master", "steady"] == ladder.ENOUGH
    assert played["sharp", "steady"] == 200


def test_a_step_is_decided_when_its_interval_leaves_the_middle() -> None:
    assert tally({"1": 20}).decided
    assert tally({"0": 20}).decided
    assert not tally({"0.5": 20}).decided


def test_of_twenty_steps_between_equals_no_more_than_one_is_decided() -> None:
    """However often it is asked: six looks at an interval of 95 % would decide nine of a hundred."""
    rng, wrong, steps = random.Random(1), 0, 600
    for _ in range(steps):
        shares = [rng.choice((0.0, 0.5, 0.5, 1.0)) for _ in range(ladder.MOST_GAMES["master"] // 2)]
        looks = range(ladder.BATCH // 2, len(shares) + 1, ladder.BATCH // 2)
        wrong += any(tally(Counter(f"{share:g}" for share in shares[:n])).decided for n in looks)
    assert 0.01 * steps < wrong < 0.06 * steps


def test_the_file_is_read_as_it_was_written() -> None:
    kept = [tally({"1": 1}), tally({"0": 3}, "casual")]
    assert ladder.read("".join(map(ladder.line, kept)) + "\n") == kept
    with pytest.raises(ValueError, match="truncated"):
        ladder.read('{"game": "atom"')


def test_every_level_meets_the_one_below_and_the_steady_one() -> None:
    for key in catalog.listed():
        game = catalog.get(key)
        seats = ladder.fewest_seats(game, {})
        met, offered = ladder.steps(game, seats, {}), game.levels_in(seats, {})
        assert len(set(met)) == len(met)
        below = dict(zip(offered[1:], offered, strict=False))
        assert all((level, under) in met for level, under in below.items())
        if levels.STEADY in offered:
            others = set(offered) - {levels.STEADY}
            assert all({level, levels.STEADY} in map(set, met) for level in others)
