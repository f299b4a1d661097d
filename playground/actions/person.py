"""People without a browser: an async client of what the page uses, for tests and benchmarks."""

from __future__ import annotations

import asyncio
import base64
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import aiohttp
import msgspec

from playground.model import EPHEMERAL, LOADING, Json
from playground.rules import components as c

_encode, _decode = msgspec.json.encode, msgspec.json.decode

PATIENCE = 60.0
"""Seconds to wait for what is to happen: the machine may be busy."""


class PersonError(Exception):
    """What the page would have told the person: why the act is not possible."""

    def __init__(self, words: str, field_name: str | None = None) -> None:
        super().__init__(words)
        self.words = words
        self.field = field_name


@dataclass(slots=True)
class ActionOutcome:
    """How one interaction was first answered."""

    id: str
    #: message, thinking, working, update, choices, modal or failed
    kind: str
    #: seconds from the press to the first answer, as the server saw it
    latency: float
    #: the same with the way there and back, as the person saw it
    round_trip: float
    message_id: str | None = None
    ephemeral: bool = False
    choices: list[Json] = field(default_factory=list)
    modal: Json | None = None

    @property
    def failed(self) -> bool:
        """Whether the page would say “This interaction failed”."""
        return self.kind == "failed"


_KINDS = {
    4: "message",
    5: "thinking",
    6: "working",
    7: "update",
    8: "choices",
    9: "modal",
    "failed": "failed",
}


class Person:
    """One person at the page, driven by code. Use `await Person.connect(url, "ann")`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.me: Json = {}
        self.bot: Json = {}
        self.people: list[Json] = []
        self.guilds: list[Json] = []
        self.channels: dict[str, Json] = {}
        self.errors: list[Json] = []
        self._messages: dict[str, dict[str, Json]] = {}
        self._numbers = itertools.count(1)
        self._replies: dict[int, asyncio.Future[Json]] = {}
        self._changed: set[asyncio.Future[None]] = set()
        self._session: aiohttp.ClientSession | None = None
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._reader: asyncio.Task[None] | None = None

    # Coming and going ---------------------------------------------------------------------

    @classmethod
    async def connect(cls, url: str, name: str = "ann", *, locale: str | None = None) -> Self:
        """Connect as a person. `url` is any page address of the playground, with its key.

        A name that nobody has yet becomes a new person. `locale` sets the language of their client
        (it stays until set again). Raises aiohttp.ClientError.
        """
        person = cls(name)
        parts = urlsplit(url)
        key = parts.path.split("/k/", 1)[-1].split("/", 1)[0]
        address = f"ws://{parts.netloc}/k/{key}/ws?as={name}"
        if locale is not None:
            address += f"&locale={locale}"
        person._session = aiohttp.ClientSession()
        try:
            person._socket = await person._session.ws_connect(address, max_msg_size=0, compress=0)
            hello = _decode((await person._socket.receive()).data)
        except BaseException:
            await person._session.close()
            raise
        person._take("HELLO", hello["d"])
        person._reader = asyncio.create_task(person._read())
        return person

    async def close(self) -> None:
        """Leave."""
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()
        if self._session is not None:
            await self._session.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def _read(self) -> None:
        if self._socket is None:
            return
        async for message in self._socket:
            if message.type is not aiohttp.WSMsgType.TEXT:
                break
            data = _decode(message.data)
            if "re" in data:
                waiting = self._replies.pop(data["re"], None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(data)
            else:
                self._take(data["t"], data["d"])
        for waiting in self._replies.values():
            if not waiting.done():
                waiting.set_exception(ConnectionError("the playground went away"))

    def _take(self, event: str, data: Any) -> None:
        if event == "HELLO":
            self.me, self.bot, self.people = data["me"], data["bot"], data["people"]
            self.errors = data["errors"]
            for channel_id, messages in data["messages"].items():
                self._messages[channel_id] = {m["id"]: m for m in messages}
        if event in ("HELLO", "PLACES"):
            self.guilds = data["guilds"]
            self.channels = {channel["id"]: channel for channel in data["channels"]}
        elif event in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            kept = self._messages.setdefault(data["channel_id"], {})
            if event == "MESSAGE_CREATE" or data["id"] in kept:
                kept[data["id"]] = data
        elif event == "MESSAGE_DELETE":
            self._messages.get(data["channel_id"], {}).pop(data["id"], None)
        elif event == "PROTOCOL_ERROR":
            self.errors.append(data)
        elif event == "BOT":
            self.bot["connected"] = data["connected"]
        for waiting in self._changed:
            if not waiting.done():
                waiting.set_result(None)

    async def _ask(self, op: str, **args: object) -> Json:
        if self._socket is None:
            raise ConnectionError("not connected")
        number = next(self._numbers)
        waiting: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._replies[number] = waiting
        await self._socket.send_str(_encode({"id": number, "op": op, "args": args}).decode())
        reply = await waiting
        if not reply["ok"]:
            raise PersonError(reply["error"], reply.get("field"))
        result: Json = reply["d"]
        return result

    async def _interact(self, op: str, **args: object) -> ActionOutcome:
        started = time.perf_counter()
        found = await self._ask(op, **args)
        return ActionOutcome(
            id=found["id"],
            kind=_KINDS[found["kind"]],
            latency=found["latency"],
            round_trip=time.perf_counter() - started,
            message_id=found.get("message_id"),
            ephemeral=bool(found.get("ephemeral")),
            choices=found.get("choices") or [],
            modal=found.get("modal"),
        )

    # Acts ---------------------------------------------------------------------------------

    async def say(self, channel: str, text: str, *, reply_to: Json | str | None = None) -> str:
        """Send a message; returns its id. Raises PersonError."""
        args: Json = {"channel": channel, "content": text}
        if reply_to is not None:
            args["reply_to"] = _id(reply_to)
        return str((await self._ask("say", **args))["message_id"])

    async def command(self, channel: str, name: str, /, *path: str, **options: object) -> ActionOutcome:
        """Use a slash command: `command("card-table", "play", game="duel52")`.

        Subcommands follow the name (`"tournament", "create"` or `"tournament create"`). Options
        take plain values; people by name or id, channels and roles likewise. Raises PersonError.
        """
        return await self._interact(
            "command", channel=channel, command=name, path=list(path), options=options
        )

    async def user_menu(self, channel: str, name: str, target: str) -> ActionOutcome:
        """Use a command of a person's Apps menu. Raises PersonError."""
        return await self._interact("command", channel=channel, command=name, type=2, target=target)

    async def message_menu(self, message: Json | str, name: str) -> ActionOutcome:
        """Use a command of a message's Apps menu. Raises PersonError."""
        found = self.message(_id(message))
        return await self._interact(
            "command", channel=found["channel_id"], command=name, type=3, target=found["id"]
        )

    async def autocomplete(
        self, channel: str, name: str, /, *path: str, focus: str, **options: object
    ) -> ActionOutcome:
        """Ask for suggestions for the option `focus`, whose text so far is among the options."""
        options.setdefault(focus, "")
        return await self._interact(
            "autocomplete", channel=channel, command=name, path=list(path), options=options, focus=focus
        )

    async def press(
        self,
        message: Json | str | None = None,
        custom_id: str | None = None,
        *,
        label: str | None = None,
        forge: bool = False,
        channel: str | None = None,
        values: list[str] | None = None,
        component_type: int | None = None,
    ) -> ActionOutcome:
        """Press a button, found by custom_id or by its label.

        `forge` sends the custom_id although no message shows it, as an attacker would; it goes
        with the given message, else with the bot's latest in `channel`. Raises PersonError.
        """
        if custom_id is None:
            if message is None:
                raise PersonError("A message or a custom_id is needed.")
            custom_id = str(self.button(message, label=label)["custom_id"])
        args: Json = {"custom_id": custom_id}
        if message is not None:
            args["message"] = _id(message)
        if channel is not None:
            args["channel"] = channel
        if forge:
            args["forge"] = True
            args["component_type"] = component_type
        if values is not None:
            args["values"] = values
        return await self._interact("press", **args)

    async def select(
        self, message: Json | str, custom_id: str | None, values: list[str] | str
    ) -> ActionOutcome:
        """Pick values in a select; without custom_id in the only one. Raises PersonError."""
        if custom_id is None:
            found = self.selects(message)
            if len(found) != 1:
                raise PersonError(f"The message has {len(found)} selects: name one.")
            custom_id = str(found[0]["custom_id"])
        chosen = [values] if isinstance(values, str) else list(values)
        return await self._interact("press", message=_id(message), custom_id=custom_id, values=chosen)

    async def submit(
        self, modal: ActionOutcome | str, values: Json, *, custom_id: str | None = None
    ) -> ActionOutcome:
        """Submit the modal that an interaction was answered with. Raises PersonError.

        `values` maps custom_ids to texts, lists of values, or `upload(...)`. `custom_id` forges
        another modal's id.
        """
        number = modal.id if isinstance(modal, ActionOutcome) else modal
        return await self._interact("submit", interaction=number, values=values, custom_id=custom_id)

    async def delete(self, message: Json | str) -> None:
        """Delete a message of one's own, or as a moderator any. Raises PersonError."""
        await self._ask("delete", message=_id(message))

    async def dismiss(self, message: Json | str) -> None:
        """Put an ephemeral away."""
        await self._ask("dismiss", message=_id(message))

    async def react(self, message: Json | str, emoji: str) -> None:
        """Add a reaction, or take one's own off."""
        await self._ask("react", message=_id(message), emoji=emoji)

    async def commands(self, channel: str) -> list[Json]:
        """List the commands available in a channel."""
        return list((await self._ask("commands", channel=channel))["commands"])

    async def create_channel(self, name: str, *, guild: str | None = None, only: Sequence[str] = ()) -> str:
        """Add a channel (moderators), for all or `only` for these people and the bot; returns its id.

        `guild` is the id of a guild; without it in the first one. Raises PersonError.
        """
        args: Json = {"name": name, "only": list(only)}
        if guild is not None:
            args["guild"] = guild
        return str((await self._ask("create_channel", **args))["channel_id"])

    async def create_thread(
        self, channel: str, name: str, *, message: Json | str | None = None, private: bool = False
    ) -> str:
        """Start a thread; returns its id."""
        args: Json = {"channel": channel, "name": name, "private": private}
        if message is not None:
            args["message"] = _id(message)
        return str((await self._ask("create_thread", **args))["channel_id"])

    async def delete_channel(self, channel: str) -> None:
        """Delete a channel or thread (moderators)."""
        await self._ask("delete_channel", channel=channel)

    async def archive(self, channel: str, *, archived: bool = True, locked: bool = False) -> None:
        """Archive a thread or take it up again."""
        await self._ask("archive", channel=channel, archived=archived, locked=locked)

    async def bot_rights(self, channel: str, **rights: bool | None) -> None:
        """Switch the bot's rights in a channel (moderators): `send_messages=False`; None: as by default."""
        await self._ask("bot_rights", channel=channel, rights=rights)

    async def drop_gateway(self, *, forget: bool = False) -> None:
        """Cut the bot's gateway connection: it has to resume, or to identify anew if it is forgotten."""
        await self._ask("drop_gateway", forget=forget)

    async def fetch(self, url: str) -> bytes:
        """Download an attachment."""
        if self._session is None:
            raise ConnectionError("not connected")
        async with self._session.get(url) as response:
            response.raise_for_status()
            return await response.read()

    # Seeing -------------------------------------------------------------------------------

    def channel_id(self, name: str) -> str:
        """Return a channel's id by name or id; `dm` is the own DM with the bot. Raises PersonError."""
        wanted = str(name).removeprefix("#")
        for channel in self.channels.values():
            if wanted in (channel["id"], channel.get("name")):
                return str(channel["id"])
            if wanted == "dm" and channel["type"] == 1:
                return str(channel["id"])
        raise PersonError(f"You see no channel “{name}”.")

    def messages(self, channel: str) -> list[Json]:
        """Return what one sees in a channel, own ephemerals included, oldest first."""
        return list(self._messages.get(self.channel_id(channel), {}).values())

    def message(self, message_id: str | Json | ActionOutcome) -> Json:
        """Return a message as it looks now. Raises PersonError when it is not seen."""
        number = _id(message_id)
        for kept in self._messages.values():
            if number in kept:
                return kept[number]
        raise PersonError(f"You see no message {number}.")

    def last(self, channel: str, *, from_bot: bool = True) -> Json:
        """Return the latest message (of the bot) in a channel. Raises PersonError."""
        for message in reversed(self.messages(channel)):
            if message["author"]["bot"] or not from_bot:
                return message
        raise PersonError("There is no message yet.")

    async def wait_for(self, predicate: Callable[[], Any], timeout: float = PATIENCE) -> Any:  # noqa: ASYNC109 - the words of those who wait
        """Wait until `predicate()` is true, asking again at every event; returns what it returned.

        A predicate that raises PersonError counts as not yet. Raises TimeoutError.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout
        while True:
            waiting: asyncio.Future[None] = loop.create_future()
            self._changed.add(waiting)
            try:
                try:
                    found = predicate()
                except PersonError:
                    found = None
                if found:
                    return found
                await asyncio.wait_for(waiting, max(end - loop.time(), 0))
            finally:
                self._changed.discard(waiting)

    async def wait_message(
        self,
        channel: str,
        predicate: Callable[[Json], object],
        timeout: float = PATIENCE,  # noqa: ASYNC109 - the words of those who wait
    ) -> Json:
        """Wait for a message in a channel that fits. Raises TimeoutError."""
        found: Json = await self.wait_for(
            lambda: next((m for m in reversed(self.messages(channel)) if predicate(m)), None), timeout
        )
        return found

    # Parts of messages --------------------------------------------------------------------

    def components(self, message: Json | str | ActionOutcome) -> Iterator[Json]:
        """Walk all components of a message, nested ones too."""
        for _, item in c.walk(self.message(message)["components"]):
            yield item

    def buttons(self, message: Json | str | ActionOutcome) -> list[Json]:
        """Return a message's buttons."""
        return [item for item in self.components(message) if item["type"] == c.BUTTON]

    def button(self, message: Json | str | ActionOutcome, *, label: str | None) -> Json:
        """Return the button with a label. Raises PersonError."""
        found = self.buttons(message)
        for item in found:
            if item.get("label") == label and item.get("custom_id"):
                return item
        raise PersonError(f"There is no button “{label}” among {[b.get('label') for b in found]}.")

    def selects(self, message: Json | str | ActionOutcome) -> list[Json]:
        """Return a message's selects."""
        return [item for item in self.components(message) if item["type"] in c.SELECTS]

    def text(self, message: Json | str | ActionOutcome) -> str:
        """Return all words of a message: content, text displays, embeds, alt texts."""
        found = self.message(message)
        words = [found["content"]]
        for _, item in c.walk(found["components"]):
            if item["type"] == c.TEXT:
                words.append(item["content"])
            words += [entry.get("description") or "" for entry in item.get("items") or ()]
        for embed in found["embeds"]:
            words += [str(embed.get("title") or ""), str(embed.get("description") or "")]
        return "\n".join(word for word in words if word)

    def images(self, message: Json | str | ActionOutcome) -> list[Json]:
        """Return the pictures of a message as {url, alt}."""
        found = self.message(message)
        pictures = []
        for _, item in c.walk(found["components"]):
            pictures += [
                {"url": e["media"]["url"], "alt": e.get("description")} for e in item.get("items") or ()
            ]
            if item["type"] == c.THUMBNAIL:
                pictures.append({"url": item["media"]["url"], "alt": item.get("description")})
        if not pictures:
            pictures = [{"url": a["url"], "alt": a.get("description")} for a in found["attachments"]]
        return pictures

    @staticmethod
    def is_ephemeral(message: Json) -> bool:
        """Say whether only this person sees the message."""
        return bool(message["flags"] & EPHEMERAL)

    @staticmethod
    def is_thinking(message: Json) -> bool:
        """Say whether the message still shows “thinking…”."""
        return bool(message["flags"] & LOADING)


def upload(filename: str, data: bytes, content_type: str = "") -> Json:
    """Return a file for an attachment option or a modal's file input."""
    name = PurePath(filename).name
    return {"filename": name, "data": base64.b64encode(data).decode(), "content_type": content_type}


def _id(message: Json | str | ActionOutcome) -> str:
    if isinstance(message, ActionOutcome):
        return str(message.message_id)
    return str(message if isinstance(message, str) else message["id"])
