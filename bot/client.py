"""The bot: settings, storage, tables and views put together and connected to Discord."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from functools import partial
from typing import Any

import discord
import structlog
import yarl

from bot import commands, presenters, probes
from bot.commands.translating import MenuTranslator
from bot.divided import Divided
from bot.drawing_ahead import draw_ahead
from bot.presenters.painting import load_painters
from bot.render.pool import Studio
from bot.render.sprite_cache import NOWHERE
from bot.settings import Settings
from bot.startup import bring_up_to_date
from bot.store import people
from bot.store.database import Database
from bot.store.engines import Limits
from bot.tables.nights import Nights
from bot.tables.ports import Clock, SystemClock, Thinker
from bot.tables.quotas import Quotas
from bot.tables.retention import Keeping
from bot.tables.tables import Tables
from bot.tables.tasks import Tasks
from bot.tables.tenure import Tenure
from bot.tables.thinking import WorkerThinker, load_games
from bot.tables.tournaments import Tournaments
from bot.telemetry.health import Health
from bot.telemetry.metrics import Metrics
from bot.telemetry.requests import tracing
from bot.telemetry.server import Watchman
from bot.views.app import App, Connected, Interaction
from bot.views.clicks import Clicks
from bot.views.hurry import Hurry
from bot.views.nights import NightBoard
from bot.views.open_hands import OpenHands
from bot.views.outbox import Outbox
from bot.views.preferences import Preferences
from bot.views.presses import lookup
from bot.views.publish import TablePublisher
from bot.views.router import dispatch, dispatch_form
from bot.views.tournament import TournamentBoard
from bot.views.watchers import Watchers
from bot.workers.cluster import Cluster
from bot.workers.cores import all_but_one

log = structlog.get_logger(__name__)

START_AGAIN = 75
"""The exit code that asks for a restart: another process has taken over. (EX_TEMPFAIL of sysexits.h)"""
DRAIN_SECONDS, TELL_SECONDS, LEAVE_SECONDS = 2.5, 1.0, 1.0
"""How long a stop waits: for what is under way, for open hands to be told, for Discord to say goodbye."""


class Valence(Connected):
    """The bot's connection. `app` holds its parts once `setup_hook` has run."""

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock | None = None,
        thinker: Thinker | None = None,
        rest_anyway: bool = False,
    ) -> None:
        self.metrics = Metrics()
        self.shards_here = here = settings.own_shards
        # where none are set, as many as Discord recommends
        shards: dict[str, Any] = {"shard_count": here.count, "shard_ids": list(here.ids)}
        super().__init__(
            **(shards if settings.shards else {}),
            http_trace=tracing(self.metrics),
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
        )
        self.settings = settings
        self._clock = clock or SystemClock()
        self._rest_anyway = rest_anyway
        self._divided: Divided | None = None
        self._thinker = thinker or WorkerThinker(settings.workers, cluster=_cluster(settings))
        self._stopping: asyncio.Task[None] | None = None
        self.ending = asyncio.Event()
        """Set when it begins to stop."""
        self.closing = ""
        """Why nothing is pressed any more, as a key of the strings; empty while all is well."""
        self.exit_code = 0
        self._warming: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None
        self.health = Health(self.metrics)
        self.watchman = Watchman(self.metrics, self.health)
        self._away: set[int] = set()
        """The shards whose connection is gone."""
        self._answering: set[asyncio.Task[object]] = set()
        """What answers somebody at this moment."""
        self._parts: contextlib.AsyncExitStack = contextlib.AsyncExitStack()
        """What has been opened so far, closed in the other order."""
        self.tree = commands.Tree(self)
        commands.add_all(self.tree)

    async def setup_hook(self) -> None:
        """Open the tables before the first event arrives; as a standby, wait here for the lease.

        Raises:
            StoreError: the database cannot be used.
            TooManyRest: this version cannot replay what people play.
        """
        for game, error in presenters.missing().items():
            log.error("game not offered: its presenter cannot be imported", game=game, exc_info=error)
        self._open_watch()
        self._join_cluster()
        database = await self._open_database()
        self.app = app = self._put_together(database, self._open_studio())
        self._watch(app)
        if self._divided is not None:
            self._divided.listen(app)
        # nobody waits for it: a press whose picture is late is answered in words
        self._warming = asyncio.create_task(app.studio.warm_up())
        await app.tables.open()
        app.tables.tasks.spawn(asyncio.to_thread(lookup.prepare), "names of cards")
        self._draw_ahead(app)
        await app.tournaments.open()
        await app.nights.open()
        if self.shards_here.first:
            await self._sync_commands(database)
        # only now: a standby, which waits above, misses no connection
        self.health.probe("gateway", probes.gateway(self))

    def _join_cluster(self) -> None:
        """Look for the cluster from now on; nobody waits for it."""
        thinker = self._thinker
        if isinstance(thinker, WorkerThinker) and (cluster := thinker.cluster) is not None:
            cluster.keep()
            self._parts.push_async_callback(asyncio.to_thread, cluster.shutdown)
            self.health.probe("cluster", probes.cluster(cluster))
            warming = asyncio.create_task(thinker.warm_up())
            self._parts.callback(warming.cancel)

    async def _open_database(self) -> Database:
        settings = self.settings
        database = Database(settings.async_database_url, Limits(command=settings.database_seconds))
        database.timed = self.metrics.store
        self._parts.push_async_callback(database.close)
        await bring_up_to_date(database, settings)
        if not self.shards_here.whole:
            self._divided = Divided(database)
            self._parts.push_async_callback(self._divided.close)
        return database

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for the turn of this process where others open shards as well."""
        if self._divided is None:
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await self._divided.before_identify(shard_id or 0, self.http)

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Open a shard when it is its turn."""
        if self._divided is not None:
            await self._divided.before_connecting(shard_id, self.http)
        await super().launch_shard(gateway, shard_id, initial=initial)

    def _open_studio(self) -> Studio:
        settings = self.settings
        painters = (settings.painters or all_but_one()) if settings.workers else 0
        studio = Studio(workers=painters, prepare=partial(load_painters, settings.cache))
        self._parts.callback(studio.close)
        return studio

    def _draw_ahead(self, app: App) -> None:
        """Draw cards ahead, where there are processes that can and a place that keeps them."""
        settings, thinker = self.settings, self._thinker
        if settings.workers and settings.cache != NOWHERE and isinstance(thinker, WorkerThinker):
            games = presenters.offered()
            work = draw_ahead(app.studio, thinker, games, settings.cache)
            app.tables.tasks.spawn(work, "cards drawn ahead")

    def _put_together(self, database: Database, studio: Studio) -> App:
        """The parts of the bot, each made with those that it needs."""
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
        )
        watchers = Watchers(studio, database)
        publisher = TablePublisher(outbox, hands, watchers)
        tables = self._make_tables(database, publisher, tasks)
        nights = Nights(database, clock, tables, NightBoard(publisher))
        board = TournamentBoard(publisher)
        tournaments = Tournaments(
            database,
            clock,
            tables,
            board,
            in_server=settings.tournaments_per_server,
            of_person=settings.tournaments_per_person,
        )
        return App(
            settings=settings,
            database=database,
            studio=studio,
            tables=tables,
            publisher=publisher,
            hands=hands,
            watchers=watchers,
            tournaments=tournaments,
            nights=nights,
            tournament_board=board,
            hurry=Hurry(clock, settings.most_presses_a_second),
            clicks=Clicks(clock),
            preferences=preferences,
            metrics=metrics,
            precedence=outbox.precedence,
        )

    def _make_tables(self, database: Database, publisher: TablePublisher, tasks: Tasks) -> Tables:
        settings = self.settings
        tenure = Tenure(
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
            tenure=tenure,
            tasks=tasks,
            rest_anyway=self._rest_anyway,
            offers=presenters.offers,
            keeping=Keeping(settings.fold_days, settings.lobby_days),
        )
        self._parts.push_async_callback(tables.close)
        return tables

    def _open_watch(self) -> None:
        """Answer an operator's tools from the first moment on, also as a standby, where they may ask."""
        if self.settings.metrics_port:
            self.watchman.open(self.settings.metrics_host, self.settings.metrics_port)
            self._parts.callback(self.watchman.close)
            self._watching = asyncio.create_task(self.health.watch())
            self._parts.callback(self._watching.cancel)

    def _watch(self, app: App) -> None:
        """Count what goes on, and look at each part from now on."""
        metrics, pools = self.metrics, [app.studio.pool]
        if isinstance(self._thinker, WorkerThinker):
            pools += self._thinker.pools
        for pool in pools:
            metrics.watch(pool)
        metrics.watch_cache("pictures", app.studio)
        metrics.watch_cache("tables", app.tables.shelf)
        metrics.tables.set_function(lambda: len(app.tables.shelf))
        for phase in ("open", "finished"):
            metrics.unreplayed.labels(phase).set_function(partial(app.tables.upkeep.unreplayed, phase))
        metrics.queued.set_function(lambda: app.publisher.outbox.waiting)
        self.health.probe("database", probes.database(app.database, app.tables.tenure))
        self.health.probe("workers", probes.workers(pools))
        self.health.probe("lease", probes.lease(app.tables.tenure))

    async def _sync_commands(self, database: Database) -> None:
        """Tell Discord of the commands, but only when they have changed: creations are limited."""
        translator = MenuTranslator()
        await self.tree.set_translator(translator)
        every = self.tree.get_commands()
        payload = [await command.get_translated_payload(self.tree, translator) for command in every]
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        where = ("application", self.application_id or 0, "commands")
        if self.settings.discord_base:
            await self.tree.publish(payload)  # a rehearsal forgets them with every start
            return
        known = await database.read_at_once(lambda c: people.get_setting(c, *where))
        if known != {"digest": digest}:
            await self.tree.publish(payload)
            await database.write_at_once(lambda c: people.put_setting(c, *where, {"digest": digest}))

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer a press or a form; commands have a way of their own."""
        if interaction.type is discord.InteractionType.component:
            await dispatch(interaction)
        elif interaction.type is discord.InteractionType.modal_submit:
            await dispatch_form(interaction)

    async def on_ready(self) -> None:
        """Say that the bot is there; Discord may call this again after a lost connection."""
        self.health.ready = True
        log.info("ready", warm=len(self.app.tables.shelf), guilds=len(self.guilds), shards=len(self.shards))
        await self.app.tables.upkeep.here([guild.id for guild in self.guilds])

    async def on_shard_ready(self, shard_id: int) -> None:
        """A connection stands, for the first time or anew."""
        self._back(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """A connection is back."""
        self._back(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Nobody can press while a connection is gone, so no clock goes on: of no shard, for they have one
        table time together."""
        self._away.add(shard_id)
        app = getattr(self, "app", None)
        if app is not None:
            app.tables.tenure.pause()

    def _back(self, shard_id: int) -> None:
        self._away.discard(shard_id)
        if not self._away:
            self.app.tables.tenure.go_on()

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot has left a server; one that is merely out of reach is not told here."""
        await self.app.tables.upkeep.left(guild.id, [channel.id for channel in guild.channels])
        self.app.preferences.forget_server(guild.id, [channel.id for channel in guild.channels])

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot has come to a server, perhaps to one that it had left."""
        await self.app.tables.upkeep.joined(guild.id)

    async def on_raw_thread_update(self, changed: discord.RawThreadUpdateEvent) -> None:
        """A thread has changed: unless it is locked, what was refused in it is tried again. Of a game that
        has ended there nobody would ask."""
        if not changed.data["thread_metadata"].get("locked"):
            self.app.publisher.outbox.opened(changed.thread_id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is there, at the start or after a session was lost, which told nothing of what was
        unlocked or allowed meanwhile."""
        self.app.publisher.outbox.allowed(guild.id)

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Rights in a channel may have changed: as with a lock, nobody asks for a game that has ended."""
        if before.overwrites != after.overwrites:
            self.app.publisher.outbox.allowed(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Rights of a role may have changed, which may be the bot's."""
        if before.permissions != after.permissions:
            self.app.publisher.outbox.allowed(after.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """The bot's own roles may have changed; of nobody else is this told."""
        if before.roles != after.roles:
            self.app.publisher.outbox.allowed(after.guild.id)

    def _overtaken(self) -> None:
        """Another process has taken the lease: stop, and ask for a fresh start as its standby."""
        self.exit_code = START_AGAIN
        self._begin_to_stop("store.fenced")

    def _begin_to_stop(self, why: str) -> asyncio.Task[None]:
        if self._stopping is None:
            self.closing = why
            self.ending.set()
            self._stopping = asyncio.create_task(self._stop())
        return self._stopping

    async def close(self) -> None:
        """Stop everything in order; what is stored goes on at the next start. May be asked for twice.

        Presses are refused in words, open hands are told, changes under way come to their end; then the
        gateway, the tables, the pictures, the store and with it the lease.
        """
        await asyncio.shield(self._begin_to_stop("trouble.stopping"))

    async def _stop(self) -> None:
        app = getattr(self, "app", None)
        if app is not None:
            app.tables.halt()
            app.publisher.outbox.halt()
            telling = asyncio.create_task(
                app.hands.tell_all(app.tables.shelf.get, self.closing, TELL_SECONDS)
            )
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(DRAIN_SECONDS):
                    await self._answered()
                    await app.publisher.outbox.drain()
                    await app.tables.end_tasks()
                    await app.tables.drain()
                    await app.tournaments.drain()
            await telling
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(super().close(), LEAVE_SECONDS)
        await self._parts.aclose()

    def note_press(self) -> None:
        """The running task answers a press or a command: a stop waits for it."""
        if (task := asyncio.current_task()) is not None:
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

    async def _answered(self) -> None:
        while self._answering:
            await asyncio.wait(set(self._answering))


def _cluster(settings: Settings) -> Cluster | None:
    """The cluster that is set, which nobody has joined yet."""
    return Cluster(settings.scheduler, prepare=load_games) if settings.scheduler else None
