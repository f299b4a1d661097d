"""Every kind of picture of the game, for the contact sheet."""

from __future__ import annotations

from bot.presenters.atom_duel.gallery import samples
from bot.presenters.atom_duel.scenes import picture_words
from bot.render.scene import Look, Scene


def showcase() -> tuple[tuple[str, Scene], ...]:
    """The samples of the pictures."""
    look = Look()
    return samples(look, picture_words(look))
