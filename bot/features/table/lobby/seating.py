"""Where a table is played and who may sit down: one choice of the lobby and of the settings."""

from __future__ import annotations

from typing import Final, NamedTuple

from bot.locales import Words
from bot.store.terms import Access, Terms
from bot.ui.components import MenuLine


class Seating(NamedTuple):
    """Whether the game gets a thread of its own, and who may sit down."""

    thread: bool
    access: Access


PLACES: Final[dict[str, Seating]] = {
    "here": Seating(False, "open"),
    "here-invited": Seating(False, "invited"),
    "thread": Seating(True, "open"),
    "thread-invited": Seating(True, "invited"),
    "private": Seating(True, "private"),
}
"""What can be chosen, by the key in a form."""
IN_THREAD: Final = ("here", "here-invited", "private")
"""What is left of it in a thread."""


def place_of(thread: bool | None, access: Access | None) -> str:
    """The key of a choice; None is as nobody said. A private table has a thread where that is possible."""
    if access == "private":
        return "private"
    return next(key for key, found in PLACES.items() if found == (bool(thread), access or "open"))


def place_lines(say: Words, chosen: str, *, in_thread: bool = False) -> list[MenuLine]:
    """The choices, one of them chosen; `in_thread`: it stands in a thread already."""
    return [
        MenuLine(key, say(f"place.{key}"), say(f"place.{key}_note"), chosen=key == chosen)
        for key in (IN_THREAD if in_thread else PLACES)
    ]


def access_line(terms: Terms, say: Words) -> str:
    """Who may sit down, as the lobby says it; nothing where anybody may."""
    if terms.access == "private":
        return say("lobby.private" if terms.thread or terms.in_thread else "lobby.private_here")
    return say("lobby.by_invitation") if terms.access == "invited" else ""
