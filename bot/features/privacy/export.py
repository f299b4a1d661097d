"""Everything about one person as one file: their rows, and the records of their finished games."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import Sequence
from typing import Any, Final

import msgspec
import structlog
from sqlalchemy import Connection

from bot.store import games as store
from bot.store.games import Stored
from bot.store.personal_data import personal
from bot.table.daily import is_sealed
from bot.table.journal import standing
from bot.table.registry import Tables
from bot.table.table import entropy_of
from engine import catalog, record
from engine.fair import Commitment
from engine.game import Refusal, Setup, UnknownRules

log = structlog.get_logger(__name__)

BATCH: Final = 10
"""So many records are written at a time, in the worker."""
MOST_BYTES: Final = 24 * 1024 * 1024
"""Maximum size of all records before they are packed to a tenth."""
FILE_BYTES: Final = 10 * 1024 * 1024
"""Maximum size of a file at Discord, in servers without boosts."""


class FinishedExport(msgspec.Struct, frozen=True):
    """A finished game, as far as its record needs it."""

    table: int
    game: str
    version: int
    options: dict[str, Any]
    fair: Commitment
    entropy: list[int]
    names: list[str]
    house_rules: str
    acts: list[tuple[int, list[object]]]


class Export(msgspec.Struct, frozen=True):
    """A file for the person alone; `left_out` counts the games for which there was no room."""

    data: bytes
    records: int
    left_out: int


def written(games: Sequence[FinishedExport]) -> list[tuple[int, bytes]]:
    """The records of these games by their tables; runs in the worker. One that no longer replays has none."""
    found = []
    for each in games:
        try:
            rules = catalog.get(each.game).at(each.version)
            options = {**rules.defaults(), **each.options}
            key = each.fair.deal_key(each.entropy)
            setup = Setup(each.game, each.version, len(each.names), options, key)
            acts = [(seat, rules.action(data)) for seat, data in each.acts]
            made = record.write(
                setup,
                acts,
                commitment=each.fair,
                entropy=each.entropy,
                names=each.names,
                house_rules=each.house_rules,
            )
        except (Refusal, UnknownRules, LookupError, ValueError) as error:
            log.warning("no record of a table", table=each.table, why=str(error))
        else:
            found.append((each.table, record.to_json(made)))
    return found


async def export(tables: Tables, user_id: int, at: int) -> Export:
    """All that is kept about a person, as a ZIP: `me.json`, and a record of each finished game.

    Raises:
        StoreError: it could not be read.
        NoAnswer: the records could not be written in time.
    """
    rows, ids = await tables.database.read_at_once(
        lambda c: (personal.everything(c, user_id, at), personal.finished(c, user_id))
    )
    records, size, done = list[tuple[int, bytes]](), 0, 0
    while done < len(ids) and size < MOST_BYTES:
        batch = ids[done : done + BATCH]
        found = await tables.database.read_at_once(lambda c, batch=batch: _read(c, batch, at))  # type: ignore[misc]
        made = await tables.thinker.run(written, found, whose=user_id)
        if not isinstance(made, list):
            raise TypeError(f"no records but {type(made)}")
        records += made
        size += sum(len(data) for _, data in made)
        done += len(batch)
    left_out = len(ids) - done
    while True:
        about = {"made_at": at, "id": str(user_id), "without_record": len(ids) - len(records), "tables": rows}
        data = await asyncio.to_thread(_packed, msgspec.json.format(msgspec.json.encode(about)), records)
        if len(data) <= FILE_BYTES or not records:
            return Export(data, len(records), left_out)
        dropped = (len(records) + 1) // 2
        records, left_out = records[:-dropped], left_out + dropped


def _read(connection: Connection, ids: Sequence[int], at: int) -> list[FinishedExport]:
    found = []
    for table_id in ids:
        stored = store.whole(connection, table_id)
        if stored is not None and not is_sealed(stored.game.terms, at):
            found.append(_finished(stored))
    return found


def _finished(stored: Stored) -> FinishedExport:
    game = stored.game
    return FinishedExport(
        table=game.id,
        game=game.game,
        version=game.version,
        options=game.options,
        fair=Commitment(game.seed, game.nonce),
        entropy=entropy_of(stored.sitters),
        names=[sitter.name for sitter in stored.sitters],
        house_rules=game.terms.house_rules,
        acts=[(entry.seat, entry.data) for entry in standing(stored.journal)],
    )


def _packed(about: bytes, records: Sequence[tuple[int, bytes]]) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("me.json", about)
        for table_id, data in records:
            file.writestr(f"records/valence-{table_id}.json", data)
    return whole.getvalue()
