"""Jobs that wait: urgent ones first, everybody in turn, never more than so many."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Generic, Protocol, TypeVar


class Waiting(Protocol):
    """What a queue needs to know of a job."""

    @property
    def whose(self) -> Hashable:
        """On whose behalf it waits; each gets a turn."""

    urgent: bool


J = TypeVar("J", bound=Waiting)


class FairQueue(Generic[J]):
    """At most `most` jobs. Urgent ones go first; among equals each owner gets one turn after the other."""

    def __init__(self, most: int) -> None:
        self._most = most
        # by urgency, then by owner in the order of their turns; a dict keeps the order of its keys
        self._turns: dict[bool, OrderedDict[Hashable, dict[J, None]]] = {
            True: OrderedDict(),
            False: OrderedDict(),
        }
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def urgent(self) -> bool:
        """Whether an urgent job waits."""
        return bool(self._turns[True])

    def put(self, job: J) -> J | None:
        """Add a job at the end; the job that must go for it when there is no room, perhaps itself.

        What goes is the newest job of whoever has most that is not urgent; urgent ones go only where
        nothing else waits.
        """
        self._turns[job.urgent].setdefault(job.whose, {})[job] = None
        self._count += 1
        if self._count <= self._most:
            return None
        urgent = not self._turns[False]
        turns = self._turns[urgent]
        crowd = max(turns, key=lambda whose: (len(turns[whose]), whose == job.whose))
        last = next(reversed(turns[crowd]))
        self.remove(last)
        return last

    def put_back(self, job: J) -> None:
        """Add a job that was taken too early: it is the next of its kind."""
        turns = self._turns[job.urgent]
        turns[job.whose] = {job: None, **turns.get(job.whose, {})}
        turns.move_to_end(job.whose, last=False)
        self._count += 1

    def take(self) -> J | None:
        """The next job, which no longer waits then; None when nothing waits."""
        for turns in (self._turns[True], self._turns[False]):
            if turns:
                whose, jobs = next(iter(turns.items()))
                job = next(iter(jobs))
                turns.move_to_end(whose)
                self.remove(job)
                return job
        return None

    def remove(self, job: J) -> bool:
        """Take a job out; whether it was waiting."""
        turns = self._turns[job.urgent]
        jobs: dict[J, Any] = turns.get(job.whose, {})
        if job not in jobs:
            return False
        del jobs[job]
        self._count -= 1
        if not jobs:
            del turns[job.whose]
        return True

    def expedite(self, job: J) -> None:
        """A job that waits has become urgent; nothing happens to one that does not wait."""
        if not job.urgent and self.remove(job):
            job.urgent = True
            self._turns[True].setdefault(job.whose, {})[job] = None
            self._count += 1

    def empty(self) -> list[J]:
        """Take everything out."""
        found = []
        while (job := self.take()) is not None:
            found.append(job)
        return found
