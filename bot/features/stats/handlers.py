"""Leaderboards and a person's statistics."""

from __future__ import annotations

import re
from typing import NamedTuple

import discord
from sqlalchemy import Connection

from bot import custom_ids as ids
from bot.features.stats import rows as boards
from bot.features.stats.messages import (
    CURVE,
    StatsPerson,
    board_picture,
    most_rated,
    rivals_picture,
    season_words,
    stats_picture,
    variant_words,
)
from bot.features.table import TablePublisher
from bot.features.teacher import review_rows as reviews
from bot.locales import Words
from bot.render.scene import Look
from bot.render.text import written
from bot.store import totals
from bot.store.people import EVERYWHERE
from bot.store.prefs import prefs_of
from bot.store.rating_model import ALL_TIME, Rating, RatingBoard, season_of
from bot.ui import slots
from bot.ui.components import Control, MenuLine, Message, button, page, select
from bot.ui.context import Answer, Pressed
from bot.ui.feature_loader import load
from bot.ui.handlers import Handlers
from bot.ui.live.members import AT_ONCE
from bot.ui.names import plain, shown
from bot.ui.navigation import game_select, pager, share_row
from engine import catalog

handlers = Handlers[Pressed]()

ROWS = 10
PER_PAGE = 12
LAST = 10
"""How many of the last games are shown one by one."""
MET = 4
"""How many of those whom somebody has met are shown."""
REVIEWED = 20
"""How many of the last reviewed games tell of luck."""
SEASONS = 4
"""How many seasons are offered beside all time."""
USUAL = "usual"
"""The choice of the usual way to play a game, whose variant has no name."""


class Scope(NamedTuple):
    """Which board of a game is asked for."""

    everywhere: bool = False
    season: int = ALL_TIME
    variant: str = ""

    @property
    def word(self) -> str:
        """As it stands in the ids of controls."""
        place = "all" if self.everywhere else "server"
        return f"{place}~{self.season}~{self.variant}" if self.season or self.variant else place

    @classmethod
    def read(cls, word: str, game: str) -> Scope:
        """Return the scope that the id of a control names.

        Raises:
            InvalidCustomId: there is no such board.
        """
        place, _, rest = word.partition("~")
        season, _, variant = (rest or f"{ALL_TIME}~").partition("~")
        if not season.isdecimal() or len(season) > 6 or variant not in catalog.get(game).variants():
            raise ids.InvalidCustomId(word)
        return cls(place == "all", int(season), variant)


async def played_scope(answer: Answer, game: str, scope: Scope) -> Scope:
    """The same board of the way of playing that people have played there: the usual one, else the first of
    the others that has anybody on it."""
    here = answer.interaction.guild_id or 0
    guild_id = EVERYWHERE if scope.everywhere or not here else here

    def find(connection: Connection) -> str:
        for variant in catalog.get(game).variants():
            board = RatingBoard(game, variant, scope.season, guild_id)
            if boards.leaderboard(connection, board, rows=1, page=0, asker=answer.user_id, here=here).places:
                return variant
        return scope.variant

    return scope._replace(variant=await answer.app.database.read_at_once(find))


async def leaderboard_message(answer: Answer, game: str, scope: Scope, at: int = 0) -> Message:
    """A page of a leaderboard as a picture, in words for those who cannot see it.

    Below it stands the own line of who asks, if that is on another page. Somebody who has never finished
    a game in this server is not named in it, unless they agreed to be.
    """
    say, here = answer.say, answer.interaction.guild_id or 0
    scope = scope._replace(everywhere=scope.everywhere or not here)
    board = RatingBoard(game, scope.variant, scope.season, EVERYWHERE if scope.everywhere else here)
    departed = await _departed(answer, board, at)
    found = await answer.app.database.read_at_once(
        lambda c: boards.leaderboard(
            c, board, rows=ROWS, page=at, asker=answer.user_id, here=here, departed=departed
        )
    )
    scene = board_picture(found, board, answer.user_id, Look(locale=answer.locale))
    whole = Scope(scope.everywhere, scope.season)  # another game has other variants
    controls = [game_select(game, answer.locale, "board-game", whole.word)]
    controls += _other_boards(answer, game, scope)
    controls += pager(say, found.page, found.pages, "board", game, scope.word)
    controls += [] if found.places else slots.EMPTY_BOARD.controls(answer.say, None)
    controls += share_row(answer, "board", game, scope.word, found.page)
    return page(scene, controls, picture_name="board.png")


async def _departed(answer: Answer, board: RatingBoard, at: int) -> set[int]:
    """Return the people on a server's board who left the server, as far as that is known.

    Those of this page are looked up first.
    """
    if board.guild_id == EVERYWHERE:
        return set()
    first, most = at * ROWS, (at + 1) * ROWS + AT_ONCE
    best = await answer.app.database.read_at_once(lambda c: boards.best_of(c, board, most))
    ordered = [*best[first : first + ROWS], *best[:first], *best[first + ROWS :]]
    users = [user for user in ordered if user != answer.user_id]
    return await answer.service(TablePublisher).members.departed(board.guild_id, users)


def seasons(now: int) -> list[int]:
    """The seasons that are offered, the present one first."""
    year, quarter = divmod(season_of(now), 10)
    months = [4 * year + quarter - 1 - back for back in range(SEASONS)]
    return [number // 4 * 10 + number % 4 + 1 for number in months]


def _other_boards(answer: Answer, game: str, scope: Scope) -> list[Control]:
    """The seasons of a game, and the ways of playing it that are rated apart."""
    say, look = answer.say, Look(locale=answer.locale)
    times = [ALL_TIME, *seasons(answer.app.clock.now())]
    lines = [MenuLine(str(each), season_words(each, say), chosen=each == scope.season) for each in times]
    found: list[Control] = [select(say("board.seasons"), lines, "season", game, scope.word)]
    variants = catalog.get(game).variants()
    if len(variants) > 1:
        ways = [
            MenuLine(each or USUAL, variant_words(game, each, look), chosen=each == scope.variant)
            for each in variants
        ]
        found.append(select(say("board.variants"), ways, "variant", game, scope.word))
    return found


@handlers.on("board")
async def _board(pressed: Pressed) -> None:
    game = pressed.game()
    scope = Scope.read(pressed.ref.word(1), game)
    await pressed.turn(await leaderboard_message(pressed, game, scope, pressed.ref.number(2)))


@handlers.on("board-game")
async def _board_game(pressed: Pressed) -> None:
    """`board-game:scope`: the same of another game, chosen from a list."""
    game = pressed.chosen_game()
    scope = await played_scope(pressed, game, Scope.read(pressed.ref.word(0), game))
    await pressed.turn(await leaderboard_message(pressed, game, scope))


@handlers.on("season")
async def _season(pressed: Pressed) -> None:
    """`season:game:scope`, chosen from a list."""
    game = pressed.game()
    scope = Scope.read(pressed.ref.word(1), game)
    chosen = Scope.read(f"all~{pressed.value}~", game)
    await pressed.turn(await leaderboard_message(pressed, game, scope._replace(season=chosen.season)))


@handlers.on("variant")
async def _variant(pressed: Pressed) -> None:
    """`variant:game:scope`, chosen from a list."""
    game = pressed.game()
    scope = Scope.read(pressed.ref.word(1), game)
    variant = "" if pressed.value == USUAL else pressed.value
    chosen = Scope.read(f"all~{ALL_TIME}~{variant}", game)
    await pressed.turn(await leaderboard_message(pressed, game, scope._replace(variant=chosen.variant)))


def _lines(connection: Connection, user_id: int, say: Words) -> list[str]:
    """Return what other features say of a person."""
    makers = (feature.stats_line for feature in load().values())
    return [line for make in makers if make is not None and (line := make(connection, user_id, say))]


def _person(connection: Connection, user_id: int, guild_id: int, asker: int, say: Words) -> StatsPerson:
    """What is stored of a person, as somebody in this server asks for it."""
    rated = boards.ratings_of(connection, user_id, guild_id)
    met = boards.records_of(connection, user_id, guild_id, MET)
    main, curve = most_rated(rated), tuple[float, ...]()
    others: dict[int, Rating] = {}
    overall = Rating()
    luck, done = None, boards.GamesDone()
    if main and user_id == asker:  # reviews are for whose game it was
        luck = reviews.luck_of(connection, user_id, main[0], REVIEWED)
    if main:
        done = boards.done_by(connection, user_id, main[0])
        curve = boards.curve(connection, user_id, *main, CURVE)
        everywhere = boards.ratings_on(connection, [user_id], RatingBoard(*main, ALL_TIME, EVERYWHERE))
        overall = everywhere.get(user_id, overall)
        asked = {record.other_id for record in met} | {asker}
        others = boards.ratings_on(connection, asked, RatingBoard(*main, ALL_TIME, guild_id))
    return StatsPerson(
        totals.of_person(connection, user_id, guild_id),
        totals.last_games(connection, user_id, guild_id, LAST),
        rated,
        curve,
        met,
        boards.practised(connection, user_id, guild_id),
        luck,
        done,
        others,
        prefs_of(connection, user_id).title,
        overall,
        others.get(asker) if asker != user_id else None,
        _lines(connection, user_id, say),
    )


async def stats_message(answer: Answer, person: discord.abc.User, *, rivals: bool = False) -> Message:
    """How a person has done in each game: with people, against opponents, hands won, streaks; with `rivals`
    how their rating went, whom they met, and the chance of who asks to beat them."""
    guild_id = answer.interaction.guild_id or EVERYWHERE
    asker, say = answer.user_id, answer.say
    found = await answer.app.database.read_at_once(lambda c: _person(c, person.id, guild_id, asker, say))
    name, look = plain(person.display_name), Look(locale=answer.locale)
    other = rivals_picture(name, found, look, here=bool(guild_id))
    scene = other if rivals and other else stats_picture(name, found, look, here=bool(guild_id))
    # the picture bears the name, unless our fonts cannot write it
    heading = "" if written(name) else f"### {shown(person.display_name)}"
    # those of somebody else are for them to show
    share: list[Control] = []
    if person.id == answer.user_id:
        share = [] if found.totals else slots.EMPTY_BOARD.controls(answer.say, None)
        share += share_row(answer, "stats", *(["rivals"] if rivals else []))
    turn = []
    if other is not None:
        label = answer.say("board.games_side" if rivals else "board.rivals")
        turn = [button(label, "stats", person.id, *([] if rivals else ["rivals"]))]
    return page(heading, scene, "\n".join(found.lines), [*turn, *share], picture_name="stats.png")


@handlers.on("stats")
async def _stats(pressed: Pressed) -> None:
    """The other side of somebody's statistics: `stats:user` or `stats:user:rivals`."""
    whose, client = pressed.ref.word(0), pressed.interaction.client
    if not re.fullmatch(r"\d{1,19}", whose) or int(whose) > ids.MOST:
        raise ids.InvalidCustomId(whose)
    person: discord.abc.User = pressed.interaction.user
    if int(whose) != pressed.user_id:
        person = client.get_user(int(whose)) or await client.fetch_user(int(whose))
    await pressed.turn(await stats_message(pressed, person, rivals=pressed.ref.word(1) == "rivals"))


async def share_board(pressed: Pressed, answer: Answer) -> Message:
    """Return a leaderboard for everyone: `share:board:game:scope:page`."""
    game = pressed.game(1)
    return await leaderboard_message(
        answer, game, Scope.read(pressed.ref.word(2), game), pressed.ref.number(3)
    )


async def share_stats(pressed: Pressed, answer: Answer) -> Message:
    """Return this person's own statistics for everyone: `share:stats` or `share:stats:rivals`."""
    rivals = pressed.ref.word(1) == "rivals"
    return await stats_message(answer, pressed.interaction.user, rivals=rivals)
