"""The location of fonts, icons and card data: inside an installed wheel, or in the repository."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_BOT = Path(__file__).resolve().parent.parent


@cache
def assets_root() -> Path:
    """Return the folder that contains `fonts/`, `icons/` and `cards/`.

    An installed wheel has its own copy (`bot/_assets`); a checkout has it next to the package. The current
    folder is never searched, so a stray `assets/` there cannot shadow ours. Raises FileNotFoundError if
    neither exists.
    """
    for root in (_BOT / "_assets", _BOT.parent / "assets"):
        if (root / "fonts").is_dir():
            return root
    raise FileNotFoundError("the fonts of Valence are missing: reinstall the package")


def asset(*parts: str) -> Path:
    """Return the path of one asset, such as `asset("fonts", "Inter-Bold.ttf")`. It may not exist."""
    return assets_root().joinpath(*parts)
