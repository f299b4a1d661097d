"""Controls that switch an answer to another page or game, or show it to everyone."""

from __future__ import annotations

from discord import ui

from bot import presenters
from bot.locales import Words, words
from bot.ui import slots
from bot.ui.components import Control, MenuLine, button, select
from bot.ui.context import Answer


def pager(say: Words, at: int, pages: int, verb: str, *where: object) -> list[Control]:
    """Return the buttons for the previous and next page, in a circle, around the page number.

    Their custom ids are `verb:where…:page`. A single page needs no buttons.
    """
    if pages < 2:
        return []
    # with two pages both buttons lead to the same one, but their ids must differ
    earlier = button(say("cards.earlier"), verb, *where, (at - 1) % pages, "b")
    position = button(f"{at + 1} / {pages}", verb, *where, at, "h", disabled=True)
    later = button(say("cards.later"), verb, *where, (at + 1) % pages, "f")
    return [earlier, position, later]


def game_select(chosen: str, locale: str, verb: str, *args: object) -> Control:
    """Return a select that switches an answer to another game. Its values are the keys of games."""
    lines = [
        MenuLine(key, presenters.get(key).title(locale), chosen=key == chosen) for key in presenters.offered()
    ]
    return select(words(locale)("cards.choose_game"), lines, verb, *args)


def share_button(answer: Answer, what: str, *where: object) -> ui.Button[ui.LayoutView] | None:
    """Return the button that shows an answer to everyone here, or None if the person is alone here.

    `what` names the entry of `Feature.shares` that makes the answer again, from `where`.
    """
    interaction = answer.interaction
    if interaction.guild_id is None and not interaction.context.private_channel:
        return None
    controls = slots.SHARE.controls(answer.say, (what, *where))
    return next((control for control in controls if isinstance(control, ui.Button)), None)


def share_row(answer: Answer, what: str, *where: object) -> list[Control]:
    """Return the share button as a list, which is empty if the person is alone here."""
    share = share_button(answer, what, *where)
    return [share] if share is not None else []
