"""Entry point of the program: the `valence` command, and `python -m bot`.

A running bot must stay small, and health checks are frequent. So `run` and `health` are handled here, and
everything else is left to `bot.cli`, which alone loads the command line's libraries.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

WRONG_INPUT = 2
"""The exit code for an installation or input that cannot be used."""


def _leave(*_: object) -> None:
    os._exit(0)


@contextmanager
def complete() -> Iterator[None]:
    """End with one sentence if this Python lacks a module, such as a Python that was built without SQLite."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("", "bot", "engine"):
            raise
        has = sys.version.split()[0]
        sys.stderr.write(
            f"Python {has} at {sys.executable} has no module {error.name}. Valence needs Python 3.11 or "
            "newer, complete with SQLite, TLS and zlib, and its own packages: pip install .\n"
        )
        raise SystemExit(WRONG_INPUT) from None


def main() -> int:
    """Run the command line. Return the exit code."""
    words = sys.argv[1:]
    if words in ([], ["run"], ["run", "--rest-anyway"]):
        # loading takes a second during which nothing is open, so a stop signal can simply exit
        for sign in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sign, _leave)
        # structlog loads rich if it is installed, for tracebacks that the bot does not print: 5 MiB
        sys.modules["rich"] = None  # type: ignore[assignment]
        with complete():
            from bot.running import run

        return run(rest_anyway="--rest-anyway" in words)
    if words == ["health"]:
        with complete():
            from bot.ops.health_check import check

        return check()
    with complete():
        from bot.cli import main as command_line

    return command_line(words)


if __name__ == "__main__":
    sys.exit(main())
