"""Invitations to a lobby: calling people to its table, and what an expired invitation says."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bot import presenters
from bot.features.table.lobby.messages import come_button
from bot.features.table.names import title_of
from bot.features.table.publishing.publisher import TablePublisher, way_to
from bot.features.table.terms import can_count
from bot.locales import Words, words
from bot.store.games import OPEN_PHASES
from bot.table.people.friendly_games import is_friendly
from bot.table.registry import Tables
from bot.table.table import Table
from bot.ui.components import Control, page
from bot.ui.context import Answer, Pressed
from bot.ui.live.messenger import mentioning
from bot.ui.names import shown
from bot.ui.notification import Notification
from bot.ui.outbox import Place


async def call_people(
    answer: Answer,
    table: Table,
    called: Sequence[int],
    key: str = "lobby.invitation",
    controls: Sequence[Control] = (),
    *,
    expired_key: str = "lobby.invitation_lapsed",
) -> None:
    """Call people to a table, each in the way that they chose, or aloud.

    `key` names the words, `controls` are what they press, for an invitation that they come, and `expired_key`
    names the words shown once the table has closed. The requests that were counted for them (`Contacts.ask`)
    are taken back where it fails before they have heard of it.
    """
    say = words(table.stored.locale)

    def text(say: Words) -> str:
        game, host = presenters.title(table.game.key, say.language), answer.interaction.user.display_name
        called_to = say(key, host=shown(host), game=game, table=table.id)
        counts = say("friendly.friendly" if is_friendly(table) else "friendly.counts")
        return f"{called_to}\n-# {counts}" if can_count(table) else called_to

    def ways_to(say: Words) -> Sequence[Control]:
        return [way_to(table, say)]

    come = come_button(say, table)
    ways = {user: (await answer.app.preferences.of(user)).pings for user in called}
    direct = [user for user in called if ways[user] == "direct"]
    if direct and not answer.interaction.response.is_done():
        await answer.acknowledge()  # writing to people may take longer than an answer may
    messenger, locale = answer.service(TablePublisher).messenger, table.stored.locale
    letters = (messenger.write_to(user, text, ways_to, locale=locale) for user in direct)
    reached = await asyncio.gather(*letters)
    alone = {user for user, was in zip(direct, reached, strict=True) if was}
    # people who accept no direct messages are mentioned in the channel, or they would never hear of it
    aloud = [user for user in called if ways[user] != "none" and user not in alone]
    try:
        message_id = await answer.notify(
            Notification(mentioning(called, text(say)), [*(controls or [come]), *ways_to(say)], users=aloud)
        )
    except BaseException:
        await answer.service(Tables).contacts.take_back(answer.user_id, set(called) - alone)
        raise
    here = Place(answer.interaction.channel_id or 0, answer.interaction.guild_id, message_id)
    answer.service(TablePublisher).calls.posted(table, here, expired_key)


async def expire_if_closed(pressed: Pressed, table: Table, key: str) -> bool:
    """Replace an invitation by these words if its table has closed. Return whether it has.

    The invitation may be from before a restart, so nothing else knows where it was posted.
    """
    if table.phase in OPEN_PHASES:
        return False
    if not pressed.offers(pressed.custom_id):
        table.must_be("lobby")
    say = words(table.stored.locale)
    told = say(key, game=title_of(table), table=table.id)
    await pressed.update(page(told, accent=None))
    return True
