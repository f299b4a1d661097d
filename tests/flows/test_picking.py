"""Sets picked from more cards than a select holds: what is picked stays until it is decided or put back."""

from __future__ import annotations

from typing import Any

from bot import custom_ids as ids
from bot.locales import words
from engine.playing_cards import RANK_CODES
from tests.support.discord.keys import part
from tests.support.discord.lobbies import arrange
from tests.support.discord.room_play import the_table
from tests.support.discord.sent_messages import custom_ids, said

JOKERS = f"r{RANK_CODES[13]}"
"""The group of the jokers, who go with any rank."""


async def at_the_exact_cards(room: Any) -> tuple[Any, str]:
    """A hand of Atom at the question for exact cards, when Ann is to act; and the id of its select."""
    await room.ann.slash(room.channel, "play", game="atom")
    table, lobby = the_table(room), room.channel.last_message
    await arrange(room.ann, lobby, opponents="3", level="newcomer")
    await room.ann.click(lobby, label="Start")
    for _ in range(200):
        if table.waiting() == (0,) and any(action.verb == "play" for action in table.legal[0]):
            break
        if table.waiting() == (0,):
            await table.act(0, None, table.legal[0][0])
        await room.env.settle()
    hand = (await room.ann.click(room.channel.last_message, label="My hand")).response
    await room.ann.click(hand, label="Exact cards…")
    return hand, control(hand, "group")


def control(hand: Any, verb: str) -> str:
    return next(i for i in custom_ids(hand.components) if ids.parse(i).verb == verb)


def selects(hand: Any) -> list[Any]:
    """The selects of a hand."""

    def below(components: Any) -> Any:
        for component in components:
            yield component
            yield from below(component.get("components", ()))

    return [component for component in below(hand.components) if component.get("options")]


def lines(hand: Any, custom_id: str) -> list[str]:
    """The values of a select."""
    (found,) = (each for each in selects(hand) if each["custom_id"] == custom_id)
    return [option["value"] for option in found["options"]]


async def picked_of_two_ranks(room: Any, hand: Any, groups: list[str]) -> None:
    for group in groups[:2]:
        await room.ann.select(hand, [group], custom_id=control(hand, "group"))
        add = control(hand, "add")
        await room.ann.select(hand, lines(hand, add)[:1], custom_id=add)


async def test_a_refused_set_keeps_its_picks(room: Any) -> None:
    hand, group = await at_the_exact_cards(room)
    groups = [each for each in lines(hand, group) if each != JOKERS]
    await picked_of_two_ranks(room, hand, groups)
    picked = next(line for line in said(hand).splitlines() if line.startswith("Picked: "))
    assert picked.count(",") == 1
    await room.ann.click(hand, label="Done (2)")
    assert "⚠️" in said(hand), "two ranks are no play"
    assert picked in said(hand)
    # and it goes on from there
    await room.ann.select(hand, [groups[2]], custom_id=control(hand, "group"))
    assert part("refused.no_choice") not in said(hand)
    assert picked in said(hand)
    await room.ann.click(hand, label="Back")
    assert "Picked" not in said(hand)


async def test_copies_of_a_card_are_counted_where_they_need_not_be_told_apart(room: Any) -> None:
    hand, group = await at_the_exact_cards(room)
    (asked,) = (c for c in selects(hand) if c["custom_id"] == group)
    assert asked["placeholder"] == words("en")("atom.tree.rank")
    many = next(each for each in asked["options"] if "×" in each["description"])
    assert all(part("atom.tree.copy") not in each["description"] for each in asked["options"])
    await room.ann.select(hand, [many["value"]], custom_id=group)
    add = control(hand, "add")
    (offered,) = (c["options"] for c in selects(hand) if c["custom_id"] == add)
    assert any(part("atom.tree.copy") in each["label"] for each in offered), "here one chooses among them"
    await room.ann.select(hand, [each["value"] for each in offered], custom_id=add)
    assert f"Picked: {many['description']}" in said(hand)


async def test_more_cards_than_a_play_can_have_are_refused_in_words(room: Any) -> None:
    hand, group = await at_the_exact_cards(room)
    for each in lines(hand, group):
        await room.ann.select(hand, [each], custom_id=control(hand, "group"))
        add = control(hand, "add")
        await room.ann.select(hand, lines(hand, add), custom_id=add)
        assert part("refused.no_choice") not in said(hand)
        if "At most" in said(hand):
            break
        before = said(hand)
    assert "At most" in said(hand)
    assert next(line for line in before.splitlines() if line.startswith("Picked: ")) in said(hand)
