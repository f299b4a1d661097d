"""Keep a small database of the newest schema for the tests of all later versions.

    python tools/corpus.py            writes tests/store/corpus/NNNN.sqlite.gz, unless it is there

Every later version must open it, upgrade it, and continue every game in it (tests/store/test_corpus.py). It
is therefore written once, by the code of its time, before that schema is released, and never again: today's
code would write different rows.
"""

from __future__ import annotations

import asyncio
import gzip
import random
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sqlalchemy import insert

from bot.store import folds
from bot.store.models import SCHEMA, EntrantRow, TournamentRow, table_of
from bot.store.terms import Terms
from bot.table import lobby
from bot.table.registry import Tables
from bot.table.storage import compaction
from bot.table.table import Table
from engine import brackets, catalog
from tests.support.tables.tables import close_tables, opened_tables, settle

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "store" / "corpus"
MOST_BYTES = 60_000
ACTS = 9
GUILD, AT = 70_000_000_000_000_007, 1_790_000_000_000
PEOPLE = {1_573_215_390_710_890_496 + n: name for n, name in enumerate(("Ann", "Ben", "Cleo", "Đạt"), 1)}


class Author:
    """Plays the games of the corpus."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.rng = random.Random(11)
        self.channel = 800_000_000_000_000_000

    async def table(self, game: str, terms: Terms | None = None, **options: Any) -> Table:
        """Open a lobby in its own channel, with the people it needs and computer players."""
        # in turns, so that everyone has a running game, and the first two people a finished one
        people = sorted(PEOPLE)
        host, *others = (people[(self.channel + n) % len(people)] for n in range(2))
        self.channel += 1
        table = await self.tables.opener.open_lobby(
            game,
            host_id=host,
            host_name=PEOPLE[host],
            entropy=host + 5,
            channel_id=self.channel,
            guild_id=GUILD,
            locale="en",
            options=options,
            terms=terms or Terms(),
        )
        least = table.game.seats(table.stored.options)[0]
        for user in others:
            if least > 1:
                await lobby.join(table, user, PEOPLE[user], user + 9)
        for n in range(least - len(table.sitters)):
            await lobby.add_opponent(table, next(iter(table.game.opponents)), f"opponent {n}")
        return table

    async def play(self, table: Table, acts: int) -> None:
        """Let people act at random and opponents by their own rules."""
        await lobby.start(table, table.stored.host_id)
        for _ in range(acts):
            await settle(self.tables)
            waiting = [seat for seat in table.waiting() if table.legal[seat]]
            if table.phase != "live" or not waiting:
                break
            seat = self.rng.choice(waiting)
            await table.act(seat, table.decisions[seat], self.rng.choice(table.legal[seat]))
        await settle(self.tables)

    async def tournaments(self) -> None:
        """Create one tournament open for entry and one in its first round."""
        bracket = msgspec.to_builtins(brackets.start("double", [str(user) for user in PEOPLE]))
        async with self.tables.database.write() as connection:
            for phase, drawn in (("open", {}), ("running", bracket)):
                row = {
                    "phase": phase,
                    "name": f"The {phase} cup",
                    "game": "duel52",
                    "options": catalog.get("duel52").defaults(),
                    "terms": {"kind": "double"},
                    "bracket": drawn,
                    "guild_id": GUILD,
                    "channel_id": self.channel,
                    "host_id": min(PEOPLE),
                    "created_at": AT,
                }
                done = await connection.execute(insert(table_of(TournamentRow)).values(row))
                (tournament,) = done.inserted_primary_key or (0,)
                entrants = [
                    {"tournament_id": tournament, "user_id": user, "name": name, "joined_at": AT}
                    for user, name in PEOPLE.items()
                ]
                await connection.execute(insert(table_of(EntrantRow)), entrants)


async def fold(tables: Tables, table: Table) -> None:
    """Fold a finished game as if it were old."""
    games, _ = await tables.database.read_at_once(lambda c: compaction.read(c, [table.id]))
    made = [one for one in compaction.folded(games) if isinstance(one, folds.Fold)]
    assert await tables.database.write_at_once(lambda c: folds.keep(c, made, [], AT)) == 1


async def write(path: Path) -> None:
    """Create running games of every kind, finished ones (one folded), lobbies and tournaments."""
    tables, _, _ = await opened_tables(path, pace=30.0)
    author = Author(tables)
    for game in catalog.listed():
        await author.play(await author.table(game), ACTS)
    await author.play(await author.table("atom_duel", Terms(clock=86_400)), 3)
    for game in ("atom_duel", "duel52"):
        await author.play(ended := await author.table(game), 5000)
    await fold(tables, ended)
    await author.table("canasta", Terms(clock=600))
    await author.table("molecular")
    called_off = await author.table("atom_duel")
    await called_off.cancel("host")
    await author.tournaments()
    await close_tables(tables)


def packed(path: Path) -> bytes:
    """Return a database file, vacuumed and compressed, byte for byte the same for the same content."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("VACUUM")
    return gzip.compress(path.read_bytes(), 9, mtime=0)


def main() -> None:
    """Write the newest file."""
    target = FOLDER / f"{SCHEMA}.sqlite.gz"
    if target.exists():
        sys.exit(f"corpus.py: {target.relative_to(ROOT)} is there; what was kept is never written again")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "valence.db"
        asyncio.run(write(path))
        content = packed(path)
    if len(content) > MOST_BYTES:
        sys.exit(f"corpus.py: {len(content)} bytes are too many; play less")
    FOLDER.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    sys.stdout.write(f"{target.relative_to(ROOT)}: {len(content)} bytes\n")


if __name__ == "__main__":
    main()
