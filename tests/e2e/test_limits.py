"""Quotas hold though everything comes at once."""

from __future__ import annotations

import asyncio

import pytest

from tests.e2e.room import Room, table_of

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_twenty_at_once_open_no_more_than_the_quota(room: Room) -> None:
    ann, ben = await room.person("ann"), await room.person("ben")
    outs = await asyncio.gather(*(ann.command(room.channel, "play", game="probe") for _ in range(20)))
    opened = [out for out in outs if not out.ephemeral]
    assert len({table_of(ann, out) for out in opened}) == len(opened) == 5
    refused = {ann.text(out) for out in outs if out.ephemeral}
    assert refused == {"You have 5 lobbies open already. Start one of them or close it, then open this one."}
    out = await ben.command(room.channel, "play", game="probe")
    assert not out.ephemeral
