"""A presenter that cannot be imported costs its game; all else is played."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
import structlog

from bot import presenters
from bot.client import Valence
from bot.features.lookups import card_search
from bot.settings import Settings
from bot.table import lobby
from bot.table.thinking import WorkerThinker
from bot.ui.commands.game_option import known_game
from bot.ui.errors import words_for
from engine import catalog
from tests.support.discord.forging import answer_of, forge
from tests.support.discord.sent_messages import said
from tests.support.discord.simulated_discord import HurriedClock
from tests.support.tables.tables import close_tables, first_act, new_table, opened_tables

BROKEN = "duel52"
SENTENCE = "Duel 52 can't be played for now: something of it is broken here."


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def forget() -> None:
        presenters._imported.cache_clear()
        card_search._index.cache_clear()

    monkeypatch.setitem(presenters.ELSEWHERE, BROKEN, "tests.support.games.broken_presenter")
    forget()
    yield
    monkeypatch.undo()
    forget()


@pytest.fixture
async def table(folder: Path) -> int:
    """A live table of the game, from before it broke."""
    path = folder / "valence.db"
    tables, _, _ = await opened_tables(path)
    table = await new_table(tables, people=[1, 2], game=BROKEN)
    await lobby.start(table, 1)
    await first_act(table, table.sitters[table.waiting()[0]].user_id or 0)
    await close_tables(tables)
    change(path, "UPDATE games SET shown = edition")
    return table.id


@pytest.fixture
def errors() -> Iterator[list[Any]]:
    """What the bot logs from its start on."""
    with structlog.testing.capture_logs() as lines:
        yield lines


@pytest.fixture
def simcord_bot(settings: Settings, chance: Random, without: None, table: int, errors: list[Any]) -> Valence:
    return Valence(settings, clock=HurriedClock(), thinker=WorkerThinker(0), chance=chance)


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def choices_of(room: Any, command: str) -> set[str]:
    found = room.bot.tree.get_command(command)
    (game,) = [parameter for parameter in found.parameters if parameter.name == "game"]
    return {choice.value for choice in game.choices}


async def test_the_game_is_not_offered_and_the_others_are_played(room: Any) -> None:
    for command in ("play", "cards", "rules", "leaderboard"):
        assert choices_of(room, command) == set(catalog.listed()) - {BROKEN}
    for command in ("help", "about"):
        assert "Duel 52" not in said((await room.ann.slash(room.channel, command)).response)
    with pytest.raises(presenters.NoPresenter) as refused:  # a client that still has the old commands
        known_game(BROKEN)
    assert words_for(refused.value, "en").startswith(SENTENCE)
    await room.ann.slash(room.channel, "play", game="probe")
    lobby = room.channel.last_message
    for custom_id in (f"v:rule-page:{BROKEN}:0", f"v:board:{BROKEN}:all:0"):
        assert SENTENCE in said(answer_of(await forge(room.ann, lobby, custom_id, ("0",)))), custom_id
    await room.ben.click(lobby, label="Join or leave")
    await room.ann.click(lobby, label="Start")
    hand = (await room.ann.click(lobby, label="My hand")).response
    assert "Bid" in str(hand.components)


async def test_a_live_table_of_it_rests_and_says_so(room: Any, table: int) -> None:
    path = room.bot.app.database.place.file
    await room.ann.slash(room.channel, "play", game="probe")
    lobby = room.channel.last_message
    change(
        path,
        f"UPDATE games SET channel_id = {room.channel.id}, guild_id = {room.guild.id} WHERE id = {table}",
        f"UPDATE seats SET user_id = {room.ann.id} WHERE game_id = {table} AND seat = 0",
    )
    for _ in range(2):
        result = await forge(room.ann, lobby, f"v:hand:{table}")
        assert f"Table {table} rests: I can't read it as I am now." in said(result.response)
    shown = [f"{message.content} {message.components}" for message in room.channel.history()]
    told = [text for text in shown if f"Table {table} rests" in text]
    assert len(told) == 1
    with closing(sqlite3.connect(path)) as connection:
        (why,) = connection.execute(f"SELECT resting FROM games WHERE id = {table}").fetchone()
    assert why == "its presenter cannot be imported"


async def test_it_is_logged_once_with_the_reason(room: Any, errors: list[Any]) -> None:
    await room.ann.slash(room.channel, "help")
    await room.ann.slash(room.channel, "about")
    (line,) = [line for line in errors if line["log_level"] == "error"]
    assert (line["game"], type(line["exc_info"])) == (BROKEN, KeyError)
