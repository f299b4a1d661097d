"""What holds where somebody presses: the settings of the channel, before those of its server."""

from __future__ import annotations

from bot import presenters
from bot.store.servers import Opening, Server
from bot.views.context import Answer
from bot.views.rights import home_channel


async def server_here(answer: Answer) -> Server:
    """What holds in this server; the defaults in direct messages."""
    guild_id = answer.interaction.guild_id
    return await answer.app.preferences.servers.of(guild_id) if guild_id is not None else Server()


async def opening_here(answer: Answer) -> Opening:
    """How tables begin in this channel."""
    if answer.interaction.guild_id is None:
        return Opening()
    channel = await answer.app.preferences.openings.of(home_channel(answer.interaction))
    return channel.before(await server_here(answer))


async def public_locale(answer: Answer) -> str:
    """The language in which the bot speaks to everybody here: as it is set, or as Discord says it of the
    server; in direct messages that of the person."""
    said = (await opening_here(answer)).locale
    if said is not None:
        return said
    found = answer.interaction.guild_locale
    return found.value if found is not None else answer.locale


def games_of(server: Server) -> tuple[str, ...]:
    """The games that may be opened in this server; all, where none of those that it chose can be played."""
    every = presenters.offered()
    return tuple(game for game in every if game in server.games) or every
