"""Commands as people use them: which are there, and what they filled in as interaction data."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from playground import payloads
from playground import permissions as perm
from playground.actions.interactions import context_of
from playground.files import Files, Upload
from playground.model import Channel, Command, Json, Member, User
from playground.world import World

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER = 1, 2, 3, 4, 5, 6
CHANNEL, ROLE, MENTIONABLE, NUMBER, FILE = 7, 8, 9, 10, 11
_RESOLVED = frozenset({USER, CHANNEL, ROLE, MENTIONABLE, FILE})


class OptionRefused(Exception):
    """What the page tells a person who cannot do this. `field` names the input at fault."""

    def __init__(self, words: str, field: str | None = None) -> None:
        super().__init__(words)
        self.words = words
        self.field = field


def owners_for(command: Command, channel: Channel, user: User) -> Json | None:
    """Return who brought the app for this command here, or None when it is not available."""
    body = command.body
    guild = channel.guild
    if command.guild_id is not None:
        return {"0": str(guild.id)} if guild and guild.id == command.guild_id else None
    kinds = body.get("integration_types") or [0]
    contexts = body.get("contexts")
    if contexts is None:
        contexts = [0, 1, 2] if body.get("dm_permission", True) else [0]
    context = context_of(channel)
    if context not in contexts:
        return None
    owners: Json = {}
    if 0 in kinds and context == 0 and guild and guild.installed:
        owners["0"] = str(guild.id)
    if 0 in kinds and context == 1:
        owners["0"] = "0"
    if 1 in kinds:
        owners["1"] = str(user.id)
    return owners or None


def permitted(command: Command, channel: Channel, rights: int) -> bool:
    """Say whether a person's rights suffice for a command's default permissions."""
    needed = command.body.get("default_member_permissions")
    if channel.guild is None or needed is None:
        return True
    if int(needed) == 0:
        return rights == perm.ALL
    return rights & int(needed) == int(needed)


def available(world: World, channel: Channel, user: User) -> list[Command]:
    """Return the commands that a person can use in a channel."""
    rights = world.rights(channel, user)
    if not rights & perm.USE_APPLICATION_COMMANDS:
        return []
    found = [
        c for c in world.commands.values() if owners_for(c, channel, user) and permitted(c, channel, rights)
    ]
    return sorted(found, key=lambda c: (c.kind, c.name))


class Filler:
    """Builds the data of one command interaction and what its ids stand for."""

    def __init__(self, world: World, files: Files, channel: Channel) -> None:
        self._world = world
        self._files = files
        self._channel = channel
        self.resolved: dict[str, Json] = {}

    def data(
        self, command: Command, path: list[str], values: Mapping[str, object], focus: str | None
    ) -> Json:
        """Return the interaction data. With `focus`, as autocomplete sends it. Raises Refused."""
        body: Json = {"id": str(command.id), "name": command.name, "type": 1}
        if command.guild_id is not None:
            body["guild_id"] = str(command.guild_id)
        options = command.body.get("options") or []
        holders: list[Json] = [body]
        for name in path:
            step = next((o for o in options if o["name"] == name and o["type"] in (SUBCOMMAND, GROUP)), None)
            if step is None:
                raise OptionRefused(f"There is no /{command.name} {' '.join(path)}")
            holder: Json = {"name": name, "type": step["type"]}
            holders[-1]["options"] = [holder]
            holders.append(holder)
            options = step.get("options") or []
        if any(o["type"] in (SUBCOMMAND, GROUP) for o in options):
            raise OptionRefused(f"/{command.name} needs a subcommand")
        filled = self._fill(options, values, focus)
        if filled or len(holders) > 1:
            holders[-1]["options"] = filled
        if self.resolved:
            body["resolved"] = self.resolved
        return body

    def _fill(self, options: list[Json], values: Mapping[str, object], focus: str | None) -> list[Json]:
        known = {o["name"] for o in options}
        for name in values:
            if name not in known:
                raise OptionRefused(f"There is no option “{name}”", name)
        filled = []
        for option in options:
            name = option["name"]
            focused = name == focus
            value = values.get(name)
            if value is None or (value == "" and not focused):
                if option.get("required") and focus is None:
                    raise OptionRefused("This option is required. Specify a value.", name)
                if not focused:
                    continue
                value = ""
            if focused:
                filled.append({"name": name, "type": option["type"], "value": str(value), "focused": True})
                continue
            try:
                filled.append({"name": name, "type": option["type"], "value": self._value(option, value)})
            except OptionRefused:
                # While somebody types, the other options may be half done.
                if focus is None:
                    raise
        return filled

    def _value(self, option: Json, value: object) -> object:
        kind, name = option["type"], option["name"]
        if kind in (STRING, INTEGER, NUMBER):
            return self._plain(option, value)
        if kind == BOOLEAN:
            if isinstance(value, bool):
                return value
            if str(value).lower() in ("true", "false"):
                return str(value).lower() == "true"
            raise OptionRefused("Not a valid boolean.", name)
        if kind == FILE:
            return self.file(value, name)
        return self.thing(kind, value, name, option.get("channel_types"))

    def _plain(self, option: Json, value: Any) -> Any:
        kind, name = option["type"], option["name"]
        choices = option.get("choices")
        if choices:
            for choice in choices:
                if str(value).casefold() in (str(choice["value"]).casefold(), choice["name"].casefold()):
                    return choice["value"]
            raise OptionRefused("Not one of the choices.", name)
        if kind == STRING:
            value = str(value)
        else:
            try:
                value = float(value) if kind == NUMBER else int(str(value))
            except ValueError:
                word = "a number" if kind == NUMBER else "an integer"
                raise OptionRefused(f"Not {word}.", name) from None
        if kind == STRING:
            low, high = option.get("min_length") or 0, option.get("max_length") or 6000
            if not low <= len(value) <= high:
                raise OptionRefused(f"Must be between {low} and {high} in length.", name)
        else:
            if option.get("min_value") is not None and value < option["min_value"]:
                raise OptionRefused(f"Must be {option['min_value']} or more.", name)
            if option.get("max_value") is not None and value > option["max_value"]:
                raise OptionRefused(f"Must be {option['max_value']} or less.", name)
        return value

    def thing(self, kind: int, value: object, name: str, channel_types: list[int] | None = None) -> str:
        """Resolve a user, role, channel or mentionable. Returns its id. Raises Refused."""
        world, guild = self._world, self._channel.guild
        text = str(value)
        if kind in (USER, MENTIONABLE):
            user = world.find_user(text)
            if user is not None:
                self.add_user(user)
                return str(user.id)
        if kind in (ROLE, MENTIONABLE) and guild is not None:
            text = text.removeprefix("<@&").removesuffix(">").removeprefix("@")
            for role in guild.roles.values():
                if text in (str(role.id), role.name):
                    self.resolved.setdefault("roles", {})[str(role.id)] = payloads.role(role, guild)
                    return str(role.id)
        if kind == CHANNEL:
            channel = world.find_channel(text.removeprefix("<#").removesuffix(">"))
            if channel is not None and channel.guild is guild and guild is not None:
                if channel_types and channel.kind not in channel_types:
                    raise OptionRefused("Not a channel of that kind.", name)
                self.resolved.setdefault("channels", {})[str(channel.id)] = {
                    **payloads.channel(channel),
                    "permissions": str(world.rights(channel, world.bot)),
                }
                return str(channel.id)
        what = {USER: "user", ROLE: "role", CHANNEL: "channel"}.get(kind, "mentionable")
        raise OptionRefused(f"Not a valid {what}.", name)

    def add_user(self, user: User) -> None:
        """Add a user, and the member where there is one, to what is resolved."""
        self.resolved.setdefault("users", {})[str(user.id)] = payloads.user(user)
        member: Member | None = None
        if self._channel.guild is not None:
            member = self._channel.guild.members.get(user.id)
        if member is not None:
            body = payloads.member(member, with_user=False, channel=self._channel)
            self.resolved.setdefault("members", {})[str(user.id)] = body

    def file(self, value: Any, name: str) -> str:
        """Store an uploaded file ({filename, data in base64}). Returns its id. Raises Refused."""
        try:
            data = base64.b64decode(value["data"], validate=True)
            upload = Upload(str(value["filename"]), data, str(value.get("content_type") or ""))
        except (TypeError, KeyError, binascii.Error, ValueError, AttributeError):
            raise OptionRefused("Not a file.", name) from None
        if len(data) > payloads.ATTACHMENT_LIMIT:
            raise OptionRefused("Your files are too powerful. Max file size: 10 MiB.", name)
        attachment = self._files.add(upload, self._channel.id, ephemeral=True)
        self.resolved.setdefault("attachments", {})[str(attachment.id)] = attachment.payload()
        return str(attachment.id)
