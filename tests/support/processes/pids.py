"""Questions about processes of this machine, by their numbers."""

from __future__ import annotations

import os
from pathlib import Path


def gone(pid: int) -> bool:
    """Return whether a process has ended."""
    try:
        os.kill(pid, 0)
        # a child that was not waited for still has its number
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    except ProcessLookupError:
        return True
    except FileNotFoundError:  # the process ended between the two checks, or this system has no such files
        return Path("/proc/self/stat").exists()
