"""A history test in the manner of Jepsen: two owners, people who press, and everything that can break.

    python -m tests.jepsen --rounds 20 --database sqlite          two real processes
    python -m tests.jepsen --rounds 90 --database postgresql --virtual

Prints one line of JSON; for each round that is at odds with itself, its seed and the presses that show it.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys

import structlog

from tests.jepsen.rounds import play


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.jepsen", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--virtual", action="store_true", help="one process, virtual time")
    parser.add_argument("--seed", type=int, default=1, help="of the first round; the next ones follow")
    parser.add_argument("--at-once", type=int, default=4, help="how many rounds with real processes")
    parser.add_argument("--aloud", action="store_true", help="let the bots log")
    asked = parser.parse_args()
    if not asked.aloud:
        hush()
    found = play(asked.rounds, asked.database, virtual=asked.virtual, seed=asked.seed, at_once=asked.at_once)
    for failure in found.failures:
        sys.stderr.write(failure + "\n")
    sys.stdout.write(json.dumps(found.figures) + "\n")
    return 1 if found.failures else 0


def hush() -> None:
    """What the bots log of their troubles is no news here."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.disable(logging.CRITICAL)


if __name__ == "__main__":
    sys.exit(main())
