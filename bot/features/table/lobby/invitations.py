"""Invitations to a lobby: notifying people, and marking invitations as expired."""

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
    """Notify people of a table by their preferred notification, or in the channel.

    `key` names the text and `controls` are its buttons, by default an invitation to come. `expired_key` names
    the text shown once the table has closed. If notifying fails, the requests counted for people whom it has
    not reached (`Contacts.ask`) are taken back.
    """
    say = words(table.stored.locale)

    def text(say: Words) -> str:
        game, host = presenters.title(table.game.key, say.language), answer.interaction.user.display_name
        invitation = say(key, host=shown(host), game=game, table=table.id)
        counts = say("friendly.friendly" if is_friendly(table) else "friendly.counts")
        return f"{invitation}\n-# {counts}" if can_count(table) else invitation

    def links(say: Words) -> Sequence[Control]:
        return [way_to(table, say)]

    come = come_button(say, table)
    pings = {user: (await answer.app.preferences.of(user)).pings for user in called}
    direct = [user for user in called if pings[user] == "direct"]
    if direct and not answer.interaction.response.is_done():
        await answer.acknowledge()  # sending direct messages may take longer than Discord waits for an answer
    messenger, locale = answer.service(TablePublisher).messenger, table.stored.locale
    deliveries = (messenger.write_to(user, text, links, locale=locale) for user in direct)
    results = await asyncio.gather(*deliveries)
    reached_directly = {user for user, delivered in zip(direct, results, strict=True) if delivered}
    # people who accept no direct messages are mentioned in the channel, or they would never know
    aloud = [user for user in called if pings[user] != "none" and user not in reached_directly]
    try:
        message_id = await answer.notify(
            Notification(mentioning(called, text(say)), [*(controls or [come]), *links(say)], users=aloud)
        )
    except BaseException:
        await answer.service(Tables).contacts.take_back(answer.user_id, set(called) - reached_directly)
        raise
    place = Place(answer.interaction.channel_id or 0, answer.interaction.guild_id, message_id)
    answer.service(TablePublisher).calls.posted(table, place, expired_key)


async def expire_if_closed(pressed: Pressed, table: Table, key: str) -> bool:
    """Replace an invitation with these words if its table has closed. Return whether it has.

    The invitation may be from before a restart, so nothing else knows where it was posted.
    """
    if table.phase in OPEN_PHASES:
        return False
    if not pressed.offers(pressed.custom_id):
        table.must_be("lobby")
    say = words(table.stored.locale)
    text = say(key, game=title_of(table), table=table.id)
    await pressed.update(page(text, accent=None))
    return True
