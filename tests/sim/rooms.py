"""Tables in threads of their own: people who play at once, move tables, and find those whose thread is gone;
and what must hold of it.

Who takes part, and when, is drawn apart from everything else. Threads are archived, locked and deleted by
the plan, while games go on in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from bot import custom_ids as ids
from bot.features.play.messages import poster_message
from bot.features.table import table_commands as tables
from bot.features.table.hand import commands as hands
from bot.store.servers import Opening
from bot.table.storage.table_cache import WARM_SECONDS
from bot.ui.context import Answer
from bot.ui.effective_settings import games_of
from bot.ui.router import explain
from tests.sim.discord_in_memory import PRESS, Interaction, Posted
from tests.sim.plan import APART, Act

if TYPE_CHECKING:
    from tests.sim.owner import Owner
    from tests.sim.people import Person
    from tests.sim.world import World

ACCESS = ("open", "private")
"""Who may sit down, by the number of the world."""
MOVE, NOW, FIND, LOOK = 0.1, 0.3, 0.3, 0.5
"""How often somebody moves their table, plays at once, looks for their hand anywhere, or below the table."""
TRIED_SECONDS = 9000.0
"""By then a message that has no place any more is tried so rarely that its table leaves memory."""


def settings(world: World) -> None:
    """What the people of the server have chosen: each table has a thread of its own."""
    access: Any = ACCESS[world.plan.seed // APART % len(ACCESS)]
    chosen = Opening(thread=True, access=access)
    rows = [("channel", 7000 + place, msgspec.json.encode(chosen)) for place in range(len(world.plan.places))]
    world.disk.observer.executemany(
        "INSERT INTO settings (scope, scope_id, key, value) VALUES (?, ?, 'tables', ?)",
        [(scope, number, value.decode()) for scope, number, value in rows],
    )


# -- people ---------------------------------------------------------------------------------------


def press(person: Person, act: Act) -> None:
    """Whatever this person sees fit: see to a table whose thread is gone or shut, play at once, or go on."""
    rare, there, world = act.pick * 100 % 1, person.world.discord, person.world
    board, playing = person.board(), world.tables_of(person.id)
    if rare < MOVE and playing:
        # in the channel, or in a thread of another table
        rooms = [person.channel_id, *(room.id for room in there.rooms_of(person.channel_id))]
        where = rooms[int(act.pick * 10_000) % len(rooms)] if act.pick < 0.5 else person.channel_id
        person.command(tables.repost, where, table=playing[int(act.pick * 1000) % len(playing)])
    elif not playing and (rare < NOW or board is None):
        _plays_now(person, act)
    elif board is not None and "join" in board.verbs() and rare < FIND:
        person.send(board, next(ref for ref in board.offered if ref.verb == "join"))
    elif board is None or rare < FIND:
        person.command(hands.hand)
    elif "hand" in board.verbs() and rare < LOOK:
        person.send(board, next(ref for ref in board.offered if ref.verb == "hand"))
    else:
        mine = there.private.get(person.id, {}).values()
        open_hands = [posted for posted in mine if not there.gone(posted) and _ways(posted)]
        if open_hands:
            ways = _ways(open_hands[-1])
            person.send(open_hands[-1], ways[int(act.pick * len(ways)) % len(ways)])


def _ways(posted: Posted) -> list[ids.Ref]:
    return [ref for ref in posted.offered if ref.verb in ("go", "sel", "hand")]


def _plays_now(person: Person, act: Act) -> None:
    """Press Play now of a game, on a poster."""
    for posted in reversed(person.world.discord.private.get(person.id, {}).values()):
        games = [ref for ref in posted.offered if ref.verb == "now"]
        if games:
            person.send(posted, games[int(act.pick * 1000) % len(games)])
            return
    owner = person.world.receiver()
    if owner is not None:
        asked = Interaction(owner.client, person.id, person.name, person.channel_id)
        person.world.presses.append((asked, owner))
        person.world.loop.spawn(owner.process, _poster(asked), "press play")


async def _poster(asked: Interaction) -> None:
    """What the command /play does that names no game."""
    PRESS.set(asked)
    whose: Any = asked
    answer = Answer.to(whose)
    try:
        server = await answer.app.preferences.servers.of(asked.guild_id or 0)
        await answer.private(poster_message("en", games_of(server)))
    except Exception as error:  # noqa: BLE001 - every failure has words, as in the tree of commands
        await explain(answer, error)


# -- what must hold -------------------------------------------------------------------------------


async def cool(world: World, owner: Owner) -> None:
    """Nobody keeps a table in memory that stands in a thread which is no more: what is tried again by itself
    touches it now and then, but ever more rarely."""
    kept = _warm(world, owner)
    if not kept:
        return
    await world.sleep(TRIED_SECONDS)
    for _ in range(3):
        await world.sleep(WARM_SECONDS + 30.0)
        kept &= _warm(world, owner)
    for number in sorted(kept):
        world.wrong.append(f"warm: table {number} stays in memory, and its thread was deleted")


def _warm(world: World, owner: Owner) -> set[int]:
    now = owner.clock.now()
    owner.tables.cache.sweep()
    found = set()
    for table in list(owner.tables.cache._warm.values()):
        room = world.discord.threads.get(table.stored.channel_id)
        if room is not None and room.deleted and now - table.stored.touched_at > 1000 * WARM_SECONDS:
            found.add(table.id)
    return found
