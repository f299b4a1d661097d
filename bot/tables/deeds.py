"""What people did in finished games, for their statistics: who began, and which cards they played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import structlog

from bot.store import games as store
from bot.store import people
from bot.store.database import Database, StoreError
from bot.store.people import Deed
from bot.tables.journal import standing
from bot.tables.ports import Thinker
from bot.tables.table import Table
from bot.tables.tasks import Spawn
from bot.workers.errors import NoAnswer
from engine import catalog
from engine.game import Seat, Setup

log = structlog.get_logger(__name__)


def done(setup: Setup, acts: Sequence[tuple[Seat, Any]]) -> list[Deed]:
    """By seat, what was done in a game, its acts as JSON; runs in the worker."""
    game = catalog.get(setup.game).at(setup.version)
    state = game.deal(setup)
    first = state.to_act()
    state.events = []
    cards: list[dict[str, int]] = [{} for _ in range(setup.seats)]
    for seat, data in acts:
        state.events.clear()
        state.push(seat, game.action(data))
        for event in state.events:
            if event.seat == seat:
                for card in game.played(event.kind, {**event.facts, **event.secret}):
                    cards[seat][card] = cards[seat].get(card, 0) + 1
    began = first[0] if len(first) == 1 < setup.seats else None
    return [
        Deed(seat, None if began is None else int(seat == began), played) for seat, played in enumerate(cards)
    ]


class Deeds:
    """Notes with the results of each finished game what its people did. A game that a stop keeps from it has
    no such notes; statistics go without."""

    def __init__(self, database: Database, thinker: Thinker, spawn: Spawn) -> None:
        self._database = database
        self._thinker = thinker
        self._spawn = spawn

    def note(self, table: Table) -> None:
        """Note what was done at a table that has ended, if it was played to its end."""
        if table.outcome() is not None and not (table.stored.terms.practice or table.stored.terms.daily):
            self._spawn(self._note(table), f"deeds at table {table.id}")

    async def _note(self, table: Table) -> None:
        try:
            acts = standing(await self._database.read_at_once(lambda c: store.journal(c, table.id)))
            found = await self._thinker.ponder(
                done,
                table.setup(),
                [(entry.seat, entry.data) for entry in acts],
                whose=table.stored.channel_id,
            )
            await self._database.write_at_once(lambda c: people.keep_deeds(c, table.id, found))
        except StoreError as error:
            log.warning("deeds not noted", table=table.id, why=error.kind)
        except NoAnswer as lost:
            log.warning("deeds not noted", table=table.id, why=lost.why)
