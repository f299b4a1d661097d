"""A table, from its rows to its last card. Every change is stored before it is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar, overload

from msgspec.structs import replace
from sqlalchemy import Connection

from bot.core.clock import time_limit
from bot.core.errors import Refused, Stale
from bot.core.unit import Unit
from bot.store import games as store
from bot.store import snapshots
from bot.store.database import Conflict, Overtaken
from bot.store.games import ACTS, Change, Deadline, Entry, Sitter, Stored
from bot.store.snapshots import Snapshot
from bot.store.terms import Terms
from bot.table import turns
from bot.table.journal import Replayed, replayed, rules_of, standing
from bot.table.news import AWAY, ENDED, MISSED_TURN, NEWS, untold, with_news
from bot.table.people.contacts import Contacts
from bot.table.ports import ACT_SECONDS
from bot.table.recent import Recent, with_late_event
from bot.table.table_context import TableContext
from bot.table.turns import MISSED, POST_GAME, turn_deadlines
from engine.ai.advice import Advice
from engine.fair import Commitment
from engine.game import Action, AnyGame, AnyState, Event, Outcome, Seat, Setup, as_json

RECENT_EVENTS = 60
NOT_SHOWN = -1
"""The shown edition of a table without a message. No table has that edition."""
PAUSES = PAUSED, LEFT_PAUSED = "paused", "left_paused"
"""Reasons for sleep of a table that its people have paused. It continues only when one of them says so."""
T = TypeVar("T")
P = ParamSpec("P")
_Method: TypeAlias = Callable[Concatenate["Table", P], Coroutine[Any, Any, T]]


@overload
def changes(method: _Method[P, T], /) -> _Method[P, T]: ...
@overload
def changes(*, quiet: bool = False, waited: bool = True) -> Callable[[_Method[P, T]], _Method[P, T]]: ...
def changes(method: Any = None, /, *, quiet: bool = False, waited: bool = True) -> Any:
    """Run a method of a table under its lock, as one change that a cancelled caller cannot interrupt.

    The method stores before it changes memory, so if it raises, nothing has changed. The change is shown
    afterwards, unless it is `quiet`. If a person has `waited` longer than `ACT_SECONDS`, the change is
    `Refused` as `slow`, and finishes all the same.
    """

    def wrap(method: _Method[P, T]) -> _Method[P, T]:
        @wraps(method)
        async def changed(table: Table, /, *args: P.args, **kwargs: P.kwargs) -> T:
            change = table._change(method(table, *args, **kwargs), lambda: table._show(quiet=quiet))
            if not waited:
                return await change
            try:
                async with time_limit(table._context.clock, ACT_SECONDS):
                    return await change
            except TimeoutError:
                raise Refused("slow") from None

        return changed

    return wrap if method is None else wrap(method)


def entropy_of(sitters: Sequence[Sitter]) -> list[int]:
    """Return the entropy that players added by joining, in seat order."""
    return [sitter.entropy for sitter in sitters if sitter.entropy is not None]


class Table(Unit):
    """A table and its game. Reads are plain attributes.

    Every change is an async method decorated with `changes`. It may raise `Refused` (text in
    "refused.<key>"), `IllegalAction` (text of the game) or `StoreError` (text in "store.<kind>"), and then
    nothing has changed.
    """

    __slots__ = (
        *("__weakref__", "_context", "_news", "acted_at", "acts", "deadlines", "decisions", "game"),
        *("hinted", "legal", "recent", "seq", "sitters", "state", "stored"),
    )

    def __init__(self, context: TableContext[Table], found: Stored) -> None:
        """Load the table from its rows.

        Raises:
            Refusal, ValueError, LookupError: it does not replay; see `replay`.
        """
        super().__init__(context.database)
        self._context = context
        self._news: list[Event] = []
        self.stored = found.game
        self.game: AnyGame
        self.sitters: list[Sitter] = found.sitters
        self.seq = 0
        """Number of the last journal entry."""
        self.acts = 0
        """Number of actions in the game so far."""
        self.acted_at: dict[Seat, int] = {}
        """Times of the last moves that people made themselves, while the table is in memory."""
        self.state: AnyState | None = None
        self.decisions: list[int] = []
        """Number of the decision that each seat faces: the journal entry that last changed it."""
        self.hinted: tuple[tuple[Seat, int], Advice] | None = None
        """The last hint and the decision that it is for. Asked again, the teacher gives the same hint."""
        self.legal: list[tuple[Action, ...]] = []
        self.recent = Recent(RECENT_EVENTS)
        self.deadlines: tuple[Deadline, ...] = ()
        self._take(found)

    def __str__(self) -> str:
        return f"table {self.id}"

    # -- what it is -------------------------------------------------------------------------

    @property
    def id(self) -> int:
        """The table's number."""
        return self.stored.id

    @property
    def phase(self) -> str:
        """One of lobby, live, over and cancelled."""
        return self.stored.phase

    @property
    def asleep(self) -> bool:
        """Whether the table waits for no one. It wakes when someone who sits here presses."""
        return self.phase == "live" and self.stored.asleep_at > 0

    @property
    def paused(self) -> bool:
        """Whether the people at the table have paused it."""
        return self.asleep and self.stored.why in PAUSES

    @property
    def accounts(self) -> Mapping[int, str]:
        """Account names of people seen since the start."""
        return self._context.accounts

    @property
    def held_by_one(self) -> bool:
        """Whether one person must hold all seats with these options."""
        return self.game.held_by_one(self.stored.options)

    @property
    def others_first(self) -> bool:
        """Whether opponents decide before the person, so that a daily deal does not depend on speed."""
        levels = (self.sitters[seat].level for seat in self.waiting())
        return bool(self.stored.terms.daily) and any(level is not None for level in levels)

    @property
    def commitment(self) -> Commitment:
        """The seed and nonce, secret until the game is over. Their digest is public."""
        return Commitment(self.stored.seed, self.stored.nonce)

    @property
    def entropy(self) -> list[int]:
        """The entropy that players added by joining, in seat order."""
        return entropy_of(self.sitters)

    def setup(self, sitters: Sequence[Sitter] | None = None) -> Setup:
        """Return the setup of the deal with the present seats, or with `sitters`. It holds the secret key."""
        seats = self.sitters if sitters is None else sitters
        key = self.commitment.deal_key(entropy_of(seats))
        return Setup(self.stored.game, self.stored.version, len(seats), self.stored.options, key)

    def seats_of(self, user_id: int) -> list[Seat]:
        """Return the seats of a person. Seats that must act come first."""
        seats = [seat for seat, sitter in enumerate(self.sitters) if sitter.user_id == user_id]
        waiting = self.waiting()
        return sorted(seats, key=lambda seat: (seat not in waiting, seat))

    def waiting(self) -> tuple[Seat, ...]:
        """Return the seats that must act now. Empty in a lobby and after the end."""
        return self.state.to_act() if self.state is not None and self.phase == "live" else ()

    def outcome(self) -> Outcome | None:
        """Return the outcome of the game, or None if it has not ended."""
        return self.state.outcome() if self.state is not None else None

    def people(self) -> list[int]:
        """Return the ids of the people who sit here, without repeats."""
        return list(dict.fromkeys(s.user_id for s in self.sitters if s.user_id is not None))

    def away(self, seat: Seat) -> bool:
        """Return whether an opponent acts for this seat because its person missed several turns in a row."""
        return self.sitters[seat].user_id is not None and self.stored.terms.missed.get(seat, 0) >= MISSED

    def is_absent(self, user_id: int) -> bool:
        """Return whether the computer holds all seats of this person."""
        return all(self.away(seat) for seat in self.seats_of(user_id))

    def misses(self, user_id: int) -> bool:
        """Return whether the table has continued, or stood still, without this person."""
        missed = self.stored.terms.missed
        return bool(self.seats_of(user_id)) and (
            (self.asleep and not self.paused) or any(s in missed for s in self.seats_of(user_id))
        )

    def now(self) -> int:
        """Return the table time in milliseconds, the time in which deadlines are kept."""
        return self._context.now()

    def clock_now(self) -> int:
        """Return the time of day in milliseconds. Journal entries are dated by it."""
        return self._context.clock.now()

    @property
    def contacts(self) -> Contacts:
        """The requests and blocks between people."""
        return Contacts(self._context.database, self._context.clock)

    def closes_at(self) -> int | None:
        """Return the time of day in milliseconds at which a lobby closes, or None without a limit."""
        due = next((each.due_at for each in self.deadlines if each.kind == "lobby"), None)
        return None if due is None else self._context.wall(due)

    # -- the game ---------------------------------------------------------------------------

    @changes
    async def cancel(self, why: str, *, knows: Seat | None = None) -> None:
        """Close the table for good, unless its game has ended. `knows` is as for `end`."""
        if self.phase not in store.OPEN_PHASES or self.outcome() is not None:
            raise Refused("over")
        await self.end("cancelled", why, knows=knows)

    @changes
    async def act(
        self,
        seat: Seat,
        decision: int | None,
        action: Action,
        *,
        kind: str = "act",
        present: bool = True,
        press: int | None = None,
        foresee: Callable[[AnyState], object] | None = None,
    ) -> int:
        """Check and store a decision of a seat, then apply it. Return the number of the seat's next decision.

        `present`: whether the person of the seat pressed, unlike for a pass requested earlier. `press`: the
        number of the first entry of the same press, if that decided more. `foresee` is called with the new
        position while it is being stored, when no one may be shown it yet.

        Raises:
            Stale: `decision` is not the one before the seat (None skips the check).
            IllegalAction: the rules forbid it.
            Refused: no game is in progress, or it is still being stored after two seconds.
            StoreError: it could not be stored, so it did not happen.
        """
        self.must_be("live")
        state = self.state
        if state is None or not 0 <= seat < len(self.sitters):
            raise Refused("over")
        if self.paused:
            raise Refused(PAUSED)
        if decision is not None and self.decisions[seat] != decision:
            raise Stale
        if kind == "act" and self.sitters[seat].level is None and self.others_first:
            raise Refused("daily_wait")
        new_state = state.clone()
        new_state.events = []
        new_state.apply(seat, action)
        user_ids = [who.user_id for who in self.sitters]
        columns = turns.presence(
            self.stored, user_ids, seat, self.clock_now(), timed_out=kind == "timeout", present=present
        )
        terms = columns.get("terms", self.stored.terms)
        wanted = self.with_news()
        if not columns.get("asleep_at", self.stored.asleep_at) or new_state.outcome() is not None:
            unchanged = [s for s in new_state.to_act() if s != seat and self._same_choice(new_state, s)]
            continues = len(user_ids) > 1 and (*state.to_act(), *new_state.to_act()) == (seat, seat)
            called = seat if continues and turns.was_called(self.deadlines, seat) else None
            wanted = self.deadlines_of(new_state, unchanged, terms=terms, by=user_ids[seat], called=called)
        if kind == "timeout" and not self.away(seat) and new_state.outcome() is None:
            is_away = terms.missed.get(seat, 0) >= MISSED
            wanted = with_news(wanted, self.news(AWAY if is_away else MISSED_TURN, seat))
        entry = Entry(self.seq + 1, kind, seat, as_json(action), self.clock_now(), press)
        deadlines = wanted if wanted != self.deadlines else None
        snapshot = snapshots.due(state, self.seq, self.acts, self.decisions)
        change = Change(columns, deadlines=deadlines, entries=[entry], snapshot=snapshot)
        if foresee is not None:
            asyncio.get_running_loop().call_soon(foresee, new_state)
        await self.keep(change, new_state, actor=seat)
        return self.seq

    @changes
    async def come_back(self, user_id: int) -> tuple[str, ...]:
        """Wake the table and return this player's seats to them. Turn clocks keep running.

        Return the kinds of requests that the others granted meanwhile.
        """
        self.must_be("live")
        state, seats = self.state, self.seats_of(user_id)
        if state is None or not seats:
            raise Refused("not_seated")
        missed = {s: n for s, n in self.stored.terms.missed.items() if s not in seats}
        stand_ins = {s: at for s, at in self.stored.terms.stand_ins.items() if s not in seats}
        while_away = dict(self.stored.terms.while_away)
        granted = while_away.pop(user_id, ())
        terms = replace(self.stored.terms, missed=missed, stand_ins=stand_ins, while_away=while_away)
        if self.paused:  # a pause ends when someone says so, not when someone looks
            await self.keep(Change({"terms": terms}))
            return granted
        unchanged = [] if self.asleep else [s for s in state.to_act() if s not in seats or not self.away(s)]
        deadlines = self.deadlines_of(state, unchanged, terms=terms, by=user_id)
        await self.keep(Change({"terms": terms, "asleep_at": 0, "why": ""}, deadlines=deadlines))
        return granted

    @changes
    async def sleep(self, why: str) -> None:
        """Wait for no one until someone who sits here presses. A sleeping table takes the new reason."""
        self.must_be("live")
        if self.outcome() is None and not (self.asleep and self.stored.why == why):
            asleep = {"asleep_at": self._context.clock.now(), "why": why}
            await self.keep(Change(asleep, deadlines=self.with_news()))

    @changes(quiet=True)
    async def put_off(self, deadline: Deadline, wait: int) -> bool:
        """Postpone a deadline until `wait` milliseconds from now. Return whether it still existed."""
        if deadline not in self.deadlines:
            return False
        later = replace(deadline, due_at=self.now() + wait)
        rest = [each for each in self.deadlines if each != deadline]
        deadlines = sorted([*rest, later], key=lambda each: (each.due_at, each.seat, each.kind))
        await self.keep(Change(deadlines=tuple(deadlines), quiet=True))
        return True

    @changes(quiet=True)
    async def drop_reminder(self, deadline: Deadline) -> bool:
        """Delete a reminder before it is sent: no one is pinged twice. Return whether it still existed."""
        if deadline not in self.deadlines:
            return False
        rest = tuple(each for each in self.deadlines if each != deadline)
        await self.keep(Change(deadlines=rest, quiet=True))
        return True

    @changes(quiet=True)
    async def clear_doubt(self) -> None:
        """Find out whether the last change was stored, if that is in doubt. Every change begins with this."""

    @changes(quiet=True)
    async def set_place(self, channel_id: int, message_id: int | None, *, guild_id: int | None) -> None:
        """Store where the table is shown. A message of None means that it is no longer shown."""
        columns: dict[str, object] = {
            "channel_id": channel_id,
            "message_id": message_id,
            "guild_id": guild_id,
            "posted_at": self._context.clock.now(),
        }
        old, terms = self.stored.message_id, self.stored.terms
        if old is not None and old != message_id and terms.first is None:
            columns["terms"] = replace(terms, first=(self.stored.channel_id, old))
        if message_id is None:
            columns["shown"] = NOT_SHOWN  # the next message has shown nothing yet
        await self.keep(Change(columns, quiet=True))

    @changes(waited=False)
    async def settle(self, keep_results: Callable[[Connection], None]) -> None:
        """Close a game whose last action is in the journal, and store its results in the same transaction.

        A deadline for `bot.table.game_statistics` is stored with them. Players who missed most of their moves
        count as away from then on.
        """
        if self.phase == "live" and self.outcome() is not None:
            terms, owed, knows = self.stored.terms, tuple[Deadline, ...](), None
            if not (terms.practice or terms.daily):
                owed = (Deadline(self.id, POST_GAME, -1, self.now()),)
                entries = await self._context.database.read_at_once(lambda c: store.journal(c, self.id))
                acts = standing(entries)
                terms = replace(terms, missed=terms.missed | turns.missed_most(acts))
                if not terms.decided:  # otherwise the news has been sent
                    knows = turns.last_to_press(acts, self.sitters)
            if terms != self.stored.terms:
                await self.keep(Change({"terms": terms}))
            await self.end("over", "", also=keep_results, owed=owed, knows=knows)

    # -- for other modules of bot.table -----------------------------------------------------

    def must_be(self, phase: str) -> None:
        """Raise `Refused` unless the table is in this phase."""
        if self.phase != phase:
            keys = {"lobby": "not_started", "live": "already_started", "cancelled": "closed"}
            raise Refused(keys.get(self.phase, "over"))

    def deadlines_of(
        self,
        state: AnyState,
        undisturbed: Collection[Seat] = (),
        *,
        sitters: Sequence[Sitter] | None = None,
        terms: Terms | None = None,
        by: int | None = None,
        called: Seat | None = None,
    ) -> tuple[Deadline, ...]:
        """Return the deadlines of a position. Seats in `undisturbed` keep theirs.

        `sitters` and `terms` are those about to be stored. `by` is the person who has just acted. The seat
        `called` continues a turn in which it has been pinged.
        """
        kept = [d for d in self.deadlines if d.seat in undisturbed and d.kind not in NEWS]
        seats, terms = self.sitters if sitters is None else sitters, terms or self.stored.terms
        deadlines = turn_deadlines(self.id, seats, terms, state, kept, now=self.now(), by=by, called=called)
        return with_news(deadlines, untold(self.deadlines))

    def news(self, kind: str, seat: Seat = -1, *, wait: int = 0) -> list[Deadline]:
        """Return news of this kind, due after `wait` milliseconds. A table with a short clock has none."""
        slow = turns.at_leisure(self.stored.terms)
        return [Deadline(self.id, kind, seat, self.now() + wait)] if slow else []

    def with_news(self, *fresh: Deadline) -> tuple[Deadline, ...]:
        """Return the pending news and this news, without any other deadlines."""
        return with_news((), [*untold(self.deadlines), *fresh])

    async def end(
        self,
        phase: str,
        why: str,
        *,
        also: Callable[[Connection], None] | None = None,
        owed: tuple[Deadline, ...] = (),
        knows: Seat | None = None,
        **columns: object,
    ) -> None:
        """Close the table, and store `also`, other columns and the work still due. Only within a change.

        `knows` is the seat of the person who closes it and needs no message: -1 if no one does, None if no
        one gets a message.
        """
        columns |= {"phase": phase, "why": why, "ended_at": self._context.clock.now(), "asleep_at": 0}
        news = [] if knows is None else self.news(ENDED, knows)
        await self.keep(Change(columns, deadlines=with_news(owed, news), also=also))

    async def keep(
        self,
        change: Change,
        position: AnyState | None = None,
        *,
        actor: Seat | None = None,
        back_to: Replayed | None = None,
    ) -> None:
        """Store a change, then apply it in memory. Only within a change.

        `position` is where its entries lead, if it has any. `back_to` is the replayed journal if entries were
        taken back.

        Raises:
            Stale: another change came first.
            StoreError: it was not stored.
        """
        before, now = self.stored, self._context.clock.now()
        try:
            followed = await self._commit(
                lambda connection: store.keep(connection, before, change, now),
                lambda: self.stored.revision == before.revision + 1,
            )
        except (Conflict, Overtaken) as error:
            raise Stale from error
        if not followed:
            return
        step = {"revision": before.revision + 1, "edition": before.edition + (not change.quiet)}
        # the message may by now show more than when this change began
        columns = {"shown": self.stored.shown, **change.columns, **step}
        self.stored = replace(before, **columns, touched_at=now)
        if change.sitters is not None:
            self.sitters = list(change.sitters)
        if change.deadlines is not None:
            self.deadlines = tuple(change.deadlines)
        for entry in change.entries:
            self._count(entry)
        if position is not None:
            moved = any(entry.kind == "act" for entry in change.entries)
            self._enter(position, actor, moved=moved)
        if back_to is not None:
            self._go_back(back_to)
        if self.stored.host_id != before.host_id:
            self._context.host_changed(self)

    async def again(self) -> Table:
        """Return the current object for this table: it may have left memory and been loaded again.

        Raises:
            Refused: the table no longer exists, or it rests.
            StoreError: it could not be read.
        """
        return await self._context.find(self.id)

    def mark_shown(self, edition: int) -> None:
        """Note the edition that the table's message shows now. It is stored later."""
        self.stored.shown = edition
        self._context.shown(self)

    # -- internals --------------------------------------------------------------------------

    async def _read_again(self) -> None:
        rows = await self._context.database.write_at_once(lambda c: store.whole(c, self.id, lock=True))
        if rows is None:
            raise Refused("over")
        # the edition that its message shows is stored later, with the next heartbeat
        rows.game.shown = max(rows.game.shown, self.stored.shown)
        self._take(rows)

    def _publish_found(self) -> None:
        self._show(quiet=False)

    def _take(self, rows: Stored) -> None:
        """Set everything from the rows."""
        self.stored, self.sitters, self.deadlines = rows.game, rows.sitters, rows.deadlines
        self.game = rules_of(self.stored)
        self.replay(rows.journal, rows.snapshot)
        self._news = []

    def replay(self, journal: Iterable[Entry], snapshot: Snapshot | None = None) -> None:
        """Set the position from the journal, or from a snapshot and the entries after it.

        Options that came with an update get their default.

        Raises:
            Unusable: the snapshot cannot be read, or too little came after it.
            Refusal: an option or an action is no longer legal: the rules have changed.
            ValueError: an action can no longer be read, or an entry is missing.
        """
        dealt = self.state is not None  # a table closed before any act has no entries
        self.seq, self.acts, self.state = 0, 0, None
        self.legal, self.decisions = [], []
        self.recent = Recent(RECENT_EVENTS)
        chosen = {**self.game.defaults(), **self.stored.options}
        if self.stored.phase == "lobby":
            # a lobby has not been dealt yet, so it gets today's rules
            options = {option.key: option for option in self.game.options}
            self.stored.version = self.game.version
            self.stored.options = {
                key: chosen[key] if chosen[key] in option.values else option.default
                for key, option in options.items()
            }
            return
        self.stored.options = chosen
        entries = list(journal)
        if self.stored.phase == "cancelled" and not (entries or dealt):
            return
        setup = self.setup()
        if refusal := self.game.check(setup):
            raise refusal
        self._go_back(replayed(self.game, setup, entries, RECENT_EVENTS, snapshot))

    def _go_back(self, replay: Replayed) -> None:
        """Make the end of a replayed journal the position."""
        self.seq, self.acts, self.state = replay.seq, replay.acts, replay.state
        self.legal, self.decisions = replay.legal, replay.decisions
        self.recent = replay.recent

    def _count(self, entry: Entry) -> None:
        self.seq = entry.seq
        if entry.kind == "act":
            self.acted_at[entry.seat] = entry.at
        if entry.kind == "seat":
            # a new player holds the seat, and the leaver's open screen must not act for it
            self.decisions[entry.seat] = entry.seq
        elif entry.kind in ACTS:
            self.acts += 1

    def _enter(self, state: AnyState, actor: Seat | None, *, moved: bool = True) -> None:
        """Make `state` the position, and count a new decision for each seat whose choice changes.

        `moved`: the player of the seat `actor` chose the action that led there.
        """
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
        self.recent.add(with_late_event(events, actor, moved=moved), actor if moved else None)
        self._news += events

    def _same_choice(self, after: AnyState, seat: Seat) -> bool:
        return bool(self.legal[seat]) and tuple(after.legal_actions(seat)) == self.legal[seat]

    def _show(self, *, quiet: bool) -> None:
        """Report the changes."""
        news, self._news = self._news, []
        if not quiet:
            self._context.changed(self, news)
        self._context.rescheduled(self)
