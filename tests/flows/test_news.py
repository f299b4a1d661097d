"""Players who wait in a slow game get news once, in the way and the language that they chose."""

from __future__ import annotations

from typing import Any

import pytest

from bot.locales import words
from bot.store.prefs import Prefs
from bot.table.turns import MISSED
from tests.support.discord.forging import forge
from tests.support.discord.lobbies import arrange
from tests.support.discord.people import called
from tests.support.discord.room_play import board_of, dealt, play_out, say, the_table
from tests.support.discord.sent_messages import said, written
from tests.support.tables.tables import settle

ZH = "zh-CN"


async def quiet(room: Any) -> None:
    for _ in range(3):
        await settle(room.bot.tables)
        await room.env.settle()


async def prefers(room: Any, person: Any, **prefs: Any) -> None:
    await room.bot.app.preferences.put(person.id, person.name, Prefs(**prefs), 0)


def letters(room: Any, person: Any) -> list[str]:
    return [text for user, text in written(room) if user == person.id]


async def test_the_end_mentions_the_one_who_did_not_move_last(room: Any) -> None:
    await dealt(room, rounds="1")
    table = await play_out(room)
    await quiet(room)
    told = room.channel.last_message
    assert say("news.over", game="probe", table=table.id) in told.content
    assert "1. ann: " in told.content
    assert len(called(room)) == 1


async def test_the_end_is_written_in_the_language_of_its_reader(room: Any) -> None:
    """Ben has chosen Chinese at a table that speaks English, and wants direct messages."""
    await prefers(room, room.ben, pings="direct", locale=ZH)
    await prefers(room, room.ann, pings="direct")
    await dealt(room, rounds="1")
    table = await play_out(room)
    await quiet(room)
    assert not called(room)
    texts = {room.ben.id: words(ZH), room.ann.id: words("en")}
    ((reader, text),) = written(room)
    assert texts[reader]("news.over", game="probe", table=table.id) in text
    assert "<@" not in text, "a direct message mentions no one"


async def test_who_wants_no_pings_gets_none(room: Any) -> None:
    for person in (room.ann, room.ben):
        await prefers(room, person, pings="none")
    await dealt(room, rounds="1")
    await play_out(room)
    await quiet(room)
    assert not called(room)
    assert not written(room)
    assert room.channel.last_message.id == board_of(room).id


async def test_who_silenced_a_table_hears_nothing_of_its_end(room: Any) -> None:
    board = await dealt(room, rounds="1")
    for person in (room.ann, room.ben):
        more = (await person.click(board, label=say("table.more"))).response
        await person.click(more, label=say("more.pings_off"))
    await play_out(room)
    await quiet(room)
    assert not called(room)


async def test_a_quick_game_tells_no_one(room: Any) -> None:
    lobby = (await room.ann.slash(room.channel, "play", game="probe")).response.message
    await room.ben.click(lobby, label="Join or leave")
    await arrange(room.ann, lobby, clock="300")
    await room.ann.click(lobby, label="Start")
    await play_out(room)
    await quiet(room)
    assert not called(room)


async def test_the_language_of_discord_counts_until_another_is_chosen(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben's Discord is in Chinese. The bot remembers that when he asks for direct messages."""
    emit = room.env.backend.emit

    def translated(event: str, payload: Any, *rest: Any, **more: Any) -> Any:
        by_ben = event == "INTERACTION_CREATE" and payload["member"]["user"]["id"] == str(room.ben.id)
        return emit(event, {**payload, "locale": ZH} if by_ben else payload, *rest, **more)

    monkeypatch.setattr(room.env.backend, "emit", translated)
    shown = await room.ben.slash(room.channel, "settings")
    await forge(room.ben, shown.response, "v:set-pings", ("direct",))
    await quiet(room)
    assert room.bot.app.preferences.known(room.ben.id).discord_locale == ZH
    await room.ann.slash(room.channel, "play", game="atom_duel")
    table = the_table(room)
    await room.ann.select(room.channel.last_message, [room.ben], custom_id=f"v:invite:{table.id}")
    await quiet(room)
    (letter,) = letters(room, room.ben)
    assert (
        words(ZH)("lobby.invitation", host="ann", game=words(ZH)("atom_duel.title"), table=table.id) in letter
    )
    await forge(room.ben, shown.response, "v:set-pings", ("mention",))
    await quiet(room)
    assert room.bot.app.preferences.known(room.ben.id).discord_locale == "", "it is not needed any more"


async def test_the_turn_that_the_computer_took_is_told(room: Any) -> None:
    await prefers(room, room.ben, pings="direct", locale=ZH)
    await dealt(room, rounds="3")
    table = the_table(room)
    seat = table.seats_of(room.ben.id)[0]
    for times, key in ((1, "news.missed"), (MISSED, "news.away")):
        while seat not in table.waiting():
            mover = table.waiting()[0]
            await table.act(mover, table.decisions[mover], table.legal[mover][0])
        await table.act(seat, table.decisions[seat], table.legal[seat][0], kind="timeout", present=False)
        await quiet(room)
        assert table.stored.terms.missed[seat] == times
        assert words(ZH)(key, table=table.id) in letters(room, room.ben)[-1]


async def test_who_is_turned_away_hears_so(room: Any) -> None:
    lobby = (await room.ann.slash(room.channel, "play", game="probe")).response.message
    await arrange(room.ann, lobby, place="here-invited")
    await room.ben.click(lobby, label=say("lobby.join_or_leave"))
    await quiet(room)
    await room.ann.click(room.channel.last_message, label=say("lobby.turn_away"))
    await quiet(room)
    told = say("lobby.turned_away_told", table=the_table(room).id)
    assert any(told in said(message) for message in room.channel.history())
    assert room.ben.id in called(room)


async def test_playing_again_calls_the_other(room: Any) -> None:
    await dealt(room, rounds="1")
    await play_out(room)
    await quiet(room)
    before = len(room.env.http_requests)
    await room.ann.click(board_of(room), label=say("table.again"))
    await quiet(room)
    assert called(room, before) == {room.ben.id}
    await room.ben.click(room.channel.last_message, label=say("lobby.come"))
    assert the_table(room).phase == "live"


@pytest.mark.parametrize("clock", ["0", "86400"])
async def test_a_question_to_a_slow_table_reaches_those_who_are_asked(room: Any, clock: str) -> None:
    """They are asked at once at the table, and told two minutes later if they have not answered."""
    lobby = (await room.ann.slash(room.channel, "play", game="probe")).response.message
    await room.ben.click(lobby, label="Join or leave")
    await arrange(room.ann, lobby, clock=clock)
    await room.ann.click(lobby, label="Start")
    table = the_table(room)
    await room.ann.slash(room.channel, "table pause")
    await quiet(room)
    news = next(each for each in table.deadlines if each.kind == "asked")
    assert not called(room)
    room.bot.tables.runtime.scheduler.trigger(news.kind, news)
    await quiet(room)
    assert called(room) == {room.ben.id}
    assert say("pause.asked", name="ann") in room.channel.last_message.content
