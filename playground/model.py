"""The things of the world: people, guilds, channels, messages, interactions."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

TEXT, DM, GROUP_DM, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 3, 11, 12

SUPPRESS_EMBEDS, EPHEMERAL, LOADING, COMPONENTS_V2 = 4, 64, 128, 1 << 15
HAS_THREAD, SUPPRESS_NOTIFICATIONS = 32, 1 << 12

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5


@dataclass(slots=True, eq=False)
class User:
    """A person or the bot. `key` is what `?as=` takes."""

    id: int
    key: str
    username: str
    name: str
    bot: bool = False
    locale: str = "en-US"
    colour: str = "#5865f2"
    bio: str = ""


@dataclass(slots=True, eq=False)
class Role:
    """A role of a guild."""

    id: int
    name: str
    permissions: int
    position: int = 0
    colour: int = 0
    hoist: bool = False
    managed_by: int | None = None


@dataclass(slots=True, eq=False)
class Member:
    """A user in a guild."""

    user: User
    guild: Guild
    roles: list[int] = field(default_factory=list)
    nick: str | None = None
    joined: float = 0.0


@dataclass(slots=True)
class Overwrite:
    """What a channel allows or denies to a role (kind 0) or a member (kind 1)."""

    id: int
    kind: int
    allow: int = 0
    deny: int = 0


@dataclass(slots=True, eq=False)
class Guild:
    """A server. `installed` says whether the bot is a member."""

    id: int
    name: str
    owner_id: int
    installed: bool = True
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    locale: str = "en-US"


@dataclass(slots=True, eq=False)
class Channel:
    """A text channel, a thread, a DM or a group DM."""

    id: int
    kind: int
    name: str | None = None
    guild: Guild | None = None
    topic: str | None = None
    position: int = 0
    parent_id: int = 0
    slowmode: int = 0
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    recipients: list[User] = field(default_factory=list)
    messages: dict[int, PostedMessage] = field(default_factory=dict)
    last_message_id: int | None = None
    owner_id: int = 0
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    auto_archive: int = 1440
    archive_changed: float = 0.0
    created: float = 0.0
    thread_members: dict[int, float] = field(default_factory=dict)
    total_sent: int = 0

    @property
    def is_thread(self) -> bool:
        """Whether this is a thread of either kind."""
        return self.kind in (PUBLIC_THREAD, PRIVATE_THREAD)

    @property
    def is_private_thread(self) -> bool:
        """Whether only invited members see this thread."""
        return self.kind == PRIVATE_THREAD


@dataclass(slots=True, eq=False)
class Attachment:
    """A file of a message, its bytes included."""

    id: int
    channel_id: int
    filename: str
    data: bytes
    content_type: str
    url: str
    description: str | None = None
    width: int | None = None
    height: int | None = None
    spoiler: bool = False
    ephemeral: bool = False

    def payload(self) -> Json:
        """Return it as Discord shows it."""
        body: Json = {
            "id": str(self.id),
            "filename": self.filename,
            "size": len(self.data),
            "url": self.url,
            "proxy_url": self.url,
            "content_type": self.content_type,
            "flags": 1 << 3 if self.spoiler else 0,
        }
        if self.description is not None:
            body["description"] = self.description
        if self.width is not None:
            body["width"], body["height"] = self.width, self.height
        if self.ephemeral:
            body["ephemeral"] = True
        return body


@dataclass(slots=True, eq=False)
class PostedMessage:
    """One message. `owner` is set for ephemerals: the only person who sees it."""

    id: int
    channel: Channel
    author: User
    kind: int = 0
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    created: float = 0.0
    edited: float | None = None
    owner: User | None = None
    mentions: list[User] = field(default_factory=list)
    mention_roles: list[int] = field(default_factory=list)
    mention_everyone: bool = False
    from_webhook: bool = False
    interaction: Json | None = None
    legacy_interaction: Json | None = None
    reference: PostedMessage | None = None
    reactions: dict[str, list[int]] = field(default_factory=dict)
    pinned: bool = False
    thread: Channel | None = None
    nonce: str | int | None = None
    old_edits: int = 0
    tts: bool = False
    dismissed: bool = False

    @property
    def ephemeral(self) -> bool:
        """Whether only one person sees it."""
        return self.owner is not None


@dataclass(slots=True, eq=False)
class Interaction:
    """One act of a person that the bot has to answer."""

    id: int
    token: str
    kind: int
    user: User
    channel: Channel
    created: float
    data: Json
    message: PostedMessage | None = None
    command_name: str | None = None
    owners: Json = field(default_factory=dict)
    first: asyncio.Future[Json] | None = None
    answered: bool = False
    failed: bool = False
    answer_kind: int = 0
    original: PostedMessage | None = None
    modal: Json | None = None
    opener: Interaction | None = None
    followups: int = 0
    touched: set[int] = field(default_factory=set)
    started: float = 0.0
    timer: Any = None


@dataclass(slots=True, eq=False)
class Emoji:
    """An emoji that belongs to the application."""

    id: int
    name: str
    data: bytes
    content_type: str
    animated: bool
    creator: User


@dataclass(slots=True, eq=False)
class Command:
    """A registered command; `guild_id` is None for a global one."""

    id: int
    version: int
    guild_id: int | None
    body: Json

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.body["name"])

    @property
    def kind(self) -> int:
        """1 slash, 2 user menu, 3 message menu."""
        return int(self.body.get("type") or 1)
