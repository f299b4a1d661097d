"""The deals of days in the database: drawn before their day, one game each, boards and streaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, insert
from sqlalchemy.engine import Engine

from bot.store import days
from bot.store.days import DailyResult
from bot.store.models import Base, DailyResultRow, DayRow, PlayerRow, table_of
from tests.support.tables.results import add_game

AT = days.begins_at("2027-01-15") + 5


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    made = create_engine(f"sqlite:///{tmp_path}/days.db")
    Base.metadata.create_all(made)
    return made


def ended(connection: Connection, user_id: int, day: str, done: DailyResult, guild_id: int = 70) -> None:
    game_id = add_game(connection)
    days.begin(connection, day, "probe", user_id=user_id, game_id=game_id, guild_id=guild_id)
    days.finish(connection, game_id, done, days.begins_at(day) + 9)


def test_the_first_start_draws_the_deals_of_today(engine: Engine) -> None:
    """They are drawn before anyone can play, and someone who tries the bot sees what a daily deal is."""
    with engine.begin() as connection:
        days.draw(connection, ["probe", "atom"], AT)
        today = days.commitments(connection, "2027-01-15")
        assert days.ready(connection, "2027-01-15") == {"probe", "atom"}
        fair = days.deal_of(connection, "2027-01-15", "probe")
        assert fair is not None
        assert fair.digest == today["probe"]
        days.draw(connection, ["probe", "atom"], AT + 1)
        assert days.commitments(connection, "2027-01-15") == today, "they are drawn once"


def test_a_bot_that_stood_still_for_weeks_draws_the_deals_of_today(engine: Engine) -> None:
    later = AT + 20 * days.DAY_MS
    with engine.begin() as connection:
        days.draw(connection, ["probe"], AT)
        days.draw(connection, ["probe"], later)
        assert days.deal_of(connection, days.day_of(later), "probe") is not None


def test_a_game_that_comes_during_the_day_has_its_first_deal_tomorrow(engine: Engine) -> None:
    with engine.begin() as connection:
        days.draw(connection, ["probe"], AT - days.DAY_MS)
        days.draw(connection, ["probe", "atom"], AT)
        assert days.ready(connection, "2027-01-15") == {"probe"}
        assert days.deal_of(connection, "2027-01-15", "atom") is None
        assert days.ready(connection, "2027-01-16") == {"probe", "atom"}


@pytest.mark.parametrize("first", [AT - days.DAY_MS, AT])
def test_a_deal_that_was_drawn_later_than_others_of_its_day_is_never_played(
    engine: Engine, first: int
) -> None:
    """As a clock that was set back would leave it."""
    late = {"day": "2027-01-15", "game": "atom", "seed": bytes(32), "nonce": bytes(32), "made_at": AT + 1}
    with engine.begin() as connection:
        days.draw(connection, ["probe"], first)
        connection.execute(insert(table_of(DayRow)).values(late))
        assert days.ready(connection, "2027-01-15") == {"probe"}
        assert days.deal_of(connection, "2027-01-15", "atom") is None


def test_a_commitment_is_older_than_its_day(engine: Engine) -> None:
    with engine.begin() as connection:
        days.draw(connection, ["probe", "atom"], AT)
        tomorrow = days.commitments(connection, "2027-01-16")
        assert tomorrow.keys() == {"probe", "atom"}
        assert len(set(tomorrow.values())) == 2
        days.draw(connection, ["probe", "atom"], AT + days.DAY_MS)
        assert days.commitments(connection, "2027-01-16") == tomorrow, "and what was promised stays"
        fair = days.deal_of(connection, "2027-01-16", "probe")
        assert fair is not None
        assert fair.digest == tomorrow["probe"]
        assert len(days.commitments(connection, "2027-01-23")) == 2


def test_the_board_goes_by_place_then_margin_then_moves(engine: Engine) -> None:
    day = "2027-01-15"
    with engine.begin() as connection:
        for user_id, prefs in ((1, {}), (2, {}), (3, {}), (4, {}), (5, {}), (6, {"named": True})):
            row = {"id": user_id, "name": f"n{user_id}", "prefs": prefs, "seen_at": 1}
            connection.execute(insert(table_of(PlayerRow)).values(row))
        ended(connection, 1, day, DailyResult(2, 90.0, -1.0, 3))
        ended(connection, 2, day, DailyResult(1, 10.0, 4.0, 9))
        ended(connection, 3, day, DailyResult(1, 10.0, 4.0, 8))
        ended(connection, 4, day, DailyResult(1, 10.0, 4.0, 8))
        ended(connection, 5, day, DailyResult(1, 10.0, 9.0, 8), guild_id=71)
        ended(connection, 6, day, DailyResult(1, 10.0, 8.0, 8), guild_id=71)
        places, played = days.board(connection, day, "probe", here=70, asker=9, most=10)
        assert [(one.place, one.user_id) for one in places] == [(2, 6), (3, 3), (3, 4), (5, 2), (6, 1)]
        assert played == 6
        assert "n5" not in {one.name for one in places}, "nobody has met them here"
        own, _ = days.board(connection, day, "probe", here=70, asker=5, most=10)
        assert own[0].user_id == 5, "who asks is always there"


def thirty(connection: Connection, day: str) -> None:
    """Thirty people have played; the best of them in one server, and the last alone in another."""
    for user_id in range(1, 31):
        row = {"id": user_id, "name": f"p{user_id}", "prefs": {}, "seen_at": 1}
        connection.execute(insert(table_of(PlayerRow)).values(row))
        ended(
            connection,
            user_id,
            day,
            DailyResult(1, 10.0, 30.0 - user_id, 3),
            guild_id=70 if user_id < 30 else 71,
        )


def test_the_last_of_thirty_is_no_first_in_a_server_of_their_own(engine: Engine) -> None:
    day = "2027-01-15"
    with engine.begin() as connection:
        thirty(connection, day)
        places, played = days.board(connection, day, "probe", here=71, asker=30, most=10)
    assert [(one.place, one.name) for one in places] == [(30, "p30")]
    assert played == 30


def test_who_is_behind_the_lines_of_a_board_has_one_of_their_own(engine: Engine) -> None:
    day = "2027-01-15"
    with engine.begin() as connection:
        thirty(connection, day)
        places, _ = days.board(connection, day, "probe", here=70, asker=25, most=10)
        others, _ = days.board(connection, day, "probe", here=70, asker=99, most=10)
    assert [one.place for one in places] == [*range(1, 11), 25]
    assert places[-1].name == "p25"
    assert [one.place for one in others] == [*range(1, 11)], "who has not played has no line"


def test_a_board_of_one_server_counts_its_own_people(engine: Engine) -> None:
    day = "2027-01-15"
    with engine.begin() as connection:
        thirty(connection, day)
        places, played = days.board_of_server(connection, day, "probe", 71, most=3)
    assert [(one.place, one.name) for one in places] == [(1, "p30")]
    assert played == 1


def test_people_who_left_a_server_are_not_on_its_boards(engine: Engine) -> None:
    """Their results still count for the places of everyone, but not in their server's own board."""
    day = "2027-01-15"
    with engine.begin() as connection:
        thirty(connection, day)
        places, played = days.board(connection, day, "probe", here=70, asker=99, most=3, departed={1, 3})
        assert ([one.place for one in places], played) == ([2, 4, 5], 30)
        own, _ = days.board(connection, day, "probe", here=70, asker=1, most=3, departed={1})
        assert own[0].place == 1, "the person who asks is always there"
        places, played = days.board_of_server(connection, day, "probe", 70, most=3, departed={1, 3})
        assert ([(one.place, one.user_id) for one in places], played) == ([(1, 2), (2, 4), (3, 5)], 27)
        assert days.best_of_server(connection, day, "probe", 70, 3) == [1, 2, 3]
        assert days.best_of_server(connection, day, "probe", 71, 3) == [30]


def test_everybody_is_counted_however_many_have_played(engine: Engine) -> None:
    """The board looked at no more than a thousand, and said that so many had played."""
    day, count = "2027-01-15", 1200
    with engine.begin() as connection:
        game_id = add_game(connection)
        done = {"rank": 1, "score": 1.0, "margin": 1.0, "moves": 3, "ended_at": 9}
        key = {"day": day, "game": "probe", "game_id": game_id, "guild_id": 71}
        rows = [{"user_id": user_id, **key, **done} for user_id in range(1, count + 1)]
        connection.execute(insert(table_of(DailyResultRow)), rows)
        _, played = days.board(connection, day, "probe", here=70, asker=1, most=10)
    assert played == count


def test_a_streak_counts_days_in_a_row(engine: Engine) -> None:
    with engine.begin() as connection:
        for day in ("2027-01-10", "2027-01-12", "2027-01-13", "2027-01-14"):
            ended(connection, 1, day, DailyResult(2, 0.0, 0.0, 1))
        assert days.streak(connection, 1, "2027-01-14") == 3
        assert days.streak(connection, 1, "2027-01-15") == 3, "today is not over"
        assert days.streak(connection, 1, "2027-01-16") == 0
        assert days.streak(connection, 2, "2027-01-14") == 0


HOUR = 3_600_000


def served(connection: Connection, since: str, *outages: tuple[str, float, float]) -> None:
    """The bot has run since this day, hour by hour, but for these days from one hour to another."""
    at, end = days.begins_at(since), days.begins_at("2027-01-16")
    away = [(days.begins_at(day) + a * HOUR, days.begins_at(day) + b * HOUR) for day, a, b in outages]
    while at < end:
        if not any(a <= at < b for a, b in away):
            days.note_service(connection, at)
        at += HOUR


@pytest.mark.parametrize(
    ("outage", "length"),
    [
        (("2027-01-12", 0, 24), 3),
        (("2027-01-12", 0, 11), 1),
        (("2027-01-12", 6, 20), 3),
        (("2027-01-11", 20, 44), 3),
        (("2027-01-11", 20, 20), 1),
        (("2027-01-12", 22, 28), 3),
        (("2027-01-12", 22, 25), 1),
    ],
    ids=["a day", "a morning", "most of a day", "over midnight", "never", "grace", "an hour of grace"],
)
def test_a_day_without_service_breaks_no_streak(
    engine: Engine, outage: tuple[str, float, float], length: int
) -> None:
    with engine.begin() as connection:
        for day in ("2027-01-10", "2027-01-11", "2027-01-13"):
            ended(connection, 1, day, DailyResult(2, 0.0, 0.0, 1))
        served(connection, "2027-01-09", outage)
        assert days.streak(connection, 1, "2027-01-13") == length


def test_a_clock_that_was_wrong_for_a_while_breaks_nothing(engine: Engine) -> None:
    with engine.begin() as connection:
        for day in ("2027-01-10", "2027-01-11", "2027-01-12"):
            ended(connection, 1, day, DailyResult(2, 0.0, 0.0, 1))
        for at in ("2027-01-10", "2031-01-01", "2027-01-11", "1999-01-01", "2027-01-12"):
            days.note_service(connection, days.begins_at(at))
        assert days.streak(connection, 1, "2027-01-12") == 3


def test_days_to_come_that_a_wrong_clock_has_noted_are_forgotten(engine: Engine) -> None:
    with engine.begin() as connection:
        for at in ("2027-01-10", "2028-01-10", "2027-01-11", "2027-01-12"):
            days.note_service(connection, days.begins_at(at))
        for day in ("2027-02-10", "2027-02-12"):
            ended(connection, 1, day, DailyResult(2, 0.0, 0.0, 1))
        assert days.streak(connection, 1, "2027-02-12") == 1


def test_a_deal_begun_before_midnight_counts_for_some_hours_more(engine: Engine) -> None:
    with engine.begin() as connection:
        game_id = add_game(connection)
        days.begin(connection, "2027-01-15", "probe", user_id=1, game_id=game_id, guild_id=None)
        days.finish(connection, game_id, DailyResult(1, 1.0, 1.0, 1), days.counts_until("2027-01-15"))
        assert days.begun(connection, "2027-01-15", 1)["probe"].done is None
        days.finish(connection, game_id, DailyResult(1, 1.0, 1.0, 1), days.counts_until("2027-01-15") - 1)
        assert days.begun(connection, "2027-01-15", 1)["probe"].done == DailyResult(1, 1.0, 1.0, 1)
        days.finish(connection, game_id, DailyResult(2, 2.0, 2.0, 2), AT)
        assert days.begun(connection, "2027-01-15", 1)["probe"].done == DailyResult(1, 1.0, 1.0, 1)
