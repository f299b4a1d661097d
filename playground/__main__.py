"""`python -m playground`: the local Discord alone; a bot is pointed at the address it prints."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from playground.launch import run


def main() -> int:
    """Read the options and serve until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="playground", description="A local Discord for one bot.")
    parser.add_argument("--port", type=int, default=None, help="port to listen on (0: any free one)")
    parser.add_argument("--key", default=None, help="key in the page's address (default: random)")
    parser.add_argument("--folder", type=Path, default=None, help="where address and world last")
    parser.add_argument("bot", nargs="*", help="command that starts the bot, after --")
    options = parser.parse_args()
    return run(options.bot or None, port=options.port, key=options.key, folder=options.folder)


if __name__ == "__main__":
    sys.exit(main())
