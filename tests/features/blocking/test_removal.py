"""A host removes someone from a lobby, who can't come back to it by any way."""

from __future__ import annotations

from typing import Any

import pytest

from bot.locales import words
from tests.support.discord.forging import forge
from tests.support.discord.keys import part
from tests.support.discord.lobbies import arrange
from tests.support.discord.people import called, newest
from tests.support.discord.room_play import shows
from tests.support.discord.sent_messages import said

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about
say = words("en")
NO_SEAT = say("refused.no_seat_now")


async def lobby_of(room: Any, *others: Any) -> tuple[Any, Any]:
    """A lobby of Ann's in which these people sit; its message and its table."""
    lobby = (await room.ann.slash(room.channel, "play", game="atom")).response
    for person in others:
        await person.click(lobby, label="Join or leave")
    return lobby, newest(room)


async def remove(room: Any, lobby: Any, table: Any, person: Any) -> Any:
    asked = await room.ann.click(lobby, custom_id=f"v:remove:{table.id}")
    if len(table.people()) > 2:
        asked = await room.ann.select(asked.response, [str(person.id)], custom_id=f"v:remove-who:{table.id}")
    return await room.ann.click(asked.response, label=say("remove.yes"))


async def test_the_host_is_asked_first_and_the_person_hears_of_it(room: Any) -> None:
    lobby, table = await lobby_of(room, room.ben)
    asked = await room.ann.click(lobby, label=say("remove.open"))
    assert asked.ephemeral
    assert "ben" in said(asked.response)
    kept = await room.ann.click(asked.response, label=say("remove.no"))
    assert say("remove.kept") in said(kept.response)
    assert table.people() == [room.ann.id, room.ben.id]
    before = len(room.env.http_requests)
    done = await remove(room, lobby, table, room.ben)
    await room.env.settle()
    assert part("remove.done").strip(" .") in said(done.response)
    assert table.people() == [room.ann.id]
    assert called(room, before) == {room.ben.id}
    assert say("remove.told", table=table.id) in said(room.channel.last_message)


async def test_of_several_people_one_is_chosen(room: Any) -> None:
    lobby, table = await lobby_of(room, room.ben, room.cleo)
    await remove(room, lobby, table, room.cleo)
    assert table.people() == [room.ann.id, room.ben.id]
    forged = await forge(room.ann, lobby, f"v:remove-who:{table.id}", (str(room.cleo.id),))
    assert say("refused.gone_already") in said(forged.followups[0])


@pytest.mark.parametrize("place", ["here", "here-invited", "private"])
async def test_a_removed_person_comes_back_by_no_button(room: Any, place: str) -> None:
    lobby, table = await lobby_of(room, room.ben)
    await remove(room, lobby, table, room.ben)
    await arrange(room.ann, lobby, place=place)
    for verb in ("join", "come"):
        room.bot.app.debouncer._clicked.clear()
        refused = await forge(room.ben, lobby, f"v:{verb}:{table.id}")
        expected = part("refused.private_table").strip(" .") if place == "private" else NO_SEAT
        told = said(refused.response)
        assert expected in told or part("refused.ask_later") in told, verb
    assert table.people() == [room.ann.id]
    assert table.stored.terms.knocks == ()
    invited = await room.ann.select(lobby, [room.ben], custom_id=f"v:invite:{table.id}")
    assert part("refused.barred_here").strip(" .") in said(invited.followups[0])
    assert table.stored.terms.guests == ()


async def test_they_sit_down_elsewhere_as_before(room: Any) -> None:
    lobby, table = await lobby_of(room, room.ben)
    await remove(room, lobby, table, room.ben)
    other, another = await lobby_of(room, room.ben)
    assert another.people() == [room.ann.id, room.ben.id]
    assert other.id != lobby.id


async def test_only_the_host_may_and_the_button_is_there_only_if_someone_sits_there(room: Any) -> None:
    lobby, table = await lobby_of(room)
    assert not shows(room.channel.last_message, say("remove.open"))
    await room.ben.click(lobby, label="Join or leave")
    assert shows(room.channel.last_message, say("remove.open"))
    for verb in ("remove", f"remove-yes:{table.id}:{room.ann.id}"):
        custom_id = f"v:{verb}" if ":" in verb else f"v:{verb}:{table.id}"
        refused = await forge(room.ben, lobby, custom_id)
        assert part("refused.host_only").strip(" ,.") in said(refused.response)
    assert table.people() == [room.ann.id, room.ben.id]
    refused = await forge(room.ann, lobby, f"v:remove-yes:{table.id}:{room.cleo.id}")
    assert say("refused.gone_already") in said(refused.response)


async def test_no_one_is_left_to_remove(room: Any) -> None:
    lobby, table = await lobby_of(room)
    refused = await forge(room.ann, lobby, f"v:remove:{table.id}")
    assert say("refused.gone_already") in said(refused.response)
