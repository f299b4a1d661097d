"""What /play shows where no game is named: every game with its picture, and one press to play it."""

from __future__ import annotations

from collections.abc import Mapping

from discord import ButtonStyle

from bot import presenters
from bot.locales import Words, words
from bot.presenters.voice import clipped
from bot.render.pages.poster import PosterTile, poster_scene
from bot.render.scene import Look, Scene
from bot.ui.components import MenuLine, Message, TextWithButton, button, page, select

COUNTS = {"friendly": True, "counts": False}
"""What a lobby to open is to count for, by the word in its id: whether the game is friendly."""
LONGEST_DEAL = 160
"""Characters in which an entry tells what is dealt."""


def poster_message(
    locale: str, games: tuple[str, ...], again: Mapping[str, str] | None = None, *, counts: str = ""
) -> Message:
    """These games to choose from: **Play now** deals at once, the select opens a lobby first.

    `again` tells of the games that are not dealt in their gentlest form what is dealt instead. `counts` is a
    key of `COUNTS`, for what that lobby is to count for.
    """
    say, dealt = words(locale), again or {}
    lines = [MenuLine(key, presenters.get(key).title(locale)) for key in games]
    return page(
        say("poster.heading"),
        _picture(games, locale),
        *(_entry(key, locale, say, dealt.get(key, "")) for key in games),
        [select(say("poster.lobby"), lines, "lobby-of", *([counts] if counts else []))],
    )


def _entry(key: str, locale: str, say: Words, again: str) -> TextWithButton:
    presenter = presenters.get(key)
    length, difficulty = presenter.poster.minutes, presenter.poster.difficulty
    gentle = f"{say('poster.length', n=length)} · {say(f'poster.{difficulty}')}"
    dealt = clipped(again, LONGEST_DEAL) or gentle
    text = say("poster.entry", game=presenter.title(locale), dealt=dealt, tagline=presenter.tagline(locale))
    return TextWithButton(text, button(say("poster.play"), "now", key, style=ButtonStyle.success))


def _picture(games: tuple[str, ...], locale: str) -> Scene:
    emblems = [presenters.get(key).poster.emblem for key in games]
    tiles = [PosterTile(emblem.painter, emblem.args, emblem.shape) for emblem in emblems if emblem]
    say = words(locale)
    titles = say("table.comma").join(presenters.get(key).title(locale) for key in games)
    return poster_scene(tiles, say("poster.alt", games=titles), Look(locale=locale))
