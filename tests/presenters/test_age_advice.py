"""What the makers say about age stands on the first page of the rules, and nothing where they say nothing."""

from __future__ import annotations

import re

import pytest

from bot import presenters
from engine import catalog

ADVICE = {"atom_duel": [], "chemistry_battle": ["6"], "compound_capture": ["7"], "canasta": ["8"]}
"""From what age on, where they give one; it stands in the only small line of that page."""


@pytest.mark.parametrize("game", catalog.listed())
def test_the_overview_has_the_makers_advice_on_age(game: str) -> None:
    first = presenters.get(game).rules("en")[0].text
    lines = [line.removeprefix("-# ") for line in first.splitlines() if line.startswith("-# ")]
    assert len(lines) == (game in ADVICE)
    assert all(re.findall(r"\d+", line) == ADVICE[game] for line in lines)
