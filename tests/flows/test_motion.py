"""The table in its channel moves where something has happened that is worth it, once, and against nobody's
wish."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.features.table.publishing.publisher import TablePublisher
from bot.render.pool import Studio
from bot.store.prefs import Pictures
from tests.support.discord.room_play import dealt, the_table
from tests.support.waiting import until


async def a_hand_is_decided(room: Any) -> list[str]:
    """Play the first hand of Atom Duel; the names of the pictures that the table showed on the way."""
    await dealt(room, "atom_duel", level="1")
    table, shown = the_table(room), []
    for _ in range(2):
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][0])
        await until(lambda: table.stored.shown == table.stored.edition)
        (picture,) = room.channel.last_message.attachments
        shown.append(picture.filename)
    assert table.state is not None
    assert table.state.observe(None).last_hand is not None
    return shown


@pytest.fixture
def painters(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """A function that lets the painters have time for moving pictures, or not."""

    def switch(idle: bool) -> None:
        monkeypatch.setattr(Studio, "has_time_for", lambda _self, _scene: idle)

    switch(True)
    return switch


@pytest.mark.usefixtures("painters")
async def test_a_decided_hand_moves_and_nothing_else(room: Any) -> None:
    assert await a_hand_is_decided(room) == ["table.png", "table.gif"]
    picture = room.channel.last_message.attachments[0]
    assert (await picture.read()).startswith(b"GIF89a")
    # shown again it stands still: it has been seen
    table = the_table(room)
    room.bot.app.service(TablePublisher).show_again(table)
    await until(lambda: room.channel.last_message.attachments[0].filename == "table.png")


async def test_it_stands_still_while_painters_have_more_to_do(
    room: Any, painters: Callable[[bool], None]
) -> None:
    painters(False)
    assert await a_hand_is_decided(room) == ["table.png", "table.png"]
    picture = room.channel.last_message.attachments[0]
    assert (await picture.read()).startswith(b"\x89PNG")
    assert "table.png" in str(room.channel.last_message.components)


@pytest.mark.usefixtures("painters")
@pytest.mark.parametrize("wish", ["channel", "person"])
async def test_it_stands_still_where_somebody_wants_that(room: Any, wish: str) -> None:
    if wish == "channel":
        await room.bot.app.preferences.channels.put(room.channel.id, Pictures(still=True))
    else:
        shown = (await room.ben.slash(room.channel, "settings")).response
        await room.ben.click(shown, custom_id="v:set:still:yes")
    assert await a_hand_is_decided(room) == ["table.png", "table.png"]
