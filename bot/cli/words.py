"""What a terminal says of actions, events and positions, from the facts alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine.game import Action, Event, Game, Outcome


def name_of(names: Sequence[str], seat: int) -> str:
    """The name of a seat, or its number from 1."""
    return names[seat] if 0 <= seat < len(names) and names[seat] else f"seat {seat + 1}"


def value(data: Any) -> str:
    """A JSON value in plain words: lists in brackets, `none` for an empty one."""
    if isinstance(data, Mapping):
        return ", ".join(f"{key} {value(part)}" for key, part in data.items())
    if isinstance(data, list | tuple):
        return f"[{' '.join(map(value, data))}]" if data else "none"
    if isinstance(data, bool):
        return "yes" if data else "no"
    return "nothing" if data is None else str(data).replace("_", " ")


def action(act: Action) -> str:
    """An action: its verb and what fills its fields, those at their default left out."""
    defaults = getattr(act, "_field_defaults", {})
    fields = getattr(act, "_fields", ())
    parts = [
        value(part)
        for place, part in enumerate(act)
        if place == 0 or place >= len(fields) or part != defaults.get(fields[place], ...)
    ]
    return " ".join(parts)


def step(game: Game[Any, Any], data: Any) -> str:
    """An action as a record holds it; in brackets where the game cannot read it."""
    try:
        return action(game.action(data))
    except ValueError:
        return value(data)


def event(one: Event, names: Sequence[str]) -> str:
    """An event: who, what kind, and its facts."""
    who = f"{name_of(names, one.seat)}: " if one.seat >= 0 else ""
    facts = value(one.facts)
    return f"{who}{one.kind.replace('_', ' ')}{f' ({facts})' if facts else ''}"


def facts(struct: msgspec.Struct) -> list[tuple[str, str]]:
    """The fields of an observation, with their values in words."""
    return [(name.replace("_", " "), value(getattr(struct, name))) for name in struct.__struct_fields__]


def outcome(end: Outcome, names: Sequence[str]) -> list[str]:
    """How a game ended: a line for each seat, best first."""
    places = sorted(range(len(end.standings)), key=lambda seat: end.standings[seat].rank)
    return [
        f"{end.standings[seat].rank}. {name_of(names, seat)}, {end.standings[seat].score:g}"
        for seat in places
    ]
