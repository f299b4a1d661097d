"""The deal of a day: the same answers to the same moves, its own results, and a seed that stays secret."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from msgspec.structs import replace
from sqlalchemy import func, select

from bot.core.errors import Refused
from bot.features.daily import service
from bot.features.privacy import export as exporting
from bot.features.replays import service as replays
from bot.features.teacher import practice
from bot.store import days
from bot.store.database import StoreError
from bot.store.games import Entry, Sitter
from bot.store.models import ResultRow, TotalRow, table_of
from bot.table import daily, results
from bot.table.people import consent
from bot.table.registry import Tables
from bot.table.table import Table
from bot.table.table_kinds import is_decided_by_deal
from bot.telemetry.metrics import LATE_SECONDS
from bot.ui.context import PATIENCE
from engine import catalog, record
from engine.fair import Commitment
from engine.game import Outcome, Standing, Value, as_json
from tests.support.tables.daily import DAY, MOVES, NOON, begin, play, played
from tests.support.tables.tables import ManualClock, close_tables, journal_of, opened_tables, settle


async def drawn(path: Path) -> Path:
    """A database in which the deals of the day were drawn the day before."""
    tables, _, _ = await opened_tables(path, ManualClock(NOON - days.DAY_MS))
    await tables.runtime.upkeep.round()
    await close_tables(tables)
    return path


async def noon(path: Path) -> tuple[Tables, ManualClock]:
    tables, clock, _ = await opened_tables(await drawn(path), ManualClock(NOON))
    return tables, clock


@pytest.mark.long
async def test_the_same_moves_meet_the_same_answers_in_every_process(tmp_path: Path) -> None:
    """All seven games, here and in a process that hashes otherwise."""
    games = [game for game in catalog.listed() if game != "probe"]
    file = await drawn(tmp_path / "a.db")
    shutil.copy(file, tmp_path / "b.db")
    env = {**os.environ, "PYTHONHASHSEED": "77"}
    words = ("-m", "tests.support.tables.daily", str(tmp_path / "b.db"), *games)
    other = await asyncio.create_subprocess_exec(
        sys.executable, *words, env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    said, _ = await other.communicate()
    there = json.loads(said.splitlines()[-1])
    here = await played(file, list(games))
    for game in games:
        assert json.loads(json.dumps(here[game])) == there[game], game
        assert len({seat for seat, _ in here[game]}) > 1, f"{game}: somebody answered"


async def test_a_reload_in_between_changes_no_answer(tmp_path: Path) -> None:
    """And so does another person's game on the same day, move by move."""
    tables, _ = await noon(tmp_path / "a.db")
    for game in catalog.listed():
        whole, parts = await begin(tables, game, 1), await begin(tables, game, 2)
        await play(tables, whole, MOVES)
        for _ in range(MOVES):
            await play(tables, parts, 1)
            tables.cache.clear()
            parts = await tables.get(parts.id)
        one, two = [await journal_of(tables, table) for table in (whole, parts)]
        assert [(e.seat, e.data) for e in one] == [(e.seat, e.data) for e in two], game
    await close_tables(tables)


async def test_everybody_plays_against_somebody(tmp_path: Path) -> None:
    """Also the games that one may play alone, and nobody meets a deal that decides the game."""
    tables, _ = await noon(tmp_path / "a.db")
    alone = 0
    for game in catalog.listed():
        rules = catalog.get(game)
        alone += 1 in rules.seats(rules.defaults())
        table = await begin(tables, game)
        assert len(table.sitters) == rules.usual_seats(rules.defaults()) > 1, game
        assert not is_decided_by_deal(table), game
    assert alone
    await close_tables(tables)


async def test_nobody_practises_a_deal_that_they_have_not_played(tmp_path: Path) -> None:
    """Whoever knew its cards already would play the one that counts better."""
    tables, _ = await noon(tmp_path / "a.db")
    with pytest.raises(Refused, match="daily_begun"):
        await begin(tables, "atom_duel", practice=True)
    table = await begin(tables, "atom_duel")
    assert table.stored.terms.practice == 0
    await close_tables(tables)


async def test_an_opponent_who_begins_is_owed_from_the_deal_on(tmp_path: Path) -> None:
    """A stop may come before its turn: then its row is what is left of it."""
    tables, _ = await noon(tmp_path / "a.db")
    owed = set[int]()
    for game in catalog.listed():
        table = await begin(tables, game)
        rows = {each.seat for each in table.deadlines if each.kind == "opponent"}
        assert rows == set(table.waiting()) - {0}, game
        owed |= rows
    assert owed  # in some games all decide at once
    await close_tables(tables)


def both_give(options: Mapping[str, Value]) -> tuple[Commitment, list[Entry]]:
    """A deal of Molecular with its journal up to where both choose at once which tile they give away."""
    game = catalog.get("molecular")
    for number in range(100):
        fair, rng, journal = Commitment(bytes([number]) * 32, bytes(16)), random.Random(1), list[Entry]()
        state = game.deal(game.setup(2, fair.deal_key([]), **options))
        while len(waiting := state.to_act()) == 1:
            action = rng.choice(state.legal_actions(waiting[0]))
            journal.append(Entry(len(journal) + 1, "act", waiting[0], as_json(action), NOON))
            state.apply(waiting[0], action)
        if waiting:
            return fair, journal
    raise AssertionError("no game came to that")


async def test_who_decides_at_once_with_others_decides_last(tmp_path: Path) -> None:
    tables, _ = await noon(tmp_path / "a.db")
    before = (await begin(tables, "molecular")).stored
    fair, journal = both_give(before.options)
    stored = replace(
        before, id=0, terms=replace(before.terms, practice=before.id), seed=fair.seed, nonce=fair.nonce
    )
    sitters = [Sitter("n1", user_id=1), Sitter("Curie", level="steady")]
    table = await tables.opener.open(stored, sitters, journal)
    assert table.waiting() == (0, 1)
    with pytest.raises(Refused, match="daily_wait"):
        await table.act(0, table.decisions[0], table.legal[0][0])
    await table.act(1, table.decisions[1], table.legal[1][0])
    await table.act(0, table.decisions[0], table.legal[0][0])
    await close_tables(tables)


async def test_a_press_that_waits_in_vain_is_answered_while_discord_takes_an_answer() -> None:
    class Ticking(ManualClock):
        async def sleep(self, seconds: float) -> None:
            self.move(seconds)

    clock, undecided = Ticking(NOON), cast(Table, SimpleNamespace(others_first=True))
    began = clock.monotonic()
    await daily.others_decided(undecided, clock)
    assert clock.monotonic() - began <= PATIENCE < LATE_SECONDS


async def test_there_is_one_game_a_day_and_it_leaves_a_line_on_the_board_alone(tmp_path: Path) -> None:
    tables, clock = await noon(tmp_path / "a.db")
    table = await begin(tables, "atom_duel")
    assert (table.stored.guild_id, table.stored.channel_id, table.entropy) == (None, 0, [])
    with pytest.raises(Refused, match="daily_begun"):
        await begin(tables, "atom_duel")
    with pytest.raises(Refused, match="daily_begun"):
        await begin(tables, "atom_duel", practice=True)
    await play(tables, table, 2)
    with pytest.raises(Refused, match="no_undo_daily"):
        await consent.find_undo(table, 1, tables.database)
    await play(tables, table, 500)
    assert table.phase == "over"
    places, among = await tables.database.read_at_once(
        lambda c: days.board(c, DAY, "atom_duel", here=70, asker=1, most=10)
    )
    assert [(one.user_id, one.name, among) for one in places] == [(1, "n1", 1)]
    assert places[0].done.moves == sum(each.seat == 0 for each in await journal_of(tables, table))
    for model in (ResultRow, TotalRow):
        count = select(func.count()).select_from(table_of(model))
        assert await tables.database.read_at_once(lambda c, q=count: c.execute(q).scalar()) == 0
    again = await begin(tables, "atom_duel", practice=True)
    assert again.setup().key == table.setup().key
    clock.move(1)
    await close_tables(tables)


async def test_a_game_that_is_settled_after_midnight_counts_for_its_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last act was made in time; then the database fell silent, or the bot was started anew."""

    def silence(*_: object) -> None:
        raise StoreError("slow", "silent at the end")

    tables, clock = await noon(tmp_path / "a.db")
    table = await begin(tables, "atom_duel")
    with monkeypatch.context() as silent:
        silent.setattr("bot.table.game_runner.keep_results", silence)
        await play(tables, table, 500)
    assert table.outcome() is not None
    assert table.phase == "live"
    clock.move(12 * 3600)
    await settle(tables)
    assert table.phase == "over"
    places, _ = await tables.database.read_at_once(
        lambda c: days.board(c, DAY, "atom_duel", here=70, asker=1, most=10)
    )
    assert [one.user_id for one in places] == [1]
    await close_tables(tables)


async def try_again(tables: Tables, table: Table, act: int) -> Table:
    """The position before an act once more, as the first person."""
    return await practice.practise(tables, table, 1, act, names={})


async def test_the_seed_is_secret_until_the_day_is_over(tmp_path: Path) -> None:
    tables, clock = await noon(tmp_path / "a.db")
    table = await begin(tables, "atom_duel")
    await play(tables, table, 500)
    with pytest.raises(Refused, match="daily_sealed"):
        await tables.record(table)
    with pytest.raises(Refused, match="daily_sealed"):
        await replays.replay_of(tables, table)
    assert not replays.may_share(table, 1), "others have its seed, too"
    found = await exporting.export(tables, 1, clock.now())
    assert found.records == 0
    assert table.stored.seed.hex().encode() not in found.data
    acts = [(each.seat) for each in await journal_of(tables, table)]
    with pytest.raises(Refused, match="review_sealed") as later:
        await try_again(tables, table, acts.index(0))
    assert later.value.facts["at"] == days.counts_until(DAY) // 1000
    clock.move((12 + 3) * 3600)  # from noon to the end of the hours of grace
    more = await try_again(tables, table, acts.index(0))
    assert more.stored.terms.practice == table.id
    kept = await tables.record(table)
    promised = await tables.database.read_at_once(lambda c: days.commitments(c, DAY))
    assert kept.commitment == promised["atom_duel"]
    record.verify(kept)
    assert (await exporting.export(tables, 1, clock.now())).records > 0
    await close_tables(tables)


async def test_the_first_start_brings_the_deals_of_its_day(tmp_path: Path) -> None:
    tables, clock, _ = await opened_tables(tmp_path / "a.db", ManualClock(NOON))
    with pytest.raises(Refused, match="no_daily"):
        await begin(tables, "atom_duel")
    await tables.runtime.upkeep.round()
    assert (await begin(tables, "atom_duel")).phase == "live"
    clock.move(2 * 86_400)
    await tables.runtime.upkeep.round()
    (left,) = [await tables.get(1)]
    assert (left.phase, left.stored.why) == ("cancelled", "day_over")
    await close_tables(tables)


async def test_a_deal_that_cannot_be_read_keeps_no_other_from_being_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "AT_A_TIME", 1)
    tables, clock = await noon(tmp_path / "a.db")
    rests, left = [(await begin(tables, game)).id for game in ("atom_duel", "atom")]
    await close_tables(tables)
    clock.move(2 * 86_400)
    tables, _, _ = await opened_tables(tmp_path / "a.db", clock, offers=lambda game: game != "atom_duel")
    with pytest.raises(Refused, match="resting"):
        await tables.get(rests)
    await tables.runtime.upkeep.round()
    assert (await tables.get(left)).stored.why == "day_over"
    await close_tables(tables)


def test_the_margin_goes_the_way_of_the_score() -> None:
    def of(*standings: Standing) -> float:
        return results.daily_result(Outcome(standings), 3).margin

    assert of(Standing(1, 9.0), Standing(2, 4.0), Standing(3, 1.0)) == 5.0
    assert of(Standing(2, 4.0), Standing(1, 9.0)) == -5.0
    assert of(Standing(1, 2.0), Standing(2, 7.0)) == 5.0, "where less is better"
    assert of(Standing(1, 8.0, 0), Standing(2, 3.0, 1), Standing(1, 8.0, 0)) == 5.0, "a partner is no rival"
    assert of(Standing(1, 4.0), Standing(1, 4.0)) == 0.0
