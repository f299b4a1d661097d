"""How a message sets its text, and what its parts tell Discord."""

from __future__ import annotations

import ast
import re

import pytest

from bot.ui.components import MenuLine, page, select
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
