"""One picture of each kind for every game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from bot import presenters
from bot.render.scene import Scene
from tools.contact_sheet import (
    atom,
    atom_duel,
    chemistry_battle,
    chemistry_collect,
    duel52,
    molecular,
)
from tools.contact_sheet.moments import dealt

Gallery = tuple[tuple[str, Scene], ...]

GALLERIES: Mapping[str, Callable[[], Gallery]] = {
    "atom": atom.gallery,
    "atom_duel": atom_duel.gallery,
    "canasta": partial(chemistry_collect.gallery, "canasta"),
    "chemistry_battle": chemistry_battle.gallery,
    "compound_capture": partial(chemistry_collect.gallery, "compound_capture"),
    "duel52": duel52.gallery,
    "molecular": molecular.gallery,
}
"""Galleries of games with more kinds of pictures than a table and a hand just dealt."""


def gallery(game: str) -> Gallery:
    """Return one picture of each kind that this game has, with its title."""
    if game in GALLERIES:
        return GALLERIES[game]()
    presenter = presenters.get(game)
    return dealt(game, presenter.table, presenter.hand)
