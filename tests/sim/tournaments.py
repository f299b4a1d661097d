"""Tournaments in a world: people who announce one, join, play its tables, miss matches and leave; and what
must hold of it.

Who takes part, and when, is drawn apart from everything else, so worlds without them stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from sqlalchemy import Connection, select

from bot import custom_ids as ids
from bot.features.tournaments import command as commands
from bot.features.tournaments import rows as cups
from bot.features.tournaments.absences import matches_held
from bot.features.tournaments.corrections import digest
from bot.features.tournaments.messages import tournament_message
from bot.features.tournaments.rows import TournamentState
from bot.features.tournaments.tournament import Tournament
from bot.store.games import OPEN_PHASES
from bot.store.models import GameRow, TournamentRow, table_of
from bot.table.results import winners
from bot.table.table import Table
from engine.brackets import BracketEntry, Kind
from tests.sim.discord_in_memory import Posted, alts, texts
from tests.sim.people import Person
from tests.sim.plan import DAYS_FROM, Act

if TYPE_CHECKING:
    from tests.sim.owner import Owner
    from tests.sim.world import World

_GAMES, _TOURNAMENTS = table_of(GameRow), table_of(TournamentRow)
PLACE, PEOPLE = 90, 6
"""Their channel, far from the others, and how many come there."""
SHORT = (("atom_duel", "level=1 rounds=1"), ("compound_capture", "rounds=1"), ("molecular", "rounds=1"))
"""What is played: games for two that end after a few acts."""
MINUTES = (1, 5, 15, 60)
CLOSING_MS = 60_000
"""So long the table of a match that was decided elsewhere may take to close, beside that of the next one."""
AGAIN, LEAVE, WITHDRAW, REPORT, CALL_OFF, ALONE = 0.1, 0.02, 0.01, 0.05, 0.02, 0.1
"""How often somebody does something beside playing."""


# -- people ---------------------------------------------------------------------------------------


def entrants(world: World) -> list[Person]:
    """The people of the channel of tournaments."""
    return [Person(world, PLACE, number) for number in range(PEOPLE)]


def press(world: World, act: Act) -> None:
    """Whoever has something to do does it; now and then nobody else looks."""
    people = world.entrants
    for n in range(len(people)):
        if _does(people[(act.who + n) % len(people)], act) or act.pick * 1000 % 1 < ALONE:
            return


def _does(person: Person, act: Act) -> bool:
    """Do what there is to do for this person, as they see it; whether there was anything."""
    there, rare = person.world.discord, act.pick * 100 % 1
    asked = next(
        (
            posted
            for posted in reversed(there.channel(person.channel_id).values())
            if not posted.deleted and "cup-join" in posted.verbs()
        ),
        None,
    )
    going_on = _going_on(person.world)
    if asked is not None and going_on:
        return _joins(person, act, asked)
    if not going_on:
        return person.number < 2 and _announces(person, act)
    number, host = going_on[-1]
    if host == person.id and rare < REPORT:
        _orders(person, act, number)
        return True
    if REPORT <= rare < REPORT + WITHDRAW:
        _forges(person, ids.Ref("cup-leave-yes", (str(number),)))
        return True
    return any(
        _plays(person, act, room.id)
        for room in reversed(there.rooms_of(person.channel_id))
        if person.name in room.name
    )


def _joins(person: Person, act: Act, asked: Posted) -> bool:
    """Join what is announced, leave again, or begin it."""
    number = next(ref for ref in asked.offered if ref.verb == "cup-join").number(0)
    if not any(person.name in line for line in asked.texts()):
        verb = "cup-join"
    elif act.pick < LEAVE:
        verb = "cup-leave"
    elif f"<@{person.id}>" in asked.texts()[0] and "cup-start" in asked.verbs() and act.pick < 0.5:
        verb = "cup-start"
    else:
        return False
    person.send(asked, ids.Ref(verb, (str(number),)))
    return True


def _plays(person: Person, act: Act, channel_id: int) -> bool:
    """Sit down at a table and play at it."""
    board = person.board_in(channel_id)
    if board is None:
        return False
    verbs, table = board.verbs(), board.table()
    if "join" in verbs and "hand" not in verbs:
        if person.came == table and act.pick < 1 - AGAIN:
            return False
        person.came = table
        person.send(board, ids.Ref("join", (str(table),)))
    elif "resume" in verbs:
        person.send(board, ids.Ref("resume", (str(table),)))
    elif "hand" in verbs:
        hand, ways = person.hand(table), person.ways(table)
        if act.pick < LEAVE:
            person.send(board, ids.Ref("leave-yes", (str(table),)))
        elif hand is not None and ways:
            person.send(hand, ways[int(act.pick * len(ways)) % len(ways)])
        elif hand is None or act.pick < AGAIN:
            person.send(board, ids.Ref("hand", (str(table),)))
        else:
            return False
    else:
        return False
    return True


def _announces(person: Person, act: Act) -> bool:
    game, option = SHORT[int(act.pick * 1000) % len(SHORT)]
    kinds = get_args(Kind)
    person.command(
        commands.create,
        name=f"cup of {person.name}",
        game=game,
        kind=kinds[int(act.pick * 100) % len(kinds)],
        seeding=("random", "rating")[int(act.pick * 10_000) % 2],
        minutes=MINUTES[int(act.pick * 100) % (3 if person.world.plan.hours < DAYS_FROM else 4)],
        option=option,
    )
    return True


def _orders(person: Person, act: Act, number: int) -> None:
    """Report a match, call the tournament off, or turn the page of its message."""
    state = _state(person.world, number)
    ready = state.bracket.ready() if state is not None and state.bracket is not None else ()
    if act.pick < CALL_OFF or not ready:
        _forges(person, ids.Ref("cup-off", (str(number),)))
        return
    match = ready[int(act.pick * len(ready)) % len(ready)]
    result = [*(f"w{player}" for player in match.players), "d"][int(act.pick * 1000) % 3]
    person.world.reported.add((number, match.key))
    _forges(person, ids.Ref("cup-note", (str(number), match.key, result, digest(match))))


def _forges(person: Person, ref: ids.Ref) -> None:
    """Press what a private question would show, without having been asked."""
    here = person.world.discord.channel(person.channel_id)
    if here:
        person.send(next(reversed(here.values())), ref)


def _going_on(world: World) -> list[tuple[int, int]]:
    """Which tournaments go on, and whose they are: their messages say it."""
    query = "SELECT id, host_id FROM tournaments WHERE phase IN ('open', 'running') ORDER BY id"
    return [(int(number), int(host)) for number, host in world.disk.observer.execute(query)]


def _state(world: World, number: int) -> TournamentState | None:
    """A tournament as its rows have it."""
    database = world.owners[-1].database
    return database._read_in_one_piece(lambda connection: cups.read(connection, number))


# -- what must hold -------------------------------------------------------------------------------


async def rows_of(world: World, owner: Owner) -> None:
    """Each match is played or settled once and noted as it ended, nobody is paired twice at a time, nothing
    stands still, and messages show how it is."""

    def read(connection: Connection) -> tuple[list[TournamentState], list[int]]:
        numbers = connection.execute(select(_TOURNAMENTS.c.id).order_by(_TOURNAMENTS.c.id)).scalars().all()
        found = [state for number in numbers if (state := cups.read(connection, number)) is not None]
        return found, list(connection.execute(select(_GAMES.c.id).order_by(_GAMES.c.id)).scalars())

    if not world.entrants:
        return
    states, numbers = await owner.database.read_at_once(read)
    tables = [await owner.tables.get(number) for number in numbers]
    for state in states:
        stored = state.stored
        mine = [table for table in tables if table.stored.terms.tournament == stored.id]
        world.counts[f"tournament {stored.phase}"] += 1
        world.counts["tables of tournaments"] += len(mine)
        world.counts["matches played out"] += sum(table.phase == "over" for table in mine)
        _joined(world, state)
        _noted(world, state, mine)
        _paired(world, state, mine)
        _goes_on(world, owner, state, {table.id: table for table in mine})
        await _shows(world, owner, state)


def _joined(world: World, state: TournamentState) -> None:
    """Whoever was told that they take part does; of presses in which something broke nobody knows."""
    here: dict[int, bool | None] = {}
    for interaction, _ in world.presses:
        ref = ids.parse(interaction.data["custom_id"]) if interaction.data["custom_id"] else None
        if ref is None or ref.verb not in ("cup-join", "cup-leave") or ref.number(0) != state.stored.id:
            continue
        known = interaction.answered and not interaction.troubled and not interaction.late
        if not known:
            here[interaction.user.id] = None
        elif interaction.shown is interaction.pressed:
            here[interaction.user.id] = ref.verb == "cup-join"
    entered = {entrant.user_id for entrant in state.entrants}
    for user, joined in here.items():
        if joined is not None and joined != (user in entered):
            world.wrong.append(
                f"tournament: person {user} has {'joined' if joined else 'left'} {state.stored.id}, "
                f"in which take part {sorted(entered)}"
            )


def told(table: Table) -> tuple[str, str] | None:
    """What a closed table tells of its match, and whose it is; None for nothing."""
    terms = table.stored.terms
    invited = [str(user) for user in terms.invited]
    if table.phase == "over" and (outcome := table.outcome()) is not None:
        best = winners(table, outcome)
        return ("won", invited[best[0]]) if len(best) == 1 else ("drawn", "")
    if table.phase == "cancelled" and table.stored.why == "forfeit":
        return "won", next(player for player in invited if player != str(terms.forfeit))
    if table.phase == "cancelled" and table.stored.why == "expired" and len(table.sitters) < len(invited):
        here = [str(who.user_id) for who in table.sitters]
        return ("won", here[0]) if here else ("missed", "")
    return None


def _noted(world: World, state: TournamentState, tables: list[Table]) -> None:
    """The log of the bracket is what its tables told, each once, but for what was reported."""
    stored, bracket = state.stored, state.bracket
    ended: dict[str, list[tuple[Table, tuple[str, str]]]] = {}
    for table in sorted(tables, key=lambda table: (table.stored.ended_at or 0, table.id)):
        if (what := told(table)) is not None:
            ended.setdefault(table.stored.terms.match, []).append((table, what))
    log: tuple[BracketEntry, ...] = bracket.log if bracket is not None else ()
    gone = {entry.player for entry in log if entry.what == "withdrawn"}
    log = tuple(entry for entry in log if entry.what != "withdrawn")
    for key in sorted({entry.match for entry in log if entry.match} | ended.keys()):
        noted = [(entry.what, entry.player) for entry in log if entry.match == key]
        left = [(table, what) for table, what in ended.get(key, [])]
        settled = (stored.id, key) in world.reported
        for what in noted:
            while left and left[0][1] != what and (settled or _may_be_left(left[0][0], stored.phase, gone)):
                left.pop(0)
            if left and left[0][1] == what:
                left.pop(0)
            elif not settled:
                world.wrong.append(
                    f"tournament: match {key} of {stored.id} stands as {what}, "
                    f"and its tables told {[told for _, told in ended.get(key, [])]}"
                )
        for table, what in left:
            if not settled and not _may_be_left(table, stored.phase, gone):
                world.wrong.append(
                    f"tournament: table {table.id} of match {key} of {stored.id} told {what}, "
                    f"and it stands as {noted}"
                )


def _may_be_left(table: Table, phase: str, gone: set[str]) -> bool:
    """Whether a table may have told what nobody notes: nobody could see it, its match was called off, or
    somebody had left before."""
    return (
        table.stored.why == "expired"
        or phase == "cancelled"
        or not gone.isdisjoint(str(user) for user in table.stored.terms.invited)
    )


def _paired(world: World, state: TournamentState, tables: list[Table]) -> None:
    """A match has one table at a time and the same two people, and nobody is in two matches at once."""
    stored = state.stored
    pairs: dict[str, set[int]] = {}
    until: dict[int, tuple[float, Table]] = {}
    for table in sorted(tables, key=lambda table: table.id):
        key, invited = table.stored.terms.match, set(table.stored.terms.invited)
        if pairs.setdefault(key, invited) != invited:
            world.wrong.append(f"tournament: match {key} of {stored.id} was of {pairs[key]} and {invited}")
        for user in sorted(invited):
            end, other = until.get(user, (0.0, table))
            if end > table.stored.created_at:
                world.wrong.append(
                    f"tournament: person {user} has tables {other.id} and {table.id} of {stored.id} at once"
                )
            ended = table.stored.ended_at if table.phase not in OPEN_PHASES else None
            if ended is not None and table.stored.why == "decided":
                ended -= CLOSING_MS
            until[user] = (float("inf") if ended is None else ended, table)
    rounds: dict[tuple[str, int], str] = {}
    for key, pair in pairs.items():
        for user in pair:
            if rounds.setdefault((key.split(".")[0], user), key) != key:
                world.wrong.append(
                    f"tournament: person {user} plays {key} and another match of its round of {stored.id}"
                )


def _goes_on(world: World, owner: Owner, state: TournamentState, tables: dict[int, Table]) -> None:
    """Every match that is to be played has a table at which it can be, and no other has one."""
    stored, bracket = state.stored, state.bracket
    number = stored.id
    held = owner.tournaments.in_memory([number])
    if held and (held[0].state != state or held[0].in_doubt):
        world.wrong.append(f"tournament: {number} is in memory otherwise than in its rows")
    running = stored.phase == "running" and bracket is not None
    ready = {match.key for match in bracket.ready()} if running and bracket is not None else set[str]()
    if stored.phase in cups.GOING_ON and not held:
        world.wrong.append(f"tournament: {number} is {stored.phase}, and nobody goes on with it")
    if running and not ready:
        world.wrong.append(f"tournament: {number} runs, and nothing is to be played")
    if ready != state.matches.keys():
        world.wrong.append(f"tournament: {sorted(ready)} of {number} are ready, not {sorted(state.matches)}")
    asked = matches_held(held[0]) if held else ()
    for key, match in state.matches.items():
        table = tables.get(match.game_id or 0)
        if key in asked and match.step == "due":
            continue  # a player was asked for an answer
        if match.step != "stands" or table is None or table.phase not in OPEN_PHASES:
            phase = table.phase if table is not None else None
            world.wrong.append(f"tournament: match {key} of {number} is at {match}, its table {phase}")
        elif table.stored.channel_id != match.thread_id:
            world.wrong.append(
                f"tournament: table {table.id} of match {key} of {number} is not in its thread"
            )
        elif table.phase == "lobby" and not table.deadlines:
            world.wrong.append(f"tournament: nobody is waited for at match {key} of {number}")
    played = {match.game_id for match in state.matches.values()}
    for table in tables.values():
        if table.phase in OPEN_PHASES and table.id not in played:
            world.wrong.append(f"tournament: table {table.id} of {number} is open, and its match is decided")


async def _shows(world: World, owner: Owner, state: TournamentState) -> None:
    """The message of a tournament shows how it stands."""
    stored = state.stored
    held = owner.tournaments.in_memory([stored.id])
    if stored.message_id is None:
        if stored.phase != "cancelled":
            world.wrong.append(f"tournament: {stored.id} ({stored.phase}) has no message")
        return
    posted = world.discord.channel(stored.channel_id).get(stored.message_id)
    if posted is None or posted.deleted:
        world.wrong.append(f"tournament: the message of {stored.id} is not there")
        return
    if not held:  # over, and let go: it shows the end
        held = [Tournament(owner.database, state)]
    await held[0].find_ways()
    expected = tournament_message(held[0], stored.locale).view
    if alts(expected) != posted.alts() or texts(expected) != posted.texts():
        world.wrong.append(f"tournament: the message of {stored.id} ({stored.phase}) is old")
