"""Checks of the disk under a SQLite file: persistence, free space, write-ahead log, file permissions."""

from __future__ import annotations

import os
import re
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
"""Hosts whose machines start with a fresh disk every time, by the prefix of an environment variable."""
NO_VOLUMES = ("Heroku",)
"""Hosts at which no persistent volume can be attached."""
MOUNTS = Path("/proc/self/mounts")
SHARED = frozenset(("9p", "afs", "ceph", "cifs", "lustre", "nfs", "nfs4", "smb3", "smbfs", "virtiofs"))
"""File systems, besides FUSE ones, whose files another machine may change. SQLite's write-ahead log needs
memory shared by all its processes, which such file systems do not provide."""
MOUNTED_HERE = ("fuse.fuse-overlayfs", "fuse.lxcfs")
MIB = 1 << 20


def vanishing(file: Path, env: Mapping[str, str] = os.environ) -> str | None:
    """Return the host that will delete the file at its next start, or None if the file seems to be
    persistent."""
    host = next((host for sign, host in HOSTS.items() if any(_is(name, sign) for name in env)), None)
    if host is None or (host not in NO_VOLUMES and _on_a_volume(file, env)):
        return None
    return host


def _is(name: str, sign: str) -> bool:
    return name.startswith(sign) if sign.endswith("_") else name == sign


def _on_a_volume(file: Path, env: Mapping[str, str]) -> bool:
    """Return whether the file is on an attached volume."""
    folder = file.resolve().parent
    if (mount := env.get("RAILWAY_VOLUME_MOUNT_PATH")) and folder.is_relative_to(mount):
        return True
    return any(os.path.ismount(path) for path in (folder, *folder.parents) if path != path.parent)


def network_file_system(file: Path) -> str | None:
    """Return the network or shared file system that holds a file, or None if the disk is local.

    Only Linux and Windows report this; elsewhere the disk counts as local.
    """
    folder = file.resolve().parent
    if folder.drive.startswith("\\\\"):
        return "SMB"
    try:
        lines = MOUNTS.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return None
    kind, deepest = "", -1
    for _, written, found, *_ in map(str.split, lines):
        point = Path(_unescaped(written))
        if folder.is_relative_to(point) and len(point.parts) >= deepest:
            kind, deepest = found, len(point.parts)  # a later mount hides an earlier one on the same folder
    return kind if kind in SHARED or (kind.startswith("fuse.") and kind not in MOUNTED_HERE) else None


def _unescaped(written: str) -> str:
    """Return a folder's real name: a list of mounts writes a space as \\040."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), written)


def free_mib(file: Path) -> int:
    """Return the free space on the file's disk, in MiB."""
    return shutil.disk_usage(file.resolve().parent).free // MIB


def wal_mib(file: Path) -> float:
    """Return the size of the write-ahead log in MiB, or 0 if it does not exist."""
    try:
        return Path(f"{os.path.realpath(file)}-wal").stat().st_size / MIB  # a third of `resolve`'s time
    except FileNotFoundError:
        return 0.0


def identity(file: Path) -> tuple[int, int] | None:
    """Return the device and inode of the file that has this name now, or None if it does not exist."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def readable_by_others(file: Path) -> bool:
    """Return whether users other than the owner may read an existing file. Always False on Windows."""
    return os.name != "nt" and file.exists() and bool(file.stat().st_mode & 0o077)
