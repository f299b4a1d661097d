"""Ratings: what moves them, and that the results alone say what they are."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, create_engine, delete

from bot.features.stats import rows as boards
from bot.store import people, ratings, totals
from bot.store.database import Database
from bot.store.models import Base, BoardRatingRow, table_of
from bot.store.people import EVERYWHERE, StoredResult
from bot.store.rating_model import (
    ALL_TIME,
    LEVELS,
    PROVISIONAL,
    RatedGame,
    Rating,
    RatingBoard,
    RatingBook,
    Seated,
    chance,
    points,
    rate,
    season_of,
    weight,
)
from engine import catalog, levels
from tests.support.tables.results import add_game, finish, results_of, some_game

pytestmark = pytest.mark.repeats

ON = RatingBoard("probe", "", ALL_TIME, EVERYWHERE)
DAY = 86_400_000


def played(
    people: Sequence[int | None], places: Sequence[int], *, at: int = 0, sides: Sequence[int] = ()
) -> RatedGame:
    seats = tuple(
        Seated(who, None if who else levels.STEADY, sides[n] if sides else n, place, place == 1)
        for n, (who, place) in enumerate(zip(people, places, strict=True))
    )
    return RatedGame(at + 1, "probe", "", 70, at, seats)


def mus(book: RatingBook) -> dict[int, float]:
    return {who: rating.mu for (board, who), rating in book.ratings.items() if board == ON}


# -- the model ------------------------------------------------------------------------------


def test_the_scale_starts_at_1500_and_ends_at_nothing() -> None:
    new = Rating()
    assert (new.points, new.settled) == (1500, False)
    assert points(-3.0) == 0
    assert Rating(sigma=PROVISIONAL).settled
    assert chance(new, new) == pytest.approx(0.5)
    assert chance(Rating(mu=30, sigma=2), Rating(mu=20, sigma=2)) > 0.7
    assert set(LEVELS) == {levels.RANDOM, *levels.LEVELS}


def test_a_draw_is_a_draw() -> None:
    book = RatingBook()
    after = rate(book, played((1, 2), (1, 1)))
    assert after[1].mu == pytest.approx(25)
    assert after[1] == after[2]
    assert after[1].sigma < Rating().sigma


PLACES = st.lists(st.integers(1, 4), min_size=2, max_size=8).map(
    lambda drawn: [1 + sum(other < one for other in drawn) for one in drawn]
)
"""Places as they are given in a game: after two firsts comes a third."""


@given(PLACES)
def test_among_equals_a_better_place_never_gains_less(places: list[int]) -> None:
    book = RatingBook()
    people = range(1, len(places) + 1)
    rate(book, played(people, places))
    gained = {who: mus(book)[who] - 25 for who in people}
    for one in people:
        for other in people:
            if places[one - 1] <= places[other - 1]:
                assert gained[one] >= gained[other] - 1e-9
    assert sum(gained.values()) == pytest.approx(0, abs=1e-9)


@given(PLACES, st.lists(st.tuples(st.floats(5, 45), st.floats(1, 8)), min_size=8, max_size=8))
def test_losing_is_winning_upside_down_so_that_no_board_drifts(
    places: list[int], strengths: list[tuple[float, float]]
) -> None:
    """Whatever a field of players wins by an order, its mirror image loses by the opposite one: a board is
    pushed neither up nor down by what places there are, how many players, or how many of them are tied."""
    people = range(1, len(places) + 1)
    upright, mirrored = RatingBook(), RatingBook()
    for who, (mu, sigma) in zip(people, strengths, strict=False):
        upright.ratings[ON, who] = Rating(mu=mu, sigma=sigma)
        mirrored.ratings[ON, who] = Rating(mu=50 - mu, sigma=sigma)
    rate(upright, played(people, places))
    rate(mirrored, played(people, [10 - place for place in places]))
    for who in people:
        one, other = upright.ratings[ON, who], mirrored.ratings[ON, who]
        assert one.mu - 25 == pytest.approx(25 - other.mu, abs=1e-9)
        assert one.sigma == pytest.approx(other.sigma)


def test_opponents_move_nobody() -> None:
    """Ann and Ben are compared with each other alone, wherever the computer came in."""
    first, last = RatingBook(), RatingBook()
    rate(first, played((1, 2, None), (2, 3, 1)))
    rate(last, played((1, 2, None), (1, 2, 3)))
    assert mus(first) == mus(last)


def test_partners_win_together_and_a_computer_fills_the_place_of_one() -> None:
    book = RatingBook()
    rate(book, played((1, 2, 3, 4), (1, 3, 1, 3), sides=(0, 1, 0, 1)))
    assert mus(book)[1] == mus(book)[3] > 25 > mus(book)[2] == mus(book)[4]
    alone = RatingBook()
    rate(alone, played((1, 2, None, 4), (1, 3, 1, 3), sides=(0, 1, 0, 1)))
    assert 25 < mus(alone)[1] < 30


def test_who_leaves_has_lost_and_their_partner_has_not() -> None:
    book = RatingBook()
    rate(book, played((1, 2, 3, 4), (5, 3, 1, 3), sides=(0, 1, 0, 1)))
    assert mus(book)[1] < 25 < mus(book)[3]


def test_a_game_counts_less_the_oftener_two_have_met() -> None:
    found = [weight(n) for n in (0.0, 1.0, 2.0)]
    assert found == [1, 1 / 4, 1 / 9]
    book, moved = RatingBook(), []
    for at in (0, 60_000, 400 * DAY):
        before = mus(book).get(1, 25.0)
        rate(book, played((1, 2), (1, 2), at=at))
        moved.append(mus(book)[1] - before)
    assert moved[1] < moved[2] < moved[0]


@pytest.mark.repeats
@pytest.mark.parametrize("apart", [0, 60_000, 3_600_000, DAY, 3 * DAY])
def test_a_thousand_farmed_games_move_an_account_by_less_than_one_sigma(apart: int) -> None:
    book = RatingBook()
    for n in range(1000):
        rate(book, played((1, 2), (1, 2), at=n * apart))
    farmer = book.ratings[ON, 1]
    assert farmer.games == 1000
    assert 0 < farmer.mu - 25 < min(farmer.sigma, Rating().sigma)


def test_each_variant_has_a_board_of_its_own() -> None:
    variants = {key: list(catalog.get(key).variants()) for key in catalog.listed()}
    assert all(found[0] == "" for found in variants.values())
    assert variants["atom_duel"] == ["", *(f"level-{n}" for n in (1, 2, 3, 5, 6, 7))]
    assert variants["chemistry_battle"] == ["", "blind-yes"]
    assert variants["atom"] == variants["molecular"] == [""]
    assert all(len(name) <= 64 for found in variants.values() for name in found)


def test_what_is_rated() -> None:
    def judged(who: Sequence[int | None], game: str = "atom", **options: Any) -> list[StoredResult]:
        found = results_of(1, who, [1] * len(who), at=1, game=game)
        return ratings.judged(found, options, {1})

    assert [(one.side, one.place) for one in judged((1, 2, 3, 4))] == [(0, 1), (1, 5), (0, 1), (1, 1)]
    assert {one.side for one in judged((1, None, 2, None))} == {None}  # partners against the computer
    assert {one.place for one in judged((1, None), "duel52")} == {None}
    assert {one.place for one in judged((1, 1), "duel52")} == {None}
    assert {one.variant for one in judged((1, 2), "atom_duel", level=2)} == {"level-2"}
    assert {one.variant for one in judged((1, 2), "gone")} == {""}


def test_a_partner_who_is_the_computer_is_as_strong_as_it_was() -> None:
    """Only one that plays on for somebody who was deleted is Steady, whatever it says."""
    found = ratings.judged(results_of(1, (1, 2, None, 4), (1, 2, 1, 2), at=1, game="atom"), {}, ())
    assert [(one.side, one.level) for one in found] == [(0, None), (1, None), (0, levels.RANDOM), (1, None)]


async def test_whose_partner_was_deleted_is_not_rated_as_one_against_two(database: Database) -> None:
    """The steady opponent that played on is the partner, as one that sat there from the start would be."""
    on = RatingBoard("duel52", "variant-teams", ALL_TIME, EVERYWHERE)
    teams = {"game": "duel52", "options": {"variant": "teams"}}
    await database.write_at_once(lambda c: finish(c, (1, 2, -9, 3), (2, 1, 2, 1), at=1, left=(-9,), **teams))
    expected = RatingBook()
    rate(expected, played((1, 2, None, 3), (2, 1, 5, 1), sides=(0, 1, 0, 1)))
    found = await database.read_at_once(lambda c: boards.ratings_on(c, (1, 2, 3, -9), on))
    assert {who: rating.mu for who, rating in found.items()} == pytest.approx(mus(expected))
    assert await database.read_at_once(ratings.differences) == 0


def test_seasons_are_quarters() -> None:
    assert season_of(1_767_225_600_000 - 1) == 20254
    assert season_of(1_767_225_600_000) == 20261


# -- live and made anew ---------------------------------------------------------------------


@dataclass(frozen=True)
class Game:
    people: tuple[int | None, ...]
    ranks: tuple[int, ...]
    at: int
    guild_id: int | None
    left: tuple[int, ...]
    level: int


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Any game that may end: drawn, with opponents, of one who holds two seats, left, settled late."""
    seats = draw(st.integers(2, 4))
    sitters = tuple(draw(st.sampled_from([1, 2, 3, 4, None])) for _ in range(seats))
    ranks = tuple(draw(st.integers(1, seats)) for _ in range(seats))
    left = tuple(who for who in (1, 2) if draw(st.integers(0, 4)) == 0)
    at = draw(st.integers(0, 6)) * 30 * DAY + draw(st.integers(0, 2))
    return Game(
        sitters, ranks, at, draw(st.sampled_from([None, 70, 71])), left, draw(st.sampled_from([4, 6]))
    )


def settled(connection: Connection, game: Game) -> None:
    finish(
        connection,
        game.people,
        game.ranks,
        at=game.at,
        guild_id=game.guild_id,
        left=game.left,
        game="atom_duel",
        options={"level": game.level},
    )


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(games() | st.just("restart") | st.sampled_from([1, 2]), min_size=1, max_size=14))
def test_live_ratings_are_what_a_rebuild_makes(history: list[Any]) -> None:
    """Of any games in any order, with restarts, and people who are banned and forgiven; to the last bit."""
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    banned = set[int]()
    with engine.begin() as connection:
        for step in history:
            match step:
                case Game():
                    settled(connection, step)
                case "restart":
                    assert totals.catch_up(connection) == ratings.catch_up(connection) == 0
                case who if who in banned:
                    ratings.unvoid(connection, "player", who)
                    banned.remove(who)
                case who:
                    ratings.void(connection, "player", who, 1)
                    banned.add(who)
            assert ratings.differences(connection) == 0
        before = kept(connection)
        ratings.rebuild(connection)
        assert kept(connection) == before
        assert ratings.differences(connection) == 0


def kept(connection: Connection) -> list[tuple[Any, ...]]:
    """Every row that a rebuild may write, as it stands."""
    lines = [
        "SELECT * FROM board_ratings ORDER BY 1, 2, 3, 4, 5",
        "SELECT * FROM rivals ORDER BY 1, 2, 3, 4",
        "SELECT game_id, seat, mu, sigma FROM results ORDER BY 1, 2",
    ]
    return [tuple(row) for line in lines for row in connection.exec_driver_sql(line)]


async def test_a_difference_is_found(database: Database) -> None:
    await database.write_at_once(lambda c: [finish(c, (1, 2), (1, 2), at=n) for n in range(3)])
    assert await database.read_at_once(ratings.differences) == 0
    await database.write_at_once(lambda c: c.execute(delete(table_of(BoardRatingRow)).filter_by(user_id=1)))
    assert await database.read_at_once(ratings.differences) == 4
    await database.write_at_once(ratings.rebuild)
    assert await database.read_at_once(ratings.differences) == 0


async def test_voided_games_are_given_back_and_may_count_again(database: Database) -> None:
    def play(connection: Connection) -> None:
        for at in range(4):
            finish(connection, (1, 2), (1, 2), at=at)
            finish(connection, (2, 3), (1, 2), at=at)

    async def of(who: int) -> Rating | None:
        return (await database.read_at_once(lambda c: boards.ratings_on(c, [who], ON))).get(who)

    await database.write_at_once(play)
    before = [await of(who) for who in (1, 2, 3)]
    await database.write_at_once(lambda c: ratings.void(c, "player", 1, 9))
    assert await of(1) is None
    two = await of(2)
    assert two is not None
    assert two.games == two.wins == 4
    # and what is played from now on counts for nothing either
    game = await database.write_at_once(lambda c: finish(c, (1, 2), (1, 2), at=10))
    assert await of(2) == two
    assert await database.write_at_once(lambda c: ratings.unvoid(c, "player", 1))
    assert not await database.write_at_once(lambda c: ratings.unvoid(c, "player", 1))
    await database.write_at_once(lambda c: ratings.void(c, "game", game, 9))
    assert [await of(who) for who in (1, 2, 3)] == before


def deleted(connection: Connection, who: int, nobody: int) -> None:
    """Take a person out of the ratings: what they played stays, under a number that is nobody's."""
    for table in ("board_ratings", "rivals"):
        connection.exec_driver_sql(f"DELETE FROM {table} WHERE user_id = {who}")
    connection.exec_driver_sql(f"UPDATE rivals SET other_id = {nobody} WHERE other_id = {who}")
    nothing = f"UPDATE results SET user_id = {nobody}, mu = NULL, sigma = NULL WHERE user_id = {who}"
    connection.exec_driver_sql(nothing)


async def test_who_was_deleted_has_no_rating_and_takes_none_away(database: Database) -> None:
    """Everybody keeps what they won and lost, and what is settled later passes a former player over."""

    def play(connection: Connection) -> None:
        for at in range(3):
            finish(connection, (1, 2, 3), (1, 2, 3), at=at)

    await database.write_at_once(play)
    before = await database.read_at_once(lambda c: boards.ratings_on(c, (2, 3), ON))
    await database.write_at_once(lambda c: deleted(c, 1, -9))
    assert await database.read_at_once(ratings.differences) == 0
    await database.write_at_once(ratings.rebuild)
    assert await database.read_at_once(lambda c: boards.ratings_on(c, (1, 2, 3, -9), ON)) == before
    assert await database.read_at_once(ratings.differences) == 0
    # a game that was open when they left: the others are rated with each other, or not at all
    await database.write_at_once(lambda c: finish(c, (-9, 2), (2, 1), at=8, left=(-9,)))
    assert await database.read_at_once(lambda c: boards.ratings_on(c, (2, 3), ON)) == before
    await database.write_at_once(lambda c: finish(c, (-9, 2, 3), (2, 1, 3), at=9, left=(-9,)))
    after = await database.read_at_once(lambda c: boards.ratings_on(c, (2, 3, -9), ON))
    assert {who: rating.games for who, rating in after.items()} == {2: 4, 3: 4}
    assert await database.read_at_once(ratings.differences) == 0
    rivals = {who: await database.read_at_once(partial(met, who)) for who in (2, 3)}
    assert rivals == {2: [(3, 4, False), (-9, 3, True)], 3: [(2, 4, False), (-9, 3, True)]}


def met(who: int, connection: Connection) -> list[tuple[int, int, bool]]:
    """Whom somebody has met, how often, and whether those were deleted."""
    return [(each.other_id, each.games, each.former) for each in boards.records_of(connection, who, 70, 9)]


async def test_what_an_older_release_settles_is_rated_at_the_next_start(database: Database) -> None:
    """It may have ended before what is rated already, and people have left some of it."""
    rng = random.Random(3)

    def settle_without_boards(connection: Connection) -> None:
        for _ in range(30):
            game = some_game(rng)
            game_id = add_game(connection, game["game"], game["guild_id"])
            people.add_results(connection, results_of(game_id, **game))

    await database.write_at_once(lambda c: [finish(c, **some_game(rng)) for _ in range(20)])
    await database.write_at_once(settle_without_boards)
    await database.write_at_once(totals.catch_up)
    assert await database.write_at_once(ratings.catch_up) == 30
    assert await database.write_at_once(ratings.catch_up) == 0
    assert await database.read_at_once(ratings.differences) == 0


async def test_games_end_in_the_order_in_which_they_are_settled(database: Database) -> None:
    """A clock that was put back must not let a game end before the last one of the same people."""
    await database.write_at_once(lambda c: [finish(c, (1, 2), (1, 2), at=at) for at in (50, 7, 50)])
    await database.write_at_once(lambda c: finish(c, (3, 4), (1, 2), at=7))
    line = "SELECT DISTINCT game_id, ended_at FROM results ORDER BY game_id"
    found = await database.read_at_once(lambda c: [tuple(row) for row in c.exec_driver_sql(line)])
    assert [at for _, at in found] == [50, 50, 50, 7]
