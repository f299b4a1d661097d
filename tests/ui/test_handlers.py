"""Handlers are called only after the checks that they declare."""

from __future__ import annotations

from typing import Any

import pytest

from bot.core.errors import Refused
from bot.ui.context import Pressed
from bot.ui.handlers import Handlers, Reach, Who


def group(key: str, *members: str) -> Who[str]:
    """People who are among these members; others are refused by this key."""

    async def must_belong(answer: Any, thing: str) -> None:
        if f"{answer} of {thing}" not in members:
            raise Refused(key)

    return Who(must_belong)


COOKS = group("cooks_only", "Ann of soup", "Ben of bread")
GUESTS = group("guests_only", "Ann of soup", "Cleo of soup")


async def refused(who: Who[str], name: Any, thing: str) -> str:
    try:
        await who.must_include(name, thing)
    except Refused as refusal:
        return refusal.key
    return ""


@pytest.mark.parametrize(
    ("name", "thing", "either", "both"),
    [
        ("Ann", "soup", "", ""),
        ("Ben", "bread", "", "guests_only"),
        ("Cleo", "soup", "", "cooks_only"),
        ("Cleo", "bread", "cooks_only", "cooks_only"),
    ],
)
async def test_groups_are_combined(name: Any, thing: str, either: str, both: str) -> None:
    assert await refused(COOKS | GUESTS, name, thing) == either
    assert await refused(COOKS & GUESTS, name, thing) == both
    assert await (COOKS & GUESTS).includes(name, thing) == (both == "")


async def find(pressed: Any) -> str:
    if pressed == "Dora":
        raise Refused("out_of_sight")
    return "soup"


@pytest.mark.parametrize(("name", "key"), [("Ben", "cooks_only"), ("Dora", "out_of_sight")])
async def test_a_handler_is_not_called_for_someone_who_may_not(name: Any, key: str) -> None:
    handlers, called = Handlers[Pressed](), []

    @handlers.on("stir", Reach(find), who=COOKS)
    async def _stir(pressed: Pressed, thing: str) -> None:
        called.append((pressed, thing))

    await handlers["stir"]("Ann")  # type: ignore[arg-type]
    with pytest.raises(Refused, match=key):
        await handlers["stir"](name)
    assert called == [("Ann", "soup")]


async def test_modules_that_are_put_together_keep_what_they_declare() -> None:
    one, both = Handlers[Pressed](), Handlers[Pressed]()

    @one.on("stir", Reach(find), who=COOKS)
    async def _stir(_pressed: Pressed, _thing: str) -> None:
        pass

    both.add(one)
    assert both.who["stir"] is COOKS
    with pytest.raises(Refused, match="cooks_only"):
        await both["stir"]("Ben")  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="two handlers for stir"):
        both.add(one)
