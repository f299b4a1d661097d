"""People who watch tables and guess who wins, those who let them see old hands, and what must hold of it.

Watchers sit nowhere. They come in addition to the people of a place, so worlds without them stay as they are.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from bot import custom_ids as ids
from bot.features.watching.service import AGE_MS, ENTRIES
from bot.table.table import Table
from tests.sim.discord_in_memory import Posted
from tests.sim.plain import digest
from tests.sim.plan import Act

if TYPE_CHECKING:
    from tests.sim.people import Person
    from tests.sim.world import World

FIRST, COME = 50, 2
"""The numbers of watchers begin there; so many come."""
WAYS = ("watch", "guess", "watch-hands")
SHOW, FRESH = 0.3, 0.3
"""How often those who play let watchers see hands or no more, and how often a watcher goes by the table."""
ON_THE_WAY = 25.0
"""So many seconds later than it was written a view may be seen: as late as Discord is."""


class Known(msgspec.Struct):
    """What was to be seen at a table by now, and whether its people agreed."""

    positions: dict[str, tuple[float, int]]
    """By a hand: when it was first held so, and how much the journal had then."""
    agreed_at: float = -1e9
    """When they last agreed that watchers see hands."""
    seq: int = 0


# -- people ---------------------------------------------------------------------------------------


def press(person: Person, act: Act) -> None:
    """Somebody who plays lets watchers see hands, or no more; else one of the watchers looks."""
    world, rare = person.world, act.pick * 100 % 1
    board = person.board()
    if board is None or "hand" not in board.verbs():
        return
    table = str(board.table())
    if rare < SHOW:
        person.send(board, ids.Ref("hands-hide" if rare < SHOW / 4 else "hands-show", (table,)))
        return
    watcher = world.watchers[act.who % len(world.watchers)]
    shown = _view(watcher, board.table())
    if shown is None or act.pick < FRESH:
        watcher.send(board, ids.Ref("watch", (table,)))
        return
    ways = [ref for ref in shown.offered if ref.verb in WAYS]
    if ways:
        watcher.send(shown, ways[int(act.pick * 1000) % len(ways)])


def _view(watcher: Person, table: int) -> Posted | None:
    for posted in reversed(watcher.world.discord.private.get(watcher.id, {}).values()):
        if posted.table() == table and not posted.verbs().isdisjoint(WAYS):
            return posted
    return None


# -- what must hold -------------------------------------------------------------------------------


def changed(world: World, table: Table) -> None:
    """Note what somebody at this table holds from now on."""
    known = world.known.setdefault(table.id, Known({}))
    if table.stored.terms.hands:
        known.agreed_at = world.loop.time()
    if table.state is None or table.seq == known.seq:
        return
    known.seq = table.seq
    for seat in range(len(table.sitters)):
        hand = f"{seat}: {digest(table.state.observe(seat))}"
        known.positions.setdefault(hand, (world.loop.time(), table.seq))


def _stored(world: World, table: int) -> int:
    """How many entries a journal has; of the last one nobody need have heard yet."""
    found = world.disk.observer.execute("SELECT max(seq) FROM entries WHERE game_id = ?", (table,))
    return int(found.fetchone()[0] or 0)


def seen(world: World, posted: Posted) -> None:
    """A watcher sees what everybody sees, and a hand only where its people agreed, once it is old."""
    now, known = world.loop.time(), world.known.get(posted.table())
    for alt in posted.alts():
        if not alt.startswith("seen by ") or alt.startswith("seen by None"):
            continue
        hand, told = alt.removeprefix("seen by "), f"leak: watcher {posted.user_id} has seen a hand"
        world.counts["old hands"] += 1
        if known is None or hand not in known.positions:
            world.counts["hands of a moment"] += 1  # a crash came between their commit and the news of it
            continue
        at, seq = known.positions[hand]
        if now - known.agreed_at > ON_THE_WAY and not _agrees(world, posted.table()):
            world.wrong.append(f"{told} of table {posted.table()}, whose people have not agreed")
        if now - at < AGE_MS / 1000 or _stored(world, posted.table()) - seq < ENTRIES:
            world.wrong.append(f"{told} of table {posted.table()} that is {now - at:.0f} s old")


def _agrees(world: World, table: int) -> bool:
    query = "SELECT terms FROM games WHERE id = ?"
    terms = world.disk.observer.execute(query, (table,)).fetchone()
    return terms is not None and bool(msgspec.json.decode(terms[0]).get("hands"))


def rows_of(world: World) -> None:
    """Who watches sits nowhere, and each guess is counted once."""
    look = world.disk.observer
    ours = {watcher.id for watcher in world.watchers}
    for table, user in look.execute("SELECT game_id, user_id FROM seats"):
        if user in ours:
            world.wrong.append(f"watch: watcher {user} sits at table {table}")
    guessed: dict[int, Counter[str]] = {}
    for table, side in look.execute("SELECT game_id, side FROM guesses"):
        guessed.setdefault(table, Counter())[str(side)] += 1
        world.counts["guesses"] += 1
    for table, terms in look.execute("SELECT id, terms FROM games"):
        told = msgspec.json.decode(terms).get("guesses", {})
        if dict(guessed.get(table, {})) != told:
            world.wrong.append(f"watch: table {table} tells of guesses {told}, and has {guessed.get(table)}")
