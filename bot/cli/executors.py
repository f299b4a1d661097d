"""Executors for arenas, simulations, the lab and puzzles: this process, local processes, or a cluster."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from typing import Annotated, Any, TypeAlias

import typer

from bot.cli.arguments import Stop, settings
from bot.ops.startup import cluster_words
from bot.settings import a_scheduler
from bot.workers.cluster import NoCluster, find_cluster
from bot.workers.errors import NoAnswer

Scheduler: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="Compute in the Dask cluster of this scheduler, like tcp://HOST:8786; else VALENCE_SCHEDULER.",
    ),
]


class Here(Executor):
    """Does each job in this process, at the moment in which it is handed over."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function; the answer is there at once."""
        told: Future[Any] = Future()
        try:
            told.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - it belongs to whoever waits for the answer
            told.set_exception(error)
        return told


def named(scheduler: str | None) -> str:
    """The scheduler that is typed, or else set; empty for this machine.

    Raises:
        Stop: what is typed is no address.
    """
    if scheduler is None:
        return settings().scheduler
    try:
        return a_scheduler(scheduler.strip())
    except ValueError as why:
        raise Stop(f"--scheduler cannot be {scheduler!r}: {why}") from why


@contextmanager
def spread(scheduler: str | None, processes: int = 1) -> Iterator[tuple[Executor, int]]:
    """An executor, and how many jobs it does at a time: a cluster where a scheduler is named, else so many
    processes. What was not begun when the block ends is dropped.

    Raises:
        Stop: the cluster cannot be used, or went away.
    """
    if address := named(scheduler):
        cluster = find_cluster(address)
        try:
            cluster.connect()
            # one more than it can do at a time, so that no worker waits for this process
            yield cluster, cluster.threads + 1
        except NoCluster as trouble:
            raise Stop(cluster_words(trouble), code=1) from trouble
        except NoAnswer as lost:
            raise Stop(f"the cluster at {address} did not answer: {lost}", code=1) from lost
        finally:
            cluster.shutdown()
    elif processes == 1:
        yield Here(), 1
    else:
        # Ctrl-C is for this process alone: it reports what the others have done
        deaf = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
        pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=deaf)
        try:
            yield pool, processes
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
