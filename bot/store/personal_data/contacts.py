"""Deletion of blocks and requests: a row goes with either of its two people."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, delete

from bot.store.models import BlockRow, RequestRow, table_of
from bot.store.personal_data.special_tables import SpecialTable

_BLOCKS, _REQUESTS = table_of(BlockRow), table_of(RequestRow)


def _drop_blocks(connection: Connection, user_id: int) -> None:
    """Remove the person from the lists of others."""
    connection.execute(delete(_BLOCKS).where(_BLOCKS.c.blocked_id == user_id))


def _drop_requests(connection: Connection, user_id: int) -> None:
    """Remove what others asked of the person."""
    connection.execute(delete(_REQUESTS).where(_REQUESTS.c.asked_id == user_id))


TABLES: Final[tuple[SpecialTable, ...]] = (
    SpecialTable(table=_BLOCKS, end=_drop_blocks),
    SpecialTable(table=_REQUESTS, end=_drop_requests),
)
