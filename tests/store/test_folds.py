"""Old games are folded into a row each: every reader answers as before, whoever folds, whatever breaks."""

from __future__ import annotations

import asyncio
import io
import zipfile
import zlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec
import pytest
import structlog
from sqlalchemy import Connection, event, func, insert, select, text, update

from bot.core.errors import Refused
from bot.features.privacy.export import export
from bot.features.replays.service import code_of, replay_of, shared
from bot.features.tournaments import rows as tournaments
from bot.ops.replay_check import replay_all
from bot.store import achievements, finished, folds, ratings, unfolded
from bot.store import games as store
from bot.store.days import DAY_MS
from bot.store.folds import BadFold, Fold
from bot.store.games import Entry
from bot.store.models import (
    AchievementRow,
    EntryRow,
    FoldRow,
    GameRow,
    MatchRow,
    ResultRow,
    TournamentRow,
    table_of,
)
from bot.store.personal_data import personal
from bot.store.personal_data.forgetting import forget
from bot.store.personal_data.privacy import FORMER
from bot.table.game_statistics import recount
from bot.table.registry import Tables
from bot.table.storage import compaction
from bot.table.storage.retention import BATCH, Keeping, Retention, Unreplayed, unreplayed
from bot.table.thinking import WorkerThinker
from bot.workers.errors import JobRefused as NoWorker
from bot.workers.errors import TooSlow
from engine import catalog, record
from engine.game import Outcome, Standing
from tests.support.tables.ended import ANN, AT, BEN, ended_game
from tests.support.tables.tables import ManualClock, patient_database, unopened_tables

GAMES, ENTRIES, FOLDS = table_of(GameRow), table_of(EntryRow), table_of(FoldRow)
LATER = AT + 31 * DAY_MS
Do = Callable[[Connection], Any]


class Cold:
    """The bot as it is after a start: nothing is in memory."""

    def __init__(self, url: str) -> None:
        self.tables = unopened_tables(url, ManualClock(LATER))
        self.database = patient_database(url)
        """Of a process that needs no lease, as those of the command line."""

    async def close(self) -> None:
        await self.tables.runtime.close()
        await self.tables.database.close()
        await self.database.close()

    async def retain(self, thinker: Any = None, **keeping: int) -> None:
        """One round of what is done once an hour."""
        clock, thinker = self.tables.clock, thinker or WorkerThinker(0)
        await Retention(self.database, clock, thinker, Keeping(**keeping)).round()

    async def read(self, do: Do) -> Any:
        return await self.database.read_at_once(do)

    async def write(self, do: Do) -> Any:
        return await self.database.write_at_once(do)

    async def values(self, query: Any) -> list[Any]:
        return list(await self.read(lambda c: c.execute(query).scalars().all()))

    async def do(self, statement: Any) -> None:
        await self.write(lambda c: c.execute(statement))

    async def count(self, table: Any) -> int:
        query = select(func.count()).select_from(table)
        return int(await self.read(lambda c: c.execute(query).scalar_one()))


@pytest.fixture
async def cold(url: str) -> AsyncIterator[Cold]:
    found = Cold(url)
    yield found
    await found.close()


async def everything_said(tables: Tables, game_id: int) -> dict[str, object]:
    """What each reader of a journal says of a finished game."""
    database = tables.database
    table = await tables.get(game_id)
    replay = await replay_of(tables, table)
    middle = replay.at(replay.last // 2)
    assert table.state is not None
    assert middle.state is not None
    kept = await tables.record(table)
    record.verify(kept)
    journal = await database.read_at_once(lambda c: store.journal(c, game_id))
    seqs = [entry.seq for entry in journal]
    return {
        "position": table.state.fingerprint(),
        "decisions": (table.seq, table.acts, list(table.decisions), list(table.recent)),
        "outcome": table.outcome(),
        "record": record.to_json(kept),
        "events": await tables.events(table),
        "replay": (replay.acts, replay.turns(), middle.state.fingerprint(), replay.happened(replay.last)),
        "shared": (await shared(tables, code_of(table))).id,
        "journal": journal,
        "its end": await database.read_at_once(lambda c: store.journal(c, game_id, after=seqs[-2])),
        "times": await database.read_at_once(lambda c: store.entry_times(c, game_id, seqs[2:4])),
        "last act": await database.read_at_once(lambda c: tournaments.last_act(c, [game_id])),
    }


async def everything_made(cold: Cold) -> dict[str, Any]:
    """What is made of all journals together."""
    tables, database = cold.tables, cold.database
    assert await database.read_at_once(ratings.differences) == 0
    await recount(database)
    packed = await export(tables, ANN, LATER)
    with zipfile.ZipFile(io.BytesIO(packed.data)) as file:
        told = {name: file.read(name) for name in file.namelist()}
    rows = table_of(AchievementRow)
    return {
        "export": {name: data for name, data in told.items() if name != "me.json"},
        "my rows": await database.read_at_once(lambda c: personal.everything(c, ANN, 0)),
        "achievements": await database.read_at_once(lambda c: c.execute(select(rows)).all()),
        "achieved in": await database.read_at_once(achievements.finished),
        "finished": await database.read_at_once(lambda c: finished.finished_of(c, ANN, 50)),
        "proof": await replay_all(database, closed=True),
    }


@pytest.mark.parametrize(
    ("ranks", "agrees"),
    [
        ((1, 2, 3), True),
        ((3, 1, 2), True),  # the first one stayed away, and the others moved up
        ((3, 2, 3), True),  # the same in a release in which nobody moved up
        ((3, 1, 3), True),  # two stayed away
        ((2, 1, 3), False),
        ((1, 1, 3), False),
    ],
)
def test_who_went_away_is_last_and_the_others_may_have_moved_up(ranks: tuple[int, ...], agrees: bool) -> None:
    outcome = Outcome(tuple(Standing(rank, 0.0) for rank in (1, 2, 3)), "points", {})
    assert compaction.agrees(outcome, [(seat, rank, 0.0) for seat, rank in enumerate(ranks)]) is agrees


@pytest.mark.long
async def test_every_reader_of_every_game_answers_as_before(cold: Cold, url: str) -> None:
    keys = [key for key in catalog.listed() if key != "probe"]
    ids = [await ended_game(cold.database, key, seed) for seed, key in enumerate(keys)]
    closed = await ended_game(cold.database, "atom_duel", 99, phase="cancelled")
    before = {game_id: await everything_said(cold.tables, game_id) for game_id in ids}
    made = await everything_made(cold)
    assert any(row["game_id"] == closed for row in made["my rows"]["entries"])
    await cold.retain()
    assert (await cold.count(ENTRIES), await cold.count(FOLDS)) == (0, len(ids) + 1)
    again = Cold(url)
    for game_id, key in zip(ids, keys, strict=True):
        assert await everything_said(again.tables, game_id) == before[game_id], key
    assert await everything_made(again) == made
    assert (await again.tables.get(closed)).acts == 7
    await again.close()


async def test_nothing_is_folded_before_its_time_or_while_something_is_owed(cold: Cold) -> None:
    young, owed = [await ended_game(cold.database, "chemistry_battle", seed) for seed in (1, 2)]
    await cold.do(update(GAMES).where(GAMES.c.id == young).values(ended_at=LATER))
    await cold.write(lambda c: store.set_deadlines(c, owed, [store.Deadline(owed, "deeds", -1, 5)]))
    await cold.retain()
    assert await cold.count(FOLDS) == 0
    await cold.write(lambda c: store.set_deadlines(c, owed, []))
    await cold.retain(fold_days=0)
    assert await cold.count(FOLDS) == 0
    await cold.retain()
    assert await cold.values(select(FOLDS.c.game_id)) == [owed]


def entries_of(game_id: int) -> Any:
    return ENTRIES.c.game_id == game_id


async def test_what_does_not_lead_to_the_stored_end_stays_and_is_told_once(cold: Cold) -> None:
    ids = [await ended_game(cold.database, "chemistry_battle", seed) for seed in range(8)]
    good, score, act, gap, rules, rests, cut, gone = ids
    results = table_of(ResultRow)
    first = (results.c.game_id == score, results.c.seat == 0)
    for change in (
        update(results).where(*first).values(score=results.c.score + 1),
        update(ENTRIES).where(entries_of(act), ENTRIES.c.seq == 2).values(data=["play", 9999]),
        ENTRIES.delete().where(entries_of(gap), ENTRIES.c.seq == 3),
        update(GAMES).where(GAMES.c.id == rules).values(version=999),
        update(GAMES).where(GAMES.c.id == rests).values(resting="a defect"),
        ENTRIES.delete().where(entries_of(cut), ENTRIES.c.seq > 9),
        update(GAMES).where(GAMES.c.id == gone).values(game="whist"),
    ):
        await cold.do(change)
    held = select(ENTRIES).order_by(ENTRIES.c.game_id, ENTRIES.c.seq)
    before = await cold.read(lambda c: c.execute(held.where(ENTRIES.c.game_id != good)).all())
    with structlog.testing.capture_logs() as told:
        await cold.retain()
        await cold.retain()
    why = {line["table"]: line["why"] for line in told if line["event"] == "game not folded"}
    assert len([line for line in told if line["event"] == "game not folded"]) == len(why)
    assert set(why) == {score, act, gap, rules, rests, cut, gone}
    assert (why[score], why[cut], why[rests]) == (compaction.OTHER_END, compaction.NOT_OVER, "a defect")
    assert await cold.read(lambda c: c.execute(held).all()) == before
    assert await cold.values(select(FOLDS.c.game_id)) == [good]
    assert await cold.read(unreplayed) == Unreplayed(open=0, finished=7)
    noted = await cold.read(lambda c: unfolded.newest(c, 2))
    assert [(table, each.game, each.why) for table, each in noted.items()] == [
        (gone, "whist", why[gone]),
        (cut, "chemistry_battle", compaction.NOT_OVER),
    ]


async def test_the_version_that_mends_a_game_folds_it(cold: Cold, monkeypatch: pytest.MonkeyPatch) -> None:
    mended, stays = [await ended_game(cold.database, "chemistry_battle", seed) for seed in range(2)]
    await cold.do(update(GAMES).where(GAMES.c.id.in_([mended, stays])).values(version=999))
    await cold.retain()
    assert await cold.read(unreplayed) == Unreplayed(finished=2)
    version = catalog.get("chemistry_battle").version
    await cold.do(update(GAMES).where(GAMES.c.id == mended).values(version=version))
    await cold.retain()  # by the same source it is not tried twice
    assert await cold.values(select(FOLDS.c.game_id)) == []
    monkeypatch.setattr(unfolded, "source_digest", lambda: "another source")
    await cold.retain()
    assert await cold.values(select(FOLDS.c.game_id)) == [mended]
    assert (await cold.read(lambda c: unfolded.newest(c, 9))).keys() == {stays}
    assert await cold.read(unreplayed) == Unreplayed(finished=1)


async def test_two_processes_at_once_fold_each_game_once(cold: Cold, url: str) -> None:
    ids = [await ended_game(cold.database, "chemistry_battle", seed) for seed in range(2 * BATCH + 3)]
    other = Cold(url)
    # the second turns to each batch while the first still holds it, and to the rest in the next hour
    await asyncio.gather(cold.retain(), other.retain())
    await other.retain()
    assert await cold.values(select(FOLDS.c.game_id).order_by("game_id")) == ids
    assert await cold.count(ENTRIES) == 0
    assert (await replay_all(other.database, closed=True)).faults == ()
    await other.close()


async def test_what_another_holds_or_has_folded_is_passed_over(cold: Cold) -> None:
    one, two = [await ended_game(cold.database, "chemistry_battle", seed) for seed in (1, 2)]
    games, _ = await cold.read(lambda c: compaction.read(c, [one, two]))
    made = [each for each in compaction.folded(games) if isinstance(each, Fold)]
    assert await cold.write(lambda c: folds.keep(c, made[:1], [], 5)) == 1
    grown = {"game_id": two, "seq": 999, "kind": "act", "seat": 0, "data": [], "at": 5}
    await cold.do(insert(ENTRIES).values(grown))
    assert await cold.write(lambda c: folds.keep(c, made, [one], 6)) == 0
    rows = select(GAMES.c.folded).order_by(GAMES.c.id)
    assert await cold.values(rows) == [folds.FOLDED, 0]


class Killed(Exception):
    """The process is no more."""


async def test_a_kill_at_any_statement_leaves_a_game_whole(cold: Cold) -> None:
    game_id = await ended_game(cold.database, "chemistry_battle", 1)
    journal = await cold.read(lambda c: store.journal(c, game_id))
    games, _ = await cold.read(lambda c: compaction.read(c, [game_id]))
    made = [each for each in compaction.folded(games) if isinstance(each, Fold)]

    def until(connection: Connection, last: int) -> int:
        left = last

        def count(*_: object) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed

        event.listen(connection, "after_cursor_execute", count)
        try:
            return folds.keep(connection, made, [], 5)
        finally:
            event.remove(connection, "after_cursor_execute", count)

    for last in range(20):
        try:
            done = await cold.write(lambda c, last=last: until(c, last))
        except Killed:
            assert (await cold.count(ENTRIES), await cold.count(FOLDS)) == (len(journal), 0)
            assert await cold.read(lambda c: store.journal(c, game_id)) == journal
        else:
            assert done == 1
            break
    assert last >= 4, "it took as many statements, and was cut at each"
    assert (await cold.count(ENTRIES), await cold.count(FOLDS)) == (0, 1)
    assert await cold.read(lambda c: store.journal(c, game_id)) == journal


class Overworked(WorkerThinker):
    """A worker that never ends with the batch in which one of these games is."""

    def __init__(self, hard: set[int], trouble: type[Exception]) -> None:
        super().__init__(0)
        self.hard = hard
        self.trouble = trouble
        self.asked: list[list[int]] = []

    async def run(self, work: Callable[..., object], *args: Any, **_: Any) -> object:
        self.asked.append([each.table for each in args[0]])
        if self.hard & set(self.asked[-1]):
            raise self.trouble()
        return work(*args)


async def test_a_game_that_breaks_the_worker_holds_no_other_up(cold: Cold) -> None:
    ids = [await ended_game(cold.database, "chemistry_battle", seed) for seed in range(BATCH + 2)]
    worker = Overworked({ids[3]}, TooSlow)
    with structlog.testing.capture_logs() as told:
        await cold.retain(worker)
    assert [line["table"] for line in told if line["event"] == "game not folded"] == [ids[3]]
    assert worker.asked.count([ids[3]]) == 1
    assert await cold.count(FOLDS) == len(ids) - 1
    await cold.retain()  # another process, another try
    assert await cold.count(FOLDS) == len(ids)


async def test_without_a_worker_it_waits_for_the_next_hour(cold: Cold) -> None:
    game_id = await ended_game(cold.database, "chemistry_battle", 1)
    worker = Overworked({game_id}, NoWorker)
    await cold.retain(worker)
    assert (worker.asked, await cold.count(FOLDS)) == ([[game_id]], 0)


async def test_a_deleted_person_is_in_no_fold_and_the_record_holds(cold: Cold) -> None:
    game_id = await ended_game(cold.database, "duel52", 1)
    await cold.retain()
    (held,) = await cold.read(lambda c: c.execute(select(FOLDS)).all())
    inside = zlib.decompress(held.journal).decode()
    assert not any(trace in inside for trace in ("Ann", "Ben", str(ANN), str(BEN)))
    await cold.write(lambda c: forget(c, ANN, 0))
    kept = await cold.tables.record(await cold.tables.get(game_id))
    record.verify(kept)
    assert kept.names == [FORMER, "Ben"]
    assert await cold.read(lambda c: c.execute(select(FOLDS)).all()) == [held]


async def test_a_damaged_fold_is_found_and_one_of_another_end_is_not_proved(cold: Cold) -> None:
    one, two = [await ended_game(cold.database, "chemistry_battle", seed) for seed in (1, 2)]
    await cold.retain()
    cut = update(FOLDS).where(FOLDS.c.game_id == one)
    whole = await cold.read(
        lambda c: c.execute(select(FOLDS.c.journal).where(FOLDS.c.game_id == one)).scalar()
    )
    await cold.do(cut.values(journal=whole[:-9]))
    await cold.do(update(FOLDS).where(FOLDS.c.game_id == two).values(digest="0" * 16))
    with pytest.raises(BadFold):
        await cold.read(lambda c: store.journal(c, one))
    faults = (await replay_all(cold.database, closed=True)).faults
    assert {fault.table: fault.why for fault in faults} == {
        one: "its rows cannot be read (BadFold)",
        two: compaction.OTHER_END,
    }


def test_a_fold_holds_every_value_exactly() -> None:
    lines = [
        Entry(1, "act", 0, ["é", -1, 2**40, None, True, 0.5, {"a": [[]]}], 2**41),
        Entry(4, "undo", 3, [1], 2**41 - 7),
        Entry(5, "seat", 1, ["Steady", "steady"], 0),
        Entry(9, "act", 1, [], 1),
        Entry(10, "act", 1, [], 1, press=9),
        Entry(12, "act", 1, [], 1, press=9),
    ]
    packed = folds.packed([msgspec.structs.astuple(line) for line in lines])
    assert [Entry(*line) for line in folds.unpacked(packed)] == lines
    later = zlib.compress(msgspec.json.encode([2, [], [], [], [], [], []]))
    for bad in (b"", b"x", packed[:-1], packed[3:], zlib.compress(b"[]"), later):
        with pytest.raises(BadFold):
            folds.unpacked(bad)


# -- what vanishes -----------------------------------------------------------------------------


async def closed_lobby(cold: Cold, at: int) -> int:
    """A table that was closed then, before anything was played."""
    game_id = await ended_game(cold.database, "chemistry_battle", 1, phase="cancelled")
    await cold.do(ENTRIES.delete().where(entries_of(game_id)))
    await cold.do(update(GAMES).where(GAMES.c.id == game_id).values(ended_at=at))
    return game_id


async def test_old_lobbies_vanish_and_what_was_played_or_is_awaited_stays(cold: Cold) -> None:
    old, young = await closed_lobby(cold, LATER - 8 * DAY_MS), await closed_lobby(cold, LATER - DAY_MS)
    awaited, played = (
        await closed_lobby(cold, AT),
        await ended_game(cold.database, "atom", 2, phase="cancelled"),
    )
    newest = await closed_lobby(cold, AT)
    cup = {"phase": "running", "name": "Cup", "game": "atom", "options": {}, "terms": {}, "bracket": {}}
    cup |= {"guild_id": 70, "channel_id": 7, "host_id": ANN, "created_at": AT}
    match = {"tournament_id": 1, "key": "w1", "step": "table", "game_id": awaited, "tries": 0, "next_at": 0}
    await cold.do(insert(table_of(TournamentRow)).values(cup))
    await cold.do(insert(table_of(MatchRow)).values(match))

    async def there() -> list[int]:
        return list(await cold.values(select(GAMES.c.id).order_by(GAMES.c.id)))

    await cold.retain(lobby_days=0)
    assert await there() == [old, young, awaited, played, newest]
    await cold.retain()
    assert await there() == [young, awaited, played, newest]
    assert (
        await cold.read(lambda c: c.execute(text("SELECT count(*) FROM seats WHERE game_id = 1")).scalar())
        == 0
    )
    with pytest.raises(Refused, match="no_table"):  # what a button of its message says, in words
        await cold.tables.get(old)
