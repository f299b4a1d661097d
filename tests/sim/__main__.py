"""Worlds from the command line: `python -m tests.sim --seed 7`, or `make sim ARGS="--seed 7"`.

A seed gives the same world each time. One that fails prints what was wrong and the line that plays it again;
with `--shrink` its plan is cut down to what it takes, and written as JSON that `--plan` plays.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import msgspec

from tests.sim.plan import MORE, draw, from_json, to_json
from tests.sim.planted import FAULTS
from tests.sim.series import HOURS, many, run, shrunk

WITHOUT = ("daily", "night", "tournament", "room", "whim", *MORE)
"""What some worlds have as well, and can be left out."""


def main(words: list[str]) -> int:
    """Play what the command line names; 1 where something was wrong."""
    parser = argparse.ArgumentParser(prog="make sim", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, help="the one world of this seed")
    parser.add_argument("--plan", type=Path, help="the world of a plan that was written before")
    parser.add_argument("--hours", type=float, default=HOURS, help="of virtual time in each world")
    parser.add_argument("--count", type=int, default=100, help="so many worlds, where no seed is named")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first of their seeds")
    parser.add_argument("--processes", type=int, default=min(4, os.cpu_count() or 1))
    parser.add_argument("--fault", choices=sorted(FAULTS), default="", help="with this planted fault")
    parser.add_argument("--without", action="append", choices=WITHOUT, default=[], help="leave this out")
    parser.add_argument("--shrink", action="store_true", help="cut a plan that fails down")
    chosen = parser.parse_args(words)
    if chosen.seed is None and chosen.plan is None:
        seeds = range(chosen.first, chosen.first + chosen.count)
        found = many(seeds, chosen.hours, chosen.processes, tuple(chosen.without))
        return int(any(report.wrong for report in found))
    try:
        plan = (
            from_json(chosen.plan.read_bytes())
            if chosen.plan
            else draw(chosen.seed, chosen.hours, without=chosen.without)
        )
    except OSError as error:
        parser.error(f"{chosen.plan} cannot be read: {error.strerror}")
    except msgspec.DecodeError as error:
        parser.error(f"{chosen.plan} is no plan: {error}")
    report = run(plan, chosen.fault)
    print(f"seed {plan.seed}: trace {report.trace}, acts {report.acts}, {report.cpu:.2f} s of CPU")  # noqa: T201 - what somebody on the command line asked for
    print(*sorted(f"  {name}: {count}" for name, count in report.counts.items()), sep="\n")  # noqa: T201 - what somebody on the command line asked for
    print(*(report.wrong or ["nothing was wrong"]), sep="\n")  # noqa: T201 - what somebody on the command line asked for
    if report.wrong and chosen.shrink:
        small, tries = shrunk(plan, report, chosen.fault)
        file = Path(f"sim-{plan.seed}.json")
        file.write_bytes(to_json(small))
        print(  # noqa: T201 - what somebody on the command line asked for
            f"{len(plan.acts)} acts and {len(plan.faults)} faults come down to {len(small.acts)} and "
            f"{len(small.faults)} after {tries} tries: {file}"
        )
    return int(bool(report.wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
