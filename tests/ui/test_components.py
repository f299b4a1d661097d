"""How a message sets its text, and what its parts tell Discord."""

from __future__ import annotations

import ast
import re

import pytest
from discord import ui

from bot.ui import components, router
from bot.ui.components import MenuLine, TextWithButton, button, link, page, select
from tests.house.tree import read, texts


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("要大过 Ada 的 **24**。 出哪张牌？", "要大过 Ada 的 **24**。出哪张牌？"),
        ("什么也拿不下。 弃哪张牌？\n放好了。", "什么也拿不下。弃哪张牌？\n放好了。"),
        ("**还要知道：** 成对时翻倍。 ", "**还要知道：** 成对时翻倍。 "),
        ("To beat: 24. Which card?", "To beat: 24. Which card?"),
    ],
)
def test_no_gap_follows_a_stop_that_has_its_own(said: str, shown: str) -> None:
    view = page(said).view
    assert [item.content for item in view.walk_children() if hasattr(item, "content")] == [shown]


def test_a_select_that_may_stay_empty_is_not_required() -> None:
    # Discord refuses the whole message otherwise: SELECT_COMPONENT_REQUIRED_ZERO_MIN_VALUES
    sent = select("Which?", [MenuLine("a", "A")], "learn", least=0).to_component_dict()
    assert (sent["min_values"], sent["required"]) == (0, False)


def test_every_list_and_field_says_whether_it_must_be_answered() -> None:
    """What discord.py says where nobody does is another thing for each class, and changes with 2.8."""
    asked = re.compile(r"ui\.(\w*Select|TextInput|\w+Group|FileUpload)")
    silent = [
        f"{path}:{call.lineno}"
        for path in texts(".py")
        if path.parts[0] == "bot"
        for call in ast.walk(ast.parse(read(path)))
        if isinstance(call, ast.Call) and asked.fullmatch(ast.unparse(call.func))
        if "required" not in {word.arg for word in call.keywords}
    ]
    assert silent == []


def test_a_control_without_a_handler_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A button of a feature that is not installed leads nowhere."""
    monkeypatch.setattr(components, "_is_answered", router.is_answered)
    kept, gone = button("Kept", "hand", 1), button("Gone", "deleted", 1)
    row = [kept, gone, link("Kept", "https://example.org")]
    made = page(TextWithButton("Kept", kept), TextWithButton("Gone", gone), row, [gone])
    assert [each.label for each in made.view.walk_children() if isinstance(each, ui.Button)] == ["Kept"] * 3
    assert "Gone" not in str(made.view.to_components())
    assert not [
        each for each in made.view.walk_children() if isinstance(each, ui.ActionRow) and not each.children
    ]
