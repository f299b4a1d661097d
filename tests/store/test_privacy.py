"""What is kept of people: every column is declared, an export is theirs alone, a deletion leaves nothing."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import BigInteger, Column, Connection, Integer, Table, create_engine, func, insert, select

from bot.features.house_rules import rows as house_rules
from bot.features.house_rules.rows import HouseRules
from bot.features.tournaments.rows import StoredTournament, create
from bot.features.watching import rows as guesses
from bot.ops.integrity import damage, replay
from bot.store import achievements, days, ratings, totals
from bot.store.backend import migrate
from bot.store.database import Database
from bot.store.models import (
    Base,
    ClockRow,
    GameRow,
    NightAnswerRow,
    NightRow,
    RatingRow,
    ReviewRow,
    SeekerRow,
    SettingRow,
    TournamentRow,
    VoidRow,
    table_of,
)
from bot.store.models.column_privacy import COLUMNS, HeldColumn
from bot.store.people import put_player, put_setting
from bot.store.personal_data import personal
from bot.store.personal_data.begun_deletion import without_names
from bot.store.personal_data.forgetting import Deletion, forget
from bot.store.personal_data.owned_rows import of_person, of_seats, tables_with
from bot.store.personal_data.privacy import (
    FORMER,
    ONLY,
    faults,
    is_nobody,
    page,
    with_role,
)
from bot.store.personal_data.special_tables import without_code
from bot.store.terms import ConsentRequest, Knock, Terms, TournamentTerms, as_json, terms, tournament_terms
from tests.support.tables.results import add_game, finish, stored

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.sqlite.gz"))[-1]
ANN, BEN = 1_573_215_390_710_890_497, 1_573_215_390_710_890_498
TODAY = "2027-01-15"
HER = "Annika"
"""Her name; in the games of the corpus she is Ann."""
NOW = days.begins_at(TODAY) + 5


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database with open and finished games of Ann and Ben, and a tournament."""
    path = tmp_path / "history.db"
    path.write_bytes(gzip.decompress(CORPUS.read_bytes()))
    asyncio.run(migrate.upgrade(f"sqlite:///{path}"))
    return path


def work(file: Path, do: Callable[[Connection], Any]) -> Any:
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        found = do(connection)
    engine.dispose()
    return found


def house_rules_of(user: int, name: str, *, guild_id: int | None = 7, channel_id: int = 8) -> HouseRules:
    return HouseRules(
        guild_id=guild_id,
        channel_id=channel_id,
        game="probe",
        name=name,
        options={"rounds": 2},
        saved_by=user,
        saved_at=5,
    )


def belongings(connection: Connection) -> None:
    """Rows of Ann in every table that has some of a person, and of Ben beside them."""
    for user, name in ((ANN, HER), (BEN, "Ben")):
        put_setting(connection, "person", user, "lesson.probe", {"at": 3})
        finish(connection, (user, 7), (1, 2), at=5)
        rated = {"user_id": user, "guild_id": 0, "game": "probe", "mu": 26.0, "sigma": 8.0, "games": 1}
        connection.execute(insert(table_of(RatingRow)).values(rated))
        achievements.add(connection, user, "atom", 1, {"sweep": 1}, 5)
        guesses.keep(connection, 1, user, 0, 5)
        house_rules.add(connection, house_rules_of(user, f"Rules of {name}"))
        connection.execute(insert(table_of(SeekerRow)).values(guild_id=7, user_id=user, since=5))
    for host, guest, name in ((ANN, BEN, "Ben"), (BEN, ANN, HER)):
        plan_night(connection, host, guest, name)
    finish(connection, (ANN, BEN), (1, 2), at=9)
    for user, name in ((ANN, HER), (BEN, "Ben")):
        put_player(connection, user, name, {"large": True}, 9)
    connection.execute(insert(table_of(VoidRow)).values(kind="player", target=ANN, at=9))
    game = table_of(GameRow)
    seats = Base.metadata.tables["seats"]
    hers = select(seats.c.game_id, seats.c.seat).join(game, game.c.id == seats.c.game_id)
    over, seat = connection.execute(hers.where(seats.c.user_id == ANN, game.c.phase == "over")).all()[0]
    connection.execute(insert(table_of(ReviewRow)).values(game_id=over, seat=seat, data={"seat": seat}))
    live, seat = connection.execute(hers.where(seats.c.user_id == ANN, game.c.phase == "live")).all()[0]
    days.begin(connection, TODAY, "probe", user_id=ANN, game_id=live, guild_id=7)
    due = {"game_id": live, "kind": "pass", "seat": seat, "due_at": 90}
    connection.execute(insert(table_of(ClockRow)).values(due))
    agreed = Terms(
        autopass={ANN: 5, BEN: 6},
        quiet=(ANN, BEN),
        invited=(ANN, BEN),
        held=(ANN, BEN),
        guests=(ANN, BEN),
        knocks=(Knock(user=ANN, name=HER, entropy=5), Knock(user=BEN, name="Ben", entropy=6)),
        order=(ANN, 0),
        left={1: ANN},
        forfeit=ANN,
        asked=ConsentRequest(what="undo", by=BEN, seq=3, agreed=(ANN,)),
    )
    connection.execute(game.update().where(game.c.id == over).values(terms=as_json(agreed)))
    fill_other_tables(connection)


def fill_other_tables(connection: Connection) -> None:
    """Give both a row in each table with an owner that has none of hers, such as that of a new feature."""
    hers, his = rows_for_each_table(ANN), rows_for_each_table(BEN)
    for table in tables_with("owner"):
        mine = select(func.count()).select_from(table).where(of_person(table, ANN))
        if not connection.execute(mine).scalar():
            connection.execute(insert(table), [hers[table.name], his[table.name]])


def plan_night(connection: Connection, host: int, guest: int, name: str) -> None:
    """A night that one of them plans and to which the other comes."""
    night = {"phase": "planned", "game": "atom", "seats": 4, "starts_at": 90, "guild_id": 7, "channel_id": 70}
    night |= {"host_id": host, "locale": "en", "created_at": 5}
    made = connection.execute(insert(table_of(NightRow)).values(night)).inserted_primary_key
    assert made is not None
    answer = {"night_id": made[0], "user_id": guest, "name": name, "answer": "yes", "entropy": 3, "at": 6}
    connection.execute(insert(table_of(NightAnswerRow)).values(answer))


def close_one(connection: Connection) -> None:
    """One of the games that Ann plays is closed before its end."""
    game, seats = table_of(GameRow), Base.metadata.tables["seats"]
    hers = select(seats.c.game_id).where(seats.c.user_id == ANN)
    live = select(game.c.id).where(game.c.phase == "live", game.c.id.in_(hers)).order_by(game.c.id)
    first = connection.execute(live).scalars().first()
    connection.execute(game.update().where(game.c.id == first).values(phase="cancelled"))


def cells(file: Path) -> Iterator[tuple[str, str, object]]:
    """Every cell of every table."""
    with closing(sqlite3.connect(file)) as connection:
        for name in Base.metadata.tables:
            cursor = connection.execute(f"SELECT * FROM {name}")
            for row in cursor:
                for column, value in zip(cursor.description, row, strict=True):
                    yield name, column[0], value


def traces(file: Path, user_id: int, name: str) -> set[tuple[str, str]]:
    """The columns in which somebody's id or name stands."""
    names = [re.escape(each) for each in (name, name[:3])]
    known = re.compile(rf"{user_id}|(?<!\w)({'|'.join(names)})(?!\w)")
    return {(table, column) for table, column, value in cells(file) if known.search(str(value))}


def declared_tables() -> dict[str, list[str]]:
    return {table.name: [column.name for column in table.columns] for table in Base.metadata.sorted_tables}


def test_every_column_is_declared() -> None:
    """A new column must say whether it is about a person, and what becomes of it."""
    assert list(faults(declared_tables())) == []


STAMPS = {
    "user_id": HeldColumn(True, "own part", "removed", "whose album", "owner"),
    "number": HeldColumn(True, "given", "removed", "how many stamps"),
}


@pytest.fixture
def stamps() -> Iterator[Table]:
    """A table that somebody has added."""
    table = Table(
        "stamps",
        Base.metadata,
        Column("user_id", BigInteger, primary_key=True, autoincrement=False),
        Column("number", Integer),
    )
    yield table
    Base.metadata.remove(table)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"user_id": STAMPS["user_id"]},
        STAMPS | {"user_id": HeldColumn(False, "not", "kept", "a number")},
        STAMPS | {"user_id": HeldColumn(True, "given", "removed", "whose album")},
        STAMPS | {"user_id": HeldColumn(True, "own part", "kept", "whose album", "owner")},
        STAMPS | {"number": HeldColumn(True, "not", "removed", "how many stamps")},
        STAMPS | {"number": HeldColumn(True, "given", "replaced", "how many stamps")},
        STAMPS | {"number": HeldColumn(False, "given", "removed", "how many stamps")},
    ],
)
def test_a_new_table_that_is_declared_badly_is_found(stamps: Table, wrong: dict[str, HeldColumn]) -> None:
    found = list(faults(declared_tables(), COLUMNS | {"stamps": wrong}))
    assert found
    assert all(fault.startswith("stamps") for fault in found)
    assert list(faults(declared_tables(), COLUMNS | {"stamps": STAMPS})) == []


def test_no_one_is_half_deleted_without_the_code_of_a_removed_feature(
    stamps: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty table of a removed feature hinders no deletion."""
    assert without_code() == []
    by_hand = HeldColumn(True, "own part", "removed", "whose album", "by hand")
    monkeypatch.setitem(COLUMNS, "stamps", STAMPS | {"user_id": by_hand})
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        Base.metadata.create_all(connection)
        forget(connection, ANN, NOW)
        connection.execute(insert(stamps), [{"user_id": ANN, "number": 3}])
        with pytest.raises(LookupError, match="stamps"):
            Deletion(ANN, NOW).begin(connection)
    engine.dispose()


def test_declaring_a_new_table_is_enough(stamps: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is counted, exported and deleted without another line."""
    monkeypatch.setitem(COLUMNS, "stamps", STAMPS)
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        Base.metadata.create_all(connection)
        connection.execute(insert(stamps), [{"user_id": user, "number": 3} for user in (ANN, BEN)])
        assert personal.kept(connection, ANN, NOW).other == 1
        assert personal.everything(connection, ANN, NOW)["stamps"] == [{"number": 3}]
        forget(connection, ANN, NOW)
        assert connection.execute(select(stamps.c.user_id)).scalars().all() == [BEN]
    engine.dispose()


def test_the_belongings_of_these_tests_are_in_every_table_with_an_owner(file: Path) -> None:
    """So what is said of Ann below is said of every table."""
    work(file, belongings)
    for table in tables_with("owner"):
        mine = select(func.count()).select_from(table).where(of_person(table, ANN))
        assert work(file, lambda c, mine=mine: c.execute(mine).scalar()), table.name
    for table in tables_with("seat"):
        theirs = select(func.count()).select_from(table).where(of_seats(table, ANN))
        assert work(file, lambda c, theirs=theirs: c.execute(theirs).scalar()), table.name


def test_the_page_for_people_shows_every_column() -> None:
    text = (Path(__file__).parents[2] / "PRIVACY.md").read_text("utf-8")
    shown = text.partition("<!-- columns -->\n")[2].partition("\n<!-- /columns -->")[0]
    assert shown.splitlines() == list(page()), "run python tools/privacy_page.py"


def test_ids_and_names_stand_only_where_that_is_declared(file: Path) -> None:
    work(file, belongings)
    found = traces(file, ANN, HER)
    assert found
    for table, column in found:
        assert COLUMNS[table][column].done in ("removed", "replaced"), (table, column)


def test_nothing_of_a_person_is_left(file: Path) -> None:
    """Neither in a cell nor in the bytes of the file; and everybody else's rows stay."""
    work(file, belongings)
    before = traces(file, BEN, "Ben")
    gone = work(file, lambda c: forget(c, ANN, NOW))
    assert is_nobody(gone.nobody)
    assert traces(file, ANN, HER) == set()
    assert traces(file, BEN, "Ben") == before
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert str(ANN).encode() not in file.read_bytes()
    assert ANN.to_bytes(8, "big") not in file.read_bytes()
    # the whole history is one nobody's
    assert (gone.nobody, FORMER) in [
        tuple(row) for row in work(file, lambda c: c.exec_driver_sql("SELECT user_id, name FROM seats").all())
    ]
    users = {value for _, column, value in cells(file) if column == "user_id"}
    nobodies = {user for user in users if isinstance(user, int) and is_nobody(user)}
    assert nobodies == {gone.nobody}


def rows_of(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table, in one order whatever the database."""
    return {
        table.name: sorted((dict(row) for row in connection.execute(select(table)).mappings()), key=str)
        for table in Base.metadata.sorted_tables
    }


def put_rows(connection: Connection, rows: dict[str, list[dict[str, Any]]]) -> None:
    """Have these rows and no others."""
    for table in reversed(Base.metadata.sorted_tables):
        connection.execute(table.delete())
    for table in Base.metadata.sorted_tables:
        if rows[table.name]:
            connection.execute(insert(table), rows[table.name])


async def test_every_database_forgets_alike(file: Path, database: Database) -> None:
    """SQLite and PostgreSQL keep the same rows, but for the number that is nobody's."""

    def nameless(rows: dict[str, list[dict[str, Any]]], nobody: int) -> str:
        assert str(ANN) not in str(rows)
        assert not re.search(rf"\b(Ann|{HER})\b", str(rows))
        drawn = re.compile(rf"{nobody}|[0-9a-f]{{64}}")  # the number, and the key and its digests
        return str({name: sorted(drawn.sub("drawn", str(row)) for row in rows[name]) for name in rows})

    def moved(connection: Connection) -> tuple[int, dict[str, list[dict[str, Any]]]]:
        return forget(connection, ANN, NOW).nobody, rows_of(connection)

    await asyncio.to_thread(work, file, belongings)
    before = await asyncio.to_thread(work, file, rows_of)
    await database.write_at_once(lambda c: put_rows(c, before))
    here, left = await database.write_at_once(moved)
    there, right = await asyncio.to_thread(work, file, moved)
    assert nameless(left, here) == nameless(right, there)


def test_games_and_proofs_hold_afterwards(file: Path) -> None:
    before = replay(file)
    gone = work(file, lambda c: forget(c, ANN, NOW))
    assert gone.changed["games"]
    assert damage(file, thorough=True) == []
    assert replay(file) == before


def test_the_others_totals_stay_and_agree(file: Path) -> None:
    work(file, belongings)
    before = work(file, stored)
    gone = work(file, lambda c: forget(c, ANN, NOW))
    after = work(file, stored)
    assert after == {key: total for key, total in before.items() if key[0] != ANN}
    work(file, totals.recount)
    again = work(file, stored)
    assert not any(is_nobody(user) for user, _, _ in again)
    assert {key: again[key] for key in after if key[0] == BEN} == {
        key: total for key, total in after.items() if key[0] == BEN
    }
    # a game that goes on without somebody deleted ends without a total or a rating of theirs
    work(file, lambda c: finish(c, (gone.nobody, BEN), (2, 1), at=99))
    boards = "SELECT DISTINCT user_id FROM board_ratings"
    rated = work(file, lambda c: c.exec_driver_sql(boards).scalars().all())
    assert BEN in rated
    assert not any(map(is_nobody, rated))
    assert not any(is_nobody(user) for user, _, _ in work(file, stored))


@pytest.mark.parametrize("void", [False, True])
def test_the_others_ratings_stay_and_can_be_made_anew(file: Path, void: bool) -> None:
    """Who was deleted still moves the others, and what counted for nothing does not count then."""

    def play(connection: Connection) -> None:
        for at, (people, ranks) in enumerate(
            [((ANN, BEN), (1, 2)), ((BEN, ANN, 7), (2, 1, 3)), ((7, BEN), (1, 2)), ((ANN, 7), (1, 1))]
        ):
            finish(connection, people, ranks, at=at)
        if void:
            ratings.void(connection, "player", ANN, 50)

    work(file, play)
    before = work(file, rows_of)
    gone = work(file, lambda c: forget(c, ANN, NOW))
    assert work(file, ratings.differences) == 0
    after = work(file, rows_of)
    assert after["board_ratings"] == [row for row in before["board_ratings"] if row["user_id"] != ANN]
    assert {row["target"] for row in after["voids"]} == ({gone.nobody} if void else set())
    met = {row["user_id"]: row["games"] for row in after["rivals"] if row["other_id"] == gone.nobody}
    assert met == {row["user_id"]: row["games"] for row in before["rivals"] if row["other_id"] == ANN}
    assert void or {BEN, 7} <= set(met)
    work(file, ratings.rebuild)
    assert work(file, rows_of) == after


def test_terms_keep_the_place_and_lose_the_wishes(file: Path) -> None:
    work(file, belongings)
    gone = work(file, lambda c: forget(c, ANN, NOW))
    game = table_of(GameRow)
    found = [
        terms(row)
        for row in work(file, lambda c: c.execute(select(game.c.terms)).scalars().all())
        if row.get("forfeit")
    ]
    assert found == [
        Terms(
            autopass={BEN: 6},
            quiet=(BEN,),
            invited=(gone.nobody, BEN),
            held=(BEN,),
            guests=(BEN,),
            knocks=(Knock(user=BEN, name="Ben", entropy=6),),
            order=(gone.nobody, 0),
            left={1: gone.nobody},
            forfeit=gone.nobody,
        )
    ]


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("Annika's cup", "Former player's cup"),
        ("ANNIKA and Annikas", "Former player and Annikas"),
        ("Autumn cup", "Autumn cup"),
        ("The Ann cup", "The Ann cup"),
    ],
)
def test_a_tournament_named_after_somebody(name: str, after: str) -> None:
    assert without_names(name, {"Annika", "Ann"}) == after


def test_an_export_names_nobody_else_and_no_secret(file: Path) -> None:
    work(file, belongings)
    work(file, close_one)
    found = work(file, lambda c: personal.everything(c, ANN, NOW))
    text = msgspec.json.encode(found).decode()
    assert str(BEN) not in text
    assert "Ben" not in text
    seeds = {value for table, column, value in cells(file) if (table, column) == ("games", "seed")}
    assert not any(bytes(seed).hex() in text for seed in seeds if isinstance(seed, bytes))
    assert "seed" not in found["games"][0]
    for table, rows in found.items():
        given = {name for name, held in COLUMNS[table].items() if held.given == "given"}
        assert rows or table == "kept_limits", table
        assert all(given <= set(row) for row in rows), table
    open_now = {row["id"] for row in found["games"] if row["phase"] in ("lobby", "live")}
    assert open_now
    assert not open_now & {row["game_id"] for row in found["entries"]}
    json.loads(text)


def test_numbers_say_how_much_there_is(file: Path) -> None:
    work(file, belongings)
    found = work(file, lambda c: personal.kept(c, ANN, NOW))
    rows = work(file, lambda c: personal.everything(c, ANN, NOW))
    assert found.settings == len(rows["settings"]) + 1 == 2, "a lesson, and what was chosen"
    assert found.results == len(rows["results"])
    assert found.reviews == len(rows["reviews"])
    assert found.open >= 1
    work(file, lambda c: forget(c, ANN, NOW))
    left = work(file, lambda c: personal.kept(c, ANN, NOW))
    assert not left.some
    assert left.limits == 2, "the deal of today, and that her games do not count"


def rows_for_each_table(user: int) -> dict[str, dict[str, Any]]:
    """A row about somebody in each table that has a column for whose it is."""
    return {
        table.name: filled(
            table,
            dict.fromkeys(with_role(COLUMNS[table.name], "owner"), user)
            | dict([ONLY.get(table.name, ("", ""))]),
        )
        for table in tables_with("owner")
    }


def filled(table: Any, own: dict[str, Any]) -> dict[str, Any]:
    """A row with something in every column."""
    simple = {int: 1, float: 1.0, str: "x", bytes: b"x", bool: True}
    row = {column.name: simple.get(column.type.python_type, {}) for column in table.columns} | own
    return {name: value for name, value in row.items() if name in table.columns}


@pytest.mark.parametrize("name", rows_for_each_table(ANN))
def test_whoever_has_a_row_is_not_told_that_there_is_none(name: str) -> None:
    """Whom somebody guessed to win, that they want to be called, a night they planned: all is counted."""
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        Base.metadata.create_all(connection)
        of_ben = {"seats": table_of(GameRow), "entrants": table_of(TournamentRow)}
        if name in of_ben:
            connection.execute(insert(of_ben[name]).values(filled(of_ben[name], {"host_id": BEN})))
        assert not personal.kept(connection, ANN, NOW).some
        connection.execute(insert(Base.metadata.tables[name]).values(rows_for_each_table(ANN)[name]))
        assert personal.kept(connection, ANN, NOW).some
    engine.dispose()


def test_somebody_unknown_is_forgotten_too(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'empty.db'}")
    with engine.begin() as connection:
        Base.metadata.create_all(connection)
        put_setting(connection, "channel", 5, "pictures", {"large": True})
        assert not forget(connection, 5, NOW).changed
        settings = table_of(SettingRow)
        # the number of a channel is no person
        assert connection.execute(select(settings.c.scope_id)).scalars().all() == [5]
    engine.dispose()


def test_a_channel_keeps_the_house_rules_of_whoever_is_deleted(file: Path) -> None:
    """Without their name, also at the tables that play by them; those in direct messages go."""
    work(file, belongings)

    def arranged(connection: Connection) -> int:
        house_rules.add(connection, house_rules_of(ANN, "Alone", guild_id=None, channel_id=9))
        house_rules.add(connection, house_rules_of(BEN, f"Rules of {FORMER}"))
        games, game_id = table_of(GameRow), add_game(connection)
        values = {"terms": as_json(Terms(house_rules=f"Rules of {HER}"))}
        connection.execute(games.update().where(games.c.id == game_id).values(values))
        return game_id

    game_id = work(file, arranged)
    work(file, lambda c: forget(c, ANN, NOW))
    kept = {each.name: each for each in work(file, lambda c: house_rules.of_channel(c, 8))}
    assert set(kept) == {"Rules of Ben", f"Rules of {FORMER}", f"Rules of {FORMER} 2"}
    assert is_nobody(kept[f"Rules of {FORMER} 2"].saved_by)
    assert kept["Rules of Ben"].saved_by == BEN
    assert work(file, lambda c: house_rules.of_channel(c, 9)) == []
    query = select(table_of(GameRow).c.terms).where(table_of(GameRow).c.id == game_id)
    agreed = terms(work(file, lambda c: c.execute(query).scalar_one()))
    assert agreed.house_rules == f"Rules of {FORMER} 2"


def test_what_was_played_by_house_rules_that_are_gone_names_nobody(file: Path) -> None:
    """Those of direct messages go, and others were removed or renamed before: their names were copied."""
    game, night, cup = table_of(GameRow), table_of(NightRow), table_of(TournamentRow)

    def arranged(connection: Connection) -> None:
        finish(connection, (ANN, BEN), (1, 2), at=5)
        alone, before = add_game(connection, guild_id=None), add_game(connection)
        for game_id, name in ((alone, f"{HER}'s Friday"), (before, f"{HER}'s Sunday")):
            values = {"host_id": ANN, "terms": as_json(Terms(house_rules=name))}
            connection.execute(game.update().where(game.c.id == game_id).values(values))
        house_rules.add(connection, house_rules_of(ANN, f"{HER}'s Friday", guild_id=None))
        plan_night(connection, ANN, BEN, "Ben")
        plan_night(connection, ANN, BEN, "Ben")
        second = select(night.c.id).where(night.c.host_id == ANN).order_by(night.c.id.desc()).limit(1)
        rules = {"name": f"{HER}'s Sunday", "options": {"rounds": 2}}
        connection.execute(night.update().where(night.c.id.in_(second)).values(rules=rules))
        agreed = TournamentTerms(house_rules=f"{HER}'s Sunday")
        connection.execute(cup.update().values(terms=as_json(agreed), host_id=ANN))
        put_player(connection, ANN, HER, {}, 5)

    work(file, arranged)
    assert {"games", "nights", "tournaments"} <= {table for table, _ in traces(file, ANN, HER)}
    work(file, lambda c: forget(c, ANN, NOW))
    assert traces(file, ANN, HER) == set()
    assert {"name": f"{FORMER}'s Sunday", "options": {"rounds": 2}} in work(
        file, lambda c: c.execute(select(night.c.rules)).scalars().all()
    )


def test_evenings_and_tournaments_by_such_house_rules_name_nobody(file: Path) -> None:
    """Also where somebody else runs them, and whoever is deleted takes no part."""
    work(file, belongings)
    tournaments, nights = table_of(TournamentRow), table_of(NightRow)
    tournament = StoredTournament(
        name="Cup",
        game="duel52",
        options={},
        terms=TournamentTerms(clock=60, house_rules=f"Rules of {HER}"),
        guild_id=7,
        channel_id=70,
        host_id=BEN,
        created_at=5,
    )

    def arranged(connection: Connection) -> int:
        rules = {"name": f"Rules of {HER}", "options": {"rounds": 2}}
        connection.execute(nights.update().where(nights.c.host_id == BEN).values(rules=rules))
        return create(connection, tournament)

    made = work(file, arranged)
    gone = work(file, lambda c: forget(c, ANN, NOW))
    assert traces(file, ANN, HER) == set()
    assert made in gone.changed["tournaments"], "whoever has it in memory reads it again"
    agreed = work(
        file, lambda c: c.execute(select(tournaments.c.terms).where(tournaments.c.id == made)).scalar_one()
    )
    assert tournament_terms(agreed) == TournamentTerms(clock=60, house_rules=f"Rules of {FORMER}")
    planned = select(nights.c.rules).where(nights.c.host_id == BEN)
    rules = work(file, lambda c: c.execute(planned).scalar_one())
    assert rules == {"name": f"Rules of {FORMER}", "options": {"rounds": 2}}
