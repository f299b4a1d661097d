"""A real scheduler with two workers, one of which is killed at work: nobody waits long, nothing is lost."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from bot.cli import chunks as in_parts
from bot.plugins import dask_cluster as module
from bot.plugins.dask_cluster import DaskCluster
from bot.table.thinking import THOUGHT_SECONDS, WorkerThinker, load_games
from bot.workers.cluster import NoCluster
from bot.workers.errors import TooSlow
from bot.workers.pool import Counts, Pool
from engine import arena, catalog
from engine.arena import key_of
from tests.support.processes.machines import SLOWEST, Machines
from tests.support.waiting import until, wait_until

pytest.importorskip("distributed")
pytestmark = pytest.mark.long

ASKING = 3
"""Tables that ask at a time, without a pause: more than there are workers."""
SECONDS = 10.0
LATE_SECONDS = 2.0


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    with ExitStack() as stack:
        yield Machines(tmp_path_factory.mktemp("cluster"), stack)


@pytest.fixture
def machines(started: Machines) -> Machines:
    started.mend()
    return started


@pytest.fixture
def joined(machines: Machines) -> Iterator[DaskCluster]:
    found = DaskCluster(machines.address, prepare=load_games)
    found.keep()
    try:
        wait_until(lambda: found.up and found.workers == 2, SLOWEST)
        yield found
    finally:
        found.shutdown()


def questions(key: str, level: str, number: int) -> list[tuple[Any, Sequence[Any]]]:
    """Decisions of a game, as the seat sees them, with the ways there are."""
    game, rng = catalog.get(key), random.Random(f"questions/{number}")
    state, found = game.deal(game.setup(2, key_of(1, number), **game.defaults())), []
    while waiting := state.to_act():
        seat = waiting[0]
        actions = state.legal_actions(seat)
        if len(actions) > 2:
            found.append((state.observe(seat), actions))
        state.push(seat, rng.choice(actions))
    return found


def alone(key: str, level: str, asked: Sequence[tuple[Any, Sequence[Any]]]) -> float:
    """The time of the level: the longest that it thinks about any of these with nobody beside it."""
    chooser, longest = catalog.get(key).opponents[level], 0.0
    for seen, actions in asked:
        start = time.perf_counter()
        chooser(seen, actions, random.Random(1))
        longest = max(longest, time.perf_counter() - start)
    return longest


def test_workers_of_another_version_are_refused(
    machines: Machines, joined: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "version", lambda: "9.9.9")
    other = DaskCluster(machines.address)
    with pytest.raises(NoCluster) as found:
        other.connect()
    assert found.value.kind == "version"
    assert found.value.facts["wanted"] == "9.9.9"
    other.shutdown()


def in_cluster(thinker: WorkerThinker) -> Counts:
    """Return the counts of the decisions that the cluster made."""
    return next(pool for pool in thinker.pools if pool.name == "opponents-cluster").counts


async def test_no_decision_is_late_when_a_worker_is_killed(machines: Machines, joined: DaskCluster) -> None:
    key, level = "compound_capture", "sharp"
    asked = [question for number in range(2) for question in questions(key, level, number)][:40]
    longest = alone(key, level, asked)
    thinker = WorkerThinker(1, cluster=joined)
    await thinker.warm_up()
    end, spent = time.monotonic() + SECONDS, list[float]()

    async def table(number: int) -> None:
        rng = random.Random(number)
        while time.monotonic() < end:
            seen, actions = rng.choice(asked)
            start = time.monotonic()
            assert await thinker.choose(key, level, seen, actions, whose=number) in actions
            spent.append(time.monotonic() - start)

    lags: list[float] = []
    stills: list[float] = []

    async def beat() -> None:
        while time.monotonic() < end:
            start = time.monotonic()
            await asyncio.sleep(0.05)
            lags.append(time.monotonic() - start - 0.05)

    def watch() -> None:
        """How long the machine stood still: a thread that asks for nothing was late, and no work was done.
        A loop that waits by mistake holds up no thread, and one that works takes the processor."""
        while time.monotonic() < end:
            start, worked = time.monotonic(), time.process_time()
            time.sleep(0.05)
            stills.append(time.monotonic() - start - 0.05 - (time.process_time() - worked))

    async def kill() -> None:
        await until(lambda: len(spent) > 2 * ASKING, SECONDS)
        await asyncio.to_thread(machines.end, machines.nannies[0])

    await asyncio.gather(beat(), asyncio.to_thread(watch), kill(), *map(table, range(ASKING)))
    await until(lambda: joined.workers == 1, SLOWEST)
    far, here = in_cluster(thinker), thinker.thoughts.counts
    spent.sort()
    tell(
        f"\n{key} {level}: {len(spent)} decisions of {ASKING} tables in {SECONDS:g} s, one of two workers"
        f" killed; alone at most {longest:.2f} s; median {median(spent):.2f} s,"
        f" p99 {spent[int(0.99 * len(spent))]:.2f} s, at most {spent[-1]:.2f} s;"
        f" in the cluster {far.done}, here {here.done}; the loop late by {max(lags):.2f} s at most,"
        f" the machine stood still for {max(stills):.2f} s"
    )
    await thinker.close()
    assert far.done > 10
    assert spent[-1] < min(longest, THOUGHT_SECONDS) + LATE_SECONDS + max(0.0, *stills)


def test_no_game_of_an_arena_is_lost_when_a_worker_is_killed(machines: Machines, joined: DaskCluster) -> None:
    game, players = catalog.get("compound_capture"), ["newcomer", "random"]
    how: dict[str, Any] = {"games": 160, "seed": 5, "timer": zero}
    killed: list[int] = []

    def progress(done: int, total: int) -> None:
        if not killed and done < total:
            killed.append(done)
            machines.end(machines.nannies[0])

    start = time.monotonic()
    played = in_parts.arena(game, players, {}, **how, port=joined, width=8, progress=progress)
    spent = time.monotonic() - start
    tell(f"\n{played.games} games in {spent:.1f} s, a worker killed after {killed} of them")
    assert killed
    assert played == arena.arena(game, players, {}, **how)


def test_a_command_that_loses_its_scheduler_stops_with_one_line(machines: Machines, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    words = ("ladder", "compound_capture", "--games", "40", "--append", str(kept))
    command = [sys.executable, "-m", "tools", *words, "--scheduler", machines.address]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as started:
        try:
            wait_until(lambda: kept.exists() and kept.stat().st_size > 0, SLOWEST)
            machines.end(machines.scheduler)
            _, said = started.communicate(timeout=SLOWEST)
        finally:
            started.kill()
    assert (started.returncode, said.count("\n")) == (1, 1), said
    assert said.startswith(f"valence: the cluster at {machines.address} did not answer")
    # workers end with their scheduler, and are started again together
    wait_until(lambda: all(nanny.poll() is not None for nanny in machines.nannies), SLOWEST)


async def test_a_scheduler_that_went_away_is_found_again(machines: Machines, joined: DaskCluster) -> None:
    asked = questions("atom_duel", "steady", 0)
    thinker = WorkerThinker(1, cluster=joined)

    async def decide() -> float:
        start = time.monotonic()
        for number, (seen, actions) in enumerate(asked[:4]):
            assert await thinker.choose("atom_duel", "steady", seen, actions, whose=number) in actions
        return time.monotonic() - start

    far, here = in_cluster(thinker), thinker.thoughts.counts
    await decide()
    assert far.done > 0
    machines.end(machines.scheduler)
    lost = await decide()
    assert here.done > 0
    await until(lambda: not joined.up, SLOWEST)
    # workers end with their scheduler
    await until(lambda: all(nanny.poll() is not None for nanny in machines.nannies), SLOWEST)
    machines.mend()
    start = time.monotonic()
    await until(lambda: joined.up, SLOWEST)
    back = time.monotonic() - start
    tell(f"\nfour decisions in {lost:.2f} s as the scheduler went away; back in {back:.1f} s")
    before = far.done
    await decide()
    assert far.done > before
    await thinker.close()


async def test_what_takes_too_long_ends_its_worker_there(machines: Machines, joined: DaskCluster) -> None:
    pool = Pool("test", 0, threads=2, port=joined)
    with pytest.raises(TooSlow):
        await pool.run(time.sleep, 600, deadline=1.0)
    # its nanny starts another worker, and the two are as good as new
    both = await asyncio.gather(
        *(pool.run(os.getpid, deadline=SLOWEST) for _ in range(2)), return_exceptions=True
    )
    assert all(isinstance(each, int) for each in both)
    await until(lambda: joined.workers == 2, SLOWEST)
    pool.kill()


def tell(line: str) -> None:
    """Show a figure, where pytest is asked to (-s)."""
    sys.stdout.write(f"{line}\n")


def zero() -> float:
    return 0.0
