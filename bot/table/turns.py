"""Deadlines of turns: the turn clock that a table agreed on, passes requested in advance, and who was
present."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from msgspec.structs import replace

from bot.store.games import Deadline, Entry, Sitter, StoredGame
from bot.store.terms import Terms
from engine.game import AnyState, Seat

PASS = "pass"  # noqa: S105 - a verb, no password
"""The verb of the action that an automatic pass makes, in every game with such an action."""


NUDGE_SECONDS = 120
"""Seconds until people are notified that it is their turn, if turns are long enough for that."""
LIVELY_SECONDS = 600
"""Turn clock in seconds below which people are at the table anyway."""
RELAXED_SECONDS = 43_200
"""Turn clock in seconds from which people play when they have time: a holiday stops the clock, and others
need not wait for all of it."""
SPOKEN = ("remind", "nudge", "warn", "note")
"""Kinds of deadlines that only send a message: half of the time is gone (to the person alone), it is your
turn, a quarter is left (to everyone), and the same for a person who has already been pinged in this turn."""
PART_LEFT = {"remind": 2, "warn": 4, "note": 4}
"""Divisor of the turn clock that gives the time left at these deadlines."""
POST_GAME = "deeds"
"""Kind of the deadline of a finished game whose statistics are not stored yet."""
OWED = ("opponent", "settle", POST_GAME)
"""Kinds of deadlines that only record that the bot is at work."""
OVERDUE_SECONDS = 10
"""Seconds after which the bot looks again for work that it does at once, since a stop may have interrupted
it."""
IDLE_MS = 7 * 86_400_000
"""Milliseconds without a press after which a table falls asleep. A press wakes it."""
MISSED = 2
"""Number of time-outs in a row after which an opponent holds the seat until its owner presses again."""


def presence(
    stored: StoredGame,
    sitting: Sequence[int | None],
    seat: Seat,
    now: int,
    *,
    timed_out: bool,
    present: bool,
) -> dict[str, Any]:
    """Return the columns of a table that change because the player of a seat was present, or was not.

    `sitting` are the people by seat, `now` is in milliseconds.
    """
    if sitting[seat] is None:
        return {}
    missed = stored.terms.missed
    if timed_out:
        missed = {**missed, seat: min(MISSED, missed.get(seat, 0) + 1)}
    elif present:
        missed = {s: n for s, n in missed.items() if s != seat}
    columns: dict[str, object] = {}
    if missed != stored.terms.missed:
        columns["terms"] = replace(stored.terms, missed=missed)
    people = [s for s, user_id in enumerate(sitting) if user_id is not None]
    if timed_out and not stored.terms.tournament and all(missed.get(s, 0) >= MISSED for s in people):
        # no one is there, and opponents alone must not play the game to its end
        columns["asleep_at"] = now
    elif present and stored.asleep_at:
        columns |= {"asleep_at": 0, "why": ""}
    return columns


def missed_most(acts: Sequence[Entry]) -> dict[Seat, int]:
    """Return `Terms.missed` for the seats for which an opponent made most of the moves of these acts.

    They count as away even if their person looked in before the end: someone who lets an opponent play cannot
    win a rated game.
    """
    moves = Counter(entry.seat for entry in acts)
    missed = Counter(entry.seat for entry in acts if entry.kind == "timeout")
    return {seat: MISSED for seat, count in missed.items() if 2 * count > moves[seat]}


def last_to_press(acts: Sequence[Entry], sitters: Sequence[Sitter]) -> Seat:
    """Return the seat of the person who pressed last, and so saw the last of these acts.

    -1 if that was too long before.
    """
    for entry in reversed(acts):
        if acts[-1].at - entry.at > 1000 * NUDGE_SECONDS:
            break
        if entry.kind == "act" and sitters[entry.seat].user_id is not None:
            return entry.seat
    return -1


def at_leisure(terms: Terms) -> bool:
    """Return whether people play when they have time: with no turn clock, or a relaxed one."""
    return not 0 < terms.clock < RELAXED_SECONDS


def stops_for_holidays(terms: Terms) -> bool:
    """Return whether the holiday of a person stops their clock."""
    return at_leisure(terms) and not terms.no_holidays


def autopass_seconds(terms: Terms, user_id: int | None) -> int:
    """Return the seconds after which a person passes automatically at this table, or 0 for never."""
    return terms.autopass.get(user_id, 0) if user_id is not None else 0


def clock_deadlines(game_id: int, seat: Seat, end: int, clock: int, *, pinged: bool) -> list[Deadline]:
    """Return the end of a turn clock of this many seconds, and the reminders before it.

    `pinged`: the person is, or has been, notified of their turn in another way.
    """
    kinds = ("note",) if pinged else ("remind", "warn")
    reminders = [Deadline(game_id, kind, seat, end - clock * 1000 // PART_LEFT[kind]) for kind in kinds]
    return [Deadline(game_id, "turn", seat, end), *reminders]


def was_called(deadlines: Collection[Deadline], seat: Seat) -> bool:
    """Return whether a seat that has a clock has been pinged since the clock started.

    The deadline of a ping is deleted when it is sent.
    """
    pending = {deadline.kind for deadline in deadlines if deadline.seat == seat}
    return "turn" in pending and pending.isdisjoint(("nudge", "warn"))


def turn_deadlines(
    game_id: int,
    sitters: Sequence[Sitter],
    terms: Terms,
    state: AnyState,
    kept: Collection[Deadline],
    *,
    now: int,
    by: int | None = None,
    called: Seat | None = None,
) -> tuple[Deadline, ...]:
    """Return the deadlines of a position in table time, the next one first. No one is pinged twice in a turn.

    Seats with deadlines in `kept` keep those. For an opponent, for the seat of a person who is away, and for
    the end of the game, a deadline records that the bot must act.

    An automatic pass comes after the seconds that the person chose, as long as passing is allowed at all. It
    does not depend on the hand, so its delay reveals nothing. `by` is the person who has just acted and needs
    no nudge. Nor does someone who plays against the computer alone, because no one waits for them. The seat
    `called` continues a turn in which it has been pinged.
    """
    clock = terms.clock
    deadlines = list(kept)
    undisturbed = {deadline.seat for deadline in kept}
    overdue = now + OVERDUE_SECONDS * 1000
    in_company = len({sitter.user_id for sitter in sitters} - {None}) > 1
    if state.outcome() is not None:
        return (Deadline(game_id, "settle", -1, overdue),)
    for seat in state.to_act():
        user_id = sitters[seat].user_id
        if seat in undisturbed:
            continue
        if user_id is None or terms.missed.get(seat, 0) >= MISSED:
            deadlines.append(Deadline(game_id, "opponent", seat, overdue))
            continue
        pinged = in_company and user_id != by and not 0 < clock < LIVELY_SECONDS
        if pinged:
            deadlines.append(Deadline(game_id, "nudge", seat, now + NUDGE_SECONDS * 1000))
        if clock:
            end = now + clock * 1000
            deadlines += clock_deadlines(game_id, seat, end, clock, pinged=pinged or seat == called)
        seconds = autopass_seconds(terms, user_id)
        if seconds and any(action[0] == PASS for action in state.legal_actions(seat)):
            deadlines.append(Deadline(game_id, PASS, seat, now + seconds * 1000))
    return tuple(sorted(deadlines, key=lambda deadline: (deadline.due_at, deadline.seat, deadline.kind)))
