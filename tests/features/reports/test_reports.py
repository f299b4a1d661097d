"""**Report this**: one press and one answer make a file without names, which the terminal opens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.locales import words
from bot.presenters.voice import unmarked
from bot.table.people import consent
from bot.table.registry import Tables
from engine import problem_report, record
from tests.cli.conftest import Valence, valence  # noqa: F401 - a fixture
from tests.support.discord.forging import forge
from tests.support.discord.room_play import finished, live
from tests.support.discord.sent_messages import said

say = words("en")


async def reported(room: Any, person: Any, shown: Any, text: str = "a better card") -> tuple[Any, bytes]:
    """Press **Report this**, say what was expected; the answer, and the file."""
    asked = await person.click(shown, label=say("report.open"))
    assert asked.modal is not None
    done = await person.submit_modal(asked, {"expected": text})
    assert done.ephemeral
    (file,) = done.response.attachments
    assert file.filename.startswith("valence-report-")
    return done.response, await file.read()


def nameless(room: Any, raw: bytes, *more: str) -> None:
    """Nobody of the room stands in it, nor any of these texts."""
    text = raw.decode()
    for who in (room.ann, room.ben):
        assert str(who.id) not in text
        assert f'"{who.user.name}"' not in text
        assert f"{who.user.name} " not in text
    assert not any(each in text for each in more)


async def test_a_finished_game_comes_whole_and_without_names(
    room: Any,
    valence: Valence,  # noqa: F811 - the fixture
    tmp_path: Path,
) -> None:
    table = await finished(room)
    log = (await forge(room.ann, room.channel.last_message, f"v:log:{table.id}")).response
    answer, raw = await reported(room, room.ann, log)
    assert say("report.done") in said(answer)
    found = problem_report.from_json(raw)
    assert (found.game, found.seat, found.move) == ("probe", 0, table.acts)
    assert found.expected == "a better card"
    assert found.record is not None
    assert record.verify(found.record).outcome() == table.outcome()
    nameless(room, raw, *map(str, table.entropy))
    file = tmp_path / "report.json"
    file.write_bytes(raw)
    told = valence("record", "replay", file)
    assert told.code == 0
    assert "expected: a better card" in told.out
    assert "    1  " in told.out
    assert valence("record", "verify", file).code == 0


async def test_a_game_that_goes_on_tells_what_one_seat_saw(
    room: Any,
    valence: Valence,  # noqa: F811 - the fixture
    tmp_path: Path,
) -> None:
    table = await live(room)
    why = (await forge(room.ben, room.channel.last_message, f"v:why:{table.id}")).response
    answer, raw = await reported(room, room.ben, why)
    assert say("report.done_live") in said(answer)
    found = problem_report.from_json(raw)
    assert found.record is None
    assert found.seat == 1
    assert found.lines
    nameless(room, raw, table.stored.seed.hex(), table.setup().key.hex(), *map(str, table.entropy))
    file = tmp_path / "report.json"
    file.write_bytes(raw)
    told = valence("record", "replay", file)
    assert told.code == 0
    assert "reported by seat 2" in told.out
    assert found.lines[-1].split("\n")[0][:20] in told.out
    assert "was not over" in valence("record", "verify", file).err


async def test_what_was_taken_back_and_what_was_late_is_told_too(room: Any) -> None:
    """No game has words for either of them."""
    table = await live(room)
    database = room.bot.tables.database
    await consent.undo(table, await consent.find_undo(table, room.ann.id, database), database)
    (seat,) = table.seats_of(room.ann.id)
    await table.act(seat, None, table.legal[seat][0], kind="timeout", present=False)
    log = (await forge(room.ann, room.channel.last_message, f"v:log:{table.id}")).response
    _, raw = await reported(room, room.ann, log)
    found, name = problem_report.from_json(raw), say("report.seat", seat="A")
    assert say("undo.line", name=name).replace("**", "") in found.lines
    assert unmarked(say("table.late", name=name)) in found.lines


@pytest.mark.simcord(check_errors=False)
async def test_an_error_may_be_reported_under_its_code(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await live(room)

    async def broken(*_: object) -> None:
        raise RuntimeError("nobody foresaw this")

    board = room.channel.last_message
    with monkeypatch.context() as patch:
        patch.setattr(Tables, "events", broken)
        shown = (await forge(room.ann, board, f"v:log:{table.id}")).response
    _, raw = await reported(room, room.ann, shown)
    found = problem_report.from_json(raw)
    assert len(found.error) == 6
    assert f"`{found.error}`" in said(shown)
