"""Two bots with one token and two databases: told once in the log, on /healthz and by `valence doctor`."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.ops import doctor, probes
from bot.ops.health_check import HealthAnswer
from bot.settings import Settings
from bot.store.backend import other_bot_note
from bot.store.database import Fenced, StoreError

HOUR_MS = 3_600_000


async def refuse(room: Any, times: int = 1) -> list[str]:
    """Have Discord refuse first answers. Return the errors in the log."""
    with capture_logs() as lines:
        for _ in range(times):
            room.bot._other_bot.refused += 1
            await room.bot._note_other_bot(room.bot.app)
    return [line["event"] for line in lines if line["log_level"] == "error"]


def same_time(monkeypatch: pytest.MonkeyPatch, room: Any) -> None:
    """Let the doctor read the clock of the bot."""
    now = room.bot.tables.clock.now
    monkeypatch.setattr(doctor, "time", SimpleNamespace(time=lambda: now() / 1000))


async def test_another_bot_is_told_of_once(
    room: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = probes.token(room.bot._other_bot)
    assert dict((await look()).facts) == {}
    assert await doctor._other_bot(settings.database_url) == []
    (line,) = await refuse(room, times=3)
    assert "Another bot answers with this token" in line
    same_time(monkeypatch, room)
    part = await look()
    assert (part.well, dict(part.facts)) == (True, {"why": probes.SHARED, "refused": 3})
    (found,) = await doctor._other_bot(settings.database_url)
    assert (found.part, found.health) == ("token", HealthAnswer.WRONG)
    assert "less than an hour ago" in found.words


async def test_a_refused_answer_is_heard_where_requests_leave(room: Any) -> None:
    spawned = list[str]()

    def spawn(work: Any, name: str) -> None:
        spawned.append(name)
        work.close()

    room.bot.tables.tasks.spawn = spawn
    room.bot._other_bot.on_refused()
    assert spawned == ["another bot with this token"]


async def test_an_overtaken_process_does_not_take_its_standby_for_another_bot(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that stood still for longer than its lease answers what the standby has answered."""

    async def fenced(_do: object, **_: object) -> None:
        raise Fenced

    monkeypatch.setattr(room.bot.app.database, "write_at_once", fenced)
    assert await refuse(room, times=2) == []
    assert dict((await probes.token(room.bot._other_bot)()).facts) == {}


async def test_it_is_told_while_the_database_is_away(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def gone(_do: object, **_: object) -> None:
        raise StoreError("gone")

    monkeypatch.setattr(room.bot.app.database, "write_at_once", gone)
    assert len(await refuse(room, times=2)) == 1


@pytest.mark.parametrize(("hours", "told"), [(5, "5 hours ago"), (25, "")])
async def test_the_doctor_tells_of_it_for_a_day(
    room: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch, hours: int, told: str
) -> None:
    same_time(monkeypatch, room)
    at = room.bot.tables.clock.now() - hours * HOUR_MS
    await room.bot.app.database.write_at_once(lambda c: other_bot_note.note(c, 7, at))
    found = await doctor._other_bot(settings.database_url)
    assert [told in one.words for one in found] == ([True] if told else [])
