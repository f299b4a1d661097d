"""The bot: settings, storage, tables and views put together and connected to Discord."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import hashlib
import json
import signal
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import discord
import structlog
import yarl
from pydantic import ValidationError

from bot import commands, logs, presenters
from bot.locales import words
from bot.render.pool import Pictures
from bot.settings import Settings
from bot.store import people
from bot.store.database import Database, StoreTrouble
from bot.tables.cups import Cups
from bot.tables.hall import Hall
from bot.tables.ports import Clock, SystemClock, Thinker
from bot.tables.thinking import WorkerThinker
from bot.views import board, cup, elements, lobby, lookup, play, standings
from bot.views.app import App
from bot.views.cup import CupBoard
from bot.views.open_hands import OpenHands
from bot.views.parts import Press
from bot.views.publish import TablePublisher
from bot.views.router import dispatch
from engine import catalog

log = structlog.get_logger(__name__)

HANDLERS = (board, cup, elements, lobby, lookup, play, standings)
"""The modules whose import registers what can be pressed."""
SWITCH_SECONDS = 0.001
COLLECT_AFTER = (5_000, 20, 50)
"""How many new objects and how many younger collections the collector waits for."""
FAILED, MISUSED, STORE_TROUBLE = 1, 2, 3


class Valence(discord.Client):
    """The bot's connection. `app` holds its parts once `setup_hook` has run."""

    app: App

    def __init__(
        self, settings: Settings, *, clock: Clock | None = None, thinker: Thinker | None = None
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
        )
        self.settings = settings
        self._clock = clock or SystemClock()
        self._thinker = thinker or WorkerThinker(settings.workers)
        self._stopping: asyncio.Task[None] | None = None
        self.tree = commands.Tree(self)
        commands.add_all(self.tree)

    async def setup_hook(self) -> None:
        """Open the hall before the first event arrives.

        Raises:
            StoreTrouble: the database cannot be used.
        """
        database = Database(self.settings.async_database_url)
        await bring_up_to_date(database, self.settings)
        publisher = TablePublisher(self._clock)
        hall = Hall(
            database,
            self._clock,
            self._thinker,
            publisher,
            pace=self.settings.pace,
            lobby_minutes=self.settings.lobby_minutes,
        )
        studio = Pictures(workers=min(1, self.settings.workers), prepare=load_painters)
        warming = asyncio.create_task(studio.warm_up())
        cup_board = CupBoard()
        cups = Cups(database, self._clock, hall, cup_board)
        hall.ended = cups.table_ended
        self.app = App(self.settings, database, studio, hall, publisher, OpenHands(), cups)
        publisher.bind(self, self.app)
        cup_board.bind(self, self.app)
        self.app.metrics.tables.set_function(lambda: len(hall.tables))
        if self.settings.metrics_port:
            self.app.metrics.serve(self.settings.metrics_port)
        self.add_dynamic_items(Press)
        await hall.open()
        await cups.open()
        await self._sync_commands(database)
        await warming

    async def _sync_commands(self, database: Database) -> None:
        """Tell Discord of the commands, but only when they have changed: creations are limited."""
        payload = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        where = ("application", self.application_id or 0, "commands")
        if self.settings.discord_base:
            await self.tree.sync()  # a rehearsal forgets them with every start
            return
        async with database.read() as connection:
            known = await people.get_setting(connection, *where)
        if known != {"digest": digest}:
            await self.tree.sync()
            async with database.write() as connection:
                await people.put_setting(connection, *where, {"digest": digest})

    async def on_interaction(self, interaction: discord.Interaction[Valence]) -> None:
        """Answer presses that discord.py drops: of a control that its message no longer shows.

        That happens when two presses cross: the first has already turned the hand over.
        """
        if interaction.type is not discord.InteractionType.component:
            return
        data: Any = interaction.data or {}
        custom_id = str(data.get("custom_id", ""))
        if interaction.message is None or custom_id not in shown_ids(interaction.message.components):
            await dispatch(interaction, custom_id)

    async def on_ready(self) -> None:
        """Say that the bot is there; Discord may call this again after a lost connection."""
        log.info("ready", tables=len(self.app.hall.tables), guilds=len(self.guilds))

    async def close(self) -> None:
        """Stop everything in order; what is stored goes on at the next start. May be asked for twice."""
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop())
        await asyncio.shield(self._stopping)

    async def _stop(self) -> None:
        app = getattr(self, "app", None)
        if app is not None:
            await app.hall.close()
            await asyncio.to_thread(app.studio.close)
            await app.database.close()
        await super().close()


def shown_ids(components: Iterable[Any]) -> Iterator[str]:
    """The custom ids in a message's components, nested ones and accessories included."""
    for component in components:
        if custom_id := getattr(component, "custom_id", None):
            yield custom_id
        yield from shown_ids(getattr(component, "children", ()))
        if accessory := getattr(component, "accessory", None):
            yield from shown_ids([accessory])


async def bring_up_to_date(database: Database, settings: Settings) -> None:
    """Check the schema; a SQLite file that is behind is upgraded by a process of its own.

    Raises:
        StoreTrouble: it cannot be used as it is, with the reason as its kind.
    """
    try:
        await database.check_schema()
    except StoreTrouble as found:
        if found.kind != "old" or not database.sqlite:
            await database.close()
            raise
        # alembic stays out of the bot's memory
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot.store.migrate", settings.database_url),
            stderr=asyncio.subprocess.PIPE,
        )
        _, said = await process.communicate()
        if process.returncode:
            kind = said.decode(errors="replace").strip().splitlines()[-1:] or ["gone"]
            await database.close()
            raise StoreTrouble(kind[0].split(":")[0]) from found
        await database.check_schema()


def load_painters() -> None:
    """Import every presenter, and with it the painters of its game; runs in the painting process."""
    for key in catalog.listed():
        presenters.get(key)


def point_at(base: str) -> None:
    """Speak to another server than Discord's: the playground. `base` is like `http://127.0.0.1:8000`."""
    url = yarl.URL(base)
    discord.http.Route.BASE = f"{base}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = url.with_scheme("ws").with_path("/")
    discord.asset.Asset.BASE = f"{base}/cdn"


async def _serve(client: Valence, token: str) -> None:
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError):  # Windows has no such handlers; Ctrl-C works there
        for sign in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(sign, lambda: asyncio.ensure_future(client.close()))
    async with client:
        await client.login(token)
        # What has been loaded stays: a full collection over a hundred megabytes would hold up each press
        # for a tenth of a second. It is a matter of the process, so a bot inside another one leaves it be.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*COLLECT_AFTER)
        await client.connect()


def run() -> int:
    """Run the bot until it is told to stop; the exit code."""
    # The driver's thread must not hold the interpreter for long when an answer is due.
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        settings = Settings()
    except ValidationError as error:
        wrong = error.errors()[0]
        name = "_".join(str(part) for part in wrong["loc"])
        shown = name if name.isupper() else f"VALENCE_{name}".upper()
        return _stop(f"The setting {shown} can't be used: {wrong['msg']}.")
    logs.set_up(settings)
    token = settings.discord_token.get_secret_value()
    if not token:
        return _stop("DISCORD_TOKEN is not set. Put it into .env, or try `valence playground` without one.")
    if settings.discord_base:
        point_at(settings.discord_base)
    try:
        asyncio.run(_serve(Valence(settings), token))
    except discord.LoginFailure:
        return _stop("Discord does not know this DISCORD_TOKEN. Copy it anew from the developer portal.")
    except StoreTrouble as found:
        return _stop(_store_words(found), STORE_TROUBLE)
    except discord.PrivilegedIntentsRequired:
        return _stop("Discord refused the intents; Valence needs none that is privileged.")
    except (OSError, discord.HTTPException) as error:
        return _stop(f"Discord cannot be reached: {error}", FAILED)
    except KeyboardInterrupt:
        return 0
    return 0


def _store_words(found: StoreTrouble) -> str:
    key = f"doctor.store.{found.kind}"
    say = words("en")
    return say(key) if key in say else f"The database cannot be used: {found}"


def _stop(sentence: str, code: int = MISUSED) -> int:
    sys.stderr.write(sentence + "\n")
    return code
