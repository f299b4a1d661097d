"""Changes of a lobby: its seats, the options of the game, and the terms of the table.

Each function changes a `Table` like its own methods do: it raises the same errors, and then nothing has
changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from bot.core.errors import Refused
from bot.store.contacts import forget_requests_among
from bot.store.games import Change, Deadline, Sitter
from bot.store.terms import Access
from bot.table.news import STARTED, with_news
from bot.table.people.contacts import coming, must_be_admitted
from bot.table.people.friendly_games import dealt_terms, with_newcomers
from bot.table.people.reserved_seats import seat_freed
from bot.table.table import Table, changes
from engine.game import Setup, Value


@changes
async def join(table: Table, user_id: int, name: str, entropy: int) -> None:
    """Sit down. `entropy` is the snowflake of the button press."""
    table.must_be("lobby")
    if table.seats_of(user_id):
        raise Refused("already_seated")
    must_be_admitted(table.stored, user_id)
    if not table.stored.terms.admits(user_id) and user_id != table.stored.host_id:
        raise Refused("private_table" if table.stored.terms.access == "private" else "by_invitation")
    seats = [*table.sitters, Sitter(name, user_id=user_id, entropy=entropy)]
    if invited := table.stored.terms.invited:
        if user_id not in invited:
            raise Refused("not_invited")
        seats.sort(key=lambda sitter: invited.index(sitter.user_id or 0))
    room_for(table, len(seats), seeking=True)
    before = table.stored.terms
    knocks = tuple(knock for knock in before.knocks if knock.user != user_id)
    terms = await with_newcomers(table, replace(before, knocks=knocks), [user_id])
    also = coming(table.stored, table.people(), user_id)
    await table.keep(Change({"terms": terms}, seats, also=also))


@changes
async def leave(table: Table, user_id: int) -> None:
    """Leave a table before the start.

    If the host leaves, the next person becomes host. If no one sits or waits there any more, the lobby
    closes.
    """
    table.must_be("lobby")
    if not table.seats_of(user_id):
        raise Refused("not_seated")
    seats = [sitter for sitter in table.sitters if sitter.user_id != user_id]
    people = [sitter.user_id for sitter in seats if sitter.user_id is not None]
    before = table.stored.terms
    if not people and not before.waiting:
        await table.end("cancelled", "everybody_left")
        return
    host = table.stored.host_id if table.stored.host_id in people or not people else people[0]
    terms = replace(before, held=tuple(user for user in before.held if user != user_id))
    await table.keep(Change({"host_id": host, "terms": terms}, seats, seat_freed(table)))


@changes
async def add_opponent(table: Table, level: str, name: str) -> None:
    """Seat a computer opponent of this level."""
    table.must_be("lobby")
    opponent = Sitter(name, level=level)
    _must_know(table, [opponent])
    room_for(table, len(table.sitters) + 1)
    await _keep(table, [*table.sitters, opponent])


@changes
async def remove_opponent(table: Table) -> None:
    """Remove the computer opponent that was added last."""
    table.must_be("lobby")
    last = next((s for s in reversed(range(len(table.sitters))) if table.sitters[s].level), None)
    if last is None:
        raise Refused("no_opponent")
    await _keep(table, [s for n, s in enumerate(table.sitters) if n != last])


@changes
async def set_options(table: Table, chosen: Mapping[str, Value], *, house_rules: str | None = None) -> None:
    """Change several options of the game at once, if the game still fits those seated.

    `house_rules` is the name of the house rules with these options, or empty for none. None keeps the name if
    the options stay the same.
    """
    table.must_be("lobby")
    options = {**table.stored.options, **chosen}
    allowed = table.game.seats(options)
    seats = max(len(table.sitters), allowed[0] if allowed else 1)
    trial = Setup(table.stored.game, table.stored.version, seats, options, b"")
    if refusal := table.game.check(trial):
        raise refusal
    terms = table.stored.terms
    if house_rules is not None or options != table.stored.options:
        terms = replace(terms, house_rules=house_rules or "")
    await _keep(table, options=options, terms=terms)


@changes
async def agree(
    table: Table,
    *,
    clock: int | None = None,
    thread: bool | None = None,
    access: Access | None = None,
    hints: bool | None = None,
    level: str | None = None,
    opponents: Sequence[Sitter] | None = None,
) -> None:
    """Change terms other than the rules (see `bot.store.terms.Terms`), and the computer opponents.

    The opponents sit behind the people. None leaves a setting as it is.
    """
    table.must_be("lobby")
    before = table.stored.terms
    terms = replace(
        before,
        clock=before.clock if clock is None else clock,
        thread=before.thread if thread is None else thread,
        access=before.access if access is None else access,
        knocks=() if access == "private" else before.knocks,
        hints=before.hints if hints is None else hints,
        level=before.level if level is None else level,
    )
    if level:
        _must_know(table, [Sitter("", level=level)])
    sitters = None
    if opponents is not None:
        _must_know(table, opponents)
        sitters = [*(sitter for sitter in table.sitters if not sitter.level), *opponents]
        if opponents:
            room_for(table, len(sitters))
    await _keep(table, sitters, terms=terms)


@changes
async def start(table: Table, by: int, *, joined_by: Sequence[Sitter] = ()) -> None:
    """Deal the game. The computer opponents in `joined_by` take their seats first.

    Each opponent is stored with the level that it actually plays in this game.
    """
    table.must_be("lobby")
    reserved = table.stored.terms.held
    if names := [
        sitter.name for sitter in table.sitters if sitter.user_id in reserved and sitter.user_id != by
    ]:
        raise Refused("seats_kept", names=", ".join(names))
    _must_know(table, joined_by)
    sitters = in_order([*table.sitters, *joined_by], table.stored.terms.order)
    if table.held_by_one and len(sitters) > 1:
        # everyone would see both hands, so the others must leave first
        raise Refused("for_one")
    if table.held_by_one:
        # one person holds every seat, and their entropy counts once
        empty = Sitter(sitters[0].name, user_id=sitters[0].user_id)
        sitters = [sitters[0]] + [empty] * (table.game.seats(table.stored.options)[0] - 1)
    setup = table.setup(sitters)
    if refusal := table.game.check(setup):
        raise refusal
    sitters = [
        replace(sitter, level=sitter.level and table.game.level_in(sitter.level, setup.seats, setup.options))
        for sitter in sitters
    ]
    state = table.game.deal(setup)
    state.events = []
    # the lobby may be older than the current rules
    terms = dealt_terms(table)
    columns = {"phase": "live", "version": setup.version, "options": setup.options, "terms": terms}
    deadlines = table.deadlines_of(state, sitters=sitters)
    if table.stored.terms.knocks:
        deadlines = with_news(deadlines, table.news(STARTED))
    people = [] if table.stored.terms.tournament else table.people()
    also = partial(forget_requests_among, people=people) if len(people) > 1 else None
    await table.keep(Change(columns, sitters, deadlines, also=also), state)


@changes
async def await_players(table: Table, minutes: int) -> None:
    """Start the clock of a match. Players who have not come after this many minutes lose it.

    A clock that is already running stays as it is.
    """
    table.must_be("lobby")
    if not table.deadlines:
        due = Deadline(table.id, "lobby", -1, table.now() + minutes * 60_000)
        await table.keep(Change(deadlines=(due,)))


@changes(quiet=True)
async def stop_waiting(table: Table) -> None:
    """Stop the clock of a match that waits for its players."""
    if table.phase == "lobby" and table.deadlines:
        await table.keep(Change(deadlines=(), quiet=True))


@changes(quiet=True)
async def lead_on(table: Table, to: int) -> None:
    """Store the table at which those who sat here play again."""
    await table.keep(Change({"terms": replace(table.stored.terms, next=to)}, quiet=True))


def missing_players(table: Table) -> list[int]:
    """Return the people for whom the deal waits, and who have not come yet.

    They sat at the table that this one follows, or were challenged.
    """
    seated = table.people()
    return [user for user in table.stored.terms.order if user and user not in seated]


def can_start(table: Table) -> bool:
    """Return whether the game can start with those seated."""
    if table.held_by_one:
        return len(table.sitters) == 1
    return len(table.sitters) in table.game.seats(table.stored.options)


def is_complete(table: Table) -> bool:
    """Return whether the game is dealt at once, because everyone for whom the table waits is there.

    These are both players of a match, those who play again, or the person who was challenged.
    """
    terms = table.stored.terms
    is_everyone_there = len(table.sitters) == len(terms.invited) or (
        bool(terms.order) and not missing_players(table)
    )
    return table.phase == "lobby" and is_everyone_there and can_start(table)


async def deal_if_complete(table: Table) -> bool:
    """Deal if everyone for whom the table waits is there. Return whether this call has dealt.

    Raises:
        Refused: the table cannot be dealt.
        Refusal: the rules do not allow it.
    """
    if not is_complete(table):
        return False
    try:
        await start(table, table.stored.host_id)
    except Refused as refusal:
        if refusal.key != "already_started":  # someone who joined at the same moment has dealt
            raise
        return False
    return True


def in_order(sitters: Sequence[Sitter], order: Sequence[int]) -> list[Sitter]:
    """Return the sitters in this order of user ids, with 0 for an opponent.

    If the order does not match those seated, return them unchanged.
    """
    people = {sitter.user_id: sitter for sitter in sitters if sitter.user_id is not None}
    opponents = [sitter for sitter in sitters if sitter.user_id is None]
    if sorted(order) != sorted([*people, *(0 for _ in opponents)]):
        return list(sitters)
    waiting = iter(opponents)
    return [people[user] if user else next(waiting) for user in order]


def _must_know(table: Table, opponents: Sequence[Sitter]) -> None:
    for sitter in opponents:
        if sitter.level not in table.game.opponents:
            raise Refused("no_such_level", level=sitter.level)


def room_for(table: Table, seats: int, *, seeking: bool = False) -> None:
    """Check that this many players may sit here.

    Raises:
        Refused: they may not. Someone `seeking` a seat reads where else there may be one.
    """
    if table.held_by_one and seats > 1:
        raise Refused("for_one")
    if table.game.seats(table.stored.options) and seats > (most := places(table)):
        raise Refused("full_here" if seeking else "full", n=most)


def places(table: Table) -> int:
    """Return the number of seats for people and opponents."""
    if table.held_by_one:
        return 1
    allowed = table.game.seats(table.stored.options)
    return min(allowed[-1], max(allowed[0], table.stored.terms.seats or allowed[-1]))


async def _keep(table: Table, sitters: Sequence[Sitter] | None = None, **columns: object) -> None:
    await table.keep(Change(columns, sitters))
