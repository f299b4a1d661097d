"""Presses and forms that no client sends: each is answered in words, and nothing happens by them."""

from __future__ import annotations

from typing import Any

import pytest

from bot import custom_ids as ids
from tests.support.discord.forging import BUTTON, SELECT, forge, forge_modal
from tests.support.discord.keys import part
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import custom_ids, said


def kinds(components: Any) -> dict[str, int]:
    """The kind of each control of a message, by its id."""
    found: dict[str, int] = {}
    for component in components:
        if custom_id := component.get("custom_id"):
            found[custom_id] = component["type"]
        found |= kinds(component.get("components", ()))
    return found


@pytest.mark.parametrize("opened", ["lobby", "table", "hand", "cards", "tournament"])
async def test_a_control_of_the_wrong_kind_is_answered(room: Any, opened: str) -> None:
    if opened == "lobby":
        message = (await room.ann.slash(room.channel, "play", game="probe")).response
    elif opened == "cards":
        message = (await room.ann.slash(room.channel, "cards", game="atom_duel")).response
    elif opened == "tournament":
        message = (await room.ann.slash(room.channel, "tournament create", name="Cup", game="probe")).response
    else:
        message = await dealt(room)
        if opened == "hand":
            message = (await room.ann.click(message, label="My hand")).response
    components = (
        message.components
        if opened in ("hand", "cards", "lobby", "tournament")
        else await again(room, message)
    )
    found = kinds(components)
    assert found
    for custom_id, kind in found.items():
        if custom_id.startswith(("v:close", "v:start", "v:cup-start")):
            continue
        for values in (("nonsense",), None):
            turned = BUTTON if kind == SELECT else SELECT
            result = await forge(room.ben, message, custom_id, values, kind=turned)
            assert result.acknowledged, (custom_id, values)


async def again(room: Any, message: Any) -> Any:
    raw = next(m for m in room.channel.history() if m.id == message.id)
    return [component.to_dict() for component in raw.components]


async def test_a_select_without_a_choice_is_none_of_ours(room: Any) -> None:
    lobby = (await room.ann.slash(room.channel, "play", game="probe")).response
    table = the_table(room)
    before = dict(table.stored.options)
    result = await forge(room.ann, lobby, f"v:opt:{table.id}:rounds")
    assert part("refused.not_a_button") in said(result.response)
    assert dict(table.stored.options) == before


async def test_a_button_of_the_hand_does_what_it_says_whatever_it_is_sent_as(room: Any) -> None:
    board = await dealt(room)
    hand = (await room.ann.click(board, label="My hand")).response
    bid = next(i for i in custom_ids(hand.components) if ids.parse(i).verb == "go")
    result = await forge(room.ann, hand, bid, ("nonsense",))
    assert result.acknowledged
    assert the_table(room).acts == 1


@pytest.mark.parametrize("custom_id", ["v:go:1:0:0:bid-2", "anything", "x" * 100, "v:close-yes:1"])
async def test_a_form_that_nobody_sent_is_answered(room: Any, custom_id: str) -> None:
    await dealt(room)
    table = the_table(room)
    result = await forge_modal(room.ann, room.channel, custom_id)
    assert result.ephemeral
    assert "form" in said(result.response)
    assert (table.acts, table.phase) == (0, "live")
