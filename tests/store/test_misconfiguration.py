"""A PostgreSQL that is set up wrongly: operators read the statement that fixes it, players no puzzle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import insert, text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from bot.locales import words
from bot.ops import doctor
from bot.ops.health_check import HealthAnswer
from bot.ops.startup import store_words
from bot.settings import Settings, with_async_driver
from bot.store.backend import migrate
from bot.store.database import Database, Misconfigured, StoreError
from bot.store.models import PlayerRow, table_of
from bot.ui.errors import words_for
from tests.support.processes.databases import Postgres

PLAYERS = table_of(PlayerRow)
USER = "teller"
TO_CREATE = f'GRANT USAGE, CREATE ON SCHEMA "public" TO "{USER}";'
TO_WRITE = (
    f'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "public" TO "{USER}"; '
    f'GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA "public" TO "{USER}";'
)


@pytest.fixture(scope="module", autouse=True)
def user(postgres: Postgres) -> None:
    postgres.do(f"CREATE ROLE {USER} LOGIN PASSWORD 'secret'")


def of_user(url: str) -> str:
    """The URL of a database for a user who owns nothing."""
    return make_url(url).set(username=USER, password="secret").render_as_string(hide_password=False)


def do(url: str, *lines: str) -> None:
    """Run statements in a database as its owner; a line may hold several."""

    async def run() -> None:
        engine = create_async_engine(with_async_driver(url), isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            for statement in "; ".join(lines).split("; "):
                await connection.execute(text(statement))
        await engine.dispose()

    asyncio.run(run())


def check(url: str) -> None:
    asyncio.run(migrate.check(url))


def database_finding(url: str) -> doctor.Finding:
    return next(iter(doctor._database(Settings(DATABASE_URL=url))))


def test_without_the_right_to_create_tables_everything_names_the_statement(postgres: Postgres) -> None:
    """As on PostgreSQL 15 and later, where not everyone may create tables in the schema `public`."""
    owner = postgres.fresh("template1")
    do(owner, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    url = of_user(owner)
    for act in (check, lambda url: asyncio.run(migrate.upgrade(url))):
        with pytest.raises(Misconfigured) as found:
            act(url)
        assert USER in store_words(found.value)
        assert TO_CREATE in store_words(found.value)
    finding = database_finding(url)
    assert (finding.health, TO_CREATE in finding.words) == (HealthAnswer.WRONG, True)
    do(owner, TO_CREATE)
    asyncio.run(migrate.upgrade(url))
    assert database_finding(url).health is HealthAnswer.WELL


def test_a_schema_that_does_not_exist_is_created_by_the_statement(postgres: Postgres) -> None:
    owner = postgres.fresh("template1")
    url = (
        make_url(of_user(owner)).update_query_dict({"schema": "cards"}).render_as_string(hide_password=False)
    )
    with pytest.raises(Misconfigured) as found:
        asyncio.run(migrate.upgrade(url))
    assert found.value.fault.statement == f'CREATE SCHEMA "cards" AUTHORIZATION "{USER}";'
    do(owner, found.value.fault.statement)
    asyncio.run(migrate.upgrade(url))
    check(url)


def test_tables_of_another_owner_are_granted_by_the_statement(postgres: Postgres) -> None:
    owner = postgres.fresh()
    url = of_user(owner)
    with pytest.raises(Misconfigured, match="GRANT SELECT"):
        check(url)
    do(owner, TO_WRITE)
    check(url)
    assert database_finding(url).health is HealthAnswer.WELL


@pytest.mark.parametrize("verb", ["SELECT", "INSERT", "UPDATE", "DELETE"])
def test_a_right_that_is_taken_away_is_no_outage(postgres: Postgres, verb: str) -> None:
    owner = postgres.fresh()
    url = of_user(owner)
    do(owner, TO_WRITE, f"REVOKE {verb} ON games FROM {USER}")
    with pytest.raises(Misconfigured) as found:
        check(url)
    assert found.value.fault.statement == TO_WRITE
    assert database_finding(url).words == store_words(found.value)


async def test_a_player_is_not_told_to_wait(postgres: Postgres) -> None:
    owner = await asyncio.to_thread(postgres.fresh)
    database = Database(of_user(owner))
    with pytest.raises(StoreError) as found:
        await database.try_to_write()
    await database.close()
    assert (found.value.kind, found.value.doubtful) == ("denied", False)
    for locale in ("en", "zh-CN"):
        assert words_for(found.value, locale) == words(locale)("store.denied")


def test_without_the_right_to_connect_everything_names_the_statement(postgres: Postgres) -> None:
    owner = postgres.fresh()
    url, name = of_user(owner), make_url(owner).database
    do(owner, TO_WRITE, f'REVOKE CONNECT ON DATABASE "{name}" FROM PUBLIC')
    for act in (check, lambda url: asyncio.run(migrate.upgrade(url))):
        with pytest.raises(Misconfigured) as found:
            act(url)
        assert found.value.fault.statement == f'GRANT CONNECT ON DATABASE "{name}" TO "{USER}";'
    assert database_finding(url).words == store_words(found.value)
    do(owner, found.value.fault.statement)
    assert database_finding(url).health is HealthAnswer.WELL


@pytest.mark.parametrize("encoding", ["LATIN1", "EUC_JP"])
def test_a_database_that_cannot_store_every_name_is_refused_at_once(
    postgres: Postgres, encoding: str
) -> None:
    name = f"in_{encoding.lower()}"
    postgres.do(
        f"CREATE DATABASE {name} ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
    )
    url = postgres.named(name)
    for act in (check, lambda url: asyncio.run(migrate.upgrade(url))):
        with pytest.raises(Misconfigured) as found:
            act(url)
        assert found.value.kind == "encoding"
        assert found.value.fault.statement in store_words(found.value)
    assert database_finding(url) == doctor.Finding("database", HealthAnswer.WRONG, store_words(found.value))
    postgres.do(found.value.fault.statement)
    asyncio.run(migrate.upgrade(postgres.named(f"{name}_utf8")))


async def add_player(url: str) -> None:
    """Store a player with a name that needs Unicode."""
    database = Database(url)
    row = {"id": 7, "name": "小明😀", "seen_at": 0, "prefs": {}}
    try:
        await database.write_at_once(
            lambda connection: connection.execute(insert(PLAYERS), row), fenced=False
        )
    finally:
        await database.close()


def test_a_database_without_an_encoding_stores_every_name(postgres: Postgres) -> None:
    postgres.do("CREATE DATABASE ascii ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    url = postgres.named("ascii")
    asyncio.run(migrate.upgrade(url))
    asyncio.run(add_player(url))
    assert database_finding(url).health is HealthAnswer.WELL


def test_a_name_that_cannot_be_stored_is_no_outage(postgres: Postgres) -> None:
    """An earlier release filled such a database."""
    postgres.do("CREATE DATABASE old ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    do(postgres.named("old"), "CREATE TABLE players (id bigint, name text, seen_at bigint, prefs json)")
    with pytest.raises(StoreError) as found:
        asyncio.run(add_player(postgres.named("old")))
    assert (found.value.kind, found.value.doubtful) == ("encoding", False)
    for locale in ("en", "zh-CN"):
        assert words_for(found.value, locale) == words(locale)("store.encoding")


@pytest.fixture
def search_path(postgres: Postgres) -> Iterator[Callable[[str], None]]:
    yield lambda path: postgres.do(f"ALTER ROLE {USER} SET search_path = {path}")
    postgres.do(f"ALTER ROLE {USER} RESET search_path")


PATHS = ["''", "nowhere", '"$user"', "nowhere, other"]


@pytest.mark.parametrize("path", PATHS)
def test_a_search_path_that_leads_past_the_tables_is_told_with_the_statement(
    postgres: Postgres, search_path: Callable[[str], None], path: str
) -> None:
    owner = postgres.fresh()
    url = of_user(owner)
    do(owner, TO_WRITE)
    search_path(path)
    for act in (check, lambda url: asyncio.run(migrate.upgrade(url))):
        with pytest.raises(Misconfigured) as found:
            act(url)
    assert found.value.fault.statement.endswith('SET search_path = "public";')
    assert database_finding(url).words == store_words(found.value)
    do(owner, found.value.fault.statement)
    assert database_finding(url).health is HealthAnswer.WELL


@pytest.mark.parametrize(
    ("path", "statement"),
    [
        ("nowhere", f'CREATE SCHEMA "nowhere" AUTHORIZATION "{USER}";'),
        ('"$user"', f'CREATE SCHEMA "{USER}" AUTHORIZATION "{USER}";'),
        ("''", "SET search_path"),
    ],
)
def test_the_schema_of_a_search_path_is_created_if_no_tables_exist(
    postgres: Postgres, search_path: Callable[[str], None], path: str, statement: str
) -> None:
    owner = postgres.fresh("template1")
    search_path(path)
    with pytest.raises(Misconfigured) as found:
        check(of_user(owner))
    assert statement in found.value.fault.statement
    do(owner, found.value.fault.statement, TO_CREATE)
    asyncio.run(migrate.upgrade(of_user(owner)))
    assert database_finding(of_user(owner)).health is HealthAnswer.WELL


def test_tables_in_the_second_schema_of_a_search_path_are_found(postgres: Postgres) -> None:
    owner = postgres.fresh()
    do(owner, f'CREATE SCHEMA "{USER}" AUTHORIZATION "{USER}"')
    with pytest.raises(Misconfigured) as found:
        check(of_user(owner))
    assert found.value.fault.statement == TO_WRITE
    do(owner, TO_WRITE)
    assert database_finding(of_user(owner)).health is HealthAnswer.WELL


@pytest.mark.parametrize("table", ["games", "alembic_version"])
def test_row_security_is_told_with_the_statement_that_ends_it(postgres: Postgres, table: str) -> None:
    """The table would seem empty to every user but its owner."""
    owner = postgres.fresh()
    url = of_user(owner)
    do(owner, TO_WRITE, f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    with pytest.raises(Misconfigured) as found:
        check(url)
    assert found.value.fault.statement == f"ALTER TABLE public.{table} DISABLE ROW LEVEL SECURITY;"
    assert database_finding(url).words == store_words(found.value)
    assert database_finding(owner).health is HealthAnswer.WELL
    do(owner, found.value.fault.statement)
    assert database_finding(url).health is HealthAnswer.WELL


@pytest.mark.parametrize("change", ["RENAME TO moved", "RENAME COLUMN game TO moved"])
def test_a_missing_table_or_column_is_found(postgres: Postgres, change: str) -> None:
    url = postgres.fresh()
    do(url, f"ALTER TABLE daily_results {change}")
    with pytest.raises(StoreError) as found:
        check(url)
    assert (found.value.kind, found.value.doubtful) == ("mixed", False)
    assert database_finding(url).words == store_words(found.value)


def test_a_missing_sequence_is_told_with_the_statements_that_make_another(postgres: Postgres) -> None:
    url = postgres.fresh()
    new = "INSERT INTO house_rules (channel_id, game, name, folded, options, saved_by, saved_at) "
    do(
        url,
        f"{new} VALUES (1, 'atom', 'mild', 'mild', '{{}}', 1, 1)",
        "DROP SEQUENCE house_rules_id_seq CASCADE",
    )
    with pytest.raises(Misconfigured) as found:
        check(url)
    assert database_finding(url).words == store_words(found.value)
    do(url, found.value.fault.statement.rstrip(";"))
    assert database_finding(url).health is HealthAnswer.WELL
    do(url, f"{new} SELECT 2, game, name, folded, options, 1, 1 FROM house_rules")


READ_ONLY = "default_transaction_read_only"


@pytest.mark.parametrize(
    "scope", ['ROLE "{user}" IN DATABASE "{name}"', 'ROLE "{user}"', 'DATABASE "{name}"', "ROLE ALL"]
)
def test_who_may_only_read_is_told_the_statement(postgres: Postgres, scope: str) -> None:
    owner = postgres.fresh()
    url = of_user(owner)
    scope = scope.format(user=USER, name=make_url(owner).database)
    do(owner, TO_WRITE)
    postgres.do(f"ALTER {scope} SET {READ_ONLY} = on")
    try:
        with pytest.raises(Misconfigured) as found:
            check(url)
        assert (found.value.kind, database_finding(url).words) == ("readonly", store_words(found.value))
        assert found.value.fault.statement == f"SET {READ_ONLY} = off; ALTER {scope} RESET {READ_ONLY};"
        do(owner, found.value.fault.statement)
        assert database_finding(url).health is HealthAnswer.WELL
    finally:
        do(owner, f"SET {READ_ONLY} = off", f"ALTER {scope} RESET {READ_ONLY}")


def test_doctor_tries_to_write(postgres: Postgres) -> None:
    """A server that only reads, such as a standby, answers every question."""
    url = make_url(postgres.fresh()).update_query_dict({"options": f"-c {READ_ONLY}=on"})
    finding = database_finding(url.render_as_string(hide_password=False))
    assert (finding.health, "standby" in finding.words) == (HealthAnswer.WRONG, True)
