"""Nights in a world: people who plan one, say whether they come, and come; and what must hold of it.

Who takes part, and when, is drawn apart from everything else, so worlds without them stay as they are.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, select

from bot import custom_ids as ids
from bot.features.nights import service as nights
from bot.features.nights.handlers import begin_plan
from bot.features.nights.messages import NightBoard
from bot.store.models import GameRow, NightCallRow, NightRow, table_of
from bot.ui.context import Answer
from bot.ui.router import explain
from tests.sim.discord_in_memory import PRESS, Interaction, Posted
from tests.sim.plan import Act

if TYPE_CHECKING:
    from tests.sim.owner import Owner
    from tests.sim.people import Person
    from tests.sim.world import World

_GAMES, _NIGHTS, _CALLS = table_of(GameRow), table_of(NightRow), table_of(NightCallRow)
LOOK_SECONDS = 600.0
"""How often is looked for what falls due: far more rarely than in life, since a day has 4,320 looks."""
ANSWERS = ("yes", "yes", "yes", "maybe", "no")
LATE_MS = 1000 * (2 * int(LOOK_SECONDS) + 60)
SURE_MS = 30_000
"""What was answered so long before a night begins is heard of by then."""


class Board(NightBoard):
    """The bot's own; it notes which lobbies have opened, and for whom."""

    def __init__(self, publisher: Any, world: World) -> None:
        super().__init__(publisher)
        self._world = world

    def night_opens(self, night: Any, table: Any, guests: list[Any], settle: Any) -> None:
        if all(night.id != known for known, _, _ in self._world.nights):  # else a stop kept the call back
            self._world.nights.append((night.id, table.id, {guest.user_id for guest in guests}))
        super().night_opens(night, table, guests, settle)


# -- people ---------------------------------------------------------------------------------------


def press(person: Person, act: Act) -> None:
    """Plan a night, answer to the newest one, or sit down at its lobby: whatever this person sees."""
    here, now = list(person.world.discord.channel(person.channel_id).values()), person.world.discord.now()
    come = _newest(here, "come")
    asked = _newest(here, "night")
    if come is not None and act.pick < 0.5:
        person.send(come, next(ref for ref in come.offered if ref.verb == "come"))
    elif asked is not None:
        number = next(ref for ref in asked.offered if ref.verb == "night").number(0)
        reply = ANSWERS[int(act.pick * 1000) % len(ANSWERS)]
        person.send(asked, ids.parse(ids.make("night", number, reply)))
    elif person.number == 0 and (owner := person.world.receiver()) is not None:
        command = Interaction(owner.client, person.id, person.name, person.channel_id)
        person.world.presses.append((command, owner))
        at = datetime.fromtimestamp(now / 1000 + 600 + 900 * act.pick, UTC)
        game = person.world.plan.places[person.place].games[1]
        work = _planned(command, game, f"{at:%Y-%m-%d %H:%M} UTC")
        person.world.loop.spawn(owner.process, work, "open a night")


def _newest(here: list[Posted], verb: str) -> Posted | None:
    return next((each for each in reversed(here) if not each.deleted and verb in each.verbs()), None)


async def _planned(command: Interaction, game: str, when: str) -> None:
    """What the command /night plan does."""
    PRESS.set(command)
    whose: Any = command
    answer = Answer.to(whose)
    try:
        await begin_plan(answer, game, when)
    except Exception as error:  # noqa: BLE001 - every failure has words, as in the tree of commands
        await explain(answer, error)


# -- what must hold -------------------------------------------------------------------------------


async def rows_of(world: World, owner: Owner) -> None:
    """A night begins when it is time, once, with those who said yes, and nothing of it is owed after."""

    def read(connection: Connection) -> tuple[list[Any], set[int], set[int]]:
        planned = connection.execute(select(_NIGHTS).order_by(_NIGHTS.c.id)).all()
        tables = set(connection.execute(select(_GAMES.c.id)).scalars())
        return list(planned), tables, set(connection.execute(select(_CALLS.c.night_id)).scalars())

    rows, tables, called = await owner.database.read_at_once(read)
    begun: dict[int, int] = {}
    for number, table, guests in world.nights:
        if begun.setdefault(number, table) != table:
            world.wrong.append(f"night: {number} has begun at tables {begun[number]} and {table}")
        _came(world, next(row for row in rows if row.id == number), guests)
    for row in rows:
        world.counts[f"night {row.phase}"] += 1
        if row.phase == "planned" and row.starts_at < owner.clock.now() - LATE_MS:
            world.wrong.append(f"night: {row.id} has never begun")
        if (row.phase == "open") != (row.game_id in tables) or row.game_id != begun.get(row.id, row.game_id):
            world.wrong.append(f"night: {row.id} is {row.phase}, at table {row.game_id}")
        if row.phase != "planned" and row.id in called:
            world.wrong.append(f"night: something is owed to {row.id}, which is {row.phase}")


def _came(world: World, night: Any, guests: set[int]) -> None:
    """Whoever had said yes has a seat, nobody else; of presses in which something broke nobody knows."""
    last: dict[int, Interaction] = {}
    for interaction, _ in world.presses:
        ref = ids.parse(interaction.data["custom_id"]) if interaction.data["custom_id"] else None
        if ref is not None and ref.verb == "night" and ref.number(0) == night.id:
            last[interaction.user.id] = interaction
    for user, interaction in last.items():
        known = interaction.answered and not interaction.troubled and not interaction.late
        in_time = world.discord.time_of(interaction) < night.starts_at - SURE_MS
        taken = interaction.shown is interaction.pressed
        if known and in_time and taken:
            said = ids.parse(interaction.data["custom_id"]).word(1)
            world.counts["answers to nights"] += 1
            if (said == "yes") != (user in guests):
                world.wrong.append(f"night: person {user} said {said} to {night.id}, which kept {guests}")


def patched() -> Any:
    """Let the bot look more rarely; gives back what was there."""
    before, nights.LOOK_SECONDS = nights.LOOK_SECONDS, LOOK_SECONDS
    return before
