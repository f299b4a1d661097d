"""The periodic table, with a way to every element."""

from __future__ import annotations

from bot import presenters
from bot.features.lookups.card_search import find
from bot.features.lookups.messages import card_message
from bot.locales import words
from bot.presenters.base import AnyPresenter
from bot.render.scene import Look
from bot.ui.components import Control, MenuLine, Message, button, page, select
from bot.ui.context import Pressed
from bot.ui.handlers import Handlers

handlers = Handlers[Pressed]()
PICTURE = "elements.png"


def _elements() -> AnyPresenter:
    """The presenter whose cards are the elements.

    Raises:
        NoPresenter: it cannot be imported.
    """
    for game in presenters.offered():
        if presenters.get(game).has_periodic_table:
            return presenters.get(game)
    raise presenters.NoPresenter(*next(iter(presenters.missing().items())))


def periodic_message(look: Look, at: int | None = None) -> Message:
    """The whole table and a way to each section of it; or that section, with a way to each of its cards."""
    say, presenter = words(look.locale), _elements()
    sections = presenter.sections(look)
    ways: list[Control] = [
        button(section.title, "elements", number, disabled=number == at)
        for number, section in enumerate(sections)
    ]
    if at is None:
        overview = presenter.overview(look)
        scene = overview.scene if overview is not None and overview.scene is not None else ""
        return page(
            say("periodic.heading"), scene, say("periodic.choose_stretch"), ways, picture_name=PICTURE
        )
    section = sections[at % len(sections)]
    cards = {card.key: card for card in presenter.cards(look.locale)}
    comma = say("table.comma")
    lines = [MenuLine(key, cards[key].title, comma.join(cards[key].tags)) for key in section.cards]
    controls = [
        select(say("periodic.choose"), lines, "element", at),
        *ways,
        button(say("periodic.whole"), "elements"),
    ]
    return page(say("periodic.heading"), section.scene, controls, picture_name=PICTURE)


@handlers.on("elements")
async def _elements_again(pressed: Pressed) -> None:
    look = Look(locale=pressed.locale)
    at = pressed.ref.number(0) if pressed.ref.args else None
    await pressed.turn(periodic_message(look, at))


@handlers.on("element")
async def _element(pressed: Pressed) -> None:
    found = find(f"{_elements().key}:{pressed.value}", pressed.locale)
    await pressed.private(await card_message(pressed, found))
