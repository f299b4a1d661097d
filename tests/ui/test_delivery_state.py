"""What a message shows, as far as this process can know."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.live.follower import DeliveryState


def sent(delivery: DeliveryState, version: int) -> None:
    with delivery.on_its_way(version):
        pass


def test_what_was_sent_and_heard_of_stands_there() -> None:
    delivery = DeliveryState()
    assert delivery.behind(1, noted=None)
    assert not delivery.behind(1, noted=1)  # another process has written it down
    sent(delivery, 2)
    assert not delivery.behind(2, noted=1)
    assert delivery.behind(3, noted=3)


def test_what_was_lost_on_its_way_is_not_sure() -> None:
    delivery = DeliveryState()
    with pytest.raises(ConnectionError), delivery.on_its_way(2):
        raise ConnectionError
    assert not delivery.sure
    assert delivery.behind(2, noted=2)
    sent(delivery, 2)
    assert delivery.sure


def test_of_two_at_once_nobody_knows_which_came_last() -> None:
    delivery = DeliveryState()
    delivery.depart()
    with delivery.on_its_way(3):
        pass
    assert not delivery.sure  # the first one is still on its way
    delivery.arrive(2)
    assert delivery.behind(3, noted=3)
    sent(delivery, 3)
    assert not delivery.behind(3, noted=2)


def test_what_is_doubted_while_a_new_version_is_written_stays_in_doubt() -> None:
    delivery = DeliveryState()
    delivery.look_up()
    with delivery.on_its_way(2):
        delivery.doubt()
    delivery.written()
    assert not delivery.sure
    delivery.look_up()
    sent(delivery, 2)
    delivery.written()
    assert delivery.sure


def test_what_nobody_misses_counts_as_shown() -> None:
    delivery = DeliveryState()
    delivery.doubt()
    delivery.settle(4)
    assert not delivery.behind(4, noted=None)


async def test_whoever_writes_waits_for_answers_but_not_for_ever() -> None:
    delivery = DeliveryState()
    assert await delivery.quiet(0)  # nothing is on its way
    delivery.depart()
    assert not await delivery.quiet(0.01)
    waiting = asyncio.create_task(delivery.quiet(60))
    await asyncio.sleep(0)
    delivery.arrive(1)
    assert await waiting


@given(st.data())
def test_whoever_is_sure_is_right(data: st.DataObject) -> None:
    """Sendings that cross, are lost before or after they were shown, in any order."""
    delivery, shows = DeliveryState(), -1
    under_way: dict[int, bool] = {}  # and whether Discord shows it, or has shown it since
    for version in range(data.draw(st.integers(1, 6)) * 3):
        what = data.draw(st.sampled_from(["send", "show", "hear", "lose"]))
        if what == "send":
            delivery.depart()
            under_way[version] = False
        elif under_way:
            one = data.draw(st.sampled_from(sorted(under_way)))
            if what in ("show", "hear") and not under_way[one]:
                under_way[one], shows = True, one
            if what in ("hear", "lose"):
                del under_way[one]
                delivery.arrive(one if what == "hear" else None)
        if not under_way and delivery.sure and shows >= 0:
            assert not delivery.behind(shows, noted=None)
