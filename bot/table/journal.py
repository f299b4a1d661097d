"""Replay of a journal: the position it leads to, with everything that play derives from it."""

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
"""All actions among which a seat may choose."""


LEFT_OUT = 1
"""Number of entries that an undo skips before its own. A release that does not know undo finds an entry
missing, so it lets the table rest instead of continuing from the position that was taken back."""


def rules_of(stored: StoredGame) -> AnyGame:
    """Return the rules of a stored game: those that it began with.

    Raises:
        UnknownRules: these rules are no longer played here.
        UnknownGame: there is no such game any more.
    """
    game = catalog.get(stored.game)
    # a lobby has not been dealt yet, so it gets today's rules
    return game if stored.phase == "lobby" else game.at(stored.version)


def standing(journal: Sequence[Entry]) -> list[Entry]:
    """Return the acts of a journal that count, in order, without those that were taken back.

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
    """Return the number of the first entry that an undo takes back.

    Raises:
        BadJournal: it names none before it.
    """
    match undo.data:
        case [int(first)] if 0 < first < undo.seq:
            return first
    raise BadJournal(f"entry {undo.seq} takes back {undo.data!r}")


class BadJournal(ValueError):
    """A journal with missing entries: its numbers are not 1, 2, 3… (except before an undo)."""


@dataclass(slots=True)
class Replayed:
    """The state of a game after its last action. The names are those of `Table`."""

    state: AnyState
    decisions: list[int]
    legal: list[Choice]
    recent: Recent
    seq: int = 0
    acts: int = 0
    _known: dict[Seat, Choice] = field(default_factory=dict)
    """Choices that were already looked up in the current position."""
    _acting: tuple[Seat, ...] = field(init=False)
    """Seats that must act in the current position."""

    def __post_init__(self) -> None:
        self._acting = self.state.to_act()

    def count(self, entry: Entry) -> None:
        """Check and count the number of the next entry.

        Raises:
            BadJournal: it is not the next one.
        """
        if entry.seq != self.seq + 1 + (LEFT_OUT if entry.kind == UNDO else 0):
            raise BadJournal(f"entry {entry.seq} follows entry {self.seq}")
        self.seq = entry.seq
        if entry.kind == "seat":
            # a new player holds the seat, and the leaver's open screen must not act for it
            self.decisions[entry.seat] = entry.seq
        elif entry.kind == UNDO:
            # open screens may show a position that no longer exists
            self.decisions[:] = [entry.seq] * len(self.decisions)

    def choice(self, seat: Seat) -> Choice:
        """Return the actions of a seat that must act now."""
        return self._known.get(seat) or tuple(self.state.legal_actions(seat))

    def carry_out(self, actor: Seat, action: object, *, moved: bool = True, heard: bool = True) -> None:
        """Carry out an action, and count a new decision for each seat whose choice changes.

        `moved`: the player of the seat chose it. `heard`: its events may be asked for.

        A seat that starts or stops deciding has another choice in any case. So only the seats that decide at
        the same time as `actor` are asked for their actions. Most games have no such seats, and looking
        actions up takes a third of a replay.
        """
        self.acts += 1
        state, decisions, before = self.state, self.decisions, self._acting
        others = {s: self.choice(s) for s in before if s != actor} if len(before) > 1 else {}
        state.events = [] if heard else None
        state.apply(actor, action)
        events = with_late_event(state.events, actor, moved=moved) if state.events is not None else ()
        self.recent.add(events, actor if moved else None)
        after = self._acting = state.to_act()
        self._known = {s: tuple(state.legal_actions(s)) for s in others if s in after} if others else {}
        decisions[actor] = self.seq
        if after == before and not others:
            return
        for seat in before:
            if seat not in after or (seat in others and self._known[seat] != others[seat]):
                decisions[seat] = self.seq
        for seat in after:
            if seat not in before:
                decisions[seat] = self.seq


def replayed(
    game: AnyGame, setup: Setup, journal: Iterable[Entry], recent: int, snapshot: Snapshot | None = None
) -> Replayed:
    """Return the state at the end of a journal, with the last `recent` events.

    With a snapshot, the journal contains only the entries after it.

    Raises:
        Refusal: an action is no longer legal: the rules have changed.
        ValueError: an action can no longer be read, or an entry is missing.
        Unusable: the snapshot cannot be read, or too few events came after it.
    """
    entries = list(journal)
    undone = {entry.seq for entry in entries if entry.kind in ACTS} - {e.seq for e in standing(entries)}
    # events cost a tenth of a replay, and nearly every act has one, so only the last few are recorded
    unheard = max(0, len(entries) - recent)
    replay = _carried_out(_begun(game, setup, recent, snapshot), game, entries, undone, unheard)
    if unheard and len(replay.recent) < recent:
        replay = _carried_out(_begun(game, setup, recent, snapshot), game, entries, undone, 0)
    if snapshot is not None and len(replay.recent) < recent:
        raise Unusable(f"{len(replay.recent)} events came after entry {snapshot.seq}")
    return replay


def _begun(game: AnyGame, setup: Setup, recent: int, snapshot: Snapshot | None) -> Replayed:
    """Return the state after the deal, or that of the snapshot."""
    state = game.deal(setup)
    if snapshot is None:
        return Replayed(state, [0] * setup.seats, [], Recent(recent))
    try:
        state = unpack(type(state), snapshot.position)
    except BadPosition as error:
        raise Unusable("its position cannot be read") from error
    return Replayed(state, list(snapshot.decisions), [], Recent(recent), snapshot.seq, snapshot.acts)


def _carried_out(
    replay: Replayed, game: AnyGame, entries: Sequence[Entry], undone: Collection[int], unheard: int
) -> Replayed:
    """Carry out these entries except the undone ones, without the events of the first `unheard`."""
    for number, entry in enumerate(entries):
        replay.count(entry)
        heard, moved = number >= unheard, entry.kind == "act"
        if entry.kind == UNDO and heard:
            replay.recent.add([Event(UNDONE, entry.seat)], None)
        if entry.kind in ACTS and entry.seq not in undone:
            replay.carry_out(entry.seat, game.action(entry.data), moved=moved, heard=heard)
    state = replay.state
    state.events = None
    waiting = state.to_act()
    replay.legal = [replay.choice(seat) if seat in waiting else () for seat in range(len(replay.decisions))]
    return replay
