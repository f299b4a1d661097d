"""Forms: a few questions in a window of their own, all answered at once.

A form is stopped before it is sent, as every view is: all that its answer needs stands in its custom id and
in its fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

from bot.presenters.voice import clipped
from bot.views.components import Line, options_of

MOST_FIELDS = 5
LONGEST_LABEL, LONGEST_NOTE = 45, 100


@dataclass(frozen=True, slots=True)
class Field:
    """One question with 1 to 25 answers, of which one is chosen already."""

    key: str
    label: str
    lines: Sequence[Line]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """One question that is answered in one's own words, at most so many signs; on one `line` for what is
    short, and with what stands there already."""

    key: str
    label: str
    most: int
    note: str = ""
    filled: str = ""
    """What stands there already."""
    long: bool = True
    """Whether it has several lines."""


def form(title: str, custom_id: str, fields: Sequence[Field | Text]) -> ui.Modal:
    """A form of at most five fields, each of which must be answered."""
    if not 1 <= len(fields) <= MOST_FIELDS:
        raise ValueError(f"a form has 1 to {MOST_FIELDS} fields, not {len(fields)}")
    modal = ui.Modal(title=clipped(title, LONGEST_LABEL), custom_id=custom_id, timeout=None)
    for field in fields:
        asked: ui.Item[ui.Modal]
        if isinstance(field, Text):
            style = discord.TextStyle.paragraph if field.long else discord.TextStyle.short
            asked = ui.TextInput(
                custom_id=field.key,
                style=style,
                max_length=field.most,
                required=True,
                default=field.filled or None,
            )
        else:
            lines = options_of(field.lines)
            asked = ui.Select(custom_id=field.key, options=lines, min_values=1, max_values=1, required=True)
        modal.add_item(
            ui.Label(
                text=clipped(field.label, LONGEST_LABEL),
                description=clipped(field.note, LONGEST_NOTE) or None,
                component=asked,
            )
        )
    modal.stop()
    return modal


def answers(components: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """What was chosen or written in a form that came back, by the key of the field."""
    found: dict[str, str] = {}
    for component in components:
        field = component.get("component") or {}
        if values := field.get("values"):
            found[str(field.get("custom_id", ""))] = str(values[0])
        elif written := field.get("value"):
            found[str(field.get("custom_id", ""))] = str(written)
    return found
