"""The pictures of every kind of table, from the deal to the end of a game."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot import presenters
from bot.locales import FALLBACK, catalogue, languages
from bot.render.scene import Look, Scene
from engine import catalog
from engine.arena import key_of
from engine.game import AnyGame, AnyState, Viewer
from engine.setups import Kind, covering
from tools.contact_sheet.galleries import gallery

PHASES = ("dealt", "middle", "late", "over")
NAMES = ("Mira", "Marie-Anne the Great of Nowhere", "小明", "O", "🦊🦊🦊", "Ağaoğlu", "Cy", "Tobias")
"""Long, short and foreign names, enough for the largest table."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A position of a random game as one person sees it: the table for `None`, else a hand."""

    game: str
    kind: Kind
    phase: str
    viewer: Viewer
    observation: object
    look: Look

    def scene(self) -> Scene:
        """The picture."""
        presenter = presenters.get(self.game)
        if self.viewer is None:
            return presenter.table(self.observation, self.look)
        return presenter.hand(self.observation, self.look)

    def __str__(self) -> str:
        who = "table" if self.viewer is None else f"hand {self.viewer + 1}"
        return f"{self.game}, {self.kind}, {self.phase}, {who}"


def shown(game: str, kinds: Iterable[Kind] | None = None, *, locale: str = FALLBACK) -> Iterator[Shown]:
    """Yield table and hands of these kinds of tables: dealt, in the middle, late and over.

    By default the kinds cover every pair of choices, each shown with its table in all phases. Hands of all
    seats are shown in all phases if a number of seats or a value of an option occurs for the first time, else
    in one phase that changes from kind to kind. The same game gives the same pictures.
    """
    rules, met = catalog.get(game), set[object]()
    for number, kind in enumerate(covering(rules) if kinds is None else kinds):
        look = Look(locale=locale, names=NAMES[: kind.seats])
        traits = {("seats", kind.seats), *kind.options.items()}
        whole = kinds is not None or not traits <= met
        met |= traits
        for at, (phase, state) in enumerate(zip(PHASES, _moments(rules, kind, number), strict=True)):
            hands = range(kind.seats) if whole or at == number % len(PHASES) else ()
            for viewer in (None, *hands):
                yield Shown(game, kind, phase, viewer, state.observe(viewer), look)


def kinds_in(game: str, locale: str) -> Iterator[Kind]:
    """Yield the kinds of tables that are drawn in a language.

    In English they cover every pair of choices. Another language changes only words, so there each number of
    seats and each value of an option comes once.
    """
    met = set[object]()
    for kind in covering(catalog.get(game)):
        traits = {("seats", kind.seats), *kind.options.items()}
        if locale == FALLBACK or not traits <= met:
            yield kind
        met |= traits


def spoken(game: str) -> tuple[str, ...]:
    """Return the languages of a game, English first."""
    others = [name for name in languages() if any(key.startswith(f"{game}.") for key in catalogue(name))]
    return tuple(dict.fromkeys((FALLBACK, *others)))


def every_picture(game: str, locales: Iterable[str] | None = None) -> Iterator[tuple[str, Scene]]:
    """Draw every picture of a game, each under a unique name.

    First comes one of each kind of picture in English, then those of `shown` in each of these languages, by
    default every language of the game. Except in English, one hand represents all seats.
    """
    for locale in spoken(game) if locales is None else locales:
        if locale == FALLBACK:
            for title, scene in gallery(game):
                yield f"{game}: {title}", scene
        for one in shown(game, None if locale == FALLBACK else kinds_in(game, locale), locale=locale):
            if locale == FALLBACK or one.viewer in (None, 0):
                yield f"{one} ({locale})", one.scene()


def _moments(rules: AnyGame, kind: Kind, number: int) -> list[AnyState]:
    """Return a random game at each of the phases."""
    state = rules.deal(rules.setup(kind.seats, key_of(1, number), **kind.options))
    rng = random.Random(f"pictures/{rules.key}/{number}")
    past = [state.clone()]
    while waiting := state.to_act():
        seat = rng.choice(waiting)
        state.apply(seat, rng.choice(state.legal_actions(seat)))
        past.append(state.clone())
    last = len(past) - 1
    return [past[at] for at in (0, last // 2, max(0, last - 1 - last // 10), last)]
