"""A position is looked up once, however many presses it takes, and makes no scene where no picture is due."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot import presenters
from engine.game import State
from tests.flows.test_views import dealt
from tests.support.forging import forge
from tests.support.tables import at_hand


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often Duel 52's presenter is asked for something."""
    found: Counter[str] = Counter()
    before, get = presenters.get("duel52"), presenters.get

    def counted(name: str) -> Any:
        whole = getattr(before, name)

        def call(*args: Any) -> Any:
            found[name] += 1
            return whole(*args)

        return call

    changed = replace(before, **{name: counted(name) for name in ("choices", "hand", "table")})
    monkeypatch.setattr(presenters, "get", lambda game: changed if game == "duel52" else get(game))
    return found


async def opened(room: Any) -> tuple[Any, State[Any, Any]]:
    """The hand of whoever is to act first at a table of Duel 52, and its person."""
    board = await dealt(room, "duel52")
    (table,) = at_hand(room.bot.app.tables).values()
    who = (room.ann, room.ben)[table.waiting()[0]]
    return who, (await who.click(board, label="My hand")).response


def below(components: Any) -> Iterator[Any]:
    """All components, nested ones after those that hold them."""
    for component in components:
        yield component
        yield from below(component.get("components", ()))


async def step(who: Any, hand: Any) -> None:
    """Choose the first of what is offered, be it a button or the line of a select."""
    for each in below(hand.components):
        custom_id = each.get("custom_id", "")
        if custom_id.startswith("v:sel:"):
            await who.select(hand, [each["options"][0]["value"]], custom_id=custom_id)
            return
        if custom_id.startswith("v:go:"):
            await who.click(hand, custom_id=custom_id)
            return
    raise AssertionError("nothing is offered")


def alts(hand: Any) -> list[str]:
    """The alt texts of its pictures."""

    return [item["description"] for each in below(hand.components) for item in each.get("items", ())]


async def test_a_step_through_the_choices_makes_no_tree_and_no_scene(room: Any, asked: Counter[str]) -> None:
    who, hand = await opened(room)
    await room.env.settle()
    before = alts(hand)
    asked.clear()
    await step(who, hand)
    assert asked == {}, "what the hand has shown is still so"
    assert alts(hand) == before != [""], "the picture that stays keeps its words"


async def test_a_decision_makes_one_tree_and_one_scene(room: Any, asked: Counter[str]) -> None:
    who, hand = await opened(room)
    await step(who, hand)
    await room.env.settle()
    asked.clear()
    await step(who, hand)
    (table,) = at_hand(room.bot.app.tables).values()
    assert table.seq == 1
    assert (asked["choices"], asked["hand"]) == (1, 1)


async def test_who_walks_through_the_choices_looks_at_one_tree_until_something_happens(
    room: Any, asked: Counter[str]
) -> None:
    who, hand = await opened(room)
    asked.clear()
    await step(who, hand)
    first = asked["choices"]
    for _ in range(3):
        await forge(who, hand, go_back(hand))
    assert asked["choices"] == first == 0
    (table,) = at_hand(room.bot.app.tables).values()
    table.stored.edition += 1  # as any change that everybody can see makes it
    await forge(who, hand, go_back(hand))
    assert asked["choices"] == first + 1


def go_back(hand: Any) -> str:
    """The id that leads to the first question of an open hand."""
    ids = [str(each.get("custom_id", "")) for each in below(hand.components)]
    table, seat, decision = next(i for i in ids if i.startswith(("v:go:", "v:sel:"))).split(":")[2:5]
    return f"v:go:{table}:{seat}:{decision}:"
