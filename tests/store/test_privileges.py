"""A PostgreSQL user without a privilege: operators read the statement that grants it, players no puzzle."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from bot.locales import words
from bot.ops import doctor
from bot.ops.health_check import HealthAnswer
from bot.ops.startup import store_words
from bot.settings import Settings, with_async_driver
from bot.store.backend import migrate
from bot.store.database import Database, Denied, StoreError
from bot.ui.errors import words_for
from tests.support.processes.databases import Postgres

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
        with pytest.raises(Denied) as found:
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
    with pytest.raises(Denied) as found:
        asyncio.run(migrate.upgrade(url))
    assert found.value.statement == f'CREATE SCHEMA "cards" AUTHORIZATION "{USER}";'
    do(owner, found.value.statement)
    asyncio.run(migrate.upgrade(url))
    check(url)


def test_tables_of_another_owner_are_granted_by_the_statement(postgres: Postgres) -> None:
    owner = postgres.fresh()
    url = of_user(owner)
    with pytest.raises(Denied, match="GRANT SELECT"):
        check(url)
    do(owner, TO_WRITE)
    check(url)
    assert database_finding(url).health is HealthAnswer.WELL


@pytest.mark.parametrize("verb", ["SELECT", "INSERT", "UPDATE", "DELETE"])
def test_a_right_that_is_taken_away_is_no_outage(postgres: Postgres, verb: str) -> None:
    owner = postgres.fresh()
    url = of_user(owner)
    do(owner, TO_WRITE, f"REVOKE {verb} ON games FROM {USER}")
    with pytest.raises(Denied) as found:
        check(url)
    assert found.value.statement == TO_WRITE
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


def test_doctor_tries_to_write(postgres: Postgres) -> None:
    """A server that only reads, such as a standby, answers every question."""
    owner = postgres.fresh()
    url = of_user(owner)
    name = make_url(owner).database
    do(owner, TO_WRITE, f'ALTER ROLE {USER} IN DATABASE "{name}" SET default_transaction_read_only = on')
    finding = database_finding(url)
    assert (finding.health, "standby" in finding.words) == (HealthAnswer.WRONG, True)
