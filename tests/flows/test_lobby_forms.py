"""The forms of a lobby, its invitations, and playing again."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from bot.store.servers import Server
from bot.ui.components import shown_ids
from tests.support.discord.forging import answer_of, forge, forge_modal
from tests.support.discord.keys import part
from tests.support.discord.lobbies import arrange, choose, fill_in
from tests.support.discord.room_play import board_of, the_table
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.tables.tables import at_hand, settle

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about


async def opened(room: Any, game: str = "duel52") -> tuple[Any, Any]:
    """A lobby of Ann, and its table."""
    await room.ann.slash(room.channel, "play", game=game)
    return room.channel.last_message, the_table(room)


def tables(room: Any) -> list[Any]:
    return sorted(at_hand(room.bot.tables).values(), key=lambda table: table.id)


async def test_all_options_are_set_at_once(room: Any) -> None:
    lobby, table = await opened(room)
    await choose(room.ann, lobby, variant="teams", vampiric="yes")
    assert table.stored.options == {"variant": "teams", "vampiric": True}
    assert "teams" in str(room.channel.last_message.components).casefold()


async def test_what_does_not_fit_is_told_and_the_form_comes_back_filled_in(room: Any) -> None:
    lobby, table = await opened(room)
    await choose(room.ann, lobby, variant="teams")
    await room.ben.click(lobby, label="Join or leave")
    await arrange(room.ann, lobby, opponents="1", level="newcomer")
    before = dict(table.stored.options)
    assert len(table.sitters) == 3
    refused = await choose(room.ann, lobby, variant="quick", vampiric="yes")
    assert refused.ephemeral
    assert dict(table.stored.options) == before
    assert "exactly 2 can play, and 3 sit here" in said(refused.response)
    shown = await room.ann.click(refused.response, label="Back to the form")
    fields = [label["component"] for label in shown.modal["components"]]
    chosen = {
        field["custom_id"]: [each["value"] for each in field["options"] if each.get("default")]
        for field in fields
    }
    assert chosen == {"house": ["own"], "variant": ["quick"], "vampiric": ["yes"]}
    done = await room.ann.submit_modal(shown, {**chosen, "variant": ["teams"]})
    assert "Done" in said(done.response)
    assert table.stored.options == {"variant": "teams", "vampiric": True}


async def test_the_start_says_whether_opponents_sit_already(room: Any) -> None:
    lobby, _ = await opened(room)
    await choose(room.ann, lobby, variant="teams")
    assert "Start with 3 opponents" in str(room.channel.last_message.components)
    await arrange(room.ann, lobby, opponents="2", level="newcomer")
    assert "Start with 1 more" in str(room.channel.last_message.components)


async def test_only_the_host_opens_the_forms(room: Any) -> None:
    lobby, table = await opened(room)
    await room.ben.click(lobby, label="Join or leave")
    for label in ("Options…", "Opponents and clock…"):
        refused = await room.ben.click(lobby, label=label)
        assert refused.modal is None
        assert part("refused.host_only") in said(refused.response)
    assert table.phase == "lobby"


async def test_a_form_whose_values_changed_has_another_id(room: Any) -> None:
    """Phones show the values that a form had when they first saw its id."""
    lobby, _ = await opened(room)
    for label, change in (("Opponents and clock…", arrange), ("Options…", choose)):
        first = (await room.ann.click(lobby, label=label)).modal["custom_id"]
        same = (await room.ann.click(lobby, label=label)).modal["custom_id"]
        assert same == first
        changed = {"clock": "60"} if change is arrange else {"vampiric": "yes"}
        await change(room.ann, lobby, **changed)
        assert (await room.ann.click(lobby, label=label)).modal["custom_id"] != first


async def test_a_form_without_a_digest_in_its_id_is_still_taken(room: Any) -> None:
    lobby, table = await opened(room, "molecular")
    shown = await room.ann.click(lobby, label="Opponents and clock…")
    shown._interaction.modal["custom_id"] = f"v:arrange:{table.id}"
    values = {"opponents": ["1"], "level": ["newcomer"], "clock": ["60"], "place": ["here"], "hints": ["yes"]}
    await room.ann.submit_modal(shown, values)
    assert table.stored.terms.clock == 60


async def test_opponents_are_counted_not_added(room: Any) -> None:
    lobby, table = await opened(room, "molecular")
    await arrange(room.ann, lobby, opponents="3", level="newcomer")
    names = [sitter.name for sitter in table.sitters]
    await arrange(room.ann, lobby, opponents="2")
    assert [sitter.name for sitter in table.sitters] == names[:3]
    await arrange(room.ann, lobby, opponents="2", level="steady", clock="120")
    assert [sitter.level for sitter in table.sitters] == [None, "steady", "steady"]
    assert table.stored.terms.clock == 120
    await arrange(room.ann, lobby, opponents="0")
    assert [sitter.name for sitter in table.sitters] == names[:1]


async def test_opponents_of_several_levels_stay_as_they_sit(room: Any) -> None:
    lobby, table = await opened(room, "molecular")
    for level in ("newcomer", "steady"):
        await forge(room.ann, lobby, f"v:add-opponent:{table.id}", (level,))
    await arrange(room.ann, lobby, clock="300")
    assert [sitter.level for sitter in table.sitters] == [None, "newcomer", "steady"]
    assert table.stored.terms.clock == 300


async def test_more_opponents_than_there_are_seats_by_now(room: Any) -> None:
    lobby, table = await opened(room, "atom_duel")
    shown = await room.ann.click(lobby, label="Opponents and clock…")
    await room.ben.click(lobby, label="Join or leave")
    refused = await room.ann.submit_modal(
        shown,
        {"opponents": ["4"], "level": ["newcomer"], "clock": ["0"], "place": ["here"], "hints": ["yes"]},
    )
    assert "full" in said(refused.response)
    assert len(table.sitters) == 2
    again = await room.ann.click(refused.response, label="Back to the form")
    assert again.modal is not None


async def test_start_fills_the_seats_that_it_takes(room: Any) -> None:
    lobby, table = await opened(room, "atom")
    await room.ann.click(lobby, label="Start with 3 opponents")
    assert table.phase == "live"
    assert [sitter.level for sitter in table.sitters] == [None, *["steady"] * 3]


async def test_who_sits_is_asked_before_getting_up(room: Any) -> None:
    lobby, table = await opened(room, "atom_duel")
    await room.ben.click(lobby, label="Join or leave")
    room.bot.app.debouncer._clicked.clear()  # later, not a double click
    asked = await room.ben.click(lobby, label="Join or leave")
    assert asked.ephemeral
    assert len(table.sitters) == 2
    await room.ben.click(asked.response, label="Leave")
    assert len(table.sitters) == 1


async def test_an_invitation_calls_and_seats(room: Any) -> None:
    lobby, table = await opened(room)
    sent = answer_of(await room.ann.select(lobby, [room.ben], custom_id=f"v:invite:{table.id}"))
    assert not sent.ephemeral
    assert room.ben.mention in said(sent)
    again = answer_of(await room.ann.select(lobby, [room.ben], custom_id=f"v:invite:{table.id}"))
    assert again.ephemeral, "nobody is called twice in a row"
    come = await room.ben.click(sent, label="I'm in")
    assert come.ephemeral
    assert [sitter.name for sitter in table.sitters] == ["ann", "ben"]
    await room.ben.click(sent, label="I'm in")
    assert len(table.sitters) == 2


async def test_who_does_not_sit_invites_nobody(room: Any) -> None:
    lobby, table = await opened(room)
    refused = answer_of(await room.ben.select(lobby, [room.cleo], custom_id=f"v:invite:{table.id}"))
    assert refused.ephemeral
    itself = answer_of(await room.ann.select(lobby, [room.ann], custom_id=f"v:invite:{table.id}"))
    assert part("refused.invites_nobody") in said(itself)


async def test_fairness_is_told_to_who_asks(room: Any) -> None:
    lobby, table = await opened(room)
    told = await room.ben.click(lobby, label="How so?")
    assert told.ephemeral
    assert table.commitment.digest in said(told.response)
    assert table.commitment.digest not in str(lobby.components)


@pytest.mark.parametrize("verb", ["options", "arrange"])
async def test_a_forged_form_changes_nothing(room: Any, verb: str) -> None:
    _, table = await opened(room)
    before = (dict(table.stored.options), table.stored.terms, list(table.sitters))
    for person in (room.ann, room.ben):
        result = await forge_modal(person, room.channel, f"v:{verb}:{table.id}")
        assert result.ephemeral
    assert (dict(table.stored.options), table.stored.terms, list(table.sitters)) == before


async def ended(room: Any, *, people: int = 1, opponents: int = 1) -> tuple[Any, Any]:
    """A table of the probe that is over, and its message."""
    lobby, table = await opened(room, "probe")
    for person in (room.ben, room.cleo)[: people - 1]:
        await person.click(lobby, label="Join or leave")
    if opponents:
        await arrange(room.ann, lobby, opponents=str(opponents), level="random")
    await choose(room.ann, lobby, rounds="1")
    await room.ann.click(lobby, label="Start")
    while table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, None, table.legal[seat][0])
    await settle(room.bot.tables)
    await room.env.settle()
    return board_of(room), table


async def test_one_press_plays_again_with_the_seats_rotated(room: Any) -> None:
    board, table = await ended(room, opponents=2)
    names = [sitter.name for sitter in table.sitters]
    hand = await room.ann.click(board, label="Play again")
    assert hand.ephemeral
    fresh = tables(room)[-1]
    assert (fresh.phase, fresh.stored.options) == ("live", table.stored.options)
    assert [sitter.name for sitter in fresh.sitters] == [*names[1:], names[0]]
    assert f"table {fresh.id}" in said(hand.response)


@pytest.mark.parametrize("people", [1, 2])
async def test_playing_again_keeps_what_the_table_agreed_on(room: Any, people: int) -> None:
    board, table = await ended(room, people=people)
    table.stored.terms = replace(table.stored.terms, clock=120, hints=False)
    await room.ann.click(board, label="Play again")
    fresh = tables(room)[-1]
    assert fresh.id != table.id
    assert (fresh.stored.terms.clock, fresh.stored.terms.hints) == (120, False)


async def test_playing_again_twice_opens_one_table(room: Any) -> None:
    board, _ = await ended(room)
    await room.ann.click(board, label="Play again")
    before = len(tables(room))
    room.bot.app.debouncer._clicked.clear()  # much later, not a double click
    hand = await room.ann.click(board, label="Play again")
    assert len(tables(room)) == before
    assert f"table {tables(room)[-1].id}" in said(hand.response)


async def test_several_people_play_again_when_all_have_pressed(room: Any) -> None:
    board, table = await ended(room, people=2, opponents=1)
    names = [sitter.name for sitter in table.sitters]
    opened = await room.ben.click(board, label="Play again")
    assert not opened.ephemeral
    fresh = tables(room)[-1]
    assert fresh.phase == "lobby"
    assert room.ann.mention in said(opened.response)
    await room.ann.click(board, label="Play again")
    assert fresh.phase == "live"
    assert [sitter.name for sitter in fresh.sitters] == [*names[1:], names[0]]


async def test_who_comes_by_joining_deals_as_well(room: Any) -> None:
    board, _ = await ended(room, people=2, opponents=0)
    await room.ann.click(board, label="Play again")
    fresh = tables(room)[-1]
    await room.ben.click(board_of(room), label="Join or leave")
    assert fresh.phase == "live"


@pytest.mark.parametrize("label", ["Play again", "Join or leave"])
async def test_where_tables_open_threads_they_play_again_in_one(room: Any, label: str) -> None:
    board, _ = await ended(room, people=2, opponents=0)
    await room.bot.app.preferences.servers.put(room.guild.id, Server(thread=True))
    opened = await room.ann.click(board, label="Play again")
    fresh, lobby = tables(room)[-1], board_of(room)
    await room.ben.click(board if label == "Play again" else lobby, label=label)
    await room.env.settle()
    (thread,) = await room.bot.get_guild(room.guild.id).active_threads()
    assert (fresh.phase, fresh.stored.channel_id) == ("live", thread.id)
    assert thread.mention in str(room.env.backend.get_message(room.channel.id, lobby.id).components)
    # who still has the lobby before them, and presses there, does not bring it back
    await forge(room.cleo, opened.response, f"v:join:{fresh.id}")
    assert fresh.stored.channel_id == thread.id


async def test_a_bystander_opens_a_lobby_of_their_own(room: Any) -> None:
    board, table = await ended(room, opponents=1)
    await room.cleo.click(board, label="Play again")
    fresh = tables(room)[-1]
    assert (fresh.phase, fresh.stored.host_id) == ("lobby", room.cleo.id)
    assert fresh.stored.terms.order == ()
    assert table.stored.terms.next == 0


async def test_the_lobby_shows_few_controls(room: Any) -> None:
    """One screen of a phone: nine at most, and nothing that is the host's alone stands twice."""
    lobby, _ = await opened(room, "atom_duel")
    shown = list(custom_ids([component.to_dict() for component in lobby.components]))
    assert len(shown_ids(lobby.components)) == len(shown) <= 9
    assert (await fill_in(room.ann, lobby, "Options…", level="1")).acknowledged
