"""People who ask the teacher: for a hint, why an opponent did something, what to learn from a game; and those
who try a decision again. The teacher is stubbed: it says what was drawn, of what it was shown.

Who asks, and when, is drawn apart from everything else, so worlds without it stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import Connection, select

from bot import custom_ids as ids
from bot.features.teacher import review_rows as kept
from bot.render.scene import Scene
from bot.store import games as store
from bot.store.models import ReviewRow, table_of
from bot.table.journal import standing
from bot.table.thinking import hindsight_of, hint, motive_of
from engine import catalog
from engine.ai.advice import Advice
from engine.ai.motive import Motive
from engine.ai.review import Judged, Review
from engine.game import Seat, Setup, as_json
from tests.sim import plain
from tests.sim.discord_in_memory import PRESS
from tests.sim.plan import Act

if TYPE_CHECKING:
    from tests.sim.owner import Owner
    from tests.sim.people import Person
    from tests.sim.world import World

_REVIEWS = table_of(ReviewRow)
ASKS = ("hint", "why", "moral", "review", "try-again", "retry", "end", "end-post")
"""What is asked, wherever it is offered."""
LOOKED = 6
"""In so many of the newest private messages people look for something to ask."""
CLEAR = 0.2
"""How much a decision costs of which the teacher is sure."""


# -- people ---------------------------------------------------------------------------------------


def press(person: Person, act: Act) -> None:
    """Ask whatever can be asked just now."""
    world, there = person.world, person.world.discord
    board = person.board()
    mine = list(there.private.get(person.id, {}).values())[-LOOKED:]
    seen = [*([board] if board is not None else []), *(each for each in mine if not there.gone(each))]
    ways = [(posted, ref) for posted in seen for ref in posted.offered if ref.verb in ASKS]
    if board is not None and "hand" in board.verbs() and not ways:
        person.send(board, ids.Ref("hand", (str(board.table()),)))
    elif ways:
        # each kind is as likely, however often it is offered
        kinds = sorted({ref.verb for _, ref in ways})
        kind = kinds[int(act.pick * 1000) % len(kinds)]
        offered = [way for way in ways if way[1].verb == kind]
        world.counts[f"asked {kind}"] += 1
        person.send(*offered[int(act.pick * 100) % len(offered)])


# -- the teacher ----------------------------------------------------------------------------------


def taught(world: World, work: Callable[..., Any], about: Sequence[Any]) -> Any:
    """What the teacher says in the place of this function."""
    rng = Random(f"teacher {world.plan.seed} {world.discord.calls}")
    if work is hint:
        _, seen, actions = about
        _shown(world, seen.viewer)
        return _advice(rng, actions)
    if work is motive_of:
        for before, _ in about[2]:
            _shown(world, before.viewer)
        return rng.randrange(len(about[2])), Motive(
            rng.randrange(13), rng.randrange(4), rng.uniform(-1, 1), 0.1, ()
        )
    if work is hindsight_of:
        seen, actions, _ = about[1][0]
        if not _over(world):
            _shown(world, seen.viewer)
        return 0, _advice(rng, actions)
    raise ValueError(work)


def _advice(rng: Random, actions: Sequence[Any]) -> Advice:
    """One of the decisions that are offered, and another one where there is one."""
    offered = list(plain.alone(actions))
    best = offered.pop(rng.randrange(len(offered)))
    second = rng.choice(offered) if offered else None
    return Advice(best, second, rng.random(), rng.random(), 0.1, ())


def review(
    world: World, setup: Setup, acts: Sequence[tuple[Seat, Any]], seat: Seat, _by_others: object
) -> Review:
    """What a review says in the place of a real one: of each decision that what was played was right, or
    cost something."""
    _shown(world, seat)
    rng = Random(f"review {world.plan.seed} {world.discord.calls}")
    game = catalog.get(setup.game).at(setup.version)
    state, found = game.deal(setup), list[Judged]()
    for number, (who, data) in enumerate(acts):
        if who == seat and len(actions := state.legal_actions(seat)) > 1:
            best = as_json(rng.choice(plain.alone(actions)))
            loss = CLEAR if rng.random() < CLEAR else 0.0
            found.append(Judged(act=number, best=best, chance=rng.random(), loss=loss, error=0.01))
        state.apply(who, game.action(data))
    return Review(seat, tuple(found), rng.random())


def made(work: Callable[..., Any], *args: Any) -> Any:
    """What comes of other work for a worker; the picture of an end is stubbed as all pictures are."""
    drawn = bool(args) and args[0] == "bot.presenters.victory:made"
    return Scene(800, 600, (), "the end") if drawn else work(*args)


def _shown(world: World, viewer: Seat | None) -> None:
    """Whoever asks is told what follows from this observation: it has to be their own."""
    press = PRESS.get()
    if press is None:
        world.wrong.append("leak: nobody has asked, and the teacher has looked")
        return
    world.counts["taught"] += 1
    world.hands.add((press.user.id, ids.parse(press.data["custom_id"]).number(0), str(viewer)))


def _over(world: World) -> bool:
    """Whether the game is over of which somebody asks: then nothing of it is hidden any more."""
    press = PRESS.get()
    number = ids.parse(press.data["custom_id"]).number(0) if press is not None else 0
    tables = [owner.tables.cache.get(number) for owner in world.owners if owner.process.alive]
    return any(table is not None and table.outcome() is not None for table in tables)


# -- what must hold -------------------------------------------------------------------------------


async def rows_of(world: World, owner: Owner) -> None:
    """A review is kept of games that are over, and judges decisions that its seat has made there."""

    def read(connection: Connection) -> list[tuple[Any, list[store.Entry], Review]]:
        found = connection.execute(select(_REVIEWS.c.game_id, _REVIEWS.c.seat)).all()
        return [
            (
                store.load(connection, table),
                standing(store.journal(connection, table)),
                cast("Review", kept.review(connection, table, seat)),
            )
            for table, seat in found
        ]

    for game, acts, made in await owner.database.read_at_once(read):
        world.counts["reviews"] += 1
        if game.phase != "over":
            world.wrong.append(f"review: table {game.id} is {game.phase}, and seat {made.seat} has a review")
        for one in made.decisions:
            if one.act >= len(acts) or acts[one.act].seat != made.seat:
                world.wrong.append(f"review: act {one.act} of table {game.id} is not of seat {made.seat}")
                break
