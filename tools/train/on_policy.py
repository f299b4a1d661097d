"""Weights of positions, learned from games of the player that uses them.

The player meets the positions that its weights overrate, and so corrects them: least-squares temporal
differences with traces (Bradtke and Barto 1996, Boyan 1999). `molecular_value` and `chemistry_value` define
the features.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, TypeVar

import msgspec
import numpy as np

P = TypeVar("P", bound=msgspec.Struct)
Chain: TypeAlias = tuple[Any, Any]
"""One seat in one game: the features at each end of its turns (ends by columns), and its gain from each end
to the next."""


def solved(found: Iterator[Chain], *, columns: int, trace: float, shrink: float) -> Any:
    """The weights by which each end says what follows and the next end say, one for each column.

    `trace` is how much of a surprise goes to the end before, and so on; `shrink` holds weights near 0 of
    which little was seen.
    """
    square, right = shrink * np.eye(columns), np.zeros(columns)
    for rows, gains in found:
        traces = rows.copy()
        for place in range(1, len(rows)):
            traces[place] += trace * traces[place - 1]
        later = np.vstack([rows[1:], np.zeros(columns)])
        square += traces.T @ (rows - later)
        right += traces.T @ gains
    return np.linalg.solve(square, right)


def learn(rounds: int, solve: Callable[[int, P | None], Any], weighted: Callable[[Any], P]) -> P:
    """Play and learn in turn: `solve` has the number of the round and what was learned last, nothing in the
    first. The mean of all rounds but the first, where there are more."""
    kept, last = list[Any](), None
    for number in range(rounds):
        kept.append(solve(number, last))
        last = weighted(kept[-1])
    return weighted(np.mean(kept[1:] or kept, axis=0))


def text(weights: msgspec.Struct) -> str:
    """The data file: a line for each weight."""
    parts = [
        f' "{name}": {{\n' + ",\n".join(f'  "{key}": {json.dumps(one)}' for key, one in table.items())
        for name, table in msgspec.to_builtins(weights).items()
    ]
    return "{\n" + "\n },\n".join(parts) + "\n }\n}\n"
