"""Blocks between people, and the pauses between requests that get no yes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, create_engine, func, select

from bot.store import contacts
from bot.store.contacts import FORGOTTEN_MS, MOST_BLOCKED, PAUSES_MS
from bot.store.models import Base, BlockRow, RequestRow, table_of
from bot.store.personal_data import personal
from bot.store.personal_data.forgetting import forget

ANN, BEN, CLEO = 1_573_215_390_710_890_497, 1_573_215_390_710_890_498, 1_573_215_390_710_890_499
NOW = 1_800_000_000_000
BLOCKS, REQUESTS = table_of(BlockRow), table_of(RequestRow)


@pytest.fixture
def connection() -> Iterator[Connection]:
    engine = create_engine("sqlite://")
    with engine.begin() as opened:
        Base.metadata.create_all(opened)
        yield opened
    engine.dispose()


def rows(connection: Connection) -> int:
    return int(connection.execute(select(func.count()).select_from(REQUESTS)).scalar_one())


def test_a_block_keeps_both_apart_and_only_one_of_them_has_it(connection: Connection) -> None:
    assert contacts.block(connection, ANN, BEN, NOW)
    assert contacts.blocked_by(connection, ANN, [BEN, CLEO]) == {BEN}
    assert contacts.blocked_by(connection, BEN, [ANN]) == set()
    assert contacts.blocking(connection, BEN, [ANN, CLEO]) == {ANN}
    assert contacts.apart(connection, ANN, [BEN, CLEO]) == {BEN}
    assert contacts.apart(connection, BEN, [ANN, CLEO]) == {ANN}
    contacts.unblock(connection, ANN, BEN)
    assert contacts.apart(connection, BEN, [ANN, CLEO]) == set()


def test_the_list_is_paged_newest_first_and_has_an_end(connection: Connection) -> None:
    for other in range(1, MOST_BLOCKED + 1):
        assert contacts.block(connection, ANN, other, NOW + other)
    assert not contacts.block(connection, ANN, BEN, NOW)
    assert contacts.block(connection, ANN, 5, NOW), "someone who is on it already"
    assert contacts.block(connection, BEN, ANN, NOW), "of another person"
    assert contacts.blocked(connection, ANN, 2) == ([100, 99], MOST_BLOCKED)
    assert contacts.blocked(connection, ANN, 2, 98) == ([2, 1], MOST_BLOCKED)
    contacts.unblock(connection, ANN, 5)
    assert contacts.block(connection, ANN, BEN, NOW)


def test_each_request_without_a_yes_makes_the_next_pause_longer(connection: Connection) -> None:
    now = NOW
    for pause in (*PAUSES_MS, PAUSES_MS[-1]):
        assert contacts.claim_request(connection, ANN, BEN, now) == 0
        assert contacts.claim_request(connection, ANN, BEN, now) == now + pause
        assert contacts.claim_request(connection, ANN, BEN, now + pause - 1) == now + pause
        assert contacts.pausing(connection, ANN, [BEN, CLEO], now) == {BEN}
        now += pause
        assert contacts.pausing(connection, ANN, [BEN, CLEO], now) == set()
    assert contacts.claim_request(connection, BEN, ANN, NOW) == 0, "the other way round"
    assert contacts.claim_request(connection, ANN, CLEO, NOW) == 0, "someone else"


def test_a_no_begins_the_pause_again(connection: Connection) -> None:
    contacts.claim_request(connection, ANN, BEN, NOW)
    much_later = NOW + 5 * PAUSES_MS[0]
    contacts.refuse_request(connection, ANN, BEN, much_later)
    assert contacts.claim_request(connection, ANN, BEN, much_later) == much_later + PAUSES_MS[0]
    again = much_later + PAUSES_MS[0]
    assert contacts.claim_request(connection, ANN, BEN, again) == 0
    contacts.refuse_request(connection, ANN, BEN, again + 7)
    assert contacts.claim_request(connection, ANN, BEN, again + 7) == again + 7 + PAUSES_MS[1]
    contacts.refuse_request(connection, CLEO, BEN, NOW)
    assert contacts.claim_request(connection, CLEO, BEN, NOW) == NOW + PAUSES_MS[0], "a no without a request"


def test_a_request_that_reached_no_one_does_not_count(connection: Connection) -> None:
    contacts.claim_request(connection, ANN, BEN, NOW)
    contacts.take_back_request(connection, ANN, BEN, NOW)
    assert rows(connection) == 0
    contacts.claim_request(connection, ANN, BEN, NOW)
    contacts.claim_request(connection, ANN, BEN, NOW + PAUSES_MS[0])
    contacts.take_back_request(connection, ANN, BEN, NOW + PAUSES_MS[0])
    again = NOW + PAUSES_MS[0]
    assert contacts.claim_request(connection, ANN, BEN, again) == 0
    assert contacts.claim_request(connection, ANN, BEN, again) == again + PAUSES_MS[1]


def test_a_yes_and_a_game_together_forget_everything(connection: Connection) -> None:
    for asker, asked in ((ANN, BEN), (BEN, ANN), (CLEO, BEN), (ANN, 4)):
        contacts.claim_request(connection, asker, asked, NOW)
    contacts.forget_requests(connection, [ANN], BEN)
    assert contacts.claim_request(connection, ANN, BEN, NOW) == 0
    assert contacts.claim_request(connection, CLEO, BEN, NOW)
    contacts.forget_requests_among(connection, [ANN, BEN, CLEO])
    assert rows(connection) == 1, "of Ann to somebody who does not play with them"


def test_requests_are_forgotten_after_a_week(connection: Connection) -> None:
    for n in range(3):
        contacts.claim_request(connection, ANN, BEN, NOW + n * PAUSES_MS[2])
    over = NOW + 3 * PAUSES_MS[2] + FORGOTTEN_MS
    assert contacts.drop_over(connection, over - FORGOTTEN_MS - 1, 9) == 0
    assert contacts.claim_request(connection, ANN, BEN, over) == 0
    assert contacts.claim_request(connection, ANN, BEN, over) == over + PAUSES_MS[0], "it is the first again"
    contacts.claim_request(connection, ANN, CLEO, over)
    contacts.claim_request(connection, BEN, CLEO, over)
    assert contacts.drop_over(connection, over + PAUSES_MS[0], 2) == 2
    assert contacts.drop_over(connection, over + PAUSES_MS[0], 2) == 1
    assert rows(connection) == 0


@pytest.mark.parametrize("gone", [ANN, BEN])
def test_rows_go_with_either_person_and_only_one_reads_of_a_block(connection: Connection, gone: int) -> None:
    contacts.block(connection, ANN, BEN, NOW)
    contacts.claim_request(connection, ANN, BEN, NOW)
    contacts.block(connection, CLEO, 4, NOW)
    assert personal.everything(connection, ANN, NOW)["blocks"] == [{"blocked_id": str(BEN), "at": NOW}]
    assert personal.everything(connection, BEN, NOW)["blocks"] == []
    (own,) = personal.everything(connection, ANN, NOW)["requests"]
    assert str(BEN) not in str(own)
    assert personal.everything(connection, BEN, NOW)["requests"] == []
    forget(connection, gone, NOW)
    assert connection.execute(select(BLOCKS.c.blocker_id)).scalars().all() == [CLEO]
    assert rows(connection) == 0
