"""What a message shows, as far as this process can know."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.views.sureness import Sureness


def sent(sureness: Sureness, version: int) -> None:
    with sureness.on_its_way(version):
        pass


def test_what_was_sent_and_heard_of_stands_there() -> None:
    sureness = Sureness()
    assert sureness.behind(1, noted=None)
    assert not sureness.behind(1, noted=1)  # another process has written it down
    sent(sureness, 2)
    assert not sureness.behind(2, noted=1)
    assert sureness.behind(3, noted=3)


def test_what_was_lost_on_its_way_is_not_sure() -> None:
    sureness = Sureness()
    with pytest.raises(ConnectionError), sureness.on_its_way(2):
        raise ConnectionError
    assert not sureness.sure
    assert sureness.behind(2, noted=2)
    sent(sureness, 2)
    assert sureness.sure


def test_of_two_at_once_nobody_knows_which_came_last() -> None:
    sureness = Sureness()
    sureness.depart()
    with sureness.on_its_way(3):
        pass
    assert not sureness.sure  # the first one is still on its way
    sureness.arrive(2)
    assert sureness.behind(3, noted=3)
    sent(sureness, 3)
    assert not sureness.behind(3, noted=2)


def test_what_is_doubted_while_a_new_version_is_written_stays_in_doubt() -> None:
    sureness = Sureness()
    sureness.look_up()
    with sureness.on_its_way(2):
        sureness.doubt()
    sureness.written()
    assert not sureness.sure
    sureness.look_up()
    sent(sureness, 2)
    sureness.written()
    assert sureness.sure


def test_what_nobody_misses_counts_as_shown() -> None:
    sureness = Sureness()
    sureness.doubt()
    sureness.settle(4)
    assert not sureness.behind(4, noted=None)


async def test_whoever_writes_waits_for_answers_but_not_for_ever() -> None:
    sureness = Sureness()
    assert await sureness.quiet(0)  # nothing is on its way
    sureness.depart()
    assert not await sureness.quiet(0.01)
    waiting = asyncio.create_task(sureness.quiet(60))
    await asyncio.sleep(0)
    sureness.arrive(1)
    assert await waiting


@given(st.data())
def test_whoever_is_sure_is_right(data: st.DataObject) -> None:
    """Sendings that cross, are lost before or after they were shown, in any order."""
    sureness, shows = Sureness(), -1
    under_way: dict[int, bool] = {}  # and whether Discord shows it, or has shown it since
    for version in range(data.draw(st.integers(1, 6)) * 3):
        what = data.draw(st.sampled_from(["send", "show", "hear", "lose"]))
        if what == "send":
            sureness.depart()
            under_way[version] = False
        elif under_way:
            one = data.draw(st.sampled_from(sorted(under_way)))
            if what in ("show", "hear") and not under_way[one]:
                under_way[one], shows = True, one
            if what in ("hear", "lose"):
                del under_way[one]
                sureness.arrive(one if what == "hear" else None)
        if not under_way and sureness.sure and shows >= 0:
            assert not sureness.behind(shows, noted=None)
