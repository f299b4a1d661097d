"""Features add controls to the messages of others, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.table import slots as table_slots
from bot.locales import Words, words
from bot.ui import router, slots
from bot.ui.components import Control, button
from bot.ui.feature_loader import load
from bot.ui.slots import Slot

SAY = words("en")
SHELF: Slot[str, Control] = Slot("shelf")


def labels(controls: list[Control]) -> list[str]:
    return [str(getattr(control, "label", "")) for control in controls]


def jar(say: Words, thing: str) -> Control | None:
    return button(f"jar of {thing}", "jar") if thing != "nothing" else None


def tin(say: Words, thing: str) -> Control:
    return button(f"tin of {thing}", "tin")


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slot[str, Control]]:
    """A slot to which two features contribute."""
    features = {
        "jars": SimpleNamespace(slots=(SHELF.at(30, jar), slots.HELP.at(10, tin))),
        "tins": SimpleNamespace(slots=(SHELF.at(10, tin),)),
    }
    monkeypatch.setattr(slots, "load", lambda: features)
    slots._contributions.cache_clear()
    yield SHELF
    slots._contributions.cache_clear()


def test_controls_stand_in_the_order_of_their_place(shelf: Slot[str, Control]) -> None:
    own: list[tuple[int, Control]] = [(20, button("own", "own"))]
    assert labels(shelf.controls(SAY, "beans", own)) == ["tin of beans", "own", "jar of beans"]


def test_a_control_that_does_not_apply_is_left_out(shelf: Slot[str, Control]) -> None:
    assert labels(shelf.controls(SAY, "nothing")) == ["tin of nothing"]


def test_a_slot_without_features_has_the_own_controls(monkeypatch: pytest.MonkeyPatch) -> None:
    slots._contributions.cache_clear()
    monkeypatch.setattr(slots, "load", dict)
    assert labels(slots.HELP.controls(SAY, None, [(1, button("own", "own"))])) == ["own"]
    slots._contributions.cache_clear()


def test_lines_are_added_in_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    notes: Slot[str, str] = Slot("notes")
    features = {
        "jars": SimpleNamespace(slots=(notes.at(20, lambda _say, thing: f"open the {thing}"),)),
        "tins": SimpleNamespace(slots=(notes.at(10, lambda _say, thing: thing and "tins rust"),)),
    }
    monkeypatch.setattr(slots, "load", lambda: features)
    slots._contributions.cache_clear()
    assert notes.items(SAY, "beans") == ["tins rust", "open the beans"]
    assert notes.items(SAY, "") == ["open the "], "an empty line is left out"
    slots._contributions.cache_clear()


def test_every_slot_has_one_name() -> None:
    every = [slot for slot in (*vars(slots).values(), *vars(table_slots).values()) if isinstance(slot, Slot)]
    assert len({slot.name for slot in every}) == len(every)
    contributed: set[Any] = {each.slot for feature in load().values() for each in feature.slots}
    assert contributed <= set(every)
    assert set(every) <= contributed, "a slot to which nothing is contributed"


def test_whatever_is_contributed_is_answered() -> None:
    """These need only a language. The flows press the others."""
    for slot in (slots.HELP, slots.WELCOME, slots.ABOUT, slots.SETTINGS, slots.BLOCKED, slots.LESSONS):
        for control in slot.controls(SAY, None):
            assert str(control.custom_id).split(":")[1] in router.handlers()
