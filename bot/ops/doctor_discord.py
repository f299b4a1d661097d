"""The checks of `valence doctor` that ask Discord: token, clock, commands, and permissions in its servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import aiohttp
import discord

from bot.connection import pause_before, point_at, proxy_for
from bot.locales import words
from bot.ops.health_check import Finding, HealthAnswer
from bot.ops.startup import misuse_words
from bot.session_starts import RESERVE
from bot.settings import Settings
from bot.store import people, servers
from bot.store.backend.urls import BadUrl
from bot.store.database import Database, StoreError
from bot.telemetry.discord_requests import time_of
from bot.ui.discord_errors import TABLE_PERMISSIONS, THREAD_PERMISSIONS, missing_permissions, reason
from bot.ui.errors import permission_names

PATIENCE = 15.0
"""Seconds to wait for an answer from Discord."""
GUILDS_A_PAGE = 200
FEW_STARTS = 100
"""Session starts left from which on they are few."""
MOST_COMMANDS = 5
"""Number of commands that a line names."""
MOST_OFF_SECONDS = 5
"""Maximum difference in seconds between the local clock and Discord's."""
_say = words("en")


def _finding(health: HealthAnswer, key: str, **facts: object) -> Finding:
    return Finding("discord", health, _say(f"doctor.discord.{key}", **facts))


async def ask_discord(settings: Settings) -> list[Finding]:
    """Log in and check the token, the clock, the commands, and what the bot may do in its servers."""
    if settings.discord_base:
        point_at(settings.discord_base)
    offsets, gone, all_asked = list[float](), list[tuple[str, str]](), False
    client = discord.Client(
        intents=discord.Intents(guilds=True), http_trace=_clock_of(offsets), proxy=proxy_for(settings)
    )
    try:
        async with client:
            async with asyncio.timeout(PATIENCE):
                await client.login(settings.discord_token.get_secret_value())
            starts = await _session_starts(client)
            guilds, all_read = await _guilds(client)
            commands = await _commands(client, settings)
            # servers are asked one after another: for a bot in many servers that may take longer than anyone
            # waits
            with suppress(discord.HTTPException, aiohttp.ClientError, OSError):
                async with asyncio.timeout(PATIENCE):
                    async for each in _gone(client, settings, guilds):
                        gone.append(each)
                all_asked = True
    except discord.LoginFailure:
        return [_finding(HealthAnswer.WRONG, "refused")]
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        if isinstance(error, discord.HTTPException) and pause_before(error, 1) is not None:
            return [_finding(HealthAnswer.WRONG, "blocked", status=error.status)]
        if said := misuse_words(error):
            return [Finding("discord", HealthAnswer.WRONG, said)]
        return [_finding(HealthAnswer.WRONG, "unreachable", problem=reason(error))]
    found = [_finding(HealthAnswer.WELL, "known", name=client.user), _finding(HealthAnswer.WELL, "intents")]
    found += [each for each in (starts, commands) if each is not None]
    _, nearest = min(((abs(each), each) for each in offsets), default=(0.0, 0.0))
    if abs(ahead := round(nearest)) > MOST_OFF_SECONDS:
        key = "clock_ahead" if ahead > 0 else "clock_behind"
        found.append(_finding(HealthAnswer.CARE, key, n=abs(ahead)))
    if not guilds:
        url = discord.utils.oauth_url(client.application_id or 0, permissions=needed())
        return [*found, _finding(HealthAnswer.CARE, "nowhere", url=url)]
    lacking = []
    for guild in guilds:
        have = discord.Permissions(int(guild.get("permissions", discord.Permissions.all().value)))
        if have.administrator:
            continue
        if missing := missing_permissions(have):
            names = permission_names(missing, "en").replace("**", "")
            lacking.append(_finding(HealthAnswer.WRONG, "rights", server=guild["name"], permissions=names))
    found += [_finding(HealthAnswer.CARE, "gone", server=name, names=names) for name, names in gone]
    if not all_read:
        found.append(_finding(HealthAnswer.CARE, "not_read", n=len(guilds)))
    if not all_asked:
        found.append(_finding(HealthAnswer.CARE, "not_all"))
    return found + (lacking or [_finding(HealthAnswer.WELL, "servers", n=len(guilds))])


async def _session_starts(client: discord.Client) -> Finding | None:
    """Report how many session starts are left today. Return None if Discord does not answer."""
    try:
        async with asyncio.timeout(PATIENCE):
            shards, _, limit = await client.http.get_bot_gateway()
    except (discord.DiscordException, aiohttp.ClientError, OSError):
        return None
    left, total = limit["remaining"], limit["total"]
    if left >= total:
        return _finding(HealthAnswer.WELL, "session_starts_all", total=f"{total:,}")
    until = datetime.now().astimezone() + timedelta(milliseconds=limit["reset_after"])
    facts = {"left": f"{left:,}", "total": f"{total:,}", "until": f"{until:%H:%M}"}
    if left >= max(FEW_STARTS, shards + RESERVE):
        return _finding(HealthAnswer.WELL, "session_starts", **facts)
    health = HealthAnswer.CARE if left >= shards else HealthAnswer.WRONG
    return _finding(health, "session_starts_few", **facts)


async def _commands(client: discord.Client, settings: Settings) -> Finding | None:
    """Compare the names of the commands that Discord has with those of this version. Return None if the bot
    has never registered any, or Discord does not answer."""
    from bot.ui.commands.command_tree import ENTRY_POINT, Tree, add_all

    if not await _registered(settings, client.application_id or 0):
        return None
    tree = Tree(client)  # type: ignore[arg-type] # only to count its commands
    add_all(tree)
    ours = {command.name for command in tree.get_commands()}
    try:
        async with asyncio.timeout(PATIENCE):
            listed = await client.http.get_global_commands(client.application_id or 0)
    except (discord.HTTPException, aiohttp.ClientError, OSError):
        return None
    theirs = {command["name"] for command in listed if command["type"] != ENTRY_POINT}
    if ours == theirs:
        return _finding(HealthAnswer.WELL, "commands", n=len(ours))
    different = sorted(f"/{name}" for name in ours ^ theirs)
    facts = {"n": len(ours), "have": len(ours & theirs), "names": ", ".join(different[:MOST_COMMANDS])}
    return _finding(HealthAnswer.CARE, "commands_differ", **facts)


async def _registered(settings: Settings, application_id: int) -> bool:
    """Return whether the bot has registered its commands with Discord before."""
    try:
        database = Database(settings.async_database_url)
    except BadUrl:
        return False  # `doctor._database` reports it
    where = ("application", application_id, "commands")
    try:
        return await database.read_at_once(lambda c: people.get_setting(c, *where)) is not None
    except StoreError:
        return False  # `doctor._schema` reports this
    finally:
        await database.close()


def _clock_of(offsets: list[float]) -> aiohttp.TraceConfig:
    """Trace each answer, recording by how many seconds this machine's clock is ahead of the sender's."""

    async def ended(_session: object, _asked: object, answer: aiohttp.TraceRequestEndParams) -> None:
        if (at := time_of(answer.response)) is not None:
            offsets.append(datetime.now(UTC).timestamp() - at / 1000)

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(ended)
    return trace


async def _gone(
    client: discord.Client, settings: Settings, guilds: Sequence[Any]
) -> AsyncIterator[tuple[str, str]]:
    """Yield each server whose settings name deleted channels or roles, with those. Discord is only asked
    about servers whose settings name any."""
    try:
        database = Database(settings.async_database_url)
    except BadUrl:
        return  # `doctor._database` reports it
    try:
        known = await database.read_at_once(servers.every)
    except StoreError:
        return  # `doctor._schema` reports it
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
    """Return the bot's servers, read page by page, and whether these are all of them.

    Each page has its own time limit, because Discord rate-limits them: a bot in 20,000 servers has a hundred
    pages.

    Raises:
        discord.HTTPException, aiohttp.ClientError, OSError: not even the first page could be read.
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
    """Return the permissions that the bot requests when it is invited."""
    return discord.Permissions(**dict.fromkeys((*TABLE_PERMISSIONS, *THREAD_PERMISSIONS), True))
