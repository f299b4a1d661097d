"""Deadlines ring once, when they are due, however often they are replaced or found again."""

from __future__ import annotations

from collections.abc import Iterable

from bot.store.games import Deadline
from bot.table.timers import RING_AGAIN_SECONDS, Timers
from tests.support.tables.tables import ManualClock

AHEAD = 60


class Bell:
    def __init__(self) -> None:
        self.clock = ManualClock()
        self.rung: list[Deadline] = []
        self.timers = Timers(self.clock, self.clock.now, self.rung.append)
        self.look()

    def look(self, rows: Iterable[Deadline] = ()) -> None:
        """What stands in the rows for the next minute."""
        until = self.clock.now() + AHEAD * 1000
        self.timers.found([row for row in rows if row.due_at <= until], until)

    def deadline(self, seconds: float, kind: str = "turn", seat: int = 0, game: int = 1) -> Deadline:
        return Deadline(game, kind, seat, self.clock.now() + int(seconds * 1000))


def test_each_rings_when_it_is_due() -> None:
    bell = Bell()
    soon, late = bell.deadline(5, "remind"), bell.deadline(10)
    bell.timers.replace(1, [late, soon])
    bell.clock.move(6)
    assert bell.rung == [soon]
    bell.clock.move(6)
    assert bell.rung == [soon, late]


def test_a_row_of_a_table_that_nobody_has_touched_rings() -> None:
    bell = Bell()
    far = bell.deadline(100)
    bell.timers.replace(1, [far])  # further away than what is known: the rows will bring it
    bell.clock.move(50)
    bell.look([far])
    bell.clock.move(51)
    assert bell.rung == [far]


def test_what_was_replaced_stays_silent() -> None:
    bell = Bell()
    bell.timers.replace(1, [bell.deadline(5)])
    later = bell.deadline(20)
    bell.timers.replace(1, [later])
    bell.clock.move(30)
    assert bell.rung == [later]
    bell.timers.replace(2, [bell.deadline(5, game=2)])
    bell.timers.replace(2, [])
    bell.clock.move(30)
    assert bell.rung == [later]


def test_what_is_being_answered_does_not_ring_with_every_look() -> None:
    bell = Bell()
    turn = bell.deadline(5)
    bell.look([turn])
    bell.clock.move(6)
    for _ in range(3):
        bell.look([turn])
        bell.timers.replace(1, [turn, bell.deadline(40, seat=1)])
        bell.clock.move(1)
    assert bell.rung == [turn]


def test_what_could_not_be_answered_rings_again() -> None:
    bell = Bell()
    turn = bell.deadline(5)
    bell.look([turn])
    bell.clock.move(6)
    bell.clock.move(RING_AGAIN_SECONDS)
    bell.look([turn])
    bell.clock.move(0.1)
    assert bell.rung == [turn, turn]


def test_far_deadlines_take_no_room() -> None:
    bell = Bell()
    for game in range(1000):
        bell.timers.replace(game, [bell.deadline(86_400, game=game)])
    assert not bell.timers._heap


def test_nothing_rings_after_the_close() -> None:
    bell = Bell()
    bell.timers.replace(1, [bell.deadline(5)])
    bell.timers.close()
    bell.clock.move(10)
    assert not bell.rung
