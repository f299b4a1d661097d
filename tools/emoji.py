"""Fetch the emoji of the playground's page from the package registry and cut them down to what is shown.

    pip install brotli        # once: fontTools needs it to open woff2
    python tools/emoji.py   # writes playground/page/fonts/emoji.woff and its licence text

Needs `npm` (for `npm pack`). The result is committed, so players and testers need not run this.
"""

from __future__ import annotations

import re
import subprocess
import tarfile
import tempfile
from pathlib import Path

from fontTools import subset  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "playground" / "page" / "fonts"
PACKAGE = "@fontsource/noto-color-emoji@5.3.2"
WHOLE = "package/files/noto-color-emoji-emoji-400-normal.woff2"

SIGNS = re.compile("[\u2300-\u23ff\u2600-\u265f\u2668-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]")
"""Candidates for emoji; the font decides. Suits and arrows belong to the text font."""
TYPED = (
    "😀😃😄😁😆😅😂🤣😊🙂🙃😉😍😘😎🤔😐😴😮😢😭😡🤯🥳😇🤩👀👋👍👎"
    "👏🙏💪🤝✌🤞❤🧡💛💚💙💜🖤💔✨🎉🎊🔥⭐🌟💯🏆🥇🎲🃏🎮⚡☀🌙🌈"
    "🍀🍕☕🍺🐱🐶🦊🐼🐸🚀⏰✅❌❓❗➕👨👩👧👦👪🇩🇪🇬🇧🇨🇳🇺🇸🇫"
    "🇷🇪🇸🇮🇹🇯🇵"
)
"""The emoji people type most: faces, hands, hearts, a few flags."""
JOINING = {0x200D, 0xFE0F, 0x20E3, *range(0x1F3FB, 0x1F400)}
"""Characters that join emoji, request emoji style, or set a skin tone."""


def shown() -> set[int]:
    """Return every sign that the bot can send, the page shows, or people type."""
    folders = (("bot", "*.toml"), ("bot", "*.py"), ("playground", "*.py"), ("playground", "*.js"))
    texts = (path.read_text("utf-8") for folder, kind in folders for path in (ROOT / folder).rglob(kind))
    return {ord(sign) for text in (*texts, TYPED) for sign in SIGNS.findall(text)}


def main() -> None:
    """Write the font and its licence."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            ["npm", "pack", "--silent", PACKAGE], cwd=folder, capture_output=True, text=True, check=True
        )
        with tarfile.open(Path(folder) / packed.stdout.strip()) as archive:
            archive.extractall(folder, filter="data")
        font = TTFont(Path(folder) / WHOLE)
        # the COLR layers are enough, and smaller than drawings
        options = subset.Options(flavor="woff", layout_features=["*"], drop_tables=["SVG"])
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=(shown() & font.getBestCmap().keys()) | JOINING)
        cutter.subset(font)
        font.flavor = "woff"
        font.save(OUT / "emoji.woff")
        licence = (Path(folder) / "package" / "LICENSE").read_text("utf-8")
        (OUT / "NotoColorEmoji-OFL.txt").write_text(licence, "utf-8")


if __name__ == "__main__":
    main()
