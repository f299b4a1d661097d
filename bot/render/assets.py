"""Where the fonts, icons and card data lie: beside the code in a wheel, or in the repository."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_BOT = Path(__file__).resolve().parent.parent


@cache
def assets_root() -> Path:
    """The folder that holds `fonts/`, `icons/` and `cards/`.

    An installed wheel carries its own copy (`bot/_assets`); a checkout has it beside the package. The
    current folder is never looked at, so a stray `assets/` there cannot shadow ours.
    Raises FileNotFoundError when neither is there.
    """
    for root in (_BOT / "_assets", _BOT.parent / "assets"):
        if (root / "fonts").is_dir():
            return root
    raise FileNotFoundError("the fonts of Valence are missing: reinstall the package")


def asset(*parts: str) -> Path:
    """The path of one asset, such as `asset("fonts", "Inter-Bold.ttf")`. It may not exist."""
    return assets_root().joinpath(*parts)
