"""**Show here**: what somebody has looked up for themselves, for everybody in the channel.

What is posted is made anew as anybody could look it up: in the language of the channel and as the channel
shows pictures, without the own line of a board, and without what a hand tells of a card.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.custom_ids import InvalidCustomId
from bot.locales import Words
from bot.ui.components import Control, bare, button
from bot.ui.context import Answer, Pressed
from bot.ui.effective_settings import public_locale
from bot.ui.feature_loader import load
from bot.ui.handlers import Handlers
from bot.ui.outbox import Outbox
from bot.ui.rights import SHARER

handlers = Handlers[Pressed]()


@dataclass(slots=True)
class _ForAll(Answer):
    """How an answer reads to everybody: in the language of the channel, and as nobody's own."""

    spoken: str

    @property
    def locale(self) -> str:
        """The language of the channel."""
        return self.spoken

    @property
    def user_id(self) -> int:
        """Nobody."""
        return 0


def share_control(say: Words, answer: tuple[object, ...]) -> Control:
    """Return the button that shows an answer to everyone: `share:name:arguments…`."""
    return button(say("share.here"), "share", *answer, emoji="📣")


@handlers.on("share", who=SHARER)
async def _share(pressed: Pressed) -> None:
    what = pressed.ref.word(0)
    makers = {name: make for feature in load().values() for name, make in feature.shares.items()}
    if what not in makers:
        raise InvalidCustomId(what)
    if not await pressed.first_click():
        return
    pressed.claim_post()
    answer = _ForAll(pressed.app, pressed.interaction, await public_locale(pressed), since=pressed.since)
    message = await makers[what](pressed, answer)
    posted = bare(message, answer.say("share.by", who=f"<@{pressed.user_id}>"))
    pictures = await pressed.service(Outbox).pictures(pressed.interaction.channel_id or 0)
    await pressed.public(posted.fitted(pictures))
