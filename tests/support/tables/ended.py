"""Games that ended, written as rows at once: played at random, with what a journal may hold beside acts."""

from __future__ import annotations

import random

from msgspec.structs import replace
from sqlalchemy import Connection

from bot.store import games as store
from bot.store.database import Database
from bot.store.games import UNDO, Entry, Sitter, Stored, StoredGame
from bot.store.terms import Terms
from bot.table.journal import LEFT_OUT
from bot.table.results import keep_results
from bot.table.table import Table
from bot.table.table_context import TableContext
from engine import catalog
from engine.fair import NONCE_BYTES, SEED_BYTES, Commitment
from engine.game import Setup, as_json

AT = 1_800_000_000_000
"""When they ended."""
ANN, BEN = 1_573_215_390_710_890_497, 1_573_215_390_710_890_498
STOOD_IN = 5
"""One act in so many is made for a slow seat."""


def journal_of_play(setup: Setup, rng: random.Random, most: int | None = None) -> list[Entry]:
    """A random game, of at most so many acts: every few of them for a late seat, the third taken back and
    made again, the last seat given to an opponent."""
    game = catalog.get(setup.game)
    state, entries, at = game.deal(setup), list[Entry](), AT - 90_000_000

    def note(kind: str, seat: int, data: list[object], skipped: int = 0) -> None:
        nonlocal at
        at += rng.randrange(1, 60_000)
        seq = (entries[-1].seq if entries else 0) + 1 + skipped
        entries.append(Entry(seq, kind, seat, data, at))

    done = 0
    while (waiting := state.to_act()) and (most is None or done < most):
        seat = rng.choice(waiting)
        action = rng.choice(state.legal_actions(seat))
        state.apply(seat, action)
        kind = "timeout" if done % STOOD_IN == STOOD_IN - 1 else "act"
        note(kind, seat, as_json(action))
        done += 1
        if done == 3:
            note(UNDO, seat, [entries[-1].seq], LEFT_OUT)
            note("act", seat, as_json(action))
            note("seat", setup.seats - 1, ["Steady", "steady"])
    return entries


async def ended_game(database: Database, key: str, seed: int, *, phase: str = "over") -> int:
    """The number of a fresh game of Ann, Ben and as many opponents as it takes: over with its results, or
    closed after seven acts."""
    return await database.write_at_once(lambda c: _add(c, database, key, seed, over=phase == "over"))


def _add(connection: Connection, database: Database, key: str, seed: int, *, over: bool) -> int:
    game, rng = catalog.get(key), random.Random(seed)
    options = game.defaults()
    seats = max(2, game.seats(options)[0])
    people = [Sitter("Ann", ANN, entropy=seed + 11), Sitter("Ben", BEN, entropy=seed + 12)]
    sitters = [*people, *(Sitter(f"opponent {n}", level="steady") for n in range(seats - 2))]
    fair = Commitment(rng.randbytes(SEED_BYTES), rng.randbytes(NONCE_BYTES))
    deal = fair.deal_key([who.entropy for who in sitters if who.entropy is not None])
    setup = Setup(key, game.version, seats, options, deal)
    journal = journal_of_play(setup, rng, None if over else 7)
    stored = StoredGame(
        game=key,
        version=game.version,
        phase="over" if over else "cancelled",
        options=options,
        terms=Terms(),
        guild_id=70,
        channel_id=7,
        host_id=ANN,
        seed=fair.seed,
        nonce=fair.nonce,
        created_at=AT - 100_000_000,
        ended_at=AT,
    )
    stored.id = store.create(connection, stored, sitters, journal)
    if over:
        table = Table(TableContext.alone(database), Stored(replace(stored), sitters, journal, ()))
        keep_results(connection, table, AT)
    return stored.id
