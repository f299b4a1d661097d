"""Where tables stand: threads, direct messages, servers without the bot, channels that go, many at once."""

from __future__ import annotations

import pytest

from playground.actions.person import Person
from tests.e2e.room import WAIT, Room, arrange, channel_by, hand_of, labels, table_of
from tests.support.waiting import until

RIGHTS = ("View Channel", "Send Messages", "Attach Files")
pytestmark = pytest.mark.asyncio(loop_scope="session")


async def in_thread(room: Room, *people: Person) -> tuple[str, str, str]:
    """A table dealt in a thread: the lobby's message, the thread, the table's message there."""
    ann, *_ = people
    board = await room.lobby(*people)
    await arrange(ann, board, place="thread")
    before = set(ann.channels)
    await ann.press(board, label="Start")
    thread = await ann.wait_for(lambda: next(iter(set(ann.channels) - before), None))
    fresh = await ann.wait_message(thread, lambda m: "My hand" in labels(ann, m["id"]), WAIT)
    return board, thread, str(fresh["id"])


async def test_a_table_in_a_thread(room: Room) -> None:
    ann, ben = await room.person("ann"), await room.person("ben")
    board, thread, table = await in_thread(room, ann, ben)
    assert ann.channels[thread]["parent_id"] == room.channel
    await ben.wait_for(lambda: f"<#{thread}>" in ben.text(board))
    assert labels(ben, board) == []
    one, two = await hand_of(ann, table), await hand_of(ben, table)
    await ann.press(one, label="Bid 1")
    await ben.press(two, label="Bid 0")
    await ben.wait_for(lambda: "look" in ben.text(table))
    assert "dealt in" in ben.text(board)
    # a deleted thread takes the table along; it comes back where somebody asks for it
    number = table_of(ann, table)
    await room.mia.delete_channel(thread)
    out = await ann.command(room.channel, "table", "repost", table=number)
    await ann.wait_for(lambda: "Here it is again" in ann.text(out))
    fresh = await ann.wait_message(room.channel, lambda m: "My hand" in labels(ann, m["id"]))
    assert "Look at card 1" in labels(ann, await hand_of(ann, fresh["id"]))


async def test_an_archived_thread_is_opened_again(room: Room) -> None:
    """Nobody has posted for a while, so Discord has put the thread away; the game goes on."""
    ann, ben = await room.person("ann"), await room.person("ben")
    _board, thread, table = await in_thread(room, ann, ben)
    one, two = await hand_of(ann, table), await hand_of(ben, table)
    await room.mia.archive(thread)
    await ann.press(one, label="Bid 1")
    await ben.press(two, label="Bid 0")
    await ben.wait_for(lambda: "look" in ben.text(table), WAIT)
    out = (
        await ann.press(one, label="Refresh") if "Refresh" in labels(ann, one) else await hand_of(ann, table)
    )
    assert "can't update" not in ann.text(out)


async def test_a_locked_thread_is_told_in_the_hand(room: Room) -> None:
    ann, ben = await room.person("ann"), await room.person("ben")
    _board, thread, table = await in_thread(room, ann, ben)
    number = table_of(ann, table)
    await hand_of(ann, table)
    await room.mia.archive(thread, locked=True)
    out = await ann.command(room.channel, "hand")
    await ann.press(str(out.message_id), label="Bid 1")
    hand = await ben.command(room.channel, "hand")
    before = ben.text(table)

    async def told(words: str) -> str:
        said = ben.text(await ben.command(room.channel, "hand"))
        return said if words in said else ""

    said = await until(lambda: told("The thread of this table is locked"))
    assert f"`/table repost table:{number}` brings the table elsewhere" in said
    assert ben.text(table) == before
    # unlocked, the table is right again without anybody's doing more
    await room.mia.archive(thread, archived=False)
    await ben.press(str(hand.message_id), label="Bid 0")
    await ben.wait_for(lambda: "look" in ben.text(table), WAIT)
    assert not await told("locked")


async def test_the_end_in_a_locked_thread_is_shown_once_it_is_unlocked(room: Room) -> None:
    """Nobody presses any more at a table that has ended, so nobody would ask for it."""
    ann, ben = await room.person("ann"), await room.person("ben")
    _board, thread, table = await in_thread(room, ann, ben)
    number = table_of(ann, table)
    await room.mia.archive(thread, locked=True)
    asked = await room.mia.command(room.channel, "table", "cancel", table=number)
    await room.mia.press(str(asked.message_id), label="Close it")
    await until(lambda: "hindrance=locked" in room.log())
    assert "My hand" in labels(ben, table)
    await room.mia.archive(thread, archived=False)
    await ben.wait_for(lambda: "My hand" not in labels(ben, table), WAIT)


async def test_the_end_in_a_thread_that_was_unlocked_unseen_is_shown(room: Room) -> None:
    """The session was lost while the thread was unlocked, so nobody tells the bot of it."""
    ann, ben = await room.person("ann"), await room.person("ben")
    _board, thread, table = await in_thread(room, ann, ben)
    number = table_of(ann, table)
    await room.mia.archive(thread, locked=True)
    asked = await room.mia.command(room.channel, "table", "cancel", table=number)
    await room.mia.press(str(asked.message_id), label="Close it")
    await until(lambda: "hindrance=locked" in room.log())
    await room.mia.drop_gateway(forget=True)
    await room.mia.archive(thread, archived=False)
    await ben.wait_for(lambda: "My hand" not in labels(ben, table), WAIT)


async def test_the_end_is_shown_once_the_right_is_given_back(room: Room) -> None:
    board, (ann, ben) = await room.dealt("ann", "ben")
    number, elsewhere = table_of(ann, board), await channel_by(room.mia)
    await ben.wait_for(lambda: elsewhere in ben.channels)
    await room.mia.bot_rights(room.channel, view_channel=False)
    asked = await ann.command(elsewhere, "table", "cancel", table=number)
    await ann.press(str(asked.message_id), label="Close it")
    await until(lambda: "hindrance=rights" in room.log())
    await room.mia.bot_rights(room.channel, view_channel=None)
    await ben.wait_for(lambda: "My hand" not in labels(ben, board), WAIT)


async def test_only_the_right_that_is_missing_is_named(room: Room) -> None:
    board, (ann, ben) = await room.dealt("ann", "ben")
    hand = await hand_of(ann, board)
    await room.mia.bot_rights(room.channel, view_channel=False)
    await ann.press(hand, label="Bid 1")
    elsewhere = await channel_by(room.mia)
    await ben.wait_for(lambda: elsewhere in ben.channels)

    async def told(words: str) -> str:
        said = ben.text(await ben.command(elsewhere, "hand"))
        return said if words in said else ""

    said = await until(lambda: told("I can't update the table"))
    assert "I need **View Channel** there" in said
    await room.mia.bot_rights(room.channel, view_channel=None)
    out = await ben.command(elsewhere, "hand")
    await ben.wait_for(
        lambda: (
            f"waiting for **{ben.name}**" in ben.text(board) or f"**{ben.name}** to act" in ben.text(board)
        ),
        WAIT,
    )
    assert not await told("can't update")
    assert out.ephemeral


async def test_a_thread_that_may_not_be_opened_is_refused_at_once(room: Room) -> None:
    ann = await room.person("ann")
    board = await room.lobby(ann)
    await room.mia.bot_rights(room.channel, create_public_threads=False)
    out = await arrange(ann, board, place="thread")
    assert out.ephemeral
    assert "Create Public Threads" in ann.text(out)
    await room.mia.bot_rights(room.channel, create_public_threads=None)
    await arrange(ann, board, place="thread")
    await room.mia.bot_rights(room.channel, create_public_threads=False)
    # the right is lost between the lobby and the start: the game goes on where the lobby stood
    await ann.press(board, label="Start")
    await ann.wait_for(lambda: "My hand" in labels(ann, board))
    await ann.wait_message(
        room.channel, lambda m: ann.is_ephemeral(m) and "Create Public Threads" in ann.text(m["id"])
    )
    assert "What do you bid?" in ann.text(await hand_of(ann, board))


@pytest.mark.parametrize(
    ("right", "name"), [("view_channel", "View Channel"), ("attach_files", "Attach Files")]
)
async def test_a_hand_names_the_right_that_is_missing_and_no_other(room: Room, right: str, name: str) -> None:
    board, (ann, ben) = await room.dealt("ann", "ben")
    hand = await hand_of(ann, board)
    await room.mia.bot_rights(room.channel, **{right: False})
    await ann.press(hand, label="Bid 2")

    async def told() -> bool:
        await ann.press(hand, label="Refresh")
        return "can't update" in ann.text(hand)

    await until(told)
    assert {each for each in RIGHTS if each in ann.text(hand)} == {name}
    out = await ben.command(room.channel, "table", "repost", table=table_of(ben, board))
    assert {each for each in RIGHTS if each in ben.text(out)} in ({name}, set())
    await room.mia.bot_rights(room.channel, **{right: None})


async def test_play_inside_a_thread_stays_there(room: Room) -> None:
    ann = await room.person("ann")
    thread = await ann.create_thread(room.channel, "our corner")
    await ann.wait_for(lambda: thread in ann.channels)
    board = await room.lobby(ann, channel=thread)
    assert not any(":place:" in str(c.get("custom_id")) for c in ann.components(board))
    await ann.press(board, label="Start")
    assert "What do you bid?" in ann.text(await hand_of(ann, board))
    assert not [m for m in ann.messages(room.channel) if "My hand" in labels(ann, m["id"])]


async def test_a_table_in_a_direct_message(room: Room) -> None:
    ann = await room.person("ann")
    board = await room.lobby(ann, channel="dm")
    await arrange(ann, board, opponents="2", level="random")
    assert ann.text(board).count("computer") == 2
    await ann.press(board, label="Start")
    hand = await hand_of(ann, board)
    await ann.press(hand, label="Bid 3")
    await ann.wait_for(lambda: "Which card?" in ann.text(hand))
    await ann.press(hand, label="Look at card 1")
    await ann.wait_for(lambda: "lay" in ann.text(board), WAIT)
    out = await ann.command("dm", "games")
    assert f"[Table {table_of(ann, board)}](" in ann.text(out)
    assert "/channels/@me/" in ann.text(out)


async def test_a_server_without_the_bot(room: Room) -> None:
    """Somebody brought the app along: looking up works, a table needs the bot as a member."""
    ann = await room.person("ann")
    out = await ann.command("lounge", "card", name="iron")
    assert "Iron · Fe 26" in ann.text(out)
    (picture,) = ann.images(out)
    assert "Iron (Fe), 26" in picture["alt"]
    out = await ann.command("lounge", "hand")
    assert "You aren't at any open table" in ann.text(out)
    known = [command["name"] for command in await ann.commands("lounge")]
    assert {"card", "hand", "move"} <= set(known)
    assert {"table", "play", "tournament", "games"}.isdisjoint(known)


async def test_a_table_elsewhere_is_open_to_its_own_hand_only(room: Room) -> None:
    """/hand works in the other server; what it shows is seen by its owner alone."""
    _board, (ann, ben) = await room.dealt("ann", "ben")
    out = await ann.command("lounge", "hand")
    assert out.ephemeral
    assert "What do you bid?" in ann.text(out)
    assert not any(m["id"] == out.message_id for m in ben.messages("lounge"))


async def test_a_channel_that_is_deleted_in_mid_game(room: Room) -> None:
    board, (ann, ben) = await room.dealt("ann", "ben")
    number = table_of(ann, board)
    await ann.press(await hand_of(ann, board), label="Bid 2")
    await room.mia.delete_channel(room.channel)
    elsewhere = await channel_by(room.mia)
    await ben.wait_for(lambda: elsewhere in ben.channels)
    # the game has gone on meanwhile
    out = await ben.command(elsewhere, "hand")
    await ben.press(str(out.message_id), label="Bid 0")
    out = await ann.command(elsewhere, "table", "repost", table=number)
    await ann.wait_for(lambda: "Here it is again" in ann.text(out))
    fresh = await ben.wait_message(elsewhere, lambda m: "My hand" in labels(ben, m["id"]))
    assert f"table {number}" in ben.text(fresh)
    assert "look" in ben.text(fresh)
    hand = await hand_of(ann, fresh["id"])
    await ann.press(hand, label="Look at card 2")
    await ben.wait_for(lambda: "lay" in ben.text(fresh))


async def test_two_tables_in_one_channel(room: Room) -> None:
    one, (ann, ben) = await room.dealt("ann", "ben")
    two, (cleo, dan) = await room.dealt("cleo", "dan")
    first, second = table_of(ann, one), table_of(ann, two)
    assert first < second
    await cleo.press(await hand_of(cleo, two), label="Bid 3")
    assert "What do you bid?" in ann.text(await hand_of(ann, one))
    await dan.press(await hand_of(dan, two), label="Bid 0")
    await ann.wait_for(lambda: "look" in ann.text(two))
    assert "bid" in ann.text(one)
    out = await ben.press(two, label="My hand")
    assert "don't sit" in ben.text(out)
    # without a number it is the newest table of the channel that is meant
    out = await cleo.command(room.channel, "table", "cancel")
    assert f"Close table {second}" in cleo.text(out)
    listed = ann.text(await ann.command(room.channel, "games"))
    if "Page 1" not in listed:
        assert listed.index(f"[Table {second}](") < listed.index(f"[Table {first}](")


async def test_one_person_at_two_tables(room: Room) -> None:
    """/hand lists all tables, those that wait for the person first; /move asks which is meant."""
    ann, ben = await room.person("ann"), await room.person("ben")
    one, two = [await room.lobby(ann, ben) for _ in range(2)]
    lobby = await room.lobby(ann)
    for board in (one, two):
        await ann.press(board, label="Start")
    first, second, third = (table_of(ann, board) for board in (one, two, lobby))
    out = await ann.command(room.channel, "move", choice="Bid 1")
    assert "several tables" in ann.text(out)
    await ann.press(await hand_of(ann, two), label="Bid 1")
    out = await ann.command(room.channel, "hand")
    lines = ann.text(out).splitlines()[1:]
    assert [int(line.split("**")[1]) for line in lines] == [first, third, second]
    assert "your turn" in lines[0]
    assert "in the lobby" in lines[1]
    assert f"waiting for {ben.name}" in lines[2]
    assert labels(ann, out) == [f"Table {first}", f"Table {second}"]
    hand = await ann.press(str(out.message_id), label=f"Table {first}")
    assert f"table {first}" in ann.text(hand)
    out = await ann.command(room.channel, "move", choice="Bid 3", table=first)
    assert "✓ Bid 3." in ann.text(out)


async def test_moves_by_typing(room: Room) -> None:
    board, (ann, ben) = await room.dealt("ann", "ben")
    out = await ann.autocomplete(room.channel, "move", focus="choice")
    assert [choice["name"] for choice in out.choices] == ["Bid 0", "Bid 1", "Bid 2", "Bid 3"]
    out = await ann.autocomplete(room.channel, "move", focus="choice", choice="3")
    assert out.choices[0]["name"] == "Bid 3"
    old = out.choices[0]["value"]
    done = await ann.command(room.channel, "move", choice=old)
    assert "✓ Done" in ann.text(done)
    again = await ann.command(room.channel, "move", choice=old)
    assert "nothing to decide" in ann.text(again)
    await ben.command(room.channel, "move", choice="Bid 0")
    # an old choice of the list decides nothing when another decision stands before the seat
    again = await ann.command(room.channel, "move", choice=old)
    assert "isn't one of your moves now" in ann.text(again)
    out = await ann.autocomplete(room.channel, "move", focus="choice")
    assert [choice["name"] for choice in out.choices] == ["Look at card 1", "Look at card 2"]
    stolen = await ben.command(room.channel, "move", choice=out.choices[0]["value"])
    assert "nothing to decide" in ben.text(stolen)
    await ann.command(room.channel, "move", choice="Look at card 2")
    await ann.wait_for(lambda: "lay" in ann.text(board))
    out = await ann.autocomplete(room.channel, "move", focus="choice")
    assert 2 <= len(out.choices) <= 25
    assert out.choices[0]["name"].startswith("Lay a set → ")
    await ann.command(room.channel, "move", choice=out.choices[0]["value"])
    await ann.wait_for(lambda: f"**{ben.name}** to act" in ann.text(board))


async def test_a_moderator_closes_any_table_and_others_only_their_own(room: Room) -> None:
    board, (ann, ben) = await room.dealt("ann", "ben")
    number, mia = table_of(ann, board), room.mia
    cleo = await room.person("cleo")
    hand = await hand_of(ann, board)
    for nosy in (ben, cleo):
        out = await nosy.command(room.channel, "table", "cancel", table=number)
        assert "Only the host" in nosy.text(out)
        assert f"<@{ann.me['id']}>" in nosy.text(out)
    ask = await mia.command(room.channel, "table", "cancel")
    await mia.press(str(ask.message_id), label="Keep it")
    assert "stays open" in mia.text(ask)
    ask = await mia.command(room.channel, "table", "cancel")
    await mia.press(str(ask.message_id), label="Close it")
    assert f"Table {number} is closed" in mia.text(ask)
    await ben.wait_for(lambda: "closed" in ben.text(board))
    assert labels(ben, board) == []
    # neither the hand that lies open nor an old button asks for anything any more
    await ann.wait_for(lambda: "The game is over." in ann.text(hand))
    assert labels(ann, hand) == []
    out = await ben.press(board, f"v:hand:{number}", forge=True, component_type=2)
    assert "The game is over." in ben.text(out)
    assert labels(ben, out) == []


async def test_pings_can_be_stopped_and_begun_again(room: Room) -> None:
    board, (ann, _) = await room.dealt("ann", "ben")
    out = await ann.command(room.channel, "table", "pings")
    assert out.ephemeral
    assert "No more pings" in ann.text(out)
    out = await ann.command(room.channel, "table", "pings")
    assert "ping you again" in ann.text(out)
    cleo = await room.person("cleo")
    out = await cleo.command(room.channel, "table", "pings")
    assert "You aren't at any open table" in cleo.text(out)
    assert "My hand" in labels(ann, board)
