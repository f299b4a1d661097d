"""House rules in both kinds of database: what two hosts do at once, and what a fresh start finds."""

from __future__ import annotations

import asyncio
from typing import Any

from bot.core.errors import Refused
from bot.features.house_rules import rows as store
from bot.features.house_rules import service as house_rules
from bot.features.house_rules.rows import HouseRules

CHANNEL, ANN, BEN = 7, 1, 2


def rules(name: str, by: int = ANN, **options: str) -> HouseRules:
    return HouseRules(
        guild_id=5, channel_id=CHANNEL, game="duel52", name=name, options=options, saved_by=by, saved_at=9
    )


def refusals(done: list[Any]) -> list[str]:
    assert all(isinstance(each, int | None | Refused) for each in done), done
    return [each.key for each in done if isinstance(each, Refused)]


async def test_two_hosts_with_one_name_at_once(opened_tables: Any) -> None:
    database = (await opened_tables()).database
    both = (rules("Night", ANN, variant="quick"), rules("NIGHT", BEN, variant="teams"))
    done = await asyncio.gather(*(house_rules.save(database, each) for each in both), return_exceptions=True)
    assert refusals(done) == ["house_rules_taken"]
    assert len(await house_rules.of_channel(database, CHANNEL)) == 1


async def test_two_hosts_for_the_last_place(opened_tables: Any) -> None:
    database = (await opened_tables()).database
    for n in range(store.MOST - 1):
        await house_rules.save(database, rules(f"Rules {n}"))
    done = await asyncio.gather(
        *(house_rules.save(database, rules(name)) for name in ("One", "Other")), return_exceptions=True
    )
    assert refusals(done) == ["house_rules_full"]
    assert len(await house_rules.of_channel(database, CHANNEL)) == store.MOST


async def test_renaming_two_to_one_name_at_once(opened_tables: Any) -> None:
    database = (await opened_tables()).database
    for name in ("One", "Other"):
        await house_rules.save(database, rules(name))
    every = await house_rules.of_channel(database, CHANNEL)
    done = await asyncio.gather(
        *(house_rules.rename(database, each, "Night") for each in every), return_exceptions=True
    )
    assert refusals(done) == ["house_rules_taken"]


async def test_deleted_while_somebody_renames_or_replaces(opened_tables: Any) -> None:
    database = (await opened_tables()).database
    await house_rules.save(database, rules("Night", variant="quick"))
    (gone,) = await house_rules.of_channel(database, CHANNEL)
    await house_rules.remove(database, gone)
    late = (
        house_rules.rename(database, gone, "Day"),
        house_rules.replace(database, gone, {"variant": "teams"}, 10),
    )
    assert refusals(await asyncio.gather(*late, return_exceptions=True)) == ["no_house_rules"] * 2
    assert await house_rules.of_channel(database, CHANNEL) == []


async def test_a_fresh_start_finds_them_and_the_name_at_a_table(opened_tables: Any) -> None:
    first = await opened_tables()
    await house_rules.save(first.database, rules("Night", variant="quick"))
    kept = await house_rules.of_channel(first.database, CHANNEL)
    await first.runtime.close()
    second = await opened_tables()
    assert await house_rules.of_channel(second.database, CHANNEL) == kept
