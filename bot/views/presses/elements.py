"""The periodic table, with a way to every element."""

from __future__ import annotations

from bot import presenters
from bot.locales import words
from bot.presenters.base import AnyPresenter
from bot.render.scene import Look
from bot.views import ids, walk
from bot.views.components import Line, Message, page, select
from bot.views.context import Handlers, Pressed
from bot.views.presses.lookup import card_message, find

handlers = Handlers[Pressed]()


def _elements() -> AnyPresenter:
    """The presenter whose cards are the elements.

    Raises:
        NoPresenter: it cannot be imported.
    """
    for game in presenters.offered():
        if presenters.get(game).has_periodic_table:
            return presenters.get(game)
    raise presenters.NoPresenter(*next(iter(presenters.missing().items())))


def periodic_message(look: Look) -> Message:
    """The whole table, and a select for each stretch of 25 elements."""
    say, presenter = words(look.locale), _elements()
    overview = presenter.overview(look)
    cards = presenter.cards(look.locale)
    controls = []
    for at in range(walk.pages(len(cards))):
        some = cards[at * walk.OPTIONS : (at + 1) * walk.OPTIONS]
        lines = [Line(card.key, card.title, ", ".join(card.tags)) for card in some]
        label = say("periodic.stretch", first=some[0].title, last=some[-1].title)
        controls.append(select(label, ids.make("element", at), lines))
    scene = overview.scene if overview is not None and overview.scene is not None else ""
    return page(say("periodic.heading"), scene, say("periodic.choose"), controls)


@handlers.on("element")
async def _element(pressed: Pressed) -> None:
    found = find(f"{_elements().key}:{pressed.value}", pressed.locale)
    await pressed.private(await card_message(pressed, found))
