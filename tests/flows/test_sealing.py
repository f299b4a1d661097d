"""The last round of Atom Duel's level 7: a row ordered in one form, while the others order theirs."""

from __future__ import annotations

from typing import Any

import pytest

from bot import custom_ids as ids
from bot.table.table import Table
from engine.elements import ELEMENTS
from tests.support.discord.forging import forge_modal
from tests.support.discord.lobbies import choose
from tests.support.discord.people import prefer
from tests.support.discord.room_play import the_table
from tests.support.discord.sent_messages import custom_ids, said

ALL = "Order all at once…"


async def sealing(room: Any, *, hand_size: str = "5") -> tuple[Table, Any]:
    """Ann and Ben at the last round of level 7, and Ann's hand."""
    await room.ann.slash(room.channel, "play", game="atom_duel")
    table, lobby = the_table(room), room.channel.last_message
    await room.ben.click(lobby, label="Join or leave")
    await choose(room.ann, lobby, level="7", rounds="1", hand_size=hand_size)
    await room.ann.click(lobby, label="Start")
    return table, (await room.ann.click(room.channel.last_message, label="My hand")).response


def fields(shown: Any) -> dict[str, list[str]]:
    """The fields of a form, each with its options, the one that is filled in first."""
    found = {}
    for each in shown.modal["components"]:
        options = sorted(each["component"]["options"], key=lambda option: not option.get("default"))
        found[each["component"]["custom_id"]] = [option["value"] for option in options]
    return found


async def test_a_row_is_sealed_by_one_form(room: Any) -> None:
    table, hand = await sealing(room)
    shown = await room.ann.click(hand, label=ALL)
    offered = fields(shown)
    assert len(offered) == 5
    order = [values[0] for values in offered.values()][::-1]
    before = table.seq
    await room.ann.submit_modal(shown, {key: [one] for key, one in zip(offered, order, strict=True)})
    assert table.seq == before + 5
    assert [action.card for action in table.legal[0]] == []
    sealed = table.state.observe(0).sealed
    assert len(sealed) == 5
    assert table.waiting() == (1,)
    assert "Waiting for" in said(hand)


async def test_who_orders_beside_does_not_stop_a_form(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table, hand = await sealing(room)
    shown = await room.ann.click(hand, label=ALL)
    offered, act = fields(shown), type(table).act

    async def with_ben(self: Any, seat: int, *args: Any, **kwargs: Any) -> Any:
        done = await act(self, seat, *args, **kwargs)
        if seat == 0 and self.legal[1]:
            await act(self, 1, None, self.legal[1][0])
        return done

    monkeypatch.setattr(type(table), "act", with_ben)
    await room.ann.submit_modal(shown, {key: values[:1] for key, values in offered.items()})
    assert table.seq >= 10
    assert not table.state.observe(0).sealing


async def test_a_card_in_two_places_brings_the_form_back(room: Any) -> None:
    table, hand = await sealing(room)
    shown = await room.ann.click(hand, label=ALL)
    offered, before = fields(shown), table.seq
    first, second, *_ = (values[0] for values in offered.values())
    wrong = {key: values[:1] for key, values in offered.items()} | {"n2": [first]}
    await room.ann.submit_modal(shown, wrong)
    assert table.seq == before
    assert "Each card has one place" in said(hand)
    again = await room.ann.click(hand, label="Back to the form")
    assert {key: values[:1] for key, values in fields(again).items()} == wrong
    await room.ann.submit_modal(again, wrong | {"n2": [second]})
    assert table.seq == before + 5


async def test_the_old_way_goes_on_beside_it(room: Any) -> None:
    table, hand = await sealing(room)
    plain = next(each for each in table.legal[0] if not each.power)
    symbol = ELEMENTS[plain.card - 1].symbol
    one = next(i for i in custom_ids(hand.components) if ids.parse(i).word(3) == symbol)
    await room.ann.click(hand, custom_id=one)
    assert "(2 of 5)" in said(hand)
    shown = await room.ann.click(hand, label="Order the rest at once…")
    offered = fields(shown)
    assert list(offered) == ["n2", "n3", "n4", "n5"]
    await room.ann.submit_modal(shown, {key: values[:1] for key, values in offered.items()})
    assert table.waiting() == (1,)


async def test_a_row_of_seven_takes_a_form_and_two_presses(room: Any) -> None:
    table, hand = await sealing(room, hand_size="7")
    shown = await room.ann.click(hand, label="Order the next 5 at once…")
    await room.ann.submit_modal(shown, {key: values[:1] for key, values in fields(shown).items()})
    assert len({action.card for action in table.legal[0]}) == 2
    assert "(6 of 7)" in said(hand)


async def test_a_form_of_a_hand_that_has_moved_on_decides_nothing(room: Any) -> None:
    table, hand = await sealing(room)
    shown = await room.ann.click(hand, label=ALL)
    offered = fields(shown)
    await table.act(0, None, table.legal[0][0])
    before = table.seq
    await room.ann.submit_modal(shown, {key: values[:1] for key, values in offered.items()})
    assert table.seq == before


async def test_a_confirming_person_is_not_asked_twice(room: Any) -> None:
    table, hand = await sealing(room)
    await prefer(room, "ann", "v:set:confirm:yes")
    shown = await room.ann.click(hand, label=ALL)
    await room.ann.submit_modal(shown, {key: values[:1] for key, values in fields(shown).items()})
    assert "sure?" not in said(hand)
    assert table.waiting() == (1,)


@pytest.mark.simcord(check_errors=False)
async def test_forged_forms_decide_nothing(room: Any) -> None:
    table, hand = await sealing(room)
    go = next(i for i in custom_ids(hand.components) if ids.parse(i).word(3) == "all")
    before = table.seq
    for person in (room.ann, room.ben, room.cleo):
        for custom_id in (go.replace("v:go:", "v:form:"), f"v:form:{table.id}:0:0:nowhere", "v:form:1"):
            assert (await forge_modal(person, room.channel, custom_id)).ephemeral
    assert table.seq == before
