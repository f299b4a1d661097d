"""A database of many live tables, as in a large bot: nearly all of them wait for a player.

A few model games of each kind are played by the rules to different lengths. All other tables are copies of
their rows with other numbers, people, servers and deadlines. A copy has its model's deal, so its journal can
be replayed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select, text

from bot.store import games as store
from bot.store import snapshots
from bot.store.games import Entry, Sitter, StoredGame
from bot.store.models import EntryRow, PlayerRow, table_of
from bot.store.snapshots import EVERY, Snapshot, due
from bot.store.terms import DAY, Terms
from bot.table.journal import replayed
from bot.table.turns import turn_deadlines
from engine import catalog
from engine.fair import NONCE_BYTES, SEED_BYTES, Commitment
from engine.game import AnyGame, AnyState, Setup, Value, as_json

_ENTRIES, _PLAYERS = table_of(EntryRow), table_of(PlayerRow)

SNOWFLAKE = 1_573_215_390_710_890_496
"""Offset for ids as large as Discord's, which exceed 32 bits."""
SERVERS = 500
MIDDLE = 0.6
LENGTHS = (MIDDLE, 0.0, 0.3, 0.97)
"""Stages of the model games, as fractions of a whole game."""
DUE_SOON = 20
"""Number of tables with a deadline in the first seconds; all others have theirs within days."""


@dataclass(frozen=True, slots=True)
class TableAsker:
    """A person of the local Discord who presses a button: their ids there."""

    user_id: int
    guild_id: int
    channel_id: int


@dataclass(slots=True)
class PlayedGame:
    """A game in progress as database rows."""

    stored: StoredGame
    sitters: list[Sitter]
    journal: list[Entry]
    part: float
    state: AnyState
    snapshots: list[Snapshot]


def play(
    game: AnyGame, seats: int, part: float, rng: random.Random, options: dict[str, Value] | None = None
) -> PlayedGame:
    """Play a game at random up to this fraction of its length."""
    chosen = {**game.defaults(), **(options or {})}
    alone = game.held_by_one(chosen)
    sitters = [
        Sitter(f"person {seat}", user_id=1 if alone else 1 + seat, entropy=1000 + seat)
        for seat in range(seats)
    ]
    fair = Commitment(rng.randbytes(SEED_BYTES), rng.randbytes(NONCE_BYTES))
    stored = StoredGame(
        game=game.key,
        version=game.version,
        phase="live",
        options=chosen,
        terms=Terms(clock=DAY if rng.random() < 0.5 else 0),
        guild_id=1,
        channel_id=1,
        host_id=1,
        seed=fair.seed,
        nonce=fair.nonce,
        created_at=0,
    )
    setup = game.setup(seats, fair.deal_key([1000 + seat for seat in range(seats)]), **chosen)
    acts, state = list[tuple[int, Any]](), game.deal(setup)
    while waiting := state.to_act():
        seat = rng.choice(waiting)
        acts.append((seat, rng.choice(state.legal_actions(seat))))
        state.push(*acts[-1])
    del acts[int(part * len(acts)) :]
    state = game.deal(setup)
    for act in acts:
        state.push(*act)
    journal = [Entry(n, "act", seat, as_json(action), n) for n, (seat, action) in enumerate(acts, 1)]
    return PlayedGame(stored, sitters, journal, part, state, list(_snapshots(game, setup, journal)))


def _snapshots(game: AnyGame, setup: Setup, journal: list[Entry]) -> Iterator[Snapshot]:
    """Yield the snapshots the bot keeps of a game."""
    last = (len(journal) - 1) // EVERY * EVERY
    for acts in (last - EVERY, last):
        if acts > 0:
            found = replayed(game, setup, journal[:acts], 1)
            if snapshot := due(found.state, found.seq, found.acts, found.decisions):
                yield snapshot


def models(rng: random.Random) -> Iterator[PlayedGame]:
    """Yield games of each kind, one per number of seats, of all lengths."""
    for key in catalog.listed():
        game = catalog.get(key)
        seats = game.seats(game.defaults())
        for n in range(max(len(seats), len(LENGTHS))):
            yield play(game, seats[n % len(seats)], LENGTHS[n % len(LENGTHS)], rng)


def put(connection: Connection, played: PlayedGame, now: int) -> int:
    """Store one game with all its rows. Return its number. Its deadlines count from `now`."""
    game_id = store.create(connection, played.stored, played.sitters)
    if played.journal:
        lines = [{"game_id": game_id, **_columns(entry)} for entry in played.journal]
        connection.execute(insert(_ENTRIES), lines)
    for snapshot in played.snapshots:
        snapshots.keep(connection, game_id, snapshot)
    deadlines = turn_deadlines(game_id, played.sitters, played.stored.terms, played.state, (), now=now)
    # every player was notified of their turn long ago
    store.set_deadlines(connection, game_id, [each for each in deadlines if each.kind != "nudge"])
    return game_id


def _columns(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in Entry.__struct_fields__}


_COPIES = (
    """
    WITH RECURSIVE numbers(n) AS (SELECT :first UNION ALL SELECT n + 1 FROM numbers WHERE n < :last)
    INSERT INTO games (id, game, version, phase, options, terms, guild_id, channel_id, message_id, posted_at,
        host_id, locale, seed, nonce, created_at, why, revision, edition, shown, touched_at)
    SELECT n, game, version, phase, options, terms, :base + n % :servers, :base + :servers + n % :channels,
        :base + n, :now - 3600000, :base + (n * 3 + 1) % :people, locale, seed, nonce, :now - 86400000, '',
        1 + (SELECT count(*) FROM entries WHERE game_id = games.id), 9, 9, :now - (n * 7919 % 500000) * 1000
    FROM numbers JOIN games ON games.id = 1 + n % :models
    """,
    """
    INSERT INTO seats (game_id, seat, user_id, name, level, entropy)
    SELECT games.id, seat, :base + (games.id * 3 + seats.user_id) % :people, name, level, entropy
    FROM games JOIN seats ON seats.game_id = 1 + games.id % :models WHERE games.id >= :first
    """,
    """
    INSERT INTO entries (game_id, seq, kind, seat, data, at)
    SELECT games.id, seq, kind, seat, data, games.created_at + seq * 1000
    FROM games JOIN entries ON entries.game_id = 1 + games.id % :models WHERE games.id >= :first
    """,
    """
    INSERT INTO snapshots (game_id, seq, source, acts, decisions, position)
    SELECT games.id, seq, source, acts, decisions, position
    FROM games JOIN snapshots ON snapshots.game_id = 1 + games.id % :models WHERE games.id >= :first
    """,
    """
    INSERT INTO clocks (game_id, kind, seat, due_at)
    SELECT games.id, kind, seat, due_at + games.id * 7919 % 500000 * 1000
    FROM games JOIN clocks ON clocks.game_id = 1 + games.id % :models WHERE games.id >= :first
    """,
)
_HOSTS = """
    UPDATE games SET edition = 9, shown = 9, message_id = :base + id, touched_at = :now - 3600000
    WHERE id < :first
"""


_SEATING = (
    "UPDATE seats SET user_id = :user WHERE game_id = :id "
    "AND user_id = (SELECT user_id FROM seats WHERE game_id = :id AND seat = 0)",
    "UPDATE games SET host_id = :user, guild_id = :guild, channel_id = :channel WHERE id = :id",
)


def fill(connection: Connection, tables: int, now: int, asker: TableAsker, seed: int) -> dict[str, int]:
    """Write this many live tables into an empty database. At one table per game the asker has a seat."""
    rng = random.Random(f"cold/{seed}")
    made = {put(connection, played, now): played for played in models(rng)}
    first = len(made) + 1
    where = {
        **{"first": first, "last": tables, "models": len(made), "now": now, "base": SNOWFLAKE},
        **{"servers": SERVERS, "channels": max(tables // 8, SERVERS), "people": max(tables // 3, 100)},
    }
    if tables >= first:
        for statement in _COPIES:
            connection.execute(text(statement), where)
    connection.execute(text(_HOSTS), where)
    soon = [{"at": 1 + n * tables // DUE_SOON, "due": now + 1000 * n} for n in range(DUE_SOON)]
    connection.execute(text("UPDATE clocks SET due_at = :due WHERE game_id = :at AND kind = 'turn'"), soon)
    people = [
        {"id": SNOWFLAKE + n, "name": f"person {n}", "prefs": {}, "seen_at": now}
        for n in range(where["people"])
    ]
    connection.execute(insert(_PLAYERS), people)
    mine = {}
    for number, played in made.items():
        if played.part == MIDDLE:
            copies = range(number - 1 + len(made), tables + 1, len(made))
            mine[played.stored.game] = _seat(connection, rng.choice(copies or [number]), asker)
    return mine


def _seat(connection: Connection, game_id: int, asker: TableAsker) -> int:
    """Seat the asker in place of the first person, at a table in the asker's channel."""
    where = {"id": game_id, "user": asker.user_id, "guild": asker.guild_id, "channel": asker.channel_id}
    for statement in _SEATING:
        connection.execute(text(statement), where)
    return game_id


LONGEST: dict[str, dict[str, Value]] = {
    "atom_duel": {"level": 7, "rounds": 8, "hand_size": 7},
    "duel52": {"variant": "long"},
    "molecular": {"rounds": 20},
}
"""Options that make a game longest, if they are not the defaults."""


def put_long(connection: Connection, seed: int) -> dict[str, int]:
    """Store the longest of a few games of each kind just before its end. Return their numbers by name.

    They use the default options and the options with which the game takes longest.
    """
    rng = random.Random(f"long/{seed}")
    found = {}
    for key in catalog.listed():
        game = catalog.get(key)
        for name, options in ((key, {}), (f"{key}, longest", LONGEST.get(key))):
            if options is not None:
                seats = game.seats({**game.defaults(), **options})[-1]
                tries = [play(game, seats, 0.999, rng, options) for _ in range(5)]
                found[name] = put(connection, max(tries, key=lambda played: len(played.journal)), 0)
    return found


def entries(connection: Connection) -> int:
    """Return the number of actions at all tables."""
    return connection.execute(select(func.count()).select_from(_ENTRIES)).scalar_one()
