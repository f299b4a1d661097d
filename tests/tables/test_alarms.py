"""Deadlines ring once, when they are due, however often they are replaced."""

from __future__ import annotations

from bot.store.games import Deadline
from bot.tables.alarms import SLACK, Alarms
from tests.support.hall import ManualClock


class Bell:
    def __init__(self) -> None:
        self.clock = ManualClock()
        self.rung: list[Deadline] = []
        self.alarms = Alarms(self.clock, self.rung.append)

    def deadline(self, seconds: float, kind: str = "turn", seat: int = 0, game: int = 1) -> Deadline:
        return Deadline(game, kind, seat, self.clock.now() + int(seconds * 1000))


def test_each_rings_when_it_is_due() -> None:
    bell = Bell()
    soon, late = bell.deadline(5, "remind"), bell.deadline(10)
    bell.alarms.replace(1, [late, soon])
    bell.clock.move(6)
    assert bell.rung == [soon]
    bell.clock.move(6)
    assert bell.rung == [soon, late]


def test_what_was_replaced_stays_silent() -> None:
    bell = Bell()
    bell.alarms.replace(1, [bell.deadline(5)])
    later = bell.deadline(20)
    bell.alarms.replace(1, [later])
    bell.clock.move(30)
    assert bell.rung == [later]
    bell.alarms.replace(2, [bell.deadline(5, game=2)])
    bell.alarms.replace(2, [])
    bell.clock.move(30)
    assert bell.rung == [later]


def test_nobody_is_reminded_twice_because_somebody_else_acted() -> None:
    """The reminder stands in the rows until its seat acts; another seat's act writes them all anew."""
    bell = Bell()
    remind, turn = bell.deadline(5, "remind"), bell.deadline(10)
    bell.alarms.replace(1, [remind, turn])
    bell.clock.move(6)
    bell.alarms.replace(1, [remind, turn, bell.deadline(99, seat=1)])
    bell.clock.move(1)
    assert bell.rung == [remind]


def test_a_thousand_replaced_deadlines_take_no_room() -> None:
    bell = Bell()
    for _ in range(1000):
        bell.alarms.replace(1, [bell.deadline(86_400)])
        bell.clock.move(1)
    assert len(bell.alarms._heap) <= SLACK + 2
    last = bell.deadline(86_400)
    bell.alarms.replace(1, [last])
    bell.clock.move(2 * 86_400)
    assert bell.rung == [last]


def test_nothing_rings_after_the_close() -> None:
    bell = Bell()
    bell.alarms.replace(1, [bell.deadline(5)])
    bell.alarms.close()
    bell.clock.move(10)
    assert not bell.rung
