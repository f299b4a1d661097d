"""The real bot against a simulated Discord, in one process."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client import Valence
from bot.settings import Settings
from bot.tables.thinking import WorkerThinker


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        _env_file=None,  # type: ignore[call-arg]
        DISCORD_TOKEN="playground",
        DATABASE_URL=f"sqlite:///{tmp_path / 'valence.db'}",
        pace=0,
        workers=0,
    )


@pytest.fixture
def simcord_bot(settings: Settings) -> Valence:
    return Valence(settings, thinker=WorkerThinker(0))


@pytest.fixture
def room(simcord_env: Any) -> Any:
    """A server with a channel and three people."""
    guild = simcord_env.create_guild()
    channel = guild.create_text_channel("card-table")
    people = {name: guild.add_member(simcord_env.create_user(name)) for name in ("ann", "ben", "cleo")}
    return SimpleNamespace(env=simcord_env, bot=simcord_env.bot, guild=guild, channel=channel, **people)
