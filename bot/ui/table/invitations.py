"""Invitations to a lobby: calling people to its table, and what an expired invitation says."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from discord import ButtonStyle

from bot.locales import words
from bot.store.games import OPEN_PHASES
from bot.tables.table import Table
from bot.ui import custom_ids as ids
from bot.ui.components import Control, button, page
from bot.ui.context import Answer, Pressed
from bot.ui.live.publisher import TablePublisher, way_to
from bot.ui.names import joined, shown
from bot.ui.notification import Notification
from bot.ui.outbox import Place


async def call_people(
    answer: Answer,
    table: Table,
    called: Sequence[int],
    key: str = "lobby.invitation",
    controls: Sequence[Control] = (),
    *,
    counted: str,
    expired_key: str = "lobby.invitation_lapsed",
) -> None:
    """Call people to a table, each in the way that they chose, or aloud.

    `key` names the words, `controls` are what they press, for an invitation that they come, and `expired_key`
    names the words shown once the table has closed. As `counted` they count as called for a while, unless it
    fails before they have heard of it.
    """
    say = words(table.stored.locale)
    text = say(
        key,
        names=joined([f"<@{user}>" for user in called], table.stored.locale),
        host=shown(answer.interaction.user.display_name),
        game=answer.app.title(table),
        table=table.id,
    )
    come = button(say("lobby.come"), ids.make("come", table.id), style=ButtonStyle.success)
    ways = {user: (await answer.app.preferences.of(user)).pings for user in called}
    direct = [user for user in called if ways[user] == "direct"]
    if direct and not answer.interaction.response.is_done():
        await answer.acknowledge()  # writing to people may take longer than an answer may
    write_to = answer.app.service(TablePublisher).write_to
    reached = await asyncio.gather(*(write_to(user, text, [way_to(table)]) for user in direct))
    alone = {user for user, was in zip(direct, reached, strict=True) if was}
    # people who accept no direct messages are mentioned in the channel, or they would never hear of it
    aloud = [user for user in called if ways[user] != "none" and user not in alone]
    try:
        message_id = await answer.notify(
            Notification(text, [*(controls or [come]), way_to(table)], users=aloud)
        )
    except BaseException:
        for user in set(called) - alone:
            answer.app.debouncer.cancel_cooldown(user, counted)
        raise
    here = Place(answer.interaction.channel_id or 0, answer.interaction.guild_id, message_id)
    answer.app.service(TablePublisher).calls.posted(table, here, expired_key)


async def expire_if_closed(pressed: Pressed, table: Table, key: str) -> bool:
    """Replace an invitation by these words if its table has closed. Return whether it has.

    The invitation may be from before a restart, so nothing else knows where it was posted.
    """
    if table.phase in OPEN_PHASES:
        return False
    if not pressed.offers(pressed.custom_id):
        table.must_be("lobby")
    say = words(table.stored.locale)
    told = say(key, game=pressed.app.title(table), table=table.id)
    await pressed.update(page(told, accent=None))
    return True
