"""Tournaments for tests: a Discord that outlives the bot, and a bot that can be stopped and started."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.features.tournaments.rows import TournamentState
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.tournament import Tournament, running_bracket
from bot.store.terms import Notice, TournamentTerms
from bot.table import lobby
from bot.table.table import Table
from engine.brackets import Kind, Match
from engine.game import Value
from tests.support.tables.tables import ManualClock, at_hand, close_tables, opened_tables, settle


class Stage:
    """Makes threads and remembers them, outlives the bot as Discord does, and fails as it is told."""

    def __init__(self) -> None:
        self.threads: dict[int, str] = {}
        self.calls: list[int] = []
        self.fails: dict[str, BaseException] = {}
        """By what is asked: what it answers instead."""
        self.lost: dict[str, BaseException] = {}
        """By what is asked: what it answers after it has done so all the same."""
        self.changed: list[tuple[int, bool]] = []
        self.moved: list[Callable[[Table], None]] = []
        self.ways: list[int] = []
        self.told: list[int] = []
        """The tournaments whose end was told."""
        self.unseen: set[int] = set()
        self.gone: set[int] = set()
        """People who have left the server."""
        self.removed: list[tuple[str, int | None]] = []
        self.absent: list[int] = []
        """People who were asked whether they still take part."""
        self.unanswered: list[str] = []
        self.notices: list[Notice] = []
        self.going_on: list[int] = []
        """Tables whose games go on without their match."""
        self.deleted: set[int] = set()
        """Channels that were deleted."""
        self.lost_channels: list[int] = []
        """Tournaments whose organisers know that the channel was deleted."""
        self.asked, self.door = asyncio.Event(), asyncio.Event()
        self.door.set()

    def tournament_changed(self, tournament: Tournament, *, acted: bool = False) -> None:
        self.changed.append((tournament.id, acted))

    def ways_changed(self, tournament: Tournament) -> None:
        self.ways.append(tournament.id)

    @contextmanager
    def _asked(self, what: str) -> Iterator[None]:
        if error := self.fails.get(what):
            raise error
        yield
        if error := self.lost.pop(what, None):
            raise error

    def is_allowed(self, tournament: Tournament, thread_id: int | None) -> bool:
        return True

    async def find_threads(self, tournament: Tournament, match: Match) -> list[int]:
        return [number for number, key in self.threads.items() if key == match.key]

    async def open_thread(self, tournament: Tournament, match: Match) -> int:
        with self._asked("thread"):
            self.asked.set()
            await self.door.wait()
            number = 100 + len(self.threads)
            self.threads[number] = match.key
        return number

    async def call(self, tournament: Tournament, match: Match, thread_id: int, game_id: int) -> None:
        with self._asked("call"):
            self.calls.append(game_id)

    async def tell_end(self, tournament: Tournament) -> None:
        with self._asked("end"):
            self.told.append(tournament.id)

    async def is_gone(self, tournament: Tournament, user_id: int) -> bool:
        return user_id in self.gone

    async def post_notice(self, tournament: Tournament, notice: Notice) -> None:
        with self._asked("notice"):
            self.notices.append(notice)
        if notice.what in ("removed", "gone"):
            self.removed.append((notice.name, notice.by or None))
        elif notice.what == "unanswered":
            self.unanswered.append(notice.name)

    async def ask_absent(self, tournament: Tournament, user_id: int, until: int) -> None:
        with self._asked("absent"):
            self.absent.append(user_id)

    async def has_lost_channel(self, tournament: Tournament) -> bool:
        return tournament.stored.channel_id in self.deleted

    async def tell_lost(self, tournament: Tournament) -> None:
        self.lost_channels.append(tournament.id)

    async def ensure_posted(self, table: Table) -> None:
        with self._asked("stand"):
            await table.set_place(table.stored.channel_id, 9000 + table.id, guild_id=70)

    def goes_on(self, table: Table) -> None:
        self.going_on.append(table.id)

    async def hindered(self, table: Table) -> bool:
        with self._asked("hindered"):
            return table.stored.message_id is None or table.id in self.unseen

    @property
    def opened(self) -> list[str]:
        """The matches for which threads were made, in that order."""
        return list(self.threads.values())


class World:
    """A bot with its tournaments, that can be stopped and started again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.clock = ManualClock()
        self.stage = Stage()

    async def open(self) -> None:
        self.tables, _, _ = await opened_tables(self._path, self.clock)
        self.tournaments = Tournaments(self.tables.database, self.clock, self.tables, self.stage)
        self.tables.runtime.attach(self.tournaments)

    async def restart(self) -> list[Tournament]:
        """Stop and start the bot; the tournaments that have come back."""
        await close_tables(self.tables)
        await self.open()
        await self.tournaments.open()
        await settle(self.tables)
        await self.tournaments.hourly()
        await settle(self.tables)
        return self.tournaments.of_guild(70)

    async def tournament(
        self,
        players: int,
        *,
        game: str = "probe",
        options: dict[str, Value] | None = None,
        kind: Kind = "single",
        rounds: int = 0,
        host: int = 1,
    ) -> Tournament:
        tournament = await self.tournaments.create(
            name="Cup",
            game=game,
            options={"rounds": 1} if options is None else options,
            terms=TournamentTerms(kind=kind, rounds=rounds, seeding="rating"),
            guild_id=70,
            channel_id=7,
            host_id=host,
            locale="en",
        )
        for user in range(1, players + 1):
            await self.tournaments.join(tournament, user, f"person {user}")
        return tournament

    def table(self, tournament: Tournament, key: str) -> Table:
        return next(t for t in at_hand(self.tables).values() if t.stored.terms.match == key)

    async def play(self, tournament: Tournament, key: str, *, loser: int | None) -> None:
        """Both come and each lays one card, but the loser none; without a loser it is a draw."""
        table = self.table(tournament, key)
        for user in table.stored.terms.invited:
            await lobby.join(table, user, f"person {user}", 1000 + user)
        await lobby.start(table, table.stored.host_id)
        while table.phase == "live" and table.waiting():
            seat = table.waiting()[0]
            legal = table.legal[seat]
            # how many cards of a rank a seat holds is the deal's luck: one card each is even in every deal
            lose = legal[-1].verb == "pass" and table.sitters[seat].user_id == loser
            await table.act(seat, None, legal[-1] if lose else legal[0])
        await settle(self.tables)


async def report(
    tournaments: Tournaments, tournament: Tournament, key: str, winner: str | None, *, walkover: bool = False
) -> None:
    """Note how a match went, as a table would."""

    def work(state: TournamentState) -> None:
        bracket = running_bracket(state).report(key, winner, walkover=walkover)
        tournaments._go_to(state, bracket, key)

    await tournaments._change(tournament, work, acted=True)
    tournaments._proceed(tournament, acted=True)
