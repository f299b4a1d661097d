"""Cards and rules as they are shown to everybody in the channel."""

from __future__ import annotations

from bot import presenters
from bot.features.lookups.handlers import find, shown_card
from bot.features.lookups.rules_messages import rules_message
from bot.render.scene import Look
from bot.ui.components import Message
from bot.ui.context import Answer, Pressed


async def share_card_page(pressed: Pressed, answer: Answer) -> Message:
    """`share:card:game:key`, at the level of the newest table of that game in the channel."""
    ref = pressed.ref
    found = find(f"{ref.word(1)}:{ref.word(2)}", answer.locale)
    here = await answer.tables.in_channel(answer.interaction.channel_id or 0, practice=False)
    options = next((table.stored.options for table in here if table.game.key == found.game), None)
    shown = presenters.get(found.game).card(found.card.key, Look(locale=answer.locale), options)
    return shown_card(answer, found, shown)


async def share_rules(pressed: Pressed, answer: Answer) -> Message:
    """`share:rules:game:table:part`."""
    table = await pressed.table(2) if pressed.ref.number(2) else None
    return rules_message(pressed.game(1), answer.locale, pressed.ref.number(3), table=table)
