"""/hand of somebody who sits at many tables."""

from __future__ import annotations

import re
from typing import Any

from tests.flows.test_moving import said
from tests.flows.test_views import custom_ids, dealt


async def at_tables(room: Any, count: int) -> Any:
    """Ann's list of so many tables, which she has joined at somebody's invitation."""
    room.bot.app.tables._quotas = type(room.bot.app.tables._quotas)(99, 99, 99, 99)
    for _ in range(count):
        await dealt(room)
    return (await room.ann.slash(room.channel, "hand")).response


def listed(message: Any) -> list[int]:
    return [int(table) for table in re.findall(r"\*\*(\d+)\*\* · Probe", said(message))]


async def test_all_tables_are_found_page_by_page(room: Any) -> None:
    message = await at_tables(room, 14)
    pages = []
    for number in (1, 2):
        assert f"{number} / 2" in str(message.components)
        pages.append(listed(message))
        assert {f"v:hand:{table}" for table in pages[-1]} <= set(custom_ids(message.components))
        message = (await room.ann.click(message, label="Next ▶")).response
    assert sorted(pages[0] + pages[1]) == list(range(1, 15))
    assert listed(message) == pages[0]


async def test_few_tables_stand_on_one_page(room: Any) -> None:
    message = await at_tables(room, 2)
    assert listed(message) == [2, 1]
    assert " / " not in str(message.components)
