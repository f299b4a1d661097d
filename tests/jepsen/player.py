"""One process of the bot, seen from outside: tables that are asked for things, and what they answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.core.lease_holder import LeaseHolder
from bot.features.daily.morning_rows import Morning, Summary
from bot.store.database import Database, Fenced, StoreError
from bot.store.games import Whereabouts
from bot.store.terms import Terms
from bot.table import lobby
from bot.table.registry import Tables
from bot.table.table import Table
from bot.table.thinking import WorkerThinker
from engine import catalog
from engine.game import Refusal
from tests.jepsen.marks import Say
from tests.support.tables.tables import PLENTY

_PRESS: ContextVar[dict[str, Any] | None] = ContextVar("press", default=None)
"""What is known of the press in whose name something is stored."""


@contextmanager
def marks_listed() -> Iterator[None]:
    """The game of marks is in the catalog, as long as it is played and no longer: it has no presenter."""
    before = catalog.PACKAGES.get("marks")
    catalog.PACKAGES["marks"] = "tests.jepsen.marks"
    try:
        yield
    finally:
        if before is None:
            del catalog.PACKAGES["marks"]


class Witness:
    """A publisher that notes which step of which table a press became, in the moment it was stored."""

    def changed(self, table: Table, events: Sequence[Any]) -> None:
        note = _PRESS.get()
        # the last one counts: a change begins by telling of one before it that was in doubt
        if note is not None:
            note["revision"], note["seq"] = table.stored.revision, table.seq
            note["deal"] = deal_of(table)

    def resting(self, place: Whereabouts) -> None:
        """Found by the checker: it does not replay."""

    def came_back(self, table: Table) -> None: ...
    def remind(self, table: Table, seat: int, seconds: int, *, aloud: bool, ping: bool = True) -> None: ...

    def on_holiday(self, table: Table, seat: int, until: int) -> None: ...
    def nudge(self, table: Table, seat: int) -> None: ...
    async def morning(self, channel_id: int, morning: Morning, summary: Summary) -> None: ...


def deal_of(table: Table) -> str:
    """What is dealt at a table, as a few letters; empty in a lobby."""
    state: Any = table.state
    return str(state.deal) if state is not None and table.phase != "lobby" else ""


def unopened_tables(database: Database, clock: Clock, seconds: float, renew_every: float) -> Tables:
    """Tables that are not open yet."""
    lease_holder = LeaseHolder(database, clock, seconds=seconds, renew_every=renew_every)
    return Tables(
        database, clock, WorkerThinker(0), Witness(), pace=0.0, lease_holder=lease_holder, quotas=PLENTY
    )


async def ask(tables: Tables, press: dict[str, Any]) -> dict[str, Any]:
    """Do what a press asks for; what a person would hear, and what they would see then."""
    if not tables.tasks._open or not (leases := tables.lease_holder._mine):
        return {"out": "standby"}
    note: dict[str, Any] = {}
    _PRESS.set(note)
    table_id = press.get("table", 0)
    try:
        if press["do"] == "new":
            table_id = (await _new(tables, press)).id
            note = {"table": table_id}
        elif press["do"] != "look":
            await _change(await tables.get(table_id), press)
        answer = {"out": "ok", "epoch": leases[-1].epoch, **note}
    except (Refused, Refusal, StoreError) as error:
        answer = heard(error)
    if table_id and (table := tables.cache.get(table_id)) is not None:
        answer["view"] = view(table)
    elif press["do"] == "look":
        answer = await _look(tables, table_id)
    return answer


async def _look(tables: Tables, table_id: int) -> dict[str, Any]:
    try:
        return {"out": "ok", "view": view(await tables.get(table_id))}
    except (Refused, StoreError) as error:
        return heard(error)


def heard(error: Exception) -> dict[str, Any]:
    """What the words for this error say: it was not stored, or nobody knows."""
    if isinstance(error, Fenced):
        return {"out": "no", "why": "fenced"}
    if isinstance(error, StoreError):
        # the words of these two leave it open; all others say that nothing was changed
        out = "unknown" if error.kind in ("unknown", "slow") else "no"
        return {"out": out, "why": f"store {error.kind}"}
    if isinstance(error, Refused):
        return {"out": "unknown" if error.key == "slow" else "no", "why": error.key}
    assert isinstance(error, Refusal)
    return {"out": "no", "why": error.rule}


async def _new(tables: Tables, press: dict[str, Any]) -> Table:
    return await tables.opener.open_lobby(
        "marks",
        host_id=press["user"],
        host_name=f"person {press['user']}",
        entropy=press["id"],
        channel_id=press["id"],
        guild_id=None,
        locale="en",
        options={"rounds": press.get("rounds", 3)},
        terms=Terms(clock=590),  # no word of the bot in between that would be a change of its own
    )


async def _change(table: Table, press: dict[str, Any]) -> None:
    user, mark = press["user"], press["id"]
    changes: dict[str, Callable[[], Any]] = {
        "join": lambda: lobby.join(table, user, f"person {user}", mark),
        "leave": lambda: lobby.leave(table, user),
        "option": lambda: lobby.set_options(table, {"mood": mark}),
        "start": lambda: lobby.start(table, user),
        "act": lambda: table.act(press["seat"], press["decision"], Say("say", mark)),
        "cancel": lambda: table.cancel("closed"),
    }
    await changes[press["do"]]()


def view(table: Table) -> dict[str, Any]:
    """What people see of a table."""
    return {
        "phase": table.phase,
        "host": table.stored.host_id,
        "seats": [sitter.user_id for sitter in table.sitters],
        "waiting": list(table.waiting()),
        "decisions": list(table.decisions),
    }


async def cancelled(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """End these tasks, whatever they are at."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
