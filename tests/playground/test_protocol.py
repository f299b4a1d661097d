"""Deadlines, double answers, tokens, limits, the gateway's rules, and who may come in at all."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

import aiohttp
import discord
import pytest

from playground import Person, start
from playground.errors import ApiError
from tests.playground.raw_gateway import RawGateway
from tests.playground.sample_bot import make_client
from tests.support.processes.playground_clock import ManualClock
from tests.support.waiting import LIMIT_SECONDS, until


@pytest.fixture
async def pg(clock):
    async with start(clock=clock) as running:
        yield running


@pytest.fixture
async def gateway(pg):
    raw = await RawGateway(pg).open()
    yield raw
    await raw.close()


@pytest.fixture
async def used(pg, rest, gateway, connect):
    """Let ann use /x; returns what is needed to answer it by hand."""
    app = pg.core.world.application_id
    await rest("PUT", f"/applications/{app}/commands", [{"name": "x", "description": "x"}])
    await gateway.identify()
    ann = await connect(pg, "ann")

    async def use():
        waiting = asyncio.create_task(ann.command("card-table", "x"))
        event = (await gateway.event("INTERACTION_CREATE"))["d"]
        return event, waiting

    use.ann = ann
    use.app = app
    return use


def callback(event, query=""):
    return f"/interactions/{event['id']}/{event['token']}/callback{query}"


async def test_three_seconds_for_the_first_answer(clock, rest, used):
    event, waiting = await used()
    clock.advance(2.9)
    assert (await rest("POST", callback(event), {"type": 5}))[0] == 204
    assert (await waiting).kind == "thinking"
    event, waiting = await used()
    clock.advance(3.1)
    assert (await waiting).failed
    status, answer = await rest("POST", callback(event), {"type": 4, "data": {"content": "late"}})
    assert (status, answer["code"]) == (404, 10062)


async def test_a_second_answer_is_refused(rest, used):
    event, _ = await used()
    status, answer = await rest(
        "POST", callback(event, "?with_response=1"), {"type": 4, "data": {"content": "1"}}
    )
    assert answer["resource"]["message"]["content"] == "1"
    assert answer["interaction"]["response_message_ephemeral"] is False
    status, answer = await rest("POST", callback(event), {"type": 4, "data": {"content": "2"}})
    assert (status, answer["code"]) == (400, 40060)


async def test_a_refused_answer_may_be_mended(rest, used):
    event, waiting = await used()
    status, answer = await rest("POST", callback(event), {"type": 4, "data": {"content": "x" * 2001}})
    assert (status, list(answer["errors"])) == (400, ["data"])
    assert (await rest("POST", callback(event), {"type": 4, "data": {"content": "x"}}))[0] == 204
    assert (await waiting).kind == "message"


async def test_only_fitting_answers(rest, used):
    event, _ = await used()
    for kind in (1, 2, 6, 7, 8, 99, "4", None):
        status, answer = await rest("POST", callback(event), {"type": kind})
        assert (status, list(answer["errors"])) == (400, ["type"])
    modal = {"custom_id": "m", "title": "x", "components": []}
    good = {"type": 18, "label": "x", "component": {"type": 4, "custom_id": "a", "style": 1}}
    bad_select = {"type": 3, "custom_id": "b", "options": [{"label": "x", "value": "x"}], "disabled": True}
    for parts in (
        [],
        [good] * 2,
        [{**good, "label": "x" * 46}],
        [{**good, "component": bad_select}],
        [{**good, "component": {"type": 21, "custom_id": "r", "options": [{"label": "x", "value": "x"}]}}],
        [{**good, "component": {**good["component"], "custom_id": str(i)}} for i in range(6)],
    ):
        body = {"type": 9, "data": {**modal, "components": parts}}
        assert (await rest("POST", callback(event), body))[1]["code"] == 50035
    body = {"type": 9, "data": {**modal, "components": [good], "title": "x" * 46}}
    assert (await rest("POST", callback(event), body))[1]["code"] == 50035
    assert (await rest("POST", callback(event), {"type": 9, "data": {**modal, "components": [good]}}))[
        0
    ] == 204


async def test_tokens_live_for_a_quarter_of_an_hour(clock, rest, used):
    event, _ = await used()
    hook = f"/webhooks/{used.app}/{event['token']}"
    status, answer = await rest("POST", hook, {"content": "too early"})
    assert (status, answer["code"]) == (404, 10015)
    await rest("POST", callback(event), {"type": 4, "data": {"content": "secret", "flags": 64}})
    clock.advance(14 * 60)
    assert (await rest("PATCH", f"{hook}/messages/@original", {"content": "changed"}))[0] == 200
    assert (await rest("POST", hook, {"content": "more"}))[0] == 200
    clock.advance(61)
    for method, path, body in (
        ("PATCH", f"{hook}/messages/@original", {"content": "x"}),
        ("POST", hook, {"content": "x"}),
        ("GET", f"{hook}/messages/@original", None),
    ):
        status, answer = await rest(method, path, body)
        assert (status, answer["code"]) == (401, 50027)


async def test_ephemerals_do_not_exist_for_the_bot_token(rest, used):
    event, waiting = await used()
    await rest("POST", callback(event), {"type": 4, "data": {"content": "secret", "flags": 64}})
    number = (await waiting).message_id
    path = f"/channels/{rest.channel('card-table')}/messages/{number}"
    for method, body in (("GET", None), ("PATCH", {"content": "x"}), ("DELETE", None)):
        status, answer = await rest(method, path, body)
        assert (status, answer["code"]) == (404, 10008)
    hook = f"/webhooks/{used.app}/{event['token']}/messages"
    assert (await rest("GET", f"{hook}/{number}"))[1]["content"] == "secret"
    assert (await rest("DELETE", f"{hook}/{number}"))[0] == 204
    assert (await rest("GET", f"{hook}/@original"))[1]["code"] == 10008


async def test_a_token_reaches_its_own_messages_only(rest, used):
    event, _ = await used()
    await rest("POST", callback(event), {"type": 4, "data": {"content": "mine"}})
    _, other = await rest("POST", f"/channels/{rest.channel('card-table')}/messages", {"content": "other"})
    hook = f"/webhooks/{used.app}/{event['token']}/messages/{other['id']}"
    assert (await rest("PATCH", hook, {"content": "x"}))[1]["code"] == 10008


async def test_autocomplete_answers_are_checked(rest, used, gateway):
    body = {"name": "x", "description": "x"}
    body["options"] = [{"type": 3, "name": "o", "description": "x", "autocomplete": True}]
    await rest("PUT", f"/applications/{used.app}/commands", [body])
    waiting = asyncio.create_task(used.ann.autocomplete("card-table", "x", focus="o", o="ab"))
    event = (await gateway.event("INTERACTION_CREATE"))["d"]
    assert event["type"] == 4
    assert event["data"]["options"] == [{"name": "o", "type": 3, "value": "ab", "focused": True}]
    choice = {"name": "x", "value": "x"}
    for choices in ([choice] * 26, [{**choice, "name": "x" * 101}], [{**choice, "value": "x" * 101}]):
        answer = await rest("POST", callback(event), {"type": 8, "data": {"choices": choices}})
        assert answer[1]["code"] == 50035
    assert (await rest("POST", callback(event), {"type": 5}))[1]["code"] == 50035
    await rest("POST", callback(event), {"type": 8, "data": {"choices": [choice]}})
    assert (await waiting).choices == [choice]


async def test_old_messages_have_few_edits_left(clock, rest):
    path = f"/channels/{rest.channel('card-table')}/messages"
    _, made = await rest("POST", path, {"content": "x"})
    clock.advance(3601)
    codes = []
    for i in range(6):
        status, answer = await rest("PATCH", f"{path}/{made['id']}", {"content": str(i)})
        codes.append((status, answer.get("code")))
        clock.advance(6)
    assert codes == [(200, None)] * 5 + [(429, 30046)]


async def test_five_messages_in_five_seconds(clock, rest):
    channels = [
        f"{rest.pg.base}/api/v10/channels/{rest.channel(n)}/messages" for n in ("card-table", "second-table")
    ]
    for remaining in (4, 3, 2, 1, 0):
        async with rest.session.post(channels[0], json={"content": "x"}, headers=rest.headers) as response:
            assert response.status == 200
            assert response.headers["X-RateLimit-Remaining"] == str(remaining)
    async with rest.session.post(channels[0], json={"content": "x"}, headers=rest.headers) as response:
        body = await response.json()
        assert response.status == 429
        assert 0 < body["retry_after"] <= 5
        assert body["global"] is False
        assert "Via" in response.headers
    async with rest.session.post(channels[1], json={"content": "x"}, headers=rest.headers) as response:
        assert response.status == 200
    clock.advance(5.1)
    async with rest.session.post(channels[0], json={"content": "x"}, headers=rest.headers) as response:
        assert response.status == 200


async def test_the_library_waits_by_itself(run_bot, connect):
    async with start() as real:
        bot = await run_bot(real)
        channel = next(c for c in bot.get_all_channels() if c.name == "card-table")
        for i in range(4):
            await asyncio.wait_for(channel.send(str(i)), 1)
        # The last one of the window returns only when the next window begins.
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(channel.send("5"), 0.3)
        assert not real.core.hub.errors


# The gateway ------------------------------------------------------------------------------


async def test_wrong_tokens_and_intents_close_the_gateway(pg):
    for fields, code in (
        ({"token": "wrong"}, 4004),
        ({"intents": 1 << 40}, 4013),
        ({"intents": 1 << 15}, 4014),
        ({"shard": [2, 1]}, 4010),
    ):
        raw = await RawGateway(pg).open()
        await raw.send(2, {"token": pg.token, "intents": 1, **fields})
        assert await raw.closed() == code
        await raw.close()
    for op, code in ((8, 4003), (77, 4003)):
        raw = await RawGateway(pg).open()
        await raw.send(op, {})
        assert await raw.closed() == code
        await raw.close()


async def test_the_library_says_that_a_token_is_wrong(pg):
    from tests.playground.sample_bot import point_at

    point_at(pg.base)
    client = make_client()
    with pytest.raises(discord.LoginFailure):
        await client.start("wrong")
    await client.close()


async def test_ready_heartbeat_and_guilds(pg, gateway):
    ready = await gateway.identify()
    world = pg.core.world
    assert [g["id"] for g in ready["guilds"]] == [str(world.home.id), str(world.odd.id)]
    for _ in ready["guilds"]:
        guild = (await gateway.event("GUILD_CREATE"))["d"]
        assert [m["user"]["id"] for m in guild["members"]] == [str(world.bot.id)]
    await gateway.send(1, 1)
    assert (await gateway.next(lambda f: True))["op"] == 11


async def test_events_follow_the_intents(pg, rest, connect):
    ann = await connect(pg, "ann")
    bare, full = await RawGateway(pg).open(), await RawGateway(pg).open()
    await bare.identify(1)
    await full.identify(1 | 1 << 9 | 1 << 12)
    await ann.say("card-table", "not for you")
    await ann.say("card-table", f"for <@{pg.core.world.bot.id}>")
    await ann.say("dm", "direct")
    assert {f["t"] for f in await bare.so_far()} == {"GUILD_CREATE"}
    seen = [f["d"]["content"] for f in await full.so_far() if f["t"] == "MESSAGE_CREATE"]
    assert seen == ["", f"for <@{pg.core.world.bot.id}>", "direct"]
    await bare.close()
    await full.close()


async def test_resume_replays_what_was_missed(pg, clock, connect, rest):
    ann = await connect(pg, "ann")
    raw = await RawGateway(pg).open()
    ready = await raw.identify(1 | 1 << 9)
    for _ in ready["guilds"]:
        await raw.event("GUILD_CREATE")
    seq = raw.frames[-1]["s"]
    await raw.close(hard=True)
    await until(lambda: not pg.core.gateway.connected)
    await ann.say("card-table", f"while away <@{pg.core.world.bot.id}>")
    again = await RawGateway(pg).open()
    await again.send(6, {"token": pg.token, "session_id": ready["session_id"], "seq": seq})
    missed = await again.event("MESSAGE_CREATE")
    assert missed["s"] == seq + 1
    assert missed["d"]["content"].startswith("while away")
    await again.event("RESUMED")
    await again.close(hard=True)
    await until(lambda: not pg.core.gateway.connected)
    clock.advance(200)
    late = await RawGateway(pg).open()
    await late.send(6, {"token": pg.token, "session_id": ready["session_id"], "seq": seq})
    assert (await late.next(lambda f: f["op"] == 9))["d"] is False
    await late.close()


async def test_the_library_resumes_and_the_press_is_in_time(run_bot, connect):
    async with start() as real:
        bot = await run_bot(real)
        ann = await connect(real, "ann")
        counter = await ann.command("card-table", "count")
        await ann.drop_gateway()
        pressed = await ann.press(counter.message_id, label="Count 1")
        assert pressed.kind == "update"
        assert len(real.core.gateway.sessions) == 1
        assert bot.is_ready()


async def test_shards_get_their_own_guilds(pg, clock):
    home = pg.core.world.home.id
    mine = (home >> 22) % 2
    right, wrong = await RawGateway(pg).open(), await RawGateway(pg).open()
    assert (await right.identify(1, shard=[mine, 2]))["guilds"]
    await wrong.send(2, {"token": pg.token, "intents": 1, "properties": {}, "shard": [1 - mine, 2]})
    assert (await wrong.next(lambda f: f["op"] == 9))["d"] is False  # too early after the other one
    clock.advance(5.1)
    assert not (await wrong.identify(1, shard=[1 - mine, 2]))["guilds"]
    await right.close()
    await wrong.close()


# Who may come in --------------------------------------------------------------------------


async def test_the_key_the_host_and_the_origin(pg):
    async with aiohttp.ClientSession() as session:

        async def status(path, **headers):
            async with session.get(f"{pg.base}{path}", headers=headers) as response:
                return response.status

        page = f"/k/{pg.key}/"
        assert await status(page) == 200
        assert await status(page, Origin=pg.base) == 200
        assert await status("/") == 403
        assert await status("/k/wrong/") == 403
        assert await status(page, Host="evil.example") == 403
        assert await status(page, Origin="http://evil.example") == 403
        assert await status("/api/v10/gateway", Origin="http://evil.example") == 403
        assert await status(f"{page}../server.py") in (403, 404)
        assert await status(f"{page}%2e%2e/server.py") in (403, 404)
        assert await status(f"{page}js/main.js") == 200
        for path, headers in (("/k/wrong/ws", {}), (f"{page}ws", {"Origin": "http://evil.example"})):
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(f"{pg.base}{path}", headers=headers)
        async with session.get(f"{pg.base}{page}") as response:
            policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await Person.connect(pg.page_url(), "Not A Name")


async def test_attachments_need_their_signature(pg, rest):
    _, made = await rest.form(
        "POST", f"/channels/{rest.channel('card-table')}/messages", {}, ("a.svg", b"<svg/>")
    )
    url = made["attachments"][0]["url"]
    async with rest.session.get(url) as response:
        assert response.status == 200
        assert response.headers["Content-Disposition"] == "attachment"
    async with rest.session.get(url[:-4] + "0000") as response:
        assert response.status == 404


async def test_only_this_machine():
    with pytest.raises(ValueError, match="this machine only"):
        start("0.0.0.0")


def test_a_real_token_stops_the_launch(capsys):
    from playground import run

    assert run(None, environment={"DISCORD_TOKEN": "MTk4NjIy.real.looking"}) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "DISCORD_TOKEN" in said


def test_errors_read_well():
    error = ApiError(
        400, 50035, "Invalid Form Body", {"a": {"0": {"_errors": [{"code": "C", "message": "m"}]}}}
    )
    assert error.lines() == ["a.0: m (C)"]


def test_the_clock_moves_in_order():
    clock, seen = ManualClock(), []
    clock.call_later(2, lambda: seen.append("b"))
    clock.call_later(1, lambda: seen.append("a"))
    clock.call_later(3, lambda: seen.append("c")).cancel()
    clock.advance(5)
    assert seen == ["a", "b"]


async def test_the_command_line_serves_and_runs_a_bot():
    bot = "import os; print('bot at', os.environ['VALENCE_DISCORD_BASE'], os.environ['DISCORD_TOKEN'])"
    command = [sys.executable, "-m", "playground", "--key", "k", "--", sys.executable, "-c", bot]
    env = {k: v for k, v in os.environ.items() if k != "DISCORD_TOKEN"}
    running = await asyncio.create_subprocess_exec(*command, env=env, stdout=asyncio.subprocess.PIPE)
    lines = [(await asyncio.wait_for(running.stdout.readline(), LIMIT_SECONDS)).decode() for _ in range(4)]
    running.send_signal(signal.SIGINT)
    assert await asyncio.wait_for(running.wait(), LIMIT_SECONDS) == 0
    base = next(line for line in lines if line.startswith("Open ")).split()[1].split("/k/")[0]
    assert f"bot at {base} playground\n" in lines
    assert any("ended with code 0" in line for line in lines)


async def test_people_have_a_language(pg, gateway, used):
    german = await Person.connect(pg.page_url(), "ann", locale="de")
    event, waiting = await used()
    assert event["locale"] == "de"
    waiting.cancel()
    await german.close()
