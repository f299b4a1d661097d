"""REST: guilds, members, roles, users."""

from __future__ import annotations

from playground import payloads
from playground.errors import unknown
from playground.model import Json, Member
from playground.rest.routing import Call, route

_GUILD = "/guilds/{guild_id}"


@route("GET", "/users/@me")
def me(call: Call) -> Json:
    """Read the bot's own user."""
    return payloads.own_user(call.core.world)


@route("GET", "/users/@me/guilds")
def my_guilds(call: Call) -> list[Json]:
    """List the guilds that the bot is in."""
    return [payloads.guild(g) for g in call.core.world.guilds.values() if g.installed]


@route("GET", "/users/{user_id}")
def user(call: Call) -> Json:
    """Read a user."""
    found = call.core.world.users.get(call.number("user_id"))
    if found is None:
        raise unknown("User")
    return payloads.user(found)


@route("GET", _GUILD)
def guild(call: Call) -> Json:
    """Read a guild."""
    found = call.guild()
    body = payloads.guild(found)
    if call.flag("with_counts"):
        body["approximate_member_count"] = body["approximate_presence_count"] = len(found.members)
    return body


@route("GET", _GUILD + "/channels")
def channels(call: Call) -> list[Json]:
    """List a guild's channels."""
    return [payloads.channel(c) for c in call.guild().channels.values()]


@route("GET", _GUILD + "/roles")
def roles(call: Call) -> list[Json]:
    """List a guild's roles."""
    found = call.guild()
    return [payloads.role(r, found) for r in found.roles.values()]


@route("GET", _GUILD + "/emojis")
@route("GET", _GUILD + "/stickers")
def nothing(call: Call) -> list[Json]:
    """List a guild's emoji or stickers: there are none here."""
    call.guild()
    return []


@route("GET", _GUILD + "/members")
def members(call: Call) -> list[Json]:
    """List a guild's members."""
    after = call.query.get("after", "0")
    found = [m for i, m in sorted(call.guild().members.items()) if i > int(after)]
    return [payloads.member(m) for m in found[: call.limit(1, 1000)]]


@route("GET", _GUILD + "/members/search")
def search(call: Call) -> list[Json]:
    """Find members whose name starts like the query."""
    query = call.query.get("query", "").lower()

    def fits(member: Member) -> bool:
        names = (member.user.username, member.user.name, member.nick or "")
        return any(name.lower().startswith(query) for name in names)

    found = [m for m in call.guild().members.values() if fits(m)]
    return [payloads.member(m) for m in found[: call.limit(1, 1000)]]


@route("GET", _GUILD + "/members/{user_id}")
def member(call: Call) -> Json:
    """Read one member."""
    found = call.guild().members.get(call.number("user_id"))
    if found is None:
        raise unknown("Member")
    return payloads.member(found)
