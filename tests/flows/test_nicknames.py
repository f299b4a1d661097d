"""A nickname that someone has in one server is not told in another."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from bot.store.models import NameRow, PlayerRow, table_of
from tests.support.discord.room_play import dealt

NICKNAME = "Mia Weber 7b"


async def names(room: Any, user_id: int) -> tuple[str | None, dict[int, str]]:
    """The stored name of an account, and those in servers."""
    players, here = table_of(PlayerRow), table_of(NameRow)
    account = select(players.c.name).where(players.c.id == user_id)
    by_server = select(here.c.guild_id, here.c.name).where(here.c.user_id == user_id)
    read = room.bot.app.database.read_at_once
    found = await read(lambda c: c.execute(by_server).all())
    return await read(lambda c: c.execute(account).scalar()), {row.guild_id: row.name for row in found}


async def test_settings_keep_the_name_of_the_account(room: Any) -> None:
    school = room.env.create_guild()
    cleo = school.add_member(room.cleo.user, nick=NICKNAME)
    shown = await cleo.slash(school.create_text_channel("class"), "settings")
    await cleo.click(shown.response, custom_id="v:set:confirm:yes")
    account, by_server = await names(room, room.cleo.id)
    assert account == "cleo"
    assert NICKNAME not in by_server.values()


async def test_a_game_keeps_the_name_used_in_its_server(room: Any) -> None:
    room.env.backend.edit_member(room.guild.id, room.ann.id, {"nick": NICKNAME})
    await dealt(room)
    account, by_server = await names(room, room.ann.id)
    assert account == "ann"
    assert by_server == {room.guild.id: NICKNAME}
