"""Servers that became available take turns, however many Discord announces at once."""

from __future__ import annotations

from bot.server_checks import PAUSE_SECONDS, ServerChecks
from tests.support.tables.tables import ManualClock


def test_servers_are_looked_at_one_after_the_other() -> None:
    clock, looked_at = ManualClock(), list[int]()
    checks = ServerChecks(clock, looked_at.append)
    for guild_id in range(100):
        checks.add(guild_id)
    assert looked_at == [0]
    clock.move(3 * PAUSE_SECONDS)
    assert looked_at == [0, 1, 2, 3]
    clock.move(1000 * PAUSE_SECONDS)
    assert looked_at == list(range(100))


def test_a_server_is_looked_at_at_once_if_none_waits() -> None:
    clock, looked_at = ManualClock(), list[int]()
    checks = ServerChecks(clock, looked_at.append)
    checks.add(1)
    clock.move(2 * PAUSE_SECONDS)
    checks.add(2)
    assert looked_at == [1, 2]


def test_a_defect_at_one_server_holds_up_no_other() -> None:
    clock, looked_at = ManualClock(), list[int]()

    def look(guild_id: int) -> None:
        looked_at.append(guild_id)
        if guild_id == 2:
            raise RuntimeError

    checks = ServerChecks(clock, look)
    for guild_id in (1, 2, 3):
        checks.add(guild_id)
    for _ in range(3):
        try:
            clock.move(PAUSE_SECONDS)
        except RuntimeError:
            continue
    assert looked_at == [1, 2, 3]
