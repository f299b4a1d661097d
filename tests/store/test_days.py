"""The deals of days in the database: drawn before their day, one game each, boards and streaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, insert
from sqlalchemy.engine import Engine

from bot.store import days
from bot.store.days import Done
from bot.store.models import Base, PlayerRow, table_of
from tests.support.results import add_game

AT = days.begins_at("2027-01-15") + 5


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    made = create_engine(f"sqlite:///{tmp_path}/days.db")
    Base.metadata.create_all(made)
    return made


def ended(connection: Connection, user_id: int, day: str, done: Done, guild_id: int = 70) -> None:
    game_id = add_game(connection)
    days.begin(connection, day, "probe", user_id=user_id, game_id=game_id, guild_id=guild_id)
    days.finish(connection, game_id, done, days.begins_at(day) + 9)


def test_a_commitment_is_older_than_its_day(engine: Engine) -> None:
    with engine.begin() as connection:
        days.draw(connection, ["probe", "atom"], AT)
        assert days.commitments(connection, "2027-01-15") == {}, "never on the day itself"
        assert days.deal_of(connection, "2027-01-15", "probe") is None
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
        ended(connection, 1, day, Done(2, 90.0, -1.0, 3))
        ended(connection, 2, day, Done(1, 10.0, 4.0, 9))
        ended(connection, 3, day, Done(1, 10.0, 4.0, 8))
        ended(connection, 4, day, Done(1, 10.0, 4.0, 8))
        ended(connection, 5, day, Done(1, 10.0, 9.0, 8), guild_id=71)
        ended(connection, 6, day, Done(1, 10.0, 8.0, 8), guild_id=71)
        places, played = days.board(connection, day, "probe", here=70, asker=9, most=10)
        assert [(one.place, one.user_id) for one in places] == [(1, 6), (2, 3), (2, 4), (4, 2), (5, 1)]
        assert played == 6
        assert "n5" not in {one.name for one in places}, "nobody has met them here"
        own, _ = days.board(connection, day, "probe", here=70, asker=5, most=10)
        assert own[0].user_id == 5, "who asks is always there"


def test_a_streak_counts_days_in_a_row(engine: Engine) -> None:
    with engine.begin() as connection:
        for day in ("2027-01-10", "2027-01-12", "2027-01-13", "2027-01-14"):
            ended(connection, 1, day, Done(2, 0.0, 0.0, 1))
        assert days.streak(connection, 1, "2027-01-14") == 3
        assert days.streak(connection, 1, "2027-01-15") == 3, "today is not over"
        assert days.streak(connection, 1, "2027-01-16") == 0
        assert days.streak(connection, 2, "2027-01-14") == 0


def test_what_ends_after_its_day_does_not_count(engine: Engine) -> None:
    with engine.begin() as connection:
        game_id = add_game(connection)
        days.begin(connection, "2027-01-15", "probe", user_id=1, game_id=game_id, guild_id=None)
        days.finish(connection, game_id, Done(1, 1.0, 1.0, 1), days.begins_at("2027-01-16"))
        assert days.begun(connection, "2027-01-15", 1)["probe"].done is None
        days.finish(connection, game_id, Done(1, 1.0, 1.0, 1), days.begins_at("2027-01-16") - 1)
        assert days.begun(connection, "2027-01-15", 1)["probe"].done == Done(1, 1.0, 1.0, 1)
        days.finish(connection, game_id, Done(2, 2.0, 2.0, 2), AT)
        assert days.begun(connection, "2027-01-15", 1)["probe"].done == Done(1, 1.0, 1.0, 1)
