"""What `valence doctor` looks at: token, database, games, pictures, Discord; and how to mend them."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import aiohttp
import discord
import msgspec
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot import presenters
from bot.locales import words
from bot.render.assets import asset
from bot.render.encode import encode
from bot.render.scene import Look
from bot.settings import Settings
from bot.store.database import Database, StoreTrouble
from bot.views.trouble import missing_permissions, permission_names
from engine import catalog
from engine.arena import key_of
from engine.data import BrokenData
from engine.game import Refusal

PATIENCE = 15.0
"""Seconds in which Discord must have answered."""

_TOKEN = re.compile(r"[\w-]{18,}\.[\w-]{4,}\.[\w-]{20,}")
_say = words("en")


class Health(StrEnum):
    """How a finding is meant."""

    WELL = "well"
    CARE = "care"
    """Worth knowing; the bot runs all the same."""
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: which part, how it is, and in words what to do."""

    part: str
    health: Health
    words: str


def examine(settings: Settings, *, online: bool = True) -> list[Finding]:
    """Look at everything; with `online` Discord is asked as well, if there is a token.

    Nothing is changed, no message is sent, and a database that is not there yet is not made.
    """
    found = [*_token(settings), asyncio.run(_database(settings)), *_games(), *_pictures()]
    if online and settings.discord_token.get_secret_value():
        found += asyncio.run(_discord(settings))
    return found


def _token(settings: Settings) -> Iterator[Finding]:
    token = settings.discord_token.get_secret_value()
    if not token:
        yield Finding("token", Health.WRONG, _say("doctor.token.missing"))
    elif not settings.discord_base and not _TOKEN.fullmatch(token):
        yield Finding("token", Health.WRONG, _say("doctor.token.strange"))
    else:
        yield Finding("token", Health.WELL, _say("doctor.token.there"))


def _database_finding(health: Health, key: str, **facts: str) -> Finding:
    return Finding("database", health, _say(f"doctor.{key}", **facts))


def _sqlite_file(url: URL) -> Finding | None:
    """What keeps a SQLite file from being used, or that it is not there yet; None if it is there."""
    if url.database in (None, "", ":memory:"):
        return None
    path = Path(str(url.database)).absolute()
    folder = str(path.parent)
    if not path.parent.is_dir():
        return _database_finding(Health.WRONG, "database.folder", folder=folder)
    if not os.access(path.parent, os.W_OK):
        return _database_finding(Health.WRONG, "database.readonly", folder=folder)
    if not path.exists():
        return _database_finding(Health.WELL, "database.fresh", url=str(url))
    return None


async def _database(settings: Settings) -> Finding:
    try:
        url = make_url(settings.database_url)
        database = Database(settings.async_database_url)
    except (ArgumentError, ModuleNotFoundError):
        return _database_finding(Health.WRONG, "database.url")
    if database.sqlite and (finding := _sqlite_file(url)):
        return finding
    shown = url.render_as_string(hide_password=True)
    try:
        await database.check_schema()
    except StoreTrouble as found:
        if found.kind == "old" and database.sqlite:
            return _database_finding(Health.CARE, "database.due", url=shown)
        key = f"store.{found.kind}"
        return _database_finding(Health.WRONG, key if f"doctor.{key}" in _say else "store.gone")
    finally:
        await database.close()
    return _database_finding(Health.WELL, "database.ready", url=shown)


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
        except (BrokenData, OSError, LookupError, AttributeError, ImportError, Refusal, ValueError) as error:
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


async def _discord(settings: Settings) -> list[Finding]:
    def finding(health: Health, key: str, **facts: object) -> Finding:
        return Finding("discord", health, _say(f"doctor.discord.{key}", **facts))

    if settings.discord_base:
        from bot.client import point_at

        point_at(settings.discord_base)
    client = discord.Client(intents=discord.Intents(guilds=True))
    try:
        async with asyncio.timeout(PATIENCE), client:
            await client.login(settings.discord_token.get_secret_value())
            guilds = await client.http.get_guilds(200)
    except discord.LoginFailure:
        return [finding(Health.WRONG, "refused")]
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        problem = str(error) or type(error).__name__
        return [finding(Health.WRONG, "unreachable", problem=problem)]
    found = [finding(Health.WELL, "known", name=client.user), finding(Health.WELL, "intents")]
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
    return found + (lacking or [finding(Health.WELL, "servers", n=len(guilds))])


def needed() -> discord.Permissions:
    """What the bot asks for when it is invited."""
    names = missing_permissions(discord.Permissions.none())
    return discord.Permissions(**dict.fromkeys(names, True))
