"""The checkable shuffle. The exact derivation, with test vectors, is in docs/fair.md.

Before anybody joins, the table shows the SHA-256 of a nonce and a secret seed. Everybody who
joins adds entropy that the table could not choose. The deal key comes from both, every shuffle
of the game from the deal key and a label, and at the end the seed is shown: whoever wants to can
compute the deal again, in any language.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import struct
from collections.abc import Iterable, Sequence

import msgspec

SEED_BYTES = 32
NONCE_BYTES = 16
_COMMIT = b"valence/commit/1"
_DEAL = b"valence/deal/1"
_BLOCK = struct.Struct(">8I")
_WORD = 1 << 32


class Commitment(msgspec.Struct, frozen=True):
    """A secret seed and the nonce that keeps its hash from being guessed. Both secret until the end."""

    seed: bytes
    nonce: bytes

    @classmethod
    def fresh(cls) -> Commitment:
        """A new seed and nonce from the operating system's randomness."""
        return cls(secrets.token_bytes(SEED_BYTES), secrets.token_bytes(NONCE_BYTES))

    @property
    def digest(self) -> str:
        """The SHA-256 that the lobby shows, in hex."""
        return hashlib.sha256(_COMMIT + self.nonce + self.seed).hexdigest()

    def deal_key(self, entropy: Iterable[int]) -> bytes:
        """The 32-byte key of the deal, from the seed and what the joiners added, in joining order.

        >>> fair = Commitment(bytes(32), bytes(16))
        >>> fair.deal_key([7, 8]) == fair.deal_key([8, 7])
        False
        """
        words = ",".join(str(number) for number in entropy)
        message = b"\n".join((_DEAL, self.digest.encode(), words.encode()))
        return hmac.digest(self.seed, message, "sha256")


class Stream:
    """Numbers drawn from a deal key under a label: the same key and label give the same numbers."""

    __slots__ = ("_block", "_key", "_label", "_words")

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._label = label.encode() + b"\n"
        self._block = 0
        self._words: list[int] = []

    def _refill(self) -> None:
        block = hmac.digest(self._key, self._label + self._block.to_bytes(4, "big"), "sha256")
        self._block += 1
        self._words = list(_BLOCK.unpack(block))
        self._words.reverse()

    def below(self, n: int) -> int:
        """A number from 0 to n-1, each equally likely (1 <= n <= 2**32)."""
        limit = _WORD - _WORD % n
        while True:
            if not self._words:
                self._refill()
            word = self._words.pop()
            if word < limit:
                return word % n

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """The cards in a new order (Fisher and Yates, from the last place down)."""
        out = list(cards)
        words = self._words
        # `below` written out: a deal is a fifth of a short game, and this is most of a deal
        for i in range(len(out) - 1, 0, -1):
            n = i + 1
            limit = _WORD - _WORD % n
            while True:
                if not words:
                    self._refill()
                    words = self._words
                word = words.pop()
                if word < limit:
                    break
            j = word % n
            out[i], out[j] = out[j], out[i]
        return out


def shuffled(key: bytes, label: str, cards: Sequence[int]) -> list[int]:
    """The cards in the order that `key` and `label` give them. Each shuffle of a game has its own label."""
    return Stream(key, label).shuffle(cards)
