"""Reading and writing tournaments. Everything here is one piece of work for `Database.write_at_once`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

import msgspec
import structlog
from sqlalchemy import Connection, Select, delete, func, insert, or_, select, union, update
from sqlalchemy.engine import Row

from bot.store import folds
from bot.store.database import Conflict
from bot.store.games import OPEN_PHASES
from bot.store.models import EntrantRow, EntryRow, GameRow, MatchRow, TournamentRow, table_of
from bot.store.shards import ALL, Shards
from bot.store.terms import GOING_ON, TournamentTerms, as_json, says, says_any, tournament_terms
from engine.brackets import Bracket

log = structlog.get_logger(__name__)

_TOURNAMENTS, _ENTRANTS, _MATCHES = table_of(TournamentRow), table_of(EntrantRow), table_of(MatchRow)
_GAMES, _ENTRIES = table_of(GameRow), table_of(EntryRow)

STEPS: Final = ("due", "thread", "table", "called", "stands", "close")
"""What has been done for a match: it is due, has a thread, a table in it, both were called, the table's
message stands (from here on the no-show clock runs), and last: decided, so its table is to be closed."""


class Entrant(msgspec.Struct, frozen=True):
    """Somebody who takes part."""

    user_id: int
    name: str
    joined_at: int


class StoredMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match that is to be played; `step` is one of `STEPS`."""

    step: str = "due"
    thread_id: int | None = None
    game_id: int | None = None
    tries: int = 0
    next_at: int = 0


class StoredTournament(msgspec.Struct, kw_only=True):
    """One tournament as the database has it. `bracket` is empty until it begins."""

    id: int = 0
    phase: str = "open"
    name: str
    game: str
    options: dict[str, Any]
    terms: TournamentTerms
    bracket: dict[str, Any] = {}
    guild_id: int
    channel_id: int
    message_id: int | None = None
    host_id: int
    locale: str = "en"
    created_at: int
    ended_at: int | None = None
    revision: int = 0
    shown: int = 0
    acted_at: int = 0
    why: str | None = None


class TournamentState(msgspec.Struct, kw_only=True):
    """A whole tournament: its row, who takes part, and the matches that go on, by key."""

    stored: StoredTournament
    entrants: tuple[Entrant, ...] = ()
    matches: dict[str, StoredMatch] = {}

    @property
    def bracket(self) -> Bracket | None:
        """The bracket, or None before the start."""
        return msgspec.convert(self.stored.bracket, Bracket) if self.stored.bracket else None

    def copy(self) -> TournamentState:
        """A copy that can be changed: columns, entrants and matches; never inside of options or bracket."""
        return TournamentState(
            stored=msgspec.structs.replace(self.stored), entrants=self.entrants, matches=dict(self.matches)
        )


class MatchPlace(msgspec.Struct, frozen=True):
    """Where a table is shown."""

    game_id: int
    phase: str
    guild_id: int | None
    channel_id: int
    message_id: int | None


def _columns(tournament: StoredTournament) -> dict[str, object]:
    values = {name: getattr(tournament, name) for name in StoredTournament.__struct_fields__ if name != "id"}
    values["terms"] = as_json(tournament.terms)
    return values


def create(connection: Connection, tournament: StoredTournament) -> int:
    """Store a new tournament; its id."""
    done = connection.execute(insert(_TOURNAMENTS).values(_columns(tournament)))
    key = done.inserted_primary_key
    return int(key[0]) if key else 0


def find(connection: Connection, tournament: StoredTournament) -> int | None:
    """The id of a tournament of which it is in doubt whether it was stored."""
    same = [
        _TOURNAMENTS.c[name] == getattr(tournament, name)
        for name in ("guild_id", "host_id", "created_at", "name")
    ]
    return connection.execute(select(_TOURNAMENTS.c.id).where(*same)).scalar()


def count_going_on(connection: Connection, **columns: int) -> int:
    """How many tournaments with these values are open or running."""
    query = select(func.count()).select_from(_TOURNAMENTS).where(_TOURNAMENTS.c.phase.in_(GOING_ON))
    return int(connection.execute(query.filter_by(**columns)).scalar_one())


def ended(connection: Connection, guild_id: int, since: int) -> list[int]:
    """Return the tournaments of a server that ended with a winner after this time, newest first."""
    query = select(_TOURNAMENTS.c.id).where(
        _TOURNAMENTS.c.guild_id == guild_id, _TOURNAMENTS.c.phase == "over", _TOURNAMENTS.c.ended_at > since
    )
    return list(connection.execute(query.order_by(_TOURNAMENTS.c.id.desc())).scalars())


def organised(connection: Connection, user_id: int) -> list[str]:
    """Return the names of the unfinished tournaments that this person organises."""
    query = select(_TOURNAMENTS.c.name).where(
        _TOURNAMENTS.c.host_id == user_id, _TOURNAMENTS.c.phase.in_(GOING_ON)
    )
    return list(connection.execute(query.order_by(_TOURNAMENTS.c.id)).scalars())


def save(connection: Connection, before: TournamentState, after: TournamentState) -> None:
    """Store the differences between two states of a tournament.

    Raises:
        Conflict: the tournament isn't as it was before.
    """
    was, now = _columns(before.stored), _columns(after.stored)
    changed = {name: value for name, value in now.items() if was[name] != value}
    row = (_TOURNAMENTS.c.id == before.stored.id, _TOURNAMENTS.c.revision == before.stored.revision)
    # also where no column changes: the row must be as it was, and stays so until the commit
    done = connection.execute(
        update(_TOURNAMENTS).where(*row).values(changed or {"revision": now["revision"]})
    )
    if done.rowcount == 0:
        raise Conflict("tournament")
    tournament_id = before.stored.id
    gone = {e.user_id for e in before.entrants} - {e.user_id for e in after.entrants}
    if gone:
        mine = (_ENTRANTS.c.tournament_id == tournament_id, _ENTRANTS.c.user_id.in_(gone))
        connection.execute(delete(_ENTRANTS).where(*mine))
    known = {e.user_id for e in before.entrants}
    new = [e for e in after.entrants if e.user_id not in known]
    if new:
        rows = [{"tournament_id": tournament_id, **msgspec.structs.asdict(entrant)} for entrant in new]
        connection.execute(insert(_ENTRANTS), rows)
    _save_matches(connection, tournament_id, before.matches, after.matches)


def _save_matches(
    connection: Connection,
    tournament_id: int,
    before: Mapping[str, StoredMatch],
    after: Mapping[str, StoredMatch],
) -> None:
    stale = [key for key, match in before.items() if after.get(key) != match]
    if stale:
        mine = (_MATCHES.c.tournament_id == tournament_id, _MATCHES.c.key.in_(stale))
        connection.execute(delete(_MATCHES).where(*mine))
    fresh = [
        {"tournament_id": tournament_id, "key": key, **msgspec.structs.asdict(match)}
        for key, match in after.items()
        if before.get(key) != match
    ]
    if fresh:
        connection.execute(insert(_MATCHES), fresh)


def read(connection: Connection, tournament_id: int, *, lock: bool = False) -> TournamentState | None:
    """One tournament, or None; with `lock` after any write that is on its way."""
    if lock:
        connection.execute(
            select(_TOURNAMENTS.c.id).where(_TOURNAMENTS.c.id == tournament_id).with_for_update()
        )
    found = _read(connection, select(_TOURNAMENTS).where(_TOURNAMENTS.c.id == tournament_id))
    return found[0] if found else None


def to_bring_back(connection: Connection, since: int, shards: Shards = ALL) -> list[TournamentState]:
    """The tournaments of these shards that go on, those that still have a table to close, and those whose end
    (not before `since`) is not shown or told yet; oldest first. A row that cannot be read is told in the log
    and left alone."""
    terms = _TOURNAMENTS.c.terms
    untold = or_(says(terms, "untold", True), says_any(terms, "notices"))
    behind = or_(_TOURNAMENTS.c.shown != _TOURNAMENTS.c.revision, untold)
    unshown = (_TOURNAMENTS.c.ended_at >= since) & behind
    matches = select(_MATCHES.c.tournament_id)
    parts = (_TOURNAMENTS.c.phase.in_(GOING_ON), _TOURNAMENTS.c.id.in_(matches), unshown)
    # a condition with all three would read every tournament there ever was
    wanted = union(*(select(_TOURNAMENTS.c.id).where(part) for part in parts))
    here = (_TOURNAMENTS.c.id.in_(wanted), shards.where(_TOURNAMENTS.c.guild_id))
    return _read(connection, select(_TOURNAMENTS).where(*here).order_by(_TOURNAMENTS.c.id))


def _read(connection: Connection, query: Select[tuple[object, ...]]) -> list[TournamentState]:
    found = {}
    for row in connection.execute(query).all():
        try:
            found[row.id] = TournamentState(stored=_tournament(row))
        except (msgspec.ValidationError, TypeError) as error:
            log.error("tournament cannot be read", tournament=row.id, why=str(error))
    entrants = select(_ENTRANTS).order_by(_ENTRANTS.c.joined_at, _ENTRANTS.c.user_id)
    for row in connection.execute(entrants.where(_ENTRANTS.c.tournament_id.in_(found))):
        found[row.tournament_id].entrants += (Entrant(row.user_id, row.name, row.joined_at),)
    matches = select(_MATCHES).order_by(_MATCHES.c.key)
    for row in connection.execute(matches.where(_MATCHES.c.tournament_id.in_(found))):
        match = StoredMatch(**{name: row._mapping[name] for name in StoredMatch.__struct_fields__})
        tournament = found[row.tournament_id]
        tournament.matches = {**tournament.matches, row.key: match}
    return list(found.values())


def _tournament(row: Row[tuple[object, ...]]) -> StoredTournament:
    tournament = StoredTournament(**{name: row._mapping[name] for name in StoredTournament.__struct_fields__})
    tournament.terms = tournament_terms(tournament.terms)
    return tournament


def places(connection: Connection, game_ids: Collection[int]) -> list[MatchPlace]:
    """Where these tables are shown."""
    columns = (_GAMES.c.id, *(_GAMES.c[name] for name in MatchPlace.__struct_fields__[1:]))
    return [MatchPlace(*row) for row in connection.execute(select(*columns).where(_GAMES.c.id.in_(game_ids)))]


def table_of_match(
    connection: Connection, channel_id: int, tournament_id: int, key: str, players: Collection[int]
) -> int | None:
    """The open table of a match of these players in its thread, if one was made before that could be written
    down."""
    here = (_GAMES.c.channel_id == channel_id, _GAMES.c.phase.in_(OPEN_PHASES))
    for row in connection.execute(select(_GAMES.c.id, _GAMES.c.terms).where(*here).order_by(_GAMES.c.id)):
        terms = row.terms or {}
        of_match = terms.get("cup") == tournament_id and terms.get("match") == key
        if of_match and set(terms.get("invited", ())) == set(players):
            return int(row.id)
    return None


def has_table(connection: Connection, channel_id: int) -> bool:
    """Whether a table was ever opened in this channel."""
    query = select(_GAMES.c.id).where(_GAMES.c.channel_id == channel_id).limit(1)
    return connection.execute(query).first() is not None


def last_act(connection: Connection, game_ids: Collection[int]) -> int:
    """When somebody last acted at one of these tables; 0 for never."""
    query = select(func.max(_ENTRIES.c.at)).where(_ENTRIES.c.game_id.in_(game_ids))
    written = int(connection.execute(query).scalar() or 0)
    return max(written, folds.last_act(connection, list(game_ids)))
