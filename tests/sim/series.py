"""Many worlds, beside each other in processes, and one that is cut down."""

from __future__ import annotations

import contextlib
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.sim.plan import Plan, draw, shrink
from tests.sim.planted import with_fault
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


def _of_seed(seed: int, hours: float, without: tuple[str, ...]) -> Report:
    return play(draw(seed, hours, without=without))


def shrunk(plan: Plan, found: Report, fault: str = "") -> tuple[Plan, int]:
    """The plan with as little in it as still shows the first thing that was wrong, and the tries it took."""
    kind = found.wrong[0].split(":")[0]
    return shrink(plan, lambda cut: any(wrong.startswith(kind) for wrong in run(cut, fault).wrong))


def many(seeds: range, hours: float, processes: int, without: tuple[str, ...] = ()) -> list[Report]:
    """These worlds, `without` some of what is drawn apart, beside each other in so many processes; tells of
    each that fails at once."""
    found: list[Report] = []
    began = time.monotonic()
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for report in pool.map(_of_seed, seeds, [hours] * len(seeds), [without] * len(seeds), chunksize=4):
            found.append(report)
            if report.wrong:
                print(*report.wrong, replay_line(report.seed, hours), sep="\n  ", flush=True)  # noqa: T201 - what somebody on the command line asked for
    days = sum(acts >= 60 for report in found for acts in report.acts)
    cpu, seconds = sum(report.cpu for report in found), time.monotonic() - began
    print(  # noqa: T201 - what somebody on the command line asked for
        f"{len(found)} worlds of {hours:g} h, {sum(bool(r.wrong) for r in found)} of them wrong; "
        f"{days} with 60 acts and more; {cpu / len(found):.3f} s of CPU each; "
        f"{seconds:.0f} s in all, {3600 * days / seconds:.0f} such worlds an hour"
    )
    return found
