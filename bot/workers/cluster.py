"""Computing on other machines: what a plug-in must provide, and how one is found."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from importlib.metadata import entry_points
from typing import Any, Final

import structlog

from bot.workers.errors import JobRefused

log = structlog.get_logger(__name__)

PLUGINS: Final = "valence.clusters"
"""The group of entry points. Each names a subclass of `Cluster`; the first one is used."""
CONNECT_SECONDS: Final = 5.0
"""Seconds that a scheduler may take to answer."""


class NoCluster(Exception):
    """The cluster cannot be used: `missing` (the library), `away`, `empty` (no workers), or `version`."""

    def __init__(self, kind: str, **facts: object) -> None:
        super().__init__(kind, facts)
        self.kind = kind
        self.facts = facts


class Cluster(Executor):
    """An executor whose workers are on other machines and come and go. Without a plug-in it is never up."""

    def __init__(self, address: str, *, prepare: Callable[[], object] | None = None) -> None:
        """Note the address of the scheduler. `prepare` is called in each worker before its first job."""
        self.address = address
        self.prepare = prepare
        self.trouble: NoCluster | None = NoCluster("missing", address=address)
        """The reason why it cannot be used, or None while it can."""
        self.workers = 0
        self.threads = 0
        """The number of jobs that can run at the same time."""

    @property
    def up(self) -> bool:
        """Whether jobs can be submitted. Never waits."""
        return self.trouble is None

    def connect(self, patience: float = CONNECT_SECONDS) -> None:  # noqa: ARG002 - for plug-ins
        """Join the cluster and wait up to `patience` seconds for a worker.

        Raises:
            NoCluster: it cannot be used.
        """
        if self.trouble is not None:
            raise self.trouble

    def keep(self) -> None:
        """Join the cluster in the background, and join it again whenever the connection was lost."""
        if self.trouble is not None:
            log.warning("no cluster: opponents think here", why=self.trouble.kind, **self.trouble.facts)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function in a worker. It and its arguments must pickle.

        The future raises what the function raises, or NoAnswer if the cluster lost the job.

        Raises:
            JobRefused: the cluster is away.
        """
        del fn, args, kwargs  # only a plug-in can do the job
        raise JobRefused(f"the cluster at {self.address} is away")


def find_cluster(address: str, *, prepare: Callable[[], object] | None = None) -> Cluster:
    """Return the cluster at an address, not joined yet, as the installed plug-in provides it."""
    for plugin in entry_points(group=PLUGINS):
        found: Cluster = plugin.load()(address, prepare=prepare)
        return found
    return Cluster(address, prepare=prepare)
