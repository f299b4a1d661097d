"""A process that plays on a database of its own and lives on until it is killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.house.tree import ROOT

PLAYS = """
import asyncio, sys
from pathlib import Path
from engine import catalog
catalog.PACKAGES["probe"] = "tests.support.games.probe"
from bot.table import lobby
from bot.table.people.quotas import Quotas
from tests.support.tables.tables import new_table, opened_tables, first_act

async def main(path, people):
    tables, _, _ = await opened_tables(Path(path), quotas=Quotas(1000, 1000, 1000, 1000))
    for n in range(people):
        here = [10 * n + seat for seat in (1, 2, 3, 4)]
        table = await new_table(tables, people=here, rounds=3)
        await lobby.start(table, here[0])
        for user in here:
            await first_act(table, user)
    print("ready", flush=True)
    await asyncio.sleep(600)

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


@contextmanager
def bot(file: Path, tables: int) -> Iterator[subprocess.Popen[str]]:
    """A process that plays and then lives on; at the end it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", PLAYS, str(file), str(tables)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert "ready\n" in iter(process.stdout.readline, ""), "it ended before it played"
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
