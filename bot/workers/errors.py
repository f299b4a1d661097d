"""Why a job got no answer. What the work itself raised is passed on as it is."""

from __future__ import annotations


class NoAnswer(RuntimeError):
    """The workers have no answer to this job; `why` is one word for logs and figures."""

    why = "lost"


class TooSlow(NoAnswer):
    """The work took longer than its deadline, and its worker was ended."""

    why = "slow"


class WorkerDied(NoAnswer):
    """The process ended under the work, twice."""

    why = "died"


class JobRefused(NoAnswer):
    """Too much waits already, it waited too long, or no worker can be started at present."""

    why = "refused"


class Closed(NoAnswer):
    """The bot is stopping."""

    why = "closed"


class OtherVersion(NoAnswer):
    """A worker of the cluster has another version of the bot than this process."""

    why = "version"
