"""Lessons and puzzles: people who take them up, go on, and leave them, and what must hold of it.

Who does so, and when, is drawn apart from everything else, so worlds without it stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from bot import custom_ids as ids
from bot.features.lessons.command import learn
from bot.features.lessons.service import lesson_table, lessons, lessons_of
from bot.features.puzzles.command import puzzle
from bot.features.puzzles.service import NEW, puzzles_of
from bot.table.table import Table
from tests.sim import plain
from tests.sim.discord_in_memory import Posted
from tests.sim.plan import Act, games

if TYPE_CHECKING:
    from tests.sim.people import Person
    from tests.sim.world import World

LESSONS = ("atom_duel", "duel52", "molecular")
"""The games of whose lessons each move is among the few that are offered here."""
OFFERED = 25
"""So many decisions are offered where lessons are taken, so that the one that is taught is among them."""
STEP, TAUGHT, LESSON = 0.85, 0.8, 0.6
"""How often somebody goes on, does what is taught, and asks for a lesson and not for a puzzle."""
FAILING = ("write_failed", "write_locked", "write_slow", "write_stuck")
"""What keeps a step from being stored: whoever pressed is told so."""
WAYS = ("step", "learn", "lessons", "puzzle", "puzzles", "solve")
DECIDES = ("go", "sel", "sure")


# -- people ---------------------------------------------------------------------------------------


def press(person: Person, act: Act) -> None:
    """Go on with what lies open, or ask for another lesson or puzzle."""
    rare, pick = act.pick * 100 % 1, int(act.pick * 10_000)
    shown = _open(person)
    if shown is None or rare > STEP:
        game = (LESSONS if rare * 100 % 1 < LESSON else games())[pick % len(LESSONS)]
        person.command(learn if game in LESSONS and pick % 2 else puzzle, game=game)
        return
    steps = [ref for ref in shown.offered if ref.verb in ("step", "solve") and ref.word(2) in DECIDES]
    taught = [ref for ref in steps if ref.verb == "step" and _is_taught(person.world, ref)]
    if taught and act.pick < TAUGHT:
        person.send(shown, taught[0])
        return
    ways = steps or [ref for ref in shown.offered if ref.verb in WAYS]
    if ways:
        person.send(shown, ways[pick % len(ways)])


def _open(person: Person) -> Posted | None:
    """The newest private message of a lesson or puzzle."""
    for posted in reversed(person.world.discord.private.get(person.id, {}).values()):
        if not posted.verbs().isdisjoint(WAYS):
            return posted
    return None


def _is_taught(world: World, ref: ids.Ref) -> bool:
    """Whether this control is what the lesson asks for."""
    lesson, move = lessons()[ref.word(0)], ref.number(1)
    if (lesson.key, move) not in world.taught:
        nothing: Any = None
        names = [f"{seat}" for seat in range(lesson.seats)]
        table: Table = lesson_table(nothing, lesson, move, user_id=1, names=names, locale="en")
        place = list(table.legal[0]).index(lesson.expected(move))
        on_offer = place % plain.step_of(table.legal[0]) == 0
        world.taught[lesson.key, move] = f"a{place}" if on_offer else ""
    wanted = world.taught[lesson.key, move]
    return bool(wanted) and wanted in (ref.args[-1].removeprefix("="), *ids.path_of(ref.word(3)))


# -- what must hold -------------------------------------------------------------------------------


def rows_of(world: World) -> None:
    """How far somebody is in a lesson follows from what they did, and a puzzle counts once for a person.
    Neither leaves a table or a result."""
    look = world.disk.observer
    query = "SELECT scope_id, key, value FROM settings WHERE scope = 'person'"
    rows = look.execute(query).fetchall()
    _none_missing(world, {(user, key) for user, key, _ in rows})
    for user, key, value in rows:
        kind, _, name = key.partition(".")
        if kind == "lesson":
            _lesson(world, user, name, msgspec.json.decode(value))
        elif kind == "puzzles":
            _puzzles(world, user, name, msgspec.json.decode(value))
    played = set(look.execute("SELECT user_id, game FROM results").fetchall())
    for user, game in look.execute("SELECT DISTINCT user_id, game FROM board_ratings").fetchall():
        if (user, game) not in played:
            world.wrong.append(f"lesson: person {user} is rated in {game}, and has not played it")


def _none_missing(world: World, kept: set[tuple[int, str]]) -> None:
    """Of each lesson in which somebody has come on, and was told so, it is known how far they are."""
    if not world.has_lessons:
        return
    for person in world.everybody():
        for key in lessons():
            sent = _sent(world, person.id, "step", key)
            came_on = any(sure and _is_taught(world, ref) for ref, sure in sent)
            if came_on and (person.id, f"lesson.{key}") not in kept:
                world.wrong.append(f"lesson: nobody knows that person {person.id} has come on in {key}")


def _sent(world: World, user: int, verb: str, name: str) -> list[tuple[ids.Ref, bool]]:
    """The steps of somebody, oldest first, and whether they were answered without any trouble: where a write
    failed, one of them may have been answered with that."""
    failed, found = any(world.counts[fault] for fault in FAILING), []
    for press, receiver in world.presses:
        if press.user.id == user and press.data["custom_id"]:
            ref = ids.parse(press.data["custom_id"])
            values = tuple("=" + value for value in press.data["values"])
            if ref.verb == verb and ref.word(0) == name:
                sure = press.answered and not press.troubled and receiver.process.alive and not failed
                found.append((ids.Ref(verb, (*ref.args, *values)), bool(sure)))
    return found


def _lesson(world: World, user: int, key: str, kept: dict[str, Any]) -> None:
    lesson = lessons()[key]
    moves, sent = len(lesson.moves()), _sent(world, user, "step", key)
    # a move that is made leads to the next one, and the last one to the beginning
    made = [(ref.number(1) + 1) % moves for ref, _ in sent if _is_taught(world, ref)]
    world.counts["lessons"] += 1
    world.counts["lessons to the end"] += bool(kept.get("done"))
    if kept.get("at", 0) not in made:
        world.wrong.append(f"lesson: person {user} is at {kept} of {key}, and has made the moves {made}")
    elif kept.get("done") and 0 not in made:
        world.wrong.append(f"lesson: person {user} has never come to the end of {key}")
    elif made[-1] == 0 and not kept.get("done") and _all_sure(sent):
        world.wrong.append(f"lesson: person {user} has come to the end of {key}, which is not kept")


def _all_sure(sent: list[tuple[ids.Ref, bool]]) -> bool:
    return all(sure for _, sure in sent)


def _puzzles(world: World, user: int, game: str, kept: dict[str, Any]) -> None:
    answered, sent = kept["answered"], _sent(world, user, "solve", game)
    tried = {ref.number(1) for ref, _ in sent}
    world.counts["puzzles"] += len(answered)
    world.counts["puzzles solved"] += kept["right"]
    if len(set(answered)) < len(answered) or not set(answered) <= tried & puzzles_of(game).keys():
        world.wrong.append(f"puzzle: person {user} has answered {answered} of {game}, and tried {tried}")
    if kept["right"] > len(answered) or (not answered and kept["mu"] != NEW.mu):
        world.wrong.append(f"puzzle: person {user} has {kept['right']} right of {len(answered)}")


assert all(lessons_of(game) for game in LESSONS)
