"""The deal of the day in a world: people who ask for it and play it, and what must hold of it.

Who takes part, and when, is drawn apart from everything else, so worlds without it stay as they are.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, select

from bot.features.daily.handlers import day_message
from bot.store import days
from bot.store import games as store
from bot.store.days import PERSON
from bot.store.models import DailyResultRow, GameRow, table_of
from bot.table.journal import standing
from bot.table.table_kinds import NOWHERE
from bot.ui.context import Answer
from bot.ui.router import explain
from engine.fair import NONCE_BYTES, SEED_BYTES
from tests.sim.discord_in_memory import PRESS, Interaction
from tests.sim.plan import Act, games

if TYPE_CHECKING:
    from tests.sim.owner import Owner
    from tests.sim.people import Person
    from tests.sim.world import World

_GAMES, _RESULTS = table_of(GameRow), table_of(DailyResultRow)
ANEW = 0.1
"""How often somebody goes by the message of the day though their hand lies open."""


# -- people ---------------------------------------------------------------------------------------


def press(person: Person, act: Act) -> None:
    """Ask for the deal of the day, begin it, or go on with it: whatever this person sees."""
    hand = person.daily_hand.shown if person.daily_hand is not None else None
    ways = [ref for ref in hand.offered if ref.verb in ("go", "sel")] if hand is not None else []
    if hand is not None and ways and act.pick >= ANEW:
        person.send(hand, ways[int((act.pick - ANEW) / (1 - ANEW) * len(ways)) % len(ways)])
        return
    asked = person.daily_asked.shown if person.daily_asked is not None else None
    go = [ref for ref in asked.offered if ref.verb == "daily-go"] if asked is not None else []
    if asked is not None and go and act.pick * 1000 % 1 > ANEW:
        before = len(person.world.presses)
        person.send(asked, go[0])
        if len(person.world.presses) > before:
            person.daily_hand = person.world.presses[-1][0]
        return
    owner = person.world.receiver()
    if owner is not None:
        person.daily_asked = command = Interaction(owner.client, person.id, person.name, person.channel_id)
        person.world.presses.append((command, owner))
        game = person.world.plan.places[person.place].games[0]
        person.world.loop.spawn(owner.process, _asked(command, game), "open the day")


async def _asked(command: Interaction, game: str) -> None:
    """What the command /daily does."""
    PRESS.set(command)
    whose: Any = command
    answer = Answer.to(whose)
    try:
        await answer.private(await day_message(answer, game))
    except Exception as error:  # noqa: BLE001 - every failure has words, as in the tree of commands
        await explain(answer, error)


def deals(world: World, now: int) -> None:
    """The deals of the first day, as a bot has drawn them that ran before."""
    rng, day = Random(f"days {world.plan.seed}"), days.day_of(now)
    rows = [
        (day, game, rng.randbytes(SEED_BYTES), rng.randbytes(NONCE_BYTES), days.begins_at(day) - days.DAY_MS)
        for game in games()
    ]
    world.disk.observer.executemany(
        "INSERT INTO days (day, game, seed, nonce, made_at) VALUES (?, ?, ?, ?, ?)", rows
    )


# -- what must hold -------------------------------------------------------------------------------


async def rows_of(world: World, owner: Owner) -> None:
    """Nobody plays a deal twice for the board, what counts ended on its day, and the same moves met the same
    answers."""

    def read(connection: Connection) -> tuple[list[Any], list[Any]]:
        ids = select(_GAMES.c.id).where(_GAMES.c.channel_id == NOWHERE).order_by(_GAMES.c.id)
        tables = [
            (store.load(connection, table_id), store.journal(connection, table_id))
            for table_id in connection.execute(ids).scalars().all()
        ]
        return tables, list(connection.execute(select(_RESULTS)))

    tables, rows = await owner.database.read_at_once(read)
    noted = {(row.day, row.game, row.user_id): row for row in rows}
    counted = Counter[tuple[str, str, int]]()
    answers: dict[Any, list[object]] = {}
    world.counts["dailies"] = len(tables)
    for game, journal in tables:
        acts = standing(journal)
        world.counts["acts of dailies"] += len(acts)
        _answers(world, game, acts, answers)
        if game.terms.practice:
            continue
        key = (game.terms.daily, game.game, game.host_id)
        counted[key] += 1
        row = noted.pop(key, None)
        if row is None or row.game_id != game.id:
            if counted[key] == 1:
                world.wrong.append(f"daily: table {game.id} stands on no board")
            continue
        in_time = game.phase == "over" and days.day_of(game.ended_at) == game.terms.daily
        world.counts["dailies in time"] += in_time
        if in_time != (row.ended_at is not None):
            world.wrong.append(
                f"daily: table {game.id} ({game.phase}) ended, as the board has it: {not in_time}"
            )
        elif in_time and row.moves != sum(entry.seat == PERSON for entry in acts):
            world.wrong.append(f"daily: {row.moves} moves of table {game.id} on the board")
    for (day, played, user), times in counted.items():
        if times > 1:
            world.wrong.append(f"daily: person {user} has begun {played} of {day} {times} times")
    world.wrong += [f"daily: {key} has no table" for key in noted]


def _answers(world: World, game: Any, acts: list[store.Entry], answers: dict[Any, list[object]]) -> None:
    done: tuple[Any, ...] = (game.terms.daily, game.game)
    for entry in acts:
        if entry.seat != PERSON and answers.setdefault((done, entry.seat), entry.data) != entry.data:
            world.wrong.append(f"daily: the same moves met another answer at table {game.id}: {entry.data}")
            return  # whatever comes after it is another game
        done = (done, entry.seat, repr(entry.data))
