"""/hand, /move and /games where there are many tables, some of which sleep."""

from __future__ import annotations

import re
from typing import Any

from bot import locales
from bot.table.table import PAUSED
from bot.ui.rate_limiter import PostLimiter
from tests.support.discord.room_play import dealt
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.tables.tables import at_hand, first_act


async def at_tables(room: Any, count: int) -> Any:
    """Ann's list of so many tables, which she has joined at somebody's invitation."""
    room.bot.tables.opener._quotas = type(room.bot.tables.opener._quotas)(99, 99, 99, 99)
    for _ in range(count):
        room.bot.app.posts = PostLimiter(room.bot.tables.clock)  # as if they were opened on many days
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


async def test_tables_that_sleep_come_last_and_are_nobodys_turn(room: Any) -> None:
    await at_tables(room, 2)
    await at_hand(room.bot.tables)[2].sleep("idle")
    message = (await room.ann.slash(room.channel, "hand")).response
    say = locales.words("en")
    assert listed(message) == [1, 2]
    first, last = (line for line in said(message).splitlines() if "Probe" in line)
    assert first.endswith(say("hand.your_turn"))
    assert last.endswith(say("hand.sleeps"))


async def test_a_move_is_meant_for_the_table_that_is_awake(room: Any) -> None:
    await at_tables(room, 2)
    tables = at_hand(room.bot.tables)
    await tables[2].sleep("idle")
    offered = await room.ann.autocomplete(room.channel, "move", "choice", "")
    assert offered
    assert all(each["value"].startswith("1:") for each in offered)
    assert not any(each["name"].startswith("1: ") for each in offered)  # there is nothing to tell apart
    await room.ann.slash(room.channel, "move", choice=offered[0]["name"])
    assert (tables[1].seq > 0, tables[2].seq, tables[2].asleep) == (True, 0, True)
    sleeping = await room.ann.autocomplete(room.channel, "move", "choice", "", table=2)
    await room.ann.slash(room.channel, "move", choice=sleeping[0]["value"])
    assert tables[2].seq > 0


async def test_open_tables_that_sleep_are_told_last(room: Any) -> None:
    """A lobby that waits for people is not looked for behind games that somebody left."""
    await at_tables(room, 2)
    await at_hand(room.bot.tables)[2].sleep("idle")
    message = (await room.ann.slash(room.channel, "games")).response
    first, last = (line for line in said(message).splitlines() if "Probe" in line)
    assert first.startswith("[Table 1]")
    assert last.startswith("[Table 2]")
    assert last.endswith(locales.words("en")("games.asleep"))


async def test_a_paused_table_is_not_said_to_sleep(room: Any) -> None:
    """A press wakes a table that sleeps, and not one that is paused."""
    await at_tables(room, 1)
    await at_hand(room.bot.tables)[1].sleep(PAUSED)
    message = (await room.ann.slash(room.channel, "games")).response
    (line,) = (line for line in said(message).splitlines() if "Probe" in line)
    assert line.endswith(locales.words("en")("hand.paused"))


async def test_more_tables_than_a_page_of_a_list_are_found_too(room: Any) -> None:
    message = await at_tables(room, 27)
    found = listed(message)
    for _ in range(2):
        message = (await room.ann.click(message, label="Next ▶")).response
        found += listed(message)
    assert sorted(found) == list(range(1, 28))


async def test_the_newest_table_here_is_meant_whichever_waits(room: Any) -> None:
    await at_tables(room, 2)
    await first_act(at_hand(room.bot.tables)[2], room.ann.id)
    asked = (await room.ann.slash(room.channel, "table leave")).response
    assert "Leave table 2?" in said(asked)
