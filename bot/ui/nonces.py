"""Nonces: within a few minutes Discord takes a second message with the same nonce for the first."""

from __future__ import annotations

import hashlib
from typing import TypeAlias

LONGEST = 25
"""Discord's limit for a nonce, in characters."""
Occasion: TypeAlias = tuple[object, ...]
"""What a message is about, such as `("night", 12, "remind")`. Discord compares the messages of a bot over all
channels, so the occasion of a direct message names its reader."""


def nonce_of(occasion: Occasion) -> str:
    """Return the nonce of a message, the same in every process.

    >>> nonce_of(("night", 12)) == nonce_of(("night", 12)) != nonce_of(("night", 13))
    True
    """
    return hashlib.sha256(repr(occasion).encode()).hexdigest()[:LONGEST]
