"""What deletion does with house rules."""

from __future__ import annotations

from itertools import chain, count
from typing import Final

from sqlalchemy import Connection, delete, select, update

from bot.store.models import HouseRulesRow, table_of
from bot.store.personal_data.begun_deletion import BegunDeletion
from bot.store.personal_data.special_tables import SpecialTable
from bot.store.terms import LONGEST_RULES, normalized_name

_RULES = table_of(HouseRulesRow)


def _leave(connection: Connection, begun: BegunDeletion) -> dict[str, str]:
    """Leave the person's house rules to their channels, and delete those in direct messages. Return the new
    names by the old ones."""
    mine = _RULES.c.saved_by == begun.user_id
    connection.execute(delete(_RULES).where(mine, _RULES.c.guild_id.is_(None)))
    renamed: dict[str, str] = {}
    for row in connection.execute(select(_RULES).where(mine)).all():
        name = fresh = begun.theirs(row.name)[:LONGEST_RULES]
        if fresh != row.name:
            taken = {
                name.casefold()
                for name in connection.execute(
                    select(_RULES.c.name).where(
                        _RULES.c.channel_id == row.channel_id,
                        _RULES.c.game == row.game,
                        _RULES.c.id != row.id,
                    )
                ).scalars()
            }
            # two names may have differed only in the person's name
            numbered = (f"{name[: LONGEST_RULES - 4]} {n}" for n in count(2))
            fresh = next(each for each in chain([name], numbered) if each.casefold() not in taken)
            renaming = update(_RULES).where(_RULES.c.id == row.id)
            connection.execute(renaming.values(name=fresh, folded=normalized_name(fresh)))
            renamed[row.name] = fresh
    return renamed


TABLES: Final[tuple[SpecialTable, ...]] = (SpecialTable(table=_RULES, begin=_leave),)
