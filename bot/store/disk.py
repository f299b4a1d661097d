"""What lies under a SQLite file: a disk that lasts or not, its free room, the write-ahead log, the rights."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

HOSTS = {
    "DYNO": "Heroku",
    "RAILWAY_": "Railway",
    "FLY_": "Fly.io",
    "K_SERVICE": "Cloud Run",
    "RENDER": "Render",
}
"""By the beginning of an environment variable: hosts whose machines begin with a fresh disk every time."""
NO_VOLUMES = ("Heroku",)
"""Where nothing can be attached that lasts."""
MIB = 1 << 20


def vanishing(file: Path, env: Mapping[str, str] = os.environ) -> str | None:
    """The host with whose next start the file is gone, or None where it lasts as far as can be seen."""
    host = next((host for sign, host in HOSTS.items() if any(_is(name, sign) for name in env)), None)
    if host is None or (host not in NO_VOLUMES and _on_a_volume(file, env)):
        return None
    return host


def _is(name: str, sign: str) -> bool:
    return name.startswith(sign) if sign.endswith("_") else name == sign


def _on_a_volume(file: Path, env: Mapping[str, str]) -> bool:
    """Whether the file lies on a disk that was attached."""
    folder = file.resolve().parent
    if (mount := env.get("RAILWAY_VOLUME_MOUNT_PATH")) and folder.is_relative_to(mount):
        return True
    return any(os.path.ismount(path) for path in (folder, *folder.parents) if path != path.parent)


def free_mib(file: Path) -> int:
    """The room that is left where the file lies, in MiB."""
    return shutil.disk_usage(file.resolve().parent).free // MIB


def wal_mib(file: Path) -> float:
    """The size of the write-ahead log, in MiB; 0 where there is none."""
    try:
        return Path(f"{os.path.realpath(file)}-wal").stat().st_size / MIB  # a third of `resolve`
    except FileNotFoundError:
        return 0.0


def identity(file: Path) -> tuple[int, int] | None:
    """Device and inode of the file that has this name now; None where there is none."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def readable_by_others(file: Path) -> bool:
    """Whether others than its owner may read a file that is there; on Windows nobody can tell."""
    return os.name != "nt" and file.exists() and bool(file.stat().st_mode & 0o077)
