"""To whom the games are owed, and how strong their computer opponents are: a game at a time."""

from __future__ import annotations

from collections.abc import Sequence

from bot import presenters
from bot.locales import words
from bot.ui import slots
from bot.ui.components import MenuLine, Message, page, select
from engine import catalog, ladder


def about_message(locale: str, game: str = "") -> Message:
    """What this is, how strong its opponents are, and a select of the games; of one of them who made it."""
    say = words(locale)
    lines = [
        MenuLine(key, presenters.get(key).title(locale), chosen=key == game) for key in presenters.offered()
    ]
    games = [select(say("about.choose"), lines, "about-game")]
    if not game:
        more = slots.ABOUT.controls(say, None)
        return page(say("about.text"), _strength(presenters.offered(), locale), games, more)
    presenter = presenters.get(game)
    return page(f"## {presenter.title(locale)}", presenter.about(locale), _strength([game], locale), games)


def _strength(games: Sequence[str], locale: str) -> str:
    """How strong the computer opponents of these games are, where enough games were played to say so."""
    speak, lines, marked = words(locale), list[str](), False
    for key in games:
        game, presenter = catalog.get(key), presenters.get(key)
        offered = game.levels_in(ladder.fewest_seats(game, {}), {})
        won = {level: ladder.of_hundred(game, level) for level in offered}
        told = [
            speak("about.level", level=presenter.level(level, locale).capitalize(), n=n)
            if level not in game.usual
            else speak("about.level_usual", level=presenter.level(level, locale).capitalize(), n=n)
            for level, n in won.items()
            if n is not None
        ]
        marked = marked or any(won.get(level) is not None for level in game.usual)
        if told:
            told += filter(None, [presenter.no_stronger(locale)])
            lines.append(
                speak("about.levels", title=presenter.title(locale), levels=speak("table.comma").join(told))
            )
    lines += [speak("about.usual")] if marked else []
    return "\n".join([speak("about.opponents"), *lines]) if lines else ""
