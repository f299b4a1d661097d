"""**Show here**: what somebody has looked up for themselves, for everybody in the channel.

What is posted is made anew as anybody could look it up: in the language of the channel and as the channel
shows pictures, without the own line of a board, and without what a hand tells of a card.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from bot import presenters
from bot.render.scene import Look
from bot.views.components import Message, bare
from bot.views.context import Answer, Handlers, Pressed
from bot.views.ids import Forged
from bot.views.local import public_locale
from bot.views.presses.daily import shared
from bot.views.presses.lookup import find, shown_card
from bot.views.presses.standings import Scope, leaderboard_message, stats_message
from bot.views.rules import rules_message
from bot.views.share import must_share

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


async def _card(pressed: Pressed, answer: Answer) -> Message:
    """`share:card:game:key`, at the level of the newest table of that game in the channel."""
    ref = pressed.ref
    found = find(f"{ref.word(1)}:{ref.word(2)}", answer.locale)
    here = await answer.tables.in_channel(answer.interaction.channel_id or 0)
    options = next((table.stored.options for table in here if table.game.key == found.game), None)
    shown = presenters.get(found.game).card(found.card.key, Look(locale=answer.locale), options)
    return shown_card(answer, found, shown)


async def _rules(pressed: Pressed, answer: Answer) -> Message:
    """`share:rules:game:table:part`."""
    table = await pressed.table(2) if pressed.ref.number(2) else None
    return rules_message(pressed.game(1), answer.locale, pressed.ref.number(3), table=table)


async def _board(pressed: Pressed, answer: Answer) -> Message:
    """`share:board:game:scope:page`."""
    game = pressed.game(1)
    return await leaderboard_message(
        answer, game, Scope.read(pressed.ref.word(2), game), pressed.ref.number(3)
    )


async def _stats(pressed: Pressed, answer: Answer) -> Message:
    """`share:stats` or `share:stats:rivals`: one's own."""
    rivals = pressed.ref.word(1) == "rivals"
    return await stats_message(answer, pressed.interaction.user, rivals=rivals)


_Maker: TypeAlias = Callable[[Pressed, Answer], Awaitable[Message]]
_SHOWN: dict[str, _Maker] = {
    "card": _card,
    "rules": _rules,
    "board": _board,
    "stats": _stats,
    "daily": shared,
}


@handlers.on("share")
async def _share(pressed: Pressed) -> None:
    what = pressed.ref.word(0)
    if what not in _SHOWN:
        raise Forged(what)
    must_share(pressed.interaction)
    if not await pressed.first_click():
        return
    answer = _ForAll(pressed.app, pressed.interaction, await public_locale(pressed), since=pressed.since)
    message = await _SHOWN[what](pressed, answer)
    posted = bare(message, answer.say("share.by", who=f"<@{pressed.user_id}>"))
    pictures = await pressed.app.publisher.outbox.pictures(pressed.interaction.channel_id or 0)
    await pressed.public(posted.fitted(pictures))
