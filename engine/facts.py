"""The facts of events and refusals: each game declares their types.

Facts are passed as plain JSON-compatible values; the types say what a value stands for. A NewType of int,
such as `Card`, is enough: a presenter chooses the words by the type.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NewType

import msgspec

Player = NewType("Player", int)
"""A seat named in a sentence."""

Count = NewType("Count", int)
"""The number that determines singular or plural in a sentence, available to the string as `n`. At most one
per declaration."""


class Facts:
    """The facts of one kind of event or refusal: their names and types.

    The facts given here are always present and appear in the sentence. `may` adds facts that only some
    viewers or variants have. `silent` adds facts that are always present but that no sentence has to name.

    >>> Card = NewType("Card", int)
    >>> looked = Facts(place=int).may(card=Card)
    >>> looked.trouble({"place": 2, "card": 17}), looked.trouble({"card": 17})
    ('', 'place is missing')
    """

    __slots__ = ("optional", "said", "unsaid")

    def __init__(self, **said: object) -> None:
        self.said: Mapping[str, object] = said
        self.optional: Mapping[str, object] = {}
        self.unsaid: Mapping[str, object] = {}

    def may(self, **optional: object) -> Facts:
        """Return these facts plus some that are not always present."""
        return self._with({**self.optional, **optional}, self.unsaid)

    def silent(self, **unsaid: object) -> Facts:
        """Return these facts plus some that are always present but meant for pictures and functions, not the
        string."""
        return self._with(self.optional, {**self.unsaid, **unsaid})

    def _with(self, optional: Mapping[str, object], unsaid: Mapping[str, object]) -> Facts:
        more = Facts(**self.said)
        more.optional, more.unsaid = optional, unsaid
        return more

    @property
    def types(self) -> dict[str, object]:
        """Types of all facts that may be present, by name."""
        return {**self.said, **self.unsaid, **self.optional}

    @property
    def count(self) -> str | None:
        """Name of the fact that determines singular or plural, or None."""
        return next((name for name, kind in self.types.items() if kind is Count), None)

    def trouble(self, facts: Mapping[str, object]) -> str:
        """Return what is wrong with these facts, or "" if they match the declaration."""
        types = self.types
        for name in (*self.said, *self.unsaid):
            if name not in facts:
                return f"{name} is missing"
        for name, value in facts.items():
            if name not in types:
                return f"{name} is not declared"
            try:
                msgspec.convert(value, types[name])
            except msgspec.ValidationError as wrong:
                return f"{name}: {wrong}"
        return ""
