"""Open tables, leaderboards and a person's record."""

from __future__ import annotations

import discord

from bot import presenters
from bot.locales import Words
from bot.render.boards import Board, BoardRow, board_scene
from bot.render.scene import Look
from bot.store import totals
from bot.store.people import EVERYWHERE, Rating
from bot.store.totals import Total
from bot.views.components import Message, page, pager
from bot.views.context import Answer, Handlers, Pressed
from bot.views.names import joined, message_url, plain, shown

handlers = Handlers[Pressed]()

ROWS = 10
PER_PAGE = 12
RATED_AFTER = 5
"""A rating is shown from so many games on."""


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
        link = f"<#{table.channel_id}>" if table.message_id is None else message_url(table)
        state = say("games.lobby") if table.phase == "lobby" else say("games.live", n=table.acts)
        lines.append(say("games.line", table=table.id, game=title, names=names, state=state, link=link))
    if pages > 1:
        lines.append(say("hand.page", page=at + 1, pages=pages))
    return page("\n".join(lines), pager(say, at, pages, "games"))


@handlers.on("games")
async def _games(pressed: Pressed) -> None:
    await pressed.turn(await games_message(pressed, pressed.ref.number(0)))


def _share(won: int, played: int) -> str:
    return f"{100 * won // played} %"


def _friendly(rating: Rating | None, say: Words) -> str:
    """A rating as people read it: 1000 for who knows nothing yet, and nothing while few games say little."""
    if rating is None or rating.games < RATED_AFTER:
        return say("board.new")
    return str(max(0, round(1000 + 40 * (rating.mu - 3 * rating.sigma))))


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
    rows = []
    for line in (*found.places, *([found.own] if found.own else [])):
        own = line.user_id == answer.user_id
        figures = (str(line.wins), str(line.games), _share(line.wins, line.games))
        rows.append(
            BoardRow(
                rank=str(line.place) if line.place else "",
                name=plain(line.name) if line.known or own else say("board.elsewhere"),
                figures=(*figures, _friendly(line.rating, say)),
                own=own,
                plain=say("board.you") if own else say("board.person", n=line.place),
            )
        )
    place = say("board.here") if guild_id else say("board.everywhere")
    board = Board(
        title=say("board.title", game=presenters.get(game).title(answer.locale)),
        subtitle=say("board.counted", place=place),
        columns=tuple(say(f"board.{key}") for key in ("wins", "games", "share", "rating")),
        rows=tuple(rows),
        empty=say("board.empty"),
        footer=say("board.footer", n=RATED_AFTER),
    )
    controls = pager(say, found.page, found.pages, "board", game, "server" if guild_id else "all")
    foot = say("hand.page", page=found.page + 1, pages=found.pages) if found.pages > 1 else ""
    return page(board_scene(board, Look(locale=answer.locale)), foot, controls, picture_name="board.png")


@handlers.on("board")
async def _board(pressed: Pressed) -> None:
    game = pressed.game()
    message = await leaderboard_message(
        pressed, game, everywhere=pressed.ref.word(1) == "all", at=pressed.ref.number(2)
    )
    await pressed.turn(message)


async def stats_message(answer: Answer, person: discord.abc.User) -> Message:
    """How a person has done in each game: with people, against opponents, hands won, streaks."""
    say, guild_id = answer.say, answer.interaction.guild_id or EVERYWHERE
    found = await answer.app.database.read_at_once(lambda c: totals.of_person(c, person.id, guild_id))
    board = Board(
        title=plain(person.display_name),
        subtitle=say("board.stats_here") if guild_id else say("board.everywhere"),
        columns=tuple(say(f"board.{key}") for key in ("won", "practice", "hands", "streak", "best")),
        rows=tuple(
            _stats_row(found[game], game, answer.locale) for game in presenters.offered() if game in found
        ),
        empty=say("board.no_stats"),
        footer=say("board.stats_footer"),
    )
    heading = f"### {shown(person.display_name)}"
    return page(heading, board_scene(board, Look(locale=answer.locale)), picture_name="stats.png")


def _stats_row(total: Total, game: str, locale: str) -> BoardRow:
    return BoardRow(
        rank="",
        name=presenters.get(game).title(locale),
        figures=(
            f"{total.wins}/{total.games}",
            f"{total.practice_wins}/{total.practice}",
            str(total.hands) if total.hands else "–",  # few games count hands
            str(total.streak),
            str(total.best_streak),
        ),
    )
