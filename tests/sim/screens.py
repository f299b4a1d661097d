"""Slow painters, and what must hold of private views: open hands and views of watchers show the present."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from bot.locales import words
from bot.table.table import Table
from engine.game import Viewer
from tests.sim.discord_in_memory import Interaction, Posted
from tests.sim.loop import PROCESS
from tests.sim.plain import digest

if TYPE_CHECKING:
    from tests.sim.owner import Owner
    from tests.sim.world import World

SLOW, LOSING, OF = 0, 1, 3
"""Slow painters are in one world of three, lost changes to private answers in another."""
LOST = 0.05
"""The share that is lost there."""
DECIDES = ("go", "sel", "sure")
HAND = {*DECIDES, "hand", "undo", "autopass", "again"}
"""The controls by which one knows a hand."""
COMING = [words(locale)("picture.coming") for locale in ("en", "zh-CN")]
SETTLED_SECONDS = 60.0
"""Seconds after a change at which views show it, also if a picture was late and Discord slow."""
PRESSED_SECONDS = 40.0
"""Seconds after a press in which its answer may still change what a person sees."""


class Studio:
    """A stub that paints empty files: at once, or, in some worlds, after a while."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._rng = Random(f"painters {world.plan.seed}")
        self._slow = world.plan.seed % OF == SLOW

    async def paint(self, *_: Any, **__: Any) -> bytes:
        if self._slow:
            pause = self._rng.choices((0.01, 0.4, 2.0, 6.0), (60, 25, 10, 5))[0]
            self._world.counts["late pictures"] += pause > 4
            await self._world.sleep(pause * self._rng.uniform(0.8, 1.2))
        return b""

    def painted_file(self, _scene: Any) -> None:
        """No picture has been painted before it is asked for."""

    def paint_ahead(self, *_: Any, **__: Any) -> None:
        """Paint nothing before it is asked for."""


def edited(world: World, answer: Interaction) -> None:
    """An answer changes its message only until another answer to the same message is known to have come."""
    newest = answer.shown.by if answer.shown is not None else None
    if newest is None or newest is answer or newest.client is not answer.client:
        return
    # if two were under way at once, the order in which they arrived is not known
    if newest.heard_at and 0 < answer.heard_at < newest.sent_at:
        world.wrong.append(
            f"older: answer {answer.id} writes over answer {newest.id} to person {answer.user.id}"
        )


def seen(world: World, posted: Posted) -> None:
    """Look again at a message that says a picture is coming."""
    if _is_coming(posted):
        world.counts["pictures promised"] += 1
        world.after(SETTLED_SECONDS, _came, world, posted, posted.edits)


def _is_coming(posted: Posted) -> bool:
    return any(coming in text for coming in COMING for text in posted.texts())


def _came(world: World, posted: Posted, edits: int) -> None:
    """A picture that was promised has come, unless the call that brought it was lost.

    Hands and the messages of tables have laws of their own.
    """
    answer = posted.by
    if not posted.user_id or not posted.verbs().isdisjoint(HAND):
        return
    if posted.edits != edits or not _is_coming(posted) or world.discord.gone(posted):
        return
    owner = next((each for each in world.owners if answer and each.client is answer.client), None)
    if answer is not None and not answer.troubled and owner is not None and owner.in_charge:
        world.wrong.append(f"late: message {posted.id} still says that its picture is coming")


def loses(world: World) -> float:
    """Return the share of changes to private answers that are lost in a world."""
    return LOST if world.plan.seed % OF == LOSING else 0.0


def changed(world: World, table: Table) -> None:
    """Look at the private views of a table once they have had time to follow this change."""
    owner = next((owner for owner in world.owners if owner.process is PROCESS.get()), None)
    if owner is not None:
        key = owner.process.name, table.id
        world.changes[key] = number = world.changes.get(key, 0) + 1
        world.after(SETTLED_SECONDS, _look, world, owner, table, number)


def _look(world: World, owner: Owner, table: Table, number: int) -> None:
    if world.changes[owner.process.name, table.id] != number or not owner.in_charge:
        return
    if owner.tables.cache.get(table.id) is not table or table.in_doubt or table.busy:
        return
    if table.state is None or table.phase not in ("live", "over"):
        return
    busy = {press.user.id for press, _ in world.presses if press.at > world.loop.time() - PRESSED_SECONDS}
    for user_id in owner.hands.of_table(table):
        message_id = owner.hands._open[table.id, user_id].message_id
        posted = world.discord.private.get(user_id, {}).get(message_id)
        shown = posted is not None and user_id not in busy and not world.discord.gone(posted)
        if posted is not None and shown and _answered_by(owner, posted):
            world.counts["hands looked at"] += 1
            _shows_hand(world, table, user_id, posted)
    for user_id in owner.watchers.of_table(table):
        view = owner.watchers._views[table.id, user_id]
        posted = getattr(view.interaction, "shown", None)
        seen = posted is not None and user_id not in busy and not view.watch.hands
        if posted is not None and seen and _answered_by(owner, posted):
            world.counts["views looked at"] += 1
            _shows(world, f"view: watcher {user_id}", table, posted, [None])


def _answered_by(owner: Owner, posted: Posted) -> bool:
    """Return whether this owner was the last to write a private message.

    An owner that was overtaken answers presses from memory until it hears of that.
    """
    return posted.by is None or posted.by.client is owner.client


def _shows_hand(world: World, table: Table, user_id: int, posted: Posted) -> None:
    seats = table.seats_of(user_id)
    if not seats:
        if any(alt.startswith("seen by ") for alt in posted.alts()):
            world.wrong.append(f"hand: person {user_id} has left table {table.id} and still sees a hand")
        return
    _shows(world, f"hand: person {user_id}", table, posted, seats)
    for ref in posted.offered:
        if ref.verb in DECIDES and table.decisions[ref.number(1)] != ref.number(2):
            world.wrong.append(f"hand: person {user_id} is offered what was decided at table {table.id}")


def _shows(world: World, who: str, table: Table, posted: Posted, viewers: Sequence[Viewer]) -> None:
    """A view shows this moment as one of these viewers sees it, and no words that a picture is coming."""
    state: Any = table.state
    expected = {f"seen by {viewer}: {digest(state.observe(viewer))}" for viewer in viewers}
    shown = [*posted.alts(), *posted.texts()]  # in words to those who prefer that, or if files were refused
    if any(coming in text for coming in COMING for text in shown):
        world.wrong.append(f"{who} still waits for a picture of table {table.id}")
    elif not any(each in text for each in expected for text in shown):
        world.wrong.append(f"{who} sees another moment of table {table.id}: {posted.alts()}")
