"""The values of options as people type them."""

from __future__ import annotations

import pytest

from engine import catalog
from engine.game import Option, format_value

SWITCH = Option("loud", (False, True), False)
ROUNDS = Option("rounds", (1, 10), 10)


@pytest.mark.parametrize("text", ["yes", "true", "On", " 1 "])
def test_a_switch_is_turned_on_in_many_words(text: str) -> None:
    assert SWITCH.read(text) is True


@pytest.mark.parametrize("text", ["maybe", "", "2"])
def test_what_is_no_value_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="loud"):
        SWITCH.read(text)


def test_one_round_is_no_switch() -> None:
    assert ROUNDS.read("1") == 1
    assert ROUNDS.read("1") is not True


@pytest.mark.parametrize("key", catalog.listed())
def test_each_value_is_read_as_it_is_spelt(key: str) -> None:
    for option in catalog.get(key).options:
        for value in option.values:
            assert option.read(format_value(value)) == value
            assert type(option.read(format_value(value))) is type(value)
