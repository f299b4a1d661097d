"""The pictures of all kinds of tables, from the deal to the end: for the contact sheet and the tests."""

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

PHASES = ("dealt", "middle", "late", "over")
NAMES = ("Mira", "Marie-Anne the Great of Nowhere", "小明", "O", "🦊🦊🦊", "Ağaoğlu", "Cy", "Tobias")
"""Long, short and foreign ones, for as many as can sit at a table."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A position of a random game, as one person has it before them: the table for `None`, else a hand."""

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
    """Table and hands of these kinds of tables, dealt, in the middle, late and over.

    Without `kinds`: of so many kinds that every two choices meet. There the table is shown in all phases;
    so are the hands of all seats where a number of seats or a value of an option comes first, and else
    in one phase, another from kind to kind. The same game gives the same pictures.
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
    """The kinds of tables that are drawn in a language.

    In English so many that every two choices meet. What another language changes is words, so there
    each number of seats and each value of an option has to come once.
    """
    met = set[object]()
    for kind in covering(catalog.get(game)):
        traits = {("seats", kind.seats), *kind.options.items()}
        if locale == FALLBACK or not traits <= met:
            yield kind
        met |= traits


def spoken(game: str) -> tuple[str, ...]:
    """The languages in which a game speaks, English first."""
    others = [name for name in languages() if any(key.startswith(f"{game}.") for key in catalogue(name))]
    return tuple(dict.fromkeys((FALLBACK, *others)))


def every_picture(game: str, locales: Iterable[str] | None = None) -> Iterator[tuple[str, Scene]]:
    """All pictures that `valence render --all` draws of a game, each under a name that no other has.

    First one of each kind of picture, in English; then those of `shown`, in each of these languages (all
    that it speaks, where none are given), but in others than English the hand of one seat stands for all.
    """
    for locale in spoken(game) if locales is None else locales:
        if locale == FALLBACK:
            for title, scene in presenters.get(game).gallery():
                yield f"{game}: {title}", scene
        for one in shown(game, None if locale == FALLBACK else kinds_in(game, locale), locale=locale):
            if locale == FALLBACK or one.viewer in (None, 0):
                yield f"{one} ({locale})", one.scene()


def _moments(rules: AnyGame, kind: Kind, number: int) -> list[AnyState]:
    """A random game at each of the phases."""
    state = rules.deal(rules.setup(kind.seats, key_of(1, number), **kind.options))
    rng = random.Random(f"pictures/{rules.key}/{number}")
    past = [state.clone()]
    while waiting := state.to_act():
        seat = rng.choice(waiting)
        state.apply(seat, rng.choice(state.legal_actions(seat)))
        past.append(state.clone())
    last = len(past) - 1
    return [past[at] for at in (0, last // 2, max(0, last - 1 - last // 10), last)]
