"""Finished games for tests, and what their results must add up to, told from the rows by plain counting."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, insert, select

from bot.store import games as store
from bot.store import ratings
from bot.store.games import Change, Deadline, Entry, Sitter
from bot.store.models import GameRow, ResultRow, TotalRow, table_of
from bot.store.people import EVERYWHERE, StoredResult
from bot.store.totals import Total
from bot.table.results import store_results

GUILDS = (None, 70, 71)
GAMES = ("probe", "duel52")


def add_game(
    connection: Connection,
    game: str = "probe",
    guild_id: int | None = 70,
    phase: str = "over",
    channel_id: int = 7,
) -> int:
    """A row of `games`; its id."""
    row = {
        "game": game,
        "version": 1,
        "phase": phase,
        "options": {},
        "terms": {},
        "guild_id": guild_id,
        "channel_id": channel_id,
        "host_id": 1,
        "seed": b"seed",
        "nonce": b"nonce",
        "created_at": 1,
        "ended_at": 10**7 if phase in ("over", "cancelled") else None,
        "why": "",
        "posted_at": 0,
        "locale": "en",
    }
    key = connection.execute(insert(table_of(GameRow)).values(row)).inserted_primary_key
    assert key is not None
    return int(key[0])


def add_live(connection: Connection, rng: random.Random, people: int, *, place: int) -> int:
    """A table at which a few of these people play, with seats, journal and deadlines; its id. `place`
    numbers its channel, of which each server has ten."""
    game_id = add_game(connection, guild_id=70 + place // 10, phase="live", channel_id=7 + place)
    sitters = rng.sample(range(1, people + 1), 2)
    seats = [Sitter(f"person {who}", user_id=who, entropy=who) for who in sitters]
    lines = [Entry(seq, "act", seq % 2, ["bid", seq, []], seq) for seq in range(1, 11)]
    due = [Deadline(game_id, "turn", seat, 1000 + game_id) for seat in range(2)]
    before = store.place(connection, game_id)
    assert before is not None
    store.keep(connection, before, Change(sitters=seats, deadlines=due, entries=lines), 5)
    return game_id


def results_of(
    game_id: int, people: Sequence[int | None], ranks: Sequence[int], *, at: int, **known: Any
) -> list[StoredResult]:
    """The results of one game: who sat where (None: an opponent) and which place each seat came in."""
    played = len({who for who in people if who is not None})
    return [
        StoredResult(
            game_id=game_id,
            seat=seat,
            user_id=who,
            level="random" if who is None else None,
            guild_id=known.get("guild_id", 70),
            game=known.get("game", "probe"),
            people=played,
            rank=rank,
            score=1.5,
            hands=known.get("hands", 0),
            ended_at=at,
        )
        for seat, (who, rank) in enumerate(zip(people, ranks, strict=True))
    ]


def finish(
    connection: Connection, people: Sequence[int | None], ranks: Sequence[int], *, at: int, **known: Any
) -> int:
    """A game that ended so, settled as the bot settles it; its id. `left`: who stood up before the end."""
    game_id = add_game(connection, known.get("game", "probe"), known.get("guild_id", 70))
    results = results_of(game_id, people, ranks, at=at, **known)
    ids = [who for who in people if who is not None]
    left = {seat for seat, who in enumerate(people) if who in known.get("left", ())}
    names = {who: f"person {who}" for who in ids if who not in known.get("left", ())}
    judged = ratings.judged(results, known.get("options", {}), left)
    store_results(connection, names, judged, at, accounts=names)
    return game_id


def some_game(rng: random.Random, people: int = 6) -> dict[str, Any]:
    """Any game that could end: alone, against opponents, drawn, lost by all, of one who holds two seats; the
    times come in no order, and often twice."""
    seats = rng.choice((1, 2, 2, 2, 3, 4))
    sitters: list[int | None] = [*rng.sample(range(1, people + 1), seats)]
    for seat in range(1, seats):
        if rng.random() < 0.2:
            sitters[seat] = rng.choice((None, sitters[0]))
    rng.shuffle(sitters)
    return {
        "people": sitters,
        "ranks": [rng.choice((1, 1, 2, 3)) for _ in sitters],
        "at": rng.randrange(50),
        "guild_id": rng.choice(GUILDS),
        "game": rng.choice(GAMES),
        "hands": rng.choice((0, 0, 3)),
    }


Key = tuple[int, int, str]


def stored(connection: Connection) -> dict[Key, Total]:
    """All totals by person, server and game."""
    rows = connection.execute(select(table_of(TotalRow))).mappings()
    return {
        (row["user_id"], row["guild_id"], row["game"]): Total(
            **{name: row[name] for name in Total.__struct_fields__}
        )
        for row in rows
    }


def counted(connection: Connection) -> dict[Key, Total]:
    """What the totals must be, counted row by row from the results in the order in which the games ended."""
    results = table_of(ResultRow)
    rows = list(
        connection.execute(select(results).order_by(results.c.ended_at, results.c.game_id, results.c.seat))
    )
    ranks: dict[int, list[int]] = {}
    for row in rows:
        ranks.setdefault(row.game_id, []).append(row.rank)
    sums: dict[Key, dict[str, int]] = {}
    for row in rows:
        for guild_id in {EVERYWHERE, row.guild_id or EVERYWHERE}:
            if row.user_id is None:
                continue
            total = sums.setdefault(
                (row.user_id, guild_id, row.game), dict.fromkeys(Total.__struct_fields__, 0)
            )
            alone = len(ranks[row.game_id]) == 1
            won = row.rank == 1 and (alone or any(rank > 1 for rank in ranks[row.game_id]))
            total["hands"] += row.hands
            if row.people < 2:
                total["practice"] += 1
                total["practice_wins"] += won
                continue
            total["games"] += 1
            total["wins"] += won
            total["streak"] = total["streak"] + 1 if won else 0
            total["best_streak"] = max(total["best_streak"], total["streak"])
    return {key: Total(**total) for key, total in sums.items()}
