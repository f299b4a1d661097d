"""How many workers a machine bears."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.workers import cores as module
from bot.workers.cores import all_but_one, cores


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("max 100000", 8),
        ("400000 100000", 4),
        ("150000 100000", 2),
        ("50000 100000", 1),
        ("9900000 100000", 8),
        ("", 8),
        ("nonsense", 8),
        ("1 0", 8),
    ],
)
def test_a_container_may_be_held_to_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, found: int
) -> None:
    monkeypatch.setattr(module.os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    quota = tmp_path / "cpu.max"
    quota.write_text(said)
    assert cores(quota) == found


@pytest.mark.parametrize(("there", "used"), [(1, 1), (2, 1), (8, 7)])
def test_one_core_is_left_to_the_bot(monkeypatch: pytest.MonkeyPatch, there: int, used: int) -> None:
    monkeypatch.setattr(module, "cores", lambda: there)
    assert all_but_one() == used
