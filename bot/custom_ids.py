"""The grammar of custom ids: `v:<verb>:<argument>:…`.

Ids in public messages name a verb and a table, never a card. Ids in a hand, which only its owner sees, hold
table, seat, the seat's decision number and the path of choices so far.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import NamedTuple

TEMPLATE = r"v(?::[A-Za-z0-9_+.~-]*)+"
LONGEST = 100
LONGEST_ID = 20
"""Maximum number of digits of a Discord id."""
MOST = 2**63 - 1
"""The largest Discord id that the database can store."""
_PART = re.compile(r"[A-Za-z0-9_+.~-]*")
_DIGEST = re.compile(r"~[0-9a-f]{8}")


class CustomIdTooLong(ValueError):
    """A custom id of more than Discord's 100 characters: the tree of choices is too deep."""


class InvalidCustomId(ValueError):
    """A custom id that this bot never wrote."""


class Ref(NamedTuple):
    """A parsed custom id."""

    verb: str
    args: tuple[str, ...]

    def number(self, place: int) -> int:
        """Return the argument at `place` as a number.

        Raises:
            InvalidCustomId: it is missing or not a number.
        """
        if place >= len(self.args) or not self.args[place].isdecimal() or len(self.args[place]) > 15:
            raise InvalidCustomId(f"no number at {place}")
        return int(self.args[place])

    def person(self, place: int) -> int:
        """Return the argument at `place` as the id of a person.

        Raises:
            InvalidCustomId: it is missing or not an id.
        """
        if not self.word(place).isdecimal() or len(self.word(place)) > LONGEST_ID:
            raise InvalidCustomId(f"no person at {place}")
        return int(self.word(place))

    def word(self, place: int) -> str:
        """Return the argument at `place`, or an empty string."""
        return self.args[place] if place < len(self.args) else ""


def make(verb: str, *args: object) -> str:
    """Return the custom id of a verb with its arguments.

    Raises:
        CustomIdTooLong: it would have more than 100 characters.
        ValueError: a part contains a character that ids may not contain.
    """
    parts = [verb, *map(str, args)]
    if not all(_PART.fullmatch(part) for part in parts):
        raise ValueError(f"not for a custom id: {parts}")
    text = ":".join(("v", *parts))
    if len(text) > LONGEST:
        raise CustomIdTooLong(text)
    return text


def parse(text: str) -> Ref:
    """Return the verb and arguments of an id.

    Raises:
        InvalidCustomId: this bot never wrote it.
    """
    if not re.fullmatch(TEMPLATE, text):
        raise InvalidCustomId(text)
    _, verb, *args = text.split(":")
    return Ref(verb, tuple(args))


def with_digest(custom_id: str, shown: bytes) -> str:
    """Append a digest of what is shown under this id, as its last argument.

    Raises:
        CustomIdTooLong: the result has more than 100 characters.
    """
    text = f"{custom_id}:~{blake2b(shown, digest_size=4).hexdigest()}"
    if len(text) > LONGEST:
        raise CustomIdTooLong(text)
    return text


def without_digest(ref: Ref) -> Ref:
    """Return the id as it was before `with_digest`. An id without a digest stays as it is."""
    if ref.args and _DIGEST.fullmatch(ref.args[-1]):
        return Ref(ref.verb, ref.args[:-1])
    return ref


def path_text(path: tuple[str, ...]) -> str:
    """Return a path of choices as one argument."""
    return ".".join(path)


def path_of(text: str) -> tuple[str, ...]:
    """Return the path of choices in an argument."""
    return tuple(text.split(".")) if text else ()
