"""Opening a table: a lobby from /play or **Play again**, or a table that is dealt at once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import discord
import structlog
from msgspec.structs import replace

from bot.core.errors import Refused
from bot.features.table.hand.handlers import open_hand
from bot.features.table.publishing.publisher import TablePublisher
from bot.features.table.publishing.threads import dealt_in, thread_beside, thread_under
from bot.store.database import StoreError
from bot.store.games import Sitter
from bot.store.terms import DAY, Access, Terms
from bot.table import lobby
from bot.table.opener import TableOpener
from bot.table.table import Table
from bot.table.table_kinds import NOWHERE, is_hand_only
from bot.ui import rights
from bot.ui.components import page
from bot.ui.context import Answer, Pressed
from bot.ui.discord_errors import NOT_DONE, MissingPermissions, missing_permissions, reason
from bot.ui.effective_settings import games_of, opening_here, public_locale, server_here
from bot.ui.names import plain
from bot.ui.outbox import Place
from engine.game import Value

log = structlog.get_logger(__name__)

POSTED_SECONDS = 1.0
"""Maximum number of seconds that a hand waits for its table to be posted above it."""
THREAD_POSTED_SECONDS = 2.0
"""Maximum number of seconds that a lobby waits for its table to be posted in the thread."""


async def open_lobby(
    answer: Answer,
    game: str,
    *,
    options: Mapping[str, Value],
    clock: int | None = None,
    hints: bool = True,
    opponents: Sequence[Sitter] = (),
    order: Sequence[int] = (),
    house_rules: str = "",
    access: Access | None = None,
    guests: Sequence[int] = (),
    seats: int = 0,
    seeks: bool = False,
    friendly: bool = False,
    counting: Sequence[int] = (),
) -> Table:
    """Answer with a new lobby hosted by the person, and return its table.

    Args:
        clock: seconds per turn, None for the usual clock here.
        hints: True if a solo player may ask for hints.
        opponents: computer opponents that take seats at once.
        order: the seats of an earlier table, see `Terms`.
        house_rules: the name of the house rules that the options are.
        access: the people who may sit down, None for the usual access here.
        guests: people who are invited.
        seats: the number of seats, 0 for as many as the game takes.
        seeks: True if the table is looking for players.
        friendly: True if the game changes no ratings.
        counting: people who agree that it counts.

    Raises:
        Refused: the bot is not a member of this server, or such a table may not be opened here.
        MissingPermissions: the bot may not post tables in this channel.
        IllegalSetup: the options do not go together.
    """
    room = await find_room(answer, game, clock, hints=hints)
    interaction = answer.interaction
    table = await answer.service(TableOpener).open_lobby(
        game,
        host_id=answer.user_id,
        host_name=plain(interaction.user.display_name),
        entropy=interaction.id,
        channel_id=room.channel_id,
        guild_id=interaction.guild_id,
        locale=room.locale,
        options=options,
        terms=replace(
            room.terms,
            order=tuple(order),
            house_rules=house_rules,
            thread=room.thread_for(access or room.access),
            access=access or room.access,
            guests=tuple(guests),
            seats=seats,
            seeks=seeks,
            friendly=friendly,
            counting=tuple(counting),
        ),
        opponents=opponents,
    )
    publisher = answer.service(TablePublisher)
    # now the lobby gets a message: this answer, or one that is posted if the answer is lost
    async with publisher.answering(table) as showing:
        message_id = await answer.public(await showing.message())
        if message_id is not None:
            now = publisher.outbox.clock.now()
            await showing.adopt(Place(room.channel_id, interaction.guild_id, message_id, now))
    return table


async def start_and_show(pressed: Pressed, table: Table, *, greeting: str = "") -> None:
    """Start a table that has just been opened, and show it to everyone with the person's hand below it.

    The greeting stays above the hand until the first press. If tables here open threads, this one is in a
    thread. A table played only in the hand is shown to no one else.
    """
    if is_hand_only(table):
        await lobby.start(table, pressed.user_id)
        greeting = f"{greeting}\n{pressed.say('hand.yours_alone')}".strip()
        await open_hand(pressed, table, table.seats_of(pressed.user_id)[0], greeting=greeting)
        return
    thread = None
    async with pressed.service(TablePublisher).answering(table):
        await lobby.start(table, pressed.user_id)
        if table.stored.terms.thread:
            thread = await thread_beside(pressed, table)
    if thread is not None:
        greeting = f"{greeting}\n{pressed.say('lobby.in_thread', thread=thread.mention)}".strip()
    await show_table_and_hand(pressed, table, greeting=greeting)


async def show_table_and_hand(pressed: Pressed, table: Table, *, greeting: str = "") -> None:
    """Show everyone a table that was just dealt, with the person's hand below it."""
    publisher = pressed.service(TablePublisher)
    # this puts the hand below the table; if posting takes long or fails, the hand comes first and says so
    with suppress(TimeoutError, StoreError, *NOT_DONE):
        async with asyncio.timeout(POSTED_SECONDS):
            await publisher.ensure_posted(table)
    await open_hand(pressed, table, table.seats_of(pressed.user_id)[0], greeting=greeting)


@dataclass(frozen=True, slots=True)
class Room:
    """The place and terms of a new table: its channel, its public language and its terms.

    For a lobby, also its access, whether it opens a thread at the start, and whether a thread can be hidden.
    """

    channel_id: int
    locale: str
    terms: Terms
    thread: bool
    access: Access
    hides: bool

    def thread_for(self, access: Access) -> bool:
        """Return whether a lobby opens a thread. A private one does if that thread can be hidden."""
        return self.hides if access == "private" else self.thread


async def find_room(
    answer: Answer,
    game: str,
    clock: int | None,
    *,
    hints: bool = True,
    posts: bool = True,
    hand_only: bool = False,
) -> Room:
    """Return the place and terms of a new table of this game, with the usual clock if `clock` is not given.

    With `posts`, this interaction posts it now. With `hand_only`, only the hand shows the table and no clock
    runs, since no one else plays.

    Raises:
        Refused: the bot is not a member of this server, or such a table may not be opened here.
        MissingPermissions: the bot may not post tables in this channel.
    """
    interaction = answer.interaction
    channel = interaction.channel
    if interaction.is_user_integration() and not interaction.is_guild_integration() and interaction.guild_id:
        raise Refused("need_guild_install")
    if interaction.guild_id is None and interaction.context.private_channel:
        raise Refused("need_guild_install")
    server = await server_here(answer)
    rights.must_open(interaction, game, server, games_of(server), answer.locale, posts=not hand_only)
    if hand_only:
        solo_terms = Terms(hints=hints, hand_only=True)
        return Room(NOWHERE, answer.locale, solo_terms, thread=False, access="open", hides=False)
    in_thread = isinstance(channel, discord.Thread)
    if interaction.guild_id is not None and (
        missing := missing_permissions(interaction.app_permissions, in_thread=in_thread)
    ):
        raise MissingPermissions(missing)
    if interaction.channel_id is None:
        raise Refused("need_guild_install")
    if posts:
        answer.claim_post()
    usual = await opening_here(answer)
    seconds = next(value for value in (clock, usual.clock, DAY) if value is not None)
    # a setting never keeps anyone from playing: if the bot may not open threads, the table stays here
    thread = bool(usual.thread) and not in_thread
    thread = thread and not missing_permissions(interaction.app_permissions, thread=True)
    terms = Terms(clock=seconds, hints=hints, in_thread=in_thread)
    in_server = interaction.guild_id is not None
    access: Access = usual.access or "open" if in_server else "open"
    hides = in_server and not in_thread and rights.can_hide(interaction)
    return Room(interaction.channel_id, await public_locale(answer), terms, thread, access, hides)


async def deal_if_complete(pressed: Pressed, table: Table) -> bool:
    """Deal once everyone has joined, in a thread under the lobby if the table opens one.

    Return whether it opened one. Then the interaction is answered and the lobby links to the thread. If
    Discord opens none, the game continues in the channel of the lobby.

    Raises:
        Refused, StoreError: as `bot.table.lobby.deal_if_complete`.
    """
    stored, publisher = table.stored, pressed.service(TablePublisher)
    if not stored.terms.thread or stored.message_id is None or not lobby.is_complete(table):
        await lobby.deal_if_complete(table)
        return False
    channel = publisher.outbox.channel(Place(stored.channel_id, stored.guild_id))
    lobby_message = channel.get_partial_message(stored.message_id)
    async with publisher.answering(table):  # show the game only once there is a thread
        if not await lobby.deal_if_complete(table):
            return False
        with suppress(*NOT_DONE):  # only the answer is lost
            await pressed.acknowledge()
        thread = await thread_under(pressed, table, lobby_message)
    if thread is None:
        return False
    with suppress(TimeoutError, StoreError, *NOT_DONE):  # so that notifications can link to it
        async with asyncio.timeout(THREAD_POSTED_SECONDS):
            await publisher.ensure_posted(table)
    await publisher.outbox.token(pressed=True)
    try:
        await lobby_message.edit(view=page(dealt_in(table, thread)).view, attachments=[])
    except NOT_DONE as error:
        log.info("lobby does not lead to its thread", table=table.id, why=reason(error))
    return True
