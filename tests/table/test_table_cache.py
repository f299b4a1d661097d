"""What stays in memory: little, not for long, and never two of one table."""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections.abc import Iterator

import pytest

from bot.store.games import Entry
from bot.table.storage.table_cache import WARM_BYTES, WARM_SECONDS, TableCache, weight
from bot.table.table import Table
from engine import catalog
from engine.game import as_json
from engine.setups import Kind
from tests.support.tables.replayed import a_table
from tests.support.tables.tables import ManualClock

pytestmark = pytest.mark.repeats

PROBE = catalog.get("probe")


@pytest.fixture(autouse=True, scope="module")
def _only_what_is_new() -> Iterator[None]:
    """Late in a run the collector would look through all that other tests left, each time for seconds."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def some_table(number: int = 1) -> Table:
    table = a_table(PROBE, Kind(2, PROBE.defaults()), [])
    table.stored.id = number
    return table


def test_a_table_is_let_go_a_quarter_of_an_hour_after_the_last_touch() -> None:
    clock = ManualClock()
    cache = TableCache(clock.monotonic)
    cache.touch(some_table())
    clock.move(WARM_SECONDS - 1)
    found = cache.get(1)
    assert found is not None
    cache.touch(found)
    del found
    clock.move(WARM_SECONDS - 1)
    cache.sweep()
    assert (cache.get(1) is not None, len(cache)) == (True, 1)
    clock.move(2)
    cache.sweep()
    gc.collect()
    assert (cache.get(1), len(cache), cache.values()) == (None, 0, [])
    assert WARM_SECONDS == 900


def test_whoever_holds_a_table_keeps_others_from_loading_a_second_one() -> None:
    clock = ManualClock()
    cache = TableCache(clock.monotonic)
    mine = cache.touch(some_table())
    clock.move(WARM_SECONDS + 1)
    cache.sweep()
    gc.collect()
    assert cache.get(1) is mine


def test_the_cache_never_exceeds_its_bytes_and_keeps_what_was_touched_last() -> None:
    each = weight(some_table())
    cache = TableCache(ManualClock().monotonic, most_bytes=10 * each)
    for number in range(1, 31):
        cache.touch(some_table(number))
        assert sum(map(weight, cache.values())) <= 10 * each
        gc.collect()
    assert sorted(table.id for table in cache.values()) == list(range(21, 31))


def test_a_table_that_grows_is_weighed_again() -> None:
    cache = TableCache(ManualClock().monotonic, most_bytes=3 * weight(some_table()))
    for number in (1, 2, 3):
        cache.touch(some_table(number))
    table = cache.values()[-1]
    table.legal = [tuple(range(len(table.legal[0]) + 100)), ()]
    cache.touch(table)
    heavier = table.id
    del table
    gc.collect()
    assert heavier in [each.id for each in cache.values()]
    assert sum(map(weight, cache.values())) <= 3 * weight(some_table())


def test_a_table_larger_than_the_cache_is_not_kept() -> None:
    cache = TableCache(ManualClock().monotonic, most_bytes=10)
    cache.touch(some_table())
    gc.collect()
    assert (cache.get(1), len(cache)) == (None, 0)
    assert 2**20 < WARM_BYTES <= 2**26


MANY = 20


@pytest.mark.parametrize("key", catalog.listed())
@pytest.mark.parametrize("acts", [0, 100])
def test_a_table_weighs_about_what_it_takes(key: str, acts: int) -> None:
    """Counted is what it takes, by a factor of two at most: the bound in bytes means something."""
    game, rng = catalog.get(key), random.Random(key)
    kind = Kind(game.seats(game.defaults())[-1], game.defaults())
    table, journal = a_table(game, kind, []), list[Entry]()
    while table.waiting() and len(journal) < acts:
        assert table.state is not None
        seat = table.waiting()[0]
        action = rng.choice(table.legal[seat])
        journal.append(Entry(len(journal) + 1, "act", seat, as_json(action), 0))
        table = a_table(game, kind, journal) if acts < 5 else _after(table, seat, action)
    for _ in range(3):  # what is made once for all tables is made now
        a_table(game, kind, journal)
    gc.collect()
    tracemalloc.start()
    tables = [a_table(game, kind, list(journal)) for _ in range(MANY)]
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 0.5 < weight(tables[0]) / (taken / MANY) < 2


def _after(table: Table, seat: int, action: object) -> Table:
    assert table.state is not None
    after = table.state.clone()
    after.events = []
    after.apply(seat, action)
    table.seq += 1
    table._enter(after, seat)
    return table
