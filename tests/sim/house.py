"""Settings of a server and a channel that change while games go on, and what must hold of them.

One of the people of each place may change them, the others try to. Who does so, and when, is drawn apart
from everything else, so worlds without it stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from bot import custom_ids as ids
from bot.features.table.lobby.messages import CLOCKS
from bot.features.table.lobby.seating import PLACES
from bot.features.table.lobby.table_defaults import WIDER
from bot.locales import languages
from bot.store import servers
from bot.store.servers import Opening, Server
from bot.store.terms import DAY
from bot.table.table import Table
from bot.ui.preferences import CachedRows, Preferences
from tests.sim.channels import GUILD
from tests.sim.discord_in_memory import PRESS
from tests.sim.forms import send_form
from tests.sim.plan import Act, games

if TYPE_CHECKING:
    from tests.sim.people import Person
    from tests.sim.world import World

OPEN, OTHERS = 0.35, 0.5
"""How often somebody opens a table, and tries to change something who may not."""
CHANNEL, BEGIN, GAMES, CHANNELS, WHO = 0.3, 0.6, 0.75, 0.85, 0.95
"""How often the beginning of tables is changed in the channel, and in the server; what may be opened, where,
and by whom; else how the channel shows pictures."""
LESS_SECONDS = 0.001
"""So close together that nobody can say which was first."""


# -- people ---------------------------------------------------------------------------------------


def managers(world: World) -> set[int]:
    """Who may change settings: the first at each place."""
    return {100 * (place + 1) + 1 for place in range(len(world.plan.places))}


def press(person: Person, act: Act) -> None:
    """Change something, or try to."""
    world, rare, pick = person.world, act.pick * 100 % 1, int(act.pick * 10_000)
    if rare < OPEN:
        person.open()
        return
    if rare > OTHERS:
        person = next(each for each in world.people_of(person.place) if each.id in world.discord.managers)
    rare = act.pick * 10 % 1
    if rare < BEGIN:
        wide = rare >= CHANNEL
        wider = () if wide else (WIDER,)
        fields = {
            "language": (WIDER, *languages())[pick % (1 + len(languages()))],
            "clock": (*wider, *map(str, CLOCKS))[pick % (len(wider) + len(CLOCKS))],
            "place": (*wider, *PLACES)[pick % (len(wider) + len(PLACES))],
        }
        parts = [{"custom_id": key, "values": [value]} for key, value in fields.items()]
        send_form(person, ids.make("server-begin" if wide else "here-begin"), *parts)
    elif rare < GAMES:
        every = games()
        _sends(person, "server-games", *every[pick % len(every) :])
    elif rare < CHANNELS:
        _sends(person, "server-channels", *((), (str(person.channel_id),), ("7999",))[pick % 3])
    elif rare < WHO:
        _sends(person, "server-who:open", ("everybody", "moderators")[pick % 2])
    else:
        _sends(person, f"set-here:still:{('yes', 'no')[pick % 2]}")


def _sends(person: Person, control: str, *values: str) -> None:
    """Press a control of the settings, which lie open for this person."""
    verb, *args = control.split(":")
    owner = person.world.receiver()
    if owner is not None:
        person.send_to(owner, ids.Ref(verb, (*args, *(f"={value}" for value in values))))


# -- what is noted --------------------------------------------------------------------------------


class Held(msgspec.Struct, frozen=True):
    """What the rows say from a time on."""

    at: float
    server: Server
    openings: dict[int, Opening]


class Begun(msgspec.Struct, frozen=True):
    """How a table began."""

    clock: int
    access: str
    thread: bool


def committed(world: World) -> None:
    """Note what holds from now on; only who may change it has changed it."""
    rows = world.disk.observer.execute("SELECT scope, scope_id, value FROM settings WHERE key = 'tables'")
    server, openings = Server(), dict[int, Opening]()
    for scope, whose, value in rows:
        found = msgspec.json.decode(value)
        if scope == "server":
            server = servers._read(found, Server)
        else:
            openings[whose] = servers._read(found, Opening)
    last, by = world.held[-1], PRESS.get()
    if (server, openings) == (last.server, last.openings):
        return
    world.counts["settings"] += 1
    world.held.append(Held(world.loop.time(), server, openings))
    if by is None or by.user.id not in world.discord.managers:
        world.wrong.append(f"settings: person {by and by.user.id} has changed them, who may not")


def witnessed(world: World, preferences: Preferences) -> None:
    """Note what was answered to each change."""
    for kept in (preferences.servers, preferences.openings):
        _witness(world, kept)


def _witness(world: World, kept: CachedRows[Any]) -> None:
    change = kept.change

    async def changed(whose: int, what: Callable[[Any], Any]) -> None:
        began = world.loop.time()
        await change(whose, what)
        value = what_holds(world.held[-1], whose)
        between = [held for held in world.held if began <= held.at] or [world.held[-1]]
        if kept._known[whose] not in [what_holds(held, whose) for held in between]:
            told, stored = (msgspec.json.encode(each).decode() for each in (kept._known[whose], value))
            world.wrong.append(f"settings: {told} was answered, and {stored} is stored")

    kept.change = changed  # type: ignore[method-assign]


def what_holds(held: Held, whose: int) -> Server | Opening:
    """What a server or a channel has chosen."""
    return held.server if whose == GUILD else held.openings.get(whose, Opening())


def opened(world: World, person: Person, table: Table, began: float) -> None:
    """A table that was opened just now begins as was set at some time since its command was typed."""
    terms = table.stored.terms
    world.begun[table.id] = begun = Begun(terms.clock, terms.access, terms.thread)
    since = [n for n, held in enumerate(world.held) if held.at > began - LESS_SECONDS]
    first = max(0, (since[0] if since else len(world.held)) - 1)
    if not any(_allows(world, held, person, table, begun) for held in world.held[first:]):
        world.wrong.append(f"settings: table {table.id} has begun otherwise than was set: {begun}")


def _allows(world: World, held: Held, person: Person, table: Table, begun: Begun) -> bool:
    server = held.server
    usual = held.openings.get(person.channel_id, Opening()).before(server)
    access = usual.access or "open"
    return (
        begun.clock == (DAY if usual.clock is None else usual.clock)
        and begun.access == access
        and begun.thread == (True if access == "private" else bool(usual.thread))
        and (not server.games or table.game.key in server.games)
        and (not server.channels or person.channel_id in server.channels)
        and (server.open_by == "everybody" or person.id in world.discord.managers)
        and table.stored.locale == (usual.locale or person.locale)
    )


# -- what must hold -------------------------------------------------------------------------------


def rows_of(world: World) -> None:
    """What was set later has changed no table that was open."""
    for number, terms in world.disk.observer.execute("SELECT id, terms FROM games"):
        before = world.begun.get(number)
        agreed: dict[str, Any] = msgspec.json.decode(terms)
        now = (agreed.get("clock", 0), agreed.get("access", "open"), agreed.get("thread", False))
        if before is not None and now != (before.clock, before.access, before.thread):
            world.wrong.append(f"settings: those of table {number} have changed from {before} to {now}")
