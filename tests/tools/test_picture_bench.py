"""What `python -m tools bench pictures` tells of a game."""

from __future__ import annotations

from typing import Any

import pytest

from engine import catalog
from tools.bench.pictures import measure


@pytest.mark.long
def test_it_tells_of_still_pictures_moving_ones_and_the_end() -> None:
    found: dict[str, Any] = measure(catalog.get("atom_duel"), 1, 1)
    assert 0 < found["moving_acts"] < found["acts"]
    assert found["end"]["count"] == 1
    assert found["moving"]["cpu_ms"] > found["still"]["cpu_ms"] > 0
    assert 0 < found["longest_ms"] <= 2000
