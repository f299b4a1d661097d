"""A Dask cluster as an executor; the one place that knows Dask.

Which worker does what, whose work is done again when a worker is lost, and the dashboard are Dask's own.
Jobs and answers travel as bytes that only workers and this process read, so the scheduler imports nothing of
a game. What an answer is worth is nobody's but the workers': who can speak with the scheduler can run code on
them and here, so it stands in a private network, or behind TLS (docs/cluster.md).
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
from bot.workers.errors import NoAnswer, OtherVersion, Refused, WorkerDied
from bot.workers.process import answer

log = structlog.get_logger(__name__)

CONNECT_SECONDS: Final = 5.0
"""How long a scheduler may take to answer, at the start and each time that it is looked at."""
LOOK_SECONDS: Final = 2.0
"""How often a scheduler is looked at, or called where it is away."""
LEAVE_SECONDS: Final = 1.0
"""How long leaving it may take."""


class NoCluster(Exception):
    """The cluster cannot be used: `missing` (the library), `away`, `empty` (no workers), or `version`."""

    def __init__(self, kind: str, **facts: object) -> None:
        super().__init__(kind, facts)
        self.kind = kind
        self.facts = facts


def carry(wanted: str, job: bytes) -> bytes:
    """Do a job for a process of this version; runs in a worker of the cluster.

    Raises:
        OtherVersion: this worker has another one.
    """
    if version() != wanted:
        raise OtherVersion(f"a worker has Valence {version()}, not {wanted}")
    return answer(job)


def welcome(wanted: str, prepare: Callable[[], object] | None) -> str:
    """Prepare a worker for its first job; its version. Runs there."""
    if prepare is not None and version() == wanted:
        prepare()
    return version()


class Cluster(Executor):
    """An executor whose workers come and go. `connect` joins it once; `keep` joins it again and again, in a
    thread of its own, which nobody waits for."""

    def __init__(self, address: str, *, prepare: Callable[[], object] | None = None) -> None:
        """`address`: of the scheduler; `prepare`: called in each worker before its first job."""
        self.address = address
        self.trouble: NoCluster | None = NoCluster("away", address=address)
        """Why it cannot be used; None while it can."""
        self.workers = 0
        self.threads = 0
        """How many jobs can be done at a time."""
        self._prepare = prepare
        self._version = version()
        self._known: set[str] = set()
        """The workers that have been welcomed."""
        self._client: Any = None
        self._port: Executor | None = None
        self._over = threading.Event()
        self._keeper: threading.Thread | None = None

    @property
    def up(self) -> bool:
        """Whether jobs can be handed over; never waits."""
        client = self._client
        return self.trouble is None and client is not None and client.status == "running"

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function in a worker; it and its arguments must pickle. What it raises, the future raises;
        NoAnswer where the cluster lost it.

        Raises:
            NoAnswer: the cluster is away.
        """
        port = self._port
        if port is None or not self.up:
            raise Refused(f"the cluster at {self.address} is away")
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
        cancel_futures: bool = True,  # noqa: ARG002 - an executor's; here it is always so
    ) -> None:
        """Leave the cluster. What is under way is cancelled: nobody is left to hear it."""
        self._over.set()
        self._drop()
        if wait and self._keeper is not None and self._keeper is not threading.current_thread():
            self._keeper.join(LEAVE_SECONDS)

    # -- joining it, and looking after it ---------------------------------------------------------

    def connect(self, patience: float = CONNECT_SECONDS) -> None:
        """Join the cluster, and wait until it has a worker.

        Raises:
            NoCluster: it cannot be used.
        """
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
        """Join the cluster, and again whenever it was away, from now on."""
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
            except Exception:  # whatever breaks in there, opponents think here, and it is tried again
                log.exception("no cluster: opponents think here", address=self.address)
                self._give_up(NoCluster("away", address=self.address))
                told = "away"
            else:
                if told != "up":
                    log.info("joined the cluster", workers=self.workers, threads=self.threads)
                told = "up"
            self._over.wait(LOOK_SECONDS)

    def _look(self) -> None:
        """See how the cluster is, and join it where that has not been done."""
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
        # Dask prints its own story, tracebacks and all, past our log; what there is to tell is told here
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            _must_fit(self.address, Security())
            client = Client(self.address, timeout=CONNECT_SECONDS, set_as_default=False, name="valence")
        except Exception as error:  # whatever is wrong with the address, the network or the certificates
            raise self._away(error) from error
        self._known = set()
        self._client = client
        self._port = client.get_executor(pure=False)
        return client

    def _away(self, error: BaseException) -> NoCluster:
        problem = " ".join(str(error).split()) or type(error).__name__
        return NoCluster("away", address=self.address, problem=problem)

    def _count(self, client: Any) -> None:
        """Count the workers; those that are new are welcomed, and must have the version of this process."""
        try:
            threads: dict[str, int] = client.sync(client.scheduler.ncores, callback_timeout=CONNECT_SECONDS)
            fresh = [worker for worker in threads if worker not in self._known]
            found: dict[str, Any] = {}
            if fresh:
                found = client.sync(
                    client._run,
                    welcome,
                    self._version,
                    self._prepare,
                    workers=fresh,
                    on_error="return",
                    # the first welcome imports every game
                    callback_timeout=4 * CONNECT_SECONDS,
                )
        except Exception as error:  # the scheduler went away, or hangs
            raise self._away(error) from error
        for worker, said in found.items():
            if isinstance(said, OSError):
                continue  # it went away meanwhile
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
        """Leave the cluster, in a thread where that may take long."""
        client, self._client, self._port = self._client, None, None
        self._known = set()
        if self.trouble is None:
            self.trouble = NoCluster("away", address=self.address)
        if client is not None:
            leaving = threading.Thread(target=_close, args=(client,), name="cluster-leaving", daemon=True)
            leaving.start()
            leaving.join(LEAVE_SECONDS)


def _must_fit(address: str, security: Any) -> None:
    """Look whether Dask's settings for TLS are those that an address asks for. A client that finds it out as
    it connects is never closed, and holds whichever thread collects it for ten seconds.

    Raises:
        ValueError: they are not, or name a file that is not there.
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
    with suppress(Exception):  # it may be gone in any way
        client.close(timeout=LEAVE_SECONDS)


def _tell(told: Future[Any], asked: Future[bytes]) -> None:
    """Hand an answer of Dask on: the value or the error of the work, or that there is none."""
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
    except Exception as unread:  # noqa: BLE001 - what cannot be read is the work's mistake
        fine, value = False, unread
    if fine:
        told.set_result(value)
    else:
        told.set_exception(value)
