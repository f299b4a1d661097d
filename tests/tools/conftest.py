"""The tools of developers, called without a new process."""

from __future__ import annotations

import pytest

from tests.support.processes.command_line import Command, command
from tools.bench.__main__ import main as bench_main
from tools.lab.__main__ import main as lab_main
from tools.ladder import main as ladder_main


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Call `python -m tools bench …`; answers hold no line breaks that a narrow terminal would put in."""
    monkeypatch.setenv("COLUMNS", "300")
    return command(capsys, bench_main)


@pytest.fixture
def run_lab(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Call `python -m tools lab …`."""
    monkeypatch.setenv("COLUMNS", "300")
    return command(capsys, lab_main)


@pytest.fixture
def run_ladder(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Call `python -m tools ladder …`."""
    monkeypatch.setenv("COLUMNS", "300")
    return command(capsys, ladder_main)
