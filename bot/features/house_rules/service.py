"""House rules of a channel: saving, finding, renaming and deleting them. Who may is asked before.

They are data: options that the game itself finds legal. What they say holds for tables opened afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from sqlalchemy import Connection

from bot.core.errors import Refused
from bot.features.house_rules import rows as store
from bot.features.house_rules.rows import HouseRules
from bot.store.database import Database
from engine import catalog
from engine.catalog import UnknownGame
from engine.game import Setup, Value


def fitting(game_key: str, options: Mapping[str, Value]) -> dict[str, Value] | None:
    """These options by the rules of today, with a value for each that came later; None where the game has
    changed so that no number of seats can play by them.

    >>> fitting("atom_duel", {"level": 3})["level"], fitting("atom_duel", {"level": 99})
    (3, None)
    """
    try:
        game = catalog.get(game_key)
    except UnknownGame:
        return None
    chosen = {**game.defaults(), **options}

    def legal(seats: int) -> bool:
        return game.check(Setup(game.key, game.version, seats, chosen, b"")) is None

    known = {option.key: option.values for option in game.options}
    if any(key not in known or value not in known[key] for key, value in chosen.items()):
        return None
    return chosen if any(map(legal, game.seats(chosen))) else None


async def of_channel(database: Database, channel_id: int) -> list[HouseRules]:
    """The house rules of a channel, by game and name, those too that cannot be played any more."""
    return await database.read_at_once(partial(store.of_channel, channel_id=channel_id))


async def found(database: Database, rules_id: int, channel_id: int) -> HouseRules:
    """Those of this number in this channel.

    Raises:
        Refused: there are none, or they are another channel's.
    """
    return _of(await database.read_at_once(partial(store.get, rules_id=rules_id)), channel_id)


async def named(database: Database, channel_id: int, game: str, name: str) -> HouseRules | None:
    """Those of this name for a game in a channel, or None; letters may be large or small."""
    return await database.read_at_once(lambda c: store.named(c, channel_id, game, name))


async def save(database: Database, rules: HouseRules) -> int:
    """Keep new house rules; their number.

    Raises:
        Refused: the channel has others of this name for the game, or as many as it can keep.
    """

    def write(connection: Connection) -> int:
        _must_be_free(connection, rules.channel_id, rules.game, rules.name)
        if store.count(connection, rules.channel_id) >= store.MOST:
            raise Refused("house_rules_full", n=store.MOST)
        return store.add(connection, rules)

    # alone: of two hosts with one name, or for the last place, the second is told
    return await database.write_at_once(write, alone=True)


async def rename(database: Database, rules: HouseRules, name: str) -> None:
    """Give house rules another name; tables that are open keep the one they have.

    Raises:
        Refused: they are gone, or the channel has others of this name for the game.
    """

    def write(connection: Connection) -> None:
        _of(store.get(connection, rules.id), rules.channel_id)
        _must_be_free(connection, rules.channel_id, rules.game, name, but=rules.id)
        store.rename(connection, rules.id, name)

    await database.write_at_once(write, alone=True)


async def replace(database: Database, rules: HouseRules, options: Mapping[str, Value], at: int) -> None:
    """Let house rules say something else for tables opened from now on.

    Raises:
        Refused: they are gone.
    """

    def write(connection: Connection) -> None:
        _of(store.get(connection, rules.id), rules.channel_id)
        store.replace_options(connection, rules.id, dict(options), at)

    await database.write_at_once(write)


async def remove(database: Database, rules: HouseRules) -> None:
    """Take house rules out of their channel; tables that play by them go on."""
    await database.write_at_once(partial(store.remove, rules_id=rules.id))


def _of(found: HouseRules | None, channel_id: int) -> HouseRules:
    if found is None or found.channel_id != channel_id:
        raise Refused("no_house_rules")
    return found


def _must_be_free(connection: Connection, channel_id: int, game: str, name: str, *, but: int = 0) -> None:
    other = store.named(connection, channel_id, game, name)
    if other is not None and other.id != but:
        raise Refused("house_rules_taken", name=other.name)
