"""Walking a way through the choices in a message that leads one: a lesson, or a puzzle."""

from __future__ import annotations

from collections.abc import Iterable

from bot import custom_ids as ids
from bot.presenters.paths import Route


def next_press(offered: Iterable[str], head: str, way: Route) -> tuple[str, tuple[str, ...] | None] | None:
    """What to press next on the way, of the ids that are offered and begin with `head`, the furthest on it
    (a way back lies on it too): the id, and the values of a select; None where nothing lies on it."""
    found: list[tuple[int, str, tuple[str, ...] | None]] = []
    for custom_id in offered:
        if not custom_id.startswith(head):
            continue
        verb, _, rest = custom_id.removeprefix(head).partition(":")
        path = ids.path_of(rest.split(":")[0])
        if way.path[: len(path)] != path:
            continue
        if verb == "go":
            found.append((len(path), custom_id, None))
        elif verb == "sel":
            found.append((len(path) + 1, custom_id, (way.path[len(path)],)))
        elif verb == "pick":
            picked = tuple(key for key in way.path[-2].split("+") if key)
            found.append((len(path) + 1, custom_id, picked))
    return max(found)[1:] if found else None
