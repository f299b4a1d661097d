"""Open tables, leaderboards and a person's record."""

from __future__ import annotations

import discord

from bot import presenters
from bot.render.boards import Board, BoardRow, board_scene
from bot.render.scene import Look
from bot.store import people
from bot.store.people import EVERYWHERE, Score
from bot.views.names import joined, plain, shown, table_url
from bot.views.parts import Message, page, pager
from bot.views.router import Answer, Pressed, on
from engine import catalog

ROWS = 10
PER_PAGE = 12


def games_message(answer: Answer, at: int = 0) -> Message:
    """The open tables of this server (or of the person, in a direct message), by page."""
    say, guild_id = answer.say, answer.interaction.guild_id
    tables = answer.hall.in_guild(guild_id) if guild_id else answer.hall.of_user(answer.user_id)
    if not tables:
        return page(say("games.none"))
    pages = -(-len(tables) // PER_PAGE)
    at = min(at, pages - 1)
    lines = [say("games.heading")]
    for table in tables[at * PER_PAGE : (at + 1) * PER_PAGE]:
        title = presenters.get(table.game.key).title(answer.locale)
        names = joined([shown(sitter.name) for sitter in table.sitters], answer.locale)
        link = f"<#{table.stored.channel_id}>"
        if table.stored.message_id is not None:
            link = table_url(table)
        state = say("games.lobby") if table.phase == "lobby" else say("games.live", n=table.acts)
        lines.append(say("games.line", table=table.id, game=title, names=names, state=state, link=link))
    if pages > 1:
        lines.append(say("hand.page", page=at + 1, pages=pages))
    return page("\n".join(lines), pager(say, at, pages, "games"))


@on("games")
async def _games(pressed: Pressed) -> None:
    await pressed.turn(games_message(pressed, pressed.ref.number(0)))


def _share(won: int, played: int) -> str:
    return f"{100 * won // played} %" if played else "–"


async def leaderboard_message(answer: Answer, game: str, *, everywhere: bool, at: int = 0) -> Message:
    """A page of the leaderboard as a picture, in words for those who cannot see it."""
    say, guild_id = answer.say, None if everywhere else answer.interaction.guild_id
    async with answer.app.database.read() as connection:
        scores, total = await people.leaderboard(connection, game, guild_id, limit=ROWS, offset=at * ROWS)
        rated = await people.ratings(
            connection, [score.user_id for score in scores], guild_id or EVERYWHERE, game
        )
    pages = max(1, -(-total // ROWS))
    rows = []
    for n, score in enumerate(scores, at * ROWS + 1):
        rating = rated.get(score.user_id)
        ordinal = f"{rating.mu - 3 * rating.sigma:.1f}" if rating else "–"
        rows.append(
            BoardRow(
                rank=str(n),
                name=plain(score.name),
                figures=(str(score.wins), str(score.games), _share(score.wins, score.games), ordinal),
                own=score.user_id == answer.user_id,
                plain=say("board.person", n=n),
            )
        )
    title = presenters.get(game).title(answer.locale)
    place = say("board.everywhere") if everywhere else say("board.here")
    board = Board(
        title=say("board.title", game=title),
        subtitle=place,
        columns=tuple(say(f"board.{key}") for key in ("wins", "games", "share", "rating")),
        rows=tuple(rows),
        empty=say("board.empty"),
        footer=say("board.footer"),
    )
    controls = pager(say, at, pages, "board", game, "all" if everywhere else "server")
    foot = say("hand.page", page=at + 1, pages=pages) if pages > 1 else ""
    return page(board_scene(board, Look(locale=answer.locale)), foot, controls, picture_name="board.png")


@on("board")
async def _board(pressed: Pressed) -> None:
    game = pressed.game()
    message = await leaderboard_message(
        pressed, game, everywhere=pressed.ref.word(1) == "all", at=pressed.ref.number(2)
    )
    await pressed.turn(message)


async def stats_message(answer: Answer, person: discord.abc.User) -> Message:
    """How a person has done in each game: with people, against opponents, hands won, streak."""
    say, guild_id = answer.say, answer.interaction.guild_id
    rows = []
    async with answer.app.database.read() as connection:
        for game in catalog.listed():
            found, _ = await people.leaderboard(connection, game, guild_id, limit=1, user_id=person.id)
            if not found:
                continue
            rows.append(
                _stats_row(
                    found[0], game, answer.locale, await people.streak(connection, person.id, game, guild_id)
                )
            )
    board = Board(
        title=plain(person.display_name),
        subtitle=say("board.stats_here") if guild_id else say("board.everywhere"),
        columns=tuple(say(f"board.{key}") for key in ("won", "practice", "hands", "streak")),
        rows=tuple(rows),
        empty=say("board.no_stats"),
        footer=say("board.stats_footer"),
    )
    heading = f"### {shown(person.display_name)}"
    return page(heading, board_scene(board, Look(locale=answer.locale)), picture_name="stats.png")


def _stats_row(score: Score, game: str, locale: str, streak: int) -> BoardRow:
    return BoardRow(
        rank="",
        name=presenters.get(game).title(locale),
        figures=(
            f"{score.wins}/{score.games}",
            f"{score.practice_wins}/{score.practice}",
            str(score.hands) if score.hands else "–",  # few games count hands
            str(streak),
        ),
    )
