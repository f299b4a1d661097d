"""What people may try: presses that are double, old, forged or not theirs; rights taken away; kills."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from playground.person import Person
from tests.support.stage import Stage, stage

CHANNEL = "card-table"


@pytest.fixture
async def theatre(tmp_path: Path) -> AsyncIterator[Stage]:
    async with stage(tmp_path, probe=True) as here:
        yield here


async def dealt(theatre: Stage, *names: str, channel: str = CHANNEL) -> tuple[str, list[Person]]:
    """A running table of the probe game; the id of its message and its people."""
    people = [await theatre.person(name) for name in names]
    await theatre.ready(people[0])
    out = await people[0].command(channel, "play", game="probe")
    board = str(out.message_id)
    for person in people[1:]:
        await person.wait_message(channel, lambda m: m["id"] == board)
        await person.press(board, label="Join")
    await people[0].press(board, label="Start")
    return board, people


async def hand_of(person: Person, board: str) -> str:
    out = await person.press(board, label="My hand")
    return str(out.message_id)


def ids(person: Person, message: str) -> list[str]:
    return [str(c["custom_id"]) for c in person.components(message) if c.get("custom_id")]


def no_traceback(theatre: Stage) -> None:
    assert "Traceback" not in theatre.log()
    assert "unforeseen" not in theatre.log()


async def test_pressing_twice_fast_decides_once(theatre: Stage) -> None:
    board, (ann, _ben) = await dealt(theatre, "ann", "ben")
    hand = await hand_of(ann, board)
    bid = next(i for i in ids(ann, hand) if i.endswith("bid2"))
    first, second = await asyncio.gather(ann.press(hand, bid), ann.press(hand, bid))
    assert not first.failed
    assert not second.failed
    await ann.wait_for(lambda: "Waiting for" in ann.text(hand))
    out = await ann.press(hand, bid, forge=True, component_type=2)
    assert "moved on" in ann.text(out)
    no_traceback(theatre)


async def test_two_people_press_at_once(theatre: Stage) -> None:
    board, (ann, ben) = await dealt(theatre, "ann", "ben")
    one, two = await hand_of(ann, board), await hand_of(ben, board)
    await asyncio.gather(ann.press(one, label="Bid 1"), ben.press(two, label="Bid 3"))
    await ben.wait_for(lambda: "Which card?" in ben.text(two))
    no_traceback(theatre)


@pytest.mark.parametrize(
    "forged",
    [
        "v:go:1:0:0:bid3",  # somebody else's seat
        "v:hand:1:0",  # somebody else's hand
        "v:go:1:9:0:bid3",  # no such seat
        "v:go:1:0:0:..//..",
        "v:go:1:1:0:nowhere.at.all",
        "v:go:1:1:0:bid1.bid2",
        "v:sel:1:1:0:",
        "v:pick:1:1:0:lay",
        "v:add:1:1:0:lay:+99:r1",
        "v:go:999:0:0:bid1",
        "v:go:99999999999999999999:0:0:x",
        "v:opt:1:no-such-option",
        "v:nonsense",
        "v:close-yes:1",
        "something else",
    ],
)
async def test_forged_presses_get_a_sentence_and_change_nothing(theatre: Stage, forged: str) -> None:
    board, (ann, ben) = await dealt(theatre, "ann", "ben")
    before = ann.text(board)
    out = await ben.press(board, forged, forge=True, component_type=2, values=["x"])
    assert out.ephemeral
    assert ben.text(out)
    assert ann.text(board) == before
    one = await hand_of(ann, board)
    assert "What do you bid?" in ann.text(one)
    no_traceback(theatre)


async def test_a_hand_is_shown_to_its_owner_only(theatre: Stage) -> None:
    board, (ann, ben, _cleo) = await dealt(theatre, "ann", "ben", "cleo")
    hand = await hand_of(ann, board)
    dan = await theatre.person("dan")
    assert not any(m["id"] == hand for m in [*ben.messages(CHANNEL), *dan.messages(CHANNEL)])
    out = await dan.press(board, label="My hand")
    assert out.ephemeral
    assert "don't sit" in dan.text(out)
    stolen = next(i for i in ids(ann, hand) if ":go:" in i)
    out = await ben.press(board, stolen, forge=True, component_type=2)
    assert "somebody else" in ben.text(out)
    for message in ann.messages(CHANNEL):
        for custom_id in ids(ann, message["id"]):
            # public messages name the table and the verb, nothing of a hand
            assert message.get("flags", 0) & 64 or custom_id.count(":") <= 3


async def test_a_killed_bot_goes_on_with_old_buttons(theatre: Stage) -> None:
    board, (ann, ben) = await dealt(theatre, "ann", "ben")
    hand = await hand_of(ann, board)
    await theatre.kill_bot()
    out = await ann.press(hand, label="Bid 2")
    assert out.failed
    await theatre.start_bot()
    await theatre.ready(ann)
    out = await ann.press(hand, label="Bid 2")
    assert "Waiting for" in ann.text(out)
    other = await hand_of(ben, board)
    await ben.press(other, label="Bid 0")
    await ann.wait_for(lambda: "Which card?" in ann.text(hand))
    await theatre.kill_bot(signal.SIGTERM)
    no_traceback(theatre)


async def test_a_deleted_table_comes_back(theatre: Stage) -> None:
    board, (ann, mia) = await dealt(theatre, "ann", "mia")
    await mia.delete(board)
    hand = await ann.command(CHANNEL, "hand")
    await ann.press(str(hand.message_id), label="Bid 1")
    back = await ann.wait_message(
        CHANNEL, lambda m: m["id"] != board and not ann.is_ephemeral(m) and "Probe" in ann.text(m)
    )
    assert "My hand" in [b["label"] for b in ann.buttons(back)]
    no_traceback(theatre)


async def test_lost_rights_are_named_and_the_game_goes_on(theatre: Stage) -> None:
    board, (ann, ben) = await dealt(theatre, "ann", "ben")
    hand = await hand_of(ann, board)
    mia = await theatre.person("mia")
    await mia.bot_rights(CHANNEL, view_channel=False)
    await ann.press(hand, label="Bid 1")
    for _ in range(40):
        out = await ann.press(hand, label="Refresh")
        if "View Channel" in ann.text(out):
            break
        await asyncio.sleep(0.1)
    assert "View Channel" in ann.text(out)
    await mia.bot_rights(CHANNEL, view_channel=None)
    other = await hand_of(ben, board)
    await ben.press(other, label="Bid 0")
    await ann.wait_for(lambda: "look" in ann.text(board))
    no_traceback(theatre)


async def test_a_channel_without_rights_says_which(theatre: Stage) -> None:
    ann = await theatre.person("ann")
    await theatre.ready(ann)
    out = await ann.command("quiet", "play", game="probe")
    assert out.ephemeral
    assert "I need" in ann.text(out)


async def test_leaving_asks_and_an_opponent_takes_the_seat(theatre: Stage) -> None:
    board, (ann, ben) = await dealt(theatre, "ann", "ben")
    ask = await ann.press(board, label="Leave")
    assert "Leave table" in ann.text(ask)
    await ann.press(str(ask.message_id), label="Leave the game")
    await ben.wait_message(CHANNEL, lambda m: "takes over the seat of" in ben.text(m["id"]))
    out = await ann.press(board, label="My hand")
    assert "don't sit" in ann.text(out)
    hand = await hand_of(ben, board)
    assert "What do you bid?" in ben.text(hand)
    ask = await ben.press(board, label="Leave")
    assert "last person" in ben.text(ask)
    await ben.press(str(ask.message_id), label="Leave the game")
    await ben.wait_for(lambda: "Everybody left" in ben.text(board))
    no_traceback(theatre)


@pytest.mark.parametrize("name", ["star", "ping", "layla", "emo"])
async def test_hard_names_stay_data(theatre: Stage, name: str) -> None:
    board, people = await dealt(theatre, name, "ben")
    text = people[1].text(board)
    assert "@everyone" not in text
    assert "<@1>" not in text
    out = await people[1].press(board, label="Why?")
    assert not out.failed
    no_traceback(theatre)


@pytest.mark.parametrize(
    ("environment", "code", "words"),
    [
        ({"DISCORD_TOKEN": "wrong"}, 2, "does not know this DISCORD_TOKEN"),
        ({"DISCORD_TOKEN": ""}, 2, "DISCORD_TOKEN is not set"),
        ({"DATABASE_URL": "sqlite:////nowhere/at/all.db"}, 3, "cannot be reached"),
    ],
)
async def test_wrong_settings_get_one_line(
    tmp_path: Path, environment: dict[str, Any], code: int, words: str
) -> None:
    async with stage(tmp_path, probe=True, bot=False) as theatre:
        await theatre.start_bot(**environment)
        assert theatre.bot is not None
        assert await asyncio.wait_for(theatre.bot.wait(), 20) == code
        assert words in theatre.log()
        assert "Traceback" not in theatre.log()


async def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "valence.db"
    file.write_bytes(b"these are my holiday notes " * 100)
    async with stage(tmp_path, probe=True) as theatre:
        assert theatre.bot is not None
        assert await asyncio.wait_for(theatre.bot.wait(), 20) == 3
        assert "no database" in theatre.log()
    assert file.read_bytes().startswith(b"these are my holiday notes")
