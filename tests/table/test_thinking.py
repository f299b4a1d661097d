"""Opponents think beside the loop; whatever happens to them there, the table goes on."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.table import lobby, thinking
from bot.table.thinking import WorkerThinker, call_by_name
from bot.workers.errors import Closed, TooSlow
from engine import catalog
from tests.support.games.random_play import question
from tests.support.tables.tables import close_tables, first_act, new_table, opened_tables, settle
from tests.support.waiting import LIMIT_SECONDS, until

pytestmark = pytest.mark.repeats


async def test_an_opponent_chooses_in_its_process() -> None:
    thinker = WorkerThinker(1)
    game, level, seen, actions = question()
    try:
        assert await thinker.choose(game, level, seen, actions) in actions
        assert await thinker.choose(game, level, seen, actions[:1]) == actions[0]
        assert thinker.thoughts.counts.done == 1
    finally:
        await thinker.close()


async def test_a_thought_that_takes_too_long_is_given_up() -> None:
    thinker = WorkerThinker(0, thought_seconds=0.1)
    game = catalog.get("atom_duel")
    _, _, seen, actions = question()

    enough = threading.Event()

    def ponder(*_: Any) -> Any:
        enough.wait(20)

    opponents = dict(game.opponents)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(game), "opponents", {**opponents, "ponder": ponder})
        with pytest.raises(TooSlow):
            await thinker.choose("atom_duel", "ponder", seen, actions)
    enough.set()
    level = next(iter(opponents))
    assert await thinker.choose("atom_duel", level, seen, actions) in actions
    assert thinker.thoughts.counts.slow == 1
    await thinker.close()


async def test_a_stopped_process_is_replaced() -> None:
    thinker = WorkerThinker(1, thought_seconds=1)
    _, _, seen, actions = question()
    level = next(iter(catalog.get("atom_duel").opponents))
    try:
        await thinker.choose("atom_duel", level, seen, actions)
        os.kill(thinker.thoughts.pids[0], signal.SIGSTOP)
        several = (thinker.choose("atom_duel", level, seen, actions) for _ in range(24))
        chosen = await asyncio.wait_for(asyncio.gather(*several), LIMIT_SECONDS)
        assert all(action in actions for action in chosen)
        assert thinker.thoughts.counts.started == 2
    finally:
        await thinker.close()


async def test_a_keepsake_holds_up_no_thought() -> None:
    thinker = WorkerThinker(1)
    _, _, seen, actions = question()
    level = next(iter(catalog.get("atom_duel").opponents))
    await thinker.choose("atom_duel", level, seen, actions)
    keepsake = asyncio.create_task(thinker.run(call_by_name, "time:sleep", 600))
    await until(lambda: thinker.makers.busy)
    assert await asyncio.wait_for(thinker.choose("atom_duel", level, seen, actions), LIMIT_SECONDS) in actions
    await asyncio.wait_for(thinker.close(), LIMIT_SECONDS)
    with pytest.raises(Closed):
        await keepsake


async def test_a_review_is_begun_at_once_while_one_person_asks_for_fifteen_films() -> None:
    thinker = WorkerThinker(1)
    films = [asyncio.create_task(thinker.draw(call_by_name, "time:sleep", 600, whose=1)) for _ in range(15)]
    await until(lambda: thinker.films.busy and thinker.films.waiting == 14)
    mine = [asyncio.create_task(thinker.analyze(call_by_name, "os:getpid", whose=1)) for _ in range(15)]
    other = await asyncio.wait_for(thinker.analyze(call_by_name, "os:getpid", whose=2), LIMIT_SECONDS)
    assert other != os.getpid()
    assert thinker.films.counts.done == 0
    await thinker.close()
    await asyncio.gather(*films, *mine, return_exceptions=True)


async def test_a_table_goes_on_when_its_opponents_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every thought takes too long: other actions stand in, each one is counted, and the game ends."""

    def ponder(_: Any, actions: Sequence[Any], __: random.Random) -> Any:
        time.sleep(0.2)
        return actions[0]

    thinker = WorkerThinker(0, thought_seconds=0.01)
    tables, _, _ = await opened_tables(tmp_path / "v.db", thinker=thinker)
    table = await new_table(tables, people=[1], opponents=1)
    monkeypatch.setattr(type(table.game), "opponents", {**table.game.opponents, "random": ponder})
    await lobby.start(table, 1)
    for _ in range(60):
        await settle(tables)
        if table.phase == "over":
            break
        await first_act(table, 1)
    assert table.phase == "over"
    assert thinker.thoughts.counts.slow > 0
    assert thinker.thoughts.counts.done == 0
    await close_tables(tables)


def test_a_hint_is_told_when_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its own work, so that a busy machine does not make hints poorer, and by the clock on the wall."""
    stops, at = [], {"work": 5.0, "wall": 100.0}
    monkeypatch.setattr(thinking, "advise", lambda *_, stop: stops.append(stop))
    monkeypatch.setattr(thinking.time, "thread_time", lambda: at["work"])
    monkeypatch.setattr(thinking.time, "monotonic", lambda: at["wall"])
    for part, seconds in (("work", thinking.HINT_SECONDS), ("wall", thinking.STUDY_SECONDS)):
        thinking.hint("atom", {}, ())
        assert not stops[-1]()
        at[part] += seconds + 0.01
        assert stops[-1]()
