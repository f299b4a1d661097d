"""What a seat has before it at one moment: looked up once, however often a press needs it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

from cachetools import LRUCache

from bot import presenters
from bot.presenters.base import AnyPresenter, Node
from bot.presenters.lines import lines_for
from bot.render.scene import Look, Scene
from bot.tables.consent import asked
from bot.tables.recent import LATE, UNDONE
from bot.tables.table import Table
from bot.tables.teaching import may_hint
from bot.views import walk
from bot.views.names import picture_look, word_look
from engine.game import Seat

MOST_KNOWN = 128
"""How many seats are remembered; each takes some 50 KiB, and those that are pressed now are few."""


class Moment:
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
        return isinstance(other, Moment) and self.number == other.number

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
        self.hints = hints and may_hint(table, seat)
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
        return self.presenter.hand(self.observation, self.drawn)

    @cached_property
    def happened(self) -> list[str]:
        """What the others did since the seat's last move, and what came of it, in order, in lines."""
        events = self.table.recent.since(self.seat)
        if events and events[0].seat == self.seat and events[0].kind != LATE:
            events = events[1:]  # what one has done oneself one knows
        return lines_for(self.presenter, events, self.seat, self.look, late=LATE, undone=UNDONE)

    def at(self, path: walk.Path) -> walk.Place:
        """Where this path through the choices leads."""
        return walk.follow(self.tree, path)

    def way(self, path: walk.Path) -> Scene | None:
        """The hand while its holder is on this way through the choices; None where it is as at rest.

        The last one is remembered: a step looks first at the picture that it would replace.
        """
        if self._way is None or self._way[0] != path:
            self._way = path, self.presenter.hand_on_way(self.observation, path, self.drawn)
        return self._way[1]

    def moment(self, *, draw: bool = False) -> Moment:
        """The moment that it shows; with `draw` its picture is drawn now and kept, for whoever compares it
        and shows it where it differs."""
        if draw or "scene" in vars(self):
            return Moment(hash(self.scene), self._asks())
        return Moment(partial(_drawn, self.presenter, self.observation, self.drawn), self._asks())

    def _asks(self) -> tuple[object, ...]:
        """What a hand asks beside its picture."""
        table = self.table
        stands_still = table.paused, table.asleep
        return self.decision, table.phase, table.outcome() is None, stands_still, asked(table)


def _drawn(presenter: AnyPresenter, observation: object, look: Look) -> int:
    return hash(presenter.hand(observation, look))


class SeatViews:
    """The seats that were looked at last: who walks through the choices of a position looks at the same one
    with every press, and so does the hand that is turned over after it."""

    def __init__(self, most: int = MOST_KNOWN) -> None:
        self._views: LRUCache[tuple[int, Seat, str], SeatView] = LRUCache(most)

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
        return view
