"""What lists of open games say of each."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from msgspec.structs import asdict
from sqlalchemy import Connection, create_engine, insert, select, update

from bot.store import games as store
from bot.store import queries
from bot.store.database import Database
from bot.store.games import UNDO, Change, Entry, Sitter
from bot.store.models import Base, EntryRow, GameRow, SeatRow, table_of
from bot.store.terms import Terms, as_json
from bot.table.journal import LEFT_OUT, standing
from tests.support.tables.results import add_game

pytestmark = pytest.mark.repeats


def journal(rng: random.Random, length: int) -> list[Entry]:
    """Acts, people who come to a seat, and undos, some of which take back what lies before others."""
    entries = list[Entry]()
    for _ in range(length):
        seq = entries[-1].seq + 1 if entries else 1
        kind = rng.choice(("act", "act", "act", "timeout", "seat", UNDO))
        if kind == UNDO and entries:
            entries.append(Entry(seq + LEFT_OUT, UNDO, 0, [rng.randint(1, seq)], 0))
        else:
            entries.append(Entry(seq, "act" if kind == UNDO else kind, 0, ["bid"], 0))
    return entries


def put(connection: Connection, game_id: int, entries: list[Entry]) -> None:
    rows = [{"game_id": game_id, **asdict(entry)} for entry in entries]
    connection.execute(insert(table_of(EntryRow)), rows)


@pytest.mark.parametrize("seed", range(20))
def test_a_list_counts_the_moves_that_a_replay_would(tmp_path: Path, seed: int) -> None:
    made = create_engine(f"sqlite:///{tmp_path}/lists.db")
    Base.metadata.create_all(made)
    rng = random.Random(seed)
    with made.begin() as connection:
        kept = {add_game(connection, phase="live"): journal(rng, 30) for _ in range(3)}
        for game_id, entries in kept.items():
            put(connection, game_id, entries)
        lines, total = queries.listed(connection, 10, guild_id=70, user_id=1)
    assert total == 3
    assert {line.id: line.acts for line in lines} == {
        game_id: len(standing(entries)) for game_id, entries in kept.items()
    }


def test_a_broken_undo_hides_no_list(tmp_path: Path) -> None:
    made = create_engine(f"sqlite:///{tmp_path}/lists.db")
    Base.metadata.create_all(made)
    with made.begin() as connection:
        game_id = add_game(connection, phase="live")
        put(connection, game_id, [Entry(1, "act", 0, ["bid"], 0), Entry(3, UNDO, 0, ["bid"], 0)])
        lines, _ = queries.listed(connection, 10, guild_id=70, user_id=1)
    assert [line.id for line in lines] == [game_id]


def test_practice_is_listed_for_its_owner_alone_and_steers_no_look_up(tmp_path: Path) -> None:
    made = create_engine(f"sqlite:///{tmp_path}/lists.db")
    Base.metadata.create_all(made)
    games, seats = table_of(GameRow), table_of(SeatRow)
    with made.begin() as connection:
        ordinary = add_game(connection, "atom", phase="live")
        practice = add_game(connection, "probe", phase="live")
        seat = {"name": "Ann", "user_id": 1, "level": None, "entropy": 1, "seat": 0}
        connection.execute(insert(seats), [{"game_id": each, **seat} for each in (ordinary, practice)])
        named = Terms(house_rules='"practice":1')  # what people type is no key
        for game_id, agreed in ((ordinary, named), (practice, Terms(practice=ordinary))):
            connection.execute(update(games).where(games.c.id == game_id).values(terms=as_json(agreed)))

        def listed(user_id: int) -> list[int]:
            lines, total = queries.listed(connection, 5, guild_id=70, user_id=user_id)
            assert len(lines) == total
            return [line.id for line in lines]

        assert (listed(1), listed(2)) == ([practice, ordinary], [ordinary])
        for person in (1, 2):
            assert queries.keys_at(connection, person, 7, 5) == ["atom"]
        assert queries.in_channel(connection, 7, 5) == [practice, ordinary]
        assert queries.in_channel(connection, 7, 5, practice=False) == [ordinary]


def test_tables_that_sleep_hide_none_that_is_played(tmp_path: Path) -> None:
    """Who begins a game alone each day and leaves it still finds the one that goes on for weeks."""
    made = create_engine(f"sqlite:///{tmp_path}/lists.db")
    Base.metadata.create_all(made)
    games, seats = table_of(GameRow), table_of(SeatRow)
    with made.begin() as connection:
        found = [add_game(connection, phase="live") for _ in range(5)]
        seat = {"name": "Ann", "user_id": 1, "level": None, "entropy": 1}
        connection.execute(
            insert(seats), [{"game_id": each, "seat": at, **seat} for each in found for at in range(2)]
        )
        connection.execute(update(games).where(games.c.id > found[0]).values(asleep_at=9))
        assert queries.seats_of(connection, 1, 3) == [found[0], found[4], found[3]]
        assert queries.keys_at(connection, 1, 0, 3) == ["probe"]
        for asked in ({"guild_id": 70, "user_id": 2}, {"guild_id": None, "user_id": 1}):
            lines, total = queries.listed(connection, 3, **asked)
            assert total == 5
            assert [line.id for line in lines] == [found[0], found[4], found[3]]
            assert [bool(line.asleep_at) for line in lines] == [False, True, True]
            (rest, _) = queries.listed(connection, 3, 3, **asked)
            assert [line.id for line in rest] == [found[2], found[1]]


def closed(connection: Connection, game_id: int) -> list[int]:
    """Whether each seat of a game is marked as that of a closed game."""
    seats = table_of(SeatRow)
    query = select(seats.c.closed).where(seats.c.game_id == game_id).order_by(seats.c.seat)
    return list(connection.execute(query).scalars())


@pytest.mark.parametrize("phase", ["over", "cancelled"])
async def test_the_seats_of_a_closed_game_are_marked_and_stay_so(database: Database, phase: str) -> None:
    people = [Sitter("ann", user_id=1), Sitter("ben", user_id=2)]

    def work(connection: Connection) -> None:
        game_id = add_game(connection, phase="live")

        def change(change: Change) -> None:
            before = store.place(connection, game_id)
            assert before is not None
            store.keep(connection, before, change, 5)

        change(Change(sitters=people))
        assert closed(connection, game_id) == [0, 0]
        assert queries.seats_of(connection, 1, 10) == [game_id]
        change(Change({"phase": phase, "ended_at": 5}))
        assert closed(connection, game_id) == [1, 1]
        assert queries.seats_of(connection, 1, 10) == []
        change(Change(sitters=people[:1]))  # a person is deleted
        assert closed(connection, game_id) == [1]

    await database.write_at_once(work)


async def test_a_game_that_an_older_release_closed_is_listed_nowhere(database: Database) -> None:
    def work(connection: Connection) -> None:
        game_id = add_game(connection, phase="over")
        connection.execute(insert(table_of(SeatRow)).values(game_id=game_id, seat=0, user_id=1, name="ann"))
        assert closed(connection, game_id) == [0]
        assert queries.seats_of(connection, 1, 10) == []
        assert queries.listed(connection, 10, guild_id=None, user_id=1) == ([], 0)
        assert queries.open_counts(connection, 1, 7, 70, "paused", 0).person == 0

    await database.write_at_once(work)


def test_the_awake_tables_of_a_server_come_first_and_only_the_last_sleeping_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "MOST_ASLEEP", 2)
    made = create_engine(f"sqlite:///{tmp_path}/lists.db")
    Base.metadata.create_all(made)
    games = table_of(GameRow)
    with made.begin() as connection:
        first, second, third, awake = (add_game(connection, phase="live") for _ in range(4))
        for at, game_id in enumerate((second, first, third), 1):
            connection.execute(update(games).where(games.c.id == game_id).values(asleep_at=at))
        lines, total = queries.listed(connection, 10, guild_id=70, user_id=0)
    assert ([line.id for line in lines], total) == ([awake, third, first], 3)
