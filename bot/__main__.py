"""Where the program begins: the `valence` command, and `python -m bot`.

A running bot must stay small, and who asks how it is asks often: `run` and `health` are answered here, and
everything else is left to `bot.cli`, which alone loads the libraries of the command line.
"""

from __future__ import annotations

import os
import signal
import sys


def _leave(*_: object) -> None:
    os._exit(0)


def main() -> int:
    """Do what the command line asks; the exit code."""
    words = sys.argv[1:]
    if words in ([], ["run"], ["run", "--rest-anyway"]):
        # loading takes a second, in which nothing is open: who is told to stop then just goes
        for sign in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sign, _leave)
        # structlog loads rich where it finds it, for tracebacks that the bot does not print: 5 MiB
        sys.modules["rich"] = None  # type: ignore[assignment]
        from bot.running import run

        return run(rest_anyway="--rest-anyway" in words)
    if words == ["health"]:
        from bot.health_check import check

        return check()
    from bot.cli import main as command_line

    return command_line(words)


if __name__ == "__main__":
    sys.exit(main())
