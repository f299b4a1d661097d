"""Open tables, leaderboards and a person's record."""

from __future__ import annotations

import discord

from bot import presenters
from bot.locales import Words
from bot.render.boards import Board, Columns, Tally, board_scene, emblem, medal
from bot.render.scene import Look
from bot.render.stats import Figure, Stats, stats_scene
from bot.render.text import written
from bot.store import people, totals
from bot.store.people import EVERYWHERE, Rating
from bot.store.totals import Place, Total
from bot.views.components import Message, page, pager
from bot.views.context import Answer, Handlers, Pressed
from bot.views.names import joined, message_url, plain, shown

handlers = Handlers[Pressed]()

ROWS = 10
PER_PAGE = 12
LAST = 10
"""So many of the last games are shown one by one."""
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
    place = say("board.here") if guild_id else say("board.everywhere")
    board = Board(
        title=say("board.title", game=presenters.get(game).title(answer.locale)),
        subtitle=say("board.counted", place=place),
        columns=_columns(say),
        tallies=tuple(_tally(line, answer.user_id, say) for line in found.places),
        own=_tally(found.own, answer.user_id, say) if found.own else None,
        empty=say("board.empty"),
        footer=say("board.footer", n=RATED_AFTER),
    )
    controls = pager(say, found.page, found.pages, "board", game, "server" if guild_id else "all")
    foot = say("hand.page", page=found.page + 1, pages=found.pages) if found.pages > 1 else ""
    return page(board_scene(board, Look(locale=answer.locale)), foot, controls, picture_name="board.png")


def _columns(say: Words) -> Columns:
    return Columns(say("board.share"), say("board.of", n="{n}"), say("board.rating"))


def _tally(line: Place, asker: int, say: Words) -> Tally:
    """A line of the leaderboard; in words the same, without its bar."""
    own = line.user_id == asker
    name = plain(line.name) if line.known or own else say("board.elsewhere")
    rank, rating = str(line.place) if line.place else "", _friendly(line.rating, say)
    figures = {"wins": str(line.wins), "games": str(line.games), "share": _share(line.wins, line.games)}
    if line.streak > 1:
        figures["streak"] = str(line.streak)
    figures["rating"] = rating
    return Tally(
        name,
        line.wins,
        line.games,
        f"{rank} {name}: {_figures(figures, say)}.".strip(),
        rank=rank,
        sign=medal(line.place),
        rating=rating,
        rated=rating.isdigit(),
        streak=line.streak,
        tag=say("board.you") if own else "",
        plain=say("board.you") if own else say("board.person", n=line.place),
    )


def _figures(figures: dict[str, str], say: Words) -> str:
    return ", ".join(f"{say(f'board.{key}')} {figure}" for key, figure in figures.items())


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
    found, last, rated = await answer.app.database.read_at_once(
        lambda c: (
            totals.of_person(c, person.id, guild_id),
            totals.last_games(c, person.id, guild_id, LAST),
            people.ratings_of(c, person.id, guild_id),
        )
    )
    shown_games = [game for game in presenters.offered() if game in found]
    name = plain(person.display_name)
    stats = Stats(
        name=name,
        subtitle=say("board.stats_here") if guild_id else say("board.everywhere"),
        figures=_in_all([found[game] for game in shown_games], say),
        last_label=say("board.last"),
        last=last,
        last_said=say("board.last_said", n=sum(last), of=len(last)) if last else "",
        columns=_columns(say),
        tallies=tuple(_game(found[game], rated.get(game), game, say) for game in shown_games),
        empty=say("board.no_stats"),
        footer=say("board.stats_footer", n=RATED_AFTER),
    )
    # the picture bears the name, unless our fonts cannot write it
    heading = "" if written(name) else f"### {shown(person.display_name)}"
    return page(heading, stats_scene(stats, Look(locale=answer.locale)), picture_name="stats.png")


def _in_all(found: list[Total], say: Words) -> tuple[Figure, ...]:
    """What the games with other people come to; nothing where there were none."""
    games, wins = sum(total.games for total in found), sum(total.wins for total in found)
    if not games:
        return ()
    run = max(total.best_streak for total in found)
    return (
        Figure(str(games), say("board.in_all", n=games)),
        Figure(_share(wins, games), say("board.in_all_won")),
        Figure(str(run), say("board.run")),
    )


def _game(total: Total, rating: Rating | None, game: str, say: Words) -> Tally:
    """The line of a game in a person's record; in words the same, and what the picture has no room for."""
    presenter = presenters.get(game)
    sign, rated = presenter.poster.emblem, _friendly(rating, say) if total.games else ""
    title = presenter.title(say.language)
    figures = {
        "won": f"{total.wins}/{total.games}",
        "practice": f"{total.practice_wins}/{total.practice}",
        "hands": str(total.hands) if total.hands else "–",  # few games count hands
        "streak": str(total.streak),
        "best": str(total.best_streak),
    }
    notes = [
        say("board.note_run", n=total.best_streak) if total.best_streak > 1 else "",
        say("board.note_hands", n=total.hands) if total.hands else "",
        say("board.note_practice", n=total.practice_wins, of=total.practice) if total.practice else "",
    ]
    return Tally(
        title,
        total.wins,
        total.games,
        f"{title}: {_figures(figures, say)}.",
        sign=emblem(sign.painter, sign.args, sign.shape) if sign else None,
        rating=rated,
        rated=rated.isdigit(),
        streak=total.streak,
        note=" · ".join(filter(None, notes)),
    )
