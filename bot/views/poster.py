"""What /play shows where no game is named: every game with its picture, and one press to play it."""

from __future__ import annotations

from discord import ButtonStyle

from bot import presenters
from bot.locales import Words, words
from bot.render.poster import PosterTile, poster_scene
from bot.render.scene import Look, Scene
from bot.views import ids
from bot.views.components import Beside, Line, Message, button, page, select


def poster_message(locale: str, games: tuple[str, ...]) -> Message:
    """These games to choose from: **Play now** deals at once, the select opens a lobby first."""
    say = words(locale)
    return page(
        say("poster.heading"),
        _picture(games, locale),
        *(_entry(key, locale, say) for key in games),
        [
            select(
                say("poster.lobby"),
                ids.make("lobby-of"),
                [Line(key, presenters.get(key).title(locale)) for key in games],
            )
        ],
    )


def _entry(key: str, locale: str, say: Words) -> Beside:
    presenter = presenters.get(key)
    text = say(
        "poster.entry",
        game=presenter.title(locale),
        length=say("poster.length", n=presenter.poster.minutes),
        difficulty=say(f"poster.{presenter.poster.difficulty}"),
        tagline=presenter.tagline(locale),
    )
    return Beside(text, button(say("poster.play"), ids.make("now", key), style=ButtonStyle.success))


def _picture(games: tuple[str, ...], locale: str) -> Scene:
    emblems = [presenters.get(key).poster.emblem for key in games]
    tiles = [PosterTile(emblem.painter, emblem.args, emblem.shape) for emblem in emblems if emblem]
    say = words(locale)
    titles = say("table.comma").join(presenters.get(key).title(locale) for key in games)
    return poster_scene(tiles, say("poster.alt", games=titles), Look(locale=locale))
