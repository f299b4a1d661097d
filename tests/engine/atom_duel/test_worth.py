"""What cards are worth: shipped as data, and fresh."""

from __future__ import annotations

import pytest

from engine.atom_duel.ai.worth import SEATS, measured, ways, worth
from engine.atom_duel.cards import LEVELS
from tests.engine.atom_duel.positions import z


@pytest.mark.long
@pytest.mark.parametrize(("level", "seats"), [(4, 5), (6, 2), (LEVELS, 4)])
def test_the_file_is_fresh(level: int, seats: int) -> None:
    numbers = [round(1000 * each) for each in worth(level, seats).values()]
    assert numbers == measured(level, seats), "run python tools/atom_duel_worth.py"


def test_every_table_has_all_cards() -> None:
    for level in range(1, LEVELS + 1):
        for seats in SEATS:
            assert list(worth(level, seats)) == ways(level)


def test_numbers_say_what_a_player_expects() -> None:
    plain = worth(1, 2)
    assert plain[z("Og"), ""] > 0.95
    assert 0.3 < plain[z("Ag"), ""] < 0.5
    assert plain[z("H"), ""] < 0.05
    # a Laboratory is trouble once others burn it
    assert worth(2, 5)[z("Ts"), ""] < worth(1, 5)[z("Ts"), ""]
