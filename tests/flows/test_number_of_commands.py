"""Flow tests get the same deal however many commands the bot has.

Numbers of interactions enter a deal, and each command takes some. A new command would deal other cards to
every flow test, and some test would fail that has nothing to do with it.
"""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path
from random import Random

import pytest
import simcord
from discord import Interaction
from discord.app_commands import Command

from bot.client import Valence
from bot.settings import Settings
from bot.table.thinking import WorkerThinker
from engine.game import Setup
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import said
from tests.support.discord.simulated_discord import HurriedClock, furnished


async def idle(interaction: Interaction) -> None:
    """A command that does nothing."""


async def dealt_with(more: int, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> tuple[Setup, str]:
    """Return the deal of a table of a bot with this many more commands, and the hand of who begins."""
    monkeypatch.setattr(secrets, "token_bytes", Random("deal").randbytes)
    bot = Valence(settings, clock=HurriedClock(), thinker=WorkerThinker(0), chance=Random("names"))
    before = len(bot.tree.get_commands())
    for number in range(more):
        bot.tree.add_command(Command(name=f"more-{number}", description="Nothing", callback=idle))
    assert len(bot.tree.get_commands()) == before + more
    try:
        async with simcord.run(bot) as env:
            with furnished(env) as room:
                board = await dealt(room, "duel52")
                table = the_table(room)
                who = (room.ann, room.ben)[table.waiting()[0]]
                hand = (await who.click(board, label="My hand")).response
                return table.setup(), said(hand)
    finally:
        await bot._parts.aclose()


async def test_the_deal_is_the_same_with_more_commands(
    settings: Settings, empty_database: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for more in (0, 1, 3):
        path = folder / f"{more}.db"
        shutil.copy(empty_database, path)
        own = settings.model_copy(update={"database_url": f"sqlite:///{path}"})
        found.append(await dealt_with(more, own, monkeypatch))
    assert found[1:] == [found[0]] * 2
