"""Limits outlive a deletion, name nobody, and end when their time is over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection, create_engine, select

from bot.features.daily.personal_data import PLAYED, limit_subject
from bot.store import days, ratings
from bot.store.days import DAY_MS
from bot.store.models import Base, BoardRatingRow, KeptLimitRow, RivalRow, VoidRow, table_of
from bot.store.personal_data import kept_limits, personal
from bot.store.personal_data.forgetting import forget
from bot.store.personal_data.kept_limits import HOLIDAY, MET, VOID
from bot.store.prefs import Prefs, prefs_of, put_prefs
from bot.store.rating_model import HALF_LIFE_MS, LONGEST_HEAT_MS, Rival, heat_expires_at, points
from tests.support.tables.results import add_game, finish

ANN, BEN, CLEO = 1_573_215_390_710_890_497, 1_573_215_390_710_890_498, 1_573_215_390_710_890_499
DAY = "2027-03-05"
NOW = days.begins_at(DAY) + 7
LIMITS, BOARDS, VOIDS = table_of(KeptLimitRow), table_of(BoardRatingRow), table_of(VoidRow)


@pytest.fixture
def connection() -> Iterator[Connection]:
    engine = create_engine("sqlite://")
    with engine.begin() as opened:
        Base.metadata.create_all(opened)
        yield opened
    engine.dispose()


def is_played(connection: Connection, at: int) -> bool:
    return kept_limits.find(connection, PLAYED, limit_subject(DAY, "probe"), ANN, at=at) is not None


def play_daily(connection: Connection, day: str = DAY) -> None:
    game_id = add_game(connection, guild_id=None)
    days.begin(connection, day, "probe", user_id=ANN, game_id=game_id, guild_id=None)


def test_a_deal_of_the_day_stays_played_until_the_day_is_over(connection: Connection) -> None:
    play_daily(connection)
    play_daily(connection, days.shifted(DAY, -1))
    forget(connection, ANN, NOW)
    assert days.begun(connection, DAY, ANN) == {}
    assert is_played(connection, NOW)
    tomorrow = days.begins_at(days.shifted(DAY, 1))
    assert is_played(connection, tomorrow - 1)
    assert not is_played(connection, tomorrow)
    assert len(connection.execute(select(LIMITS)).all()) == 1, "yesterday limits nothing"
    # not lifted by another deletion, nor by being back in between
    put_prefs(connection, ANN, "Annika", Prefs(), NOW)
    forget(connection, ANN, NOW + 1)
    assert is_played(connection, NOW + 2)
    assert kept_limits.drop_over(connection, tomorrow - 1, 10) == 0
    assert kept_limits.drop_over(connection, tomorrow, 10) == 1
    assert connection.execute(select(LIMITS)).all() == []


def test_holidays_stay_spent_until_the_year_is_over(connection: Connection) -> None:
    put_prefs(connection, ANN, "Annika", Prefs(holiday_days=(2027, 27), large=True), NOW)
    forget(connection, ANN, NOW)
    assert prefs_of(connection, ANN) == Prefs(holiday_days=(2027, 27))
    # who is back and deletes once more has them spent as well
    put_prefs(connection, ANN, "Annika", replace(prefs_of(connection, ANN), still=True), NOW)
    forget(connection, ANN, NOW)
    assert prefs_of(connection, ANN).holiday_days == (2027, 27)
    assert prefs_of(connection, BEN) == Prefs()
    end = days.begins_at("2028-01-01")
    assert kept_limits.drop_over(connection, end - 1, 10) == 0
    assert kept_limits.drop_over(connection, end, 10) == 1
    assert prefs_of(connection, ANN) == Prefs()


def test_holidays_of_an_earlier_year_are_not_kept(connection: Connection) -> None:
    put_prefs(connection, ANN, "Annika", Prefs(holiday_days=(2026, 27)), NOW)
    forget(connection, ANN, NOW)
    assert connection.execute(select(LIMITS)).all() == []


def rated(connection: Connection) -> set[int]:
    return set(connection.execute(select(BOARDS.c.user_id)).scalars())


def test_a_ban_holds_for_whoever_comes_back(connection: Connection) -> None:
    finish(connection, (ANN, BEN), (1, 2), at=1)
    ratings.void(connection, "player", ANN, 2)
    gone = forget(connection, ANN, NOW)
    finish(connection, (BEN, CLEO), (1, 2), at=2)
    for at in (3, 4):
        finish(connection, (ANN, BEN), (1, 2), at=at)
        assert rated(connection) == {BEN, CLEO}
        assert ratings.differences(connection) == 0
        targets = set(connection.execute(select(VOIDS.c.target)).scalars())
        assert targets == {gone.nobody, ANN}, "those of before, and those to come"
        # as the row says it again, the digest is gone
        assert kept_limits.find(connection, VOID, "", ANN, at=NOW) is None
    forget(connection, ANN, NOW)
    assert kept_limits.drop_over(connection, NOW * 100, 10) == 0, "it holds for good"
    finish(connection, (ANN, BEN), (1, 2), at=5)
    assert rated(connection) == {BEN, CLEO}


def test_an_operator_can_end_a_ban_of_somebody_deleted(connection: Connection) -> None:
    ratings.void(connection, "player", ANN, 2)
    forget(connection, ANN, NOW)
    assert ratings.unvoid(connection, "player", ANN)
    assert not ratings.unvoid(connection, "player", ANN)
    finish(connection, (ANN, BEN), (1, 2), at=3)
    assert rated(connection) == {ANN, BEN}


def win(connection: Connection, games: int, *, deletes: int, loser: int = ANN, winner: int = BEN) -> int:
    """The rating of a winner after so many games against a loser, who deletes themselves after every few."""
    for at in range(games):
        finish(connection, (winner, loser), (1, 2), at=NOW + at)
        if deletes and at % deletes == deletes - 1:
            forget(connection, loser, NOW + at)
    assert ratings.differences(connection) == 0
    mine = select(BOARDS.c.mu).where(BOARDS.c.user_id == winner, BOARDS.c.guild_id == 0, BOARDS.c.season == 0)
    return points(connection.execute(mine).scalar_one())


@pytest.mark.long
@pytest.mark.repeats
@pytest.mark.parametrize("deletes", [1, 2, 5])
def test_who_deletes_themselves_cannot_be_farmed(connection: Connection, deletes: int) -> None:
    assert win(connection, 60, deletes=deletes) <= 1760
    before = set(connection.execute(select(BOARDS)).all())
    ratings.rebuild(connection)
    assert set(connection.execute(select(BOARDS)).all()) == before


def test_without_deletions_the_same_games_bring_about_as_much(connection: Connection) -> None:
    """So the bound above is one."""
    assert 1700 <= win(connection, 60, deletes=0) <= 1760


def heat(connection: Connection, one: int, other: int) -> float:
    rivals = table_of(RivalRow)
    mine = select(rivals.c.heat).where(rivals.c.user_id == one, rivals.c.other_id == other)
    return float(connection.execute(mine).scalar() or 0)


def test_how_often_two_have_met_is_kept_whoever_of_them_deletes(connection: Connection) -> None:
    for at in range(4):
        finish(connection, (ANN, BEN), (1, 2), at=NOW + at)
    forget(connection, BEN, NOW + 9)
    forget(connection, ANN, NOW + 9)
    finish(connection, (BEN, CLEO), (1, 2), at=NOW + 10)
    finish(connection, (CLEO, ANN, BEN), (1, 2, 3), at=NOW + 11)
    assert heat(connection, ANN, BEN) == heat(connection, BEN, ANN) == pytest.approx(5)
    assert heat(connection, ANN, CLEO) == pytest.approx(1)
    assert ratings.differences(connection) == 0
    # a game that is voided later takes nothing of what was before it along
    voided = finish(connection, (ANN, BEN), (1, 2), at=NOW + 12)
    ratings.void(connection, "game", voided, NOW)
    assert heat(connection, ANN, BEN) == pytest.approx(5)


def test_a_voided_game_keeps_what_was_before_it(connection: Connection) -> None:
    finish(connection, (ANN, BEN), (1, 2), at=NOW)
    forget(connection, ANN, NOW + 1)
    first = finish(connection, (ANN, BEN), (1, 2), at=NOW + 2)
    finish(connection, (ANN, BEN), (1, 2), at=NOW + 3)
    ratings.void(connection, "game", first, NOW)
    assert heat(connection, ANN, BEN) == pytest.approx(2)


def test_games_of_a_pair_count_until_they_have_cooled_and_no_longer_than_a_year(
    connection: Connection,
) -> None:
    assert heat_expires_at(Rival(heat=0.2, heat_at=5)) == 5 + HALF_LIFE_MS
    assert heat_expires_at(Rival(heat=50.0, heat_at=5)) == 5 + LONGEST_HEAT_MS == 5 + 365 * DAY_MS
    finish(connection, (ANN, BEN), (1, 2), at=NOW)
    forget(connection, ANN, NOW + 1)
    (row,) = connection.execute(select(LIMITS)).all()
    assert (row.kind, row.until) == (MET, NOW + LONGEST_HEAT_MS)
    finish(connection, (ANN, BEN), (1, 2), at=row.until)
    assert heat(connection, ANN, BEN) == 1
    assert kept_limits.drop_over(connection, row.until, 10) == 1


def test_one_who_is_deleted_long_after_their_games_leaves_no_limit(connection: Connection) -> None:
    finish(connection, (ANN, BEN), (1, 2), at=NOW)
    forget(connection, ANN, NOW + LONGEST_HEAT_MS)
    assert connection.execute(select(LIMITS)).all() == []


def limits_of_everybody(connection: Connection) -> list[dict[str, object]]:
    play_daily(connection)
    put_prefs(connection, ANN, "Annika", Prefs(holiday_days=(2027, 27)), NOW)
    ratings.void(connection, "player", ANN, 2)
    finish(connection, (BEN, CLEO), (1, 2), at=NOW)
    for who in (ANN, BEN):
        forget(connection, who, NOW + 1)
    return [dict(row) for row in connection.execute(select(LIMITS)).mappings()]


def test_a_limit_leads_to_nobody(connection: Connection) -> None:
    rows = limits_of_everybody(connection)
    assert sorted(str(row["kind"]) for row in rows) == [PLAYED, HOLIDAY, MET, VOID]
    digests = {str(row["digest"]) for row in rows}
    assert len(digests) == 4, "two of one person have nothing in common"
    told = str(rows)
    for who in (ANN, BEN, CLEO, "Annika"):
        assert str(who) not in told
    # nor does another table hold a digest
    for table in Base.metadata.sorted_tables:
        if table is not LIMITS:
            held = str(connection.execute(select(table)).all())
            assert not any(digest in held for digest in digests)


def test_each_installation_has_digests_of_its_own(connection: Connection) -> None:
    rows = limits_of_everybody(connection)
    engine = create_engine("sqlite://")
    with engine.begin() as other:
        Base.metadata.create_all(other)
        others = limits_of_everybody(other)
    engine.dispose()
    assert {str(row["digest"]) for row in rows}.isdisjoint(str(row["digest"]) for row in others)


def test_an_export_says_which_limits_are_kept(connection: Connection) -> None:
    limits_of_everybody(connection)
    found = personal.everything(connection, ANN, NOW)["kept_limits"]
    assert [(row["kind"], row["subject"]) for row in found] == [
        (PLAYED, f"{DAY}/probe"),
        (HOLIDAY, ""),
        (VOID, ""),
    ]
    assert personal.kept(connection, ANN, NOW).limits == 3
    assert not personal.kept(connection, ANN, NOW).some, "nothing of it can be deleted"
    assert personal.everything(connection, CLEO, NOW)["kept_limits"] == []
