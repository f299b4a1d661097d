"""What people may try: presses that are double, old, forged or not theirs; rights taken away."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from playground.actions.person import ActionOutcome, Person
from playground.world import HARD_NAMES
from tests.e2e.room import Room, beside, channel_by, hand_of, ids, labels, lobby_id, table_of
from tests.support.processes.stage import stage
from tests.support.waiting import LIMIT_SECONDS, until

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_pressing_twice_fast_decides_once(room: Room) -> None:
    board, (ann, ben) = await room.dealt("ann", "ben")
    hand, other = await hand_of(ann, board), await hand_of(ben, board)
    bid = next(i for i in ids(ann, hand) if i.endswith("bid2"))
    first, second = await asyncio.gather(ann.press(hand, bid), ann.press(hand, bid))
    assert not first.failed
    assert not second.failed
    await ann.wait_for(lambda: "Waiting for" in ann.text(hand))
    out = await ann.press(hand, bid, forge=True, component_type=2)
    assert "moved on" not in ann.text(out)
    assert "Waiting for" in ann.text(out)
    await ben.press(other, label="Bid 0")
    assert "bids [2, 0]" in await beside(ann, board, hand, "Log")


async def test_two_people_press_at_once(room: Room) -> None:
    board, (ann, ben) = await room.dealt("ann", "ben")
    one, two = await hand_of(ann, board), await hand_of(ben, board)
    await asyncio.gather(ann.press(one, label="Bid 1"), ben.press(two, label="Bid 3"))
    await ben.wait_for(lambda: "Which card?" in ben.text(two))
    assert "bids [1, 3]" in await beside(ann, board, one, "Log")


@pytest.mark.parametrize(
    "forged",
    [
        "v:go:TABLE:0:0:bid3",  # somebody else's seat
        "v:hand:TABLE:0",  # somebody else's hand
        "v:go:TABLE:9:0:bid3",  # no such seat
        "v:go:TABLE:0:0:..//..",
        "v:go:TABLE:1:0:nowhere.at.all",
        "v:go:TABLE:1:0:bid1.bid2",
        "v:sel:TABLE:1:0:",
        "v:pick:TABLE:1:0:lay",
        "v:add:TABLE:1:0:lay:+99:r1",
        "v:go:999999:0:0:bid1",
        "v:go:99999999999999999999:0:0:x",
        "v:opt:TABLE:no-such-option",
        "v:nonsense",
        "v:close-yes:TABLE",
        "v:start:TABLE",
        "v:record:TABLE",
        "v:rule-page:no-such-game:0",
        "v:cards-one:no-such-game:0:0",
        "v:element:0",
        "something else",
    ],
)
async def test_forged_presses_get_a_sentence_and_change_nothing(room: Room, forged: str) -> None:
    board, (ann, ben) = await room.dealt("ann", "ben")
    before = ann.text(board)
    forged = forged.replace("TABLE", str(table_of(ann, board)))
    out = await ben.press(board, forged, forge=True, component_type=2, values=["x"])
    assert out.ephemeral
    assert ben.text(out)
    assert "Something went wrong" not in ben.text(out)
    assert ann.text(board) == before
    for person in (ann, ben):
        assert "What do you bid?" in person.text(await hand_of(person, board))


async def test_a_hand_is_shown_to_its_owner_only(room: Room) -> None:
    board, (ann, ben, _cleo) = await room.dealt("ann", "ben", "cleo")
    hand = await hand_of(ann, board)
    dan = await room.person("dan")
    assert any(m["id"] == hand for m in ann.messages(room.channel))
    assert not any(m["id"] == hand for m in [*ben.messages(room.channel), *dan.messages(room.channel)])
    out = await dan.press(board, label="My hand")
    assert out.ephemeral
    assert "don't sit" in dan.text(out)
    stolen = next(i for i in ids(ann, hand) if ":go:" in i)
    out = await ben.press(board, stolen, forge=True, component_type=2)
    assert "somebody else" in ben.text(out)


async def test_ids_of_public_messages_name_a_table_and_a_verb(room: Room) -> None:
    """Nothing of a hand stands in what everybody may read: neither seat, decision nor card."""
    ann, ben = await room.person("ann"), await room.person("ben")
    board = await room.lobby(ann, ben)
    table = table_of(ann, board)
    seen = set(ids(ben, board))
    await ann.press(board, label="Start")
    await hand_of(ann, board)
    for message in ben.messages(room.channel):
        seen |= set(ids(ben, message["id"]))
    assert {f"v:join:{table}", f"v:hand:{table}"} <= seen
    assert [i for i in seen if not re.fullmatch(rf"v:[a-z-]+:{table}(:(rounds|loud))?", i)] == []


async def test_a_deleted_table_comes_back(room: Room) -> None:
    board, (ann, _ben) = await room.dealt("ann", "ben")
    await room.mia.delete(board)
    hand = await ann.command(room.channel, "hand")
    await ann.press(str(hand.message_id), label="Bid 1")
    back = await ann.wait_message(
        room.channel, lambda m: m["id"] != board and not ann.is_ephemeral(m) and "Probe" in ann.text(m)
    )
    assert "My hand" in labels(ann, back["id"])


async def test_lost_rights_are_named_and_the_game_goes_on(room: Room) -> None:
    board, (ann, ben) = await room.dealt("ann", "ben")
    hand, other = await hand_of(ann, board), await hand_of(ben, board)
    await room.mia.bot_rights(room.channel, view_channel=False)
    await ann.press(hand, label="Bid 1")

    async def told() -> bool:
        return "View Channel" in ann.text(await ann.press(hand, label="Refresh"))

    await until(told)
    await room.mia.bot_rights(room.channel, view_channel=None)
    await ben.press(other, label="Bid 0")
    await ann.wait_for(lambda: "look" in ann.text(board))


async def test_a_channel_without_rights_says_which(room: Room) -> None:
    ann = await room.person("ann")
    out = await ann.command("quiet", "play", game="probe")
    assert out.ephemeral
    assert "**Send Messages** and **Attach Files**" in ann.text(out)
    assert "View Channel" not in ann.text(out)


async def leaving(person: Person, board: str) -> ActionOutcome:
    """Ask to leave, with no hand lying open: there **More** would take its place."""
    more = await person.press(board, label="More")
    return await person.press(str(more.message_id), label="Leave")


async def test_leaving_asks_and_an_opponent_takes_the_seat(room: Room) -> None:
    board, (ann, ben) = await room.dealt("ann", "ben")
    ask = await leaving(ann, board)
    assert "Leave table" in ann.text(ask)
    await ann.press(str(ask.message_id), label="Leave the game")
    await ben.wait_message(room.channel, lambda m: "plays on" in ben.text(m["id"]))
    out = await ann.press(board, label="My hand")
    assert "don't sit" in ann.text(out)
    hand = await hand_of(ben, board)
    assert "What do you bid?" in ben.text(hand)
    await ben.press(board, label="More")
    await ben.wait_for(lambda: "Leave" in labels(ben, hand))
    ask = await ben.press(hand, label="Leave")
    assert "last person" in ben.text(ask)
    await ben.press(str(ask.message_id), label="Leave the game")
    await ben.wait_for(lambda: "Everybody left" in ben.text(board))


async def test_who_has_left_a_seat_sees_no_more_of_its_hand(room: Room) -> None:
    board, (ann, ben) = await room.dealt("ann", "ben")
    hand, other = await hand_of(ann, board), await hand_of(ben, board)
    bid = next(i for i in ids(ann, hand) if i.endswith("bid2"))
    await ann.press(board, label="More")
    await ann.wait_for(lambda: "Leave" in labels(ann, hand))
    await ann.press(hand, label="Leave")
    await ann.press(hand, label="Leave the game")
    assert f"You have left table {table_of(ann, board)}" in ann.text(hand)
    assert labels(ann, hand) == []
    out = await ann.press(hand, bid, forge=True, component_type=2)
    assert "don't sit" in ann.text(out)
    shown = ann.text(hand)
    await ben.press(other, label="Bid 0")
    await ben.wait_for(lambda: "look" in ben.text(board) or "lay" in ben.text(board))
    assert ann.text(hand) == shown


async def get_up(person: Person, board: str) -> None:
    """Leave a lobby: the button asks who sits already."""
    ask = await person.press(board, label="Join or leave")
    await person.press(str(ask.message_id), label="Leave")


async def test_the_host_leaves_the_lobby_and_the_next_one_starts(room: Room) -> None:
    ann, ben, cleo = [await room.person(name) for name in ("ann", "ben", "cleo")]
    board = await room.lobby(ann, ben, cleo)
    await get_up(ann, board)
    await cleo.wait_for(lambda: f"{ben.name} · host" in cleo.text(board))
    assert ann.name not in cleo.text(board)
    out = await cleo.press(board, label="Start")
    assert "Only the host" in cleo.text(out)
    # a refused select is drawn again first, so that it can be used again
    await ann.press(board, lobby_id(ann, board, "opt", "rounds"), forge=True, values=["1"])
    await ann.wait_message(room.channel, lambda m: "Only the host" in ann.text(m["id"]))
    await ben.press(board, label="Start")
    assert "What do you bid?" in cleo.text(await hand_of(cleo, board))
    # and mid-game: the host's right to close the table moves on
    ask = await leaving(ben, board)
    await ben.press(str(ask.message_id), label="Leave the game")
    table = table_of(cleo, board)
    out = await ben.command(room.channel, "table", "cancel", table=table)
    assert "Only the host" in ben.text(out)
    ask = await cleo.command(room.channel, "table", "cancel", table=table)
    assert f"Close table {table}" in cleo.text(ask)


async def test_the_last_one_out_of_a_lobby_closes_it(room: Room) -> None:
    ann = await room.person("ann")
    board = await room.lobby(ann)
    await get_up(ann, board)
    await ann.wait_for(lambda: "Everybody left" in ann.text(board))
    assert labels(ann, board) == []
    out = await ann.command(room.channel, "table", "repost")
    assert "No table is open here" in ann.text(out)


@pytest.mark.parametrize("name", [key for key, *_ in HARD_NAMES])
async def test_hard_names_stay_data(room: Room, name: str) -> None:
    # they live in a server of their own, where Ben is as well
    guild = next(guild["id"] for guild in room.mia.guilds if guild["name"] == "Odd Names Club")
    room.channel = await channel_by(room.mia, guild=guild)
    hard, ben = await room.person(name, fresh=False), await room.person("ben", fresh=False)
    assert [each["id"] for each in hard.guilds] == [guild]
    board = await room.lobby(hard, ben)
    for words in ("join", "start"):
        text = ben.text(board)
        assert "@everyone" not in text, words
        assert not re.search(r"<[@#]", text), words
        assert "**st_ar**" not in text, words
        assert "\u202e" not in text, words
        if words == "join":
            await hard.press(board, label="Start")
    assert not (await ben.press(board, label="Why?")).failed


@pytest.mark.parametrize(
    "name", ["qqqqzzzz", "\u202e\u202e", "{name!r} %s {0}", "'; DROP qqzzxx; --", "x" * 5000]
)
async def test_unknown_cards_are_told_so(room: Room, name: str) -> None:
    ann = await room.person("ann")
    out = await ann.command(room.channel, "card", name=name)
    assert out.ephemeral
    assert "I found no card like" in ann.text(out)
    assert len(ann.text(out)) < 400


async def test_unknown_moves_and_tables_are_told_so(room: Room) -> None:
    board, (ann, ben) = await room.dealt("ann", "ben")
    out = await ann.command(room.channel, "move", choice="win at once")
    assert "isn't one of your moves" in ann.text(out)
    for wrong in (0, -1, 999_999_999, 2**53 - 1):
        out = await ann.command(room.channel, "table", "repost", table=wrong)
        assert "There is no table" in ann.text(out)
        out = await ben.command(room.channel, "move", choice="Bid 1", table=wrong)
        assert "nothing to decide" in ben.text(out)
    assert "What do you bid?" in ann.text(await hand_of(ann, board))


@pytest.mark.parametrize(
    ("environment", "code", "words"),
    [
        ({"DISCORD_TOKEN": "wrong"}, 2, "does not know this DISCORD_TOKEN"),
        ({"DISCORD_TOKEN": ""}, 2, "DISCORD_TOKEN is not set"),
        ({"VALENCE_PACE": "fast"}, 2, "VALENCE_PACE can't be used"),
        ({"DATABASE_URL": "sqlite:////nowhere/at/all.db"}, 3, "cannot be reached"),
    ],
)
async def test_wrong_settings_get_one_line(
    tmp_path: Path, environment: dict[str, Any], code: int, words: str
) -> None:
    async with stage(tmp_path, probe=True, bot=False) as theatre:
        await theatre.start_bot(**environment)
        assert theatre.bot is not None
        assert await asyncio.wait_for(theatre.bot.wait(), LIMIT_SECONDS) == code
        assert words in theatre.log()
        assert "Traceback" not in theatre.log()
