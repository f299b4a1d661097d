"""A whole game, then every command: no error is logged, and every control shown has a handler.

`tests/house/test_delete_a_feature.py` runs this module in copies of the bot that lack a feature, so it
imports none.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from discord import AppCommandType
from discord.app_commands import Command
from structlog.testing import capture_logs

from bot import custom_ids as ids
from bot.ui import router
from tests.support.discord.lobbies import arrange
from tests.support.discord.room_play import board_of
from tests.support.tables.tables import at_hand

COMPONENTS_OF_MESSAGES = range(2, 9)
"""The types of buttons and selects, as Discord numbers them."""
MOST_PRESSES = 200


@pytest.fixture
def errors(caplog: pytest.LogCaptureFixture) -> Iterator[SimpleNamespace]:
    """Every log line at the level of an error, of structlog and of the standard library."""
    with capture_logs() as lines, caplog.at_level(logging.ERROR):
        yield SimpleNamespace(
            found=lambda: [
                *(line for line in lines if line["log_level"] in ("error", "critical")),
                *(each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR),
            ]
        )


def controls(body: Any) -> Iterator[str]:
    """Yield the custom id of every button and select in the JSON of a message."""
    if isinstance(body, dict):
        if "custom_id" in body and body.get("type") in COMPONENTS_OF_MESSAGES:
            yield str(body["custom_id"])
        for value in body.values():
            yield from controls(value)
    elif isinstance(body, list):
        for value in body:
            yield from controls(value)


def shown(room: Any) -> set[str]:
    """Return the custom id of every button and select that the bot has sent, fields of forms left out."""
    found = {each for entry in room.env.http_requests for each in controls(entry.json)}
    return {each for each in found if each.startswith("v:")}


async def play(room: Any, *people: Any) -> Any:
    """Play a game of these people and an opponent to its end. Return its last message."""
    host, *others = people
    lobby = (await host.slash(room.channel, "play", game="probe")).response.message
    (table,) = (each for each in at_hand(room.bot.tables).values() if each.phase == "lobby")
    for person in others:
        await person.click(lobby, label="Join or leave")
    await arrange(host, lobby, opponents="1")
    await host.click(lobby, label="Start")
    board = room.channel.last_message
    await host.click(board, custom_id=ids.make("more", table.id))
    hands = [(await person.click(board, label="My hand")).response for person in people]
    for _ in range(MOST_PRESSES):
        if table.phase == "over":
            break
        for seat, (person, hand) in enumerate(zip(people, hands, strict=True)):
            choices = [each for each in controls(hand.components) if ids.parse(each).verb == "go"]
            if choices and seat in table.waiting():
                await person.click(hand, custom_id=choices[-1])
            else:
                await person.click(hand, label="Refresh")
    assert table.phase == "over"
    await room.env.settle()
    return board_of(room)


@pytest.mark.simcord(check_errors=False)  # refusals are answers, too
async def test_games_and_commands_work(room: Any, errors: SimpleNamespace) -> None:
    for people in ((room.ann,), (room.ann, room.ben)):
        board = await play(room, *people)
        assert "Game over" in str(board.components)
    for command in room.bot.tree.walk_commands(type=AppCommandType.chat_input):
        if isinstance(command, Command) and not any(option.required for option in command.parameters):
            answered = await room.ann.slash(room.channel, command.qualified_name)
            assert answered.response is not None or answered.modal is not None, command.qualified_name
    await room.env.settle()
    verbs = {ids.parse(each).verb for each in shown(room)}
    assert {"join", "hand", "more", "log"} <= verbs
    assert sorted(verbs - router.handlers().keys()) == []
    assert errors.found() == []
