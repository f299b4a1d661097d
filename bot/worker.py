"""What every worker process of the bot does first."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable
from multiprocessing.connection import wait


def begin(prepare: Callable[[], object] | None = None) -> None:
    """Watch the bot, so that no worker outlives one that was killed; then run `prepare`."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()
    if prepare is not None:
        prepare()


def _follow(sentinel: int) -> None:
    wait([sentinel])
    os._exit(0)
