"""Every message that pings someone has text that a phone shows in its push notification."""

from __future__ import annotations

import ast

import pytest

from bot.ui.components import button
from bot.ui.notification import MOST_TEXT, Notification
from tests.house.tree import read, texts

NOTIFICATION = "bot/ui/notification.py"
"""The one module that names people or roles in allowed mentions."""


def naming_calls(source: str) -> list[int]:
    """Return the lines that build allowed mentions in which someone may be named."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Attribute) and node.func.attr == "AllowedMentions")
            or (isinstance(node.func, ast.Name) and node.func.id == "AllowedMentions")
            or (
                isinstance(node.func, ast.Attribute)
                and node.func.attr in ("all", "merge")
                and "AllowedMentions" in ast.unparse(node.func.value)
            )
        )
    ]


def test_only_notifications_ping() -> None:
    found = {
        f"{path}:{line}"
        for path in texts(".py")
        if path.parts[0] == "bot" and "AllowedMentions" in read(path)
        for line in naming_calls(read(path))
    }
    assert {place.split(":")[0] for place in found} == {NOTIFICATION}


@pytest.mark.parametrize(
    "line",
    ["discord.AllowedMentions(users=[one])", "AllowedMentions(roles=True)", "discord.AllowedMentions.all()"],
)
def test_a_message_of_its_own_that_pings_is_found(line: str) -> None:
    assert naming_calls(line) == [1]
    assert not naming_calls("discord.AllowedMentions.none()")


@pytest.mark.parametrize("text", ["", "  \n"])
def test_a_notification_has_text(text: str) -> None:
    with pytest.raises(ValueError, match="without text"):
        Notification(text, users=[1])


async def test_a_notification_is_plain_text_with_rows_of_buttons() -> None:
    controls = [button(f"A button with a label {n}", "hand", n) for n in range(7)]
    parts = Notification("x" * 3000, controls, users=[1], roles=[2]).parts()
    assert len(parts["content"]) == MOST_TEXT
    assert not parts["view"].has_components_v2()
    assert parts["view"].is_finished()
    rows = parts["view"].to_components()
    assert [each["custom_id"] for row in rows for each in row["components"]] == [
        f"v:hand:{n}" for n in range(7)
    ]
    assert all(len(row["components"]) <= 5 for row in rows)
    assert parts["allowed_mentions"].to_dict() == {"parse": [], "users": [1], "roles": [2]}


def test_without_anyone_to_ping_nobody_is_pinged() -> None:
    assert Notification("text").parts()["allowed_mentions"].to_dict() == {"parse": []}
