"""The disk below a SQLite file: SQLite damages its file on one that several machines share."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine
from structlog.testing import capture_logs

from bot.ops import doctor
from bot.ops.health_check import HealthAnswer
from bot.ops.startup import notes
from bot.settings import Settings
from bot.store.backend import disk
from bot.store.backend.engines import _prepare_sqlite
from bot.store.backend.urls import place

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="mounts are folders")


@pytest.fixture
def mounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Write the list of mounts that the machine has: file systems by their folders, in order."""

    def write(*found: tuple[str, Path]) -> None:
        folders = [(kind, str(folder).replace(" ", r"\040")) for kind, folder in found]
        lines = [f"somewhere {folder} {kind} rw 0 0\n" for kind, folder in folders]
        file = tmp_path / "mounts"
        file.write_text("".join(lines))
        monkeypatch.setattr(disk, "MOUNTS", file)

    return write


@pytest.mark.parametrize(
    "kind", ["nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "fuse.sshfs", "fuse.glusterfs", "ceph"]
)
def test_a_disk_of_the_network_is_recognised(tmp_path: Path, mounts: Any, kind: str) -> None:
    mounts(("ext4", Path("/")), (kind, tmp_path))
    assert disk.network_file_system(tmp_path / "data" / "valence.db") == kind


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs", "zfs", "overlay", "tmpfs", "fuseblk"])
def test_a_disk_of_the_machine_is_no_trouble(tmp_path: Path, mounts: Any, kind: str) -> None:
    mounts(("nfs", Path("/")), (kind, tmp_path))
    assert disk.network_file_system(tmp_path / "valence.db") is None


def test_the_deepest_mount_counts_and_of_two_on_one_folder_the_later(tmp_path: Path, mounts: Any) -> None:
    inner = tmp_path / "my games"
    inner.mkdir()
    mounts(("nfs4", inner), ("ext4", tmp_path), ("ext4", tmp_path / "my"))
    assert disk.network_file_system(inner / "valence.db") == "nfs4"
    mounts(("nfs4", inner), ("ext4", inner))
    assert disk.network_file_system(inner / "valence.db") is None


def test_a_link_counts_as_what_it_leads_to(tmp_path: Path, mounts: Any) -> None:
    (tmp_path / "share").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "share")
    mounts(("ext4", Path("/")), ("cifs", tmp_path / "share"))
    assert disk.network_file_system(tmp_path / "data" / "valence.db") == "cifs"


def test_without_a_list_of_mounts_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "MOUNTS", tmp_path / "none")
    assert disk.network_file_system(tmp_path / "valence.db") is None


def test_start_and_doctor_say_what_to_do(
    tmp_path: Path, mounts: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "valence.db"
    settings = Settings(_env_file=None, DATABASE_URL=f"sqlite:///{file}")  # type: ignore[call-arg]
    mounts(("ext4", Path("/")), ("nfs4", tmp_path))
    wrong = [
        found.words
        for found in doctor._disk(place(settings.database_url))
        if found.health is HealthAnswer.WRONG
    ]
    warned = [line for warning, line in notes(settings) if warning]
    assert wrong == warned
    (line,) = wrong
    assert f"{file} is on a network file system (nfs4)" in line
    assert "PostgreSQL" in line
    mounts(("ext4", Path("/")))
    assert [line for warning, line in notes(settings) if warning] == []


@pytest.mark.parametrize(("vfs", "told"), [("unix", []), ("unix-dotfile", ["delete"])])
def test_a_disk_without_shared_memory_is_told_of(tmp_path: Path, vfs: str, told: list[str]) -> None:
    """One of SQLite's own file systems, which locks by a file, has no write-ahead log either."""
    file = tmp_path / "valence.db"
    uri = f"file:{file}?vfs={vfs}"
    engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(uri, uri=True))
    _prepare_sqlite(engine, place(f"sqlite:///{file}"), read_only=False)
    with capture_logs() as lines, engine.connect():
        pass
    engine.dispose()
    assert [line["mode"] for line in lines if line["log_level"] == "warning"] == told
