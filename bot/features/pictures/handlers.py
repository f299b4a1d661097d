"""**Try the picture again** under an answer whose pictures are missing."""

from __future__ import annotations

from bot import custom_ids as ids
from bot.core.errors import Refused
from bot.locales import Words
from bot.ui.context import Pressed
from bot.ui.handlers import Handlers

handlers = Handlers[Pressed]()


def retry_id(_say: Words, answer: tuple[int, int]) -> str:
    """Return the custom id of **Try the picture again** below an answer."""
    return ids.make("repaint", *answer)


@handlers.on("repaint")
async def _repaint(pressed: Pressed) -> None:
    """Paint the pictures of an answer again: `repaint:interaction:number`."""
    answer = pressed.app.unpainted.get(pressed.custom_id)
    if answer is None or not pressed.offers(pressed.custom_id):
        raise Refused("picture_gone")
    pressed.retry = pressed.custom_id  # in case they are missing again
    await pressed.update(answer.message, keep_files=True)
