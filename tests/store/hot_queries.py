"""What somebody waits for, or what happens again and again: none of it may read a table from end to end.

Each line of `HOT` is work as the bot does it; every statement that it executes is explained on both
databases by `test_hot_queries`. Whoever adds a query that people wait for adds a line here. The database
holds `GAMES` finished games of `tests.support.tables.results.some_game`, and what is done is rolled back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from bot.features.daily import morning_rows as mornings
from bot.features.nights import rows as nights
from bot.features.seek import rows as seekers
from bot.features.stats import rows as boards
from bot.features.teacher import review_rows as reviews
from bot.features.tournaments import rows as cups
from bot.store import (
    achievements,
    contacts,
    days,
    finished,
    folds,
    leases,
    people,
    queries,
    ratings,
    totals,
    unfolded,
)
from bot.store import games as store
from bot.store.games import Change, Deadline, Entry
from bot.store.leases import Lease
from bot.store.models import GameRow, table_of
from bot.store.people import EVERYWHERE
from bot.store.personal_data import kept_limits, left_servers
from bot.store.personal_data.forgetting import Deletion
from bot.store.rating_model import ALL_TIME, RatingBoard
from tests.support.tables.results import add_game, finish

GAMES = 300


@dataclass(frozen=True, slots=True)
class HotQuery:
    """Work whose statements must find their rows by an index."""

    name: str
    run: Callable[[Connection], object]
    sorts: bool = False
    """Whether it may sort, as a handful of rows may be: of one game, of one person."""
    history: bool = False
    """Whether it may take longer for someone who has played more: it reads or changes all that is theirs."""
    whole: tuple[str, ...] = ()
    """Partial indexes that it may read from end to end, since they hold what is due and nothing else."""


def _append(connection: Connection) -> None:
    game_id = add_game(connection, phase="live")
    entry = Entry(1, "act", 0, ["bid", 1, []], 5)
    change = Change(deadlines=[Deadline(game_id, "turn", 0, 9)], entries=[entry])
    before = store.place(connection, game_id)
    assert before is not None
    store.keep(connection, before, change, 5)


def _fold(connection: Connection) -> None:
    """Of three games one is folded, one left, one removed: no column that refers to games is searched."""
    once = Entry(1, "act", 0, ["bid", 1, []], 5)
    ids = [add_game(connection, phase=phase) for phase in ("over", "over", "cancelled", "live")]
    for game_id in ids[:2]:
        before = store.place(connection, game_id)
        assert before is not None
        store.keep(connection, before, Change(entries=[once]), 5)
    closed = table_of(GameRow)
    connection.execute(closed.update().where(closed.c.id == ids[2]).values(ended_at=1))
    fold = folds.Fold(game_id=ids[0], entries=1, last_at=5, digest="", journal=folds.packed([]))
    assert folds.keep(connection, [fold], [ids[1]], 9) == 1
    assert folds.drop_unplayed(connection, 9, 10) == 1


def _leaderboard(guild_id: int, page: int = 0) -> Callable[[Connection], object]:
    board = RatingBoard("probe", "", ALL_TIME, guild_id)
    return lambda c: boards.leaderboard(c, board, rows=2, page=page, asker=1, here=70, departed={3})


def _delete(connection: Connection) -> None:
    """All that a deletion writes; before it, and in no transaction of the writer, it searches."""
    deletion = Deletion(1, 5)
    deletion.begin(connection)
    while deletion.step(connection):
        pass


_MATCHES = ("sqlite_autoindex_matches_1", "matches_pkey", "matches_by_game")
"""Matches are removed once they are decided."""
_ASLEEP = ("games_asleep",)
"""PostgreSQL reads this index from end to end because no table sleeps in this database."""
_DROPPED = ("games_pkey", "matches_by_game")

HOT: tuple[HotQuery, ...] = (
    HotQuery("leaderboard here", _leaderboard(70)),
    HotQuery("leaderboard here, a later page", _leaderboard(70, 2)),
    HotQuery("leaderboard everywhere", _leaderboard(EVERYWHERE)),
    HotQuery(
        "board of a day",
        lambda c: days.board(c, "2027-01-15", "probe", here=70, asker=1, most=10),
        sorts=True,
    ),
    HotQuery(
        "board of a day in a server",
        lambda c: days.board_of_server(c, "2027-01-15", "probe", 70, most=3, departed={2}),
        sorts=True,
    ),
    HotQuery(
        "best of a day in a server",
        lambda c: days.best_of_server(c, "2027-01-15", "probe", 70, 110),
        sorts=True,
    ),
    HotQuery(
        "best of a board here", lambda c: boards.best_of(c, RatingBoard("probe", "", ALL_TIME, 70), 110)
    ),
    HotQuery("steps of a deletion", _delete, sorts=True, history=True),
    HotQuery("a kept limit", lambda c: kept_limits.find(c, kept_limits.VOID, "", 1, at=5)),
    HotQuery("kept limits that are over", lambda c: kept_limits.drop_over(c, 5, 10), sorts=True),
    HotQuery("channels of the morning", lambda c: mornings.channels(c, 5, 100)),
    HotQuery("daily games of a person", lambda c: days.begun(c, "2027-01-15", 1)),
    HotQuery("daily streak", lambda c: days.streak(c, 1, "2027-01-15")),
    HotQuery("end of a daily game", lambda c: days.finish(c, 1, days.DailyResult(1, 1.0, 1.0, 1), 5)),
    HotQuery("statistics here", lambda c: totals.of_person(c, 1, 70)),
    HotQuery("statistics everywhere", lambda c: totals.of_person(c, 1, EVERYWHERE)),
    HotQuery("games with people", lambda c: totals.games_with_people(c, [1, 2, 3]), sorts=True),
    HotQuery("achievements", lambda c: achievements.of_person(c, 1)),
    HotQuery("new achievements", lambda c: achievements.first_at(c, 1, "atom", 1)),
    HotQuery("last games here", lambda c: totals.last_games(c, 1, 70, 10), sorts=True),
    HotQuery("last games everywhere", lambda c: totals.last_games(c, 1, EVERYWHERE, 10), sorts=True),
    HotQuery("ratings of a person", lambda c: boards.ratings_of(c, 1, 70)),
    HotQuery("curve of a rating", lambda c: boards.curve(c, 1, "probe", "", 60), sorts=True),
    HotQuery("records of a person", lambda c: boards.records_of(c, 1, 70, 4), sorts=True),
    HotQuery("games against the computer", lambda c: boards.practised(c, 1, 70), sorts=True),
    HotQuery("what a person did", lambda c: boards.done_by(c, 1, "probe"), sorts=True),
    HotQuery("luck in reviewed games", lambda c: reviews.luck_of(c, 1, "probe", 20), sorts=True),
    HotQuery("settle a game", lambda c: finish(c, (1, 2, None), (1, 2, 3), at=99), sorts=True),
    HotQuery("settle after a later game", lambda c: finish(c, (5, 6), (1, 2), at=1, left=(5,)), sorts=True),
    HotQuery("are results in", lambda c: people.seats_with_results(c, 5)),
    HotQuery("count what an older release left", totals.catch_up, whole=("results_not_counted",)),
    HotQuery("ratings", lambda c: boards.ratings_on(c, [1, 2, 3], RatingBoard("probe", "", ALL_TIME, 70))),
    HotQuery("rate what an older release left", ratings.catch_up, whole=("results_not_rated",), sorts=True),
    HotQuery("append an act", _append),
    HotQuery("load a table", lambda c: store.whole(c, 5), sorts=True),
    HotQuery("when somebody's turn came", lambda c: store.entry_times(c, 5, [1, 2])),
    HotQuery("table last played", lambda c: queries.last_played(c, 1, "probe"), sorts=True),
    HotQuery("table last set up", lambda c: queries.last_set_up(c, 1, "probe"), sorts=True),
    HotQuery("any table last played", lambda c: queries.last_played(c, 1), sorts=True),
    HotQuery("table that two last played", lambda c: queries.last_together(c, 1, 2), sorts=True),
    HotQuery("finished games of a person", lambda c: finished.finished_of(c, 1, 20, 20), sorts=True),
    HotQuery("review of a game", lambda c: reviews.review(c, 5, 0)),
    HotQuery("tables of a person", lambda c: queries.seats_of(c, 1, 25), sorts=True),
    HotQuery("tables of a channel", lambda c: queries.in_channel(c, 7, 25), sorts=True),
    HotQuery("games at hand", lambda c: queries.keys_at(c, 1, 7, 25), sorts=True),
    HotQuery(
        "open tables of a server",
        lambda c: queries.listed(c, 12, 0, guild_id=70, user_id=0),
        sorts=True,
        whole=_ASLEEP,
    ),
    HotQuery(
        "open tables of a person", lambda c: queries.listed(c, 12, 0, guild_id=None, user_id=1), sorts=True
    ),
    HotQuery(
        "lobbies that seek people",
        lambda c: queries.listed(c, 12, 0, guild_id=70, user_id=0, seeking=True),
        sorts=True,
        whole=_ASLEEP,
    ),
    HotQuery("what falls due for nights", lambda c: nights.due(c, 9, 100)),
    # of the whole index it reads the first entry
    HotQuery(
        "what falls due next for nights", lambda c: nights.next_due(c, 9), whole=("night_calls_by_due",)
    ),
    HotQuery("nights of a server", lambda c: nights.of_guild(c, 70, 10), sorts=True),
    HotQuery("nights of a person", lambda c: (nights.of_host(c, 1), nights.answered(c, 1)), sorts=True),
    HotQuery("who comes to a night", lambda c: nights.guests(c, 1), sorts=True),
    HotQuery("results of tournaments", lambda c: cups.ended(c, 70, 10**6), sorts=True),
    HotQuery("tournaments of a server", lambda c: cups.count_going_on(c, guild_id=70)),
    HotQuery("tournaments that go on", lambda c: cups.to_bring_back(c, 10**6), sorts=True, whole=_MATCHES),
    HotQuery("who is blocked", lambda c: contacts.apart(c, 1, [2, 3, 4])),
    HotQuery("a page of blocked people", lambda c: contacts.blocked(c, 1, 8, 0), sorts=True),
    HotQuery("a request", lambda c: contacts.claim_request(c, 1, 2, 5)),
    HotQuery("who can't be asked yet", lambda c: contacts.pausing(c, 1, [2, 3, 4], 5)),
    HotQuery("requests that have an answer", lambda c: contacts.forget_requests(c, [1, 2], 3)),
    HotQuery("people who play together", lambda c: contacts.forget_requests_among(c, [1, 2, 3])),
    HotQuery("requests that are over", lambda c: contacts.drop_over(c, 5, 10)),
    HotQuery("who wants to be called", lambda c: seekers.of_guild(c, 70, most=10, start=20)),
    HotQuery("quotas", lambda c: queries.open_counts(c, 1, 7, 70, "paused", 10**6)),
    HotQuery("limits of a server", lambda c: queries.open_counts(c, 1, 7, 70, "paused", 10**6, here=True)),
    HotQuery("what falls due", lambda c: queries.due(c, 9, 200)),
    HotQuery("what is not shown", lambda c: queries.unshown(c, 10), whole=("games_unshown",)),
    HotQuery("more of it", lambda c: queries.unshown(c, 10, before=9), whole=("games_unshown",)),
    HotQuery("tables changed last", lambda c: queries.latest_open(c, 10), sorts=True),
    HotQuery("tables that rest", queries.resting, sorts=True, whole=("games_resting",)),
    HotQuery("idle tables", lambda c: queries.idle(c, 9, 10)),
    HotQuery("tables of a server left", lambda c: queries.asleep_since(c, 9, ["left_server"], 10)),
    HotQuery("is the lease held", lambda c: leases.are_held(c, (Lease(0, "somebody", 1, 0, 0),))),
    HotQuery("games to fold", lambda c: folds.due(c, 9, 10)),
    HotQuery("a folded journal", lambda c: (folds.journal(c, 5), folds.digest_of(c, 5))),
    HotQuery(
        "games that do not replay",
        lambda c: (unfolded.count(c), unfolded.newest(c, 9), unfolded.try_again(c)),
    ),
    HotQuery("servers that were left", lambda c: left_servers.remove(c, 9, 10)),
    HotQuery("last act in folded games", lambda c: folds.last_act(c, [5, 6])),
    # of the keys of all games and nights they read the last entry; matches are those that wait
    HotQuery("tables never played", lambda c: folds.drop_unplayed(c, 9, 10), whole=_DROPPED),
    HotQuery("nights that are over", lambda c: nights.drop_over(c, 9, 10), whole=("nights_pkey",)),
    HotQuery("fold a game, remove one", _fold, whole=_DROPPED),
)
