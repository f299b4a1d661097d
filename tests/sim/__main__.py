"""Worlds from the command line: `python -m tests.sim --seed 7`, or `make sim ARGS="--seed 7"`.

A seed gives the same world each time. One that fails prints what was wrong and the line that plays it again;
with `--shrink` its plan is cut down to what it takes, and written as JSON that `--plan` plays.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from tests.sim.plan import Plan, draw, from_json, shrink, to_json
from tests.sim.planted import FAULTS, with_fault
from tests.sim.world import Report, play

HOURS = 24.0


def replay_line(seed: int, hours: float, fault: str = "") -> str:
    """How a world is played again."""
    more = f" --fault {fault}" if fault else ""
    return f'make sim ARGS="--seed {seed} --hours {hours:g}{more}"'


def run(plan: Plan, fault: str = "") -> Report:
    """Play a plan, with a planted fault where one is named."""
    with with_fault(fault) if fault else contextlib.nullcontext():
        return play(plan)


def _of_seed(seed: int, hours: float) -> Report:
    return play(draw(seed, hours))


def shrunk(plan: Plan, found: Report, fault: str = "") -> tuple[Plan, int]:
    """The plan with as little in it as still shows the first thing that was wrong, and the tries it took."""
    kind = found.wrong[0].split(":")[0]
    return shrink(plan, lambda cut: any(wrong.startswith(kind) for wrong in run(cut, fault).wrong))


def many(seeds: range, hours: float, processes: int) -> list[Report]:
    """These worlds, beside each other in so many processes; tells of each that fails at once."""
    found: list[Report] = []
    began = time.monotonic()
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for report in pool.map(_of_seed, seeds, [hours] * len(seeds), chunksize=4):
            found.append(report)
            if report.wrong:
                print(*report.wrong, replay_line(report.seed, hours), sep="\n  ", flush=True)  # noqa: T201
    days = sum(acts >= 60 for report in found for acts in report.acts)
    cpu, seconds = sum(report.cpu for report in found), time.monotonic() - began
    print(  # noqa: T201
        f"{len(found)} worlds of {hours:g} h, {sum(bool(r.wrong) for r in found)} of them wrong; "
        f"{days} with 60 acts and more; {cpu / len(found):.3f} s of CPU each; "
        f"{seconds:.0f} s in all, {3600 * days / seconds:.0f} such worlds an hour"
    )
    return found


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
    parser.add_argument("--shrink", action="store_true", help="cut a plan that fails down")
    chosen = parser.parse_args(words)
    if chosen.seed is None and chosen.plan is None:
        seeds = range(chosen.first, chosen.first + chosen.count)
        return int(any(report.wrong for report in many(seeds, chosen.hours, chosen.processes)))
    plan = from_json(chosen.plan.read_bytes()) if chosen.plan else draw(chosen.seed, chosen.hours)
    report = run(plan, chosen.fault)
    print(f"seed {plan.seed}: trace {report.trace}, acts {report.acts}, {report.cpu:.2f} s of CPU")  # noqa: T201
    print(*sorted(f"  {name}: {count}" for name, count in report.counts.items()), sep="\n")  # noqa: T201
    print(*(report.wrong or ["nothing was wrong"]), sep="\n")  # noqa: T201
    if report.wrong and chosen.shrink:
        small, tries = shrunk(plan, report, chosen.fault)
        file = Path(f"sim-{plan.seed}.json")
        file.write_bytes(to_json(small))
        print(  # noqa: T201
            f"{len(plan.acts)} acts and {len(plan.faults)} faults come down to {len(small.acts)} and "
            f"{len(small.faults)} after {tries} tries: {file}"
        )
    return int(bool(report.wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
