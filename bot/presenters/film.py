"""A finished game as a film, turn by turn, in pictures and words.

Made in a worker because the game is replayed for it. The result appears only at the end.
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
"""Views of a film: the public table, and all hands open. A seat number selects that seat's view."""
LATE: Final = "late"


@dataclass(frozen=True, slots=True)
class Film:
    """The contents of a film.

    `acts` holds seats, their actions as JSON, and whether someone else decided for the seat. `look` names the
    seats in pictures, `spoken` in sentences.
    """

    game: str
    setup: Setup
    acts: Sequence[tuple[Seat, list[object], bool]]
    look: Look
    spoken: Look
    view: str = TABLE

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Film:
        """Build a film from picklable facts, keyed by field name."""
        return cls(**facts)

    @property
    def presenter(self) -> AnyPresenter:
        """The presenter of the game."""
        return presenters.get(self.game)

    @property
    def viewer(self) -> Viewer:
        """The seat whose view is shown, or None."""
        return int(self.view) if self.view.isdecimal() else None

    @property
    def title(self) -> str:
        """The title of the film. It does not reveal the result."""
        say = words(self.look.locale)
        names = say("table.comma").join(self.look.name(seat) for seat in range(self.setup.seats))
        return say("film.title", game=self.presenter.title(self.look.locale), names=names)


@dataclass(frozen=True, slots=True)
class Shot:
    """One turn: the number of acts at its end, the seat that moved (-1 for the deal), and what happened in
    plain text.

    `pictures` are the scenes after the turn, each with its name. The last shot has the result in `ending`.
    """

    act: int
    seat: Seat
    lines: tuple[str, ...]
    pictures: tuple[tuple[str, Scene], ...]
    ending: str = ""


def shots(film: Film) -> Iterator[Shot]:
    """Yield the turns of a finished game, starting with the deal.

    Raises:
        UnknownRules: this version cannot play the game's rules.
        IllegalAction, ValueError: an act breaks the rules.
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
    """Return the pictures of a position in this film's view, each with its name."""
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
    """Return the events of a turn in plain text. If nothing may be shown, only say that the player has
    chosen."""
    found = lines_for(film.presenter, events, film.viewer, film.spoken, late=LATE)
    chosen = words(film.look.locale)("replay.chosen", name=film.spoken.name(mover))
    return tuple(map(unmarked, found or [chosen]))
