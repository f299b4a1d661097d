"""From /play alone: the poster, **Play now**, and the way to a lobby."""

from __future__ import annotations

from typing import Any

import pytest

from bot import presenters
from bot.features.play.messages import poster_message
from bot.features.play.opening import first_deal
from bot.features.table.board import lines_of
from bot.presenters.poster import Difficulty
from bot.render.sprites import draw
from bot.render.theme import theme
from bot.ui.components import shown_ids
from engine import catalog
from engine.game import Setup
from tests.support.discord.forging import double_click, forge
from tests.support.discord.lobbies import arrange, choose
from tests.support.discord.room_play import dealt, play_now, poster, the_table
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.tables.tables import at_hand


async def test_the_poster_shows_every_game(room: Any) -> None:
    shown = await poster(room)
    for game in presenters.offered():
        assert f"v:now:{game}" in custom_ids(shown.components)
        assert presenters.get(game).title("en") in said(shown)
    assert room.channel.last_message is None


async def test_play_now_deals_shows_the_table_and_opens_the_hand(room: Any) -> None:
    result = await play_now(room, "probe")
    table = the_table(room)
    assert table.phase == "live"
    assert [bool(sitter.level) for sitter in table.sitters] == [False] + [True] * (len(table.sitters) - 1)
    assert result.ephemeral
    assert f"table {table.id}" in said(result.response)
    assert f"v:hand:{table.id}" in shown_ids(room.channel.last_message.components)
    assert table.stored.message_id == room.channel.last_message.id


@pytest.mark.parametrize("cross", [False, True])
async def test_play_now_twice_deals_once(room: Any, cross: bool) -> None:
    shown = await poster(room)
    if cross:
        results = await double_click(room.ann, shown, "v:now:probe")
    else:
        results = [await forge(room.ann, shown, "v:now:probe") for _ in range(2)]
    await room.env.settle()
    assert [each.acknowledged for each in results] == [True, True]
    assert len(at_hand(room.bot.tables)) == 1


async def test_who_has_played_before_plays_as_the_last_time(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="atom_duel")
    lobby, table = room.channel.last_message, the_table(room)
    await choose(room.ann, lobby, level="3")
    await arrange(room.ann, lobby, opponents="1", level="newcomer")
    await room.ben.click(lobby, label="Join or leave")
    await room.ann.click(lobby, label="Start")
    await play_now(room, "atom_duel")
    again = max(at_hand(room.bot.tables).values(), key=lambda each: each.id)
    assert again.id != table.id
    assert again.stored.options == table.stored.options
    # the opponent's seat again, and in the place of Ben the usual one
    assert [sitter.level for sitter in again.sitters] == [None, "newcomer", "steady"]


async def test_play_now_says_what_it_deals(room: Any) -> None:
    """The poster and the hand say so where it is not the gentle form that the poster introduces."""
    gentle = said(await poster(room))
    first = await play_now(room, "atom_duel")
    assert "As last time" not in gentle + said(first.response) + said(await poster(room))
    await room.ann.slash(room.channel, "play", game="atom_duel")
    lobby = room.channel.last_message
    await choose(room.ann, lobby, level="3")
    await arrange(room.ann, lobby, opponents="2", level="steady")
    await room.ann.click(lobby, label="Start")
    told = "As last time: Level 3 · "
    shown = said(await poster(room))
    (line,) = [line for line in shown.splitlines() if told in line]
    assert line.endswith(" · 2 opponents (steady)")
    again = await play_now(room, "atom_duel")
    assert line in said(again.response)
    assert told not in said(await poster(room, "ben"))


async def test_who_joined_a_table_of_another_begins_gently(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="atom_duel")
    lobby, table = room.channel.last_message, the_table(room)
    await choose(room.ann, lobby, level="3")
    await room.ben.click(lobby, label="Join or leave")
    await room.ann.click(lobby, label="Start")
    assert table.phase == "live"
    await play_now(room, "atom_duel", "ben")
    dealt_now = max(at_hand(room.bot.tables).values(), key=lambda each: each.id)
    assert dealt_now.stored.options["level"] == 1


async def test_somebody_else_begins_gently(room: Any) -> None:
    await play_now(room, "atom_duel", who="ben")
    table = the_table(room)
    assert (table.stored.options["level"], len(table.sitters)) == (1, 3)
    assert {sitter.level for sitter in table.sitters[1:]} == {"newcomer"}


async def test_no_more_tables_than_there_may_be(room: Any) -> None:
    room.bot.tables.opener._quotas = type(room.bot.tables.opener._quotas)(1, 1, 1, 1)
    await play_now(room, "probe")
    refused = await play_now(room, "probe")
    assert len(at_hand(room.bot.tables)) == 1
    assert refused.ephemeral


async def test_the_select_opens_a_lobby(room: Any) -> None:
    await forge(room.ann, await poster(room), "v:lobby-of", ("duel52",))
    await room.env.settle()
    table = the_table(room)
    assert (table.phase, table.game.key) == ("lobby", "duel52")
    assert f"v:start-filled:{table.id}" in shown_ids(room.channel.last_message.components)


async def test_a_select_that_is_used_twice_at_once_opens_one_lobby(room: Any) -> None:
    await double_click(room.ann, await poster(room), "v:lobby-of", ("duel52",))
    assert len(at_hand(room.bot.tables)) == 1


async def test_two_games_that_are_chosen_one_after_the_other_are_no_double_click(room: Any) -> None:
    shown = await poster(room)
    for game in ("duel52", "atom"):
        await forge(room.ann, shown, "v:lobby-of", (game,))
    assert {table.game.key for table in at_hand(room.bot.tables).values()} == {"duel52", "atom"}


async def test_a_level_that_was_chosen_before_anybody_sits_is_the_level_of_who_comes(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="duel52")
    lobby, table = room.channel.last_message, the_table(room)
    await arrange(room.ann, lobby, opponents="0", level="master")
    await room.ann.click(lobby, label="Start with 1 opponent, master")
    assert [sitter.level for sitter in table.sitters] == [None, "master"]


async def test_help_leads_to_the_poster(room: Any) -> None:
    found = await room.ann.slash(room.channel, "help")
    shown = await room.ann.click(found.response, custom_id="v:poster")
    assert "v:now:atom" in custom_ids(shown.response.components)


@pytest.mark.parametrize("game", catalog.listed())
def test_every_first_deal_can_be_dealt(game: str) -> None:
    rules, deal, introduced = catalog.get(game), first_deal(game), presenters.get(game).poster
    setup = Setup(game, rules.version, 1 + len(deal.levels), dict(deal.options), bytes(32))
    assert rules.check(setup) is None
    assert rules.deal(setup).to_act()
    assert set(deal.levels) <= set(rules.opponents)
    assert introduced.difficulty in Difficulty
    if introduced.emblem:
        draw(introduced.emblem.painter, introduced.emblem.args, 150, 210, theme())


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_the_poster_is_within_discord_s_bounds(locale: str) -> None:
    told = dict.fromkeys(presenters.offered(), "x" * 500)
    message = poster_message(locale, presenters.offered(), told)
    assert message.view.content_length() <= 4000
    assert message.view.total_children_count <= 40


async def test_a_hand_tells_what_the_others_did(room: Any) -> None:
    await dealt(room, "atom_duel", level="1")
    table = the_table(room)
    actor = table.waiting()[0]
    await table.act(actor, table.decisions[actor], table.legal[actor][0])
    await room.env.settle()
    other = table.waiting()[0]
    assert other != actor
    person = room.ann if table.sitters[other].name == "ann" else room.ben
    shown = said((await person.click(room.channel.last_message, label="My hand")).response)
    told = lines_of(table.recent.since(other), table, other, "en")
    assert told
    assert all(f"-# {line}" in shown for line in told)
