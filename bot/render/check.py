"""The audit of a scene: faults a reader would complain about, found without looking."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from bot.render import sprites
from bot.render import text as letters
from bot.render.encode import encode
from bot.render.scene import Item, ItemGroup, Line, Panel, Rect, Scene, Sprite, SpriteState, Text
from bot.render.theme import CONTAINER_WIDTH, PHONE_TEXT, PHONE_WIDTH, theme

WIDTHS, HEIGHTS = (600, 1600), (200, 2600)
"""Minimum and maximum width and height of a picture of a table or a hand, in pixels."""
MOST_BYTES = 512 * 1024


def _box(item: Item) -> Rect:
    return sprites.area(item) if isinstance(item, Sprite) else item.rect


def _label(item: Item) -> str:
    if isinstance(item, Text):
        return f"text {item.string!r}"
    if isinstance(item, Sprite):
        return f"sprite {item.painter} {item.args!r}"
    return f"{type(item).__name__.lower()} {tuple(item.rect)}"


def _overlaps(items: tuple[Item, ...], parent: Rect) -> Iterator[str]:
    """Yield overlapping items and items outside their parent.

    A panel is the ground of the items after it, if they stay inside it. Rules may cross anything.
    """
    boxes = [_box(item) for item in items]
    for item, box in zip(items, boxes, strict=True):
        if not parent.holds(box):
            yield f"{_label(item)} leaves {tuple(parent)}"
    for (one, a), (other, b) in combinations(zip(items, boxes, strict=True), 2):
        if not a.overlaps(b) or isinstance(one, Line) or isinstance(other, Line):
            continue
        if isinstance(one, Panel) and a.holds(b):
            continue
        if isinstance(other, Panel) and other.fill is None and b.holds(a):
            continue
        yield f"{_label(one)} and {_label(other)} overlap"
    for item in items:
        if isinstance(item, ItemGroup):
            yield from _overlaps(item.items, item.rect)


@lru_cache(maxsize=2048)
def _painted(sprite: Sprite, palette: str) -> tuple[letters.Drawn, ...]:
    """Return the texts that a painter writes on a sprite."""
    width, height = sprite.rect.w, sprite.rect.h
    if SpriteState.SIDEWAYS in sprite.states:
        width, height = height, width
    with letters.recording() as found:
        sprites.draw(sprite.painter, sprite.args, width, height, theme(palette))
    return tuple(found)


def _written(scene: Scene, item: Text) -> tuple[letters.Drawn, ...]:
    with letters.recording() as found:
        letters.layout(
            item.string,
            scene.points(item.size),
            item.weight,
            item.rect.w,
            item.rect.h,
            max_lines=item.max_lines,
            fit=item.fit,
        )
    return tuple(found)


def _texts(scene: Scene, items: tuple[Item, ...]) -> Iterator[tuple[str, letters.Drawn]]:
    for item in items:
        if isinstance(item, Text) and item.string:
            yield from ((_label(item), drawn) for drawn in _written(scene, item))
        elif isinstance(item, Sprite):
            at_origin = replace(item, rect=Rect(0, 0, item.rect.w, item.rect.h))
            yield from ((_label(item), drawn) for drawn in _painted(at_origin, scene.look.palette))
        elif isinstance(item, ItemGroup):
            yield from _texts(scene, item.items)


def audit(scene: Scene) -> list[str]:
    """Return all faults of a scene in words. Tests expect an empty list.

    Faults are text smaller than 11 px when the picture is 400 px wide, words cut without permission, boxes
    that overlap their siblings or leave the picture, and missing alt text.
    """
    found: list[str] = []
    if not scene.alt.strip():
        found.append("there is no alt text")
    found += _overlaps(scene.items, Rect(0, 0, scene.width, scene.height))
    for label, drawn in _texts(scene, scene.items):
        shown = drawn.pixels * PHONE_WIDTH / scene.width
        if shown < PHONE_TEXT - 0.01:
            found.append(f"{drawn.string!r} in {label} is {shown:.1f} px high on a phone")
        if drawn.cut and not drawn.allowed:
            found.append(f"{drawn.string!r} in {label} is cut to {drawn.shown!r}")
    return found


def unclear(scene: Scene) -> set[str]:
    """Return the texts under 11 px in a picture inside a container on a phone.

    Nothing that a decision depends on may be among them.
    """
    drawn = (drawn for _, drawn in _texts(scene, scene.items))
    return {one.string for one in drawn if one.pixels * CONTAINER_WIDTH / scene.width < PHONE_TEXT}


def faults(scene: Scene, high: tuple[int, int] = HEIGHTS) -> list[str]:
    """Return all faults of a picture, painted: those `audit` finds, a failing painter, and a size that a
    message does not show well.

    Every position of every table must return an empty list.
    """
    wide = WIDTHS
    found = []
    if not (wide[0] <= scene.width <= wide[1] and high[0] <= scene.height <= high[1]):
        found.append(f"it is {scene.width} x {scene.height} pixels")
    try:
        size = len(encode(scene))
        found += audit(scene)
    except Exception as error:  # noqa: BLE001 - whatever a painter raises, the picture is missing
        return [*found, f"it cannot be painted: {error!r}"]
    if size > MOST_BYTES:
        found.append(f"it is {size} bytes")
    return found
