"""What servers and channels agree on comes back as it was kept; what cannot be read is left out alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine

from bot.store.models import Base
from bot.store.people import put_setting
from bot.store.servers import Opening, Server, ServerLimits, opening_of, put_opening, put_server, server_of

WHOLE = Server(
    locale="zh-CN",
    clock=0,
    thread=True,
    channels=(11, 12),
    games=("duel52",),
    open_by="role",
    open_role=5,
    close_by="everybody",
    limits=ServerLimits(lobbies_of_person=1, tables_of_server=8),
)


@pytest.fixture
def connection() -> Iterator[Connection]:
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def test_what_was_kept_comes_back(connection: Connection) -> None:
    put_server(connection, 70, WHOLE)
    put_opening(connection, 7, Opening(clock=60))
    assert server_of(connection, 70) == WHOLE
    assert opening_of(connection, 7) == Opening(clock=60)
    put_server(connection, 70, Server())
    assert server_of(connection, 70) == Server()


def test_where_nobody_said_the_defaults_hold(connection: Connection) -> None:
    put_server(connection, 7, WHOLE)
    assert server_of(connection, 70) == Server()
    assert opening_of(connection, 7) == Opening()


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ({"open_by": "guests", "clock": 60, "later": 1}, Server(clock=60)),
        ({"limits": {"tables_of_person": "few"}, "games": ["atom"]}, Server(games=("atom",))),
        ("something else", Server()),
    ],
)
def test_a_value_of_a_newer_version_leaves_the_others(
    connection: Connection, stored: Any, read: Server
) -> None:
    put_setting(connection, "server", 70, "tables", stored)
    assert server_of(connection, 70) == read


def test_the_channel_wins_over_the_server() -> None:
    here = Opening(clock=0, locale="en")
    assert here.before(WHOLE) == Opening(clock=0, locale="en", thread=True)
    assert Opening().before(WHOLE) == Opening(clock=0, locale="zh-CN", thread=True)
    assert Opening(thread=False).before(WHOLE).thread is False
