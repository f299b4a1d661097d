"""The ids of forms: each ends in a digest of what the form shows."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from bot import custom_ids as ids
from bot.ui.components import MenuLine
from bot.ui.forms import FormField, TextField, form
from tests.house.tree import read, texts

BASE = "v:arrange:1"


def pick(chosen: str = "a", label: str = "Which?", b: str = "B") -> FormField:
    return FormField(
        "pick", label, [MenuLine("a", "A", chosen=chosen == "a"), MenuLine("b", b, chosen=chosen == "b")]
    )


def told(filled: str = "") -> TextField:
    return TextField("told", "What?", 100, filled=filled)


def id_of(*fields: Any, title: str = "Title", base: str = BASE) -> str:
    return form(title, base, fields).custom_id


async def test_the_same_form_keeps_its_id() -> None:
    assert id_of(pick(), told("x")) == id_of(pick(), told("x"))


async def test_whatever_a_form_shows_is_in_its_id() -> None:
    shown = [
        id_of(pick()),
        id_of(pick("b")),
        id_of(pick(label="Which one?")),
        id_of(pick(b="Another")),
        id_of(pick(), title="Another title"),
        id_of(pick(), told()),
        id_of(pick(), told("x")),
    ]
    assert len(set(shown)) == len(shown)


@pytest.mark.parametrize("base", [BASE, "v:night-zone", "v:report:7:", "v:form:12:0:57:play.B"])
async def test_without_its_digest_an_id_is_as_it_was(base: str) -> None:
    assert ids.without_digest(ids.parse(id_of(told(), base=base))) == ids.parse(base)
    assert ids.without_digest(ids.parse(base)) == ids.parse(base)


async def test_an_id_with_its_digest_is_no_longer_than_discord_allows() -> None:
    room = ids.LONGEST - len("v:form:") - len(":~01234567")
    longest = ids.make("form", "x" * room)
    assert len(id_of(told(), base=longest)) == ids.LONGEST
    with pytest.raises(ids.CustomIdTooLong):
        id_of(told(), base=f"{longest}x")


def test_every_form_comes_from_one_place() -> None:
    made = {
        path.as_posix()
        for path in texts(".py")
        if path.parts[0] == "bot"
        for call in ast.walk(ast.parse(read(path)))
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("Modal")
    }
    assert made == {"bot/ui/forms.py"}
