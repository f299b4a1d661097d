"""The way to Discord: its address, a proxy, and logging in when Discord takes no logins for now."""

from __future__ import annotations

import asyncio
from urllib.request import getproxies, proxy_bypass

import discord
import structlog
import yarl

from bot.core.backoff import Backoff
from bot.locales import words
from bot.settings import Settings
from bot.ui.discord_errors import is_page

log = structlog.get_logger(__name__)

RETRY = Backoff(first=5.0, longest=900.0)
"""Pauses after logins that failed."""
TOO_MANY, FORBIDDEN, SERVER_ERRORS = 429, 403, 500
HOST = "discord.com"
_say = words("en")


def point_at(base: str) -> None:
    """Use the playground's server instead of Discord's. `base` is like `http://127.0.0.1:8000`."""
    url = yarl.URL(base)
    discord.http.Route.BASE = f"{base}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = url.with_scheme("ws").with_path("/")
    discord.asset.Asset.BASE = f"{base}/cdn"


def proxy_for(settings: Settings) -> str | None:
    """Return the URL of the proxy to Discord, or None to connect directly.

    Without a setting, the usual variables of the environment count: HTTPS_PROXY and NO_PROXY.
    """
    if settings.proxy:
        return settings.proxy
    if settings.discord_base or proxy_bypass(HOST):
        return None
    found = getproxies().get("https", "")
    return found if found.startswith(("http://", "https://")) else None


def pause_before(error: discord.HTTPException, failures: int) -> float | None:
    """Return the seconds to wait before the next login, or None if no waiting would help.

    Discord, or Cloudflare before it, may name the seconds, up to an hour after too many logins.
    """
    if error.status < SERVER_ERRORS and error.status != TOO_MANY and not is_page(error):
        return None
    return max(RETRY.pause(failures), _told(error))


def _told(error: discord.HTTPException) -> float:
    """Return the seconds that the answer names, or 0."""
    try:
        return max(0.0, float(error.response.headers.get("Retry-After", 0)))
    except ValueError:  # a date
        return 0.0


async def log_in(client: discord.Client, token: str) -> None:
    """Log in, and wait as long as Discord refuses logins for now.

    A process that ended instead would be started again at once, and be blocked for longer.

    Raises:
        discord.LoginFailure: Discord does not know the token.
        discord.HTTPException: Discord refuses in a way that no waiting mends.
    """
    failures = 0
    while True:
        try:
            await client.login(token)
        except discord.HTTPException as error:
            failures += 1
            pause = None if client.user is not None else pause_before(error, failures)
            if pause is None:
                raise
            key = "start.blocked" if error.status in (TOO_MANY, FORBIDDEN) else "start.discord_down"
            log.warning(_say(key, status=error.status, n=round(pause)))
        else:
            return
        await client.http.close()
        client.http.connector = discord.utils.MISSING  # the next login opens one of its own
        await asyncio.sleep(pause)
