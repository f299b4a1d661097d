"""A press looks everything up once, and makes no scene where no picture is due."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot import presenters
from engine.game import State
from tests.flows.test_views import dealt
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


async def test_a_step_through_the_choices_makes_one_tree_and_no_scene(room: Any, asked: Counter[str]) -> None:
    who, hand = await opened(room)
    await room.env.settle()
    before = alts(hand)
    asked.clear()
    await step(who, hand)
    assert asked == {"choices": 1}
    assert alts(hand) == before != [""], "the picture that stays keeps its words"


async def test_a_decision_makes_a_tree_before_and_one_after(room: Any, asked: Counter[str]) -> None:
    who, hand = await opened(room)
    await step(who, hand)
    await room.env.settle()
    asked.clear()
    await step(who, hand)
    (table,) = at_hand(room.bot.app.tables).values()
    assert table.seq == 1
    assert (asked["choices"], asked["hand"]) == (2, 1)
