"""The verifiable shuffle. docs/fair.md gives the exact derivation, with test vectors.

Before anyone joins, the table shows the SHA-256 of a nonce and a secret seed. Everyone who joins adds entropy
that the table could not choose. The deal key comes from both, and every shuffle of the game from the deal key
and a label. At the end the seed is revealed, so that anyone can recompute the deal in any language.
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
_WORD = 1 << 32
_WORDS = 8
"""Words in a digest."""
_DIGEST = 4 * _WORDS


class Commitment(msgspec.Struct, frozen=True):
    """A secret seed, and the nonce that keeps its hash from being guessed. Both stay secret until the end."""

    seed: bytes
    nonce: bytes

    @classmethod
    def fresh(cls) -> Commitment:
        """Return a new seed and nonce from the operating system's randomness."""
        return cls(secrets.token_bytes(SEED_BYTES), secrets.token_bytes(NONCE_BYTES))

    @property
    def digest(self) -> str:
        """The SHA-256 shown in the lobby, in hex."""
        return hashlib.sha256(_COMMIT + self.nonce + self.seed).hexdigest()

    def deal_key(self, entropy: Iterable[int]) -> bytes:
        """Return the 32-byte key of the deal, from the seed and the joiners' entropy in joining order.

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

    def _fetch(self, count: int) -> None:
        """Have at least `count` words ready; the next one to use is last."""
        missing = -(-(count - len(self._words)) // _WORDS)
        if missing <= 0:
            return
        first, self._block = self._block, self._block + missing
        block = self._digest(first)
        if first:
            block += b"".join([self._digest(number) for number in range(first + 1, self._block)])
        elif missing > 1:
            # PBKDF2 with one iteration is the HMACs of 1, 2, ... (RFC 8018), at an eighth of the cost of
            # each.
            block += hashlib.pbkdf2_hmac("sha256", self._key, self._label, 1, _DIGEST * (missing - 1))
        words = list(struct.unpack(f">{_WORDS * missing}I", block))
        words.reverse()
        self._words = words + self._words

    def _digest(self, number: int) -> bytes:
        return hmac.digest(self._key, self._label + number.to_bytes(4, "big"), "sha256")

    def below(self, n: int) -> int:
        """Return a number from 0 to n-1, each equally likely (1 <= n <= 2**32)."""
        limit = _WORD - _WORD % n
        while True:
            if not self._words:
                self._fetch(1)
            word = self._words.pop()
            if word < limit:
                return word % n

    def shuffle(self, cards: Sequence[int], settled: int | None = None) -> list[int]:
        """Return the cards in a new order (Fisher-Yates, from the last place down).

        With `settled`, only that many places at the end get the card that a whole shuffle would give them.
        """
        out = list(cards)
        last = len(out) - 1
        steps = last if settled is None else min(settled, last)
        if steps > 0:
            self._fetch(steps)
            words = self._words
            # `below` inlined: a deal is a fifth of a short game, and this loop is most of a deal
            plain = max(words) < _WORD - last
            for place in range(last, last - steps, -1):
                # very rarely is a word so high that `below` might reject it
                other = words.pop() % (place + 1) if plain else self.below(place + 1)
                out[place], out[other] = out[other], out[place]
        return out


def shuffled(key: bytes, label: str, cards: Sequence[int]) -> list[int]:
    """Return the cards in the order determined by `key` and `label`. Each shuffle of a game has its own
    label."""
    return Stream(key, label).shuffle(cards)
