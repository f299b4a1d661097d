"""From a journal to the position it leads to, with all that play derives from it on the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bot.store.games import Entry
from bot.tables.recent import Recent
from engine.game import AnyGame, AnyState, Seat, Setup

Choice: TypeAlias = tuple[Any, ...]
"""All that a seat may decide."""


class BadJournal(ValueError):
    """A journal whose numbers are not 1, 2, 3…: something of it is missing."""


@dataclass(slots=True)
class Replayed:
    """What `Table` knows of a game after its last action; the names are those of `Table`."""

    state: AnyState
    decisions: list[int]
    legal: list[Choice]
    recent: Recent
    seq: int = 0
    acts: int = 0
    _known: dict[Seat, Choice] = field(default_factory=dict)
    """The choices that were looked up in the present position."""

    def count(self, entry: Entry) -> None:
        """Take the number of the next entry.

        Raises:
            BadJournal: it is not the next one.
        """
        if entry.seq != self.seq + 1:
            raise BadJournal(f"entry {entry.seq} follows entry {self.seq}")
        self.seq = entry.seq
        if entry.kind == "seat":
            # a new hand: what the leaver still has open on the screen must not act for the seat
            self.decisions[entry.seat] = entry.seq
        else:
            self.acts += 1

    def choice(self, seat: Seat) -> Choice:
        """All that a seat may decide that is to act now."""
        return self._known.get(seat) or tuple(self.state.legal_actions(seat))

    def carry_out(self, actor: Seat, action: object, *, moved: bool = True) -> None:
        """Carry out an action, and count a new decision for whom it changes one; `moved`: who holds the seat
        chose it.

        A seat that begins or ceases to decide has another choice, whatever it is. So only those who decide
        at the same time as `actor` are asked what they may do: in most games nobody, and looking it up is
        a third of a replay.
        """
        state, decisions = self.state, self.decisions
        before = state.to_act()
        beside = {seat: self.choice(seat) for seat in before if seat != actor}
        state.events = []
        state.apply(actor, action)
        self.recent.add(state.events, actor if moved else None)
        after = state.to_act()
        self._known = {seat: tuple(state.legal_actions(seat)) for seat in beside if seat in after}
        decisions[actor] = self.seq
        for seat in before:
            if seat not in after or (seat in beside and self._known[seat] != beside[seat]):
                decisions[seat] = self.seq
        for seat in after:
            if seat not in before:
                decisions[seat] = self.seq


def replayed(game: AnyGame, setup: Setup, journal: Iterable[Entry], recent: int) -> Replayed:
    """The end of a journal; `recent` is how many events are kept of what happened.

    Raises:
        Refusal: an action is no longer legal: the rules have changed.
        ValueError: an action can no longer be read, or an entry is missing.
    """
    found = Replayed(game.deal(setup), [0] * setup.seats, [], Recent(recent))
    for entry in journal:
        found.count(entry)
        if entry.kind in ("act", "timeout"):
            found.carry_out(entry.seat, game.action(entry.data), moved=entry.kind == "act")
    state = found.state
    state.events = None
    waiting = state.to_act()
    found.legal = [found.choice(seat) if seat in waiting else () for seat in range(setup.seats)]
    return found
