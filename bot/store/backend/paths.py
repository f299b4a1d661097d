"""Names of files and folders as operators type them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

MOST_OF_PATH: Final = 4095
MOST_OF_NAME: Final = 255
"""Maximum bytes of a path, and of each name in it, on Linux."""


def checked_path(written: str) -> str:
    """Return the name of a file or folder as it is written.

    Raises:
        ValueError: it is too long for any system.
    """
    parts = [len(os.fsencode(part)) for part in Path(written).parts]
    if sum(parts) + len(parts) > MOST_OF_PATH or max(parts, default=0) > MOST_OF_NAME:
        raise ValueError("it is longer than the name of a file or folder can be")
    return written
