"""What is written from the fields of a position is fresh, and right for every kind of field."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from engine.duel52.notation import read
from engine.fields import Bag, Derived, Hidden, Owned, Public, Sight, changes, declared
from engine.game import State
from tests.support.processes.script import script

POSITIONS = script("positions")


def test_what_is_written_from_the_fields_is_fresh(capsys: pytest.CaptureFixture[str]) -> None:
    assert POSITIONS.main(["--check"]) == 0, "run python tools/positions.py"
    assert capsys.readouterr().out == ""


def test_what_is_not_fresh_is_named_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = Path("engine/duel52/position.py")
    fresh = name.read_text(encoding="utf-8")
    stale = fresh.replace("        twin.turn = self.turn\n", "")
    assert stale != fresh
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text(stale, encoding="utf-8")
    monkeypatch.setattr(POSITIONS, "ROOT", tmp_path)
    assert POSITIONS.main(["--check"]) == 1
    assert capsys.readouterr().out == f"{name}\n"
    assert (tmp_path / name).read_text(encoding="utf-8") == stale
    assert POSITIONS.main([]) == 0
    assert (tmp_path / name).read_text(encoding="utf-8") == fresh
    assert POSITIONS.main(["--check"]) == 0


def test_positions_that_look_different_have_different_fingerprints() -> None:
    """Which card a 2 drew is nobody else's business, but it is a part of the position."""
    text = "standard A2 2h|-|-/9c|-|- hands=5s6s/6h pile=Ah ask=discard:0:"
    five, six = read(text + "5s"), read(text + "6s")
    assert five.observe(0) != six.observe(0)
    assert five.fingerprint() != six.fingerprint()


class Pair(NamedTuple):
    one: int
    two: str


class Inner:
    """A part of a position."""

    cards: Hidden[dict[int, int]]

    def __init__(self, cards: dict[int, int]) -> None:
        self.cards = cards

    def clone(self) -> Inner:
        return Inner(self.cards.copy())

    def parts(self) -> tuple[object, ...]:
        return (sorted(self.cards.items()),)


class Seen(msgspec.Struct, frozen=True):
    viewer: int | None
    rows: tuple[tuple[int, ...], ...]
    pair: Pair | None
    bag: tuple[int, ...]
    asks: tuple[str, ...]
    hands: tuple[tuple[int, ...], ...]


class Everything(State[Any, Seen]):
    """One field of every kind."""

    rows: Public[list[list[int]]]
    pair: Public[Pair | None]
    bag: Public[Bag[int]]
    asks: Public[list[Pair]]
    hands: Owned[list[list[int]]]
    packed: Hidden[list[bytearray]]
    fixed: Hidden[Sequence[int]]
    named: Hidden[dict[int, list[int]]]
    inner: Hidden[Inner]
    maybe: Hidden[Inner | None]
    some: Hidden[set[int]]
    kept: Derived[list[Sequence[int] | None]]


def lines(begin: str) -> list[str]:
    """What follows from the fields of `Everything`, from a line on."""
    text = "\n".join(POSITIONS.written(Everything))
    return [line.strip() for line in text[text.index(begin) :].split("\n\n")[0].splitlines()]


def test_a_copy_shares_nothing_that_changes() -> None:
    assert lines("def clone")[2:] == [
        "kind = type(self)",
        "twin = kind.__new__(kind)",
        "twin.events = None",
        "twin.rows = [one.copy() for one in self.rows]",
        "twin.pair = self.pair",
        "twin.bag = self.bag.copy()",
        "twin.asks = self.asks.copy()",
        "twin.hands = [one.copy() for one in self.hands]",
        "twin.packed = [one.copy() for one in self.packed]",
        "twin.fixed = self.fixed",
        "twin.named = {key: one.copy() for key, one in self.named.items()}",
        "twin.inner = self.inner.clone()",
        "twin.maybe = None if self.maybe is None else self.maybe.clone()",
        "twin.some = self.some.copy()",
        "twin.kept = self.kept.copy()",
        "return twin",
    ]


def test_every_field_begins_with_nothing_where_there_is_such_a_value() -> None:
    assert lines("def empty")[2:] == [
        "self.events = None",
        "self.rows = []",
        "self.pair = None",
        "self.bag = []",
        "self.asks = []",
        "self.hands = []",
        "self.packed = []",
        "self.fixed = ()",
        "self.named = {}",
        "self.maybe = None",
        "self.some = set()",
    ]


def test_a_fingerprint_is_the_same_for_equal_values_in_whatever_order() -> None:
    assert lines("def fingerprint")[4:-2] == [
        "self.rows,",
        "self.pair,",
        "sorted(self.bag),",
        "self.asks,",
        "self.hands,",
        "self.packed,",
        "self.fixed,",
        "sorted(self.named.items()),",
        "self.inner.parts(),",
        "None if self.maybe is None else self.maybe.parts(),",
        "sorted(self.some),",
    ]


def test_what_everybody_sees_goes_to_the_observation_and_back() -> None:
    view = lines("def public_view")
    assert view[3:7] == [
        "viewer: int | None,",
        "asks: tuple[str, ...],",
        "hands: tuple[tuple[int, ...], ...],",
        ") -> Seen:",
    ]
    assert view[9:15] == [
        "viewer=viewer,",
        "rows=tuple(map(tuple, self.rows)),",
        "pair=self.pair,",
        "bag=tuple(sorted(self.bag)),",
        "asks=asks,",
        "hands=hands,",
    ]
    assert lines("def restore")[2:] == [
        "self.rows = list(map(list, seen.rows))",
        "self.pair = seen.pair",
        "self.bag = list(seen.bag)",
    ]


@pytest.mark.parametrize(
    ("hint", "shown", "taken"),
    [
        (int, "it", "it"),
        (tuple[int, ...], "it", "it"),
        (list[int], "tuple(it)", "list(it)"),
        (list[list[int]], "tuple(map(tuple, it))", "list(map(list, it))"),
        (list[Bag[int]], "tuple(tuple(sorted(one)) for one in it)", "list(map(list, it))"),
        (
            list[list[list[int]]],
            "tuple(tuple(map(tuple, one)) for one in it)",
            "list(list(map(list, one)) for one in it)",
        ),
    ],
)
def test_lists_are_tuples_in_an_observation_at_any_depth(hint: Any, shown: str, taken: str) -> None:
    assert POSITIONS.shown("it", hint) == shown
    assert POSITIONS.taken("it", hint) == taken


def test_a_part_of_a_position_has_parts() -> None:
    text = "\n".join(POSITIONS.written(Inner))
    assert "    return (sorted(self.cards.items()),)\n" in text + "\n"
    assert "events" not in text
    assert "public_view" not in text


@pytest.mark.parametrize(
    ("hint", "is_copied"),
    [
        (int, False),
        (tuple[int, ...], False),
        (frozenset[int], False),
        (Sequence[list[int]], False),
        (Mapping[int, list[int]], False),
        (Callable[[int], list[int]], False),
        (list[int], True),
        (bytearray, True),
        (Inner | None, True),
        (Pair | None, False),
        (Hidden[Bag[int]], True),
    ],
)
def test_what_changes_in_place_is_told_by_the_type(hint: Any, is_copied: bool) -> None:
    assert changes(hint) is is_copied


@pytest.mark.parametrize("hint", [tuple[list[int], ...], frozenset[Inner], tuple[int, dict[int, int]]])
def test_nothing_that_changes_hides_in_what_is_shared(hint: Any) -> None:
    with pytest.raises(TypeError, match="would be shared"):
        changes(hint)


def test_fields_say_who_sees_them() -> None:
    class Small(Inner):
        other: Derived[int]
        plain: int

    assert [(field.name, field.sight) for field in declared(Small)] == [
        ("cards", Sight.HIDDEN),
        ("other", Sight.DERIVED),
    ]
