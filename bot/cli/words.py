"""What a terminal says of a game: the presenter's words, without Markdown and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot import presenters
from bot.presenters.paths import routes
from bot.presenters.voice import unmarked
from bot.render.scene import Look
from engine.game import Action, AnyGame, Event, Outcome, Viewer


def name_of(names: Sequence[str], seat: int) -> str:
    """The name of a seat, or its number from 1."""
    return names[seat] if 0 <= seat < len(names) and names[seat] else f"seat {seat + 1}"


def value(data: object) -> str:
    """A JSON value in plain words: lists in brackets, `none` for an empty one."""
    if isinstance(data, Mapping):
        return ", ".join(f"{key} {value(part)}" for key, part in data.items())
    if isinstance(data, list | tuple):
        return f"[{' '.join(map(value, data))}]" if data else "none"
    if isinstance(data, bool):
        return "yes" if data else "no"
    return "nothing" if data is None else str(data).replace("_", " ")


def step(game: AnyGame, data: object) -> str:
    """An action as a record holds it: its verb and what fills its fields, defaults left out."""
    try:
        act: Action = game.action(data)
    except ValueError:
        return value(data)
    defaults = getattr(act, "_field_defaults", {})
    fields = getattr(act, "_fields", ())
    parts = [
        value(part)
        for place, part in enumerate(act)
        if place == 0 or place >= len(fields) or part != defaults.get(fields[place], ...)
    ]
    return " ".join(parts)


class TerminalVoice:
    """A presenter that speaks to a terminal, with the names of the seats."""

    def __init__(self, game: str, names: Sequence[str]) -> None:
        self._presenter = presenters.get(game)
        self._look = Look(names=tuple(names))

    def choices(self, observation: object, actions: Sequence[Action]) -> list[tuple[Action, str]]:
        """Each legal action with the labels on the way to it."""
        tree = self._presenter.choices(observation, actions, self._look)
        return [(route.action, unmarked(" → ".join(route.labels))) for route in routes(tree, actions)]

    def events(self, happened: Sequence[Event], viewer: Viewer) -> list[str]:
        """What happened, a line for each event that has words; the events are cut for the viewer."""
        lines = (self._presenter.line(event, viewer, self._look) for event in happened)
        return [unmarked(line) for line in lines if line]

    def position(self, observation: object, viewer: Viewer) -> list[str]:
        """Where the game stands, what lies on the table, and what the viewer holds."""
        told = [self._presenter.status(observation, self._look)]
        told.append(self._presenter.table(observation, self._look).alt)
        if viewer is not None:
            told.append(self._presenter.hand(observation, self._look).alt)
        return [unmarked(text) for text in told if text]

    def ending(self, outcome: Outcome) -> list[str]:
        """How it ended."""
        return unmarked(self._presenter.ending(outcome, self._look)).splitlines()
