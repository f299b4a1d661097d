"""To whom a game is owed."""

from __future__ import annotations

from bot.features.about.messages import about_message
from bot.ui.context import Handlers, Pressed

handlers = Handlers[Pressed]()


@handlers.on("about-game")
async def _game(pressed: Pressed) -> None:
    await pressed.turn(about_message(pressed.locale, pressed.chosen_game()))
