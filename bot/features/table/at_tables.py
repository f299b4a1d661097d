"""What features add to the messages of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from bot.table.table import Table
from bot.ui.components import Message
from bot.ui.feature_loader import load

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class AtTables:
    """Functions of one feature that add to the message of a table; each may return nothing.

    Attributes:
        lobby: Returns the lobby of a table that is special to this feature.
        closed: Returns why such a table closed before a game was over.
        result: Returns what the end of a game decides.
        end_note: Returns a line below everything else at the end of a game.
    """

    lobby: Callable[[Table], Message | None] | None = None
    closed: Callable[[Table], str] | None = None
    result: Callable[[Table], str] | None = None
    end_note: Callable[[Table], str] | None = None


def special_lobby(table: Table) -> Message | None:
    """Return the lobby that a feature shows for this table, or None for the usual one."""
    return next(_made(table, "lobby"), None)


def why_closed(table: Table) -> str:
    """Return the words of a feature for a table that closed early, or an empty string."""
    return next(_made(table, "closed"), "")


def results(table: Table) -> list[str]:
    """Return what the end of this game decides elsewhere, as in a tournament."""
    return list(_made(table, "result"))


def end_notes(table: Table) -> list[str]:
    """Return the lines below everything else at the end of a game."""
    return list(_made(table, "end_note"))


def _made(table: Table, name: str) -> Iterator[T]:
    for feature in load().values():
        make = getattr(feature.at_tables, name)
        if make is not None and (found := make(table)):
            yield found
