"""What a person sees of the world, as the page draws it."""

from __future__ import annotations

from playground import payloads
from playground import permissions as perm
from playground.model import Channel, Json, User
from playground.world import World

HISTORY = 50


class Visibility:
    """The world through the eyes of its people."""

    def __init__(self, world: World) -> None:
        self._world = world

    def everything(self, user: User) -> Json:
        """Return all that a page needs when it opens, beside what concerns the connection itself."""
        world = self._world
        mine = [c for c in world.channels.values() if world.rights(c, user) & perm.VIEW_CHANNEL]
        return {
            "me": person(user),
            "people": [person(u) for u in world.people.values()],
            "users": [person(u) for u in world.users.values()],
            "messages": {str(c.id): self.messages(c, user) for c in mine},
            "emojis": [payloads.emoji(e) for e in world.emojis.values()],
            "switches": list(perm.SWITCHES),
            "now": world.clock.now(),
            **self.places(user),
        }

    def places(self, user: User) -> Json:
        """Return the guilds and channels that a person sees, and what may be done there."""
        world = self._world
        guilds = []
        for g in world.guilds.values():
            member = g.members.get(user.id)
            if member is None:
                continue
            rights = perm.guild_level(member)
            guilds.append(
                {
                    "id": str(g.id),
                    "name": g.name,
                    "installed": g.installed,
                    "manage": bool(rights & perm.MANAGE_CHANNELS),
                    "roles": [payloads.role(r, g) for r in g.roles.values()],
                    "members": {str(m.user.id): [str(r) for r in m.roles] for m in g.members.values()},
                }
            )
        channels = []
        for c in world.channels.values():
            bits = world.rights(c, user)
            if bits & perm.VIEW_CHANNEL:
                channels.append({**payloads.channel(c, viewer=user), **self._meta(c, bits)})
        return {"guilds": guilds, "channels": channels}

    def _meta(self, channel: Channel, bits: int) -> Json:
        bot = self._world.rights(channel, self._world.bot)
        return {
            "with_bot": self._world.bot in channel.recipients or channel.kind == 1,
            "can": {
                "send": perm.may_send(channel, bits),
                "moderate": bool(channel.guild and bits & perm.MANAGE_MESSAGES),
                "manage": bool(channel.guild and bits & perm.MANAGE_CHANNELS),
                "threads": bool(channel.guild and bits & perm.CREATE_PUBLIC_THREADS),
            },
            "bot_rights": {name: bool(bot & bit) for name, bit in perm.SWITCHES.items()},
        }

    def messages(self, channel: Channel, user: User, *, before: int = 1 << 63) -> list[Json]:
        """Return the latest messages that a person sees in a channel, oldest first."""
        found: list[Json] = []
        for message in reversed(channel.messages.values()):
            if message.id >= before or message.dismissed or message.owner not in (None, user):
                continue
            found.append(payloads.message_event(message, world=self._world))
            if len(found) == HISTORY:
                break
        return found[::-1]


def person(user: User) -> Json:
    """Return a user with what the page draws of them."""
    body = payloads.user(user)
    return {**body, "key": user.key, "name": user.name, "colour": user.colour, "locale": user.locale}
