"""Private answers about a table that replace the hand for a moment: a reason, the log, a closer look, a card.

They replace the hand that was pressed, or the one open in this channel, and have a button back to it. If
there is neither, they are sent as a new private message.
"""

from __future__ import annotations

from bot.features.table.hand.open_hands import OpenHands
from bot.table.table import Table
from bot.ui.components import Control, Message, button
from bot.ui.context import Pressed


async def show_side_answer(pressed: Pressed, table: Table, message: Message, *controls: Control) -> None:
    """Answer with a message about the table, with these controls before the button back to the hand.

    A hand is not updated while it is replaced.
    """
    seats, hands, row = table.seats_of(pressed.user_id), pressed.service(OpenHands), list(controls)
    if seats and table.state is not None:
        label = pressed.say("hand.back_to")
        row.append(button(label, "hand", table.id, seats[0], emoji="🃏"))
    message.add_row(row)
    if pressed.from_private:
        pressed_message = pressed.interaction.message
        if pressed_message is not None:
            await hands.close_hand(table, pressed.user_id, pressed_message.id)
        await pressed.update(message)
        return
    if hands.is_open(table, pressed.user_id, pressed.interaction.channel_id):
        if not pressed.interaction.response.is_done():
            await pressed.acknowledge()
        if await hands.show_instead(table, pressed.user_id, message):
            return
    await pressed.private(message)
