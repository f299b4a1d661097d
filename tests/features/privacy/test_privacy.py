"""/privacy through the real bot: what is kept is shown, taken along, and deleted from every table."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection, event, select

from bot.features.privacy import handlers as privacy
from bot.features.table.hand.open_hands import OpenHands
from bot.features.table.names import word_look
from bot.features.table.status import LastAsked
from bot.features.tournaments.service import Tournaments
from bot.locales import words
from bot.store import ratings
from bot.store.database import StoreError
from bot.store.models import Base, GameRow, table_of
from bot.store.personal_data import forgetting
from bot.store.personal_data.privacy import FORMER, is_nobody
from bot.store.terms import as_json
from bot.table.registry import Tables
from engine import record
from tests.support.discord.forging import forge
from tests.support.discord.people import prefer
from tests.support.discord.room_play import finished, live
from tests.support.discord.room_tournaments import quiet
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import at_hand, first_act
from tests.support.waiting import until

say = words("en")


async def opened(room: Any, who: Any) -> Any:
    return (await who.slash(room.channel, "privacy")).response


async def taken(room: Any, who: Any) -> zipfile.ZipFile:
    """What the file of an export holds."""
    shown = await who.click(await opened(room, who), custom_id="v:privacy-export")
    assert shown.ephemeral
    (file,) = shown.response.attachments
    return zipfile.ZipFile(io.BytesIO(await file.read()))


async def delete(room: Any, who: Any) -> Any:
    asked = await who.click(await opened(room, who), custom_id="v:privacy-delete")
    assert say("privacy.ask", open=1)[:30] in said(asked.response)
    return (await who.click(asked.response, custom_id="v:privacy-yes")).response


async def dump(room: Any) -> list[tuple[str, str, object]]:
    """Every cell of every table."""

    def read(connection: Connection) -> list[tuple[str, str, object]]:
        return [
            (table.name, column, value)
            for table in Base.metadata.sorted_tables
            for row in connection.execute(select(table)).mappings()
            for column, value in row.items()
        ]

    found: list[tuple[str, str, object]] = await room.bot.app.database.read_at_once(read)
    return found


async def traces(room: Any, person: Any) -> set[tuple[str, str]]:
    known = re.compile(rf"{person.id}|(?<!\w){person.user.name}(?!\w)")
    return {(table, column) for table, column, value in await dump(room) if known.search(str(value))}


async def test_who_never_played_is_told_so(room: Any) -> None:
    shown = (await room.cleo.user.slash("privacy")).response
    assert shown.ephemeral
    assert say("privacy.nothing") in said(shown)
    about = (await room.cleo.slash(room.channel, "about")).response
    again = await room.cleo.click(about, label=say("privacy.open"))
    assert say("privacy.nothing") in said(again.response)


async def test_an_export_has_the_records_of_what_is_over(room: Any) -> None:
    over, now = await finished(room), await live(room)
    file = await taken(room, room.ann)
    assert file.namelist() == ["me.json", f"records/valence-{over.id}.json"]
    record.verify(record.from_json(file.read(file.namelist()[1])))
    text = file.read("me.json").decode()
    about = json.loads(text)
    assert about["id"] == str(room.ann.id)
    assert {row["id"] for row in about["tables"]["games"]} == {over.id, now.id}
    assert {row["name"] for row in about["tables"]["seats"]} == {"ann"}
    for table in (over, now):
        assert table.stored.seed.hex() not in text
    assert str(room.ben.id) not in text
    assert about["tables"]["entries"] == []
    # not again and again
    shown = await room.ann.click(await opened(room, room.ann), custom_id="v:privacy-export")
    assert say("refused.export_again") in said(shown.response)


@pytest.mark.simcord(check_errors=False)
async def test_who_has_had_no_file_may_ask_again(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise StoreError("slow")

    await finished(room)
    with monkeypatch.context() as patch:
        patch.setattr(privacy, "export", fail)
        await room.ann.click(await opened(room, room.ann), custom_id="v:privacy-export")
    assert (await taken(room, room.ann)).namelist()[0] == "me.json"


@pytest.mark.simcord(check_errors=False)
async def test_nothing_is_left_of_who_deletes(room: Any) -> None:
    over, now = await finished(room), await live(room)
    await prefer(room, "ann", "v:set:large:yes")
    await room.ann.click(await opened(room, room.ann), custom_id="v:privacy-export")
    app = room.bot.app
    await forge(room.ann, room.channel.last_message, f"v:status:{now.id}")
    assert app.service(LastAsked).replace(room.ann.id, now.id, 5) is not None
    kept = record.to_json(await room.bot.tables.record(over))
    assert {table for table, _ in await traces(room, room.ann)} >= {"games", "seats", "players", "totals"}
    shown = await delete(room, room.ann)
    assert say("privacy.done") in said(shown)
    await until(lambda: now.stored.shown == now.stored.edition)
    assert await traces(room, room.ann) == set()
    # nor in memory
    assert room.ann.id not in app.preferences._people._known
    assert app.service(LastAsked).replace(room.ann.id, now.id, 5) is None
    assert not any(
        room.ann.id in key
        for memory in (app.service(OpenHands)._open, app.service(OpenHands)._made)
        for key in memory
    )
    assert not any(room.ann.id in key for key in app.debouncer._clicked)
    for table in (over, now):
        assert room.ann.id not in table.people()
        assert table.stored.host_id != room.ann.id
    # the game goes on without her, and Ben can still move
    assert now.phase == "live"
    assert now.people() == [room.ben.id]
    await until(lambda: any(seat in now.waiting() for seat in now.seats_of(room.ben.id)))
    await first_act(now, room.ben.id)
    # Ben's history has her place, and the proof of the deal holds
    assert [sitter.name for sitter in over.sitters] == [FORMER, "ben"]
    assert word_look(over, "en").name(0) == say("privacy.former") == FORMER
    again = await app.service(Tables).record(over)
    record.verify(again)
    assert again.seed in kept.decode()
    assert again.entropy == record.from_json(kept).entropy
    log = await forge(room.ben, room.channel.last_message, f"v:log:{over.id}")
    assert FORMER in said(log.response)
    stats = (await room.ben.slash(room.channel, "stats")).response
    assert "1" in str(stats.components)
    board = (await room.ben.slash(room.channel, "leaderboard", game="probe")).response
    assert "ben" in str(board.components)
    assert "ann" not in re.findall(r"\w+", str(board.components))
    # and she may begin anew
    assert say("privacy.nothing") in said(await opened(room, room.ann))
    await room.ann.slash(room.channel, "play", game="probe")
    assert await traces(room, room.ann)


async def test_a_lobby_has_the_seat_free_again_of_who_deletes(room: Any) -> None:
    lobby = (await room.ann.slash(room.channel, "play", game="probe")).response
    await room.ben.click(lobby.message, label="Join or leave")
    (table,) = at_hand(room.bot.tables).values()
    assert table.people() == [room.ann.id, room.ben.id]
    await delete(room, room.ann)
    assert (table.phase, table.people(), table.stored.host_id) == ("lobby", [room.ben.id], room.ben.id)
    assert await traces(room, room.ann) == set()
    await delete(room, room.ben)
    assert table.phase == "cancelled"


@pytest.mark.simcord(check_errors=False)
@pytest.mark.parametrize("blind", [False, True])
async def test_a_deletion_whose_answer_was_lost_is_followed(
    room: Any, monkeypatch: pytest.MonkeyPatch, blind: bool
) -> None:
    """It stands in the rows, so nobody at the table goes on with her name; `blind`: nor can it be asked."""
    over = await finished(room)
    database = room.bot.app.database
    write, deleted = database.write_at_once, False

    async def lost(work: Callable[[Any], Any], **how: Any) -> Any:
        nonlocal deleted, blind
        if deleted and blind:
            blind = False
            raise StoreError("gone", doubtful=True)
        found = await write(work, **how)
        if not deleted and (deleted := not await traces(room, room.ann)):
            raise StoreError("gone", doubtful=True)
        return found

    monkeypatch.setattr(database, "write_at_once", lost)
    assert say("privacy.done") not in said(await delete(room, room.ann))
    assert deleted
    await room.bot.tables.runtime._clear_doubts()
    assert [sitter.name for sitter in over.sitters] == [FORMER, "ben"]
    assert say("privacy.nothing") in said(await opened(room, room.ann))


async def test_who_organises_is_told_what_to_do_first(room: Any) -> None:
    await room.ann.slash(room.channel, "tournament create", name="Autumn cup", game="duel52")
    (tournament,) = room.bot.app.service(Tournaments).of_guild(room.guild.id)
    for person in (room.ann, room.ben):
        await person.click(room.channel.last_message, label="Take part")
        await room.env.settle()
    asked = await room.ann.click(await opened(room, room.ann), custom_id="v:privacy-delete")
    assert "Autumn cup" in said(asked.response)
    forced = await forge(room.ann, asked.response, "v:privacy-yes")
    assert "Autumn cup" in said(forced.response)
    assert len(tournament.entrants) == 2
    # whoever takes part only withdraws from what goes on
    await delete(room, room.ben)
    assert [entrant.name for entrant in tournament.entrants] == ["ann"]
    assert await traces(room, room.ben) == set()
    users = {value for _, column, value in await dump(room) if column == "user_id"}
    assert not any(is_nobody(user) for user in users if isinstance(user, int))


async def writes_of(room: Any, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The statements of each transaction of the writer from now on, once nothing is going on any more."""
    await quiet(room)
    database, found = room.bot.app.database, list[list[str]]()
    write = database.write_at_once

    async def heard(work: Callable[[Any], Any], **how: Any) -> Any:
        def listened(connection: Connection) -> Any:
            found.append([])

            def hear(_c: Any, _cursor: Any, statement: str, *_: Any) -> None:
                found[-1].append(statement)

            event.listen(connection, "before_cursor_execute", hear)
            try:
                return work(connection)
            finally:
                event.remove(connection, "before_cursor_execute", hear)

        return await write(listened, **how)

    monkeypatch.setattr(database, "write_at_once", heard)
    return found


async def test_a_deletion_is_many_small_writes_and_searches_in_none(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever plays meanwhile waits for one step at most; `tests/store/test_hot_queries.py` explains each."""
    for _ in range(3):
        await finished(room)
    monkeypatch.setattr(forgetting, "UNITS", 1)
    monkeypatch.setattr(forgetting, "ROWS", 2)
    found = await writes_of(room, monkeypatch)
    await room.ann.click(await opened(room, room.ann), custom_id="v:privacy-delete")
    await forge(room.ann, await opened(room, room.ann), "v:privacy-yes")
    assert await traces(room, room.ann) == set()
    steps = [each for each in found if any("PRAGMA secure_delete=1" in line for line in each)]
    assert len(steps) >= 6
    assert all(sum(line.startswith("UPDATE games") for line in each) <= 1 for each in steps)
    assert not any("LIKE" in line for each in found for line in each)


async def test_where_nothing_is_kept_nothing_is_written(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    await finished(room)
    found = await writes_of(room, monkeypatch)
    shown = await opened(room, room.cleo)
    assert say("privacy.done") in said((await forge(room.cleo, shown, "v:privacy-yes")).response)
    assert not [line for each in found for line in each if "games" in line]
    assert not any("secure_delete" in line for each in found for line in each)


async def test_who_was_invited_alone_is_taken_out_too(room: Any) -> None:
    table = await live(room)
    games = table_of(GameRow)
    invited = as_json(replace(table.stored.terms, guests=(room.cleo.id,)))
    await room.bot.app.database.write_at_once(
        lambda c: c.execute(games.update().where(games.c.id == table.id).values(terms=invited))
    )
    assert await traces(room, room.cleo)
    await forge(room.cleo, await opened(room, room.cleo), "v:privacy-yes")
    assert await traces(room, room.cleo) == set()


async def test_a_deletion_comes_once_in_ten_minutes(room: Any) -> None:
    await finished(room)
    shown = await opened(room, room.ann)
    assert say("privacy.done") in said((await forge(room.ann, shown, "v:privacy-yes")).response)
    again = await forge(room.ann, await opened(room, room.ann), "v:privacy-yes")
    assert say("refused.deleted_again") in said(again.response)
    bens = await forge(room.ben, await opened(room, room.ben), "v:privacy-yes")
    assert say("privacy.done") in said(bens.response), "nobody else waits"


@pytest.mark.simcord(check_errors=False)
async def test_a_deletion_that_was_cut_short_continues_under_the_same_number(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        await finished(room)
    monkeypatch.setattr(forgetting, "UNITS", 1)
    step, left = forgetting.Deletion.step, 2

    def breaks(deletion: forgetting.Deletion, connection: Connection) -> bool:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError("gone")
        return step(deletion, connection)

    shown = await opened(room, room.ann)
    with monkeypatch.context() as patch:
        patch.setattr(forgetting.Deletion, "step", breaks)
        told = await forge(room.ann, shown, "v:privacy-yes")
    assert say("privacy.done") not in said(told.response)
    assert await traces(room, room.ann)
    assert say("privacy.done") in said((await forge(room.ann, shown, "v:privacy-yes")).response)
    assert await traces(room, room.ann) == set()
    users = {value for _, column, value in await dump(room) if column == "user_id"}
    assert len([user for user in users if isinstance(user, int) and is_nobody(user)]) == 1
    assert await room.bot.app.database.read_at_once(ratings.differences) == 0


async def test_who_comes_back_reads_which_limits_are_kept(room: Any, drawn: str) -> None:
    shown = (await room.ann.slash(room.channel, "daily", game="atom_duel")).response
    await forge(room.ann, shown, "v:daily-go:atom_duel")
    await forge(room.ann, shown, "v:privacy-yes")
    told = said(await opened(room, room.ann))
    assert say("privacy.nothing") in told
    assert say("privacy.limits", n=1) in told
    about = json.loads((await taken(room, room.ann)).read("me.json"))
    (limit,) = about["tables"]["kept_limits"]
    assert (limit["kind"], limit["subject"]) == ("daily", f"{drawn}/atom_duel")
