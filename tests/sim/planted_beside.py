"""Faults in the deal of the day, nights, tournaments, threads and what people do beside playing.

Each is told by what is wrong in a world that has it, and by a seed whose world shows it.
"""

from __future__ import annotations

import secrets
from typing import Any

import pytest
from msgspec.structs import replace

from bot.features.daily import service as today
from bot.features.nights import service as nights
from bot.features.reports import handlers as report
from bot.features.table.hand import handlers as play_module
from bot.features.tournaments import matches
from bot.features.tournaments import rows as cups
from bot.features.tournaments import service as tournaments
from bot.features.tournaments.messages import TournamentBoard
from bot.store import models
from bot.store.personal_data import forgetting
from bot.table import game_runner
from bot.table.table import Table
from bot.ui.live import live_message
from tests.sim.registry import planted

# -- the deal of the day --------------------------------------------------------------------------


@planted("daily", kind="daily", often=True)
def a_deal_of_the_day_is_played_anew(patch: pytest.MonkeyPatch) -> None:
    def begin(connection: Any, day: str, game: str, **how: Any) -> None:
        rows = models.table_of(models.DailyResultRow)
        mine = (rows.c.day == day, rows.c.game == game, rows.c.user_id == how["user_id"])
        connection.execute(rows.delete().where(*mine))
        connection.execute(rows.insert().values(day=day, game=game, **how))

    patch.setattr(today.days, "begun", lambda *_: {})
    patch.setattr(today.days, "begin", begin)


@planted("daily", kind="daily")
def an_answer_of_the_day_is_left_to_chance(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(game_runner, "answer_luck", lambda _table, _seat: secrets.token_bytes(8))


# -- nights -------------------------------------------------------------------------------------


@planted("night", kind="night", often=True)
def an_evening_forgets_its_table(patch: pytest.MonkeyPatch) -> None:
    end = nights.store.end
    patch.setattr(
        nights.store,
        "end",
        lambda connection, number, phase, _=None, **owed: end(connection, number, phase, **owed),
    )


@planted("night", kind="night", often=True)
def an_answer_to_an_evening_is_changed_only_once(patch: pytest.MonkeyPatch) -> None:
    """What somebody has answered first stays."""
    answer = nights.store.answer

    def first(connection: Any, night_id: int, guest: Any) -> None:
        if guest.user_id not in {known.user_id for known in nights.store.guests(connection, night_id)}:
            answer(connection, night_id, guest)

    patch.setattr(nights.store, "answer", first)


# -- tournaments ----------------------------------------------------------------------------------


@planted("tournament", kind="tournament", often=True)
def the_end_of_a_match_is_not_heard_of(patch: pytest.MonkeyPatch) -> None:
    async def deaf(_tournaments: Any, _tournament: Any, _table: Any) -> None:
        return

    patch.setattr(tournaments.Tournaments, "_note", deaf)


@planted("tournament", kind="tournament", often=True)
def the_wrong_one_advances(patch: pytest.MonkeyPatch) -> None:
    """Whoever lost a match is noted as its winner."""
    ended = tournaments.Tournaments._ended

    def swapped(found: Any, state: Any, table: Table) -> None:
        terms = table.stored.terms
        table.stored.terms = replace(terms, invited=terms.invited[::-1])
        try:
            ended(found, state, table)
        finally:
            table.stored.terms = terms

    patch.setattr(tournaments.Tournaments, "_ended", swapped)


@planted("tournament", kind="tournament", often=True)
def tables_of_decided_matches_stay_open(patch: pytest.MonkeyPatch) -> None:
    async def close(_matches: Any, _game_id: int) -> None:
        return

    patch.setattr(matches.MatchTables, "_close", close)


@planted("tournament", kind="tournament", often=True)
def a_match_gets_a_second_table(patch: pytest.MonkeyPatch) -> None:
    """The table stands in no row of the match until it has been opened twice."""
    table = matches.MatchTables._table

    async def twice(found: Any, *args: Any) -> int:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(matches.store, "table_of_match", lambda *_: None)
            await table(found, *args)
            return await table(found, *args)

    patch.setattr(matches.MatchTables, "_table", twice)


@planted("tournament", kind="tournament", often=True)
def the_message_of_a_tournament_stays_as_it_was(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TournamentBoard, "tournament_changed", lambda _board, _tournament, **_: None)


@planted("tournament", kind="tournament", often=True)
def who_joins_a_tournament_is_told_before_it_is_stored(patch: pytest.MonkeyPatch) -> None:
    save = cups.save

    def forgetful(connection: Any, before: Any, after: Any) -> None:
        save(connection, before, replace(after, entrants=before.entrants))

    patch.setattr(cups, "save", forgetful)


# -- tables in threads -----------------------------------------------------------------------------


@planted("warm", kind="room")
def a_table_in_a_deleted_thread_stays_warm(patch: pytest.MonkeyPatch) -> None:
    """It is looked for every ten minutes, for ever."""
    patch.setattr(live_message, "RARE_RETRY", live_message.LASTING_RETRY)


@planted("answer", kind="room")
def a_press_in_a_locked_thread_is_lost(patch: pytest.MonkeyPatch) -> None:
    for name in ("open_hand", "show_hand"):
        patch.setattr(play_module, name, _deaf(getattr(play_module, name)))


def _deaf(show: Any) -> Any:
    async def shown(pressed: Any, *args: Any, **how: Any) -> None:
        if not getattr(pressed.interaction.channel, "locked", False):
            await show(pressed, *args, **how)

    return shown


@planted("message", kind="room")
def a_table_that_was_moved_is_changed_where_it_was(patch: pytest.MonkeyPatch) -> None:
    """Where it stands now is not written down."""
    placed = Table.set_place

    async def rooted(table: Table, channel_id: int, message_id: int | None, **how: Any) -> None:
        if table.stored.message_id is None or message_id is None:
            await placed(table, channel_id, message_id, **how)

    patch.setattr(Table, "set_place", rooted)


# -- reports, deletions ---------------------------------------------------------------------------


@planted("leak", kind="whim", often=True)
def a_report_tells_what_another_seat_knows(patch: pytest.MonkeyPatch) -> None:
    seen = report._seen

    async def wrong(submitted: Any, table: Table, viewer: int | None) -> list[str]:
        return await seen(submitted, table, None if viewer is None else (viewer + 1) % len(table.sitters))

    patch.setattr(report, "_seen", wrong)


@planted("forgotten", kind="whim")
def who_is_deleted_still_sits_at_tables(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(forgetting.Deletion, "_units", lambda *_: False)
