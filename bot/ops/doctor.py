"""The checks of `valence doctor`, with advice: token, database, disk, games, pictures, the running bot,
Discord."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import available_timezones

import msgspec

from bot import presenters
from bot.locales import words
from bot.ops.backups import age_of, of_folder
from bot.ops.doctor_discord import ask_discord
from bot.ops.health_check import Finding, HealthAnswer, running
from bot.ops.integrity import damage
from bot.ops.startup import cluster_words, misuse_words, pillow_words, shard_words, store_words
from bot.presenters.extras import EXTRAS
from bot.render.assets import asset
from bot.render.encode import encode
from bot.render.lettering.name_faces import can_shape
from bot.render.scene import Look
from bot.render.sprite_cache import NOWHERE, user_folder
from bot.settings import Settings, unknown
from bot.store import leases, unfolded
from bot.store.backend import disk, other_bot_note
from bot.store.backend.urls import BadUrl, DatabasePlace, place
from bot.store.backend.versions import outdated_sqlite
from bot.store.database import Database, StoreError, TooOld, restoring
from bot.store.leases import Lease
from bot.store.models import SCHEMA
from bot.table.storage.retention import unreplayed
from bot.telemetry import sentry
from bot.workers.cluster import NoCluster, find_cluster
from engine import catalog
from engine.arena import key_of

RW = os.R_OK | os.W_OK
FULL_MIB, LEAST_FREE_MIB, MOST_WAL_MIB, OLDEST_BACKUP_HOURS = 16, 256, 64, 48

_TOKEN = re.compile(r"[\w-]{18,}\.[\w-]{4,}\.[\w-]{20,}")
_say = words("en")


def examine(settings: Settings, *, online: bool = True) -> list[Finding]:
    """Run all checks. With `online`, also ask Discord, if a token is set.

    Nothing is changed, no message is sent, and a missing database is not created.
    """
    found = [*_settings(settings), *_token(settings), *_database(settings), *_games(), *_pictures()]
    found += [*_cache(settings), *_time_zones(), *_extras()]
    found += [*cluster(settings), *running(settings)]
    if online and settings.discord_token.get_secret_value():
        found += asyncio.run(ask_discord(settings))
    return found


def cluster(settings: Settings) -> Iterator[Finding]:
    """Join the configured cluster, and leave it again. The bot also runs without it."""
    if not settings.scheduler:
        return
    joined = find_cluster(settings.scheduler)
    try:
        joined.connect()
    except NoCluster as trouble:
        here = _say("doctor.cluster.here")
        yield Finding("cluster", HealthAnswer.CARE, f"{cluster_words(trouble)} {here}")
    else:
        facts = {"address": joined.address, "workers": joined.workers, "threads": joined.threads}
        yield _finding("cluster", HealthAnswer.WELL, "cluster.joined", **facts)
    finally:
        joined.shutdown()


def _settings(settings: Settings) -> Iterator[Finding]:
    """Report settings that would prevent a start although each can be read, and names that look like settings
    but are mistyped or from another version."""
    with suppress(BadUrl):  # `_database` reports it
        if said := shard_words(settings):
            yield Finding("settings", HealthAnswer.WRONG, said)
    try:
        sentry.look_at(settings.sentry_dsn.get_secret_value())
    except (sentry.NoSentry, sentry.BadDsn) as error:
        yield Finding("settings", HealthAnswer.WRONG, misuse_words(error) or "")
    for name, near in unknown():
        key = "start.unknown_near" if near else "start.unknown"
        yield Finding("settings", HealthAnswer.CARE, _say(key, name=name, near=near))


def _token(settings: Settings) -> Iterator[Finding]:
    token = settings.discord_token.get_secret_value()
    if not token:
        yield Finding("token", HealthAnswer.WRONG, _say("doctor.token.missing"))
    elif not settings.discord_base and not _TOKEN.fullmatch(token):
        yield Finding("token", HealthAnswer.WRONG, _say("doctor.token.strange"))
    else:
        yield Finding("token", HealthAnswer.WELL, _say("doctor.token.there"))


def _finding(part: str, health: HealthAnswer, key: str, **facts: object) -> Finding:
    return Finding(part, health, _say(f"doctor.{key}", **facts))


def _database(settings: Settings) -> Iterator[Finding]:
    try:
        where = place(settings.database_url)
    except BadUrl as error:
        yield Finding("database", HealthAnswer.WRONG, store_words(error))
        return
    if where.left_out:
        names = ", ".join(where.left_out)
        yield _finding("database", HealthAnswer.CARE, "database.left_out", names=names)
    if where.sqlite and (outdated := outdated_sqlite()):
        yield Finding("database", HealthAnswer.WRONG, store_words(TooOld(outdated)))
        return
    if where.sqlite and (finding := _no_file(where)):
        yield finding
        if finding.health is not HealthAnswer.WRONG:
            yield from _disk(where)
        yield from _backups(settings)
        return
    found = asyncio.run(_schema(where, settings.database_url))
    yield found
    if found.health is HealthAnswer.WELL:
        yield from asyncio.run(_unreplayed(settings.database_url))
        yield from asyncio.run(_leases(settings.database_url))
        yield from asyncio.run(_other_bot(settings.database_url))
    if where.sqlite:
        if found.health is not HealthAnswer.WRONG:
            yield from _inside(where)
        yield from _disk(where)
        yield from _backups(settings)


def _no_file(where: DatabasePlace) -> Finding | None:
    """Report why a SQLite file cannot be used, or that it does not exist yet. Return None if it exists."""
    folder = where.file.parent
    try:
        there = folder.is_dir()
    except PermissionError:  # a folder above it is not accessible
        return _finding("database", HealthAnswer.WRONG, "database.readonly", folder=folder)
    if not there:
        return _finding("database", HealthAnswer.WRONG, "database.folder", folder=folder)
    if not os.access(folder, os.W_OK):
        return _finding("database", HealthAnswer.WRONG, "database.readonly", folder=folder)
    shut = [each for each in (where.file, *_beside(where.file)) if each.exists() and not os.access(each, RW)]
    if shut:
        return _finding("database", HealthAnswer.WRONG, "database.shut", file=shut[0])
    if not where.file.exists() and not restoring(where.file).exists():
        return _finding("database", HealthAnswer.WELL, "database.fresh", url=where.shown)
    return None


def _beside(file: Path) -> Iterator[Path]:
    """Yield the files that SQLite keeps next to a file in use, or left there when it was killed."""
    for suffix in ("-wal", "-shm"):
        yield file.with_name(file.name + suffix)


async def _schema(where: DatabasePlace, url: str) -> Finding:
    database = Database(url)
    try:
        revision = await database.check_schema()
        await database.try_to_write()
    except StoreError as found:
        if found.kind in ("empty", "old") and where.sqlite:
            key = "database.due" if found.kind == "old" else "database.blank"
            return _finding("database", HealthAnswer.CARE, key, url=where.shown)
        return Finding("database", HealthAnswer.WRONG, store_words(found))
    finally:
        await database.close()
    if revision != SCHEMA:
        return _finding("database", HealthAnswer.CARE, "database.ahead", url=where.shown, schema=revision)
    return _finding("database", HealthAnswer.WELL, "database.ready", url=where.shown)


async def _unreplayed(url: str) -> list[Finding]:
    """Report games that rest or were not folded. Return an empty list if the database does not answer."""
    database = Database(url)
    try:
        found = await database.read_at_once(unreplayed)
        worst = await database.read_at_once(lambda c: unfolded.newest(c, 1))
    except StoreError:
        return []  # `_schema` has just read the database; moments later it no longer answers
    finally:
        await database.close()
    told = []
    if found.open:
        told.append(_finding("tables", HealthAnswer.CARE, "tables.rest", n=found.open))
    for table, last in worst.items():
        facts = {"n": found.finished, "table": table, "game": last.game, "why": last.why}
        told.append(_finding("tables", HealthAnswer.CARE, "tables.unfolded", **facts))
    return told or [_finding("tables", HealthAnswer.WELL, "tables.replay")]


async def _leases(url: str) -> list[Finding]:
    """Report the processes that play. Return an empty list if the database does not answer."""
    database = Database(url)
    try:
        rows = await database.read_at_once(leases.read)
    except StoreError:
        return []  # as above
    finally:
        await database.close()
    return list(_owners(rows, int(1000 * time.time())))


async def _other_bot(url: str) -> list[Finding]:
    """Report another bot with this token, if the bot has met one today."""
    database = Database(url)
    try:
        at = await database.read_at_once(other_bot_note.last_seen)
    except StoreError:
        return []  # as above
    finally:
        await database.close()
    age = int(1000 * time.time()) - (at or 0)
    if at is None or age > other_bot_note.FRESH_MS:
        return []
    hours = age // 3_600_000
    ago = _say("doctor.backups.age", n=hours) if hours else _say("doctor.backups.fresh")
    return [_finding("token", HealthAnswer.WRONG, "token.shared", age=ago)]


def _owners(rows: Sequence[Lease], at: int) -> Iterator[Finding]:
    """Report the processes that play at that time, those that should but do not, and unassigned shards.

    Leases end by the clock of their holder, which may be wrong. This is only for people to read; no decision
    depends on it.
    """
    holders = {row.holder: row for row in rows if row.holder and row.until}
    playing = {name for name, row in holders.items() if row.until > at}
    count = leases.shard_count(rows)
    of = {row.part - 1: row.holder for row in rows}
    for name, row in holders.items():
        mine = ", ".join(str(shard) for shard in range(count) if of.get(shard) == name)
        if name not in playing:
            yield _finding("lease", HealthAnswer.CARE, "lease.silent", name=name, n=(at - row.until) // 1000)
        elif count:
            yield _finding("lease", HealthAnswer.WELL, "lease.shards", name=name, shards=mine, count=count)
        else:
            yield _finding("lease", HealthAnswer.WELL, "lease.held", name=name)
    if not holders:
        yield _finding("lease", HealthAnswer.WELL, "lease.free")
    free = [shard for shard in range(count) if of.get(shard) not in playing]
    if playing and free:
        told = ", ".join(map(str, free))
        yield _finding("lease", HealthAnswer.WRONG, "lease.missing", shards=told, count=count)


def _inside(where: DatabasePlace) -> Iterator[Finding]:
    """Read every page, because a torn file looks intact from outside."""
    if found := damage(where.file):
        first = " ".join(found[0].split())
        yield _finding(
            "database", HealthAnswer.WRONG, "disk.damaged", problem=first, mend=_say("doctor.disk.mend")
        )


def _disk(where: DatabasePlace) -> Iterator[Finding]:
    file = where.file
    if host := disk.vanishing(file):
        yield _finding("disk", HealthAnswer.WRONG, "disk.vanishes", file=file, host=host)
    if kind := disk.network_file_system(file):
        yield _finding("disk", HealthAnswer.WRONG, "disk.network", file=file, kind=kind)
    if disk.readable_by_others(file):
        yield _finding("disk", HealthAnswer.CARE, "disk.readable", file=file)
    free, wal = disk.free_mib(file), disk.wal_mib(file)
    if free < LEAST_FREE_MIB:
        health = HealthAnswer.CARE if free >= FULL_MIB else HealthAnswer.WRONG
        yield _finding("disk", health, "disk.little", free=free, file=file)
    if wal > MOST_WAL_MIB:
        yield _finding("disk", HealthAnswer.CARE, "disk.wal", wal=round(wal))
    yield _finding("disk", HealthAnswer.WELL, "disk.room", file=file, free=free, wal=f"{wal:.1f}")


def _backups(settings: Settings) -> Iterator[Finding]:
    if not settings.backups:
        return
    folder = Path(settings.backups)
    try:
        taken = of_folder(folder) if folder.is_dir() else []
    except PermissionError:
        yield _finding("backups", HealthAnswer.CARE, "backups.shut", folder=folder.absolute())
        return
    if not taken:
        yield _finding("backups", HealthAnswer.CARE, "backups.none", folder=folder.absolute())
        return
    now = datetime.now(UTC)
    ahead, past = [[path for path in taken if (age_of(path, now) < 0) is later] for later in (True, False)]
    if ahead:
        yield _finding("backups", HealthAnswer.CARE, "backups.ahead", n=len(ahead), name=ahead[0].name)
    if not past:
        return
    hours = age_of(past[-1], now) / 3600
    health = HealthAnswer.WELL if hours <= OLDEST_BACKUP_HOURS else HealthAnswer.CARE
    key = "backups.there" if health is HealthAnswer.WELL else "backups.old"
    age = _say("doctor.backups.age", n=round(hours)) if hours >= 1 else _say("doctor.backups.fresh")
    yield _finding("backups", health, key, n=len(past), age=age, name=past[-1].name)


def _games() -> Iterator[Finding]:
    """Deal each game once and draw its table, which loads its cards, words and pictures."""
    ready = 0
    for key in catalog.listed():
        try:
            game = catalog.get(key)
            seats = game.seats(game.defaults())[0]
            state = game.deal(game.setup(seats, key_of(1, 0)))
            look = Look(names=tuple(f"Seat {seat + 1}" for seat in range(seats)))
            encode(presenters.get(key).table(state.observe(None), look))
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one, the others are looked at
            yield Finding("games", HealthAnswer.WRONG, _say("doctor.games.broken", game=key, problem=error))
        else:
            ready += 1
    if ready:
        yield Finding("games", HealthAnswer.WELL, _say("doctor.games.ready", n=ready))


def _pictures() -> Iterator[Finding]:
    try:
        covered = msgspec.json.decode(asset("fonts", "coverage.json").read_bytes())
        names = msgspec.json.decode(asset("fonts", "names.json").read_bytes())
        fonts = [f"{face}.ttf" for face in covered] + list(names)
        if missing := [font for font in fonts if not asset("fonts", font).is_file()]:
            raise FileNotFoundError(f"missing fonts: {', '.join(missing)}")
    except (OSError, msgspec.DecodeError) as error:
        yield Finding("pictures", HealthAnswer.WRONG, _say("doctor.pictures.broken", problem=error))
    else:
        yield Finding("pictures", HealthAnswer.WELL, _say("doctor.pictures.ready", n=len(fonts)))
        if lacking := pillow_words():
            yield Finding("pictures", HealthAnswer.WRONG, lacking)
        if not can_shape():
            yield Finding("pictures", HealthAnswer.CARE, _say("doctor.pictures.unshaped"))


def _cache(settings: Settings) -> Iterator[Finding]:
    """Check whether drawn cards can be stored. Without a home folder the bot stores none, which is fine."""
    if settings.cache == NOWHERE:
        return
    try:
        folder = Path(settings.cache) if settings.cache else user_folder()
    except RuntimeError:
        return
    try:
        there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        fine = there.is_dir() and os.access(there, os.W_OK | os.X_OK)
    except PermissionError:  # a folder above it is not accessible
        fine = False
    if not fine:
        yield _finding("pictures", HealthAnswer.CARE, "pictures.unkept", folder=folder)


def _time_zones() -> Iterator[Finding]:
    """Report a Python without time zones: neither the machine nor `tzdata` has any."""
    if not available_timezones():
        yield _finding("time", HealthAnswer.WRONG, "time.no_zones")


def _extras() -> Iterator[Finding]:
    for extra in EXTRAS:
        key = "there" if extra.there else "missing"
        yield _finding("extras", HealthAnswer.WELL, f"extras.{key}", name=extra.name, install=extra.install)
