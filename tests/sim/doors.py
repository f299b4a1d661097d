"""Tables that are not open to everybody: people who knock and are let in or turned away, invitations, and
challenges that are taken up, declined or left unanswered; and what must hold of it.

Who does so, and when, is drawn apart from everything else, so worlds without it stay as they are. What must
hold is asked at each commit, since whoever was let in once may sit down again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import discord
import msgspec

from bot import custom_ids as ids
from bot.features.challenge.command import challenge
from bot.store.servers import Opening
from tests.sim.discord_in_memory import PRESS, Interaction, Posted
from tests.sim.plan import Act

if TYPE_CHECKING:
    from tests.sim.people import Person
    from tests.sim.world import World

ANSWERS = ("let-in", "turn-away", "take-up", "stay-away")
"""What is pressed in a message that asks for an answer."""
ANSWER, SIT, CALL = 0.6, 0.8, 0.95
"""How often somebody answers what is asked in the channel, wants to sit down, or calls somebody; else they
get up."""
LOBBY_MINUTES = 20
"""A lobby closes sooner than usual, so that challenges lapse in small worlds too."""


@dataclass(frozen=True, slots=True)
class Lobby:
    """Who has to do with a table, as its rows say."""

    phase: str
    host: int
    people: frozenset[int]
    guests: frozenset[int]
    knocks: frozenset[int]


class Member(discord.Member):
    """Somebody of the server, as a command names them."""

    def __init__(self, person: Person) -> None:
        self._user: Any = person
        self.nick = person.name

    id = property(lambda self: self._user.id)  # type: ignore[assignment]
    bot = property(lambda _self: False)  # type: ignore[assignment]


def settings(world: World) -> None:
    """What the people of the server have chosen: who was not invited knocks."""
    chosen = msgspec.json.encode(Opening(access="invited")).decode()
    world.disk.observer.executemany(
        "INSERT INTO settings (scope, scope_id, key, value) VALUES ('channel', ?, 'tables', ?)",
        [(7000 + place, chosen) for place in range(len(world.plan.places))],
    )


# -- people ---------------------------------------------------------------------------------------


def press(person: Person, act: Act) -> None:
    """Answer what stands in the channel, call somebody to the own table or challenge them, sit down or up."""
    rare, world = act.pick * 100 % 1, person.world
    board, asked = person.board(), _asked(person)
    others = [each for each in world.people_of(person.place) if each is not person]
    if asked is not None and rare < ANSWER:
        ways = [ref for ref in asked.offered if ref.verb in ANSWERS]
        person.send(asked, ways[int(act.pick * 1000) % len(ways)])
    elif board is not None and "join" in board.verbs() and (rare < SIT or rare > CALL):
        verb = "join" if rare < SIT else "stand"
        person.send(board, ids.Ref(verb, (str(board.table()),)))
    elif others:
        other = others[int(act.pick * 1000) % len(others)]
        if board is not None and "join" in board.verbs() and act.pick < 0.5:
            _invites(person, board, other)
        else:
            person.command(challenge, person=Member(other))


def _asked(person: Person) -> Posted | None:
    """The newest message that asks somebody for an answer: whoever it is, anybody may press."""
    for posted in reversed(person.world.discord.channel(person.channel_id).values()):
        if not posted.deleted and not posted.verbs().isdisjoint(ANSWERS):
            return posted
    return None


def _invites(person: Person, board: Posted, other: Person) -> None:
    before = len(person.world.presses)
    person.send(board, ids.Ref("invite", (str(board.table()), f"={other.id}")))
    if len(person.world.presses) > before:
        user: Any = {"id": str(other.id), "bot": False}
        known: Any = {"users": {str(other.id): user}}
        person.world.presses[-1][0].data["resolved"] = known


# -- what must hold -------------------------------------------------------------------------------


def committed(world: World) -> None:
    """Nobody sits down at a table that is not open to everybody but who was invited, or let in by its host;
    and whoever knocks waits until they are answered."""
    now, by = _lobbies(world), PRESS.get()
    for number, lobby in now.items():
        before = world.lobbies.get(number)
        fresh = lobby.people - (before.people if before is not None else frozenset({lobby.host}))
        for user in sorted(fresh):
            if before is None or not _may_sit(before, number, user, by):
                world.wrong.append(f"door: person {user} sits at table {number}, whom nobody let in")
        if before is None or lobby.phase != "lobby":
            continue
        world.counts["knocks"] += len(lobby.knocks - before.knocks)
        world.counts["let in"] += len((before.knocks - lobby.knocks) & lobby.people)
        world.counts["turned away"] += len(before.knocks - lobby.knocks - lobby.people - lobby.guests)
        for user in sorted(before.knocks - lobby.knocks - lobby.people - lobby.guests):
            if not _answers(before, number, user, by):
                world.wrong.append(f"door: person {user} knocked at table {number}, and is forgotten")
    world.lobbies = now


def _lobbies(world: World) -> dict[int, Lobby]:
    look = world.disk.observer
    people: dict[int, set[int]] = {}
    for number, user in look.execute("SELECT game_id, user_id FROM seats WHERE user_id IS NOT NULL"):
        people.setdefault(number, set()).add(user)
    found = {}
    for number, phase, host, terms in look.execute("SELECT id, phase, host_id, terms FROM games"):
        agreed = json.loads(terms)
        if agreed.get("access", "open") != "open":
            admitted = frozenset((*agreed.get("guests", ()), *agreed.get("order", ())))
            knocks = frozenset(knock["user"] for knock in agreed.get("knocks", ()))
            found[number] = Lobby(phase, host, frozenset(people.get(number, ())), admitted, knocks)
    return found


def _may_sit(before: Lobby, number: int, user: int, by: Interaction | None) -> bool:
    own = by is not None and by.user.id == user and (user in before.guests or user == before.host)
    return own or (user in before.knocks and _answers(before, number, user, by, "let-in"))


def _answers(before: Lobby, number: int, user: int, by: Interaction | None, *verbs: str) -> bool:
    """Whether this press answers a knock, as the host of the table alone may."""
    if by is None or by.user.id != before.host:
        return False
    ref = ids.parse(by.data["custom_id"])
    return ref.verb in (verbs or ANSWERS) and ref.args == (str(number), str(user))


def rows_of(world: World) -> None:
    """A table that closed, be it a challenge that nobody answered, leaves nothing behind: no deadline of it,
    no thread, and nobody waits there any more."""
    look = world.disk.observer
    query = (
        "SELECT id, message_id, "
        "(SELECT count(*) FROM clocks WHERE game_id = id), "
        "(SELECT count(*) FROM entries WHERE game_id = id) "
        "FROM games WHERE phase = 'cancelled'"
    )
    for number, message_id, clocks, entries in look.execute(query):
        world.counts["closed"] += 1
        if clocks:
            world.wrong.append(f"left behind: {clocks} deadlines of table {number}, which is closed")
        if not entries and message_id in world.discord.threads:
            world.wrong.append(f"left behind: a thread of table {number}, which was never dealt")
    for owner in world.owners:
        if owner.process.alive:
            waiting = owner.tables.runtime._timers._waiting
            closed = {row[0] for row in look.execute("SELECT id FROM games WHERE phase = 'cancelled'")}
            for number in sorted(closed & waiting.keys()):
                world.wrong.append(f"left behind: a timer of table {number}, which is closed")
