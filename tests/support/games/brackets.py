"""Names of players in a bracket, and the rule that a bracket refuses by."""

from __future__ import annotations

import msgspec
import pytest

from engine.brackets import (
    RULES,
    BracketError,
)


def named(count: int) -> tuple[str, ...]:
    return tuple(f"p{number}" for number in range(1, count + 1))


def refusal(action: object, *args: object) -> str:
    with pytest.raises(BracketError) as caught:
        action(*args)  # type: ignore[operator]
    assert caught.value.rule in RULES
    msgspec.json.encode(caught.value.facts)
    return caught.value.rule
