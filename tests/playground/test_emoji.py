"""The page's own emoji font knows every emoji that the bot sends."""

from __future__ import annotations

import re

from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from tests.house.tree import ROOT
from tests.support.script import script

EMOJI = re.compile("[\U0001f000-\U0001faff]|[\u2300-\u27bf\u2b00-\u2bff](?=\ufe0f)")
"""What is drawn in colour: the higher signs by themselves, the lower ones where the text asks for it."""
NOT_OF_THE_FONT = {0x1F0A1}
"""Cards are signs of the text; a test of forged ids presses one."""


def test_every_emoji_can_be_drawn() -> None:
    known = TTFont(ROOT / "playground" / "page" / "fonts" / "emoji.woff").getBestCmap().keys()
    shown = script("emoji").shown()
    assert len(shown) > 80
    texts = [path.read_text("utf-8") for path in (ROOT / "bot").rglob("*") if path.suffix in (".toml", ".py")]
    sent = {ord(sign) for text in texts for sign in EMOJI.findall(text)} - NOT_OF_THE_FONT
    assert {f"U+{sign:X} {chr(sign)}" for sign in sent - known} == set(), "run python scripts/emoji.py"
