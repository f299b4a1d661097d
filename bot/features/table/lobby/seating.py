"""The place of a table and its access: one choice of the lobby and of the settings."""

from __future__ import annotations

from typing import Final, NamedTuple

from bot.locales import Words
from bot.store.terms import Access, Terms
from bot.ui.components import MenuLine


class Seating(NamedTuple):
    """A place and an access: whether the game gets its own thread, and who may sit down."""

    thread: bool
    access: Access


PLACES: Final[dict[str, Seating]] = {
    "here": Seating(False, "open"),
    "here-invited": Seating(False, "invited"),
    "thread": Seating(True, "open"),
    "thread-invited": Seating(True, "invited"),
    "private": Seating(True, "private"),
}
"""The choices, by their key in a form."""
IN_THREAD: Final = ("here", "here-invited", "private")
"""The choices for a lobby that is already in a thread."""


def place_of(thread: bool | None, access: Access | None) -> str:
    """Return the key of a choice; None is the default. A private table has a thread if possible."""
    if access == "private":
        return "private"
    return next(key for key, seating in PLACES.items() if seating == (bool(thread), access or "open"))


def place_lines(say: Words, chosen: str, *, in_thread: bool = False) -> list[MenuLine]:
    """Return the choices, with one chosen. `in_thread`: the lobby is already in a thread."""
    return [
        MenuLine(key, say(f"place.{key}"), say(f"place.{key}_note"), chosen=key == chosen)
        for key in (IN_THREAD if in_thread else PLACES)
    ]


def access_line(terms: Terms, say: Words) -> str:
    """Return the line of the lobby about who may sit down, or nothing if anyone may."""
    if terms.access == "private":
        return say("lobby.private" if terms.thread or terms.in_thread else "lobby.private_here")
    return say("lobby.by_invitation") if terms.access == "invited" else ""
