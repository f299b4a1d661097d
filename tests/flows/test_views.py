"""Every kind of view, opened, left alone for an hour and pressed: nothing stays in memory, nothing dies.

discord.py keeps a view that still listens, with a task of its own. So no class of ours holds a control, a
press is known by its custom id, and every view is stopped before it is sent.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from typing import Any

import discord
import pytest

from bot import custom_ids as ids
from bot import features, locales, ui
from bot.features.table.hand.open_hands import OpenHands
from engine.elements import ELEMENTS
from tests.support.discord.keys import part
from tests.support.discord.lobbies import choose
from tests.support.discord.room_play import KINDS, dealt
from tests.support.discord.sent_messages import custom_ids
from tests.support.tables.tables import at_hand

HOUR = 3600.0


def store_of(room: Any) -> Any:
    return room.bot._connection._view_store


def nothing_kept(room: Any) -> None:
    """discord.py remembers no view and no template."""
    store = store_of(room)
    assert store._views == {}
    assert store._synced_message_views == {}
    assert store._modals == {}
    assert store._dynamic_items == {}


@pytest.mark.long
async def test_a_hand_works_after_every_kind_of_view_has_lain_for_an_hour(room: Any) -> None:
    board = await dealt(room)
    table = next(iter(at_hand(room.bot.tables).values()))
    old = (await room.ann.click(board, label="My hand")).response
    for kind, open_it in KINDS.items():
        opened = await open_it(room, board)
        assert opened.response is not None, kind
        nothing_kept(room)
    await room.env.advance_time(HOUR)
    nothing_kept(room)
    assert table.acts == 0
    await room.ann.click(old, label="Bid 2")
    assert table.acts == 1
    await room.ben.click((await room.ben.click(board, label="My hand")).response, label="Bid 0")
    assert table.acts == 2
    nothing_kept(room)


async def test_the_end_of_a_game_and_what_stands_under_it(room: Any) -> None:
    board = await dealt(room, rounds="1")
    table = next(iter(at_hand(room.bot.tables).values()))
    for person in (room.ann, room.ben):
        hand = (await person.click(board, label="My hand")).response
        await person.click(hand, label="Bid 2" if person is room.ann else "Bid 0")
    for person, label in ((room.ann, "Look at card 1"), (room.ann, "Pass"), (room.ben, "Pass")):
        hand = (await person.click(board, label="My hand")).response
        await person.click(hand, label=label)
    assert table.phase == "over"
    await room.env.advance_time(5)
    for label in ("Record", "Why?", "Log", "Play again"):
        opened = await room.ann.click(_again(room, board), label=label)
        assert opened.response is not None, label
        nothing_kept(room)


def _again(room: Any, board: Any) -> Any:
    """The message as it looks now."""
    return next(m for m in room.channel.history() if m.id == board.id)


@pytest.mark.long
async def test_three_hundred_hands_leave_nothing_behind(room: Any) -> None:
    board = await dealt(room)
    await room.ann.click(board, label="My hand")
    gc.collect()
    tasks = len(asyncio.all_tasks())
    views = sum(isinstance(found, discord.ui.LayoutView) for found in gc.get_objects())
    for n in range(150):
        for person in (room.ann, room.ben):
            opened = await person.click(board, label="My hand")
            assert opened.ephemeral, n
    nothing_kept(room)
    gc.collect()
    assert len(asyncio.all_tasks()) <= tasks + 2
    assert sum(isinstance(found, discord.ui.LayoutView) for found in gc.get_objects()) <= views + 2
    assert len(room.bot.app.service(OpenHands)._open) == 2
    await room.ben.click(opened.response, label="Bid 1")
    assert next(iter(at_hand(room.bot.tables).values())).acts == 1


def test_no_class_of_ours_holds_a_control() -> None:
    rooms = [(ui.__path__, "bot.ui."), (features.__path__, "bot.features.")]
    for found in (found for room in rooms for found in pkgutil.walk_packages(*room)):
        importlib.import_module(found.name)
    importlib.import_module("bot.client")

    def below(kind: type) -> Iterator[type]:
        for sub in kind.__subclasses__():
            yield sub
            yield from below(sub)

    def ours(kind: type) -> list[type]:
        return [sub for sub in below(kind) if sub.__module__.startswith("bot.")]

    assert ours(discord.ui.Item) == []
    assert ours(discord.ui.View) == []
    assert ours(discord.ui.LayoutView) == []


async def test_no_card_stands_in_the_id_of_a_public_message(room: Any) -> None:
    """Public ids name a table and a verb, and nothing else; the symbols of cards are for hands only."""
    symbols = {element.symbol for element in ELEMENTS}
    seen: dict[str, set[str]] = {"public": set(), "private": set()}

    def look(*opened: Any) -> None:
        for message in room.channel.history():
            assert not message.flags.ephemeral
            seen["public"].update(custom_ids([c.to_dict() for c in message.components]))
        for result in opened:
            seen["private"].update(custom_ids(result.response.components))

    result = await room.ann.slash(room.channel, "play", game="atom_duel")
    look()
    lobby = result.response.message
    table = next(iter(at_hand(room.bot.tables).values()))
    await room.ben.click(lobby, label="Join or leave")
    look()
    await choose(room.ann, lobby, level="4", rounds="1")
    await room.ann.click(lobby, label="Start")
    look()
    while table.phase == "live" and table.waiting():
        person = (room.ann, room.ben)[table.waiting()[0]]
        hand = await person.click(_again(room, lobby), label="My hand")
        look(hand)
        while table.waiting() and (room.ann, room.ben)[table.waiting()[0]] is person:
            before = table.seq
            ways = [i for i in custom_ids(hand.response.components) if re.match(r"v:(go|sel):", i)]
            if ways[0].startswith("v:sel:"):
                (options,) = [
                    c["options"] for c in _walk(hand.response.components) if c.get("custom_id") == ways[0]
                ]
                await person.select(hand.response, [options[0]["value"]], custom_id=ways[0])
            else:
                await person.click(hand.response, custom_id=ways[0])
            look(hand)
            if table.seq != before:
                break
    await room.env.advance_time(5)
    look()
    assert table.phase == "over"
    verbs = {ids.parse(custom_id).verb for custom_id in seen["public"]}
    assert verbs >= {"join", "start", "options", "arrange", "hand", "log", "record", "again"}
    for custom_id in seen["public"]:
        ref = ids.parse(custom_id)
        assert ref.number(0) == table.id
        assert len(ref.args) == 1
    # the check can fail: the ids of hands do hold cards
    assert any(not symbols.isdisjoint(re.split(r"[.:+]", i)) for i in seen["private"])


def _walk(components: Iterable[Any]) -> Iterator[Any]:
    for component in components:
        yield component
        yield from _walk(component.get("components", ()))


@pytest.mark.simcord(check_errors=False)
@pytest.mark.parametrize(
    ("command", "options", "words"),
    [
        ("move", {"choice": "anything"}, part("refused.no_moves")),
        ("hand", {}, part("refused.none_open")),
        ("table cancel", {}, part("refused.no_table_here")),
        ("table repost", {"table": 99}, locales.words("en")("refused.no_table", table=99)),
        ("card", {"name": "qqqqzzzz"}, locales.words("en")("refused.unknown_card", name="qqqqzzzz")),
    ],
)
async def test_refused_commands_answer_in_private_words(
    room: Any, command: str, options: dict[str, Any], words: str
) -> None:
    result = await room.cleo.slash(room.channel, command, **options)
    assert result.ephemeral
    assert words in str(result.response.components)
    nothing_kept(room)


async def test_what_was_pressed_is_freed_without_a_full_collection(room: Any) -> None:
    """A full collection comes once in minutes; until then each press left the whole message behind."""

    def interactions() -> int:
        return sum(isinstance(found, discord.Interaction) for found in gc.get_objects())

    board = await dealt(room)
    gc.collect()
    gc.disable()
    try:
        before = interactions()
        for _ in range(20):
            await room.ann.click(board, label="My hand")
        assert interactions() <= before + 3
    finally:
        gc.enable()
