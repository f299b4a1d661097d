"""What events and refusals say: the type of each of their facts, declared by each game.

Facts travel as plain JSON-able values; the types say what a value stands for. A NewType of int, such as
`Card`, is enough: a presenter finds the words for it by the type.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NewType

import msgspec

Player = NewType("Player", int)
"""A seat that is named in a sentence."""

Count = NewType("Count", int)
"""A number that a sentence counts by; its string has it as `n`. At most one to a declaration."""


class Facts:
    """The facts of one kind of event or of one refusal, by name, each with its type.

    Those given here are always there and stand in the sentence. `may` adds facts that only some viewers or
    variants have, `silent` facts that are always there and that no sentence needs to name.

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
        """With facts that are not always there."""
        return self._with({**self.optional, **optional}, self.unsaid)

    def silent(self, **unsaid: object) -> Facts:
        """With facts that are always there, but for pictures and functions rather than the string."""
        return self._with(self.optional, {**self.unsaid, **unsaid})

    def _with(self, optional: Mapping[str, object], unsaid: Mapping[str, object]) -> Facts:
        more = Facts(**self.said)
        more.optional, more.unsaid = optional, unsaid
        return more

    @property
    def types(self) -> dict[str, object]:
        """Every fact that may be there, with its type."""
        return {**self.said, **self.unsaid, **self.optional}

    @property
    def count(self) -> str | None:
        """The fact that the sentence counts by, or None."""
        return next((name for name, kind in self.types.items() if kind is Count), None)

    def trouble(self, facts: Mapping[str, object]) -> str:
        """What is wrong with these facts; empty where they are as declared."""
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
