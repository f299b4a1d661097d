"""A Dask cluster as an executor. No other module knows Dask.

Dask distributes the jobs, repeats those of a lost worker, and has a dashboard. Jobs and answers travel as
pickled bytes that only workers and this process read, so the scheduler needs no code of any game. Anyone who
can reach the scheduler can run code on the workers and here: keep it in a private network or use TLS
(docs/cluster.md).
"""

from __future__ import annotations

import logging
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Final

import structlog

from bot.version import version
from bot.workers.cluster import CONNECT_SECONDS, Cluster, NoCluster
from bot.workers.errors import NoAnswer, OtherVersion, WorkerDied
from bot.workers.process import answer

log = structlog.get_logger(__name__)

LOOK_SECONDS: Final = 2.0
"""Seconds between checks of the scheduler, and between attempts to connect."""
LEAVE_SECONDS: Final = 1.0
"""Seconds that leaving the cluster may take."""


def carry(wanted: str, job: bytes) -> bytes:
    """Do a job for a process of this version. Runs in a worker.

    Raises:
        OtherVersion: this worker has another version.
    """
    if version() != wanted:
        raise OtherVersion(f"a worker has Valence {version()}, not {wanted}")
    return answer(job)


def welcome(wanted: str, prepare: Callable[[], object] | None) -> str:
    """Prepare a worker for its first job, and return its version. Runs in the worker."""
    if prepare is not None and version() == wanted:
        prepare()
    return version()


class DaskCluster(Cluster):
    """A cluster of Dask workers. `connect` joins it once; `keep` stays connected, in a thread of its own."""

    def __init__(self, address: str, *, prepare: Callable[[], object] | None = None) -> None:
        """Note the address; see `Cluster`."""
        super().__init__(address, prepare=prepare)
        self.trouble = NoCluster("away", address=address)
        self._version = version()
        self._known: set[str] = set()
        """Workers that were prepared."""
        self._client: Any = None
        self._port: Executor | None = None
        self._over = threading.Event()
        self._keeper: threading.Thread | None = None

    @property
    def up(self) -> bool:
        """Whether jobs can be submitted. Never waits."""
        client = self._client
        return self.trouble is None and client is not None and client.status == "running"

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function in a worker; see `Cluster.submit`."""
        port = self._port
        if port is None or not self.up:
            return super().submit(fn, *args, **kwargs)
        job = pickle.dumps((partial(fn, **kwargs) if kwargs else fn, args))
        asked = port.submit(carry, self._version, job)
        told: Future[Any] = Future()
        told.add_done_callback(lambda done: asked.cancel() if done.cancelled() else None)
        asked.add_done_callback(partial(_tell, told))
        return told

    def shutdown(
        self,
        wait: bool = True,
        *,
        cancel_futures: bool = True,  # noqa: ARG002 - of `Executor`; jobs are always cancelled
    ) -> None:
        """Leave the cluster and cancel all jobs."""
        self._over.set()
        self._drop()
        if wait and self._keeper is not None and self._keeper is not threading.current_thread():
            self._keeper.join(LEAVE_SECONDS)

    # -- joining it, and looking after it ---------------------------------------------------------

    def connect(self, patience: float = CONNECT_SECONDS) -> None:
        """Join the cluster and wait for a worker; see `Cluster.connect`."""
        until = monotonic() + patience
        while True:
            try:
                self._look()
            except NoCluster as trouble:
                if trouble.kind != "empty" or monotonic() > until:
                    self._drop()
                    raise
            else:
                return
            self._over.wait(0.2)

    def keep(self) -> None:
        """Join the cluster in a thread, and join it again whenever the connection was lost."""
        self._keeper = threading.Thread(target=self._keep, name="cluster", daemon=True)
        self._keeper.start()

    def _keep(self) -> None:
        told = ""
        while not self._over.is_set():
            try:
                self._look()
            except NoCluster as trouble:
                if trouble.kind != told and not self._over.is_set():
                    log.warning("no cluster: opponents think here", why=trouble.kind, **trouble.facts)
                told = trouble.kind
            except Exception:  # the bot works without a cluster, so any error only means another attempt
                log.exception("no cluster: opponents think here", address=self.address)
                self._give_up(NoCluster("away", address=self.address))
                told = "away"
            else:
                if told != "up":
                    log.info("joined the cluster", workers=self.workers, threads=self.threads)
                told = "up"
            self._over.wait(LOOK_SECONDS)

    def _look(self) -> None:
        """Check the cluster, after joining it if necessary."""
        try:
            client = self._client
            if client is not None and client.status != "running":
                self._drop()
                client = None
            if client is None:
                client = self._joined()
            self._count(client)
        except NoCluster as trouble:
            self._give_up(trouble)
            raise

    def _give_up(self, trouble: NoCluster) -> None:
        self.trouble = trouble
        if trouble.kind != "empty":
            self._drop()

    def _joined(self) -> Any:
        try:
            from distributed import Client, Security
        except ImportError as error:
            raise NoCluster("missing", address=self.address) from error
        # Dask prints tracebacks to the terminal; everything worth knowing is in our own log
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            _must_fit(self.address, Security())
            client = Client(self.address, timeout=CONNECT_SECONDS, set_as_default=False, name="valence")
        except Exception as error:  # the address, the network or the certificates
            raise self._away(error) from error
        self._known = set()
        self._client = client
        self._port = client.get_executor(pure=False)
        return client

    def _away(self, error: BaseException) -> NoCluster:
        problem = " ".join(str(error).split()) or type(error).__name__
        return NoCluster("away", address=self.address, problem=problem)

    def _count(self, client: Any) -> None:
        """Count the workers. Prepare new ones, which must have the version of this process."""
        try:
            threads: dict[str, int] = client.sync(client.scheduler.ncores, callback_timeout=CONNECT_SECONDS)
            fresh = [worker for worker in threads if worker not in self._known]
            found: dict[str, Any] = {}
            if fresh:
                found = client.sync(
                    client._run,
                    welcome,
                    self._version,
                    self.prepare,
                    workers=fresh,
                    on_error="return",
                    # preparing a worker imports every game
                    callback_timeout=4 * CONNECT_SECONDS,
                )
        except Exception as error:  # the scheduler went away, or hangs
            raise self._away(error) from error
        for worker, said in found.items():
            if isinstance(said, OSError):
                continue  # this worker has left meanwhile
            if said != self._version:
                has = f"Valence {said}" if isinstance(said, str) else f"none that can be used ({said!r})"
                raise NoCluster("version", address=self.address, worker=worker, has=has, wanted=self._version)
            self._known.add(worker)
        self._known &= threads.keys()
        self.workers = len(self._known)
        self.threads = sum(threads[worker] for worker in self._known)
        if not self._known:
            raise NoCluster("empty", address=self.address)
        self.trouble = None

    def _drop(self) -> None:
        """Leave the cluster, in a thread because that may take long."""
        client, self._client, self._port = self._client, None, None
        self._known = set()
        if self.trouble is None:
            self.trouble = NoCluster("away", address=self.address)
        if client is not None:
            leaving = threading.Thread(target=_close, args=(client,), name="cluster-leaving", daemon=True)
            leaving.start()
            leaving.join(LEAVE_SECONDS)


def _must_fit(address: str, security: Any) -> None:
    """Check that Dask's settings for TLS fit the address.

    A client that fails while it connects is never closed, and blocks the garbage collector for ten seconds.

    Raises:
        ValueError: they do not fit, or name a missing file.
    """
    for name in ("tls_ca_file", "tls_client_cert", "tls_client_key"):
        file = getattr(security, name)
        if file and "\n" not in file and not Path(file).is_file():  # a certificate may be given as its text
            raise ValueError(f"{file} is not there ({name.replace('_', '-')} in Dask's settings)")
    wanted = security.get_connection_args("client")
    if address.startswith("tls:") and wanted.get("ssl_context") is None:
        raise ValueError("Dask's settings on this machine lack a CA file, a certificate or its key")
    if not address.startswith("tls:") and wanted["require_encryption"]:
        raise ValueError("Dask's settings on this machine allow TLS alone; write tls://")


def _close(client: Any) -> None:
    with suppress(Exception):  # the connection may be broken in any way
        client.close(timeout=LEAVE_SECONDS)


def _tell(told: Future[Any], asked: Future[bytes]) -> None:
    """Pass on an answer of Dask: a value, an error of the work, or that the job was lost."""
    if not told.set_running_or_notify_cancel():
        return
    if asked.cancelled():
        told.set_exception(WorkerDied("the cluster has lost it"))
        return
    error = asked.exception()
    if error is not None:
        told.set_exception(error if isinstance(error, NoAnswer) else WorkerDied(f"the cluster: {error}"))
        return
    try:
        fine, value = pickle.loads(asked.result())  # noqa: S301 - from our own workers
    except Exception as unread:  # noqa: BLE001 - an unreadable answer is an error of the work
        fine, value = False, unread
    if fine:
        told.set_result(value)
    else:
        told.set_exception(value)
