"""What `valence doctor` looks at: token, database, disk, games, pictures, the bot that
runs, Discord; and how to mend them."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import aiohttp
import discord
import msgspec

from bot import presenters
from bot.backups import age_of, of_folder
from bot.health_check import Finding, Health, running
from bot.locales import words
from bot.presenters.extras import EXTRAS
from bot.render.assets import asset
from bot.render.encode import encode
from bot.render.scene import Look
from bot.render.sprite_cache import NOWHERE, user_folder
from bot.settings import Settings, unknown
from bot.startup import cluster_words, misuse_words, shard_words, store_words
from bot.store import disk, leases, servers, unfolded
from bot.store.database import Database, StoreError, restoring
from bot.store.leases import Lease
from bot.store.models import SCHEMA
from bot.store.soundness import damage
from bot.store.urls import BadUrl, Place, place
from bot.tables.retention import unreplayed
from bot.telemetry import sentry
from bot.views.errors import TABLE_PERMISSIONS, THREAD_PERMISSIONS, missing_permissions, permission_names
from bot.workers.cluster import Cluster, NoCluster
from engine import catalog
from engine.arena import key_of

RW = os.R_OK | os.W_OK
PATIENCE = 15.0
"""Seconds in which Discord must have answered."""

GUILDS_A_PAGE = 200
FULL_MIB, LEAST_FREE_MIB, MOST_WAL_MIB, OLDEST_BACKUP_HOURS = 16, 256, 64, 48
MOST_OFF_SECONDS = 5
"""By so much the clock may differ from Discord's."""

_TOKEN = re.compile(r"[\w-]{18,}\.[\w-]{4,}\.[\w-]{20,}")
_say = words("en")


def examine(settings: Settings, *, online: bool = True) -> list[Finding]:
    """Look at everything; with `online` Discord is asked as well, if there is a token.

    Nothing is changed, no message is sent, and a database that is not there yet is not made.
    """
    found = [*_settings(settings), *_token(settings), *_database(settings), *_games(), *_pictures()]
    found += [*_cache(settings), *_extras()]
    found += [*cluster(settings), *running(settings)]
    if online and settings.discord_token.get_secret_value():
        found += asyncio.run(_discord(settings))
    return found


def cluster(settings: Settings) -> Iterator[Finding]:
    """Join the cluster that is set, and leave it again. Without it the bot runs all the same."""
    if not settings.scheduler:
        return
    joined = Cluster(settings.scheduler)
    try:
        joined.connect()
    except NoCluster as trouble:
        here = _say("doctor.cluster.here")
        yield Finding("cluster", Health.CARE, f"{cluster_words(trouble)} {here}")
    else:
        facts = {"address": joined.address, "workers": joined.workers, "threads": joined.threads}
        yield _finding("cluster", Health.WELL, "cluster.joined", **facts)
    finally:
        joined.shutdown()


def _settings(settings: Settings) -> Iterator[Finding]:
    """What would end a start though each setting can be read, and names that begin like settings and are
    none: mistyped, or of another version."""
    with suppress(BadUrl):  # `_database` tells of it
        if said := shard_words(settings):
            yield Finding("settings", Health.WRONG, said)
    try:
        sentry.look_at(settings.sentry_dsn.get_secret_value())
    except (sentry.NoSentry, sentry.BadDsn) as error:
        yield Finding("settings", Health.WRONG, misuse_words(error) or "")
    for name, near in unknown():
        key = "start.unknown_near" if near else "start.unknown"
        yield Finding("settings", Health.CARE, _say(key, name=name, near=near))


def _token(settings: Settings) -> Iterator[Finding]:
    token = settings.discord_token.get_secret_value()
    if not token:
        yield Finding("token", Health.WRONG, _say("doctor.token.missing"))
    elif not settings.discord_base and not _TOKEN.fullmatch(token):
        yield Finding("token", Health.WRONG, _say("doctor.token.strange"))
    else:
        yield Finding("token", Health.WELL, _say("doctor.token.there"))


def _finding(part: str, health: Health, key: str, **facts: object) -> Finding:
    return Finding(part, health, _say(f"doctor.{key}", **facts))


def _database(settings: Settings) -> Iterator[Finding]:
    try:
        where = place(settings.database_url)
    except BadUrl as error:
        yield Finding("database", Health.WRONG, store_words(error))
        return
    if where.left_out:
        names = ", ".join(where.left_out)
        yield _finding("database", Health.CARE, "database.left_out", names=names)
    if where.sqlite and (finding := _no_file(where)):
        yield finding
        if finding.health is not Health.WRONG:
            yield from _disk(where)
        yield from _backups(settings)
        return
    found = asyncio.run(_schema(where, settings.database_url))
    yield found
    if found.health is Health.WELL:
        yield from asyncio.run(_unreplayed(settings.database_url))
        yield from asyncio.run(_leases(settings.database_url))
    if where.sqlite:
        if found.health is not Health.WRONG:
            yield from _inside(where)
        yield from _disk(where)
        yield from _backups(settings)


def _no_file(where: Place) -> Finding | None:
    """What keeps a SQLite file from being used, or that it is not there yet; None if it is there."""
    folder = where.file.parent
    if not folder.is_dir():
        return _finding("database", Health.WRONG, "database.folder", folder=folder)
    if not os.access(folder, os.W_OK):
        return _finding("database", Health.WRONG, "database.readonly", folder=folder)
    shut = [each for each in (where.file, *_beside(where.file)) if each.exists() and not os.access(each, RW)]
    if shut:
        return _finding("database", Health.WRONG, "database.shut", file=shut[0])
    if not where.file.exists() and not restoring(where.file).exists():
        return _finding("database", Health.WELL, "database.fresh", url=where.shown)
    return None


def _beside(file: Path) -> Iterator[Path]:
    """What SQLite keeps beside a file while it is used, or left there when it was killed."""
    for suffix in ("-wal", "-shm"):
        yield file.with_name(file.name + suffix)


async def _schema(where: Place, url: str) -> Finding:
    database = Database(url)
    try:
        revision = await database.check_schema()
    except StoreError as found:
        if found.kind in ("empty", "old") and where.sqlite:
            key = "database.due" if found.kind == "old" else "database.blank"
            return _finding("database", Health.CARE, key, url=where.shown)
        return Finding("database", Health.WRONG, store_words(found))
    finally:
        await database.close()
    if revision != SCHEMA:
        return _finding("database", Health.CARE, "database.ahead", url=where.shown, schema=revision)
    return _finding("database", Health.WELL, "database.ready", url=where.shown)


async def _unreplayed(url: str) -> list[Finding]:
    """Which games rest, or were not folded; nothing where the database does not tell."""
    database = Database(url)
    try:
        found = await database.read_at_once(unreplayed)
        worst = await database.read_at_once(lambda c: unfolded.newest(c, 1))
    except StoreError:
        return []  # `_schema` has just read it; a moment later nobody can tell
    finally:
        await database.close()
    told = []
    if found.open:
        told.append(_finding("tables", Health.CARE, "tables.rest", n=found.open))
    for table, last in worst.items():
        facts = {"n": found.finished, "table": table, "game": last.game, "why": last.why}
        told.append(_finding("tables", Health.CARE, "tables.unfolded", **facts))
    return told or [_finding("tables", Health.WELL, "tables.replay")]


async def _leases(url: str) -> list[Finding]:
    """Who plays; nothing where the database does not tell."""
    database = Database(url)
    try:
        rows = await database.read_at_once(leases.read)
    except StoreError:
        return []  # as above
    finally:
        await database.close()
    return list(_owners(rows, int(1000 * time.time())))


def _owners(rows: Sequence[Lease], at: int) -> Iterator[Finding]:
    """Which processes play at that time, which should and do not, and the shards that nobody has.

    Leases end by the clock of their holder, which may be wrong: this is for people, and nothing goes by it.
    """
    holders = {row.holder: row for row in rows if row.holder and row.until}
    playing = {name for name, row in holders.items() if row.until > at}
    count = leases.divided(rows)
    of = {row.part - 1: row.holder for row in rows}
    for name, row in holders.items():
        mine = ", ".join(str(shard) for shard in range(count) if of.get(shard) == name)
        if name not in playing:
            yield _finding("lease", Health.CARE, "lease.silent", name=name, n=(at - row.until) // 1000)
        elif count:
            yield _finding("lease", Health.WELL, "lease.shards", name=name, shards=mine, count=count)
        else:
            yield _finding("lease", Health.WELL, "lease.held", name=name)
    if not holders:
        yield _finding("lease", Health.WELL, "lease.free")
    free = [shard for shard in range(count) if of.get(shard) not in playing]
    if playing and free:
        told = ", ".join(map(str, free))
        yield _finding("lease", Health.WRONG, "lease.missing", shards=told, count=count)


def _inside(where: Place) -> Iterator[Finding]:
    """Read every page: a torn file looks well from outside."""
    if found := damage(where.file):
        first = " ".join(found[0].split())
        yield _finding("database", Health.WRONG, "disk.damaged", problem=first, mend=_say("doctor.disk.mend"))


def _disk(where: Place) -> Iterator[Finding]:
    file = where.file
    if host := disk.vanishing(file):
        yield _finding("disk", Health.WRONG, "disk.vanishes", file=file, host=host)
    if disk.readable_by_others(file):
        yield _finding("disk", Health.CARE, "disk.readable", file=file)
    free, wal = disk.free_mib(file), disk.wal_mib(file)
    if free < LEAST_FREE_MIB:
        health = Health.CARE if free >= FULL_MIB else Health.WRONG
        yield _finding("disk", health, "disk.little", free=free, file=file)
    if wal > MOST_WAL_MIB:
        yield _finding("disk", Health.CARE, "disk.wal", wal=round(wal))
    yield _finding("disk", Health.WELL, "disk.room", file=file, free=free, wal=f"{wal:.1f}")


def _backups(settings: Settings) -> Iterator[Finding]:
    if not settings.backups:
        return
    folder = Path(settings.backups)
    taken = of_folder(folder) if folder.is_dir() else []
    if not taken:
        yield _finding("backups", Health.CARE, "backups.none", folder=folder.absolute())
        return
    hours = age_of(taken[-1], datetime.now(UTC)) / 3600
    health = Health.WELL if hours <= OLDEST_BACKUP_HOURS else Health.CARE
    key = "backups.there" if health is Health.WELL else "backups.old"
    age = _say("doctor.backups.age", n=round(hours)) if hours >= 1 else _say("doctor.backups.fresh")
    yield _finding("backups", health, key, n=len(taken), age=age, name=taken[-1].name)


def _games() -> Iterator[Finding]:
    """Deal each game once and draw its table: that reads its cards, words and pictures."""
    ready = 0
    for key in catalog.listed():
        try:
            game = catalog.get(key)
            seats = game.seats(game.defaults())[0]
            state = game.deal(game.setup(seats, key_of(1, 0)))
            look = Look(names=tuple(f"Seat {seat + 1}" for seat in range(seats)))
            encode(presenters.get(key).table(state.observe(None), look))
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one, the others are looked at
            yield Finding("games", Health.WRONG, _say("doctor.games.broken", game=key, problem=error))
        else:
            ready += 1
    if ready:
        yield Finding("games", Health.WELL, _say("doctor.games.ready", n=ready))


def _pictures() -> Iterator[Finding]:
    try:
        covered = msgspec.json.decode(asset("fonts", "coverage.json").read_bytes())
        fonts = sorted(asset("fonts").glob("*.ttf"))
        if not fonts or not covered:
            raise FileNotFoundError("the fonts are missing")
    except (OSError, msgspec.DecodeError) as error:
        yield Finding("pictures", Health.WRONG, _say("doctor.pictures.broken", problem=error))
    else:
        yield Finding("pictures", Health.WELL, _say("doctor.pictures.ready", n=len(fonts)))


def _cache(settings: Settings) -> Iterator[Finding]:
    """Whether drawn cards can be kept; where nobody is at home the bot keeps none, and that is no trouble."""
    if settings.cache == NOWHERE:
        return
    try:
        folder = Path(settings.cache) if settings.cache else user_folder()
    except RuntimeError:
        return
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        yield _finding("pictures", Health.CARE, "pictures.unkept", folder=folder)


def _extras() -> Iterator[Finding]:
    for extra in EXTRAS:
        key = "there" if extra.there else "missing"
        yield _finding("extras", Health.WELL, f"extras.{key}", name=extra.name, install=extra.install)


async def _discord(settings: Settings) -> list[Finding]:
    def finding(health: Health, key: str, **facts: object) -> Finding:
        return Finding("discord", health, _say(f"doctor.discord.{key}", **facts))

    if settings.discord_base:
        from bot.running import point_at

        point_at(settings.discord_base)
    offsets, gone, all_asked = list[float](), list[tuple[str, str]](), False
    client = discord.Client(intents=discord.Intents(guilds=True), http_trace=_clock_of(offsets))
    try:
        async with client:
            async with asyncio.timeout(PATIENCE):
                await client.login(settings.discord_token.get_secret_value())
            guilds, all_read = await _guilds(client)
            # a server after the other: of a bot in many it may take longer than anybody waits
            with suppress(discord.HTTPException, aiohttp.ClientError, OSError):
                async with asyncio.timeout(PATIENCE):
                    async for each in _gone(client, settings, guilds):
                        gone.append(each)
                all_asked = True
    except discord.LoginFailure:
        return [finding(Health.WRONG, "refused")]
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        problem = str(error) or type(error).__name__
        return [finding(Health.WRONG, "unreachable", problem=problem)]
    found = [finding(Health.WELL, "known", name=client.user), finding(Health.WELL, "intents")]
    _, nearest = min(((abs(each), each) for each in offsets), default=(0.0, 0.0))
    if abs(ahead := round(nearest)) > MOST_OFF_SECONDS:
        key = "clock_ahead" if ahead > 0 else "clock_behind"
        found.append(finding(Health.CARE, key, n=abs(ahead)))
    if not guilds:
        url = discord.utils.oauth_url(client.application_id or 0, permissions=needed())
        return [*found, finding(Health.CARE, "nowhere", url=url)]
    lacking = []
    for guild in guilds:
        have = discord.Permissions(int(guild.get("permissions", discord.Permissions.all().value)))
        if have.administrator:
            continue
        if missing := missing_permissions(have):
            names = permission_names(missing, "en").replace("**", "")
            lacking.append(finding(Health.WRONG, "rights", server=guild["name"], permissions=names))
    found += [finding(Health.CARE, "gone", server=name, names=names) for name, names in gone]
    if not all_read:
        found.append(finding(Health.CARE, "not_read", n=len(guilds)))
    if not all_asked:
        found.append(finding(Health.CARE, "not_all"))
    return found + (lacking or [finding(Health.WELL, "servers", n=len(guilds))])


def _clock_of(offsets: list[float]) -> aiohttp.TraceConfig:
    """Notes with each answer by how many seconds the clock of this machine is ahead of its sender's."""

    async def ended(_session: object, _asked: object, answer: aiohttp.TraceRequestEndParams) -> None:
        with suppress(TypeError, ValueError):  # it says no time, or not as it should
            said = parsedate_to_datetime(answer.response.headers.get("Date", ""))
            offsets.append((datetime.now(UTC) - said).total_seconds())

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(ended)
    return trace


async def _gone(
    client: discord.Client, settings: Settings, guilds: Sequence[Any]
) -> AsyncIterator[tuple[str, str]]:
    """Each server whose settings name channels or roles that are there no more, with those. Discord is asked
    only about servers that name some."""
    try:
        database = Database(settings.async_database_url)
    except BadUrl:
        return  # `_database` has told of it
    try:
        known = await database.read_at_once(servers.every)
    except StoreError:
        return  # and of this
    finally:
        await database.close()
    for guild in guilds:
        server = known.get(int(guild["id"]), servers.Server())
        roles = {server.open_role, server.close_role, server.seek_role} - {0}
        lost = []
        if server.channels:
            there = {int(one["id"]) for one in await client.http.get_all_guild_channels(guild["id"])}
            lost += [f"channel {one}" for one in server.channels if one not in there]
        if roles:
            there = {int(one["id"]) for one in await client.http.get_roles(guild["id"])}
            lost += [f"role {one}" for one in sorted(roles - there)]
        if lost:
            yield guild["name"], ", ".join(lost)


async def _guilds(client: discord.Client) -> tuple[list[Any], bool]:
    """The servers of the bot, page by page, and whether these are all of them.

    Each page has its own time, since Discord paces them: a bot in 20,000 servers has a hundred.

    Raises:
        discord.HTTPException, aiohttp.ClientError, OSError: not even the first page came.
    """
    guilds = list[Any]()
    while True:
        try:
            async with asyncio.timeout(PATIENCE):
                page = await client.http.get_guilds(GUILDS_A_PAGE, after=guilds[-1]["id"] if guilds else None)
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            if not guilds:
                raise
            return guilds, False
        guilds += page
        if len(page) < GUILDS_A_PAGE:
            return guilds, True


def needed() -> discord.Permissions:
    """What the bot asks for when it is invited."""
    return discord.Permissions(**dict.fromkeys((*TABLE_PERMISSIONS, *THREAD_PERMISSIONS), True))
