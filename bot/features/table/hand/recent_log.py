"""Selection of the log lines that a hand shows, the same for every game.

A crowded hand has little room. Until the lines fit, drop in this order:

1. the player's own draws and other news about themselves, which the picture marks too;
2. details: everything after the first sentence of a line;
3. older lines, replaced by one line with their number.

The last moves of the other players always stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import ceil
from typing import Final

from bot.locales import Words
from bot.presenters.lines import LogLine
from bot.presenters.voice import unmarked
from engine.game import Seat

NOBODY: Final = -1
"""The seat of a line that concerns no player."""
MOST_LINES: Final = 6
"""Maximum number of lines in a hand. The log of the table has all of them."""
MOST_ROWS: Final = 8
"""Maximum number of phone rows that the log takes in a hand."""
_CHARACTERS: Final = 48
"""Number of characters in one row of a phone."""
_SENTENCE: Final = re.compile(r"(?<=.{12}[.!?。！？])(?: |(?<=[。！？]))(?=\S)")
"""The gap between the first sentence of a line and its details."""


def fitting(lines: Sequence[LogLine], own: Seat, say: Words, rows: int = MOST_ROWS) -> list[str]:
    """Return the lines, shortened to about `rows` rows of a phone."""
    if rows == 1:
        others = [line for line in lines if line.seat != own]
        return [line.text for line in (others or lines)[-1:]]
    kept = list(lines)
    for own_line in [line for line in lines if line.seat == own]:
        if _fits(kept, rows):
            break
        kept.remove(own_line)
    for index, line in enumerate(kept):
        if _fits(kept, rows):
            break
        kept[index] = replace(line, text=_SENTENCE.split(line.text, maxsplit=1)[0])
    shown, dropped = kept, 0
    while not _fits(shown, rows - bool(dropped), MOST_LINES - bool(dropped)):
        oldest = _next_to_drop(shown, own)
        if oldest is None:
            break
        shown, dropped = shown[:oldest] + shown[oldest + 1 :], dropped + 1
    texts = [line.text for line in shown]
    return [say("hand.more_happened", n=dropped), *texts] if dropped else texts


def shortened(texts: Sequence[str], say: Words, rows: int) -> list[str]:
    """Return lines from outside any hand, such as those of a replay, shortened to about `rows` rows."""
    return fitting([LogLine(text, NOBODY) for text in texts], NOBODY - 1, say, rows)


def _next_to_drop(lines: Sequence[LogLine], own: Seat) -> int | None:
    """Return the index of the oldest line that may be dropped.

    The last line of each other seat always stays. So do the lines before it in the same turn, as long as
    they fit into `MOST_ROWS`.
    """
    last = {line.seat: index for index, line in enumerate(lines)}
    newest = len(lines) - 1
    final = {index for seat, index in last.items() if seat not in (own, NOBODY)} | {newest}
    moves = {
        index for index, line in enumerate(lines) if index in final or _in_last_turn(lines, index, last, own)
    }
    oldest = next((index for index in range(len(lines)) if index not in moves), None)
    if oldest is not None or _fits(lines, MOST_ROWS - 1, len(lines)):
        return oldest
    return next((index for index in range(len(lines)) if index not in final), None)


def _in_last_turn(lines: Sequence[LogLine], index: int, last: dict[Seat, int], own: Seat) -> bool:
    """Return whether a line belongs to the last unbroken run of lines about another seat."""
    seat = lines[index].seat
    return seat not in (own, NOBODY) and all(line.seat == seat for line in lines[index : last[seat]])


def _fits(lines: Sequence[LogLine], rows: int, most: int = MOST_LINES) -> bool:
    return len(lines) <= most and sum(_rows(line.text) for line in lines) <= rows


@lru_cache(4096)
def _rows(text: str) -> int:
    """Return the number of phone rows that a line takes."""
    return ceil(len(unmarked(text)) / _CHARACTERS)
