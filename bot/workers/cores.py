"""How many processor cores this process may use."""

from __future__ import annotations

import os
from pathlib import Path

QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""Where Linux says how much processor time a container gets: microseconds of each period, or `max`."""


def cores(quota: Path = QUOTA) -> int:
    """The cores, or fewer where a container is held to less; at least one."""
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        share, period = quota.read_text().split()
        if share != "max":
            found = min(found, -(-int(share) // int(period)))
    except (OSError, ValueError, ZeroDivisionError):
        pass  # no container, or one that says it otherwise
    return max(1, found)


def all_but_one() -> int:
    """One worker for each core but the one that the bot itself needs; at least one."""
    return max(1, cores() - 1)
