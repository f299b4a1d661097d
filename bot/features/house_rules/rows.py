"""House rules: options of a game under a name, for a channel. A table that plays by them copies them."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from bot.store.models import HouseRulesRow, table_of
from bot.store.terms import normalized_name

_RULES = table_of(HouseRulesRow)
MOST: Final = 20
"""The most that a channel keeps, for all games together: one list holds them all, and more."""


class HouseRules(msgspec.Struct, frozen=True, kw_only=True):
    """Options of a game under a name; `channel_id` is never that of a thread."""

    id: int = 0
    guild_id: int | None
    channel_id: int
    game: str
    name: str
    options: dict[str, Any]
    saved_by: int
    saved_at: int


_COLUMNS = [_RULES.c[name] for name in HouseRules.__struct_fields__]


def of_channel(connection: Connection, channel_id: int) -> list[HouseRules]:
    """The house rules of a channel, by game and name."""
    query = select(*_COLUMNS).where(_RULES.c.channel_id == channel_id)
    ordered = query.order_by(_RULES.c.game, _RULES.c.folded)
    return [HouseRules(**row) for row in connection.execute(ordered).mappings()]


def named(connection: Connection, channel_id: int, game: str, name: str) -> HouseRules | None:
    """Those of this name, or None."""
    query = select(*_COLUMNS).where(
        _RULES.c.channel_id == channel_id, _RULES.c.game == game, _RULES.c.folded == normalized_name(name)
    )
    found = connection.execute(query).mappings().first()
    return HouseRules(**found) if found else None


def get(connection: Connection, rules_id: int) -> HouseRules | None:
    """Those of this number, or None."""
    found = connection.execute(select(*_COLUMNS).where(_RULES.c.id == rules_id)).mappings().first()
    return HouseRules(**found) if found else None


def count(connection: Connection, channel_id: int) -> int:
    """How many a channel keeps."""
    query = select(func.count()).select_from(_RULES).where(_RULES.c.channel_id == channel_id)
    return int(connection.execute(query).scalar_one())


def add(connection: Connection, rules: HouseRules) -> int:
    """Keep new ones; their number."""
    values = {name: getattr(rules, name) for name in HouseRules.__struct_fields__ if name != "id"}
    done = connection.execute(insert(_RULES).values(**values, folded=normalized_name(rules.name)))
    key = done.inserted_primary_key
    return int(key[0]) if key else 0


def rename(connection: Connection, rules_id: int, name: str) -> None:
    """Give them another name."""
    where = update(_RULES).where(_RULES.c.id == rules_id)
    connection.execute(where.values(name=name, folded=normalized_name(name)))


def replace_options(connection: Connection, rules_id: int, options: dict[str, Any], at: int) -> None:
    """Let them say something else from now on; tables that are open have their own copy."""
    where = update(_RULES).where(_RULES.c.id == rules_id)
    connection.execute(where.values(options=options, saved_at=at))


def remove(connection: Connection, rules_id: int) -> None:
    """Take them out of their channel."""
    connection.execute(delete(_RULES).where(_RULES.c.id == rules_id))
