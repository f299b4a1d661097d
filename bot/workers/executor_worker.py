"""A worker behind an executor, and the thread that speaks with it."""

from __future__ import annotations

import asyncio
import queue
from concurrent.futures import CancelledError, Executor, Future
from typing import Any

from bot.workers.errors import WorkerDied
from bot.workers.process import within
from bot.workers.worker import Job, Owner, Worker


class ExecutorWorker(Worker):
    """One job at a time goes through an executor, and its thread waits for the answer.

    When it is killed, what it has handed over is cancelled; what was begun by then ends by its own deadline.
    """

    def __init__(self, name: str, owner: Owner, loop: asyncio.AbstractEventLoop, port: Executor) -> None:
        super().__init__(name, owner, loop)
        self._port = port
        self._heard: queue.SimpleQueue[Future[Any] | None] = queue.SimpleQueue()
        """The answer once it is there, or that nobody waits for it."""

    def kill(self) -> None:
        """Give up what is under way, and end."""
        self.end()
        self._heard.put(None)

    def _run(self) -> None:
        self._tell(self._owner.worker_ready, self)
        while (job := self._inbox.get()) is not None:
            if (answer := self._ask(job)) is None:
                break
            self._tell(self._owner.job_done, self, job, *answer)
        self._tell(self._owner.worker_lost, self)

    def _ask(self, job: Job) -> tuple[bool, object] | None:
        """What a job returned (True, value) or raised (False, error); None where it was given up."""
        # where it is carried out nobody tells here when it begins
        job.begun = True
        try:
            asked = self._port.submit(within, job.deadline, job.work, *job.args)
            asked.add_done_callback(self._heard.put)
            if self._heard.get() is None:
                asked.cancel()
                return None
            return True, asked.result()
        except CancelledError:
            return False, WorkerDied("whoever was to do it has given it up")
        except Exception as error:  # noqa: BLE001 - it belongs to whoever waits for the answer
            return False, error
