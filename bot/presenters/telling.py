"""The log of a game: each event in one line of Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from bot.presenters.base import LINE
from bot.presenters.voice import Voice, clipped
from bot.render.scene import Look
from engine.game import Event, Viewer

Facts = Mapping[str, Any]
V = TypeVar("V", bound=Voice)


class Teller(Generic[V]):
    """Tells one event, already cut for its viewer. A game names its `speaks`, and has a method
    `on_<kind>(facts)` for each kind of event that needs more words than the string `line.<kind>` with
    the facts as they are.
    """

    speaks: type[V]

    def __init__(self, event: Event, viewer: Viewer, voice: V) -> None:
        self.kind = event.kind
        self.seat = event.seat
        self.facts: Facts = event.facts
        self.viewer = viewer
        self.voice = voice
        self.name = voice.name(event.seat) if event.seat >= 0 else ""

    @classmethod
    def line(cls, event: Event, viewer: Viewer, look: Look) -> str | None:
        """See `bot.presenters.base.Presenter.line`."""
        return cls(event, viewer, cls.speaks(look)).told()

    def told(self) -> str | None:
        """The line, shortened where it is too long; None where there is nothing to tell."""
        method = getattr(self, f"on_{self.kind}", None)
        told: str | None = method(self.facts) if method else self.say(self.kind, **self.facts)
        return told and clipped(told, LINE)

    def say(self, key: str, **facts: object) -> str:
        """The string `line.<key>`, with the name of who did it."""
        return self.voice(f"line.{key}", **{**facts, "name": self.name})
