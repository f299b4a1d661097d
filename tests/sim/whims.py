"""What people do beside playing: they report, choose settings and languages, go and come back, and have their
data deleted in the middle of a game; and what must hold of it.

Who does so, and when, is drawn apart from everything else, so worlds without it stay as they are. In whole
days of these worlds people also go away for more than a week: their tables sleep.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bot import custom_ids as ids
from bot.features.settings.messages import settings_message
from bot.locales import words
from bot.ui.context import Answer
from bot.ui.router import explain
from tests.sim.discord_in_memory import PRESS, Interaction, Posted
from tests.sim.forms import send_form
from tests.sim.plan import Act

if TYPE_CHECKING:
    from tests.sim.people import Person
    from tests.sim.world import World

FIRST_ID = 880_000_000_000_000_000
"""Numbers of people as Discord gives them: no other number in any row is one of them by chance."""
LOCALES = ("en", "zh-CN")
REPORT, GO, DELETE = 0.25, 0.4, 0.43
"""How often somebody reports, or leaves the server, or has all deleted; else they choose settings."""
AWAY_SECONDS = (60.0, 300.0, 1200.0)
WROTE_SECONDS = 5.0
NEVER = ("text_only",)
"""Switches that nobody turns: without pictures there is no saying which position somebody sees."""
_SEEN = re.compile(rb"seen by (\d+): ")


# -- people ---------------------------------------------------------------------------------------


def press(person: Person, act: Act) -> None:
    """Whatever comes to mind."""
    rare, world = act.pick * 100 % 1, person.world
    board = person.board()
    if board is not None and rare < REPORT:
        person.send(board, ids.Ref("report", (str(board.table()),)))
        world.loop.call_later(WROTE_SECONDS, _writes, person, board.table())
    elif rare < GO:
        # what they alone saw is gone when they come back
        person.out_until = world.loop.time() + AWAY_SECONDS[int(act.pick * 1000) % 3]
        world.discord.private.pop(person.id, None)
    elif rare < DELETE:
        if board is not None and world.receiver() is not None:
            person.send(board, ids.Ref("privacy-yes", ()))
            person.gone = True  # and never come back
    else:
        _chooses(person, act)


def _writes(person: Person, table: int) -> None:
    """Send the form of a report."""
    send_form(person, ids.make("report", table, ""), {"custom_id": "expected", "value": "another card"})


def _chooses(person: Person, act: Act) -> None:
    """Open one's settings, or change something there."""
    ways = _settings(person)
    if ways is None:
        owner = person.world.receiver()
        if owner is not None:
            asked = Interaction(owner.client, person.id, person.name, person.channel_id)
            person.world.presses.append((asked, owner))
            person.world.loop.spawn(owner.process, _asked(asked), "press settings")
        return
    posted, offered = ways
    person.send(posted, offered[int(act.pick * 1000) % len(offered)])


def _settings(person: Person) -> tuple[Posted, list[ids.Ref]] | None:
    """The message of their settings, and what can be changed there."""
    for posted in reversed(person.world.discord.private.get(person.id, {}).values()):
        offered = [
            ref
            for ref in posted.offered
            if ref.verb in ("set", "set-pings", "set-language", "set-holiday") and ref.word(0) not in NEVER
        ]
        if offered:
            return posted, offered
    return None


async def _asked(asked: Interaction) -> None:
    """What the command /settings does."""
    PRESS.set(asked)
    whose: Any = asked
    answer = Answer.to(whose)
    try:
        await answer.app.preferences.of(answer.user_id)
        await answer.private(settings_message(answer))
    except Exception as error:  # noqa: BLE001 - every failure has words, as in the tree of commands
        await explain(answer, error)


# -- what must hold -------------------------------------------------------------------------------


def forgotten(world: World) -> set[int]:
    """Who was told that all of theirs is deleted."""
    told = {words(locale)("privacy.done") for locale in LOCALES}
    return {
        person.id
        for person in world.everybody()
        if person.gone
        and any(
            not told.isdisjoint(posted.texts())
            for posted in world.discord.private.get(person.id, {}).values()
        )
    }


def asked_to_be_forgotten(world: World) -> set[int]:
    """Who asked for it: where the answer is lost, their seats alone tell that it was done."""
    return {person.id for person in world.everybody() if person.gone}


def reports(world: World) -> None:
    """A report holds what its writer may know."""
    for sent, _ in world.presses:
        for file in sent.files:
            table = ids.parse(sent.data["custom_id"]).number(0)
            for seat in _SEEN.findall(file):
                world.counts["reports"] += 1
                world.hands.add((sent.user.id, table, seat.decode()))


def rows_of(world: World) -> None:
    """Of somebody who was told that all is deleted no row says anything."""
    gone = forgotten(world)
    world.counts["forgotten"] += len(gone)
    if not gone:
        return
    look = world.disk.observer
    tables = [row[0] for row in look.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        for row in look.execute(f"SELECT * FROM {table}"):
            told = repr(row)
            for user in gone:
                if str(user) in told:
                    world.wrong.append(f"forgotten: person {user} still stands in {table}: {told[:200]}")
