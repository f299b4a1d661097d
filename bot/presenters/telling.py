"""The log of a game: each event in one line of Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from bot.presenters.base import LINE
from bot.presenters.voice import Voice, clipped
from bot.render.scene import Look
from engine.facts import Facts
from engine.game import Event, Viewer

Told = Mapping[str, Any]
"""The contents of one event, by the names of its declared facts."""
V = TypeVar("V", bound=Voice)


class Teller(Generic[V]):
    """Describes one event, already cut for its viewer.

    A game sets `speaks` to its voice, and `events` to the fact types of each kind of event, which decide how
    each fact reads. `tells` has a function `(teller, facts)` for each kind of event that needs more than the
    string `line.<kind>`.
    """

    speaks: type[V]
    events: ClassVar[Mapping[str, Facts]]
    tells: ClassVar[Mapping[str, Callable[..., str | None]]] = {}

    def __init__(self, event: Event, viewer: Viewer, voice: V) -> None:
        self.kind = event.kind
        self.seat = event.seat
        self.facts: Told = event.facts
        self.viewer = viewer
        self.voice = voice
        self.name = voice.name(event.seat) if event.seat >= 0 else ""

    @classmethod
    def line(cls, event: Event, viewer: Viewer, look: Look) -> str | None:
        """See `bot.presenters.base.Presenter.line`."""
        return cls(event, viewer, cls.speaks(look)).told()

    def told(self) -> str | None:
        """Return the line, shortened if necessary, or None if there is nothing to say."""
        tell = self.tells.get(self.kind)
        told = tell(self, self.facts) if tell else self.say(self.kind)
        return told and clipped(told, LINE)

    def say(self, key: str, **facts: object) -> str:
        """Return the string `line.<key>`, filled with the declared facts in words and the player's name."""
        said = self.voice.said(self.events[self.kind], self.facts)
        return self.voice(f"line.{self.voice.prefix}{key}", **{**said, **facts, "name": self.name})
