"""Automatic play at a table: opponents act, deadlines are answered, results are settled."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

import structlog
from cachetools import LRUCache

from bot.core.clock import Clock
from bot.core.errors import Refused
from bot.core.scheduler import Scheduler
from bot.store.games import Deadline
from bot.store.prefs import Prefs
from bot.store.time_zones import night_ends
from bot.table.daily import answer_luck
from bot.table.lobby import deal_if_complete
from bot.table.news import ASKED, NEWS
from bot.table.people.absent import wait_for_holiday
from bot.table.people.reserved_seats import HELD, NEXT, release, seat_next
from bot.table.ports import Thinker
from bot.table.publisher import Publisher
from bot.table.results import AtEnd, keep_results
from bot.table.table import Table
from bot.table.turns import PART_LEFT, PASS, SPOKEN, at_leisure, stops_for_holidays
from bot.workers.errors import NoAnswer
from engine.game import AnyGame, Refusal
from engine.levels import STEADY

log = structlog.get_logger(__name__)

TOGETHER_PACE = 0.1
"""Maximum pause in seconds before an opponent moves, when several seats decide at once."""
ASK_AGAIN_MS = 600_000
"""Milliseconds from one notification of a request to the next one at the same table."""
MOST_ASKED = 2000
AWAKE_MS = 3_600_000
"""Milliseconds after their last move at a table during which a person counts as awake."""

DueAtTable: TypeAlias = Callable[[Table, Deadline], Awaitable[None]]
"""A handler of a deadline that is due and still exists."""


def steady(game: AnyGame) -> str:
    """Return the level that plays for a person: Steady, or the game's first level if it has no Steady."""
    return STEADY if STEADY in game.opponents else game.levels[0]


def _seen(table: Table, seat: int) -> object:
    return table.state.observe(seat) if table.state is not None else None


async def _close_or_deal(table: Table) -> None:
    """Close a lobby whose time is over. Deal instead if both players of a match are there.

    They may be, if the bot stopped before it dealt.
    """
    try:
        if table.stored.terms.invited:
            await deal_if_complete(table)
    except (Refused, Refusal) as refusal:
        log.warning("lobby not dealt", table=table.id, why=str(refusal))
    if table.phase == "lobby":
        await table.cancel("expired", knows=None if table.stored.terms.tournament else -1)


class GameRunner:
    """Runner that keeps tables going.

    All its work is recorded in rows, so work that a stop interrupts is found again.
    """

    def __init__(
        self,
        clock: Clock,
        thinker: Thinker,
        publisher: Publisher,
        scheduler: Scheduler,
        *,
        pace: float,
        prefs: Callable[[int], Awaitable[Prefs]],
        at_end: Sequence[AtEnd] = (),
    ) -> None:
        self._clock = clock
        self._thinker = thinker
        self._publisher = publisher
        self._scheduler = scheduler
        self._pace = pace
        self._prefs = prefs
        self._at_end = at_end
        self._asked_at: LRUCache[int, int] = LRUCache(MOST_ASKED)
        """Table time of the last notification of a request, by table."""
        self.due: dict[str, DueAtTable] = {
            "opponent": self._opponent_turn,
            "settle": self._settle,
            "turn": self._time_is_up,
            PASS: self._pass,
            "lobby": self._close_lobby,
            HELD: self._release_seats,
            NEXT: self._seat_next,
            **dict.fromkeys(SPOKEN, self._say),
            **dict.fromkeys(NEWS, self._tell),
        }
        """Handlers of the deadlines of tables, by kind."""

    def go_on(self, table: Table) -> None:
        """Start the work that the position requires. Harmless if it is in progress."""
        for deadline in self._owed(table):
            self._scheduler.trigger(deadline.kind, deadline)

    def _owed(self, table: Table) -> list[Deadline]:
        """Return the deadlines of the work that is due at a table: settle it, or act for seats."""
        if table.phase != "live" or (table.asleep and table.outcome() is None):
            return []
        if table.outcome() is not None:
            return [each for each in table.deadlines if each.kind == "settle"]
        seats = [s for s in table.waiting() if table.sitters[s].level is not None or table.away(s)]
        if table.stored.terms.daily:
            del seats[1:]  # the moves in a daily deal must not depend on speed
        return [each for each in table.deadlines if each.kind == "opponent" and each.seat in seats]

    async def _settle(self, table: Table, deadline: Deadline) -> None:
        if deadline in self._owed(table):
            await table.settle(
                lambda connection: keep_results(connection, table, self._clock.now(), self._at_end)
            )

    async def _opponent_turn(self, table: Table, deadline: Deadline) -> None:
        """Make one decision for an opponent, after the usual pause.

        The opponent thinks during the pause, so that the time it takes reveals nothing about its hand.
        """
        if deadline not in self._owed(table):
            return
        seat = deadline.seat
        decision, together = table.decisions[seat], len(table.waiting()) > 1
        due = self._clock.monotonic() + (min(TOGETHER_PACE, self._pace) if together else self._pace)
        while (mover := self._mover(table, seat, decision)) is not None:
            observation, action = await self._choice(table, seat, mover[0])
            if (rest := due - self._clock.monotonic()) > 0:
                await self._clock.sleep(rest)
            if self._mover(table, seat, decision) == mover and _seen(table, seat) == observation:
                await table.act(seat, decision, action, kind=mover[1], present=False)
                return

    def _mover(self, table: Table, seat: int, decision: int) -> tuple[str, str] | None:
        """Return the level that makes this decision of a seat, and the kind of its move.

        None if a person makes it, or if it no longer has to be made.
        """
        if table.phase != "live" or table.decisions[seat] != decision or not table.legal[seat]:
            return None
        if (level := table.sitters[seat].level) is not None:
            return level, "act"
        return (steady(table.game), "timeout") if table.away(seat) else None

    async def _choice(self, table: Table, seat: int, level: str) -> tuple[object, Any]:
        """Return what a seat observes now, and the action that an opponent of this level chooses.

        If the opponent fails or does not answer in time, Steady chooses. If Steady fails as well, the action
        is random, because the table must not get stuck.
        """
        observation, actions = _seen(table, seat), table.legal[seat]
        # tables without a channel would otherwise share one queue
        whose = table.stored.channel_id or table.stored.host_id
        luck = answer_luck(table, seat) if table.stored.terms.daily else None
        for player in dict.fromkeys((level, steady(table.game))):
            try:
                action: Any = await self._thinker.choose(
                    table.game.key, player, observation, actions, whose=whose, luck=luck
                )
            except Exception as error:  # an opponent may fail in any way
                if luck is not None and isinstance(error, NoAnswer):
                    # ask again later: no other level may answer instead
                    raise Refused("daily_wait") from error
                log.exception("opponent broke, another stands in", table=table.id, seat=seat, level=player)
            else:
                if action in actions:
                    return observation, action
        return observation, random.Random(luck).choice(actions)

    async def _holiday(self, table: Table, seat: int) -> int | None:
        """Return when the holiday of a seat's person ends, in milliseconds, or None if they have none.

        During it their clock waits, and no one pings them. Tables with a short clock have no holidays.
        """
        user_id = table.sitters[seat].user_id
        if user_id is None or not stops_for_holidays(table.stored.terms):
            return None
        until = (await self._prefs(user_id)).holiday
        return until if until > self._clock.now() else None

    async def _waits_for_morning(self, table: Table, deadline: Deadline) -> bool:
        """Postpone a reminder that would come at night for the person whose turn it is. Return whether it did
        so.

        At a table with a short clock people are there anyway.
        """
        user_id = table.sitters[deadline.seat].user_id
        if user_id is None or not at_leisure(table.stored.terms) or deadline.kind == "note":
            return False
        now = self._clock.now()
        if now - table.acted_at.get(deadline.seat, 0) < AWAKE_MS:
            return False
        ends = night_ends(await self._prefs(user_id), now)
        return bool(ends) and await table.put_off(deadline, ends - now)

    async def _tell(self, table: Table, deadline: Deadline) -> None:
        """Send news once.

        Each table sends news of requests at most once in ten minutes. A later request waits until then.
        """
        asked_at, now = self._asked_at.get(table.id, 0), table.now()
        if deadline.kind == ASKED and now < asked_at + ASK_AGAIN_MS:
            await table.put_off(deadline, asked_at + ASK_AGAIN_MS - now)
            return
        if not await table.drop_reminder(deadline):
            return
        if deadline.kind == ASKED:
            self._asked_at[table.id] = now
        self._publisher.tell_news(table, deadline.kind, deadline.seat)

    async def _say(self, table: Table, deadline: Deadline) -> None:
        """Remind the person whose turn it is, in private or in public."""
        seat, waits = deadline.seat, deadline.seat in table.waiting()
        if waits and await self._waits_for_morning(table, deadline):
            return
        # removed before it is sent, because a restart in between must not ping a person twice
        if not await table.drop_reminder(deadline) or not waits:
            return
        if table.sitters[seat].user_id in table.stored.terms.quiet:
            return
        if await self._holiday(table, seat) is not None:
            return
        if deadline.kind == "nudge":
            self._publisher.nudge(table, seat)
            return
        seconds_left, kind = table.stored.terms.clock // PART_LEFT[deadline.kind], deadline.kind
        self._publisher.remind(table, seat, seconds_left, aloud=kind != "remind", ping=kind == "warn")

    async def _time_is_up(self, table: Table, deadline: Deadline) -> None:
        """Move for the person whose turn clock has run out, or stop their clock if they are on holiday."""
        seat = deadline.seat
        if seat not in table.waiting():
            return
        if until := await self._holiday(table, seat):
            if await wait_for_holiday(table, deadline, until):
                self._publisher.on_holiday(table, seat, until // 1000)
            return
        decision = table.decisions[seat]
        _, action = await self._choice(table, seat, steady(table.game))
        await table.act(seat, decision, action, kind="timeout", present=False)

    async def _pass(self, table: Table, deadline: Deadline) -> None:
        """Pass for a person who requested that in advance."""
        seat = deadline.seat
        if seat in table.waiting():
            pass_action = next((action for action in table.legal[seat] if action[0] == PASS), None)
            if pass_action is not None:
                await table.act(seat, table.decisions[seat], pass_action, present=False)

    async def _close_lobby(self, table: Table, _deadline: Deadline) -> None:
        if table.phase == "lobby":
            await _close_or_deal(table)

    async def _release_seats(self, table: Table, _deadline: Deadline) -> None:
        if table.phase == "lobby":
            for user_id in await release(table):
                self._publisher.seat_free(table, user_id)

    async def _seat_next(self, table: Table, _deadline: Deadline) -> None:
        if table.phase == "lobby":
            for user_id in await seat_next(table):
                self._publisher.seat_free(table, user_id)
