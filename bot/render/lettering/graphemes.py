"""Grapheme clusters: the pieces of a text that a reader sees as one character.

A simplified form of UAX #29. It keeps together letters and their marks, Hangul syllables, Indic conjuncts,
emoji with skin tones or joiners, and flags.
"""

from __future__ import annotations

import unicodedata
from typing import Final

ZWJ: Final = "\u200d"
ZWNJ: Final = "\u200c"
ISOLATE: Final = "\u2068"
"""First strong isolate: the text up to POP keeps its own direction."""
POP: Final = "\u2069"
ELLIPSIS: Final = "…"
_EXTENDING: Final = frozenset((ZWJ, ZWNJ, "\u0e33", "\u0eb3", "\uff9e", "\uff9f"))
"""Characters that belong to the one before without being marks: joiners, Thai and Lao am, halfwidth kana
marks."""
_VIRAMA: Final = 9
"""The combining class of signs that remove a consonant's vowel, so that the next consonant joins it."""


def clusters(text: str) -> list[str]:
    """Return the grapheme clusters of a text. Joined, they give the text again."""
    if text.isascii() or max(text) < "\u0300":
        return list(text)
    found: list[str] = []
    for char in text:
        if found and _extends(found[-1], char):
            found[-1] += char
        else:
            found.append(char)
    return found


def shortened(text: str, most: int) -> str:
    """Return the text, or its longest beginning that fits into `most` code points with an ellipsis.

    Clusters stay whole, and an isolate that the cut leaves open is closed.
    """
    if len(text) <= most:
        return text
    kept, room = "", most - len(ELLIPSIS) - len(POP) * (ISOLATE in text)
    for cluster in clusters(text):
        if len(kept) + len(cluster) > room:
            break
        kept += cluster
    kept = kept.rstrip(f" {ZWJ}{ZWNJ}{ISOLATE}")
    return kept + ELLIPSIS + POP * (kept.count(ISOLATE) > kept.count(POP))


def _extends(before: str, char: str) -> bool:
    """Return whether a character belongs to the cluster before it."""
    category = unicodedata.category(char)
    if category[0] == "M" or char in _EXTENDING or _is_modifier(char):
        return before not in (ISOLATE, POP) and unicodedata.category(before[-1]) not in ("Cc", "Zl", "Zp")
    if _is_regional(char):
        return sum(map(_is_regional, before)) == 1
    if before[-1] == ZWJ and _is_pictograph(char):
        return _is_pictograph(before[0])
    if category == "Lo":
        return _joins_syllable(before[-1], char) or _joins_next(before.rstrip(ZWJ)[-1:])
    return False


def _is_modifier(char: str) -> bool:
    """Return whether this is a skin tone, or a tag of a flag such as Scotland's."""
    return "\U0001f3fb" <= char <= "\U0001f3ff" or "\U000e0020" <= char <= "\U000e007f"


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _is_pictograph(char: str) -> bool:
    return "\U0001f000" <= char <= "\U0001faff" or unicodedata.category(char) == "So" or char in "‼⁉↔↕〰"


def _joins_syllable(last: str, char: str) -> bool:
    """Return whether two jamo, or a Hangul syllable and a jamo, are one syllable."""
    if "\u1160" <= char <= "\u11a7":  # a vowel
        return "\u1100" <= last <= "\u11a7" or _is_open(last)
    if "\u11a8" <= char <= "\u11ff":  # a final consonant
        return "\u1160" <= last <= "\u11ff" or "\uac00" <= last <= "\ud7a3"
    if "\u1100" <= char <= "\u115f" or "\uac00" <= char <= "\ud7a3":
        return "\u1100" <= last <= "\u115f"
    return False


def _is_open(syllable: str) -> bool:
    """Return whether a Hangul syllable has no final consonant."""
    return "\uac00" <= syllable <= "\ud7a3" and (ord(syllable) - 0xAC00) % 28 == 0


def _joins_next(last: str) -> bool:
    """Return whether the next consonant is written below or into the one before, through a virama."""
    if not last or unicodedata.combining(last) != _VIRAMA:
        return False
    # Thai, Tamil and the Myanmar asat show the sign instead
    indic = "\u0900" <= last <= "\u0dff" and not "\u0b80" <= last <= "\u0bff"
    return indic or last in "\u1039\u17d2\ua9c0"
