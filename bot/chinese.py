"""The range of Chinese characters, for words and pictures alike."""

from __future__ import annotations

import re
from typing import Final

SIGNS: Final = r"\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
"""The characters as a regular expression class, including rare ones for the elements from 104 on, such as
𬭊."""
SIGN: Final = re.compile(f"[{SIGNS}]")
