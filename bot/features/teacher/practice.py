"""Practice: a position of a finished game once more, its cards as they lay, against the computer."""

from __future__ import annotations

from collections.abc import Mapping

from bot.core.errors import Refused
from bot.store import games as store
from bot.store.games import Deadline, Entry, Sitter, StoredGame
from bot.store.terms import Terms
from bot.table.daily import is_sealed, opens_at
from bot.table.game_runner import steady
from bot.table.journal import standing
from bot.table.registry import Tables
from bot.table.table import Table, entropy_of
from bot.table.table_kinds import NOWHERE, can_retry, reviewed_seat
from bot.table.turns import turn_deadlines
from engine import record
from engine.game import Seat, Setup


async def practise(
    tables: Tables,
    table: Table,
    user_id: int,
    act: int | None,
    *,
    seat: Seat | None = None,
    name: str = "",
    names: Mapping[Seat, str],
) -> Table:
    """Open a practice table at the position of a finished one after `act` acts.

    Without `act`, the finished table was practice itself, and the new one begins at the same position.
    Nothing of practice counts, and only its player sees it.

    The person takes `seat` under this `name`, or by default their own seat, which must be the one to act.
    `names` are those of the opponents in the seats of the other people.

    Raises:
        Refused: it is no decision of theirs, nothing came after it, there are as many tables as there may be,
            or others may still be playing this deal of the day: what one account learns, a second could use.
        StoreError: it could not be stored.
    """
    before = table.stored
    if is_sealed(before.terms, tables.clock.now()):
        raise Refused("review_sealed", at=opens_at(before.terms))
    acts = await tables.database.read_at_once(lambda c: store.journal(c, table.id))
    first = before.terms.practice
    if act is None:
        # by the entries that it began with, also where some were taken back
        act = before.terms.position if can_retry(table) else len(acts)
    else:
        acts, first = standing(acts), table.id
    if table.outcome() is None or act >= len(acts):
        raise Refused("no_practice")
    if seat is None:
        seat = reviewed_seat(table, user_id)
        if seat is None or acts[act].seat != seat:
            raise Refused("no_practice")
    if seat >= len(table.sitters):
        raise Refused("no_practice")
    now, daily = tables.clock.now(), before.terms.daily
    journal = [Entry(number, one.kind, one.seat, one.data, now) for number, one in enumerate(acts[:act], 1)]
    level = steady(table.game)
    # each seat keeps what it added to the deal
    sitters = [
        Sitter(name or who.name, user_id=user_id, entropy=who.entropy)
        if place == seat or table.held_by_one
        else Sitter(names.get(place, who.name), level=level, entropy=who.entropy)
        for place, who in enumerate(table.sitters)
    ]
    stored = StoredGame(
        game=before.game,
        version=before.version,
        phase="live",
        options=before.options,
        terms=Terms(
            practice=first,
            position=act,
            daily=daily,
            hints=not daily,
            house_rules=before.terms.house_rules,
        ),
        guild_id=None,
        channel_id=NOWHERE,
        host_id=user_id,
        locale=before.locale,
        seed=before.seed,
        nonce=before.nonce,
        created_at=now,
        touched_at=now,
    )
    key = table.commitment.deal_key(entropy_of(sitters))
    setup = Setup(before.game, before.version, len(sitters), before.options, key)
    state = record.play(setup, [(one.seat, table.game.action(one.data)) for one in journal])

    def due(table_id: int) -> tuple[Deadline, ...]:
        return turn_deadlines(table_id, sitters, stored.terms, state, (), now=table.now(), by=user_id)

    opened = await tables.opener.open(stored, sitters, journal, due=due)
    tables.runtime.begin(opened)
    return opened
