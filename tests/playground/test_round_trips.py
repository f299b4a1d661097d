"""A real bot and people: commands, presses, selects, modals, threads, pictures, and who sees what."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

import discord
import pytest

from playground import payloads
from playground.actions.person import PersonError, upload
from tests.support.waiting import until


async def test_autocomplete_offers_what_the_bot_says(ann):
    found = await ann.autocomplete("card-table", "play", focus="game", game="duel")
    assert found.kind == "choices"
    assert [choice["value"] for choice in found.choices] == ["atom_duel", "duel_52"]


async def test_a_command_brings_a_v2_message_with_pictures(ann):
    outcome = await ann.command("card-table", "play", game="duel_52", seats=3, partner="ben", where="quiet")
    assert outcome.kind == "message"
    assert 0 < outcome.latency < 1
    message = ann.message(outcome)
    assert message["type"] == 20
    assert message["interaction_metadata"]["user"]["id"] == ann.me["id"]
    assert [picture["alt"] for picture in ann.images(outcome)] == [
        "A thumbnail",
        "A table with six cards in two rows; Ann is to move",
    ]
    data = await ann.fetch(ann.images(outcome)[0]["url"])
    assert data.startswith(b"\x89PNG")
    gallery = next(c for c in ann.components(outcome) if c["type"] == 12)
    assert (gallery["items"][0]["media"]["width"], gallery["items"][0]["media"]["height"]) == (320, 180)


async def test_only_the_owner_sees_an_ephemeral(pg, ann, connect):
    ben = await connect(pg, "ben")
    table = await ann.command("card-table", "play", game="x")
    hand = await ann.press(ann.message(table), label="Hand")
    assert hand.ephemeral
    assert ann.is_ephemeral(ann.message(hand))
    await ben.wait_message("card-table", lambda m: m["id"] == table.message_id)
    with pytest.raises(PersonError):
        ben.message(hand)
    with pytest.raises(PersonError):
        await ben.press(hand.message_id, "t:hand:1")
    late = await connect(pg, "cleo")
    with pytest.raises(PersonError):
        late.message(hand)


async def test_an_ephemeral_is_edited_by_a_press_on_it(ann):
    table = await ann.command("card-table", "play", game="x")
    hand = await ann.press(ann.message(table), label="Hand")
    again = await ann.press(ann.message(hand), label="Again")
    assert again.kind == "update"
    assert again.message_id == hand.message_id
    assert "Press 1" in ann.text(hand)
    assert len(ann.images(hand)) == 1


async def test_a_public_update_reaches_everybody(pg, ann, connect):
    ben = await connect(pg, "ben")
    outcome = await ann.command("card-table", "count")
    await ben.wait_message("card-table", lambda m: m["id"] == outcome.message_id)
    await ben.press(outcome.message_id, label="Count 1")
    await ann.wait_for(lambda: "**1**" in ann.text(outcome))


async def test_selects_bring_values_and_people(ann):
    table = await ann.command("card-table", "play", game="x")
    cards = await ann.select(ann.message(table), "pick-cards", ["2", "5"])
    assert ann.text(cards) == "Picked 2, 5"
    who = await ann.select(ann.message(table), "who", ["dan"])
    assert ann.text(who).startswith("Invited <@")
    for wrong in (["99"], ["1", "2", "3", "4"], []):
        with pytest.raises(PersonError):
            await ann.select(ann.message(table), "pick-cards", wrong)
    with pytest.raises(PersonError, match="disabled"):
        await ann.press(ann.message(table), "closed")


async def test_a_modal_is_checked_and_submitted(ann):
    table = await ann.command("card-table", "play", game="x")
    modal = await ann.press(ann.message(table), label="Ask")
    assert modal.kind == "modal"
    with pytest.raises(PersonError) as refused:
        await ann.submit(modal, {"words": "hi", "pick": ["duel"]})
    assert refused.value.field == "words"
    with pytest.raises(PersonError) as refused:
        await ann.submit(modal, {"words": "hello"})
    assert refused.value.field == "pick"
    done = await ann.submit(modal, {"words": "hello", "pick": ["duel"], "level": "2", "extras": ["log"]})
    assert ann.text(done) == "You said hello, picked duel, level 2, extras ['log'], False"


async def test_a_deferral_thinks_then_keeps_its_visibility(ann):
    secret = await ann.command("card-table", "think", secret=True, seconds=0.2)
    assert secret.kind == "thinking"
    assert ann.is_thinking(ann.message(secret))
    await ann.wait_for(lambda: ann.text(secret) == "Thought about it")
    assert ann.is_ephemeral(ann.message(secret))
    # The follow-up asks to be ephemeral, but the deferral was public: everybody sees it.
    public = await ann.command("card-table", "think", secret=False)
    await ann.wait_for(lambda: ann.text(public) == "Thought about it")
    assert not ann.is_ephemeral(ann.message(public))


async def test_options_are_checked_like_discord_does(ann):
    for options, field in (
        ({}, "game"),
        ({"game": "x", "seats": 9}, "seats"),
        ({"game": "x", "seats": "two"}, "seats"),
        ({"game": "x", "partner": "nobody_here"}, "partner"),
        ({"game": "x", "nonsense": 1}, "nonsense"),
    ):
        with pytest.raises(PersonError) as refused:
            await ann.command("card-table", "play", **options)
        assert refused.value.field == field
    with pytest.raises(PersonError):
        await ann.command("card-table", "nothing")
    loud = await ann.command("card-table", "whisper", text="psst", tone="Loud")
    assert ann.text(loud) == "PSST"


async def test_subcommands_and_menus(ann):
    made = await ann.command("card-table", "tournament create", title="Spring")
    assert ann.text(made) == "Tournament Spring"
    assert ann.message(made)["interaction_metadata"]["name"] == "tournament create"
    with pytest.raises(PersonError):
        await ann.command("card-table", "tournament")
    dared = await ann.user_menu("card-table", "Challenge", "ben")
    assert "challenges" in ann.text(dared)
    said = await ann.say("card-table", "what is this?")
    explained = await ann.message_menu(said, "Explain")
    assert ann.text(explained) == "That says 'what is this?'"


async def test_a_thread_is_made_and_a_mention_joins_it(ann, bot):
    counter = await ann.command("card-table", "count")
    await ann.press(counter.message_id, label="thread")
    await ann.wait_for(lambda: any(c.get("name") == "A table" for c in ann.channels.values()))
    await ann.wait_message("A table", lambda m: "sits down" in m["content"])
    thread = next(t for g in bot.guilds for t in g.threads)
    assert int(ann.me["id"]) in {m.id for m in await thread.fetch_members()}
    await thread.edit(archived=True)
    await ann.wait_for(lambda: ann.channels[str(thread.id)]["thread_metadata"]["archived"])


async def test_dms_groups_and_guilds_without_the_bot(ann, bot):
    direct = await ann.command("dm", "play", game="x")
    assert bot.seen[-1].context.dm_channel
    assert ann.message(direct)["channel_id"] == ann.channel_id("dm")
    group = await ann.command("Ann, Ben, Cleo", "play", game="x")
    assert bot.seen[-1].context.private_channel
    assert (await ann.press(ann.message(group), label="Hand")).ephemeral
    assert isinstance(bot.seen[-1].channel, discord.GroupChannel)
    await ann.command("lounge", "play", game="x")
    foreign = bot.seen[-1]
    assert foreign.is_user_integration()
    assert not foreign.is_guild_integration()
    with pytest.raises(discord.Forbidden) as refused:
        await bot.http.send_message(foreign.channel_id, params=discord.http.handle_message_parameters("x"))
    assert refused.value.code == 50001
    with pytest.raises(PersonError):
        await ann.command("lounge", "count")
    for _ in range(5):
        await foreign.followup.send("more")
    with pytest.raises(discord.HTTPException) as refused:
        await foreign.followup.send("too much")
    assert refused.value.code == 40094


async def test_channels_of_a_server_belong_to_no_application(pg, ann, bot):
    """Discord may say so with a null there, but of a group DM it says nothing where people made it."""
    world = pg.core.world
    await ann.command("card-table", "play", game="x")
    thread = await bot.seen[-1].channel.create_thread(name="t", type=discord.ChannelType.public_thread)
    for place in (world.find_channel("card-table"), world.channels[thread.id]):
        assert payloads.channel(place)["application_id"] is None
    assert "application_id" not in payloads.channel(world.find_channel("Ann, Ben, Cleo"))
    assert "application_id" not in payloads.channel(world.find_channel("dm", world.people["ann"]))


async def test_an_upload_reaches_the_bot_as_an_attachment(pg, ann, rest):
    app = pg.core.world.application_id
    body = {"name": "show", "description": "x", "options": [{"type": 11, "name": "file", "description": "x"}]}
    assert (await rest("POST", f"/applications/{app}/commands", body))[0] == 200
    waiting = asyncio.create_task(ann.command("card-table", "show", file=upload("a b.txt", b"hello")))
    await until(lambda: pg.core.interactions._by_id)
    it = next(reversed(pg.core.interactions._by_id.values()))
    [found] = it.data["resolved"]["attachments"].values()
    assert found["filename"] == "a_b.txt"
    assert await ann.fetch(found["url"]) == b"hello"
    pg.core.interactions.answer(it.id, it.token, {"type": 4, "data": {"content": "seen"}}, {})
    assert (await waiting).kind == "message"


async def test_forged_presses_reach_the_bot(ann, bot):
    await ann.command("card-table", "play", game="x")
    with pytest.raises(PersonError):
        await ann.press(ann.last("card-table"), "t:hand:0:more")
    forged = await ann.press(custom_id="t:hand:0", channel="card-table", forge=True)
    assert forged.ephemeral
    nothing = ann.press(custom_id="x" * 100, channel="second-table", forge=True, values=["a"])
    waiting = asyncio.create_task(nothing)
    await until(lambda: bot.seen[-1].data.get("custom_id") == "x" * 100)
    assert bot.seen[-1].data["values"] == ["a"]
    waiting.cancel()


async def test_moderators_delete_and_the_bot_finds_out(pg, ann, bot, connect):
    mia = await connect(pg, "mia")
    counter = await ann.command("card-table", "count")
    with pytest.raises(PersonError):
        await ann.delete(counter.message_id)
    await mia.delete(counter.message_id)
    await ann.wait_for(lambda: counter.message_id not in {m["id"] for m in ann.messages("card-table")})
    channel = bot.get_channel(int(ann.channel_id("card-table")))
    with pytest.raises(discord.NotFound) as refused:
        await channel.get_partial_message(int(counter.message_id)).edit(content="x")
    assert refused.value.code == 10008
    made = await mia.create_channel("third table")
    await ann.wait_for(lambda: made in ann.channels)
    assert bot.get_channel(int(made)).name == "third-table"
    await mia.delete_channel(made)
    await ann.wait_for(lambda: made not in ann.channels)
    assert bot.get_channel(int(made)) is None
    with pytest.raises(PersonError):
        await ann.create_channel("mine")


async def test_a_channel_for_a_few_is_seen_by_them_and_the_bot_only(pg, bot, connect):
    ann, ben, mia = await connect(pg, "ann"), await connect(pg, "ben"), await connect(pg, "mia")
    made = await mia.create_channel("whispers", only=["ann"])
    await ann.wait_for(lambda: made in ann.channels)
    said = await ann.say(made, "psst")
    assert made not in ben.channels
    assert ben.messages("card-table") == []
    with pytest.raises(PersonError):
        ben.message(said)
    assert bot.get_channel(int(made)).permissions_for(bot.get_channel(int(made)).guild.me).view_channel
    with pytest.raises(PersonError):
        await mia.create_channel("whispers", only=["nobody-of-this-name"])


async def test_new_names_become_people(pg, connect):
    person = await connect(pg, "p17")
    assert person.me["key"] == "p17"
    assert await person.say("card-table", "hello")


async def test_a_killed_bot_comes_back_to_its_messages(pg, connect):
    """kill -9, a press meanwhile fails, and after the start the old button works."""

    async def spawn():
        env = {**os.environ, "VALENCE_DISCORD_BASE": pg.base, "DISCORD_TOKEN": pg.token}
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.playground.sample_bot", env=env, stderr=asyncio.subprocess.DEVNULL
        )

    ann = await connect(pg, "ann")
    first = await spawn()
    try:
        await ann.wait_for(lambda: ann.bot["connected"])
        counter = await ann.command("card-table", "count")
        first.send_signal(signal.SIGKILL)
        await first.wait()
        await ann.wait_for(lambda: not ann.bot["connected"])
        second = await spawn()
        try:
            await ann.wait_for(lambda: ann.bot["connected"])
            again = await ann.press(counter.message_id, label="Count 1")
            assert again.kind == "update"
            assert "**1**" in ann.text(counter)
        finally:
            second.kill()
            await second.wait()
    finally:
        if first.returncode is None:
            first.kill()
            await first.wait()
