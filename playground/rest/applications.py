"""REST: the application itself, its commands, its emoji, and where the gateway is."""

from __future__ import annotations

import base64
import binascii
import re

from playground import payloads
from playground.errors import ApiError, invalid, missing_access, unknown
from playground.gateway import MAX_CONCURRENCY
from playground.model import Command, Emoji, Json
from playground.rest.routing import Call, route
from playground.rules import commands
from playground.schema import check as check_schema

_APP = "/applications/{app_id}"
ENTRY_POINT = 4
_GLOBAL = _APP + "/commands"
_LOCAL = _APP + "/guilds/{guild_id}/commands"
_EMOJIS = _APP + "/emojis"
_DATA_URI = re.compile(r"data:(image/(?:png|jpeg|gif|webp));base64,(.+)", re.DOTALL)
MAX_EMOJIS, MAX_EMOJI_BYTES = 2000, 256 * 1024


@route("GET", "/gateway", public=True)
def gateway(call: Call) -> Json:
    """Say where the gateway is."""
    return {"url": call.core.gateway.url}


@route("GET", "/gateway/bot")
def gateway_bot(call: Call) -> Json:
    """Say where the gateway is and how many shards to use."""
    limits = {"total": 1000, "remaining": 999, "reset_after": 86_400_000, "max_concurrency": MAX_CONCURRENCY}
    return {"url": call.core.gateway.url, "shards": 1, "session_start_limit": limits}


@route("GET", "/applications/@me")
@route("GET", "/oauth2/applications/@me")
def application(call: Call) -> Json:
    """Read the application."""
    return payloads.application(call.core.world)


@route("PATCH", "/applications/@me")
def edit_application(call: Call) -> Json:
    """Change the application's description."""
    call.core.world.bio = (call.body or {}).get("description", call.core.world.bio)
    return payloads.application(call.core.world)


def _check_app(call: Call) -> None:
    if call.number("app_id") != call.core.world.application_id:
        raise ApiError(403, 20012, "You are not authorized to perform this action on this application")


def _scope(call: Call) -> int | None:
    _check_app(call)
    if "guild_id" not in call.params:
        return None
    guild = call.core.world.guilds.get(call.number("guild_id"))
    if guild is None or not guild.installed:
        raise missing_access()
    return guild.id


def _of(call: Call, scope: int | None) -> list[Command]:
    return [c for c in call.core.world.commands.values() if c.guild_id == scope]


@route("GET", _GLOBAL)
@route("GET", _LOCAL)
def read_commands(call: Call) -> list[Json]:
    """List the commands of a scope."""
    return [payloads.command(c, call.core.world) for c in _of(call, _scope(call))]


@route("PUT", _GLOBAL)
@route("PUT", _LOCAL)
def put_commands(call: Call) -> list[Json]:
    """Replace all commands of a scope; a command that keeps its name and type keeps its id."""
    scope, world = _scope(call), call.core.world
    bodies: list[Json] = call.body or []
    check_schema("[]ApplicationCommandUpdateRequest", bodies)
    commands.check_all(bodies)
    old = {(c.kind, c.name): c for c in _of(call, scope)}
    told = {(int(body.get("type") or 1), body["name"]) for body in bodies}
    if any(command.kind == ENTRY_POINT and key not in told for key, command in old.items()):
        raise ApiError(
            400,
            50240,
            "You cannot remove this app's Entry Point command in a bulk update operation. Please include the"
            " Entry Point command in your update request or delete it separately.",
        )
    for command in old.values():
        del world.commands[command.id]
    made = []
    for body in bodies:
        before = old.get((int(body.get("type") or 1), body["name"]))
        made.append(_store(call, scope, body, before))
    call.core.tell_commands()
    return [payloads.command(c, world) for c in made]


def _store(call: Call, scope: int | None, body: Json, before: Command | None) -> Command:
    world = call.core.world
    body = {key: value for key, value in body.items() if value is not None or key == "contexts"}
    same = before is not None and before.body == body
    number = before.id if before else world.ids.next()
    version = before.version if before and same else world.ids.next()
    command = Command(number, version, scope, body)
    world.commands[number] = command
    return command


@route("POST", _GLOBAL)
@route("POST", _LOCAL)
def post_command(call: Call) -> Json:
    """Add one command; the same name and type replaces."""
    scope, body = _scope(call), call.body or {}
    check_schema("ApplicationCommandCreateRequest", body)
    commands.check_all([body], bulk=False)
    mine = _of(call, scope)
    before = next((c for c in mine if (c.kind, c.name) == (int(body.get("type") or 1), body["name"])), None)
    commands.check_all([*(c.body for c in mine if c is not before), body])
    command = _store(call, scope, body, before)
    call.core.tell_commands()
    return payloads.command(command, call.core.world)


def _command(call: Call) -> Command:
    scope = _scope(call)
    command = call.core.world.commands.get(call.number("command_id"))
    if command is None or command.guild_id != scope:
        raise unknown("application command")
    return command


@route("GET", _GLOBAL + "/{command_id}")
@route("GET", _LOCAL + "/{command_id}")
def read_command(call: Call) -> Json:
    """Read one command."""
    return payloads.command(_command(call), call.core.world)


@route("PATCH", _GLOBAL + "/{command_id}")
@route("PATCH", _LOCAL + "/{command_id}")
def patch_command(call: Call) -> Json:
    """Change one command."""
    command = _command(call)
    check_schema("ApplicationCommandPatchRequestPartial", call.body or {})
    body = {**command.body, **(call.body or {})}
    commands.check_all([body], bulk=False)
    fresh = _store(call, command.guild_id, body, command)
    call.core.tell_commands()
    return payloads.command(fresh, call.core.world)


@route("DELETE", _GLOBAL + "/{command_id}")
@route("DELETE", _LOCAL + "/{command_id}")
def delete_command(call: Call) -> None:
    """Remove one command."""
    del call.core.world.commands[_command(call).id]
    call.core.tell_commands()


# Emoji ------------------------------------------------------------------------------------


@route("GET", _EMOJIS)
def emojis(call: Call) -> Json:
    """List the application's emoji."""
    _check_app(call)
    return {"items": [payloads.emoji(e) for e in call.core.world.emojis.values()]}


@route("POST", _EMOJIS)
def create_emoji(call: Call) -> Json:
    """Add an emoji from a data URI."""
    _check_app(call)
    world, body = call.core.world, call.body or {}
    name = str(body.get("name", ""))
    if not re.fullmatch(r"\w{2,32}", name):
        raise invalid(("name",), "STRING_TYPE_REGEX", "String value did not match validation regex.")
    if any(e.name == name for e in world.emojis.values()):
        raise invalid(("name",), "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "Emoji name already taken")
    if len(world.emojis) >= MAX_EMOJIS:
        raise ApiError(400, 30008, f"Maximum number of emojis reached ({MAX_EMOJIS})")
    match = _DATA_URI.fullmatch(str(body.get("image", "")))
    try:
        data = base64.b64decode(match[2], validate=True) if match else b""
    except binascii.Error:
        data = b""
    if not match or not data:
        raise invalid(("image",), "IMAGE_INVALID", "Invalid image data")
    if len(data) > MAX_EMOJI_BYTES:
        raise invalid(("image",), "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    emoji = Emoji(world.ids.next(), name, data, match[1], match[1] == "image/gif", world.bot)
    world.emojis[emoji.id] = emoji
    return payloads.emoji(emoji)


def _emoji(call: Call) -> Emoji:
    _check_app(call)
    found = call.core.world.emojis.get(call.number("emoji_id"))
    if found is None:
        raise unknown("Emoji")
    return found


@route("GET", _EMOJIS + "/{emoji_id}")
def read_emoji(call: Call) -> Json:
    """Read one emoji."""
    return payloads.emoji(_emoji(call))


@route("PATCH", _EMOJIS + "/{emoji_id}")
def rename_emoji(call: Call) -> Json:
    """Rename an emoji."""
    emoji = _emoji(call)
    emoji.name = str((call.body or {}).get("name", emoji.name))
    return payloads.emoji(emoji)


@route("DELETE", _EMOJIS + "/{emoji_id}")
def delete_emoji(call: Call) -> None:
    """Remove an emoji."""
    del call.core.world.emojis[_emoji(call).id]


# Things that a library asks for and that are always empty here -----------------------------


@route("GET", _APP + "/entitlements")
@route("GET", _APP + "/skus")
def nothing(call: Call) -> list[Json]:
    """List what was bought: nothing."""
    _check_app(call)
    return []
