"""A seat's view of a table at one moment, computed once however many presses need it."""

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
"""Maximum number of cached views. Each takes about 50 KiB, and few seats are active at once."""


MOST_FORESEEN = 64
"""Maximum number of cached hands in positions that are still being stored."""


class HandFingerprint:
    """The look of a hand at rest and the decision it asks for. Equal fingerprints look the same.

    The player's place in the choices does not count. The picture is drawn, as a scene, only when two
    fingerprints are compared: most presses change nothing that another hand could show.
    """

    __slots__ = ("_number", "_picture", "_rest")

    def __init__(self, picture: int | Callable[[], int], rest: tuple[object, ...]) -> None:
        """Take the hash of the scene, or a function that draws the scene and returns its hash."""
        self._picture = picture
        self._rest = rest
        self._number: int | None = None

    @property
    def number(self) -> int:
        """The hash of the fingerprint, equal for equal fingerprints."""
        if self._number is None:
            if not isinstance(self._picture, int):
                self._picture = self._picture()  # releases the observation with the function
            self._number = hash((self._picture, self._rest))
        return self._number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HandFingerprint) and self.number == other.number

    def __hash__(self) -> int:
        return self.number


class SeatView:
    """A seat's view of a table at the time of construction.

    The observation, the tree of choices, the scene and the rest are computed on first use.
    """

    def __init__(self, table: Table, seat: Seat, locale: str, *, hints: bool = True) -> None:
        """View a table. `hints` is False if the player does not want hints offered.

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
        """True while nothing has changed. Closing a table is a change, although it adds no journal entry."""
        return self.table.state is self._state and self.table.stored.edition == self.edition

    def same_as(self, other: SeatView) -> bool:
        """Return whether another view, made just now, would compute the same values as this one."""
        return (
            other.table is self.table
            and self.holds
            and (other.seq, other.decision, other.hints) == (self.seq, self.decision, self.hints)
            and other.look == self.look
        )

    @cached_property
    def observation(self) -> object:
        """Everything the seat knows."""
        return self._state.observe(self.seat)

    @cached_property
    def look(self) -> Look:
        """The seat names for text in the player's language."""
        return word_look(self.table, self.locale)

    @cached_property
    def drawn(self) -> Look:
        """The seat names for pictures in the player's language."""
        return picture_look(self.table, self.locale)

    @cached_property
    def tree(self) -> Node:
        """The choices of the seat, which must be about to decide."""
        return self.presenter.choices(self.observation, self.legal, self.look)

    @cached_property
    def scene(self) -> Scene:
        """The picture of the hand at rest."""
        return self.presenter.hand_with(self.observation, self.drawn, self.gained)

    @cached_property
    def status(self) -> str:
        """The line of the hand that sums up the game."""
        return self.presenter.status(self.observation, self.look)

    @cached_property
    def letters(self) -> str:
        """The names of seats that appear only as letters in the picture, as a line of small text."""
        unnamed = unnamed_seats(self.scene, self.drawn.names)
        names = " · ".join(f"**{seat_letter(seat)}** {self.look.name(seat)}" for seat in unnamed)
        return names and f"-# {names}"

    @cached_property
    def recent(self) -> list[Event]:
        """The events from this seat's last move onwards, as far as this seat may see them."""
        return [
            visible for event in self.table.recent.since(self.seat) if (visible := event.seen_by(self.seat))
        ]

    @cached_property
    def gained(self) -> tuple[int, ...]:
        """The cards that came into the hand since the seat's last move."""
        return self.presenter.gained(self.recent, self.seat)

    @cached_property
    def happened(self) -> list[LogLine]:
        """The log since this seat's last move: the actions of the others and this seat's draws."""
        events = self.recent
        if events and events[0].seat == self.seat and events[0].kind != LATE:
            # players know their own move, but not what they drew with it
            events = events if self.presenter.gained(events[:1], self.seat) else events[1:]
        return log_lines(self.presenter, events, self.seat, self.look, late=LATE, undone=UNDONE)

    @property
    def taken_back(self) -> bool:
        """True if the latest event is that another player took a move back."""
        last = self.recent[-1:]
        return any(event.kind == UNDONE and event.seat != self.seat for event in last)

    def take_over(self, hand: _ForeseenHand) -> None:
        """Reuse the parts of a foreseen hand that match what has happened."""
        if hand.state is self._state:
            self.observation = hand.observation
            if (hand.gained, hand.look) == (self.gained, self.drawn):
                self.scene = hand.scene

    def at(self, path: walk.Path) -> walk.Place:
        """Return the place to which this path through the choices leads."""
        return walk.follow(self.tree, path)

    def way(self, path: walk.Path) -> Scene | None:
        """Return the picture of the hand on this path through the choices, or None if it is as at rest.

        The last one is cached: each step first looks at the picture that it would replace.
        """
        if self._way is None or self._way[0] != path:
            self._way = path, self.presenter.hand_at(self.observation, path, self.drawn)
        return self._way[1]

    def moment(self, *, draw: bool = False) -> HandFingerprint:
        """Return the fingerprint of this view.

        With `draw`, the picture is drawn now and kept, for callers who show it if it differs.
        """
        if draw or "scene" in vars(self):
            return HandFingerprint(hash(self.scene), self._asks())
        draw_later = partial(_drawn, self.presenter, self.observation, self.drawn, self.gained)
        return HandFingerprint(draw_later, self._asks())

    def _asks(self) -> tuple[object, ...]:
        """Return everything a hand shows except its picture."""
        table = self.table
        halted = table.paused, table.asleep
        progress = table.phase, table.outcome() is None, halted
        return self.decision, self.status, *progress, asked(table), self.taken_back


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
    """A cache of the most recent views of seats.

    A player who walks through the choices of a position needs the same view with every press. So does the
    refresh of the hand that follows.
    """

    def __init__(self, most: int = MOST_KNOWN) -> None:
        self._views: LRUCache[tuple[int, Seat, str], SeatView] = LRUCache(most)
        self._foreseen: LRUCache[tuple[int, Seat, str], _ForeseenHand] = LRUCache(MOST_FORESEEN)

    def foresee(self, view: SeatView, state: AnyState) -> Scene:
        """Return the picture of a seat's hand in a position that is still being stored.

        The view of that position reuses it. Until then no one sees it.
        """
        seat, look, presenter = view.seat, view.drawn, view.presenter
        observation = state.observe(seat)
        events = (*view.table.recent.since(seat), *(state.events or ()))
        visible_events = [visible for event in events if (visible := event.seen_by(seat))]
        gained = presenter.gained(visible_events, seat)
        scene = presenter.hand_with(observation, look, gained)
        hand = _ForeseenHand(state, observation, gained, look, scene)
        self._foreseen[view.table.id, seat, view.locale] = hand
        return scene

    def of(self, table: Table, seat: Seat, locale: str, *, hints: bool = True) -> SeatView:
        """Return the current view of a seat, from the cache if nothing has changed.

        Raises:
            ValueError: nothing has been dealt.
        """
        key, view = (table.id, seat, locale), SeatView(table, seat, locale, hints=hints)
        cached = self._views.get(key)
        if cached is not None and cached.same_as(view):
            return cached
        self._views[key] = view
        if (hand := self._foreseen.pop(key, None)) is not None:
            view.take_over(hand)
        return view
