"""What the makers say about age stands on the first page of the rules, and nothing where they say nothing."""

from __future__ import annotations

import pytest

from bot import presenters
from engine import catalog

ADVICE = {
    "atom_duel": "younger players start at the earlier levels, older ones can start higher.",
    "chemistry_battle": "For ages 6 and up, the makers say.",
    "compound_capture": "For ages 7 and up, the makers say.",
    "canasta": "For ages 8 and up, the makers say.",
}


@pytest.mark.parametrize("game", catalog.listed())
def test_the_overview_has_the_makers_advice_on_age(game: str) -> None:
    first = presenters.get(game).rules("en")[0].text
    lines = [line for line in first.splitlines() if line.startswith("-# ") and "makers say" in line]
    assert len(lines) == (game in ADVICE)
    assert all(line.endswith(ADVICE[game]) for line in lines)
