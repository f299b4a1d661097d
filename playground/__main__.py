"""`python -m playground`: the local Discord alone; a bot is pointed at the address it prints."""

from __future__ import annotations

import argparse
import sys

from playground.launch import run


def main() -> int:
    """Read the options and serve until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="playground", description="A local Discord for one bot.")
    parser.add_argument("--port", type=int, default=0, help="port to listen on (default: any free one)")
    parser.add_argument("--key", default=None, help="key in the page's address (default: random)")
    parser.add_argument("bot", nargs="*", help="command that starts the bot, after --")
    options = parser.parse_args()
    return run(options.bot or None, port=options.port, key=options.key)


if __name__ == "__main__":
    sys.exit(main())
