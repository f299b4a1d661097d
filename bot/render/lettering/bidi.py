"""The visual order of a line that partly runs from right to left.

The Unicode Bidirectional Algorithm (UAX #9) for one line, without embeddings and overrides: their control
characters have been removed from names. Isolates are respected.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

from bot.render.lettering.graphemes import ISOLATE, POP, clusters

_RIGHT: Final = frozenset(("R", "AL", "AN"))
_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}
_MIRRORED: Final = str.maketrans("()[]{}<>«»‹›≤≥", ")(][}{><»«›‹≥≤")


@dataclass(frozen=True, slots=True)
class Run:
    """Clusters of one direction, in reading order."""

    clusters: tuple[str, ...]
    rtl: bool


def visual_runs(text: str) -> list[Run]:
    """Return the runs of a line from left to right, as they are drawn."""
    units = clusters(text)
    if not any(unicodedata.bidirectional(unit[0]) in _RIGHT for unit in units):
        return [Run(tuple(unit for unit in units if unit not in (ISOLATE, POP)), rtl=False)]
    levels = _levels(units, _base(units))
    placed = [(unit, level) for unit, level in zip(units, levels, strict=True) if unit not in (ISOLATE, POP)]
    for least in range(max(levels), 0, -1):
        placed = _reversed_from(placed, least)
    runs: list[tuple[list[str], int]] = []
    for unit, level in placed:
        if runs and runs[-1][1] == level:
            runs[-1][0].append(unit)
        else:
            runs.append(([unit], level))
    return [Run(tuple(units[::-1] if level % 2 else units), bool(level % 2)) for units, level in runs]


def isolated(text: str) -> str:
    """Return a text that keeps its order in any sentence: isolated if some of it runs from right to left."""
    if any(unicodedata.bidirectional(char) in _RIGHT for char in text):
        return f"{ISOLATE}{text}{POP}"
    return text


def mirrored(text: str) -> str:
    """Return a text with its brackets mirrored, for a line from right to left."""
    return text.translate(_MIRRORED)


def _reversed_from(placed: list[tuple[str, int]], least: int) -> list[tuple[str, int]]:
    """Reverse every stretch whose levels are at least `least`."""
    found: list[tuple[str, int]] = []
    stretch: list[tuple[str, int]] = []
    for one in placed:
        if one[1] >= least:
            stretch.append(one)
        else:
            found += [*stretch[::-1], one]
            stretch = []
    return found + stretch[::-1]


def _base(units: list[str]) -> int:
    """Return the level of a line by its first strong character outside isolates: 1 from right to left."""
    depth = 0
    for unit in units:
        depth = max(0, depth + (unit == ISOLATE) - (unit == POP))
        kind = unicodedata.bidirectional(unit[0])
        if not depth and kind in ("L", "R", "AL"):
            return int(kind != "L")
    return 0


def _levels(units: list[str], base: int) -> list[int]:
    """Return the embedding level of each unit, isolates resolved by themselves."""
    outer: list[int] = []
    levels = [base] * len(units)
    at = 0
    while at < len(units):
        outer.append(at)
        if units[at] == ISOLATE:
            end = _end_of_isolate(units, at)
            inner = units[at + 1 : end]
            odd = _base(inner)
            # the lowest level above the line's with the direction of the isolate
            above = base + 1 if (base + 1) % 2 == odd else base + 2
            levels[at + 1 : end] = _levels(inner, above)
            at = end
        else:
            at += 1
    kinds = _resolved([units[index] for index in outer], base)
    for index, kind in zip(outer, kinds, strict=True):
        if base % 2:
            levels[index] = base + (kind != "R")
        else:
            levels[index] = base + {"L": 0, "R": 1}.get(kind, 2)
    return levels


def _end_of_isolate(units: list[str], start: int) -> int:
    """Return the index where an isolate is closed, or the end of the line."""
    depth = 0
    for at in range(start, len(units)):
        depth += (units[at] == ISOLATE) - (units[at] == POP)
        if depth == 0:
            return at
    return len(units)


def _resolved(units: list[str], base: int) -> list[str]:
    """Return L, R, EN or AN for each unit (rules W1 to W7 and N0 to N2)."""
    kinds = ["ON" if unit in (ISOLATE, POP) else unicodedata.bidirectional(unit[0]) for unit in units]
    edge = "R" if base % 2 else "L"
    _resolve_numbers(kinds, edge)
    _resolve_brackets(units, kinds, edge)
    side = list(map(_side, kinds))
    at = 0
    while at < len(kinds):
        end = at
        while end < len(kinds) and side[end] == "ON":
            end += 1
        if end > at:
            before = side[at - 1] if at else edge
            after = side[end] if end < len(kinds) else edge
            kinds[at:end] = [before if before == after else edge] * (end - at)
        at = end + 1
    return kinds


def _side(kind: str) -> str:
    """Return the direction that a class gives its neighbours. Numbers count as right to left."""
    return "R" if kind in ("EN", "AN") else kind


def _resolve_brackets(units: list[str], kinds: list[str], edge: str) -> None:
    """Give both brackets of a pair the direction of their contents (rule N0)."""
    waiting: list[int] = []
    pairs: list[tuple[int, int]] = []
    for at, unit in enumerate(units):
        if unit in _PAIRS and kinds[at] == "ON":
            waiting.append(at)
        elif unit in _PAIRS.values() and kinds[at] == "ON":
            opening = next((one for one in reversed(waiting) if _PAIRS[units[one]] == unit), None)
            if opening is not None:
                del waiting[waiting.index(opening) :]
                pairs.append((opening, at))
    for first, last in sorted(pairs):
        inside = {_side(kind) for kind in kinds[first + 1 : last]} - {"ON"}
        if not inside:
            continue
        before = next((side for kind in reversed(kinds[:first]) if (side := _side(kind)) != "ON"), edge)
        kinds[first] = kinds[last] = edge if edge in inside else before


def _resolve_numbers(kinds: list[str], edge: str) -> None:
    """Resolve marks, numbers and the signs around them. Anything else that is not strong becomes ON."""
    strong = before = edge
    for at, kind in enumerate(kinds):
        if kind == "NSM":
            kind = before  # noqa: PLW2901 - a mark is what its letter is
        if kind in ("L", "R", "AL"):
            strong = kind
        elif kind == "EN" and strong == "AL":
            kind = "AN"  # noqa: PLW2901 - European digits among Arabic letters
        kinds[at] = before = kind
    for at in range(1, len(kinds) - 1):
        near = kinds[at - 1]
        if near == kinds[at + 1] and (
            (near == "EN" and kinds[at] in ("ES", "CS")) or (near == "AN" and kinds[at] == "CS")
        ):
            kinds[at] = near
    for order in (range(len(kinds)), range(len(kinds) - 1, -1, -1)):
        touched = False
        for at in order:
            touched = kinds[at] == "EN" or (touched and kinds[at] == "ET")
            if touched:
                kinds[at] = "EN"
    strong = edge
    for at, kind in enumerate(kinds):
        if kind == "AL":
            kinds[at] = "R"
        if kinds[at] in ("L", "R"):
            strong = kinds[at]
        elif kind == "EN" and strong == "L":
            kinds[at] = "L"
        elif kind not in ("EN", "AN"):
            kinds[at] = "ON"
