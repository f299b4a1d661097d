"""The lobby of a game night, with a seat for each guest as long as there are some."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from bot.features.house_rules.service import fitting
from bot.features.nights import rows as store
from bot.features.nights.rows import Guest, Night, NightCall
from bot.store.database import Database
from bot.store.games import Deadline, Sitter, StoredGame
from bot.store.servers import Opening, opening_of, server_of
from bot.store.terms import DAY, Knock, Terms
from bot.table.people.reserved_seats import HELD, RESERVED_MS
from bot.table.registry import Tables
from bot.table.table import Table
from engine import catalog


async def open_lobby(
    tables: Tables, database: Database, night: Night, coming: Sequence[Guest], owed: Sequence[NightCall]
) -> Table:
    """Open the lobby of a night for those who come, and owe these steps.

    Raises:
        Overtaken: the night is planned no more.
        Refused: the lobby may not be opened.
        StoreError: it could not be stored.
    """
    game = catalog.get(night.game)
    # house rules that have changed too much are left out, and the lobby says how it is played
    by = fitting(night.game, night.rules["options"]) if night.rules else None
    options = by or dict(game.defaults())
    seated = coming[: night.seats]
    people, host = [guest.user_id for guest in seated], night.host_among(seated)
    usual = await database.read_at_once(lambda c: _usual(c, night))
    stored: StoredGame = tables.opener.new_game(
        game,
        options,
        Terms(
            clock=DAY if usual.clock is None else usual.clock,
            held=tuple(people),
            waiting=tuple(
                Knock(user=one.user_id, name=one.name, entropy=one.entropy) for one in coming[night.seats :]
            ),
            seats=night.seats,
            house_rules=night.house_rules if by else "",
        ),
        host_id=host,
        channel_id=night.channel_id,
        guild_id=night.guild_id,
        locale=night.locale,
    )
    sitters = [Sitter(one.name, user_id=one.user_id, entropy=one.entropy) for one in seated]
    now = tables.lease_holder.now()

    def due(table_id: int) -> tuple[Deadline, ...]:
        closes = Deadline(table_id, "lobby", -1, now + tables.opener.lobby_ms + RESERVED_MS)
        return Deadline(table_id, HELD, -1, now + RESERVED_MS), closes

    def also(connection: Connection, table_id: int) -> None:
        store.end(connection, night.id, "open", table_id, owed=owed)

    return await tables.opener.open(stored, sitters, due=due, also=also, unbounded=True)


def _usual(connection: Connection, night: Night) -> Opening:
    """How tables begin in its channel."""
    return opening_of(connection, night.channel_id).before(server_of(connection, night.guild_id))
