"""Tournaments that ran before their matches had rows of their own go on after the upgrade."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from alembic import command

from bot.features.tournaments import rows as store
from bot.store.backend import migrate
from engine import brackets
from tests.support.tables.tables import patient_database

GAMES = sa.table(
    "games",
    *(sa.column(n) for n in ("id", "game", "version", "phase", "guild_id", "channel_id", "message_id")),
    *(sa.column(n) for n in ("posted_at", "host_id", "locale", "created_at", "why")),
    *(sa.column(n, sa.LargeBinary()) for n in ("seed", "nonce")),
    *(sa.column(n, sa.JSON()) for n in ("options", "terms")),
)
TOURNAMENTS = sa.table(
    "tournaments",
    *(sa.column(n) for n in ("id", "phase", "name", "game", "guild_id", "channel_id", "host_id", "locale")),
    sa.column("created_at"),
    *(sa.column(n, sa.JSON()) for n in ("options", "terms", "bracket")),
)


def game(number: int, match: str, phase: str, why: str = "", message: int | None = 1) -> dict[str, Any]:
    return {
        **{"id": number, "game": "probe", "version": 1, "phase": phase, "guild_id": 70, "why": why},
        **{"channel_id": 100 + number, "message_id": message, "posted_at": 0, "host_id": 1, "locale": "en"},
        **{"created_at": 5, "seed": b"s", "nonce": b"n", "options": {}},
        "terms": {"cup": 1, "match": match} if match else {},
    }


def fill(connection: sa.Connection) -> None:
    command.upgrade(migrate._config(connection), "0002")
    bracket = brackets.start("single", tuple("12345678"))
    bracket = bracket.report("W1.2", None).report("W1.4", "3")
    common = {"name": "C", "game": "probe", "guild_id": 70, "channel_id": 7, "host_id": 1, "locale": "en"}
    rows: list[dict[str, Any]] = [
        {"id": 1, "phase": "running", "bracket": json.loads(msgspec.json.encode(bracket))},
        {"id": 2, "phase": "open", "bracket": {}},
    ]
    for row in rows:
        connection.execute(
            sa.insert(TOURNAMENTS).values(**common, **row, created_at=5, options={}, terms={"kind": "single"})
        )
    for row in (
        game(1, "W1.1", "lobby"),
        game(2, "W1.2", "over"),  # drawn, noted, and no other table opened yet
        game(3, "W1.3", "cancelled", "expired"),  # not noted yet
        game(4, "W1.4", "over"),
        game(5, "", "live"),
        game(6, "W1.1", "cancelled", "closed"),
    ):
        connection.execute(sa.insert(GAMES).values(**row))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_what_goes_on_has_a_row(request: pytest.FixtureRequest, tmp_path: Path, kind: str) -> None:
    url = f"sqlite:///{tmp_path / 'old.db'}"
    if kind == "postgresql":
        url = request.getfixturevalue("postgres").fresh(template="template0")

    async def run() -> list[store.TournamentState]:
        await migrate._with(url, fill)
        await migrate.upgrade(url)
        database = patient_database(url)
        found = await database.read_at_once(lambda connection: store.to_bring_back(connection, 0))
        await database.close()
        return found

    running, waiting = asyncio.run(run())
    assert {key: (match.step, match.game_id, match.thread_id) for key, match in running.matches.items()} == {
        "W1.1": ("stands", 1, 101),
        "W1.3": ("stands", 3, 103),
    }
    assert running.stored.acted_at > 0
    assert (waiting.stored.phase, waiting.matches) == ("open", {})
