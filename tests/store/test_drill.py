"""What docs/operations.md says of PostgreSQL is rehearsed with its own tools."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import pytest
from sqlalchemy import text

from bot.store.backend import migrate
from bot.store.database import StoreError
from tests.house.tree import ROOT
from tests.support.processes.databases import Postgres
from tests.support.tables.tables import patient_database


def asked(url: str, line: str) -> object:
    """The one value that a query finds; None for a line that finds nothing."""

    async def run() -> object:
        database = patient_database(url)
        try:
            done = await database.write_at_once(
                lambda c: found.scalar() if (found := c.execute(text(line))).returns_rows else None
            )
        finally:
            await database.close()
        return done

    return asyncio.run(run())


@pytest.mark.long
def test_the_page_about_operations_is_right_about_postgresql(postgres: Postgres) -> None:
    url = postgres.fresh("template0")
    tools = asked(url, "SELECT setting FROM pg_config WHERE name = 'BINDIR'")
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    script = [sys.executable, str(ROOT / "tools" / "drill.py"), url]
    done = subprocess.run(
        script, capture_output=True, text=True, check=False, timeout=300, env={**os.environ, "PATH": path}
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_dump_that_was_restored_over_a_newer_schema_is_told(url: str) -> None:
    """The tables of the newer version stay there, and the old revision comes back."""
    asked(url, "UPDATE alembic_version SET version_num = '0015'")
    with pytest.raises(StoreError) as found:
        asyncio.run(migrate.upgrade(url, keep_copy=False))
    assert found.value.kind == "mixed"
