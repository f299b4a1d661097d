"""What holds while a world runs: what the bot draws or asks of the machine, and what is noted of each act."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
from collections.abc import Iterator
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from bot import presenters
from bot.core.errors import Refused
from bot.features.nights import service as nights
from bot.features.watching import watchers
from bot.store.database import StoreError
from bot.table.table import Table
from bot.ui import context, names
from bot.ui.live import private_message
from engine import catalog
from engine.fair import NONCE_BYTES, SEED_BYTES, Commitment
from engine.game import as_json
from tests.sim import check, due, learning, screens, watching
from tests.sim import nights as sim_nights
from tests.sim import plain as sim_plain
from tests.sim.discord_in_memory import PRESS
from tests.sim.loop import PROCESS
from tests.sim.plain import plain
from tests.sim.plan import games

if TYPE_CHECKING:
    from tests.sim.world import World


class Call(msgspec.Struct):
    """One call of `Table.act`, and what became of it."""

    owner: str
    table: int
    seat: int
    decision: int | None
    action: Any
    kind: str
    press: int
    began: int | None
    """Of what a press decides besides: the entry of its first decision."""
    at: float
    out: str = ""
    """ok, no, unknown; nothing where its process died in it."""
    seq: int = 0


@contextlib.contextmanager
def surroundings(world: World) -> Iterator[None]:
    """What the bot draws or asks of the machine comes from the world; all is put back afterwards."""
    rng, before = Random(f"secrets {world.plan.seed}"), random.getstate()
    config = structlog.get_config()
    act, show = Table.act, Table._show
    kept = (secrets.token_bytes, secrets.token_hex, presenters._imported, secrets.randbits)
    clocks = (context.time, context.monotonic, private_message.monotonic, watchers.monotonic)
    plainly, inertly = names.plain, names.inert
    fresh, packages = Commitment.__dict__["fresh"], dict(catalog.PACKAGES)

    def noted(_logger: Any, _name: str, event: dict[str, Any]) -> Any:
        if event.get("level") in ("error", "critical") and event.get("event") not in EXPECTED:
            error = event.get("exc_info")
            world.wrong.append(f"logged: {event.get('event')} {event.get('task', '')} {error!r}")
        raise structlog.DropEvent

    structlog.configure(
        processors=[structlog.stdlib.add_log_level, noted],
        wrapper_class=structlog.make_filtering_bound_logger(40),
        cache_logger_on_first_use=False,
    )
    for game in packages.keys() - set(games()):
        del catalog.PACKAGES[game]  # what tests add to it
    Commitment.fresh = classmethod(  # type: ignore[method-assign, assignment]
        lambda cls: cls(rng.randbytes(SEED_BYTES), rng.randbytes(NONCE_BYTES))
    )
    secrets.token_bytes = rng.randbytes  # type: ignore[assignment]
    secrets.randbits = rng.getrandbits  # type: ignore[assignment]
    secrets.token_hex = lambda size=16: rng.randbytes(size).hex()  # type: ignore[assignment]
    presenters._imported = plain  # type: ignore[assignment]
    context.time = SimpleNamespace(monotonic=world.loop.time)  # type: ignore[assignment]
    context.monotonic = private_message.monotonic = watchers.monotonic = world.loop.time  # type: ignore[assignment]
    # people have few names here, and looking through their letters takes a tenth of a press
    names.plain, names.inert = cache(plainly), cache(inertly)
    Table.act = _witnessed(world, act)  # type: ignore[method-assign]

    def shown(table: Table, **how: Any) -> None:
        check.owed(world, table)
        screens.changed(world, table)
        if world.watchers:
            watching.changed(world, table)
        show(table, **how)

    Table._show = shown  # type: ignore[method-assign]
    look = sim_nights.patched()
    if world.has_lessons:
        sim_plain.offered = learning.OFFERED
    random.seed(f"anything {world.plan.seed}")
    try:
        with due.witnessed(world):
            yield
    finally:
        nights.LOOK_SECONDS = look
        sim_plain.offered = sim_plain.MOST_OFFERED
        Commitment.fresh = fresh  # type: ignore[method-assign]
        catalog.PACKAGES.clear()
        catalog.PACKAGES.update(packages)
        Table.act, Table._show = act, show  # type: ignore[method-assign]
        names.plain, names.inert = plainly, inertly
        secrets.token_bytes, secrets.token_hex, presenters._imported, secrets.randbits = kept
        context.time, context.monotonic, private_message.monotonic, watchers.monotonic = clocks
        structlog.configure(**config)
        random.setstate(before)


EXPECTED = ("another process has taken over; this one stops",)
"""What is logged as an error, and follows from what the plan breaks."""


def _witnessed(world: World, act: Any) -> Any:
    async def acted(
        table: Table,
        seat: int,
        decision: int | None,
        action: Any,
        *,
        kind: str = "act",
        press: int | None = None,
        **how: Any,
    ) -> int:
        process, task = PROCESS.get(), asyncio.current_task()
        # what opponents and clocks do may have been started by a press, and is not of it
        pressed = PRESS.get() if task is not None and task.get_name().startswith("press ") else None
        call = Call(
            process.name if process else "",
            table.id,
            seat,
            decision,
            as_json(action),
            kind,
            pressed.id if pressed is not None else 0,
            press,
            world.loop.time(),
        )
        world.calls.append(call)
        early = due.is_early(table, seat, kind, present=how.get("present", True))
        try:
            seq = await act(table, seat, decision, action, kind=kind, press=press, **how)
        except StoreError as found:
            call.out = "unknown" if found.kind == "unknown" else "no"
            raise
        except Refused as found:
            call.out = "unknown" if found.key == "slow" else "no"
            raise
        except Exception:
            call.out = "no"
            raise
        call.out, call.seq = "ok", seq
        if early:
            world.wrong.append(f"early: {kind} {seq} at table {table.id}, seat {seat} still has time")
        return int(seq)

    return acted
