"""**Try the picture again** under an answer whose pictures are missing."""

from __future__ import annotations

from bot.core.errors import Refused
from bot.ui.context import REPAINT, Pressed
from bot.ui.handlers import Handlers

handlers = Handlers[Pressed]()


@handlers.on(REPAINT)
async def _repaint(pressed: Pressed) -> None:
    """Paint the pictures of an answer again: `repaint:interaction:number`."""
    answer = pressed.app.unpainted.get(pressed.custom_id)
    if answer is None or not pressed.offers(pressed.custom_id):
        raise Refused("picture_gone")
    await pressed.update(answer.message, keep_files=True)
