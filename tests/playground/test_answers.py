"""What the playground answers is checked against the same document as what it takes."""

from __future__ import annotations

import asyncio

import pytest

from playground.schema import check
from tests.support.waiting import until

V2_BODY = {
    "flags": 1 << 15,
    "components": [
        {
            "type": 17,
            "components": [
                {"type": 10, "content": "words"},
                {"type": 12, "items": [{"media": {"url": "https://example.org/a.png"}}]},
                {"type": 12, "items": [{"media": {"url": "attachment://a.png"}, "description": "alt"}]},
                {"type": 13, "file": {"url": "attachment://a.png"}},
                {"type": 14},
                {
                    "type": 9,
                    "components": [{"type": 10, "content": "x"}],
                    "accessory": {"type": 11, "media": {"url": "attachment://a.png"}},
                },
                {"type": 1, "components": [{"type": 2, "style": 1, "label": "x", "custom_id": "b"}]},
                {"type": 1, "components": [{"type": 5, "custom_id": "u"}]},
                {
                    "type": 1,
                    "components": [{"type": 3, "custom_id": "s", "options": [{"label": "x", "value": "y"}]}],
                },
            ],
        }
    ],
}


@pytest.fixture
async def places(pg, rest, connect):
    ann = await connect(pg, "ann")
    channel = f"/channels/{rest.channel('card-table')}"
    status, made = await rest.form("POST", f"{channel}/messages", V2_BODY, ("a.png", b"x"))
    assert status == 200, made
    return {
        "{app}": str(pg.core.world.application_id),
        "{ann}": ann.me["id"],
        "{channel}": channel,
        "{guild}": f"/guilds/{pg.core.world.home.id}",
        "{message}": made["id"],
    }


@pytest.mark.parametrize(
    ("method", "path", "schema", "body"),
    [
        ("GET", "{channel}/messages/{message}", "MessageResponse", None),
        ("GET", "{channel}/messages", "[]MessageResponse", None),
        (
            "POST",
            "{channel}/messages",
            "MessageResponse",
            {"content": "x", "embeds": [{"title": "x"}], "message_reference": {"message_id": "{message}"}},
        ),
        ("GET", "{channel}", "GuildChannelResponse", None),
        ("POST", "{channel}/messages/{message}/threads", "ThreadResponse", {"name": "t"}),
        ("POST", "{channel}/threads", "ThreadResponse", {"name": "t"}),
        ("POST", "/users/@me/channels", "PrivateChannelResponse", {"recipient_id": "{ann}"}),
        ("GET", "{guild}", "GuildWithCountsResponse", None),
        ("GET", "{guild}/members/{ann}", "GuildMemberResponse", None),
        ("GET", "{guild}/members/search?query=an", "[]GuildMemberResponse", None),
        ("GET", "{guild}/roles", "[]GuildRoleResponse", None),
        ("GET", "/users/{ann}", "UserResponse", None),
        ("GET", "/users/@me", "UserPIIResponse", None),
        ("GET", "/applications/@me", "PrivateApplicationResponse", None),
        ("GET", "/gateway/bot", "GatewayBotResponse", None),
        (
            "PUT",
            "/applications/{app}/commands",
            "[]ApplicationCommandResponse",
            [{"name": "x", "description": "y", "options": [{"type": 3, "name": "a", "description": "b"}]}],
        ),
        (
            "POST",
            "/applications/{app}/emojis",
            "EmojiResponse",
            {"name": "ace", "image": "data:image/png;base64,aGVsbG8="},
        ),
    ],
)
async def test_answers_fit_the_document(  # noqa: PLR0917 - fixtures
    rest, places, method, path, schema, body
):
    def fill(value):
        if isinstance(value, str):
            for name, word in places.items():
                value = value.replace(name, word)
            return value
        if isinstance(value, dict):
            return {key: fill(item) for key, item in value.items()}
        return [fill(item) for item in value] if isinstance(value, list) else value

    status, answer = await rest(method, fill(path), fill(body))
    assert status == 200, answer
    check(schema, answer)


async def test_callback_answers_fit_the_document(pg, rest, connect):
    ann = await connect(pg, "ann")
    app = pg.core.world.application_id
    await rest("PUT", f"/applications/{app}/commands", [{"name": "x", "description": "y"}])
    waiting = asyncio.create_task(ann.command("card-table", "x"))
    await until(lambda: pg.core.interactions._by_id)
    it = next(reversed(pg.core.interactions._by_id.values()))
    path = f"/interactions/{it.id}/{it.token}/callback?with_response=1"
    _, answer = await rest("POST", path, {"type": 4, "data": {"content": "x", "flags": 64}})
    check("InteractionCallbackResponse", answer)
    _, answer = await rest("GET", f"/webhooks/{app}/{it.token}/messages/@original")
    check("MessageResponse", answer)
    await waiting
