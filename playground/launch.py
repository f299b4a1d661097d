"""`make play`: the local Discord and a bot beside it, until Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from playground.keeper import Keeper
from playground.server import Playground, Starting, start
from playground.store import Store, Unreadable
from playground.world import HARD_NAMES, PEOPLE

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
    port: int | None = None,
    key: str | None = None,
    folder: Path | None = None,
    fresh: Callable[[], None] | None = None,
    environment: Mapping[str, str] | None = None,
    say: Callable[[str], None] | None = None,
) -> int:
    """Serve the playground and run a bot beside it until Ctrl-C; returns the exit code.

    The bot gets VALENCE_DISCORD_BASE and DISCORD_TOKEN in its environment; the page can end and start it.
    With a folder, address and world last: without port and key they are those of the last time there.
    `fresh` begins with a new world there; it is called to clear what lies beside the old one.
    Code 2, with one line on standard error, when a real token is set, the port is taken, or the folder
    cannot be read.
    """
    env = dict(os.environ if environment is None else environment)
    out = say or _print
    store = Store(folder, fresh) if folder is not None else None
    try:
        check_token(env)
        last = store.address() if store is not None else None
        if last is not None:
            port, key = last.port if port is None else port, key or last.key
        starting = lambda: start(host, port or 0, TOKEN, key)  # noqa: E731 - needs the loop that comes next
        return asyncio.run(_run(bot_command, starting, store, env, out))
    except Unreadable as error:
        sys.stderr.write(f"playground: {error}; --fresh begins anew\n")
        return 2
    except (RealToken, ValueError, OSError) as error:
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            error = OSError(
                f"port {port} is taken: is a playground open there already? --port 0 takes another one"
            )
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
    store: Store | None,
    env: dict[str, str],
    say: Callable[[str], None],
) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    # the last one comes when the terminal is closed, and exists where there are such
    for name in filter(None, (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", None))):
        # Windows has no signal handlers on the loop; there KeyboardInterrupt ends the run.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(name, stop.set)
    async with starting() as playground:
        if store is not None:
            store.open(playground.core, playground.port)
        _welcome(playground, say, alone=not bot_command)
        keeper: Keeper | None = None
        if bot_command:
            env.update(VALENCE_DISCORD_BASE=playground.base, DISCORD_TOKEN=TOKEN)
            keeper = playground.core.keeper = Keeper(bot_command, env, say)
            await keeper.start()
        try:
            await (stop.wait() if store is None else store.follow(playground.core, stop))
        finally:
            if keeper is not None:
                await keeper.end()
            if store is not None:
                await store.save(playground.core)
    return 0


def _welcome(playground: Playground, say: Callable[[str], None], *, alone: bool) -> None:
    others, hard = (", ".join(key for key, *_ in people) for people in (PEOPLE[1:], HARD_NAMES))
    say(f"Open {playground.page_url('ann')}")
    say(f"Others: the same address with ?as= one of {others}; with hard names {hard}. Ctrl-C ends it.")
    if alone:
        base, token = playground.base, playground.token
        say(f"A bot comes here with VALENCE_DISCORD_BASE={base} and DISCORD_TOKEN={token}.")
