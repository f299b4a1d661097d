"""Open tables, leaderboards and a person's statistics."""

from __future__ import annotations

import discord

from bot import presenters
from bot.render.scene import Look
from bot.render.text import written
from bot.store import people, totals
from bot.store.people import EVERYWHERE
from bot.views.components import Message, page, pager
from bot.views.context import Answer, Handlers, Pressed
from bot.views.names import joined, message_url, plain, shown
from bot.views.share import share_row
from bot.views.stats import board_picture, stats_picture

handlers = Handlers[Pressed]()

ROWS = 10
PER_PAGE = 12
LAST = 10
"""How many of the last games are shown one by one."""


async def games_message(answer: Answer, at: int = 0) -> Message:
    """The open tables of this server (or of the person, in a direct message), by page."""
    say, guild_id = answer.say, answer.interaction.guild_id
    found, total = await answer.tables.listed(guild_id, answer.user_id, PER_PAGE, at * PER_PAGE)
    if not found and at:
        return await games_message(answer, max(0, -(-total // PER_PAGE) - 1))
    if not found:
        return page(say("games.none"))
    pages = -(-total // PER_PAGE)
    lines = [say("games.heading")]
    for table in found:
        if not presenters.offers(table.game):
            continue
        title = presenters.get(table.game).title(answer.locale)
        names = joined([shown(name) for name in table.names], answer.locale)
        key, url = ("games.table_in", "") if table.message_id is None else ("games.table", message_url(table))
        link = say(key, table=table.id, url=url, channel=f"<#{table.channel_id}>")
        state = say("games.lobby") if table.phase == "lobby" else say("games.live", n=table.acts)
        lines.append(say("games.line", link=link, game=title, names=names, state=state))
    return page("\n".join(lines), pager(say, at, pages, "games"))


@handlers.on("games")
async def _games(pressed: Pressed) -> None:
    await pressed.turn(await games_message(pressed, pressed.ref.number(0)))


async def leaderboard_message(answer: Answer, game: str, *, everywhere: bool, at: int = 0) -> Message:
    """A page of the leaderboard as a picture, in words for those who cannot see it.

    Below it stands the own line of who asks, if that is on another page. Somebody who has never finished
    a game in this server is not named in it.
    """
    say, here = answer.say, answer.interaction.guild_id or 0
    guild_id = EVERYWHERE if everywhere else here
    found = await answer.app.database.read_at_once(
        lambda c: totals.leaderboard(c, game, guild_id, rows=ROWS, page=at, asker=answer.user_id, here=here)
    )
    scene = board_picture(found, game, answer.user_id, Look(locale=answer.locale), here=bool(guild_id))
    scope = "server" if guild_id else "all"
    controls = pager(say, found.page, found.pages, "board", game, scope)
    controls += share_row(answer, "board", game, scope, found.page)
    return page(scene, controls, picture_name="board.png")


@handlers.on("board")
async def _board(pressed: Pressed) -> None:
    game = pressed.game()
    message = await leaderboard_message(
        pressed, game, everywhere=pressed.ref.word(1) == "all", at=pressed.ref.number(2)
    )
    await pressed.turn(message)


async def stats_message(answer: Answer, person: discord.abc.User) -> Message:
    """How a person has done in each game: with people, against opponents, hands won, streaks."""
    guild_id = answer.interaction.guild_id or EVERYWHERE
    found, last, rated = await answer.app.database.read_at_once(
        lambda c: (
            totals.of_person(c, person.id, guild_id),
            totals.last_games(c, person.id, guild_id, LAST),
            people.ratings_of(c, person.id, guild_id),
        )
    )
    name, look = plain(person.display_name), Look(locale=answer.locale)
    scene = stats_picture(name, found, last, rated, look, here=bool(guild_id))
    # the picture bears the name, unless our fonts cannot write it
    heading = "" if written(name) else f"### {shown(person.display_name)}"
    # those of somebody else are for them to show
    share = share_row(answer, "stats") if person.id == answer.user_id else []
    return page(heading, scene, share, picture_name="stats.png")
