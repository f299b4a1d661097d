"""/games: the open tables of a server, and the lobbies that look for people."""

from __future__ import annotations

from bot import presenters
from bot.table.registry import Tables
from bot.table.table import PAUSES
from bot.table.table_kinds import NOWHERE
from bot.ui.components import Control, Message, button, page
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers
from bot.ui.names import joined, message_url, shown
from bot.ui.navigation import pager
from bot.ui.rights import channels_in_sight

handlers = Handlers[Pressed]()

PER_PAGE = 12


async def games_message(answer: Answer, at: int = 0, *, seeking: bool = False) -> Message:
    """The open tables of this server (or of the person, in a direct message), by page; with `seeking` the
    lobbies for which people are sought."""
    say, guild_id = answer.say, answer.interaction.guild_id
    verb = "seeking" if seeking else "games"
    found, total = await answer.service(Tables).listed(
        guild_id,
        answer.user_id,
        PER_PAGE,
        at * PER_PAGE,
        channels=channels_in_sight(answer.interaction),
        seeking=seeking,
    )
    if not found and at:
        return await games_message(answer, max(0, -(-total // PER_PAGE) - 1), seeking=seeking)
    if not found:
        none = "games.none" if guild_id is not None else "refused.no_table_here"
        return page(say("seeking.none" if seeking else none), _wanting_calls(answer))
    pages = -(-total // PER_PAGE)
    lines = [say("seeking.heading" if seeking else "games.heading")]
    for table in found:
        if not presenters.offers(table.game):
            continue
        title = presenters.get(table.game).title(answer.locale)
        names = joined([shown(name) for name in table.names], answer.locale) or say("games.nobody")
        key, url = ("games.table_in", "") if table.message_id is None else ("games.table", message_url(table))
        if table.channel_id == NOWHERE:
            key = "games.table_yours"
        link = say(key, table=table.id, url=url, channel=f"<#{table.channel_id}>")
        state = say("games.lobby") if table.phase == "lobby" else say("games.live", n=table.acts)
        if table.asleep_at:
            state = say("hand.paused" if table.why in PAUSES else "games.asleep")
        lines.append(say("games.line", link=link, game=title, names=names, state=state))
    return page("\n".join(lines), pager(say, at, pages, verb), _wanting_calls(answer))


def _wanting_calls(answer: Answer) -> list[Control]:
    """What makes the bot call the person when people are sought in this server."""
    if answer.interaction.guild_id is None:
        return []
    return [button(answer.say("seek.on_list"), "seek-on")]


@handlers.on("games")
async def _games(pressed: Pressed) -> None:
    await pressed.turn(await games_message(pressed, pressed.ref.number(0)))


@handlers.on("seeking")
async def _seeking(pressed: Pressed) -> None:
    """Show a page of the lobbies here that look for people."""
    await pressed.turn(await games_message(pressed, pressed.ref.number(0), seeking=True))
