"""Rings round the parts of a picture that a sentence is about."""

from __future__ import annotations

from bot.render.check import audit
from bot.render.parts import ringed
from bot.render.scene import ItemGroup, Panel, Rect, Scene

LEFT, RIGHT = Rect(0, 0, 300, 300), Rect(320, 0, 300, 300)


def scene() -> Scene:
    """Two cards, the right one in a group of its own inside a row."""
    left = ItemGroup(LEFT, (Panel(LEFT, "paper"),), "left")
    right = ItemGroup(RIGHT, (Panel(RIGHT, "paper"),), "right")
    return Scene(640, 300, (left, ItemGroup(RIGHT, (right,))), "two cards")


def rings(shown: Scene) -> list[Rect]:
    """The boxes of all rings, at any depth."""
    found, waiting = list[Rect](), list(shown.items)
    while waiting:
        item = waiting.pop()
        if isinstance(item, ItemGroup):
            waiting += item.items
        elif isinstance(item, Panel) and item.fill is None:
            found.append(item.rect)
    return found


def test_a_ring_lies_round_what_is_named_at_any_depth() -> None:
    assert rings(ringed(scene(), ["left"])) == [LEFT]
    assert rings(ringed(scene(), ["right"])) == [RIGHT]
    assert sorted(rings(ringed(scene(), ["right", "left"]))) == [LEFT, RIGHT]


def test_a_ring_is_no_fault_of_the_picture() -> None:
    assert audit(ringed(scene(), ["right", "left"])) == audit(scene())


def test_what_the_picture_does_not_show_is_passed_over() -> None:
    shown = scene()
    assert ringed(shown, ["elsewhere"]) is shown
    assert ringed(shown, []) is shown
