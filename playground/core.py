"""All parts of the playground, put together."""

from __future__ import annotations

import secrets
from collections import Counter

from playground import payloads
from playground.actions.interactions import Interactions
from playground.actions.posts import Posts
from playground.clock import PlaygroundClock
from playground.files import Files
from playground.gateway import GUILD_MEMBERS, Gateway
from playground.hub import Hub
from playground.keeper import Keeper
from playground.model import Json, User
from playground.ratelimits import RateLimits
from playground.sight import Visibility, person
from playground.world import World


class Core:
    """The world and the services around it; knows its own addresses once the server listens."""

    def __init__(
        self, clock: PlaygroundClock, *, token: str, key: str, privileged_intents: bool, rate_limits: bool
    ) -> None:
        self.clock = clock
        self.token = token
        self.key = key
        self.world = World(clock)
        self.gateway = Gateway(self.world, clock, token, privileged=privileged_intents)
        self.sight = Visibility(self.world)
        self.hub = Hub(self.world, clock, self.sight.places)
        self.files = Files(self.world.ids, secrets.token_bytes(16))
        self.limits = RateLimits(clock, enabled=rate_limits)
        self.requests = Counter[str]()
        """By method and path: how often the bot has asked."""
        self.posts = Posts(self.world, self.gateway, self.hub, self.files)
        self.interactions = Interactions(self.world, self.gateway, self.posts)
        self.keeper: Keeper | None = None
        """Who keeps the bot's process, where the playground has started it."""
        self.origins: tuple[str, ...] = ()
        self.hosts: frozenset[str] = frozenset()

    def listen_at(self, host: str, port: int) -> None:
        """Note the address that the server got."""
        names = dict.fromkeys((host, "127.0.0.1", "localhost"))
        self.hosts = frozenset(f"{name}:{port}" for name in names)
        self.origins = tuple(f"http://{name}:{port}" for name in names)
        self.files.base = f"http://{host}:{port}"
        self.gateway.url = f"ws://{host}:{port}/"

    def snapshot(self, user: User) -> Json:
        """Return all that a page needs when it opens."""
        bot = {**person(self.world.bot), "connected": self.gateway.connected, "kept": self.keeper is not None}
        return {**self.sight.everything(user), "bot": bot, "errors": list(self.hub.errors)}

    def add_person(self, key: str) -> User:
        """Add a person and tell everybody. Raises ValueError for a bad or taken key."""
        user = self.world.add_person(key)
        self.hub.tell(None, "PERSON", person(user))
        self.hub.places_changed()
        for guild in self.world.guilds.values():
            if guild.installed and user.id in guild.members:
                body = {**payloads.member(guild.members[user.id]), "guild_id": str(guild.id)}
                self.gateway.dispatch("GUILD_MEMBER_ADD", body, guild_id=guild.id, intent=GUILD_MEMBERS)
        return user

    def tell_commands(self) -> None:
        """Tell the pages that the bot's commands are others now."""
        self.hub.tell(None, "COMMANDS", {})
