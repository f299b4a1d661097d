"""Executors for long computations: this process, or a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
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
    """Runs each job in this process, as soon as it is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function. Return a future that is already done."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - the future raises it for its reader
            future.set_exception(error)
        return future


def named(scheduler: str | None) -> str:
    """Return the address of the scheduler, from the option or the settings. Empty means this machine.

    Raises:
        Stop: the option is not an address.
    """
    if scheduler is None:
        return settings().scheduler
    try:
        return a_scheduler(scheduler.strip())
    except ValueError as why:
        raise Stop(f"--scheduler cannot be {scheduler!r}: {why}") from why


@contextmanager
def spread(scheduler: str | None) -> Iterator[tuple[Executor, int]]:
    """Yield an executor and its number of parallel jobs: the cluster if one is named, else this process.

    The cluster drops jobs that have not begun when the block ends.

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
    else:
        yield Here(), 1
