"""Presses of /card and /cards, and what the cards of a hand do."""

from __future__ import annotations

import asyncio

from typing_extensions import override

from bot import presenters
from bot.core.errors import Refused
from bot.core.service import Service
from bot.features.lookups.card_search import find, prepare
from bot.features.lookups.messages import browser, card_message, shown_card, tag_of
from bot.features.table import SeatView, own_seat, show_side_answer
from bot.features.table.rights import HAND
from bot.locales import Words
from bot.render.scene import Look
from bot.table.registry import Tables
from bot.table.table import Table
from bot.ui import choices as walk
from bot.ui.app import App
from bot.ui.components import Control, MenuLine, Message, button, page, select
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers

handlers = Handlers[Pressed]()


class CardNames(Service):
    """Reads the names of all cards after the start, before somebody looks for one."""

    def __init__(self, app: App) -> None:
        self._spawn = app.tasks.spawn

    @override
    async def open(self) -> None:
        """Start reading in a thread; it takes some fifth of a second of CPU."""
        self._spawn(asyncio.to_thread(prepare), "names of cards")


@handlers.on("card-also")
async def _card_also(pressed: Pressed) -> None:
    await pressed.private(await card_message(pressed, find(pressed.value, pressed.locale)))


# -- the cards at hand ------------------------------------------------------------------------


def help_button(say: Words, view: SeatView) -> Control | None:
    """Return the button that tells what the cards of a hand do, where they do something."""
    if not view.presenter.at_hand(view.observation):
        return None
    return button(say("hand.help"), "help", view.table.id, view.seat, emoji="📖")


@handlers.on("help", HAND)
async def _help(pressed: Pressed, table: Table) -> None:
    """What the cards at hand do: `help:table:seat`, with a card chosen or the first of them."""
    seat = own_seat(table, pressed.ref.number(1), pressed.user_id)
    if table.state is None:
        raise Refused("not_started")
    presenter, observation = presenters.get(table.game.key), table.state.observe(seat)
    look = Look(locale=pressed.locale)
    titles = {card.key: card.title for card in presenter.cards(pressed.locale)}
    keys = [key for key in dict.fromkeys(presenter.at_hand(observation)) if key in titles][: walk.OPTIONS]
    if not keys:
        raise Refused("no_cards")
    chosen = pressed.value if pressed.values and pressed.value in keys else keys[0]
    shown = presenter.looked_up(chosen, look, table.stored.options, observation)
    lines = [MenuLine(key, titles[key], chosen=key == chosen) for key in keys]
    menu = select(pressed.say("cards.choose"), lines, "help", table.id, seat)
    message = page(f"### {shown.title}", shown.scene or "", shown.text, [menu])
    await show_side_answer(pressed, table, message)


# -- the browser ------------------------------------------------------------------------------


@handlers.on("cards-tag")
async def _cards_tag(pressed: Pressed) -> None:
    game, chosen = pressed.game(), pressed.value
    tag = tag_of(game, int(chosen) if chosen.isdecimal() else 0, pressed.locale)
    await pressed.turn(browser(pressed, game, tag))


@handlers.on("cards-game")
async def _cards_game(pressed: Pressed) -> None:
    await pressed.turn(browser(pressed, pressed.chosen_game()))


@handlers.on("cards-page")
async def _cards_page(pressed: Pressed) -> None:
    game = pressed.game()
    tag = tag_of(game, pressed.ref.number(1), pressed.locale)
    await pressed.turn(browser(pressed, game, tag, pressed.ref.number(2)))


@handlers.on("cards-one")
async def _cards_one(pressed: Pressed) -> None:
    game = pressed.game()
    found = find(f"{game}:{pressed.value}", pressed.locale)
    message = await card_message(pressed, found)
    await pressed.private(message)


async def share_card_page(pressed: Pressed, answer: Answer) -> Message:
    """Return a card for everyone, at the level of the newest table in the channel: `share:card:game:key`."""
    ref = pressed.ref
    found = find(f"{ref.word(1)}:{ref.word(2)}", answer.locale)
    here = await answer.service(Tables).in_channel(answer.interaction.channel_id or 0, practice=False)
    options = next((table.stored.options for table in here if table.game.key == found.game), None)
    shown = presenters.get(found.game).card(found.card.key, Look(locale=answer.locale), options)
    return shown_card(answer, found, shown)
