"""What a test is held on at each change, and what `make long` adds to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def share(points: Iterable[Any], each: int) -> list[Any]:
    """Every `each`-th point for `make test`, from the first on; `make long` runs the others.

    A point that is a tuple stands for one argument each, as in `pytest.mark.parametrize`.
    """
    return [
        pytest.param(
            *(point if isinstance(point, tuple) else (point,)),
            marks=pytest.mark.long if number % each else (),
        )
        for number, point in enumerate(points)
    ]
