"""What stands under a table: its log, leaving it, its record, parts of it drawn larger, its rules."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.locales import words
from bot.presenters import extras
from engine import catalog, record
from tests.support.discord.forging import forge
from tests.support.discord.room_play import board_of, dealt, play_out, the_table
from tests.support.discord.sent_messages import custom_ids, said
from tools.bench.molecular import grown, position

say = words("en")


async def test_a_log_is_turned_page_by_page(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.table.board_handlers.LOG_LINES", 4)
    board = await dealt(room, rounds="3")
    table = await play_out(room)
    page = (await room.ann.click(board_of(room), label=say("table.log"))).response
    newest = said(page)
    assert len(newest.splitlines()) == 4 + 2  # with heading and foot
    pages = int(newest.rsplit(maxsplit=1)[-1])
    seen = [newest]
    for number in range(2, pages + 1):
        page = (await room.ann.click(page, label=say("log.older"))).response
        assert f"Page {number} of {pages}" in said(page)
        seen.append(said(page))
    assert len(set(seen)) == pages > 2
    page = (await room.ann.click(page, label=say("log.newer"))).response
    assert said(page) == seen[-2]
    # a page that no button leads to is the last one
    page = (await forge(room.ann, board, f"v:log:{table.id}:99")).response
    assert said(page) == seen[-1]


async def test_who_does_not_sit_here_cannot_leave(room: Any) -> None:
    board = await dealt(room)
    answer = await forge(room.cleo, board, f"v:leave:{the_table(room).id}")
    assert said(answer.response).endswith(say("refused.not_seated"))
    assert the_table(room).people() == [room.ann.id, room.ben.id]


async def test_a_game_that_is_over_cannot_be_left(room: Any) -> None:
    board = await dealt(room, rounds="1")
    table = await play_out(room)
    answer = await forge(room.ann, board, f"v:leave:{table.id}")
    assert said(answer.response).endswith(say("refused.over"))


async def test_who_stays_after_all_stays(room: Any) -> None:
    board = await dealt(room)
    table = the_table(room)
    more = (await room.ann.click(board, label=say("table.more"))).response
    asked = (await room.ann.click(more, label=say("table.leave"))).response
    assert say("leave.ask", table=table.id) in said(asked)
    stayed = (await room.ann.click(asked, label=say("hand.back_to"))).response
    assert "v:leave-yes" not in str(stayed.components)
    asked = (await room.ann.slash(room.channel, "table leave")).response
    stayed = (await room.ann.click(asked, label=say("leave.no"))).response
    assert said(stayed) == say("leave.stayed")
    assert table.people() == [room.ann.id, room.ben.id]


async def test_the_last_person_is_asked_before_the_table_closes(room: Any) -> None:
    board = await dealt(room)
    table = the_table(room)
    more = (await room.ann.click(board, label=say("table.more"))).response
    asked = (await room.ann.click(more, label=say("table.leave"))).response
    left = (await room.ann.click(asked, label=say("leave.yes"))).response
    assert said(left).startswith(say("leave.left", table=table.id, name="").split(".")[0])
    assert table.people() == [room.ben.id]
    more = (await room.ben.click(board, label=say("table.more"))).response
    asked = (await room.ben.click(more, label=say("table.leave"))).response
    assert say("leave.ask_last", table=table.id) in said(asked)
    closed = await room.ben.click(asked, label=say("leave.yes"))
    assert say("leave.closed", table=table.id) in said(closed.response)
    assert table.phase == "cancelled"


async def test_the_record_under_a_table_verifies(room: Any) -> None:
    await dealt(room, rounds="1")
    table = await play_out(room)
    answer = (await room.ann.click(board_of(room), label=say("table.record"))).response
    assert table.commitment.seed.hex() in said(answer)
    (file,) = answer.attachments
    state = record.verify(record.from_json(await file.read()))
    assert state.fingerprint() == table.state.fingerprint()


async def test_who_wants_nothing_to_move_sees_the_last_picture(room: Any) -> None:
    await dealt(room, "chemistry_battle")
    await play_out(room)
    shown = (await room.ann.slash(room.channel, "settings")).response
    await room.ann.click(shown, custom_id="v:set:still:yes")
    kept = (await room.ann.click(room.channel.history()[0], label="Watch the piles")).response
    assert [file.filename for file in kept.attachments] == ["picture.png"]


@pytest.mark.parametrize(
    ("verb", "refused"),
    [
        ("record", "record_early"),
        ("keepsake", "record_early"),
        ("end", "end_early"),
        ("end-post", "end_early"),
        ("closer", "whole_table"),
    ],
)
async def test_what_there_is_nothing_of_yet_is_said(room: Any, verb: str, refused: str) -> None:
    board = await dealt(room)
    answer = await forge(room.ann, board, f"v:{verb}:{the_table(room).id}")
    assert said(answer.response).endswith(say(f"refused.{refused}"))
    assert answer.response.attachments == []


async def test_a_drawing_that_needs_more_says_how_to_get_it(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await dealt(room, "molecular")
    table = the_table(room)
    ended = catalog.get("molecular").deal(table.setup())
    rng = random.Random(5)
    while waiting := ended.to_act():
        ended.apply(waiting[0], rng.choice(ended.legal_actions(waiting[0])))
    monkeypatch.setattr(table, "state", ended)
    monkeypatch.setattr(extras.Extra, "there", False)
    answer = (await forge(room.ann, board, f"v:keepsake:{table.id}")).response
    assert "pip install '.[molecules]'" in said(answer)


@pytest.mark.parametrize("verb", ["why", "closer"])
async def test_a_lobby_has_nothing_to_explain(room: Any, verb: str) -> None:
    lobby = (await room.ann.slash(room.channel, "play", game="probe")).response
    answer = await forge(room.ann, lobby, f"v:{verb}:{the_table(room).id}")
    assert said(answer.response).endswith(say("refused.not_started"))


async def test_parts_of_a_large_molecule_are_turned_over(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    board = await dealt(room, "molecular")
    table = the_table(room)
    monkeypatch.setattr(table, "state", position(grown(120, random.Random("close/7"))))
    opened = (await forge(room.cleo, board, f"v:closer:{table.id}")).response
    first = said(opened)
    assert f"v:closer-part:{table.id}" in set(custom_ids(opened.components))
    turned = (await forge(room.cleo, opened, f"v:closer-part:{table.id}", ("1",))).response
    assert said(turned) != first
    # what is no number is the first part
    again = (await forge(room.cleo, turned, f"v:closer-part:{table.id}", ("x",))).response
    assert said(again) == first
