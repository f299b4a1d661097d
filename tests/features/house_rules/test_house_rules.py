"""House rules: saved from a lobby, played by from another, looked after, and gone; tables go on."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from sqlalchemy import update

from bot.features.house_rules import rows as store
from bot.features.nights.service import Nights
from bot.features.table.terms import differing
from bot.features.tournaments.service import Tournaments
from bot.locales import words
from bot.store.models import HouseRulesRow, table_of
from bot.store.people import put_player
from bot.store.personal_data.forgetting import forget
from bot.store.prefs import Prefs
from bot.store.terms import LONGEST_RULES
from tests.support.discord.controls import standing
from tests.support.discord.forging import double_click, forge
from tests.support.discord.keys import part
from tests.support.discord.lobbies import choose
from tests.support.discord.nights import at, in_hours
from tests.support.discord.people import NAME, challenge, kept, newest, opened, save, saved
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import at_hand, settle

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are part of what this is about
UNCHANGED = {"variant": ["standard"], "vampiric": ["no"]}
MANAGING = discord.Permissions(manage_channels=True, view_channel=True, send_messages=True)


async def use(person: Any, lobby: Any, rules_id: int) -> Any:
    return await choose(person, lobby, house=str(rules_id))


async def look(person: Any, channel: Any, rules_id: int) -> Any:
    shown = await person.slash(channel, "houserules")
    return await person.select(shown.response, [str(rules_id)])


async def test_a_double_click_opens_one_lobby(room: Any) -> None:
    rules = await saved(room)
    before = len(at_hand(room.bot.tables))
    shown = (await look(room.ben, room.channel, rules.id)).response
    await double_click(room.ben, shown, f"v:house-lobby:{rules.id}")
    assert len(at_hand(room.bot.tables)) == before + 1
    assert newest(room).stored.terms.house_rules == NAME


async def test_saved_in_one_lobby_and_played_by_in_another(room: Any) -> None:
    lobby, table = await opened(room, variant="teams", vampiric="yes")
    done = await save(room.ann, lobby)
    assert NAME in said(done.response)
    await settle(room.bot.tables)
    assert f"House rules: **{NAME}**" in str(room.channel.last_message.components)
    assert table.stored.terms.house_rules == NAME

    other, second = await opened(room, room.ben)
    rules = await kept(room)
    await use(room.ben, other, rules.id)
    assert second.stored.options == table.stored.options
    assert second.stored.terms.house_rules == NAME
    listed = await room.cleo.slash(room.channel, "houserules")
    assert NAME in said(listed.response)
    assert differing("duel52", second.stored.options, "en") in said(listed.response)


async def test_another_choice_takes_the_name_off_the_lobby(room: Any) -> None:
    lobby, table = await opened(room, variant="teams")
    await save(room.ann, lobby)
    await choose(room.ann, lobby, variant="teams")
    assert table.stored.terms.house_rules == NAME
    await choose(room.ann, lobby, variant="quick")
    assert not table.stored.terms.house_rules
    await use(room.ann, lobby, (await kept(room)).id)
    assert table.stored.terms.house_rules == NAME
    assert table.stored.options["variant"] == "teams"
    await choose(room.ann, lobby, variant="quick")
    assert not table.stored.terms.house_rules, "what is changed in the same form goes before the name"
    assert table.stored.options["variant"] == "quick"
    await use(room.ann, lobby, (await kept(room)).id)
    await choose(room.ann, lobby, house="own")
    assert not table.stored.terms.house_rules
    assert table.stored.options["variant"] == "teams"


async def test_play_opens_a_lobby_by_them(room: Any) -> None:
    rules = await saved(room)
    await room.ben.slash(room.channel, "play", rules=NAME.upper())
    assert newest(room).stored.terms.house_rules == NAME
    assert newest(room).stored.options["variant"] == "teams"
    await newest(room).cancel("closed")
    await room.ben.slash(room.channel, "play", game="duel52", rules=str(rules.id))
    assert newest(room).stored.terms.house_rules == NAME
    refused = await room.cleo.slash(room.channel, "play", game="atom", rules=NAME)
    assert part("refused.house_rules_other") in said(refused.response)
    refused = await room.cleo.slash(room.channel, "play", rules="nothing")
    assert part("refused.no_house_rules") in said(refused.response)


async def test_they_are_offered_while_one_types(room: Any) -> None:
    rules = await saved(room)
    offered = await room.ben.autocomplete(room.channel, "play", "rules", "fri")
    assert [choice["value"] for choice in offered] == [str(rules.id)]
    assert NAME in offered[0]["name"]


async def test_a_table_and_its_rules_name_them(room: Any) -> None:
    lobby, _ = await opened(room, variant="quick")
    await save(room.ann, lobby)
    await room.ann.click(lobby, label="Start with 1 opponent")
    await settle(room.bot.tables)
    assert f"House rules: **{NAME}**" in str(room.channel.last_message.components)
    rules = await room.ben.click(room.channel.last_message, label="Rules")
    assert NAME in said(rules.response)


async def test_saving_again_asks_before_it_replaces(room: Any) -> None:
    before = await saved(room)
    lobby, table = await opened(room, variant="quick")
    asked = await save(room.ann, lobby, NAME.lower())
    assert (await kept(room)).options == before.options
    await room.ann.click(asked.response, label="Replace them")
    assert (await kept(room)).options["variant"] == "quick"
    assert (await kept(room)).name == NAME
    assert table.stored.terms.house_rules == NAME


async def test_what_is_open_does_not_follow_a_later_edit(room: Any) -> None:
    rules = await saved(room)
    lobby, table = await opened(room, room.ben)
    await use(room.ben, lobby, rules.id)
    other, _ = await opened(room, variant="quick")
    asked = await save(room.ann, other)
    await room.ann.click(asked.response, label="Replace them")
    assert table.stored.options["variant"] == "teams"
    assert table.stored.terms.house_rules == NAME


async def test_deleted_while_a_table_plays_by_them(room: Any) -> None:
    rules = await saved(room)
    lobby, table = await opened(room, room.ben)
    await use(room.ben, lobby, rules.id)
    other, _ = await opened(room, room.cleo)
    form = await room.cleo.click(other, label="Options…")
    one = await look(room.ann, room.channel, rules.id)
    asked = await room.ann.click(one.response, label="Delete…")
    assert await kept(room) is not None
    done = await room.ann.click(asked.response, label="Delete them")
    assert NAME in said(done.response)
    assert await kept(room) is None
    assert table.stored.terms.house_rules == NAME
    assert table.stored.options["variant"] == "teams"
    again = await room.cleo.submit_modal(form, {"house": [str(rules.id)], **UNCHANGED})
    assert part("refused.no_house_rules") in said(again.response)


async def test_only_who_saved_them_or_manages_the_channel_changes_them(room: Any) -> None:
    rules = await saved(room)
    one = await look(room.ben, room.channel, rules.id)
    assert "Delete…" not in str(one.response.components)
    for verb in ("house-delete", "house-delete-yes", "house-name"):
        refused = await forge(room.ben, one.response, f"v:{verb}:{rules.id}")
        assert part("refused.house_rules_rights") in said(refused.response), verb
    lobby, _ = await opened(room, room.ben, variant="quick")
    taken = await save(room.ben, lobby)
    assert part("refused.house_rules_taken") in said(taken.response)
    role = room.guild.create_role("managers", permissions=MANAGING)
    dora = room.guild.add_member(room.env.create_user("dora"), roles=[role])
    one = await look(dora, room.channel, rules.id)
    asked = await dora.click(one.response, label="Rename…")
    renamed = await dora.submit_modal(asked, {"name": "Saturday *night*"})
    assert "Saturday" in said(renamed.response)
    assert await kept(room, "saturday *NIGHT*") is not None
    assert (await kept(room, "saturday *night*")).options == rules.options


async def test_other_channels_and_servers_know_nothing_of_them(room: Any) -> None:
    rules = await saved(room)
    quiet = room.guild.create_text_channel("quiet")
    listed = await room.ann.slash(quiet, "houserules")
    assert NAME not in said(listed.response)
    refused = await room.ann.slash(quiet, "play", rules=str(rules.id))
    assert part("refused.no_house_rules") in said(refused.response)
    guild = room.env.create_guild()
    role = guild.create_role("managers", permissions=MANAGING)
    stranger = guild.add_member(room.cleo.user, roles=[role])
    message = await standing(stranger, guild.create_text_channel("away"))
    for verb in ("lobby", "file", "name", "delete", "delete-yes", "keep"):
        result = await forge(stranger, message, f"v:house-{verb}:{rules.id}")
        assert part("refused.no_house_rules") in said(result.response), verb
    assert await kept(room) == rules


async def test_what_cannot_be_played_any_more_is_told_and_not_offered(room: Any) -> None:
    rules = await saved(room)
    lobby, second = await opened(room, room.ben)
    form = await room.ben.click(lobby, label="Options…")
    table = table_of(HouseRulesRow)
    old = update(table).where(table.c.id == rules.id).values(options={"variant": "of-old"})
    await room.bot.tables.database.write_at_once(lambda c: c.execute(old))
    listed = await room.ben.slash(room.channel, "houserules")
    assert part("house_rules.broken") in said(listed.response)
    assert not await room.ben.autocomplete(room.channel, "play", "rules", "")
    shown = await room.ben.click(lobby, label="Options…")
    assert NAME not in str(shown.modal)
    refused = await room.ben.submit_modal(form, {"house": [str(rules.id)], **UNCHANGED})
    assert part("refused.house_rules_broken") in said(refused.response)
    assert second.stored.options == second.game.defaults()
    one = await look(room.ann, room.channel, rules.id)
    assert "Open a lobby" not in str(one.response.components)
    assert "Delete…" in str(one.response.components)


async def test_a_channel_keeps_no_more_than_a_list_holds(room: Any) -> None:
    rules = await saved(room)
    for n in range(store.MOST - 1):
        more = store.HouseRules(
            **{name: getattr(rules, name) for name in rules.__struct_fields__ if name not in ("id", "name")},
            name=f"Rules {n} of a name that is as long as may be"[:LONGEST_RULES],
        )
        await room.bot.tables.database.write_at_once(lambda c, more=more: store.add(c, more))
    lobby, _ = await opened(room, variant="quick")
    refused = await save(room.ann, lobby, "one more")
    assert str(store.MOST) in said(refused.response)
    listed = await room.ann.slash(room.channel, "houserules")
    assert said(listed.response).count("Rules 2") >= 1


async def test_direct_messages_have_their_own(room: Any) -> None:
    person = room.ann.user
    opened_there = await person.slash("play", game="duel52")
    shown = await choose(person, opened_there.response, house="keep")
    asked = await person.click(shown.response, label="Save as house rules…")
    await person.submit_modal(asked, {"name": NAME})
    listed = said((await person.slash("houserules")).response)
    assert NAME in listed
    assert part("hand.direct") in listed
    assert "<#" not in listed, "the mention of a direct message names nothing"
    assert NAME not in said((await room.ann.slash(room.channel, "houserules")).response)
    database = room.bot.tables.database
    channel_id = newest(room).stored.channel_id
    assert len(await database.read_at_once(lambda c: store.of_channel(c, channel_id))) == 1
    await database.write_at_once(lambda c: forget(c, room.ann.id, 0))
    assert await database.read_at_once(lambda c: store.of_channel(c, channel_id)) == []


async def test_who_is_deleted_leaves_them_to_the_channel(room: Any) -> None:
    rules = await saved(room, "Nights of annika")
    database = room.bot.tables.database
    await database.write_at_once(lambda c: put_player(c, room.ann.id, "annika", {}, 5))
    await database.write_at_once(lambda c: forget(c, room.ann.id, 0))
    left = await database.read_at_once(lambda c: store.of_channel(c, room.channel.id))
    assert [each.options for each in left] == [rules.options]
    assert left[0].saved_by < 0
    assert "ann" not in left[0].name
    one = await look(room.ben, room.channel, rules.id)
    assert "Former player" in said(one.response)
    assert "<@" not in said(one.response)


async def test_they_come_as_a_file(room: Any) -> None:
    rules = await saved(room)
    one = await look(room.ben, room.channel, rules.id)
    given = await room.ben.click(one.response, label="As a file")
    assert given.ephemeral
    assert given.response.attachments[0].filename == f"house-rules-{rules.id}.json"


async def of_two(room: Any) -> Any:
    """House rules of Ann in the channel with which two can play."""
    lobby, table = await opened(room, vampiric="yes")
    await save(room.ann, lobby)
    await settle(room.bot.tables)
    await table.cancel("closed")
    return await kept(room)


async def test_people_are_sought_for_a_table_that_plays_by_them(room: Any) -> None:
    rules = await of_two(room)
    offered = await room.ben.autocomplete(room.channel, "seek", "rules", "fri")
    assert [choice["value"] for choice in offered] == [str(rules.id)]
    await room.ben.slash(room.channel, "seek", rules=NAME)
    terms = newest(room).stored.terms
    assert (terms.seeks, terms.house_rules) == (True, NAME)
    assert newest(room).stored.options == rules.options
    refused = await room.cleo.slash(room.channel, "seek", game="atom", rules=NAME)
    assert part("refused.house_rules_other") in said(refused.response)


async def test_a_tournament_and_its_matches_are_played_by_them(room: Any) -> None:
    rules = await of_two(room)
    offered = await room.ann.autocomplete(room.channel, "tournament create", "rules", "", game="duel52")
    assert [choice["value"] for choice in offered] == [str(rules.id)]
    await room.ann.slash(room.channel, "tournament create", name="Cup", game="duel52", rules=NAME)
    await settle(room.bot.tables)
    assert f"House rules: **{NAME}**" in str(room.channel.last_message.components)
    (cup,) = room.bot.app.service(Tournaments).of_guild(room.guild.id)
    assert cup.stored.options == rules.options
    for person in (room.ann, room.ben, room.cleo):
        await person.slash(room.channel, "tournament join")
    await room.ann.slash(room.channel, "tournament start")
    await room.env.settle()
    assert newest(room).stored.terms.tournament == cup.id
    assert newest(room).stored.terms.house_rules == NAME


async def test_what_is_chosen_beside_them_takes_the_name_off_a_tournament(room: Any) -> None:
    await of_two(room)
    await room.ann.slash(
        room.channel, "tournament create", name="Cup", game="duel52", rules=NAME, option="variant=quick"
    )
    (cup,) = room.bot.app.service(Tournaments).of_guild(room.guild.id)
    assert (cup.stored.options["variant"], cup.stored.options["vampiric"]) == ("quick", True)
    assert cup.stored.terms.house_rules == ""


async def test_what_two_cannot_play_is_offered_to_no_tournament(room: Any) -> None:
    await saved(room)  # in teams of two
    assert await room.ann.autocomplete(room.channel, "tournament create", "rules", "", game="duel52") == []
    refused = await room.ann.slash(room.channel, "tournament create", name="Cup", game="duel52", rules=NAME)
    assert part("refused.not_for_two") in said(refused.response)


async def test_a_refusal_names_a_game_in_the_language_of_its_reader(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await saved(room)  # in teams of two
    await room.bot.app.preferences.put(room.ann.id, "ann", Prefs(locale="zh-CN"), 0)
    chinese = words("zh-CN")
    expected = chinese("refused.not_for_two", game=chinese("duel52.title"))
    for_these = {"name": "Cup", "game": "duel52"}
    refused = await room.ann.slash(room.channel, "tournament create", rules=NAME, **for_these)
    assert expected in said(refused.response)
    monkeypatch.setattr(
        "bot.features.tournaments.command.for_two", list
    )  # as for a list that Discord still has
    refused = await room.ann.slash(room.channel, "tournament create", **for_these)
    assert expected in said(refused.response)


async def test_a_challenge_names_those_by_which_the_two_last_played(room: Any) -> None:
    rules = await of_two(room)
    await room.ann.slash(room.channel, "play", rules=NAME)
    lobby = room.channel.last_message
    await room.ben.click(lobby, label="Join or leave")
    await room.ann.click(lobby, label="Start")
    await challenge(room, room.ben, room.ann)
    assert newest(room).stored.terms.house_rules == NAME
    assert newest(room).stored.options == rules.options


async def test_an_evening_is_planned_and_played_by_them(room: Any) -> None:
    """Four can play in teams, where two do as usual; what becomes of them in the channel changes nothing."""
    rules = await saved(room)
    await room.bot.app.preferences.put(room.ann.id, "ann", Prefs(zone="UTC"), 0)
    planned = await room.ann.slash(room.channel, "night plan", when=in_hours(3), rules=NAME)
    assert part("night.planned") in "".join(map(said, planned.followups))
    shown = str(room.channel.last_message.components)
    assert f"House rules: **{NAME}** · {differing('duel52', rules.options, 'en')}" in shown
    night = await room.bot.app.service(Nights).get(1)
    assert (night.seats, night.rules) == (4, {"name": NAME, "options": rules.options})
    await room.bot.tables.database.write_at_once(lambda c: store.remove(c, rules.id))
    await at(room, night.starts_at)
    assert newest(room).stored.terms.house_rules == NAME
    assert newest(room).stored.options == rules.options


async def test_the_form_of_an_evening_keeps_its_house_rules(room: Any) -> None:
    await saved(room)
    form = await room.ben.slash(room.channel, "night plan", rules=NAME)
    refused = await room.ben.submit_modal(form, {"when": in_hours(3), "zone": "Atlantis"})
    again = await room.ben.click(refused.response, label="Back to the form")
    await room.ben.submit_modal(again, {"when": in_hours(3), "zone": "UTC"})
    assert (await room.bot.app.service(Nights).get(1)).house_rules == NAME
