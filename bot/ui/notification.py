"""Messages that notify people.

A push notification shows the `content` of a message, and nothing of Components V2. So every message
that pings someone, or goes to one person directly, is plain text with classic rows of buttons. Only this
module names people or roles in allowed mentions (`tests/house/test_notifications.py`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypedDict

import discord
from discord import ui

from bot.presenters.voice import clipped
from bot.ui.components import Control, closed_up, in_rows

MOST_TEXT = 2000
"""Discord's limit for the content of a message, in characters."""


LONGEST_NONCE = 25
"""Discord's limit for a nonce, in characters."""
Occasion: TypeAlias = tuple[object, ...]
"""The subject of a message, such as `("night", 12, "remind")`. Discord compares the messages of a bot across
all channels, so the occasion of a direct message names its reader."""


def nonce_of(occasion: Occasion) -> str:
    """Return the nonce of a message, the same in every process.

    Within a few minutes Discord treats a second message with the same nonce as the first.

    >>> nonce_of(("night", 12)) == nonce_of(("night", 12)) != nonce_of(("night", 13))
    True
    """
    return hashlib.sha256(repr(occasion).encode()).hexdigest()[:LONGEST_NONCE]


class Parts(TypedDict):
    """The arguments with which discord.py sends a notification."""

    content: str
    view: ui.View
    allowed_mentions: discord.AllowedMentions
    silent: bool


@dataclass(frozen=True, slots=True)
class Notification:
    """Plain text with buttons below it, which pings only these users and roles.

    Raises:
        ValueError: the text is empty, so a phone would show nothing.
    """

    text: str
    controls: Sequence[Control] = ()
    users: Sequence[int] = ()
    roles: Sequence[int] = ()
    silent: bool = False
    """True if no device should ring, because it is night for the person who is pinged."""

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError("a notification without text")

    def parts(self) -> Parts:
        """Return the arguments for `send` and `send_message`."""
        return {
            "content": clipped(closed_up(self.text), MOST_TEXT),
            "view": self._view(),
            "allowed_mentions": discord.AllowedMentions(
                everyone=False,
                replied_user=False,
                users=[discord.Object(user) for user in self.users] or False,
                roles=[discord.Object(role) for role in self.roles] or False,
            ),
            "silent": self.silent,
        }

    def _view(self) -> ui.View:
        view = ui.View(timeout=None)
        for number, row in enumerate(in_rows(self.controls)):
            for control in row:
                control.row = number
                view.add_item(control)
        view.stop()  # so that discord.py does not keep it in memory; see `components`
        return view
