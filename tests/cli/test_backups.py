"""`valence db backup --every`: taken and proved again and again, and only old ones are removed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.ops import backups
from tests.cli.conftest import Valence
from tests.house.tree import ROOT
from tests.support.processes.played_file import play, tear
from tests.support.waiting import LIMIT_SECONDS


@pytest.mark.long
def test_backups_are_taken_until_told_to_stop(file: Path, tmp_path: Path) -> None:
    """By name and time, the oldest pruned, and nothing else in the folder touched."""
    play(file, game="atom_duel")
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "holiday.db").write_text("mine")
    old = [folder / backups.name_at(datetime(2020, 1, day, tzinfo=UTC)) for day in (1, 2, 3)]
    for path in old:
        path.touch()
    (folder / "valence-20200104T000000Z.db.part").touch()
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "db", "backup", "--every", "1s", "--keep", "2", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "400"},
    )
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(3)]
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=LIMIT_SECONDS)
    assert (process.returncode, err) == (0, "")
    assert all("proved." in line or "proved;" in line for line in lines)
    assert "removed" in lines[0]
    names = {path.name for path in folder.iterdir()}
    assert "holiday.db" in names
    assert not any(path.name in names for path in old)
    kept = backups.of_folder(folder)
    assert len(names) == 3
    assert len(kept) == 2
    assert all(backups.age_of(path, datetime.now(UTC)) < 60 for path in kept)


def once(monkeypatch: pytest.MonkeyPatch, times: int = 1) -> None:
    """Stop `valence db backup --every` after so many rounds."""
    rounds = iter([False] * times + [True])
    monkeypatch.setattr(
        "bot.cli.db.Event",
        lambda: SimpleNamespace(is_set=lambda: next(rounds), wait=lambda _seconds: None),
    )


def test_backups_from_the_future_cost_no_new_one(
    valence: Valence, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock was a year ahead when they were taken, or is a year behind now."""
    play(file)
    folder = tmp_path / "backups"
    folder.mkdir()
    now = datetime.now(UTC)
    ahead = [folder / backups.name_at(now + timedelta(days=365, hours=n)) for n in range(14)]
    past = [folder / backups.name_at(now - timedelta(days=n)) for n in (1, 2, 3)]
    for path in (*ahead, *past):
        path.touch()
    once(monkeypatch)
    said = valence("db", "backup", "--every", "6h", "--keep", "2", folder)
    assert (said.code, said.err) == (0, "")
    kept = set(backups.of_folder(folder))
    assert {*ahead, past[0]} < kept
    (taken,) = kept - {*ahead, past[0]}
    assert f"{taken} is taken and proved" in said.out
    assert f"dated in the future, so neither counted nor removed: {ahead[0].name}" in said.out
    assert "and 9 more" in said.out


def test_the_last_backup_stays_where_one_is_kept(
    valence: Valence, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(file)
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "valence-20200101T000000Z.db").touch()
    (folder / "valence-20269999T999999Z.db").touch()  # no date, and so no backup
    once(monkeypatch)
    assert valence("db", "backup", "--every", "6h", "--keep", "1", folder).code == 0
    (kept,) = backups.of_folder(folder)
    assert backups.age_of(kept, datetime.now(UTC)) < 600


def test_a_backup_that_fails_is_told_and_the_others_stay(
    valence: Valence, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(file)
    tear(file)
    folder = tmp_path / "backups"
    folder.mkdir()
    old = folder / backups.name_at(datetime.now(UTC) - timedelta(days=400))
    old.touch()

    class Once:
        rounds = 0

        def is_set(self) -> bool:
            return self.rounds >= 1

        def wait(self, seconds: float) -> None:
            assert seconds == 6 * 3600
            self.rounds += 1

    monkeypatch.setattr("bot.cli.db.Event", Once)
    said = valence("db", "backup", "--every", "6h", "--keep", "1", folder)
    assert said.code == 0
    assert "no backup was taken" in said.err
    assert list(folder.iterdir()) == [old]


def test_an_old_backup_that_stays_keeps_no_new_one_from_being_taken(
    valence: Valence, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(file)
    folder = tmp_path / "backups"
    (folder / "valence-20200101T000000Z.db").mkdir(parents=True)  # nothing that can be unlinked
    once(monkeypatch)
    said = valence("db", "backup", "--every", "6h", "--keep", "1", folder)
    assert (said.code, said.err) == (0, "")
    assert "is taken and proved; older ones could not be removed" in said.out
    assert len(backups.of_folder(folder)) == 2


@pytest.mark.parametrize("every", ["soon", "0h", "6", "-1h", "1w"])
def test_how_often_is_written_in_one_way(valence: Valence, file: Path, tmp_path: Path, every: str) -> None:
    said = valence("db", "backup", f"--every={every}", tmp_path)
    assert (said.code, "30m, 6h or 1d" in said.err) == (2, True)
