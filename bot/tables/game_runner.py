"""What goes on by itself at a table: opponents act, deadlines are answered, results are settled."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import structlog
from cachetools import LRUCache

from bot.core.backoff import Backoff
from bot.core.clock import Clock, Handle
from bot.core.errors import Refused, Stale
from bot.core.tasks import Spawn
from bot.store.database import Fenced, StoreError
from bot.store.games import Deadline
from bot.store.prefs import Prefs
from bot.store.time_zones import night_ends
from bot.tables.daily import answer_luck
from bot.tables.lobby import deal_if_complete
from bot.tables.news import ASKED, NEWS
from bot.tables.people.absent import wait_for_holiday
from bot.tables.people.reserved_seats import HELD, NEXT, release, seat_next
from bot.tables.ports import Thinker
from bot.tables.publisher import Publisher
from bot.tables.results import AtEnd, keep_results
from bot.tables.table import Table
from bot.tables.turns import PART_LEFT, PASS, SPOKEN, at_leisure, stops_for_holidays
from bot.workers.errors import NoAnswer
from engine.game import AnyGame, Refusal
from engine.levels import STEADY

log = structlog.get_logger(__name__)

TOGETHER_PACE = 0.1
"""How long an opponent waits where several seats decide at once and nobody is watching."""
RETRY = Backoff(first=5.0, factor=1.0)
"""Pauses before a table is looked after again."""
ASK_AGAIN_MS = 600_000
"""Milliseconds from one notification of a request to the next one at the same table."""
MOST_ASKED = 2000
LASTING_RETRY = Backoff(first=3600.0, factor=1.0)
"""Pauses after an error that waiting does not fix, such as a statement that the database rejects."""
AWAKE_MS = 3_600_000
"""For so long after their last move at a table a person counts as awake."""


def steady(game: AnyGame) -> str:
    """The level that plays for a person; a game without the usual one has its own."""
    return STEADY if STEADY in game.opponents else game.levels[0]


def _seen(table: Table, seat: int) -> object:
    return table.state.observe(seat) if table.state is not None else None


async def _close_or_deal(table: Table) -> None:
    """Nobody is waited for any longer; where both of a match are there, since a stop came before they were
    dealt to, they play."""
    try:
        if table.stored.terms.invited:
            await deal_if_complete(table)
    except (Refused, Refusal) as refusal:
        log.warning("lobby not dealt", table=table.id, why=str(refusal))
    if table.phase == "lobby":
        await table.cancel("expired", knows=None if table.stored.terms.tournament else -1)


class GameRunner:
    """Keeps tables going. Everything it owes stands in a row, so what a stop cuts short is found again."""

    def __init__(
        self,
        clock: Clock,
        thinker: Thinker,
        publisher: Publisher,
        spawn: Spawn,
        get: Callable[[int], Awaitable[Table]],
        *,
        pace: float,
        prefs: Callable[[int], Awaitable[Prefs]],
        at_end: Sequence[AtEnd] = (),
    ) -> None:
        self._clock = clock
        self._thinker = thinker
        self._publisher = publisher
        self._spawn = spawn
        self._get = get
        self._pace = pace
        self._prefs = prefs
        self._at_end = at_end
        self._thinking: set[tuple[int, int, int]] = set()
        self._asked_at: LRUCache[int, int] = LRUCache(MOST_ASKED)
        """Table time at which the people of a table were last told of a request, by table."""
        self._settling: set[int] = set()
        self._retries: dict[int, Handle] = {}
        """The next retry of each table that has one, by table id."""
        self._rejected: dict[Deadline, float] = {}
        """Deadlines whose answer the database rejects, and when each may ring again."""

    def go_on(self, table: Table) -> None:
        """Start whatever the position asks for; harmless where it is under way."""
        if table.phase != "live" or (table.asleep and table.outcome() is None):
            return
        if table.outcome() is not None:
            self._spawn(self._settle(table), f"settle {table.id}")
            return
        owed = [s for s in table.waiting() if table.sitters[s].level is not None or table.away(s)]
        # the answers of a day must not hang on who is faster
        for seat in owed[:1] if table.stored.terms.daily else owed:
            self._let_opponent_act(table, seat)

    async def _settle(self, table: Table) -> None:
        if table.id in self._settling:
            return
        self._settling.add(table.id)
        try:
            await table.settle(
                lambda connection: keep_results(connection, table, self._clock.now(), self._at_end)
            )
        except Fenced:
            return
        except (StoreError, Refused) as found:
            log.error("results not stored yet", table=table.id, why=str(found))
            self._retry(table, found)
        finally:
            self._settling.discard(table.id)

    def _retry(self, table: Table, why: StoreError | Refused) -> None:
        """Start again what a table owes, after a pause. A later failure replaces the retry that waits."""

        def retry() -> None:
            del self._retries[table.id]
            self.go_on(table)

        if table.id in self._retries:
            self._retries[table.id].cancel()
        lasting = isinstance(why, StoreError) and why.lasting
        pause = (LASTING_RETRY if lasting else RETRY).first
        self._retries[table.id] = self._clock.call_later(pause, retry)

    def _let_opponent_act(self, table: Table, seat: int) -> None:
        decision = table.decisions[seat]
        key = (table.id, seat, decision)
        if key in self._thinking:
            return
        self._thinking.add(key)
        work = self._opponent_turn(table, seat, decision, key)
        self._spawn(work, f"opponent at table {table.id} seat {seat}")

    async def _opponent_turn(self, table: Table, seat: int, decision: int, key: tuple[int, int, int]) -> None:
        """One decision, when the pace is over. The opponent thinks meanwhile: how long it thinks about a hand
        must not show."""
        try:
            together = len(table.waiting()) > 1
            due = self._clock.monotonic() + (min(TOGETHER_PACE, self._pace) if together else self._pace)
            while (mover := self._mover(table, seat, decision)) is not None:
                seen, action = await self._choice(table, seat, mover[0])
                if (rest := due - self._clock.monotonic()) > 0:
                    await self._clock.sleep(rest)
                if self._mover(table, seat, decision) == mover and _seen(table, seat) == seen:
                    await table.act(seat, decision, action, kind=mover[1], present=False)
                    return
        except (Stale, Fenced):
            return
        except (Refused, StoreError) as found:
            log.warning("opponent could not act", table=table.id, seat=seat, why=str(found))
            self._retry(table, found)
        finally:
            self._thinking.discard(key)

    def _mover(self, table: Table, seat: int, decision: int) -> tuple[str, str] | None:
        """The level that makes this decision of a seat, and the kind of its move; None where a person makes
        it, or nobody any more."""
        if table.phase != "live" or table.decisions[seat] != decision or not table.legal[seat]:
            return None
        if (level := table.sitters[seat].level) is not None:
            return level, "act"
        return (steady(table.game), "timeout") if table.away(seat) else None

    async def _choice(self, table: Table, seat: int, level: str) -> tuple[object, Any]:
        """What a seat sees now, and what an opponent of this level does there.

        Where it breaks or gives no answer in time Steady plays, and chance only where that fails as well:
        the table must not stand still.
        """
        seen, actions = _seen(table, seat), table.legal[seat]
        # tables without a channel would all wait in one line
        whose = table.stored.channel_id or table.stored.host_id
        luck = answer_luck(table, seat) if table.stored.terms.daily else None
        for player in dict.fromkeys((level, steady(table.game))):
            try:
                action: Any = await self._thinker.choose(
                    table.game.key, player, seen, actions, whose=whose, luck=luck
                )
            except Exception as error:  # whatever breaks in an opponent
                if luck is not None and isinstance(error, NoAnswer):
                    # it is asked again: nothing else may answer for it
                    raise Refused("daily_wait") from error
                log.exception("opponent broke, another stands in", table=table.id, seat=seat, level=player)
            else:
                if action in actions:
                    return seen, action
        return seen, random.Random(luck).choice(actions)

    async def _holiday(self, table: Table, seat: int) -> int | None:
        """Until when a seat's person is on holiday, in milliseconds: their clock waits, nobody calls them.
        None where they are here, and at a table with a short clock, where they must be."""
        user_id = table.sitters[seat].user_id
        if user_id is None or not stops_for_holidays(table.stored.terms):
            return None
        until = (await self._prefs(user_id)).holiday
        return until if until > self._clock.now() else None

    async def _waits_for_morning(self, table: Table, deadline: Deadline) -> bool:
        """Put off a reminder that would come in the night of the person whose turn it is. Return whether it
        was put off; at a table with a short clock they are there anyway."""
        user_id = table.sitters[deadline.seat].user_id
        if user_id is None or not at_leisure(table.stored.terms) or deadline.kind == "note":
            return False
        now = self._clock.now()
        if now - table.acted_at.get(deadline.seat, 0) < AWAKE_MS:
            return False
        ends = night_ends(await self._prefs(user_id), now)
        return bool(ends) and await table.put_off(deadline, ends - now)

    async def answer(self, deadline: Deadline) -> None:
        """Do what has fallen due; whatever cannot be done now rings again."""
        if self._clock.monotonic() < self._rejected.get(deadline, 0.0):
            return
        self._rejected.pop(deadline, None)
        try:
            table = await self._get(deadline.game_id)
            if deadline in table.deadlines:  # the row may be older than the table's last change
                await self._answer(table, deadline)
        except (Stale, Fenced):
            return
        except (Refused, StoreError) as found:
            log.warning("deadline could not be answered", table=deadline.game_id, why=str(found))
            if isinstance(found, StoreError) and found.lasting:
                self._rejected[deadline] = self._clock.monotonic() + LASTING_RETRY.first

    async def _tell(self, table: Table, deadline: Deadline) -> None:
        """Tell news once. Of requests each table tells once in ten minutes; a later one waits until then."""
        asked_at, now = self._asked_at.get(table.id, 0), table.now()
        if deadline.kind == ASKED and now < asked_at + ASK_AGAIN_MS:
            await table.put_off(deadline, asked_at + ASK_AGAIN_MS - now)
            return
        if not await table.drop_reminder(deadline):
            return
        if deadline.kind == ASKED:
            self._asked_at[table.id] = now
        self._publisher.tell_news(table, deadline.kind, deadline.seat)

    async def _answer(self, table: Table, deadline: Deadline) -> None:
        if deadline.kind in NEWS:
            await self._tell(table, deadline)
            return
        seat, waits = deadline.seat, deadline.seat in table.waiting()
        if deadline.kind in SPOKEN:
            if waits and await self._waits_for_morning(table, deadline):
                return
            # struck out before it is said: a restart in between must not ping anybody twice
            if not await table.drop_reminder(deadline) or not waits:
                return
            if table.sitters[seat].user_id in table.stored.terms.quiet:
                return
            if await self._holiday(table, seat) is not None:
                return
            if deadline.kind == "nudge":
                self._publisher.nudge(table, seat)
                return
            left, kind = table.stored.terms.clock // PART_LEFT[deadline.kind], deadline.kind
            self._publisher.remind(table, seat, left, aloud=kind != "remind", ping=kind == "warn")
        elif deadline.kind == "lobby" and table.phase == "lobby":
            await _close_or_deal(table)
        elif deadline.kind == HELD and table.phase == "lobby":
            for user_id in await release(table):
                self._publisher.seat_free(table, user_id)
        elif deadline.kind == NEXT and table.phase == "lobby":
            for user_id in await seat_next(table):
                self._publisher.seat_free(table, user_id)
        elif deadline.kind == PASS and waits:
            wanted = next((action for action in table.legal[seat] if action[0] == PASS), None)
            if wanted is not None:
                await table.act(seat, table.decisions[seat], wanted, present=False)
        elif deadline.kind == "turn" and waits and (until := await self._holiday(table, seat)):
            if await wait_for_holiday(table, deadline, until):
                self._publisher.on_holiday(table, seat, until // 1000)
        elif deadline.kind == "turn" and waits:
            key = (table.id, seat, table.decisions[seat])
            if key not in self._thinking:
                self._thinking.add(key)
                try:
                    _, action = await self._choice(table, seat, steady(table.game))
                    await table.act(seat, key[2], action, kind="timeout", present=False)
                finally:
                    self._thinking.discard(key)
        elif deadline.kind in ("opponent", "settle") and table.id not in self._retries:
            self.go_on(table)
