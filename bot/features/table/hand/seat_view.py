"""What a seat has before it at one moment: looked up once, however often a press needs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from cachetools import LRUCache

from bot import presenters
from bot.features.table.names import picture_look, word_look
from bot.presenters.base import AnyPresenter, Node
from bot.presenters.lines import LogLine, log_lines
from bot.render.parts import unnamed_seats
from bot.render.scene import Look, Scene
from bot.render.theme import seat_letter
from bot.table.people.consent import asked
from bot.table.recent import LATE, UNDONE
from bot.table.table import Table
from bot.table.table_kinds import can_hint
from bot.ui import choices as walk
from engine.game import AnyState, Event, Seat

MOST_KNOWN = 128
"""How many seats are remembered; each takes some 50 KiB, and those that are pressed now are few."""


MOST_FORESEEN = 64
"""Number of remembered hands in positions that are being stored."""


class HandFingerprint:
    """How a hand at rest looks, and which decision it asks for; two that are equal look the same.

    Where its holder stands in the choices makes no other moment. The picture is drawn, as a scene, only
    when somebody compares: most presses change nothing that another hand could show.
    """

    __slots__ = ("_number", "_picture", "_rest")

    def __init__(self, picture: int | Callable[[], int], rest: tuple[object, ...]) -> None:
        """`picture`: the hash of the scene, or what draws it and gives its hash."""
        self._picture = picture
        self._rest = rest
        self._number: int | None = None

    @property
    def number(self) -> int:
        """The same for equal moments."""
        if self._number is None:
            if not isinstance(self._picture, int):
                self._picture = self._picture()  # and with what draws goes the observation
            self._number = hash((self._picture, self._rest))
        return self._number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HandFingerprint) and self.number == other.number

    def __hash__(self) -> int:
        return self.number


class SeatView:
    """A seat's side of a table as it is when this is made.

    Everything is looked up when it is asked for first: the observation, the tree of choices, the scene of
    the hand.
    """

    def __init__(self, table: Table, seat: Seat, locale: str, *, hints: bool = True) -> None:
        """Look at a table; `hints`: its holder wants to be offered them.

        Raises:
            ValueError: nothing has been dealt.
        """
        if table.state is None:
            raise ValueError(f"nothing has been dealt at table {table.id}")
        self.table, self.seat, self.locale = table, seat, locale
        self.seq, self.decision, self.legal = table.seq, table.decisions[seat], table.legal[seat]
        self.edition = table.stored.edition
        self.presenter = presenters.get(table.game.key)
        self.hints = hints and can_hint(table, seat)
        self._state = table.state
        self._way: tuple[walk.Path, Scene | None] | None = None

    @property
    def holds(self) -> bool:
        """Whether the table is still as it was, to everybody's eye: closing it is no entry of the journal."""
        return self.table.state is self._state and self.table.stored.edition == self.edition

    def same_as(self, other: SeatView) -> bool:
        """Whether another one, made just now, would find all as this one has."""
        return (
            other.table is self.table
            and self.holds
            and (other.seq, other.decision, other.hints) == (self.seq, self.decision, self.hints)
            and other.look == self.look
        )

    @cached_property
    def observation(self) -> object:
        """What the seat knows."""
        return self._state.observe(self.seat)

    @cached_property
    def look(self) -> Look:
        """How one speaks to whoever holds the seat."""
        return word_look(self.table, self.locale)

    @cached_property
    def drawn(self) -> Look:
        """How one draws for whoever holds the seat."""
        return picture_look(self.table, self.locale)

    @cached_property
    def tree(self) -> Node:
        """The choices of the seat; it must be about to decide."""
        return self.presenter.choices(self.observation, self.legal, self.look)

    @cached_property
    def scene(self) -> Scene:
        """The hand at rest."""
        return self.presenter.hand_with(self.observation, self.drawn, self.gained)

    @cached_property
    def status(self) -> str:
        """The line of the hand that says how the game stands."""
        return self.presenter.status(self.observation, self.look)

    @cached_property
    def letters(self) -> str:
        """The names of seats that are letters alone in the picture, as a line of small text."""
        unnamed = unnamed_seats(self.scene, self.drawn.names)
        told = " · ".join(f"**{seat_letter(seat)}** {self.look.name(seat)}" for seat in unnamed)
        return told and f"-# {told}"

    @cached_property
    def recent(self) -> list[Event]:
        """The events since this seat's last move, that move first, as far as this seat may see them."""
        return [cut for event in self.table.recent.since(self.seat) if (cut := event.seen_by(self.seat))]

    @cached_property
    def gained(self) -> tuple[int, ...]:
        """The cards that came into the hand since the seat's last move."""
        return self.presenter.gained(self.recent, self.seat)

    @cached_property
    def happened(self) -> list[LogLine]:
        """The log since this seat's last move: what the others did, and what this seat drew."""
        events = self.recent
        if events and events[0].seat == self.seat and events[0].kind != LATE:
            # players know their own move, but not what they drew with it
            events = events if self.presenter.gained(events[:1], self.seat) else events[1:]
        return log_lines(self.presenter, events, self.seat, self.look, late=LATE, undone=UNDONE)

    @property
    def taken_back(self) -> bool:
        """Return whether the last thing that happened was that another player took a move back."""
        last = self.recent[-1:]
        return any(event.kind == UNDONE and event.seat != self.seat for event in last)

    def take_over(self, hand: _ForeseenHand) -> None:
        """Use a hand that was foreseen, as far as it has come so."""
        if hand.state is self._state:
            self.observation = hand.observation
            if (hand.gained, hand.look) == (self.gained, self.drawn):
                self.scene = hand.scene

    def at(self, path: walk.Path) -> walk.Place:
        """Where this path through the choices leads."""
        return walk.follow(self.tree, path)

    def way(self, path: walk.Path) -> Scene | None:
        """The hand while its holder is on this way through the choices; None where it is as at rest.

        The last one is remembered: a step looks first at the picture that it would replace.
        """
        if self._way is None or self._way[0] != path:
            self._way = path, self.presenter.hand_at(self.observation, path, self.drawn)
        return self._way[1]

    def moment(self, *, draw: bool = False) -> HandFingerprint:
        """The moment that it shows; with `draw` its picture is drawn now and kept, for whoever compares it
        and shows it where it differs."""
        if draw or "scene" in vars(self):
            return HandFingerprint(hash(self.scene), self._asks())
        draws = partial(_drawn, self.presenter, self.observation, self.drawn, self.gained)
        return HandFingerprint(draws, self._asks())

    def _asks(self) -> tuple[object, ...]:
        """Return everything that a hand shows besides its picture."""
        table = self.table
        stands_still = table.paused, table.asleep
        going_on = table.phase, table.outcome() is None, stands_still
        return self.decision, self.status, *going_on, asked(table), self.taken_back


def _drawn(presenter: AnyPresenter, observation: object, look: Look, new: Sequence[int]) -> int:
    return hash(presenter.hand_with(observation, look, new))


@dataclass(frozen=True, slots=True)
class _ForeseenHand:
    """The hand of a seat in a position that is being stored."""

    state: AnyState
    observation: object
    gained: tuple[int, ...]
    look: Look
    scene: Scene


class SeatViews:
    """The seats that were looked at last: who walks through the choices of a position looks at the same one
    with every press, and so does the hand that is turned over after it."""

    def __init__(self, most: int = MOST_KNOWN) -> None:
        self._views: LRUCache[tuple[int, Seat, str], SeatView] = LRUCache(most)
        self._foreseen: LRUCache[tuple[int, Seat, str], _ForeseenHand] = LRUCache(MOST_FORESEEN)

    def foresee(self, view: SeatView, state: AnyState) -> Scene:
        """Return the hand of a seat in a position that is still being stored.

        The view of that position takes it over. It is shown to no one before.
        """
        seat, look, presenter = view.seat, view.drawn, view.presenter
        observation = state.observe(seat)
        events = (*view.table.recent.since(seat), *(state.events or ()))
        seen = [cut for event in events if (cut := event.seen_by(seat))]
        gained = presenter.gained(seen, seat)
        scene = presenter.hand_with(observation, look, gained)
        hand = _ForeseenHand(state, observation, gained, look, scene)
        self._foreseen[view.table.id, seat, view.locale] = hand
        return scene

    def of(self, table: Table, seat: Seat, locale: str, *, hints: bool = True) -> SeatView:
        """A seat as it is now: what was looked up before, where nothing has changed since.

        Raises:
            ValueError: nothing has been dealt.
        """
        key, view = (table.id, seat, locale), SeatView(table, seat, locale, hints=hints)
        known = self._views.get(key)
        if known is not None and known.same_as(view):
            return known
        self._views[key] = view
        if (hand := self._foreseen.pop(key, None)) is not None:
            view.take_over(hand)
        return view
