"""Refusals with a reason that the player can read."""

from __future__ import annotations

from dataclasses import dataclass


class OutsideError(Exception):
    """Something outside the bot failed; the bot has no defect."""


class Refused(Exception):
    """A refusal for a reason outside the rules of a game. Nothing has changed, and nothing is lost.

    `key` names the sentence in the locales, `facts` fill it in.
    """

    def __init__(self, key: str, **facts: object) -> None:
        super().__init__(key, facts)
        self.key = key
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Titles:
    """Games among the facts of a refusal, shown by their titles in the reader's language."""

    games: tuple[str, ...]


class Stale(Refused):
    """The decision was made on a hand that has changed since; the answer is the fresh hand."""

    def __init__(self) -> None:
        super().__init__("stale")
