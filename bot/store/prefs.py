"""What a person prefers, as it is stored: every field has a default, so older rows can still be read."""

from __future__ import annotations

from typing import Literal

import msgspec
from sqlalchemy import Connection, select

from bot.store.models import PlayerRow, table_of
from bot.store.people import put_player

_PLAYERS = table_of(PlayerRow)
Palette = Literal["default", "contrast"]
Pings = Literal["mention", "direct", "none"]


class Prefs(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a person sees, and how they are called."""

    palette: Palette = "default"
    """The colours of pictures that the person alone sees."""
    large: bool = False
    """Whether those pictures take the whole width of the screen."""
    text_only: bool = False
    """Whether words stand in the place of those pictures."""
    confirm: bool = False
    """Whether each decision is asked once more."""
    pings: Pings = "mention"
    """How the person hears that it is their turn, or that they are invited."""


def prefs_of(connection: Connection, user_id: int) -> Prefs:
    """What this person prefers; the defaults where nobody said or a row cannot be read."""
    found = connection.execute(select(_PLAYERS.c.prefs).where(_PLAYERS.c.id == user_id)).scalar()
    try:
        return msgspec.convert(found or {}, Prefs)
    except msgspec.ValidationError:
        return Prefs()  # a value of a newer version


def put_prefs(connection: Connection, user_id: int, name: str, prefs: Prefs, at: int) -> None:
    """Keep what a person prefers."""
    put_player(connection, user_id, name, msgspec.to_builtins(prefs), at)
