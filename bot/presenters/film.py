"""A finished game as a file that anybody can open: turn by turn, in pictures and in words.

Made in a worker, since the game is played once more for it. How it ended stands at the end and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot import presenters
from bot.locales import words
from bot.presenters.base import AnyPresenter
from bot.presenters.lines import lines_for
from bot.presenters.voice import unmarked
from bot.render.scene import Look, Scene
from bot.render.theme import seat_letter
from engine import catalog
from engine.game import AnyState, Event, Seat, Setup, Viewer
from engine.record import turns

TABLE, OPEN = "t", "o"
"""What everybody saw, and all hands at once; the number of a seat is what that seat saw."""
LATE: Final = "late"


@dataclass(frozen=True, slots=True)
class Film:
    """What a film shows. `acts` are seats, their actions as JSON, and whether somebody else decided for the
    seat; `look` is how pictures name the seats, `spoken` how words do."""

    game: str
    setup: Setup
    acts: Sequence[tuple[Seat, list[object], bool]]
    look: Look
    spoken: Look
    view: str = TABLE

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Film:
        """From facts that pickle: they are named as the fields."""
        return cls(**facts)

    @property
    def presenter(self) -> AnyPresenter:
        """The words and pictures of the game."""
        return presenters.get(self.game)

    @property
    def viewer(self) -> Viewer:
        """The seat that looks, if it is one."""
        return int(self.view) if self.view.isdecimal() else None

    @property
    def title(self) -> str:
        """What it is called; nothing of how it ended."""
        say = words(self.look.locale)
        names = say("table.comma").join(self.look.name(seat) for seat in range(self.setup.seats))
        return say("film.title", game=self.presenter.title(self.look.locale), names=names)


@dataclass(frozen=True, slots=True)
class Shot:
    """A turn: the acts before its end, whose it was (-1: the deal), what happened in plain words, and what
    one sees then, each picture under its name. The last one says how the game ended."""

    act: int
    seat: Seat
    lines: tuple[str, ...]
    pictures: tuple[tuple[str, Scene], ...]
    ending: str = ""


def shots(film: Film) -> Iterator[Shot]:
    """The turns of a finished game, the deal first.

    Raises:
        UnknownRules: its rules are not played here.
        IllegalAction, ValueError: one of the acts does not follow them.
    """
    game = catalog.get(film.game).at(film.setup.version)
    state, events = game.deal(film.setup), list[Event]()
    yield Shot(0, -1, (), pictures(film, state))
    ends = set(turns([seat for seat, _, _ in film.acts], film.setup.seats))
    for number, (seat, data, late) in enumerate(film.acts, 1):
        state.events = []
        state.apply(seat, game.action(data))
        events += [Event(LATE, seat)] if late else []
        events += state.events
        if number in ends:
            shown = pictures(film, state)
            outcome = state.outcome()
            ending = unmarked(film.presenter.ending(outcome, film.spoken)) if outcome else ""
            yield Shot(number, seat, lines(film, seat, events), shown, ending)
            events = []


def pictures(film: Film, state: AnyState) -> tuple[tuple[str, Scene], ...]:
    """What one sees of a position."""
    presenter, look = film.presenter, film.look
    if film.view == TABLE:
        return (("", presenter.table(state.observe(None), look)),)
    if film.viewer is not None:
        return (("", presenter.hand(state.observe(film.viewer), look)),)
    return tuple(
        (f"{seat_letter(seat)} {look.name(seat)}", presenter.hand(state.observe(seat), look))
        for seat in range(film.setup.seats)
    )


def lines(film: Film, mover: Seat, events: Sequence[Event]) -> tuple[str, ...]:
    """What a turn has brought, in plain words; that somebody has chosen where that is all one may know."""
    found = lines_for(film.presenter, events, film.viewer, film.spoken, late=LATE)
    chosen = words(film.look.locale)("replay.chosen", name=film.spoken.name(mover))
    return tuple(map(unmarked, found or [chosen]))
