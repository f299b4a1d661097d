"""Make the fixed palettes of the pictures: 256 colours per theme, written to bot/render/fixed_palette.py.

    python tools/palette.py

A picture is stored with one byte per pixel, and mapping it to fixed colours costs next to nothing. The
colours of the theme come first, exactly. The rest are the steps between a sign and its background that smooth
edges need. Steps that look like an existing colour are left out, and the most frequent pairs come first.
"""

from __future__ import annotations

from pathlib import Path

from bot.render.colour import RGB, difference, mix
from bot.render.theme import CATEGORIES, SEATS, Theme, themes

OUT = Path(__file__).resolve().parent.parent / "bot" / "render" / "fixed_palette.py"

DARK = ("felt", "panel", "panel_high")
SEAT = tuple(f"seat{seat}" for seat in range(SEATS))
PAIRS: tuple[tuple[tuple[str, ...], tuple[str, ...], int], ...] = (
    (("text",), DARK, 10),
    (("ink",), ("paper",), 9),
    (("accent", "muted"), DARK, 7),
    (("paper",), ("felt", "panel", "ink", "back"), 5),
    (("ink_soft", "ink_faint", "paper_edge"), ("paper",), 3),
    (("accent",), ("paper", "ink", "accent_ink"), 4),
    (CATEGORIES, ("paper", "ink"), 4),
    (SEAT, ("felt", "panel"), 3),
    (SEAT, ("ink",), 3),
    (("natural", "made", "suit_red"), ("paper",), 5),
    (("edge", "panel", "panel_high"), ("felt", "panel"), 2),
    (("back_line", "text", "muted"), ("back",), 4),
    (CATEGORIES, ("felt",), 2),
    (("good", "bad"), DARK, 4),
    (("back",), ("felt", "panel"), 2),
)
# Looser and looser: the first round takes steps that differ clearly, later rounds fill what is left.
TOLERANCES = (4.0, 2.5, 1.5, 0.8)


def colours(look: Theme) -> list[RGB]:
    """The 256 colours of one theme, the theme's own first."""
    chosen = list(dict.fromkeys(look.colours.values()))
    for tolerance in TOLERANCES:
        for signs, grounds, steps in PAIRS:
            for sign in signs:
                for ground in grounds:
                    for step in range(1, steps + 1):
                        colour = mix(look[ground], look[sign], step / (steps + 1))
                        if len(chosen) < 256 and all(
                            difference(colour, other) > tolerance for other in chosen
                        ):
                            chosen.append(colour)
    return chosen + [(0, 0, 0)] * (256 - len(chosen))


def main() -> None:
    """Write the module."""
    lines = [
        '"""The colours that pictures are stored with. Made by tools/palette.py; do not edit."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
        "FIXED: Final[dict[str, bytes]] = {",
    ]
    for look in themes():
        data = bytes(channel for colour in colours(look) for channel in colour).hex()
        lines.append(f'    "{look.name}": bytes.fromhex(')
        lines += [f'        "{data[start : start + 96]}"' for start in range(0, len(data), 96)]
        lines.append("    ),")
    OUT.write_text("\n".join([*lines, "}", ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
