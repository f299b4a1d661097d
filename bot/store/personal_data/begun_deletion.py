"""The state that all steps of a deletion share."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from bot.store.personal_data.privacy import FORMER

SHORTEST_NAME: Final = 4
"""Shorter names stay in the names of things people made, because they may be ordinary words."""
_LONGEST_NAME = 64


class BegunDeletion(msgspec.Struct, frozen=True):
    """State shared by all steps of a deletion."""

    user_id: int
    nobody: int
    names: tuple[str, ...] = ()
    """The names the person used."""
    renamed: dict[str, str] = {}
    """New names of the person's renamed rows, by the old name."""

    def theirs(self, name: str) -> str:
        """Return the name of something they made, without their own name in it."""
        return without_names(name, self.names)

    def copied(self, name: str, host_id: int) -> str:
        """Return a copied name in a row of this host, where the original may be gone or renamed by now."""
        return self.renamed.get(name) or (self.theirs(name) if host_id == self.user_id else name)


def without_names(name: str, names: Iterable[str]) -> str:
    """Remove a person's names, as whole words and longest first, from the name of something they made."""
    long = [each for each in names if len(each) >= SHORTEST_NAME]
    for known in sorted(long, key=len, reverse=True):
        name = re.sub(rf"(?<!\w){re.escape(known)}(?!\w)", FORMER, name, flags=re.IGNORECASE)
    return name[:_LONGEST_NAME]
