"""Nights in a world: people who plan one, say whether they come, and come; and what must hold of it.

Who takes part, and when, is drawn apart from everything else, so worlds without them stay as they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, select

from bot import custom_ids as ids
from bot.features.nights import rows as store
from bot.features.nights import service as nights
from bot.features.nights.handlers import begin_plan
from bot.features.nights.messages import NightBoard, night_message, title_of
from bot.features.nights.rows import Guest, Night
from bot.locales import words
from bot.store.models import GameRow, NightCallRow, NightRow, table_of
from bot.table.people.reserved_seats import RESERVED_MS
from bot.ui.context import Answer
from bot.ui.router import explain
from tests.sim.discord_in_memory import PRESS, Interaction, Posted, texts
from tests.sim.forms import send_form
from tests.sim.plan import QUARTER, Act

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
CALL_OFF, MOVE, FAR = 0.05, 0.15, 0.3
"""Shares of the planner's acts that call a night off or move it, and of plans with time for a reminder."""
CALLED_SECONDS, TOLD_SECONDS = 300.0, 2 * LOOK_SECONDS + 60.0
"""The most seconds, without trouble, until guests of a night are called, and until they hear of its time."""

NONCE_SECONDS = 300.0
"""Seconds for which Discord remembers a nonce; in the simulation it always does."""


@dataclass(slots=True)
class Seen:
    """How the rows of a night were from some moment on."""

    at: float
    phase: str
    starts_at: int
    game_id: int | None
    kept: frozenset[int]
    """People for whom its lobby keeps seats."""
    coming: frozenset[int]
    """These, and those who wait for one."""
    guests: frozenset[int]
    """People who come, or may come."""


@dataclass(slots=True)
class Evening:
    """The history of a night."""

    seen: list[Seen] = field(default_factory=list)

    def between(self, start: float, end: float) -> list[Seen]:
        """How it was from then to then."""
        until = [*(each.at for each in self.seen[1:]), float("inf")]
        return [each for each, over in zip(self.seen, until, strict=True) if each.at <= end and over > start]


class Board(NightBoard):
    """The bot's own; it notes which lobbies have opened, and for whom."""

    def __init__(self, publisher: Any, world: World) -> None:
        super().__init__(publisher)
        self._world = world

    async def night_opens(self, night: Any, table: Any, guests: list[Any]) -> None:
        opened = (night.id, table.id)
        if opened not in self._world.nights:  # else a stop kept the call back
            self._world.nights.append(opened)
        await super().night_opens(night, table, guests)


# -- people ---------------------------------------------------------------------------------------


def press(person: Person, act: Act) -> None:
    """Plan a night, answer to the newest one, move it or call it off, or sit down at its lobby, depending on
    the messages that this person sees."""
    here, rare = list(person.world.discord.channel(person.channel_id).values()), act.pick * 100 % 1
    come = _newest(here, "come")
    asked = _newest(here, "night")
    if come is not None and act.pick < 0.5:
        person.send(come, next(ref for ref in come.offered if ref.verb == "come"))
    elif asked is not None:
        number = next(ref for ref in asked.offered if ref.verb == "night").number(0)
        if person.number == 0 and rare < MOVE:
            _changes(person, asked, number, off=rare < CALL_OFF)
            return
        reply = ANSWERS[int(act.pick * 1000) % len(ANSWERS)]
        person.send(asked, ids.parse(ids.make("night", number, reply)))
    elif person.number == 0 and (owner := person.world.receiver()) is not None:
        command = Interaction(owner.client, person.id, person.name, person.channel_id)
        person.world.presses.append((command, owner))
        game = person.world.plan.places[person.place].games[1]
        work = _planned(command, game, f"{_quarter(person.world, 1 + 2 * (rare < FAR))} UTC")
        person.world.loop.spawn(owner.process, work, "open a night")


def _quarter(world: World, ahead: int) -> str:
    """The beginning of a quarter of an hour, `ahead` quarters after the next that is ten minutes away."""
    begins = (int(world.loop.time()) + 600) // QUARTER + ahead
    at = datetime.fromtimestamp(
        (world.discord.now() // 1000 - int(world.loop.time())) + begins * QUARTER, UTC
    )
    return f"{at:%Y-%m-%d %H:%M}"


def _changes(person: Person, asked: Posted, number: int, *, off: bool) -> None:
    """Call a night off, or let it begin later."""
    if off:
        person.send(asked, ids.parse(ids.make("night-off-yes", number)))
        return
    when = {"custom_id": "when", "value": _quarter(person.world, 2)}
    send_form(person, ids.make("night-move", number), when, {"custom_id": "zone", "value": "UTC"})


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


def committed(world: World) -> None:
    """Keep how nights are; one that has ended stays as it is, and none begins before its time."""
    look = world.disk.observer
    query = (
        "SELECT n.id, n.phase, n.starts_at, n.game_id, g.phase, g.terms FROM nights n "
        "LEFT JOIN games g ON g.id = n.game_id"
    )
    guests: dict[int, set[int]] = {}
    for number, user in look.execute("SELECT night_id, user_id FROM night_answers WHERE answer <> 'no'"):
        guests.setdefault(number, set()).add(user)
    for number, phase, starts_at, game_id, table, terms in look.execute(query):
        agreed = json.loads(terms) if table == "lobby" else {}
        kept = frozenset[int](agreed.get("held", ()))
        coming = kept | {knock["user"] for knock in agreed.get("waiting", ())}
        answered = frozenset(guests.get(number, ()))
        now = Seen(world.loop.time(), phase, starts_at, game_id, kept, coming, answered)
        seen = world.evenings.setdefault(number, Evening()).seen
        before = seen[-1] if seen else None
        if before is not None:
            if replace(now, at=before.at) == before:
                continue
            if before.phase != "planned" and (phase, game_id) != (before.phase, before.game_id):
                world.wrong.append(
                    f"night: {number} was {before.phase} at table {before.game_id}, "
                    f"and is {phase} at {game_id}"
                )
        if phase == "open" and world.discord.now() < starts_at:
            world.wrong.append(f"night: {number} has begun before its time")
        seen.append(now)


async def rows_of(world: World, owner: Owner) -> None:
    """A night begins when it is time, once, with those who said yes, and nothing of it is owed after."""

    def read(connection: Connection) -> tuple[list[Any], set[int], set[int], list[tuple[Night, list[Guest]]]]:
        planned = connection.execute(select(_NIGHTS).order_by(_NIGHTS.c.id)).all()
        tables = set(connection.execute(select(_GAMES.c.id)).scalars())
        called = set(connection.execute(select(_CALLS.c.night_id)).scalars())
        loaded = [(store.load(connection, row.id), store.guests(connection, row.id)) for row in planned]
        return (
            list(planned),
            tables,
            called,
            [(night, guests) for night, guests in loaded if night is not None],
        )

    rows, tables, called, found = await owner.database.read_at_once(read)
    begun: dict[int, int] = {}
    for number, table in world.nights:
        if begun.setdefault(number, table) != table:
            world.wrong.append(f"night: {number} has begun at tables {begun[number]} and {table}")
        opened = next(seen for seen in world.evenings[number].seen if seen.phase == "open")
        _came(world, next(row for row in rows if row.id == number), opened.coming)
    for row in rows:
        world.counts[f"night {row.phase}"] += 1
        if row.phase == "planned" and row.starts_at < owner.clock.now() - LATE_MS:
            world.wrong.append(f"night: {row.id} has never begun")
        if (row.phase == "open") != (row.game_id in tables) or row.game_id != begun.get(row.id, row.game_id):
            world.wrong.append(f"night: {row.id} is {row.phase}, at table {row.game_id}")
        if row.phase != "planned" and row.id in called:
            world.wrong.append(f"night: something is owed to {row.id}, which is {row.phase}")
    for night, answered in found:
        await _shows(world, owner, night, answered)
        _called(world, night)
        _told(world, night)
    _reminded(world, [night for night, _ in found])


async def _shows(world: World, owner: Owner, night: Night, guests: list[Guest]) -> None:
    """The message of a night shows how it is."""
    if night.message_id is None:
        return
    table = await owner.tables.get(night.game_id) if night.game_id is not None else None
    posted = world.discord.channel(night.channel_id).get(night.message_id)
    if posted is None or posted.texts() != texts(night_message(night, guests, table).view):
        world.wrong.append(f"night: the message of {night.id} ({night.phase}) is old")


def _trouble(world: World) -> float:
    """For how many seconds what broke in this world may have held things up."""
    return sum(fault.seconds for fault in world.plan.faults)


def _called(world: World, night: Night) -> None:
    """Once a night has begun, all for whom a seat is kept are called together, to a lobby that is there."""
    if night.phase != "open" or night.game_id is None:
        return
    here = list(world.discord.channel(night.channel_id).values())
    facts = {"game": title_of(night.game, night.locale), "table": night.game_id}
    text = words(night.locale)("night.begins", n=RESERVED_MS // nights.MINUTE_MS, **facts)
    calls = [posted for posted in here if text in posted.said]
    lobbies = [each for each in here if each.table() == night.game_id and each not in calls]
    lobbies = [each for each in lobbies if each.id != night.message_id]
    evening = world.evenings[night.id]
    begun = next(each.at for each in evening.seen if each.phase == "open")
    until, slow = calls[0].posted_at if calls else float("inf"), CALLED_SECONDS + _trouble(world)
    kept = [each.kept for each in evening.between(begun, min(until, begun + slow))]
    world.counts["calls to nights"] += len(calls)
    if len(calls) > 1:
        world.wrong.append(f"night: {len(calls)} calls to {night.id}")
    elif calls and len(calls[0].repeats) > len(world.plan.faults):
        world.wrong.append(f"night: guests were called to {night.id} {1 + len(calls[0].repeats)} times")
    elif calls and (not lobbies or min(posted.posted_at for posted in lobbies) > until):
        world.wrong.append(f"night: guests were called to {night.id} before there was a lobby")
    told = "".join(posted.said for posted in calls)
    missing = [user for user in sorted(frozenset.intersection(*kept)) if f"<@{user}>" not in told]
    if missing:
        world.wrong.append(f"night: {missing} were not called to {night.id}")


def _seconds(world: World, at: int) -> float:
    """A moment of the wall clock in the time of the world."""
    return world.loop.time() - (world.discord.now() - at) / 1000


def _sent(world: World, channel_id: int) -> Iterator[tuple[float, str]]:
    """Times and texts of messages in a channel. A repeated text counts again after `NONCE_SECONDS`."""
    for posted in world.discord.channel(channel_id).values():
        yield posted.posted_at, posted.said
        yield from ((at, text) for at, text in posted.repeats if at > posted.posted_at + NONCE_SECONDS)


def _told(world: World, night: Night) -> None:
    """Guests hear of a new time, and are reminded of a night that was planned early enough for that."""
    say, game, evening = words(night.locale), title_of(night.game, night.locale), world.evenings[night.id]
    heard = [content for _, content in _sent(world, night.channel_id)]
    for at, run in groupby(evening.seen, key=lambda each: each.starts_at):
        here = list(run)
        since, soon = here[0].at, _seconds(world, at - nights.SOON_MS)
        told, slow = say("night.told_moved", game=game, at=at // 1000), TOLD_SECONDS + _trouble(world)
        remind = say("night.remind", game=game, at=at // 1000)
        lately = evening.between(since, since + slow)
        others = frozenset.intersection(*(each.guests for each in lately)) - {night.host_id}
        moved, stayed = here[0] is not evening.seen[0], all(_is(each, at) for each in lately)
        if moved and stayed and others and not any(told in each or remind in each for each in heard):
            world.wrong.append(f"night: nobody was told of the new time of {night.id}")
        early = since < soon - 0.2 * nights.SOON_MS / 1000
        stayed = all(_is(each, at) for each in evening.between(soon, soon + slow))
        if early and stayed and not any(remind in each for each in heard):
            world.wrong.append(f"night: nobody was reminded of {night.id}")


def _is(seen: Seen, at: int) -> bool:
    return (seen.phase, seen.starts_at) == ("planned", at)


def _reminded(world: World, found: list[Night]) -> None:
    """Guests are reminded of a night that is planned, and of the time at which it is."""
    for channel_id, game, locale in sorted({(night.channel_id, night.game, night.locale) for night in found}):
        evenings = [world.evenings[night.id] for night in found if night.game == game]
        for at in sorted({each.starts_at for evening in evenings for each in evening.seen}):
            text = words(locale)("night.remind", game=title_of(game, locale), at=at // 1000)
            for sent_at, content in _sent(world, channel_id):
                if text not in content:
                    continue
                world.counts["reminders of nights"] += 1
                if sent_at < _seconds(world, at - nights.SOON_MS):
                    world.wrong.append(f"night: guests were reminded of {game} too early")
                start = sent_at - SURE_MS / 1000 - _trouble(world)
                lately = [each for evening in evenings for each in evening.between(start, sent_at)]
                if ("planned", at) not in [(each.phase, each.starts_at) for each in lately]:
                    world.wrong.append(f"night: guests were reminded of {game} when no night was so planned")


def _came(world: World, night: Any, guests: frozenset[int]) -> None:
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
