"""Forms: a few questions in a dialog, all answered at once.

A form is stopped before it is sent, like every view: its custom id and its fields hold everything the answer
needs.

Phones cache a form by its custom id and keep showing the values it had the first time. So each id ends in a
digest of the form, and any change to a form changes its id.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

from bot import custom_ids as ids
from bot.presenters.voice import clipped
from bot.ui.components import MenuLine, options_of

MOST_FIELDS = 5
LONGEST_LABEL, LONGEST_NOTE = 45, 100


@dataclass(frozen=True, slots=True)
class FormField:
    """A question with 1 to 25 answers, one of them preselected."""

    key: str
    label: str
    lines: Sequence[MenuLine]
    note: str = ""


@dataclass(frozen=True, slots=True)
class TextField:
    """A question with a free-text answer of at most `most` characters."""

    key: str
    label: str
    most: int
    note: str = ""
    filled: str = ""
    """The text that is already filled in."""
    long: bool = True
    """True for several lines of text, False for a single line."""


def form(title: str, custom_id: str, fields: Sequence[FormField | TextField]) -> ui.Modal:
    """Return a form of one to five required fields.

    Raises:
        ValueError: the number of fields is out of range.
    """
    if not 1 <= len(fields) <= MOST_FIELDS:
        raise ValueError(f"a form has 1 to {MOST_FIELDS} fields, not {len(fields)}")
    modal = ui.Modal(title=clipped(title, LONGEST_LABEL), custom_id=custom_id, timeout=None)
    for field in fields:
        component: ui.Item[ui.Modal]
        if isinstance(field, TextField):
            style = discord.TextStyle.paragraph if field.long else discord.TextStyle.short
            component = ui.TextInput(
                custom_id=field.key,
                style=style,
                max_length=field.most,
                required=True,
                default=field.filled or None,
            )
        else:
            lines = options_of(field.lines)
            component = ui.Select(
                custom_id=field.key, options=lines, min_values=1, max_values=1, required=True
            )
        modal.add_item(
            ui.Label(
                text=clipped(field.label, LONGEST_LABEL),
                description=clipped(field.note, LONGEST_NOTE) or None,
                component=component,
            )
        )
    modal.custom_id = ids.with_digest(custom_id, _shown(modal))
    modal.stop()
    return modal


def _shown(modal: ui.Modal) -> bytes:
    """Return everything a form shows: texts, choices, and prefilled values."""
    parts = {key: value for key, value in modal.to_dict().items() if key != "custom_id"}
    return json.dumps(parts, sort_keys=True).encode()


def answers(components: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the answers in a submitted form by the key of the field."""
    results: dict[str, str] = {}
    for component in components:
        field = component.get("component") or {}
        if values := field.get("values"):
            results[str(field.get("custom_id", ""))] = str(values[0])
        elif text := field.get("value"):
            results[str(field.get("custom_id", ""))] = str(text)
    return results
