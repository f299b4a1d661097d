"""Long texts in parts that fit a phone."""

from __future__ import annotations

from typing import Final

SHORT: Final = 600
"""How many characters fit the screen of a phone with a picture above them."""
_TORN: Final = 30_000
"""How bad it is to break inside a paragraph: as bad as parts that differ by some 170 signs."""


def screens(text: str, most: int = SHORT) -> list[str]:
    """The text in as few parts as possible of at most so many signs, about equally long, broken between
    paragraphs where that may be, else between lines. A single line is never broken."""
    pieces = [
        ("\n" if n else "\n\n", line)
        for paragraph in text.strip().split("\n\n")
        for n, line in enumerate(paragraph.split("\n"))
    ]
    best: list[tuple[int, int, int]] = [(0, 0, 0)]
    """By how many pieces are told: the fewest parts, how uneven and torn they are, where the last begins."""
    for end in range(1, len(pieces) + 1):
        found, length = list[tuple[int, int, int]](), 0
        for start in range(end - 1, -1, -1):
            joint, line = pieces[start]
            length += len(line) + (len(pieces[start + 1][0]) if start + 1 < end else 0)
            if length > most and start < end - 1:
                break
            count, cost, _ = best[start]
            torn = _TORN if start and joint == "\n" else 0
            found.append((count + 1, cost + length * length + torn, start))
        best.append(min(found))
    parts, end = list[str](), len(pieces)
    while end:
        start = best[end][2]
        head, *rest = pieces[start:end]
        parts.append(head[1] + "".join(joint + line for joint, line in rest))
        end = start
    return parts[::-1]
