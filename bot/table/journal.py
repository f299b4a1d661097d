"""From a journal to the position it leads to, with all that play derives from it on the way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bot.store.games import ACTS, UNDO, Entry, StoredGame
from bot.store.snapshots import Snapshot, Unusable
from bot.table.recent import UNDONE, Recent, with_late_event
from engine import catalog
from engine.game import AnyGame, AnyState, Event, Seat, Setup
from engine.packed import BadPosition, unpack

Choice: TypeAlias = tuple[Any, ...]
"""All that a seat may decide."""


LEFT_OUT = 1
"""How many numbers an undo leaves out before its own: to a release that knows none, an entry is missing, so
it lets the table rest instead of playing on from what was taken back."""


def rules_of(stored: StoredGame) -> AnyGame:
    """The game by whose rules a stored one is played: those that it began with.

    Raises:
        UnknownRules: these rules are no longer played here.
        UnknownGame: there is no such game any more.
    """
    game = catalog.get(stored.game)
    # nothing is dealt in a lobby yet: it goes on under the rules of today
    return game if stored.phase == "lobby" else game.at(stored.version)


def standing(journal: Sequence[Entry]) -> list[Entry]:
    """The acts of a journal that count, in order: those that nobody has taken back.

    >>> acts = [Entry(n, "act", n % 2, ["play"], 0) for n in (1, 2, 3)]
    >>> [each.seq for each in standing([*acts, Entry(4, UNDO, 0, [2], 0)])]
    [1]
    """
    kept = list[Entry]()
    for entry in journal:
        if entry.kind in ACTS:
            kept.append(entry)
        elif entry.kind == UNDO:
            kept = [each for each in kept if each.seq < first_of(entry)]
    return kept


def first_of(undo: Entry) -> int:
    """The number of the first entry that an undo takes back.

    Raises:
        BadJournal: it names none before it.
    """
    match undo.data:
        case [int(first)] if 0 < first < undo.seq:
            return first
    raise BadJournal(f"entry {undo.seq} takes back {undo.data!r}")


class BadJournal(ValueError):
    """A journal whose numbers are not 1, 2, 3… (but for those before an undo): some of it is missing."""


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
    _acting: tuple[Seat, ...] = field(init=False)
    """Who is to act in it."""

    def __post_init__(self) -> None:
        self._acting = self.state.to_act()

    def count(self, entry: Entry) -> None:
        """Take the number of the next entry.

        Raises:
            BadJournal: it is not the next one.
        """
        if entry.seq != self.seq + 1 + (LEFT_OUT if entry.kind == UNDO else 0):
            raise BadJournal(f"entry {entry.seq} follows entry {self.seq}")
        self.seq = entry.seq
        if entry.kind == "seat":
            # a new hand: what the leaver still has open on the screen must not act for the seat
            self.decisions[entry.seat] = entry.seq
        elif entry.kind == UNDO:
            # what lies open anywhere may be of a position that is no more
            self.decisions[:] = [entry.seq] * len(self.decisions)

    def choice(self, seat: Seat) -> Choice:
        """All that a seat may decide that is to act now."""
        return self._known.get(seat) or tuple(self.state.legal_actions(seat))

    def carry_out(self, actor: Seat, action: object, *, moved: bool = True, heard: bool = True) -> None:
        """Carry out an action, and count a new decision for whom it changes one; `moved`: who holds the seat
        chose it; `heard`: its events may be asked for.

        A seat that begins or ceases to decide has another choice, whatever it is. So only those who decide
        at the same time as `actor` are asked what they may do: in most games nobody, and looking it up is
        a third of a replay.
        """
        self.acts += 1
        state, decisions, before = self.state, self.decisions, self._acting
        beside = {s: self.choice(s) for s in before if s != actor} if len(before) > 1 else {}
        state.events = [] if heard else None
        state.apply(actor, action)
        events = with_late_event(state.events, actor, moved=moved) if state.events is not None else ()
        self.recent.add(events, actor if moved else None)
        after = self._acting = state.to_act()
        self._known = {s: tuple(state.legal_actions(s)) for s in beside if s in after} if beside else {}
        decisions[actor] = self.seq
        if after == before and not beside:
            return
        for seat in before:
            if seat not in after or (seat in beside and self._known[seat] != beside[seat]):
                decisions[seat] = self.seq
        for seat in after:
            if seat not in before:
                decisions[seat] = self.seq


def replayed(
    game: AnyGame, setup: Setup, journal: Iterable[Entry], recent: int, snapshot: Snapshot | None = None
) -> Replayed:
    """The end of a journal; `recent` is how many events are kept of what happened. With a snapshot, the
    journal is what came after it.

    Raises:
        Refusal: an action is no longer legal: the rules have changed.
        ValueError: an action can no longer be read, or an entry is missing.
        Unusable: the snapshot cannot be read, or too few events came after it.
    """
    entries = list(journal)
    undone = {entry.seq for entry in entries if entry.kind in ACTS} - {e.seq for e in standing(entries)}
    # events cost a tenth of a replay, and nearly every act tells one: those before the last few are not kept
    unheard = max(0, len(entries) - recent)
    found = _carried_out(_begun(game, setup, recent, snapshot), game, entries, undone, unheard)
    if unheard and len(found.recent) < recent:
        found = _carried_out(_begun(game, setup, recent, snapshot), game, entries, undone, 0)
    if snapshot is not None and len(found.recent) < recent:
        raise Unusable(f"{len(found.recent)} events came after entry {snapshot.seq}")
    return found


def _begun(game: AnyGame, setup: Setup, recent: int, snapshot: Snapshot | None) -> Replayed:
    """The deal, or what a snapshot says."""
    state = game.deal(setup)
    if snapshot is None:
        return Replayed(state, [0] * setup.seats, [], Recent(recent))
    try:
        state = unpack(type(state), snapshot.position)
    except BadPosition as error:
        raise Unusable("its position cannot be read") from error
    return Replayed(state, list(snapshot.decisions), [], Recent(recent), snapshot.seq, snapshot.acts)


def _carried_out(
    found: Replayed, game: AnyGame, entries: Sequence[Entry], undone: Collection[int], unheard: int
) -> Replayed:
    """What these entries lead to, without those that are undone, and without the events of the first
    `unheard` of them."""
    for number, entry in enumerate(entries):
        found.count(entry)
        heard, moved = number >= unheard, entry.kind == "act"
        if entry.kind == UNDO and heard:
            found.recent.add([Event(UNDONE, entry.seat)], None)
        if entry.kind in ACTS and entry.seq not in undone:
            found.carry_out(entry.seat, game.action(entry.data), moved=moved, heard=heard)
    state = found.state
    state.events = None
    waiting = state.to_act()
    found.legal = [found.choice(seat) if seat in waiting else () for seat in range(len(found.decisions))]
    return found
