"""The page brings its own emoji: whatever the bot can send is in its font."""

from __future__ import annotations

import re

from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from tests.house.tree import ROOT
from tests.support.processes.script import script

FONT = ROOT / "playground" / "page" / "fonts" / "emoji.woff"
RULES = ROOT / "playground" / "page" / "css" / "base.css"
MOST_BYTES = 600_000


def test_every_emoji_of_the_bot_is_in_the_font() -> None:
    """Made anew by tools/emoji.py where one is missing."""
    emoji = script("emoji")
    drawn = set(range_of_the_font())
    wanted = {code for code in emoji.shown() if is_emoji(code)}
    assert len(wanted) > 40
    assert wanted <= drawn, [chr(code) for code in sorted(wanted - drawn)]


def range_of_the_font() -> set[int]:
    return set(TTFont(FONT).getBestCmap())


def is_emoji(code: int) -> bool:
    """Whether people see a picture of its own, not a sign of the text such as ✓ or ★."""
    return code >= 0x1F000 or (chr(code) in "⏩⏸⚔⚗⚛⚠☢☰✅❓⚡" and code != 0x2630)


def test_the_font_is_small_and_has_its_licence() -> None:
    assert FONT.stat().st_size < MOST_BYTES
    assert "SIL Open Font License" in (FONT.parent / "NotoColorEmoji-OFL.txt").read_text("utf-8")


def test_suits_and_arrows_stay_text() -> None:
    found = re.search(r"unicode-range: (.*);", RULES.read_text("utf-8"))
    assert found is not None
    ranges = [part.strip().removeprefix("U+").split("-") for part in found[1].split(",")]
    covered = {
        code for first, *last in ranges for code in range(int(first, 16), int((last or [first])[0], 16) + 1)
    }
    assert not covered & {ord(sign) for sign in "♠♣♥♦←→↖↗▶"}
    assert covered >= {ord(sign) for sign in "🃏🏆⚔🥇"}
