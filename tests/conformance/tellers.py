"""The facts and the voice of a game, for tests of its strings."""

from __future__ import annotations

from typing import Any

from bot import presenters
from bot.presenters.telling import Teller
from engine.facts import Count, Facts
from engine.game import AnyGame


def teller_of(game: AnyGame) -> type[Teller[Any]]:
    """The class whose `line` is that of the presenter."""
    found: Any = presenters.get(game.key).line
    teller: type[Teller[Any]] = found.__self__
    return teller


def named(declared: Facts) -> set[str]:
    """Return the facts that the string must name. A count is named `n`."""
    return {"n" if kind is Count else name for name, kind in declared.said.items()}
