"""Deleting a person: what is theirs alone goes, what others' history needs stays under nobody's name.

Games, results and tournaments belong to everybody who played. There the person becomes a number that is
nobody's, one for all of it, so that histories still agree; it is drawn at random, and nothing says whose it
was. Deals, journals and records are not touched: they prove themselves as before.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, Select, Text, cast, delete, or_, select, tuple_, update

from bot.store import house_rules, notices, ratings
from bot.store.locks import one_at_a_time
from bot.store.models import (
    AchievementRow,
    BoardRatingRow,
    DailyResultRow,
    EntrantRow,
    GameRow,
    GuessRow,
    HouseRulesRow,
    NightAnswerRow,
    NightRow,
    PlayerRow,
    RatingRow,
    ResultRow,
    ReviewRow,
    RivalRow,
    SeatRow,
    SeekerRow,
    SettingRow,
    TotalRow,
    TournamentRow,
    VoidRow,
    table_of,
)
from bot.store.people import PERSON
from bot.store.privacy import FORMER
from bot.store.terms import Terms, as_json, says, terms, tournament_terms
from bot.store.tournaments import GOING_ON

_GAMES, _SEATS, _RESULTS, _REVIEWS = map(table_of, (GameRow, SeatRow, ResultRow, ReviewRow))
_TOURNAMENTS, _ENTRANTS = table_of(TournamentRow), table_of(EntrantRow)
_PLAYERS, _SETTINGS = table_of(PlayerRow), table_of(SettingRow)
_RATINGS, _TOTALS, _ACHIEVEMENTS = map(table_of, (RatingRow, TotalRow, AchievementRow))
_DAILY, _GUESSES, _HOUSE_RULES = map(table_of, (DailyResultRow, GuessRow, HouseRulesRow))
_SEEKERS, _NIGHTS, _NIGHT_ANSWERS = map(table_of, (SeekerRow, NightRow, NightAnswerRow))
_BOARDS, _RIVALS, _VOIDS = table_of(BoardRatingRow), table_of(RivalRow), table_of(VoidRow)

_LONGEST_NAME = 64


class Forgotten(msgspec.Struct, frozen=True):
    """What was touched: whoever holds one of these in memory must read it again."""

    nobody: int
    """The number that stands for the person from now on."""
    games: frozenset[int]
    tournaments: frozenset[int]


def organised(connection: Connection, user_id: int) -> list[str]:
    """The names of the tournaments that go on and are this person's to run."""
    query = select(_TOURNAMENTS.c.name).where(
        _TOURNAMENTS.c.host_id == user_id, _TOURNAMENTS.c.phase.in_(GOING_ON)
    )
    return list(connection.execute(query.order_by(_TOURNAMENTS.c.id)).scalars())


def forget(connection: Connection, user_id: int) -> Forgotten:
    """Delete a person, in the transaction of this connection. What was open is left before.

    It reads all tables and tournaments once: nothing says by an index whom their terms name.
    """
    nobody = -1 - secrets.randbits(62)
    one_at_a_time(connection, PERSON, user_id)  # a setting that is being changed does not come back
    ratings.one_at_a_time(connection)
    with _overwriting(connection):
        names = _names(connection, user_id)
        _remove(connection, user_id)
        renamed = _leave_house_rules(connection, user_id, nobody, names)
        games = _leave_games(connection, user_id, nobody, names, renamed)
        _leave_ratings(connection, user_id, nobody)
        _leave_nights(connection, user_id, nobody, names, renamed)
        tournaments = _leave_tournaments(connection, user_id, nobody, names, renamed)
    notices.tell(connection, "forgotten", user_id)
    return Forgotten(nobody, games, tournaments)


@contextmanager
def _overwriting(connection: Connection) -> Iterator[None]:
    """SQLite leaves what was deleted in its file until the place is needed, unless told otherwise."""
    if connection.dialect.name != "sqlite":
        yield
        return
    before = connection.exec_driver_sql("PRAGMA secure_delete").scalar() or 0
    connection.exec_driver_sql("PRAGMA secure_delete=1")
    try:
        yield
    finally:
        connection.exec_driver_sql(f"PRAGMA secure_delete={int(before)}")


def _names(connection: Connection, user_id: int) -> set[str]:
    """Every name by which the rows know the person."""
    queries: tuple[Select[Any], ...] = (
        select(_PLAYERS.c.name).where(_PLAYERS.c.id == user_id),
        select(_SEATS.c.name).where(_SEATS.c.user_id == user_id).distinct(),
        select(_ENTRANTS.c.name).where(_ENTRANTS.c.user_id == user_id).distinct(),
    )
    return {name for query in queries for name in connection.execute(query).scalars() if name.strip()}


def _remove(connection: Connection, user_id: int) -> None:
    """Take out what is the person's alone."""
    mine = select(_SEATS.c.game_id, _SEATS.c.seat).where(_SEATS.c.user_id == user_id)
    connection.execute(delete(_REVIEWS).where(tuple_(_REVIEWS.c.game_id, _REVIEWS.c.seat).in_(mine)))
    for table in (
        *(_BOARDS, _RIVALS, _RATINGS, _TOTALS, _DAILY, _ACHIEVEMENTS, _GUESSES),
        *(_SEEKERS, _NIGHT_ANSWERS),
    ):
        connection.execute(delete(table).where(table.c.user_id == user_id))
    connection.execute(delete(_SETTINGS).where(_SETTINGS.c.scope == PERSON, _SETTINGS.c.scope_id == user_id))
    connection.execute(delete(_PLAYERS).where(_PLAYERS.c.id == user_id))


def _leave_house_rules(connection: Connection, user_id: int, nobody: int, names: set[str]) -> dict[str, str]:
    """Channels keep the house rules that the person saved there; those in direct messages go. Which of them
    have another name now."""
    mine = _HOUSE_RULES.c.saved_by == user_id
    connection.execute(delete(_HOUSE_RULES).where(mine, _HOUSE_RULES.c.guild_id.is_(None)))
    renamed: dict[str, str] = {}
    for row in connection.execute(select(_HOUSE_RULES).where(mine)).all():
        name = fresh = _renamed(row.name, names)[: house_rules.LONGEST]
        if fresh != row.name:
            taken = {
                each.name.casefold()
                for each in house_rules.of_channel(connection, row.channel_id)
                if each.game == row.game and each.id != row.id
            }
            # two may have differed in the person's name alone
            numbered = (f"{name[: house_rules.LONGEST - 4]} {n}" for n in range(2, house_rules.MOST + 2))
            fresh = next(each for each in (name, *numbered) if each.casefold() not in taken)
            house_rules.rename(connection, row.id, fresh)
            renamed[row.name] = fresh
    connection.execute(update(_HOUSE_RULES).where(mine).values(saved_by=nobody))
    return renamed


def _copied(name: str, names: set[str], renamed: dict[str, str]) -> str:
    """The name of house rules as it stands with what was played by them: the rules themselves may be gone, or
    have another name by now."""
    return renamed.get(name) or _renamed(name, names)


def _leave_games(
    connection: Connection, user_id: int, nobody: int, names: set[str], renamed: dict[str, str]
) -> frozenset[int]:
    seated = select(_SEATS.c.game_id).where(_SEATS.c.user_id == user_id)
    named = cast(_GAMES.c.terms, Text).contains(str(user_id))
    if renamed:
        named = or_(named, *(says(_GAMES.c.terms, "house_rules", name) for name in renamed))
    query = select(_GAMES.c.id, _GAMES.c.host_id, _GAMES.c.guild_id, _GAMES.c.terms).where(
        or_(_GAMES.c.id.in_(seated), _GAMES.c.host_id == user_id, named)
    )
    touched = connection.execute(query).all()
    for row in touched:
        agreed = _without(terms(row.terms), user_id, nobody)
        agreed = replace(agreed, house_rules=_copied(agreed.house_rules, names, renamed))
        values: dict[str, Any] = {"terms": as_json(agreed)}
        if row.host_id == user_id:
            values["host_id"] = nobody
            if row.guild_id is None:  # the channel is the person's own direct messages
                values |= {"channel_id": 0, "message_id": None}
        # counted, so that whoever has it in memory and writes is refused, and reads it again
        values["revision"] = _GAMES.c.revision + 1
        connection.execute(update(_GAMES).where(_GAMES.c.id == row.id).values(values))
    sat = update(_SEATS).where(_SEATS.c.user_id == user_id)
    connection.execute(sat.values(user_id=nobody, name=FORMER))
    played = update(_RESULTS).where(_RESULTS.c.user_id == user_id)
    connection.execute(played.values(user_id=nobody, mu=None, sigma=None))
    return frozenset(row.id for row in touched)


def _without(agreed: Terms, user_id: int, nobody: int) -> Terms:
    """The terms of a table without this person: their wishes go, their place stays."""

    def placed(people: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(nobody if user == user_id else user for user in people)

    return replace(
        agreed,
        autopass={user: seconds for user, seconds in agreed.autopass.items() if user != user_id},
        quiet=tuple(user for user in agreed.quiet if user != user_id),
        invited=placed(agreed.invited),
        held=tuple(user for user in agreed.held if user != user_id),
        guests=tuple(user for user in agreed.guests if user != user_id),
        knocks=tuple(knock for knock in agreed.knocks if knock.user != user_id),
        order=placed(agreed.order),
        left={seat: nobody if user == user_id else user for seat, user in agreed.left.items()},
        forfeit=nobody if agreed.forfeit == user_id else agreed.forfeit,
        asked=None if agreed.asked and user_id in agreed.asked.people else agreed.asked,
    )


def _leave_ratings(connection: Connection, user_id: int, nobody: int) -> None:
    """Others have met nobody, and what counts for nothing still does: so ratings are what they were, made
    anew from the results too."""
    met = update(_RIVALS).where(_RIVALS.c.other_id == user_id)
    connection.execute(met.values(other_id=nobody))
    void = update(_VOIDS).where(_VOIDS.c.kind == "player", _VOIDS.c.target == user_id)
    connection.execute(void.values(target=nobody))


def _leave_nights(
    connection: Connection, user_id: int, nobody: int, names: set[str], renamed: dict[str, str]
) -> None:
    by = [says(_NIGHTS.c.rules, "name", name) for name in renamed]
    touched = select(_NIGHTS.c.id, _NIGHTS.c.rules).where(or_(_NIGHTS.c.host_id == user_id, *by))
    for row in connection.execute(touched).all():
        if row.rules:
            rules = {**row.rules, "name": _copied(row.rules["name"], names, renamed)}
            connection.execute(update(_NIGHTS).where(_NIGHTS.c.id == row.id).values(rules=rules))
    planned = update(_NIGHTS).where(_NIGHTS.c.host_id == user_id)
    connection.execute(planned.values(host_id=nobody))


def _leave_tournaments(
    connection: Connection, user_id: int, nobody: int, names: set[str], renamed: dict[str, str]
) -> frozenset[int]:
    entered = select(_ENTRANTS.c.tournament_id).where(_ENTRANTS.c.user_id == user_id)
    named = cast(_TOURNAMENTS.c.bracket, Text).contains(str(user_id))
    by = [says(_TOURNAMENTS.c.terms, "house_rules", name) for name in renamed]
    touched = connection.execute(
        select(_TOURNAMENTS).where(
            or_(_TOURNAMENTS.c.id.in_(entered), _TOURNAMENTS.c.host_id == user_id, named, *by)
        )
    ).all()
    for row in touched:
        agreed = tournament_terms(row.terms)
        values: dict[str, Any] = {
            "name": _renamed(row.name, names),
            "terms": as_json(replace(agreed, house_rules=_copied(agreed.house_rules, names, renamed))),
            "bracket": _renumbered(row.bracket, str(user_id), str(nobody)),
            "revision": _TOURNAMENTS.c.revision + 1,
        }
        if row.host_id == user_id:
            values["host_id"] = nobody
        connection.execute(update(_TOURNAMENTS).where(_TOURNAMENTS.c.id == row.id).values(values))
    entrant = update(_ENTRANTS).where(_ENTRANTS.c.user_id == user_id)
    connection.execute(entrant.values(user_id=nobody, name=FORMER))
    return frozenset(row.id for row in touched)


def _renumbered(bracket: Any, before: str, after: str) -> Any:
    """A bracket in which a player has another number."""
    if isinstance(bracket, dict):
        return {key: _renumbered(value, before, after) for key, value in bracket.items()}
    if isinstance(bracket, list):
        return [_renumbered(value, before, after) for value in bracket]
    return after if bracket == before else bracket


def _renamed(name: str, names: set[str]) -> str:
    """The name of a tournament or of house rules without the person's, as whole words, the longest first."""
    for known in sorted(names, key=len, reverse=True):
        name = re.sub(rf"(?<!\w){re.escape(known)}(?!\w)", FORMER, name, flags=re.IGNORECASE)
    return name[:_LONGEST_NAME]
