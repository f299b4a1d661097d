"""Costs of one tournament by its entrants, for `tools.bench.growth`."""

from __future__ import annotations

import random
import statistics
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import process_time
from typing import Final, ParamSpec

from bot.features.tournaments import rows
from bot.features.tournaments.entries import enter
from bot.features.tournaments.messages import tournament_message
from bot.features.tournaments.rows import Entrant, StoredTournament, TournamentState
from bot.features.tournaments.tournament import Tournament, go_to, running_bracket
from bot.render.encode import encode
from bot.render.scene import Scene
from bot.settings import with_async_driver
from bot.store.backend import migrate
from bot.store.database import Database
from bot.store.terms import TournamentTerms
from engine import brackets
from engine.brackets import Kind
from tools.bench.growth_rows import GAME, LATER, SERVER
from tools.bench.store import SNOWFLAKE, START

P = ParamSpec("P")
CALLS: Final = 9
"""Calls of each piece of work."""
PLAYED: Final = 0.8
"""Share of the matches that are over before reports are measured; less in a short tournament."""
KINDS: Final[dict[str, Kind]] = {
    "entrants of a double elimination": "double",
    "entrants of a Swiss tournament": "swiss",
    "entrants of a round robin": "round_robin",
    "entrants of a double round robin": "double_round_robin",
}
SIZES: Final = {axis: (8, brackets.most(kind)) for axis, kind in KINDS.items()}
"""The largest size of each is the largest allowed."""


async def measure(axis: str, size: int, path: Path) -> dict[str, tuple[float, int]]:
    """Return the CPU milliseconds of each press, and the number of reports so far.

    *Join* and *report* change the tournament, store it, and build its message. *Board* builds the message
    again, *picture* paints it, and *reread* loads the tournament from the database.
    """
    await migrate.upgrade(f"sqlite:///{path}")
    database = Database(with_async_driver(f"sqlite:///{path}"))
    rng = random.Random(axis)
    try:
        stored = _announced(KINDS[axis])
        stored.id = await database.write_at_once(lambda c: rows.create(c, stored))
        tournament = Tournament(database, TournamentState(stored=stored))
        for number in range(size - CALLS if size > CALLS else 1):
            await _join(tournament, number)
        joins = [await _cost(_join_and_show, tournament, n) for n in range(len(tournament.entrants), size)]
        await tournament.change(_begin, acted_at=LATER, seen=True)
        await _play(tournament, rng)
        reports = [await _cost(_report_and_show, tournament, rng) for _ in range(CALLS)]
        boards = [await _cost(_show, tournament) for _ in range(CALLS)]
        pictures = [await _cost(_paint, tournament) for _ in range(CALLS)]
        rereads = [await _cost(_reread, database, stored.id) for _ in range(CALLS)]
        entries = len(running_bracket(tournament.state).log)
    finally:
        await database.close()
    spent = {"join": joins, "report": reports, "board": boards, "picture": pictures, "reread": rereads}
    return {name: (round(statistics.median(each), 2), entries) for name, each in spent.items()}


def _announced(kind: Kind) -> StoredTournament:
    return StoredTournament(
        name="cup",
        game=GAME,
        options={},
        terms=TournamentTerms(kind=kind),
        guild_id=SERVER,
        channel_id=SERVER + 1,
        host_id=SNOWFLAKE,
        created_at=START,
    )


async def _cost(work: Callable[P, Awaitable[object]], *args: P.args, **kwargs: P.kwargs) -> float:
    began = process_time()
    await work(*args, **kwargs)
    return 1000 * (process_time() - began)


async def _join(tournament: Tournament, number: int) -> None:
    entrant = Entrant(SNOWFLAKE + number, f"person {number}", START + number)
    await tournament.change(lambda state: enter(state, entrant), acted_at=LATER, seen=True)


async def _join_and_show(tournament: Tournament, number: int) -> None:
    await _join(tournament, number)
    await _show(tournament)


def _begin(state: TournamentState) -> None:
    players = [str(entrant.user_id) for entrant in state.entrants]
    state.stored.phase = "running"
    go_to(state, brackets.start(state.stored.terms.kind, players), LATER)


async def _play(tournament: Tournament, rng: random.Random) -> None:
    """Report most matches, in the order of the schedule."""
    bracket = running_bracket(tournament.state)
    total, ended = 0, bracket
    while not ended.champion:
        match = ended.ready()[0]
        ended, total = ended.report(match.key, rng.choice(match.players)), total + 1
    while len(bracket.log) < min(PLAYED * total, total - CALLS - 1):
        match = bracket.ready()[0]
        bracket = bracket.report(match.key, rng.choice(match.players))
    await tournament.change(lambda state: go_to(state, bracket, LATER), acted_at=LATER, seen=True)


async def _report_and_show(tournament: Tournament, rng: random.Random) -> None:
    def work(state: TournamentState) -> None:
        bracket = running_bracket(state)
        match = bracket.ready()[0]
        go_to(state, bracket.report(match.key, rng.choice(match.players)), LATER, match.key)

    await tournament.change(work, acted_at=LATER, seen=True)
    await _show(tournament)


async def _show(tournament: Tournament) -> list[Scene]:
    return list(tournament_message(tournament, "en").pictures.values())


async def _paint(tournament: Tournament) -> None:
    for scene in await _show(tournament):
        encode(scene)


async def _reread(database: Database, tournament_id: int) -> None:
    """Load a tournament as after a start: no bracket is remembered."""
    brackets._place.cache_clear()
    state = await database.read_at_once(lambda c: rows.read(c, tournament_id))
    if state is not None and state.bracket is not None:
        state.bracket.ready()
