"""`make play`: the local Discord and a bot beside it, until Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence

from playground.server import Playground, Starting, start
from playground.world import PEOPLE

TOKEN = "playground"  # noqa: S105 - opens nothing but this


class RealToken(Exception):
    """A token that looks real is configured: the playground refuses to run beside it."""


def check_token(environment: Mapping[str, str]) -> None:
    """Refuse to run where a real token is set. Raises RealToken."""
    token = environment.get("DISCORD_TOKEN", "")
    if token not in ("", TOKEN):
        raise RealToken(
            "DISCORD_TOKEN is set to a token of your own: unset it first, the playground needs none."
        )


def run(
    bot_command: Sequence[str] | None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    key: str | None = None,
    environment: Mapping[str, str] | None = None,
    say: Callable[[str], None] | None = None,
) -> int:
    """Serve the playground and run a bot beside it until Ctrl-C; returns the exit code.

    The bot gets VALENCE_DISCORD_BASE and DISCORD_TOKEN in its environment and is not restarted.
    Code 2, with one line on standard error, when a real token is set or the port is taken.
    """
    env = dict(os.environ if environment is None else environment)
    out = say or _print
    try:
        check_token(env)
        starting = lambda: start(host, port, TOKEN, key)  # noqa: E731 - needs the loop that comes next
        return asyncio.run(_run(bot_command, starting, env, out))
    except (RealToken, ValueError, OSError) as error:
        sys.stderr.write(f"playground: {error}\n")
        return 2
    except KeyboardInterrupt:
        return 0


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def _run(
    bot_command: Sequence[str] | None,
    starting: Callable[[], Starting],
    env: dict[str, str],
    say: Callable[[str], None],
) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        # Windows has no signal handlers on the loop; there KeyboardInterrupt ends the run.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(name, stop.set)
    async with starting() as playground:
        _welcome(playground, say)
        bot: asyncio.subprocess.Process | None = None
        watcher: asyncio.Task[None] | None = None
        if bot_command:
            env.update(VALENCE_DISCORD_BASE=playground.base, DISCORD_TOKEN=TOKEN)
            bot = await asyncio.create_subprocess_exec(*bot_command, env=env)
            watcher = asyncio.create_task(_watch(bot, say))
        try:
            await stop.wait()
        finally:
            if watcher is not None:
                watcher.cancel()
            if bot is not None:
                await _end(bot)
    return 0


def _welcome(playground: Playground, say: Callable[[str], None]) -> None:
    names = ", ".join(key for key, *_ in PEOPLE[1:])
    say(f"Open {playground.page_url('ann')}")
    say(f"Others: the same address with ?as= one of {names}. Ctrl-C ends it.")


async def _watch(bot: asyncio.subprocess.Process, say: Callable[[str], None]) -> None:
    code = await bot.wait()
    say(f"The bot ended with code {code}. The page stays; Ctrl-C ends it.")


async def _end(bot: asyncio.subprocess.Process) -> None:
    if bot.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        bot.terminate()
    try:
        await asyncio.wait_for(bot.wait(), 10)
    except TimeoutError:
        bot.kill()
        await bot.wait()
