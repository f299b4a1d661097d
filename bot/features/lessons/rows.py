"""How far a person has come in the lessons, and whether they have been told of them."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, select

from bot.store.backend.locks import one_at_a_time
from bot.store.models import GameRow, table_of
from bot.store.people import PERSON, get_setting, put_setting
from bot.store.queries import recent_games

_GAMES = table_of(GameRow)


class Progress(msgspec.Struct, frozen=True):
    """How far somebody is: `at` moves into a lesson, and whether they have come to its end once."""

    at: int = 0
    done: bool = False


def progress(connection: Connection, user_id: int, lesson: str) -> Progress:
    """How far a person is in a lesson."""
    found: Any = get_setting(connection, PERSON, user_id, f"lesson.{lesson}")
    return Progress() if found is None else msgspec.convert(found, Progress)


def keep_progress(connection: Connection, user_id: int, lesson: str, at: int, *, done: bool) -> None:
    """Keep how far a person is; who has come to the end once stays so."""
    one_at_a_time(connection, PERSON, user_id)
    kept = Progress(at, done or progress(connection, user_id, lesson).done)
    put_setting(connection, PERSON, user_id, f"lesson.{lesson}", msgspec.to_builtins(kept))


def first_time(connection: Connection, user_id: int, game: str, table_id: int) -> bool:
    """Whether this person has never been dealt this game but at this table, and has not been asked yet
    whether they want a lesson; from now on they have been."""
    key = f"offer.{game}"
    one_at_a_time(connection, PERSON, user_id)
    if get_setting(connection, PERSON, user_id, key) is not None:
        return False
    others = (
        select(_GAMES.c.id)
        .where(_GAMES.c.id.in_(recent_games(user_id)), _GAMES.c.game == game, _GAMES.c.id != table_id)
        .where(_GAMES.c.phase.in_(("live", "over")))
    )
    put_setting(connection, PERSON, user_id, key, {"at": table_id})
    return connection.execute(others.limit(1)).first() is None
