"""Behind a real PgBouncer that lends a connection from transaction to transaction, as hosts have it."""

from __future__ import annotations

import asyncio
import getpass
import random
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from bot.store.backend import migrate
from bot.store.database import Fenced, Overtaken
from bot.table import lobby
from bot.table.table import Table
from tests.support.processes.databases import Postgres
from tests.support.tables.tables import close_tables, journal_of, new_table, the_table, unopened_tables
from tests.support.waiting import LIMIT_SECONDS, wait_until

pytestmark = pytest.mark.long

LENT = 3
"""Connections to the server: fewer than the bot has, so that sessions do change hands."""


@pytest.fixture
def bouncer(postgres: Postgres, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty, upgraded database behind PgBouncer; the upgrade itself went through it."""
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if program is None:
        pytest.skip("pgbouncer is not installed")
    server = make_url(postgres.fresh("template1"))
    host = server.host or server.query["host"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / "users.txt").write_text(f'"{server.username}" "{server.password or ""}"\n')
    ini = tmp_path / "pgbouncer.ini"
    ini.write_text(
        f"""
        [databases]
        behind = host={host} port={server.port or 5432} user={server.username} dbname={server.database}
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = {port}
        unix_socket_dir =
        auth_type = any
        auth_file = {tmp_path}/users.txt
        pool_mode = transaction
        default_pool_size = {LENT}
        """.replace("\n        ", "\n")
    )
    # it refuses to run as root, and only the server's own user may come to its socket
    as_other = ("-u", Path(str(host)).owner()) if getpass.getuser() == "root" else ()
    for path in (tmp_path, *tmp_path.parents):
        if path.owner() == getpass.getuser() and not path.stat().st_mode & 0o001:
            path.chmod(path.stat().st_mode | 0o055)
    process = subprocess.Popen([program, "-q", *as_other, ini], stderr=subprocess.PIPE)
    try:
        wait_until(lambda: _listens(port, process))
        url = f"postgresql://{server.username}@127.0.0.1:{port}/behind?pgbouncer=true"
        asyncio.run(migrate.upgrade(url))
        yield url
    finally:
        process.terminate()
        process.communicate(timeout=LIMIT_SECONDS)


def _listens(port: int, process: subprocess.Popen[bytes]) -> bool:
    if process.poll() is not None:
        _, words = process.communicate()
        pytest.fail(f"pgbouncer did not start: {words.decode()}")
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def _play(table: Table, rng: random.Random, most: int) -> None:
    for _ in range(most):
        if not table.waiting():
            return
        seat = rng.choice(table.waiting())
        await table.act(seat, table.decisions[seat], rng.choice(table.legal[seat]))


async def test_tables_play_at_once_and_go_on_after_a_restart(bouncer: str) -> None:
    tables = unopened_tables(bouncer)
    await tables.runtime.open()
    games = ("atom", "canasta", "duel52", "molecular", "atom_duel", "compound_capture")
    played = []
    for n, game in enumerate(games):
        people = [10 * n + seat for seat in range(1, 5 if game in ("atom", "canasta") else 3)]
        table = await new_table(tables, game=game, people=people)
        await lobby.start(table, people[0])
        played.append(table)
    await asyncio.gather(*(_play(table, random.Random(n), 80) for n, table in enumerate(played)))
    left = {
        table.id: (table.state.fingerprint(), table.seq)
        for table in played
        if table.waiting() and table.state is not None
    }
    assert left
    await close_tables(tables)

    tables = unopened_tables(bouncer)
    await tables.runtime.open()
    for table_id, before in left.items():
        table = await tables.get(table_id)
        assert table.state is not None
        assert (table.state.fingerprint(), table.seq) == before
        await _play(table, random.Random(table_id), 3)
        assert len(await journal_of(tables, table)) == table.seq
    await close_tables(tables)


async def test_who_was_overtaken_changes_nothing(bouncer: str) -> None:
    one, two = unopened_tables(bouncer), unopened_tables(bouncer)
    await one.runtime.open()
    table = await new_table(one, game="canasta", people=[1, 2])
    await lobby.start(table, 1)
    await one.runtime.close()
    await two.runtime.open()
    there = await the_table(two)
    before = there.seq
    with pytest.raises((Overtaken, Fenced)):
        await _play(table, random.Random(1), 1)
    assert len(await journal_of(two, there)) == before
    await close_tables(two)
    await one.database.close()
