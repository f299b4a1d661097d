"""The bot: settings, storage, tables and views put together and connected to Discord."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from random import Random
from typing import Any

import discord
import structlog
import yarl

from bot import presenters
from bot.connection import proxy_for
from bot.core.backoff import Backoff
from bot.core.clock import Clock, SystemClock
from bot.core.lease_holder import LeaseHolder
from bot.core.scheduler import Scheduler
from bot.core.tasks import Tasks
from bot.features.table.hand.open_hands import OpenHands
from bot.features.table.publishing.publisher import TablePublisher
from bot.locales import words
from bot.ops import probes
from bot.ops.prerender import draw_ahead
from bot.ops.startup import bring_up_to_date
from bot.presenters.painter_imports import load_painters
from bot.render.pool import Studio
from bot.render.sprite_cache import NOWHERE
from bot.server_checks import ServerChecks
from bot.session_starts import SessionStarts
from bot.settings import Settings
from bot.shard_tasks import ShardTasks
from bot.store.backend import other_bot_note
from bot.store.backend.engines import WaitLimits
from bot.store.database import Database, Fenced, StoreError
from bot.table.people.quotas import Quotas
from bot.table.ports import Thinker
from bot.table.registry import Tables
from bot.table.storage.retention import Keeping
from bot.table.thinking import WorkerThinker, load_games
from bot.telemetry.discord_requests import tracing
from bot.telemetry.health import BEAT_SECONDS, Health
from bot.telemetry.health_server import HealthServer
from bot.telemetry.invalid_requests import InvalidRequests
from bot.telemetry.metrics import Metrics
from bot.telemetry.other_bot_detection import OtherBotDetector
from bot.ui.app import App, Connected, Interaction
from bot.ui.commands import command_tree
from bot.ui.commands.command_translations import MenuTranslator
from bot.ui.commands.registered_commands import PublishedCommands
from bot.ui.debouncer import Debouncer
from bot.ui.features import open_services
from bot.ui.outbox import Outbox
from bot.ui.preferences import Preferences
from bot.ui.rate_limiter import RateLimiter
from bot.ui.router import dispatch, dispatch_form
from bot.workers.cluster import Cluster, find_cluster
from bot.workers.cores import all_but_one
from bot.workers.process_worker import preload

log = structlog.get_logger(__name__)

START_AGAIN = 75
"""Exit code that asks for a restart: another process has taken over. (EX_TEMPFAIL of sysexits.h)"""
SHARED_IMPORTS = "bot.worker_imports"
"""The module that the bot's workers have in common."""
TYPED_PER_PRESS = 3
"""Autocomplete requests allowed per person, as a multiple of their presses."""
DRAIN_SECONDS, TELL_SECONDS, LEAVE_SECONDS = 2.5, 1.0, 1.0
"""Seconds a stop waits: for work in progress, for updates to open hands, for Discord's closing handshake."""


class Valence(Connected):
    """The bot's connection. `app` holds its parts once `setup_hook` has run."""

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock | None = None,
        thinker: Thinker | None = None,
        chance: Random | None = None,
        rest_anyway: bool = False,
    ) -> None:
        self.metrics = Metrics()
        self._other_bot = other_bot = OtherBotDetector()
        other_bot.on_refused = self._meet_other_bot
        self.shards_here = here = settings.own_shards
        self._invalid_requests = InvalidRequests(here.share)
        # without a setting, use as many as Discord recommends
        shards: dict[str, Any] = {"shard_count": here.count, "shard_ids": list(here.ids)}
        super().__init__(
            **(shards if settings.shards else {}),
            proxy=proxy_for(settings),
            http_trace=tracing(self.metrics, other_bot, self._compare_clock, self._invalid_requests),
            intents=discord.Intents(guilds=True, guild_scheduled_events=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
        )
        self.settings = settings
        self._clock = clock or SystemClock()
        self._chance = chance or Random()
        self._rest_anyway = rest_anyway
        self._session_starts = SessionStarts(
            self.http.get_bot_gateway, self._clock, self._chance, self.metrics.session_starts.inc
        )
        self._shard_tasks: ShardTasks | None = None
        self._thinker = thinker or new_thinker(settings)
        self._stopping: asyncio.Task[None] | None = None
        self.ending = asyncio.Event()
        """Set when the bot begins to stop."""
        self.closing = ""
        """The reason presses are no longer accepted, as a key of the strings; empty while all is well."""
        self.exit_code = 0
        self._warming: asyncio.Task[None] | None = None
        self.health = Health(self.metrics)
        self.health_server = HealthServer(self.metrics, self.health)
        self._away: set[int] = set()
        """Disconnected shards."""
        self._server_checks = ServerChecks(self._clock, self._allowed)
        self._answering: set[asyncio.Task[object]] = set()
        """Tasks that are currently answering an interaction."""
        self._parts: contextlib.AsyncExitStack = contextlib.AsyncExitStack()
        """Resources opened so far, closed in reverse order."""
        self.commands: PublishedCommands | None = None
        self.tree = command_tree.Tree(self)
        command_tree.add_all(self.tree)

    async def setup_hook(self) -> None:
        """Open the tables before the first event arrives; a standby waits here for the lease.

        Raises:
            StoreError: the database cannot be used.
            TooManyRest: this version cannot replay too many of the open tables.
        """
        for game, error in presenters.missing().items():
            log.error("game not offered: its presenter cannot be imported", game=game, exc_info=error)
        self._open_watch()
        self._join_cluster()
        database = await self._open_database()
        self.app = app = self._put_together(database, self._open_studio())
        self._watch(app)
        # start-up does not wait for this: if a picture is late, the press is answered in words
        self._warming = asyncio.create_task(app.studio.warm_up())
        await self.tables.runtime.open()
        if self._shard_tasks is not None:
            self._shard_tasks.listen(app)
        self._draw_ahead(app)
        for service in app.services:
            await service.open()
        await self._sync_commands(app)
        # registered only now, so that a standby waiting above does not count as disconnected
        self.health.probe("gateway", probes.gateway(self, self._session_starts))

    def _compare_clock(self, at: int) -> None:
        """Go by Discord's clock while the machine's is wrong."""
        if isinstance(self._clock, SystemClock) and (ahead := self._clock.compare(at)) is not None:
            say = log.error if ahead else log.info
            say("clock of this machine compared with Discord's", ahead_seconds=ahead // 1000)

    def _join_cluster(self) -> None:
        """Start looking for the cluster in the background."""
        thinker = self._thinker
        if isinstance(thinker, WorkerThinker) and (cluster := thinker.cluster) is not None:
            cluster.keep()
            self._parts.push_async_callback(asyncio.to_thread, cluster.shutdown)
            self.health.probe("cluster", probes.cluster(cluster))
            warming = asyncio.create_task(thinker.warm_up())
            self._parts.callback(warming.cancel)

    async def _open_database(self) -> Database:
        settings = self.settings
        database = Database(settings.async_database_url, WaitLimits(command=settings.database_seconds))
        database.timed = self.metrics.store
        self._parts.push_async_callback(database.close)
        await bring_up_to_date(database, settings)
        if not self.shards_here.whole:
            self._shard_tasks = ShardTasks(database)
            self._parts.push_async_callback(self._shard_tasks.close)
        return database

    async def _async_setup_hook(self) -> None:
        await super()._async_setup_hook()
        self._session_starts.delay(self)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for this process's turn if other processes open shards as well."""
        if self._shard_tasks is None:
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await self._shard_tasks.before_identify(shard_id or 0, self.http)
        self._session_starts.identified(shard_id or 0)

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Open a shard when enough session starts are left, and it is its turn."""
        await self._session_starts.before_start(
            len(self.shard_ids or range(self.shard_count or 1)) - len(self.shards)
        )
        if self._shard_tasks is not None:
            await self._shard_tasks.before_connecting(shard_id, self.http)
        await super().launch_shard(gateway, shard_id, initial=initial)

    def _open_studio(self) -> Studio:
        studio = new_studio(self.settings)
        self._parts.callback(studio.close)
        return studio

    def _draw_ahead(self, app: App) -> None:
        """Draw cards ahead of time, if there are worker processes and a cache folder."""
        settings, thinker = self.settings, self._thinker
        if settings.workers and settings.cache != NOWHERE and isinstance(thinker, WorkerThinker):
            games = presenters.offered()
            work = draw_ahead(app.studio, thinker, games, settings.cache)
            self.tables.tasks.spawn(work, "cards drawn ahead")

    def _put_together(self, database: Database, studio: Studio) -> App:
        """Create the bot's parts, each with the parts it needs."""
        settings, clock = self.settings, self._clock
        metrics, tasks, hands = self.metrics, Tasks(), OpenHands(studio)
        preferences = Preferences(database)
        # Discord counts the calls of all processes together
        outbox = Outbox(
            clock,
            self,
            studio,
            metrics,
            tasks.spawn,
            preferences=preferences,
            share=self.shards_here.share,
            invalid_requests=self._invalid_requests,
        )
        publisher = TablePublisher(outbox, hands)
        self.tables = tables = self._make_tables(database, publisher, tasks)
        app = App(
            settings=settings,
            database=database,
            studio=studio,
            clock=clock,
            tasks=tasks,
            accounts=tables.accounts,
            rate_limiter=RateLimiter(clock, settings.most_presses_a_second),
            typing=RateLimiter(clock, TYPED_PER_PRESS * settings.most_presses_a_second),
            debouncer=Debouncer(clock),
            preferences=preferences,
            metrics=metrics,
            reply_priority=outbox.reply_priority,
            chance=self._chance,
        )
        app.add(tables, tables.opener, tables.runtime, outbox, hands, publisher)
        open_services(app, tables.runtime.attach)
        return app

    def _make_tables(self, database: Database, publisher: TablePublisher, tasks: Tasks) -> Tables:
        settings = self.settings
        lease_holder = LeaseHolder(
            database,
            self._clock,
            shards=self.shards_here,
            seconds=settings.lease_seconds,
            renew_every=settings.lease_renew_seconds,
            on_lost=self._overtaken,
        )
        quotas = Quotas(
            settings.most_lobbies_of_person,
            settings.most_tables_of_person,
            settings.most_tables_of_channel,
            settings.most_tables_of_server,
        )
        tables = Tables(
            database,
            self._clock,
            self._thinker,
            publisher,
            pace=settings.pace,
            lobby_minutes=settings.lobby_minutes,
            quotas=quotas,
            lease_holder=lease_holder,
            tasks=tasks,
            rest_anyway=self._rest_anyway,
            offers=presenters.offers,
            keeping=Keeping(settings.fold_days, settings.lobby_days),
        )
        self._parts.push_async_callback(tables.runtime.close)
        return tables

    def _open_watch(self) -> None:
        """Answer monitoring tools from the first moment, even as a standby, if a port is set."""
        if self.settings.metrics_port:
            self.health_server.open(self.settings.metrics_host, self.settings.metrics_port)
            self._parts.callback(self.health_server.close)
            # loops of their own, in real time: those of the tables wait for the lease
            tasks = Tasks()
            tasks.open()
            scheduler = Scheduler(SystemClock(), tasks.spawn)
            retry = Backoff(BEAT_SECONDS, factor=1.0)
            scheduler.keep("event loop", self.health.beat, retry=retry)
            scheduler.keep("health", self.health.round, retry=retry)
            self._parts.push_async_callback(tasks.end)
            self._parts.callback(tasks.halt)

    def _watch(self, app: App) -> None:
        """Start collecting metrics and checking the health of each part."""
        metrics, pools = self.metrics, [app.studio.pool]
        if isinstance(self._thinker, WorkerThinker):
            pools += self._thinker.pools
        for pool in pools:
            metrics.watch(pool)
        metrics.watch_cache("pictures", app.studio)
        metrics.watch_cache("tables", self.tables.cache)
        metrics.tables.set_function(lambda: len(self.tables.cache))
        for phase in ("open", "finished"):
            metrics.unreplayed.labels(phase).set_function(
                partial(self.tables.runtime.upkeep.unreplayed, phase)
            )
        metrics.queued.set_function(lambda: app.service(Outbox).waiting)
        self.health.probe("database", probes.database(app.database, self.tables.lease_holder))
        self.health.probe("workers", probes.workers(pools))
        self.health.probe("lease", probes.lease(self.tables.lease_holder))
        self.health.probe("requests", probes.requests(self._invalid_requests))
        self.health.probe("token", probes.token(self._other_bot))
        self.health.probe("loops", probes.loops(self.tables.runtime.scheduler, self._clock))

    async def _sync_commands(self, app: App) -> None:
        """Register the commands with Discord, if it has others, and look again once a day."""
        await self.tree.set_translator(MenuTranslator())
        tables = self.tables
        self.commands = PublishedCommands(
            self.tree, self.application_id or 0, app.database, self._clock, tables.tasks.spawn
        )
        if not self.shards_here.first:
            return
        first = await self.commands.first_check()
        tables.runtime.scheduler.keep("commands", self.commands.check, first=first)

    def refresh_commands(self) -> None:
        """Compare the commands that Discord has with those of this version soon."""
        if self.commands is not None:
            self.commands.refresh()

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer a button press or a form; commands are handled separately."""
        if interaction.type is discord.InteractionType.component:
            await dispatch(interaction)
        elif interaction.type is discord.InteractionType.modal_submit:
            await dispatch_form(interaction)

    async def on_ready(self) -> None:
        """Mark the bot as ready. Discord may call this again after a lost connection."""
        self.health.ready = True
        log.info("ready", warm=len(self.tables.cache), guilds=len(self.guilds), shards=len(self.shards))
        await self.tables.runtime.upkeep.reconcile_guilds([guild.id for guild in self.guilds])

    async def on_shard_ready(self, shard_id: int) -> None:
        """Note that a shard is connected, for the first time or again."""
        self._back(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Note that a shard's connection was resumed."""
        self._back(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Stop all clocks, because no one can act while a connection is down. All shards share one table
        time, so the clocks of all of them stop."""
        self._away.add(shard_id)
        self._session_starts.lost(shard_id)
        app = getattr(self, "app", None)
        if app is not None:
            self.tables.lease_holder.pause()

    def _back(self, shard_id: int) -> None:
        self._away.discard(shard_id)
        if not self._away:
            self.tables.lease_holder.go_on()

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Record that the bot has left a server. Discord does not send this for servers that are merely
        unavailable."""
        await self.tables.runtime.upkeep.on_guild_remove(guild.id, [channel.id for channel in guild.channels])
        self.app.preferences.forget_server(guild.id, [channel.id for channel in guild.channels])

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Record that the bot has joined a server, perhaps one it had left, and tell features.

        Neither a start nor the end of an outage counts as joining.
        """
        await self.tables.runtime.upkeep.on_guild_join(guild.id)
        for service in self.app.services:
            service.joined(guild.id)

    async def on_raw_thread_update(self, changed: discord.RawThreadUpdateEvent) -> None:
        """Retry refused messages in a thread that has changed, unless it is locked. For a game that ended
        there, nothing else would trigger a retry."""
        if not changed.data["thread_metadata"].get("locked"):
            for service in self.app.services:
                service.unlocked(changed.thread_id, changed.guild_id)

    async def on_thread_update(self, before: discord.Thread, after: discord.Thread) -> None:
        """Tell services of a thread that was archived just now."""
        if after.archived and not before.archived and not after.locked:
            opened_at = int(1000 * before.archive_timestamp.timestamp())
            for service in self.app.services:
                service.thread_archived(after.id, opened_at)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Retry for a server that became available, at the start or after a lost session, because unlocks and
        new permissions may have been missed. After a start that is every server, so they take turns."""
        self._server_checks.add(guild.id)

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Retry after permissions in a channel changed. As with a lock, nothing else retries for a finished
        game."""
        if before.overwrites != after.overwrites:
            self._allowed(after.guild.id)
        if before.name != after.name:
            for service in self.app.services:
                service.channel_renamed(after.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Tell features and players of a deleted channel."""
        self._removed(channel.guild.id)
        self._channel_deleted(channel.id, channel.guild.id)

    async def on_raw_thread_delete(self, deleted: discord.RawThreadDeleteEvent) -> None:
        """Tell features and players of a deleted thread."""
        self._channel_deleted(deleted.thread_id, deleted.guild_id)

    def _channel_deleted(self, channel_id: int, guild_id: int) -> None:
        for service in self.app.services:
            service.channel_deleted(channel_id, guild_id)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Tell features of a deleted role."""
        self._removed(role.guild.id)

    def _removed(self, guild_id: int) -> None:
        for service in self.app.services:
            service.removed(guild_id)

    async def on_scheduled_event_update(
        self, _before: discord.ScheduledEvent, after: discord.ScheduledEvent
    ) -> None:
        """Tell features of a scheduled event that was changed."""
        self._event_changed(after.id)

    async def on_scheduled_event_delete(self, event: discord.ScheduledEvent) -> None:
        """Tell features of a scheduled event that was deleted."""
        self._event_changed(event.id)

    def _event_changed(self, event_id: int) -> None:
        for service in self.app.services:
            service.event_changed(event_id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Retry after the permissions of a role changed, which may be the bot's."""
        if before.permissions != after.permissions:
            self._allowed(after.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Retry after a change of the bot's own roles or time-out. Discord reports no other members."""
        if (before.roles, before.timed_out_until) != (after.roles, after.timed_out_until):
            self._allowed(after.guild.id)

    def _allowed(self, guild_id: int) -> None:
        """Retry messages that were waiting for permissions in this server."""
        for service in self.app.services:
            service.allowed(guild_id)

    def _meet_other_bot(self) -> None:
        if (app := getattr(self, "app", None)) is not None:
            self.tables.tasks.spawn(self._note_other_bot(app), "another bot with this token")

    async def _note_other_bot(self, app: App) -> None:
        """Log once that another bot has this token, and store when it was last seen."""
        now, where = self.tables.clock.now(), self.application_id or 0
        if now - self._other_bot.noted_at < other_bot_note.NOTE_MS:
            return
        try:
            await app.database.write_at_once(lambda c: other_bot_note.note(c, where, now))
        except Fenced:
            return  # the other bot is the standby, which took over while this process was frozen
        except StoreError as found:
            log.warning("another bot not noted", why=found.kind)
        first, self._other_bot.noted_at = not self._other_bot.noted_at, now
        if first:
            log.error(words("en")("start.other_bot"))

    def _overtaken(self) -> None:
        """Stop, because another process has taken the lease, and ask for a restart as its standby."""
        self.exit_code = START_AGAIN
        self._begin_to_stop("store.fenced")

    def _begin_to_stop(self, why: str) -> asyncio.Task[None]:
        if self._stopping is None:
            self.closing = why
            self.ending.set()
            self._stopping = asyncio.create_task(self._stop())
        return self._stopping

    async def close(self) -> None:
        """Stop everything in order; stored games continue at the next start. May be called twice.

        Presses are refused with a message, open hands are updated, and changes in progress are completed.
        Then the gateway, the tables, the pictures, the database and with it the lease are closed.
        """
        await asyncio.shield(self._begin_to_stop("trouble.stopping"))

    async def _stop(self) -> None:
        app = getattr(self, "app", None)
        if app is not None:
            self.tables.runtime.halt()
            app.service(Outbox).halt()
            telling = asyncio.create_task(
                app.service(OpenHands).tell_all(self.tables.cache.get, self.closing, TELL_SECONDS)
            )
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(DRAIN_SECONDS):
                    await self._answered()
                    await app.service(Outbox).drain()
                    await self.tables.runtime.end_tasks()
                    await self.tables.runtime.drain()
                    for service in app.services:
                        await service.drain()
            await telling
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(super().close(), LEAVE_SECONDS)
        self._session_starts.close()
        await self._parts.aclose()

    def note_press(self) -> None:
        """Register the running task as answering a press or a command, so that a stop waits for it."""
        if (task := asyncio.current_task()) is not None:
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

    async def _answered(self) -> None:
        while self._answering:
            await asyncio.wait(set(self._answering))


def new_thinker(settings: Settings) -> WorkerThinker:
    """Return the workers for everything except the pictures of messages; nothing is started yet."""
    preload(SHARED_IMPORTS)
    load_pictures = partial(load_painters, settings.cache)
    return WorkerThinker(settings.workers, cluster=_cluster(settings), load_pictures=load_pictures)


def new_studio(settings: Settings) -> Studio:
    """Return the studio with its painting processes; nothing is started yet."""
    preload(SHARED_IMPORTS)
    painters = (settings.painters or all_but_one()) if settings.workers else 0
    return Studio(workers=painters, prepare=partial(load_painters, settings.cache))


def _cluster(settings: Settings) -> Cluster | None:
    """Return the configured cluster, not joined yet."""
    return find_cluster(settings.scheduler, prepare=load_games) if settings.scheduler else None
