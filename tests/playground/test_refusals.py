"""Everything that Discord refuses, with its codes."""

from __future__ import annotations

import discord
import pytest

from playground import permissions as perm
from playground.errors import ApiError
from playground.rules.messages import check_modal

BUTTON = {"type": 2, "style": 1, "label": "x", "custom_id": "a"}
OPTION = {"label": "x", "value": "x"}
V2 = 1 << 15


def row(*items):
    return {"type": 1, "components": list(items)}


def select(**fields):
    return row({"type": 3, "custom_id": "s", "options": [OPTION], **fields})


def text(words="x"):
    return {"type": 10, "content": words}


def gallery(url="https://example.org/a.png", **fields):
    return {"type": 12, "items": [{"media": {"url": url}, **fields}]}


def v2(*components, **fields):
    return {"flags": V2, "components": list(components), **fields}


def legacy(*components, **fields):
    return {"content": "x", "components": list(components), **fields}


def leaves(tree, path=""):
    found = {}
    for key, value in (tree or {}).items():
        if key == "_errors":
            found[path] = {item["code"] for item in value}
        else:
            found.update(leaves(value, f"{path}.{key}" if path else key))
    return found


BAD_MESSAGES = {
    "content over 2000": ({"content": "x" * 2001}, "content"),
    "label over 80": (legacy(row({**BUTTON, "label": "x" * 81})), "components.0.components.0.label"),
    "custom_id empty": (legacy(row({**BUTTON, "custom_id": ""})), "components.0.components.0.custom_id"),
    "custom_id over 100": (
        legacy(row({**BUTTON, "custom_id": "x" * 101})),
        "components.0.components.0.custom_id",
    ),
    "custom_id twice": (legacy(row(BUTTON, BUTTON)), "components.0.components.1.custom_id"),
    "six buttons": (
        legacy(row(*({**BUTTON, "custom_id": str(i)} for i in range(6)))),
        "components.0.components",
    ),
    "six rows": (legacy(*(row({**BUTTON, "custom_id": str(i)}) for i in range(6))), "components"),
    "select beside a button": (
        legacy(row(BUTTON, select()["components"][0])),
        "components.0.components",
    ),
    "button without label": (
        legacy(row({"type": 2, "style": 1, "custom_id": "a"})),
        "components.0.components.0.label",
    ),
    "link with custom_id": (
        legacy(row({**BUTTON, "style": 5, "url": "https://example.org"})),
        "components.0.components.0.custom_id",
    ),
    "link to a script": (
        legacy(row({"type": 2, "style": 5, "label": "x", "url": "javascript:alert(1)"})),
        "components.0.components.0.url",
    ),
    "playing card as emoji": (
        legacy(row({**BUTTON, "emoji": {"name": "\U0001f0a1"}})),
        "components.0.components.0.emoji.name",
    ),
    "suit without FE0F": (
        legacy(row({**BUTTON, "emoji": {"name": "♠"}})),
        "components.0.components.0.emoji.name",
    ),
    "unknown application emoji": (
        legacy(row({**BUTTON, "emoji": {"name": "x", "id": "123"}})),
        "components.0.components.0.emoji.id",
    ),
    "26 options": (
        legacy(select(options=[{"label": "x", "value": str(i)} for i in range(26)])),
        "components.0.components.0.options",
    ),
    "no options": (legacy(select(options=[])), "components.0.components.0.options"),
    "option value twice": (
        legacy(select(options=[OPTION, OPTION])),
        "components.0.components.0.options.1.value",
    ),
    "option label over 100": (
        legacy(select(options=[{"label": "x" * 101, "value": "x"}])),
        "components.0.components.0.options.0.label",
    ),
    "min above max": (
        legacy(select(min_values=2, max_values=1)),
        "components.0.components.0.min_values",
    ),
    "too many defaults": (
        legacy(select(options=[{**OPTION, "default": True}, {"label": "y", "value": "y", "default": True}])),
        "components.0.components.0.options",
    ),
    "required, and yet empty at will": (
        legacy(select(min_values=0, required=True)),
        "components.0.components.0.min_values",
    ),
    "placeholder over 150": (
        legacy(select(placeholder="x" * 151)),
        "components.0.components.0.placeholder",
    ),
    "v2 part without the flag": (legacy(text()), "components.0.type"),
    "content with v2": (v2(text(), content="x"), "content"),
    "embed with v2": (v2(text(), embeds=[{"title": "x"}]), "embeds"),
    "41 components": (v2(*(text() for _ in range(41))), "components"),
    "41 with nested ones": (
        v2(*({"type": 17, "components": [text() for _ in range(20)]} for _ in range(2))),
        "components",
    ),
    "4001 characters": (v2(text("x" * 2001), text("x" * 2000)), "components"),
    "four texts in a section": (
        v2({"type": 9, "components": [text() for _ in range(4)], "accessory": BUTTON}),
        "components.0.components",
    ),
    "section without accessory": (v2({"type": 9, "components": [text()]}), "components.0.accessory"),
    "eleven pictures": (
        v2({"type": 12, "items": [{"media": {"url": "https://example.org"}}] * 11}),
        "components.0.items",
    ),
    "alt text over 1024": (v2(gallery(description="x" * 1025)), "components.0.items.0.description"),
    "unknown attachment": (v2(gallery("attachment://no.png")), "components.0.items.0.media.url"),
    "file from elsewhere": (
        v2({"type": 13, "file": {"url": "https://example.org"}}),
        "components.0.file.url",
    ),
    "unknown component": (legacy({"type": 99}), "components.0.type"),
    "embeds over 6000": (
        {"embeds": [{"description": "x" * 3001}, {"description": "x" * 3000}]},
        "embeds",
    ),
    "embed title over 256": ({"embeds": [{"title": "x" * 257}]}, "embeds.0.title"),
    "mentions both ways": (
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
    ),
}


@pytest.mark.parametrize("name", BAD_MESSAGES)
async def test_a_bad_message_is_refused_at_its_path(rest, name):
    body, path = BAD_MESSAGES[name]
    status, answer = await rest("POST", f"/channels/{rest.channel('card-table')}/messages", body)
    assert (status, answer["code"]) == (400, 50035), answer
    assert path in leaves(answer["errors"]), answer
    assert not rest.pg.core.world.find_channel("card-table").messages


GOOD_MESSAGES = {
    "suits and the joker": legacy(
        row(*({**BUTTON, "custom_id": e, "emoji": {"name": e}} for e in ("♠️", "♥️", "♦️", "♣️", "\U0001f0cf")))
    ),
    "flags, keycaps and joined emoji": legacy(
        row(*({**BUTTON, "custom_id": e, "emoji": {"name": e}} for e in ("🇩🇪", "1️⃣", "🏃‍♂️", "👍🏽")))
    ),
    "forty components": v2(*(text() for _ in range(40))),
    "four thousand characters": v2(text("x" * 4000)),
    "two thousand characters": {"content": "x" * 2000},
    "a select that may stay empty": legacy(select(min_values=0)),
    "playing cards as text": {"content": "\U0001f0a1\U0001f0b1"},
}


@pytest.mark.parametrize("name", GOOD_MESSAGES)
async def test_what_is_just_allowed_passes(rest, name):
    status, answer = await rest(
        "POST", f"/channels/{rest.channel('card-table')}/messages", GOOD_MESSAGES[name]
    )
    assert status == 200, answer


def command(**fields):
    return {"name": "x", "description": "x", **fields}


def option(**fields):
    return {"type": 3, "name": "x", "description": "x", **fields}


BAD_COMMANDS = {
    "upper case": (command(name="Play"), "0.name"),
    "space": (command(name="p y"), "0.name"),
    "description missing": ({"name": "x"}, "0.description"),
    "description over 100": (command(description="x" * 101), "0.description"),
    "26 options": (command(options=[option(name=f"o{i}") for i in range(26)]), "0.options"),
    "required last": (command(options=[option(name="a"), option(name="b", required=True)]), "0.options.1"),
    "option twice": (command(options=[option(), option()]), "0.options.1.name"),
    "26 choices": (
        command(options=[option(choices=[{"name": str(i), "value": str(i)} for i in range(26)])]),
        "0.options.0.choices",
    ),
    "choices and autocomplete": (
        command(options=[option(choices=[{"name": "a", "value": "a"}], autocomplete=True)]),
        "0.options.0.autocomplete",
    ),
    "subcommand beside an option": (command(options=[option(), option(type=1, name="y")]), "0.options"),
    "over 8000 characters": (
        command(
            options=[
                option(
                    name=f"o{i}",
                    description="x" * 100,
                    choices=[{"name": f"{j:099}", "value": f"{j:0100}"} for j in range(10)],
                )
                for i in range(4)
            ]
        ),
        "0",
    ),
    "localised name": (command(name_localizations={"de": "Spielen Sie"}), "0.name_localizations.de"),
}


@pytest.mark.parametrize("name", BAD_COMMANDS)
async def test_a_bad_command_is_refused_at_its_path(rest, name):
    body, path = BAD_COMMANDS[name]
    app = rest.pg.core.world.application_id
    status, answer = await rest("PUT", f"/applications/{app}/commands", [body])
    assert (status, answer["code"]) == (400, 50035), answer
    assert path in leaves(answer["errors"]), answer


async def test_a_hundred_and_one_commands_are_too_many(rest):
    app = rest.pg.core.world.application_id
    many = [command(name=f"c{i}") for i in range(101)]
    status, answer = await rest("PUT", f"/applications/{app}/commands", many)
    assert (status, answer["code"]) == (400, 30032)
    status, answer = await rest("PUT", f"/applications/{app}/commands", many[:100])
    assert status == 200
    assert answer[0]["integration_types"] == [0]


async def test_a_list_of_commands_cannot_leave_out_the_entry_point(rest):
    path = f"/applications/{rest.pg.core.world.application_id}/commands"
    status, made = await rest("POST", path, {"type": 4, "name": "launch", "handler": 2})
    assert status == 200
    status, answer = await rest("PUT", path, [command(name="play")])
    assert (status, answer["code"]) == (400, 50240)
    launch = {key: made[key] for key in ("id", "type", "name", "handler")}
    status, answer = await rest("PUT", path, [command(name="play"), launch])
    assert (status, [one["name"] for one in answer]) == (200, ["play", "launch"])


async def test_the_wrong_token(rest):
    status, answer = await rest("GET", "/users/@me", headers={"Authorization": "Bot wrong"})
    assert (status, answer) == (401, {"message": "401: Unauthorized", "code": 0})


@pytest.mark.parametrize(
    ("method", "path", "body", "expected"),
    [
        ("GET", "/channels/1", None, (404, 10003)),
        ("GET", "/channels/{hidden}", None, (403, 50001)),
        ("GET", "/channels/{lounge}", None, (403, 50001)),
        ("POST", "/channels/{quiet}/messages", {"content": "x"}, (403, 50013)),
        ("POST", "/channels/{hidden}/messages", {"content": "x"}, (403, 50001)),
        ("GET", "/channels/{card-table}/messages/1", None, (404, 10008)),
        ("PATCH", "/channels/{card-table}", {"name": "x"}, (403, 50013)),
        ("DELETE", "/channels/{card-table}", None, (403, 50013)),
        ("POST", "/channels/{card-table}/messages", {}, (400, 50006)),
        ("GET", "/guilds/1", None, (404, 10004)),
        ("GET", "/users/1", None, (404, 10013)),
        ("POST", "/users/@me/channels", {"recipient_id": "1"}, (404, 10013)),
        ("POST", "/channels/{card-table}/threads", {"name": "x" * 101}, (400, 50035)),
        ("POST", "/channels/{card-table}/threads", {"name": "x", "auto_archive_duration": 7}, (400, 50035)),
        ("GET", "/nowhere", None, (404, 0)),
        ("POST", "/interactions/1/abc/callback", {"type": 4}, (404, 10062)),
        ("POST", "/webhooks/{app}/abc", {"content": "x"}, (401, 50027)),
    ],
)
async def test_unknown_hidden_and_forbidden(rest, method, path, body, expected):
    names = {name: rest.channel(name) for name in ("hidden", "lounge", "quiet", "card-table")}
    for name, number in {**names, "app": rest.pg.core.world.application_id}.items():
        path = path.replace(f"{{{name}}}", str(number))
    status, answer = await rest(method, path, body)
    assert (status, answer["code"]) == expected


async def test_files_need_their_right_and_size(rest, connect):
    channel = f"/channels/{rest.channel('card-table')}/messages"
    status, answer = await rest.form("POST", channel, {"attachments": [{"id": 0}]}, ("a.png", b"x"))
    assert status == 200
    assert answer["attachments"][0]["filename"] == "a.png"
    status, answer = await rest.form("POST", channel, {}, ("a.bin", bytes(10 * 1024 * 1024 + 1)))
    assert (status, answer["code"]) == (413, 40005)
    status, answer = await rest(
        "POST", channel, {"content": "x", "attachments": [{"id": 0, "filename": "x"}]}
    )
    assert (status, answer["code"]) == (400, 50035)
    mia = await connect(rest.pg, "mia")
    await mia.bot_rights("card-table", attach_files=False)
    status, answer = await rest.form("POST", channel, {"content": "x"}, ("a.png", b"x"))
    assert (status, answer["code"]) == (403, 50013)
    await mia.bot_rights("card-table", attach_files=None, view_channel=False)
    status, answer = await rest("POST", channel, {"content": "x"})
    assert (status, answer["code"]) == (403, 50001)


async def test_the_v2_flag_stays(rest):
    channel = f"/channels/{rest.channel('card-table')}/messages"
    _, made = await rest("POST", channel, v2(text("hello")))
    status, answer = await rest("PATCH", f"{channel}/{made['id']}", {"flags": 0, "components": [text()]})
    assert (status, answer["code"]) == (400, 50035)
    status, answer = await rest("PATCH", f"{channel}/{made['id']}", {"content": "words"})
    assert (status, answer["code"]) == (400, 50035)
    _, old = await rest("POST", channel, {"content": "words"})
    status, answer = await rest("PATCH", f"{channel}/{old['id']}", v2(text()))
    assert "content" in answer["errors"]
    status, answer = await rest("PATCH", f"{channel}/{old['id']}", v2(text(), content=None, embeds=[]))
    assert status == 200


async def test_edits_keep_and_replace_attachments(rest):
    channel = f"/channels/{rest.channel('card-table')}/messages"
    body = v2(gallery("attachment://a.png"), attachments=[{"id": 0, "description": "alt"}])
    status, made = await rest.form("POST", channel, body, ("a.png", b"one"))
    assert status == 200
    media = made["components"][0]["items"][0]["media"]
    assert media["attachment_id"] == made["attachments"][0]["id"]
    status, kept = await rest("PATCH", f"{channel}/{made['id']}", v2(gallery("attachment://a.png")))
    assert status == 200
    assert kept["attachments"][0]["id"] == made["attachments"][0]["id"]
    body = v2(gallery("attachment://a.png"), attachments=[{"id": 0}])
    status, fresh = await rest.form("PATCH", f"{channel}/{made['id']}", body, ("a.png", b"two"))
    assert status == 200
    assert [a["id"] for a in fresh["attachments"]] != [a["id"] for a in made["attachments"]]
    status, _ = await rest(
        "PATCH", f"{channel}/{made['id']}", v2(gallery("attachment://a.png"), attachments=[])
    )
    assert status == 400


async def test_others_messages_are_not_edited_but_moderated_away(rest, connect):
    ann, mia = await connect(rest.pg, "ann"), await connect(rest.pg, "mia")
    said = await ann.say("card-table", "mine")
    path = f"/channels/{rest.channel('card-table')}/messages/{said}"
    assert (await rest("PATCH", path, {"content": "yours"}))[1]["code"] == 50005
    assert (await rest("DELETE", path))[1]["code"] == 50013
    await mia.bot_rights("card-table", manage_messages=True)
    assert (await rest("DELETE", path))[0] == 204


async def test_application_emoji(rest):
    app = rest.pg.core.world.application_id
    image = "data:image/png;base64,aGVsbG8="
    status, made = await rest("POST", f"/applications/{app}/emojis", {"name": "ace", "image": image})
    assert status == 200
    button = {**BUTTON, "emoji": {"name": "ace", "id": made["id"]}}
    status, _ = await rest("POST", f"/channels/{rest.channel('card-table')}/messages", legacy(row(button)))
    assert status == 200
    for bad in (
        {"name": "ace", "image": image},
        {"name": "a-b", "image": image},
        {"name": "b2", "image": "x"},
    ):
        assert (await rest("POST", f"/applications/{app}/emojis", bad))[1]["code"] == 50035
    assert (await rest("GET", f"/applications/{app}/emojis"))[1]["items"][0]["name"] == "ace"
    assert (await rest("DELETE", f"/applications/{app}/emojis/{made['id']}"))[0] == 204


async def test_refusals_are_shown_to_people(rest, connect):
    ann = await connect(rest.pg, "ann")
    await rest("POST", f"/channels/{rest.channel('card-table')}/messages", {"content": "x" * 2001})
    await ann.wait_for(lambda: ann.errors)
    assert ann.errors[0]["code"] == 50035
    assert ann.errors[0]["lines"] == ["content: Must be 2000 or fewer in length. (BASE_TYPE_MAX_LENGTH)"]


BAD_ASKED = {
    "select": {"type": 3, "options": [OPTION]},
    "checkboxes": {"type": 22, "options": [OPTION]},
    "files": {"type": 19},
}


@pytest.mark.parametrize("name", BAD_ASKED)
def test_what_a_form_must_have_answered_cannot_stay_empty(name):
    asked = {"custom_id": "a", "min_values": 0, **BAD_ASKED[name]}
    form = {"title": "x", "custom_id": "f", "components": [{"type": 18, "label": "x", "component": asked}]}
    with pytest.raises(ApiError) as refused:
        check_modal(form, ())
    assert "data.components.0.component.min_values" in leaves(refused.value.errors)
    asked["required"] = False
    check_modal(form, ())


def test_bits_are_discords():
    assert perm.VIEW_CHANNEL == 1024
    assert perm.USE_APPLICATION_COMMANDS == 2147483648
    ours = {name: bit for name, bit in vars(perm).items() if isinstance(bit, int) and bit.bit_count() == 1}
    ours["CREATE_INSTANT_INVITE"] = ours.pop("CREATE_INVITE")
    assert {"CREATE_EVENTS", "PIN_MESSAGES"} <= ours.keys()
    wrong = {name for name, bit in ours.items() if discord.Permissions(**{name.lower(): True}).value != bit}
    assert not wrong
