"""One table: from the lobby through the last card. Every change is stored before it is answered."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar, overload

from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import games as store
from bot.store.database import Conflict, Database, StoreTrouble
from bot.store.games import Deadline, Entry, Sitter, StoredGame
from bot.store.terms import Terms
from bot.tables.ports import Clock, Refused, Stale
from bot.tables.turns import PASS, turn_deadlines
from engine import catalog
from engine.fair import Commitment
from engine.game import (
    Action,
    Event,
    Game,
    IllegalSetup,
    Outcome,
    Refusal,
    Seat,
    Setup,
    State,
    Value,
    as_json,
)

ACT_SECONDS = 2.0
"""How long an act may take before the person hears that it is still being stored."""
RECENT_EVENTS = 60
T = TypeVar("T")
P = ParamSpec("P")
_Method: TypeAlias = Callable[Concatenate["Table", P], Coroutine[Any, Any, T]]


@overload
def changes(method: _Method[P, T], /) -> _Method[P, T]: ...
@overload
def changes(*, quiet: bool) -> Callable[[_Method[P, T]], _Method[P, T]]: ...
def changes(method: Any = None, /, *, quiet: bool = False) -> Any:
    """Run a method of a table under its lock, as one change that no cancelled caller can tear.

    What changed is shown afterwards, unless `quiet`. The method stores first, and only then changes what
    is in memory; so where it raises, nothing has changed.
    """

    def wrap(method: _Method[P, T]) -> _Method[P, T]:
        @wraps(method)
        async def changed(table: Table, /, *args: P.args, **kwargs: P.kwargs) -> T:
            return await table._change(method(table, *args, **kwargs), quiet=quiet)

        return changed

    return wrap if method is None else wrap(method)


def entropy_of(sitters: Sequence[Sitter]) -> list[int]:
    """What the joiners added, in seat order."""
    return [sitter.entropy for sitter in sitters if sitter.entropy is not None]


@dataclass(slots=True)
class House:
    """What every table of a bot shares."""

    database: Database
    clock: Clock
    changed: Callable[[Table, Sequence[Event]], None]
    rescheduled: Callable[[Table], None]


class Table:
    """A table and its game. Reads are plain attributes; every change goes through an async method
    marked `changes`, which holds the lock, stores, and only then changes what is in memory.

    A method that changes may raise `Refused` (words in "refused.<key>"), `IllegalAction` (words of
    the game) or `StoreTrouble` (words in "store.<kind>"); then nothing has changed.
    """

    __slots__ = (
        *("_house", "_lock", "_news", "_running", "acts", "deadlines", "decisions", "game"),
        *("legal", "recent", "seq", "sitters", "state", "stored"),
    )

    def __init__(self, house: House, stored: StoredGame, sitters: Sequence[Sitter]) -> None:
        self._house = house
        self._lock = asyncio.Lock()
        self._running: set[asyncio.Task[Any]] = set()
        self._news: list[Event] = []
        self.stored = stored
        self.game: Game[Any, Any] = catalog.get(stored.game)
        self.sitters: list[Sitter] = list(sitters)
        self.seq = 0
        """The number of the last entry of the journal."""
        self.acts = 0
        """How many actions the game has seen."""
        self.state: State[Any, Any] | None = None
        self.decisions: list[int] = []
        """Per seat the number of the decision it has before it: the journal entry that last moved it."""
        self.legal: list[tuple[Any, ...]] = []
        self.recent: deque[Event] = deque(maxlen=RECENT_EVENTS)
        self.deadlines: tuple[Deadline, ...] = ()

    # -- what it is -------------------------------------------------------------------------

    @property
    def id(self) -> int:
        """The table's number."""
        return self.stored.id

    @property
    def phase(self) -> str:
        """lobby, live, over, cancelled or aside."""
        return self.stored.phase

    @property
    def held_by_one(self) -> bool:
        """Whether one person is to hold all seats with the options chosen."""
        return self.game.held_by_one(self.stored.options)

    @property
    def commitment(self) -> Commitment:
        """Seed and nonce: secret until the game is over; its digest is public."""
        return Commitment(self.stored.seed, self.stored.nonce)

    @property
    def entropy(self) -> list[int]:
        """What the joiners added, in seat order."""
        return entropy_of(self.sitters)

    def setup(self, sitters: Sequence[Sitter] | None = None) -> Setup:
        """The setup of the deal with the present seats, or with these. Holds the secret key."""
        seats = self.sitters if sitters is None else sitters
        key = self.commitment.deal_key(entropy_of(seats))
        return Setup(self.stored.game, self.stored.version, len(seats), self.stored.options, key)

    def seats_of(self, user_id: int) -> list[Seat]:
        """The seats of a person, those that must act first."""
        mine = [seat for seat, sitter in enumerate(self.sitters) if sitter.user_id == user_id]
        waiting = self.waiting()
        return sorted(mine, key=lambda seat: (seat not in waiting, seat))

    def waiting(self) -> tuple[Seat, ...]:
        """The seats that must act now; none in a lobby or after the end."""
        return self.state.to_act() if self.state is not None and self.phase == "live" else ()

    def outcome(self) -> Outcome | None:
        """How the game ended, or None."""
        return self.state.outcome() if self.state is not None else None

    def people(self) -> list[int]:
        """The ids of the people who sit here, without repeats."""
        return list(dict.fromkeys(s.user_id for s in self.sitters if s.user_id is not None))

    # -- the lobby --------------------------------------------------------------------------

    @changes
    async def join(self, user_id: int, name: str, entropy: int) -> None:
        """Sit down; `entropy` is the snowflake of the press."""
        self._must_be("lobby")
        if self.seats_of(user_id):
            raise Refused("already_seated")
        seats = [*self.sitters, Sitter(name, user_id=user_id, entropy=entropy)]
        if invited := self.stored.terms.invited:
            if user_id not in invited:
                raise Refused("not_invited")
            seats.sort(key=lambda sitter: invited.index(sitter.user_id or 0))
        self._room_for(len(seats))
        await self._store_lobby(seats)

    @changes
    async def leave_lobby(self, user_id: int) -> None:
        """Stand up again before the start. The next person becomes host; the last one closes it."""
        self._must_be("lobby")
        if not self.seats_of(user_id):
            raise Refused("not_seated")
        seats = [sitter for sitter in self.sitters if sitter.user_id != user_id]
        people = [sitter.user_id for sitter in seats if sitter.user_id is not None]
        if not people:
            await self._end("cancelled", "everybody_left")
            return
        host = self.stored.host_id if self.stored.host_id in people else people[0]
        await self._store_lobby(seats, host_id=host)

    @changes
    async def add_opponent(self, by: int, level: str, name: str) -> None:
        """Seat a computer opponent of this level."""
        self._must_be("lobby")
        self._must_host(by)
        if level not in self.game.opponents:
            raise Refused("no_such_level", level=level)
        self._room_for(len(self.sitters) + 1)
        await self._store_lobby([*self.sitters, Sitter(name, level=level)])

    @changes
    async def remove_opponent(self, by: int) -> None:
        """Send the opponent away that came last."""
        self._must_be("lobby")
        self._must_host(by)
        last = next((s for s in reversed(range(len(self.sitters))) if self.sitters[s].level), None)
        if last is None:
            raise Refused("no_opponent")
        await self._store_lobby([s for n, s in enumerate(self.sitters) if n != last])

    @changes
    async def set_option(self, by: int, key: str, value: Value) -> None:
        """Change an option of the game, as long as those seated still fit."""
        self._must_be("lobby")
        self._must_host(by)
        options = {**self.stored.options, key: value}
        allowed = self.game.seats(options)
        seats = max(len(self.sitters), allowed[0] if allowed else 1)
        trial = Setup(self.stored.game, self.stored.version, seats, options, b"")
        if refusal := self.game.check(trial):
            raise refusal
        await self._store_lobby(self.sitters, options=options)

    @changes
    async def agree(self, by: int, *, clock: int | None = None, thread: bool | None = None) -> None:
        """Change what the table agrees on beside the rules; see `bot.store.terms.Terms`."""
        self._must_be("lobby")
        self._must_host(by)
        before = self.stored.terms
        terms = replace(
            before,
            clock=before.clock if clock is None else clock,
            thread=before.thread if thread is None else thread,
        )
        await self._store_lobby(self.sitters, terms=terms)

    @changes(quiet=True)
    async def set_autopass(self, user_id: int, seconds: int) -> None:
        """Let a person's seats pass by themselves after so many seconds; 0 for never."""
        if not self.seats_of(user_id):
            raise Refused("not_seated")
        before = self.stored.terms
        terms = replace(before, autopass={**before.autopass, user_id: seconds})
        mine, wanted = self.seats_of(user_id), self.deadlines
        if self.state is not None and self.phase == "live":
            others = [s for s in self.state.to_act() if s not in mine]
            # the turn clock of the person goes on as it was; only the pass is set anew
            kept = [d for d in self.deadlines if d.seat in mine and d.kind != PASS]
            fresh = self._deadlines(self.state, others, terms=terms)
            wanted = (*kept, *(d for d in fresh if d.seat not in mine or d.kind == PASS))
        async with self._house.database.write() as connection:
            await store.change(connection, self.id, terms=terms)
            await store.set_deadlines(connection, self.id, wanted)
        self.stored.terms, self.deadlines = terms, wanted

    @changes(quiet=True)
    async def set_pings(self, user_id: int, *, wanted: bool) -> None:
        """Ping a person at this table when it is their turn, or never."""
        if not self.seats_of(user_id):
            raise Refused("not_seated")
        others = tuple(user for user in self.stored.terms.quiet if user != user_id)
        terms = replace(self.stored.terms, quiet=others if wanted else (*others, user_id))
        async with self._house.database.write() as connection:
            await store.change(connection, self.id, terms=terms)
        self.stored.terms = terms

    @changes
    async def start(self, by: int) -> None:
        """Deal."""
        self._must_be("lobby")
        self._must_host(by)
        sitters = self.sitters
        if self.held_by_one and len(sitters) > 1:
            # everybody would read both hands: the others stand up first
            raise Refused("for_one")
        if self.held_by_one:
            # one person on every seat; what they added by joining counts once
            empty = Sitter(sitters[0].name, user_id=sitters[0].user_id)
            sitters = [sitters[0]] + [empty] * (self.game.seats(self.stored.options)[0] - 1)
        setup = self.setup(sitters)
        if refusal := self.game.check(setup):
            raise refusal
        state = self.game.deal(setup)
        state.events = []
        wanted = self._deadlines(state, sitters=sitters)
        async with self._house.database.write() as connection:
            # the lobby may be older than the rules by which it is dealt
            await store.change(
                connection, self.id, phase="live", version=setup.version, options=setup.options
            )
            await store.set_deadlines(connection, self.id, wanted)
            if sitters is not self.sitters:
                await store.set_sitters(connection, self.id, sitters)
        self.sitters, self.stored.phase, self.deadlines = sitters, "live", wanted
        self._enter(state, actor=None)

    @changes
    async def cancel(self, why: str) -> None:
        """Close the table for good; who may is asked before."""
        if self.phase not in store.OPEN_PHASES:
            raise Refused("over")
        await self._end("cancelled", why)

    # -- the game ---------------------------------------------------------------------------

    @changes
    async def act(self, seat: Seat, decision: int | None, action: Action, *, kind: str = "act") -> None:
        """Carry out one decision of a seat: verified, stored, then true.

        Raises:
            Stale: `decision` is not the one before the seat (None skips the check).
            IllegalAction: the rules forbid it.
            Refused: there is no game going on, or it is still being stored after two seconds.
            StoreTrouble: it could not be stored, so it did not happen.
        """
        self._must_be("live")
        state = self.state
        if state is None or not 0 <= seat < len(self.sitters):
            raise Refused("over")
        if decision is not None and self.decisions[seat] != decision:
            raise Stale
        fresh = state.clone()
        fresh.events = []
        fresh.apply(seat, action)
        entry = Entry(self.seq + 1, kind, seat, as_json(action), self._house.clock.now())
        wanted = self._deadlines(
            fresh,
            [s for s in fresh.to_act() if s != seat and self._same_choice(fresh, s)],
            by=self.sitters[seat].user_id,
        )
        await self._append(entry, wanted)
        if self.seq >= entry.seq:  # it was stored after all, and the table was read again
            return
        self.seq = entry.seq
        self.acts += 1
        self.deadlines = wanted
        self._enter(fresh, actor=seat)

    @changes
    async def forfeit(self, user_id: int) -> None:
        """Leave a match of a tournament: it is lost, and the table closes."""
        self._must_be("live")
        if not self.seats_of(user_id):
            raise Refused("not_seated")
        await self._end("cancelled", "forfeit", terms=replace(self.stored.terms, forfeit=user_id))

    @changes
    async def give_up_seat(self, user_id: int, level: str, name: str) -> None:
        """Leave a running game: an opponent takes each of the person's seats, and the person has lost.

        When the last person leaves, the table closes.
        """
        self._must_be("live")
        seats = self.seats_of(user_id)
        if not seats:
            raise Refused("not_seated")
        # the entropy stays with the seat: the deal depends on it
        now = [
            Sitter(name, level=level, entropy=s.entropy) if s.user_id == user_id else s for s in self.sitters
        ]
        people = [sitter.user_id for sitter in now if sitter.user_id is not None]
        if not people:
            await self._end("cancelled", "everybody_left")
            return
        host = self.stored.host_id if self.stored.host_id in people else people[0]
        entry = Entry(self.seq + 1, "seat", seats[0], [name, level], self._house.clock.now())
        wanted = tuple(d for d in self.deadlines if d.seat not in seats)
        left = self.stored.terms.left | dict.fromkeys(seats, user_id)
        terms = replace(self.stored.terms, left=left)
        async with self._house.database.write() as connection:
            await store.append(connection, self.id, entry)
            await store.set_sitters(connection, self.id, now)
            await store.set_deadlines(connection, self.id, wanted)
            await store.change(connection, self.id, host_id=host, terms=terms)
        self.seq, self.sitters, self.deadlines = entry.seq, now, wanted
        self.stored.host_id, self.stored.terms = host, terms
        # a new hand: what the leaver still has open on the screen must not act for the seat
        for seat in seats:
            self.decisions[seat] = self.seq

    @changes(quiet=True)
    async def placed(self, channel_id: int, message_id: int | None, *, guild_id: int | None) -> None:
        """Remember where the table is shown."""
        now = self._house.clock.now()
        async with self._house.database.write() as connection:
            await store.change(
                connection,
                self.id,
                channel_id=channel_id,
                message_id=message_id,
                guild_id=guild_id,
                posted_at=now,
            )
        self.stored.channel_id, self.stored.message_id = channel_id, message_id
        self.stored.guild_id, self.stored.posted_at = guild_id, now

    @changes
    async def settle(self, keep_results: Callable[[AsyncConnection], Awaitable[None]]) -> None:
        """Close a game whose last action is in the journal, its results in the same transaction."""
        if self.phase == "live" and self.outcome() is not None:
            await self._end("over", "", also=keep_results)

    async def read_again(self) -> list[Entry]:
        """Build the table again from the database, as after a restart; the journal.

        Raises:
            Refusal: the journal no longer replays under these rules.
        """
        async with self._house.database.read() as connection:
            stored = await store.load(connection, self.id)
            sitters = await store.sitters(connection, self.id)
            journal = await store.journal(connection, self.id)
            deadlines = await store.deadlines(connection, self.id)
        if stored is None:
            raise Refused("over")
        self.stored, self.sitters, self.deadlines = stored, sitters, tuple(deadlines)
        self.replay(journal)
        return journal

    def replay(self, journal: Sequence[Entry]) -> None:
        """Set the position from the journal. Options that came with an update have their default.

        Raises:
            Refusal: an option or an action is no longer legal: the rules have changed.
            ValueError: an action can no longer be read.
        """
        self.seq, self.acts, self.state = 0, 0, None
        self.recent.clear()
        chosen = {**self.game.defaults(), **self.stored.options}
        if self.stored.phase == "lobby":
            # nothing is dealt yet: it goes on under the rules of today
            known = {option.key: option for option in self.game.options}
            self.stored.version = self.game.version
            self.stored.options = {
                key: chosen[key] if chosen[key] in option.values else option.default
                for key, option in known.items()
            }
            return
        self.stored.options = chosen
        if self.stored.phase == "cancelled" and not journal:
            return
        setup = self.setup()
        if refusal := self.game.check(setup):
            raise refusal
        state = self.game.deal(setup)
        state.events = []
        self._enter(state, actor=None)
        for entry in journal:
            self.seq = entry.seq
            if entry.kind in ("act", "timeout"):
                state.events = []
                state.apply(entry.seat, self.game.action(entry.data))
                self.acts += 1
                self._enter(state, actor=entry.seat)
            elif entry.kind == "seat":
                self.decisions[entry.seat] = entry.seq

    # -- the inside -------------------------------------------------------------------------

    def _enter(self, state: State[Any, Any], actor: Seat | None) -> None:
        """Make `state` the position, and count a new decision for whom it brings one."""
        events, state.events = state.events or [], None
        self.state = state
        waiting = state.to_act()
        if not self.legal or len(self.legal) != len(self.sitters):
            self.legal = [()] * len(self.sitters)
            self.decisions = [0] * len(self.sitters)
        for seat in range(len(self.sitters)):
            legal = tuple(state.legal_actions(seat)) if seat in waiting else ()
            if seat == actor or legal != self.legal[seat]:
                self.decisions[seat] = self.seq
            self.legal[seat] = legal
        self.recent.extend(events)
        self._news += events

    def _same_choice(self, after: State[Any, Any], seat: Seat) -> bool:
        return bool(self.legal[seat]) and tuple(after.legal_actions(seat)) == self.legal[seat]

    def _deadlines(
        self,
        state: State[Any, Any],
        undisturbed: Collection[Seat] = (),
        *,
        sitters: Sequence[Sitter] | None = None,
        terms: Terms | None = None,
        by: int | None = None,
    ) -> tuple[Deadline, ...]:
        """The deadlines of a position; seats whose choice has not changed keep theirs.

        `sitters` and `terms` are those that are about to be stored, if they change too; `by` has just acted.
        """
        kept = [d for d in self.deadlines if d.seat in undisturbed]
        now = self._house.clock.now()
        seats = self.sitters if sitters is None else sitters
        return turn_deadlines(self.id, seats, terms or self.stored.terms, state, kept, now=now, by=by)

    def _must_be(self, phase: str) -> None:
        if self.phase != phase:
            raise Refused({"lobby": "not_started", "live": "already_started"}.get(self.phase, "over"))

    def _must_host(self, user_id: int) -> None:
        if user_id != self.stored.host_id:
            raise Refused("host_only", host=self.stored.host_id)

    def _room_for(self, seats: int) -> None:
        allowed = self.game.seats(self.stored.options)
        if self.held_by_one and seats > 1:
            raise Refused("for_one")
        if allowed and seats > allowed[-1]:
            raise Refused("full", most=allowed[-1])

    async def _store_lobby(self, sitters: Sequence[Sitter], **values: Any) -> None:
        """Store seats and changed columns, then show them."""
        async with self._house.database.write() as connection:
            if sitters is not self.sitters:
                await store.set_sitters(connection, self.id, sitters)
            if values:
                await store.change(connection, self.id, **values)
        self.sitters = list(sitters)
        for name, value in values.items():
            setattr(self.stored, name, value)

    async def _end(
        self,
        phase: str,
        why: str,
        *,
        also: Callable[[AsyncConnection], Awaitable[None]] | None = None,
        **values: Any,
    ) -> None:
        """Close the table; `also` is stored with it, and so are other columns."""
        values |= {"phase": phase, "why": why, "ended_at": self._house.clock.now()}
        async with self._house.database.write() as connection:
            if also:
                await also(connection)
            await store.change(connection, self.id, **values)
            await store.set_deadlines(connection, self.id, ())
        for name, value in values.items():
            setattr(self.stored, name, value)
        self.deadlines = ()

    async def _append(self, entry: Entry, deadlines: tuple[Deadline, ...]) -> None:
        try:
            fresh = deadlines if deadlines != self.deadlines else None
            await self._house.database.write_at_once(
                lambda connection: store.append_act(connection, self.id, entry, fresh)
            )
        except StoreTrouble as found:
            if not (found.doubtful or isinstance(found, Conflict)):
                raise
            # Was it stored? Only the database knows.
            if entry not in await self.read_again():
                raise Stale if isinstance(found, Conflict) else found from found
            self._news = []

    async def _change(self, work: Coroutine[Any, Any, T], *, quiet: bool = False) -> T:
        """Run `work` under the lock in a task of its own, so that no cancelled caller can tear it.

        Raises:
            Refused: `slow`, when it is not stored yet after two seconds; it goes on.
        """

        async def run() -> T:
            async with self._lock:
                self._news = []
                result = await work
                news, self._news = self._news, []
            if not quiet:
                self._house.changed(self, news)
            self._house.rescheduled(self)
            return result

        task = asyncio.create_task(run(), name=f"table {self.id}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            return await asyncio.wait_for(asyncio.shield(task), ACT_SECONDS)
        except (TimeoutError, asyncio.CancelledError) as error:
            if not task.done():
                task.add_done_callback(_hear_out)
            if isinstance(error, TimeoutError):
                raise Refused("slow") from None
            raise


def _hear_out(task: asyncio.Task[Any]) -> None:
    """A change that nobody waits for any more may still be refused; that is no error of the bot."""
    if not task.cancelled() and isinstance(error := task.exception(), Exception):
        expected = isinstance(error, (Refused, Refusal, StoreTrouble, IllegalSetup))
        if not expected:
            task.get_loop().call_exception_handler({"message": "a late change failed", "exception": error})
