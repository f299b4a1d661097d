"""Opening a lobby, from /play or from **Play again**."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import discord
import structlog

from bot.store.database import StoreTrouble
from bot.store.terms import DAY, Terms
from bot.tables import lobby
from bot.tables.ports import Refused
from bot.views.context import Answer
from bot.views.errors import MissingPermissions, missing_permissions
from bot.views.lobby import fresh_name
from bot.views.names import plain
from bot.views.outbox import Place
from engine.game import Value

log = structlog.get_logger(__name__)


async def open_lobby(
    answer: Answer,
    game: str,
    *,
    options: Mapping[str, Value],
    clock: int = DAY,
    opponents: Sequence[str] = (),
) -> None:
    """Answer with a new lobby in which the person sits as host; `clock` are the seconds of a turn.

    `opponents` are the levels of computer opponents that take seats at once.

    Raises:
        Refused: the bot is no member of this server.
        MissingPermissions: it may not post tables in this channel.
        IllegalSetup: the options do not go together.
    """
    interaction = answer.interaction
    channel = interaction.channel
    if interaction.is_user_integration() and not interaction.is_guild_integration() and interaction.guild_id:
        raise Refused("need_guild_install")
    if interaction.guild_id is None and interaction.context.private_channel:
        raise Refused("need_guild_install")
    in_thread = isinstance(channel, discord.Thread)
    if interaction.guild_id is not None and (
        missing := missing_permissions(interaction.app_permissions, in_thread=in_thread)
    ):
        raise MissingPermissions(missing)
    if interaction.channel_id is None:
        raise Refused("need_guild_install")
    locale = (interaction.guild_locale or interaction.locale).value
    table = await answer.tables.new(
        game,
        host_id=interaction.user.id,
        host_name=plain(interaction.user.display_name),
        entropy=interaction.id,
        channel_id=interaction.channel_id,
        guild_id=interaction.guild_id,
        locale=locale,
        options=options,
        terms=Terms(clock=clock, in_thread=in_thread),
    )
    publisher = answer.app.publisher
    # from here on the lobby has a message: this answer, or one that is posted where the answer is lost
    async with publisher.answering(table) as showing:
        try:
            for level in opponents:
                await lobby.add_opponent(table, interaction.user.id, level, fresh_name(table))
        except StoreTrouble as found:
            log.warning("lobby opened with fewer opponents", table=table.id, kind=found.kind)
        response = await answer.public(showing.message())
        if response.message_id is not None:
            now = publisher.outbox.clock.now()
            here = Place(interaction.channel_id, interaction.guild_id, response.message_id, now)
            await showing.stands(here)
