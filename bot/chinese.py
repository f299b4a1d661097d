"""Which signs are Chinese, for words and pictures alike."""

from __future__ import annotations

import re
from typing import Final

SIGNS: Final = r"\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
"""As a class of a pattern names them; the elements from 104 on have rare ones, such as 𬭊."""
SIGN: Final = re.compile(f"[{SIGNS}]")
