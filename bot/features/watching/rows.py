"""Guesses of those who watch: who wins. Nothing is won by them but the pleasure of having been right."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, func, select, update

from bot.store.models import GuessRow, table_of
from bot.store.people import put

_GUESSES = table_of(GuessRow)


def guess_of(connection: Connection, game_id: int, user_id: int) -> int | None:
    """What somebody has guessed at a table, or None."""
    query = select(_GUESSES.c.side).where(_GUESSES.c.game_id == game_id, _GUESSES.c.user_id == user_id)
    return connection.execute(query).scalar_one_or_none()


def keep(connection: Connection, game_id: int, user_id: int, side: int, at: int) -> None:
    """Keep a guess in the place of an earlier one."""
    row = {"game_id": game_id, "user_id": user_id, "side": side, "right": None, "at": at}
    put(connection, _GUESSES, ("game_id", "user_id"), [row])


def judge(connection: Connection, game_id: int, right: Collection[int]) -> None:
    """Note which guesses of a game came true: those of these sides."""
    at_table = update(_GUESSES).where(_GUESSES.c.game_id == game_id)
    connection.execute(at_table.values(right=0))
    connection.execute(at_table.where(_GUESSES.c.side.in_(right)).values(right=1))


def hits(connection: Connection, user_id: int) -> tuple[int, int]:
    """How often somebody guessed right, of how many times that could be told."""
    query = select(func.coalesce(func.sum(_GUESSES.c.right), 0), func.count(_GUESSES.c.right))
    right, told = connection.execute(query.where(_GUESSES.c.user_id == user_id)).one()
    return int(right), int(told)
