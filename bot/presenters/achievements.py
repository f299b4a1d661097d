"""Names, descriptions and badge motifs of the achievements of every game."""

from __future__ import annotations

from bot import presenters
from bot.locales import words
from engine import catalog


def keys_of(game: str) -> tuple[str, ...]:
    """Return the keys of a game's achievements, in the order the game declares them."""
    return tuple(one.key for one in catalog.get(game).achievements)


def motif(game: str, key: str) -> str:
    """Return the motif on the badge of an achievement. The default is a star."""
    return presenters.get(game).motifs.get(key, "star")


def title(game: str, key: str, language: str) -> str:
    """Return the title of an achievement, or "" if this version does not know it."""
    name = f"achievement.{game}.{key}.title"
    say = words(language)
    return say(name) if name in say else ""


def borne(word: str, language: str) -> str:
    """Return the title that a player chose as `game:key`, or "" if none is chosen or this release
    lacks it."""
    game, _, key = word.partition(":")
    return title(game, key, language) if presenters.offers(game) and key in keys_of(game) else ""


def text(game: str, key: str, language: str) -> str:
    """Return the sentence that says how to earn an achievement."""
    return words(language)(f"achievement.{game}.{key}.text")
