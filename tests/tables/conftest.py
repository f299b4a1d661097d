"""Tables whose people wait for a slow machine."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that stands still for two seconds is no subject of these tests, nor heard of in them."""
    monkeypatch.setattr("bot.tables.table.ACT_SECONDS", 60)
