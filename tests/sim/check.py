"""What must hold of every world, whatever happened in it."""

from __future__ import annotations

import hashlib
import operator
import re
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, select

from bot.features.table.board import board_message
from bot.store import games as store
from bot.store.games import ACTS, UNDO, Entry
from bot.store.models import GameRow, ResultRow, table_of
from bot.table.journal import first_of, standing
from bot.table.storage.rebuild import read_table
from bot.table.table import Table
from bot.table.table_context import TableContext
from bot.table.table_kinds import is_hand_only
from tests.sim import whims
from tests.sim.discord_in_memory import alts, texts

if TYPE_CHECKING:
    from tests.sim.around import Call
    from tests.sim.owner import Owner
    from tests.sim.world import World

_GAMES, _RESULTS = table_of(GameRow), table_of(ResultRow)
_STAMP = re.compile(r"<t:\d+(:\w)?>")


def _all(connection: Connection) -> list[int]:
    return list(connection.execute(select(_GAMES.c.id).order_by(_GAMES.c.id)).scalars())


async def tables_of(world: World, owner: Owner) -> None:
    """Tables in memory, in rows and in Discord are the same."""
    wrong, database = world.wrong, owner.database
    for table_id in await database.read_at_once(_all):
        try:
            fresh = await read_table(database, table_id)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it is told
            wrong.append(f"replay: table {table_id} does not replay: {error!r}")
            continue
        held = owner.tables.cache.get(table_id)
        if held is not None:
            _same(world, held, fresh)
        shown = held if held is not None else await owner.tables.get(table_id)
        _same(world, shown, fresh)
        _on_time(world, owner, shown)
        _shows(world, shown)


def memory_of(world: World, owner: Owner) -> None:
    """What is in memory in the middle of play is what the rows say, where no change is under way."""
    database = owner.database
    rows = dict(world.disk.observer.execute("SELECT id, revision FROM games").fetchall())
    for table in owner.tables.cache.values():
        if table.busy or table.in_doubt:
            continue
        seen = (owner, rows.get(table.id), table.stored.revision, table.state, table.sitters, table.deadlines)
        known = world.looked.get(table.id)
        if known is not None and known[:3] == seen[:3] and all(map(operator.is_, known[3:], seen[3:])):
            continue  # nothing has changed since it was looked at
        found = database._read_in_one_piece(partial(store.whole, game_id=table.id))
        if found is None and table.phase == "cancelled":
            continue  # old lobbies vanish
        if found is None or found.game.revision != table.stored.revision:
            world.wrong.append(f"replay: the revision of table {table.id}")
            continue
        try:
            _same(world, table, Table(TableContext.alone(database), found))
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it is told
            world.wrong.append(f"replay: table {table.id} does not replay: {error!r}")
        else:
            world.looked[table.id] = seen


def _same(world: World, held: Table, fresh: Table) -> None:
    """A table in memory is what its journal leads to."""
    ours, theirs = held.state, fresh.state
    if (ours is None) != (theirs is None) and held.phase != "cancelled":
        world.wrong.append(f"replay: table {held.id} is dealt in one place and not in the other")
    elif ours is not None and theirs is not None and ours.fingerprint() != theirs.fingerprint():
        world.wrong.append(f"replay: table {held.id} is in another position than its journal leads to")
    for name in ("seq", "acts", "phase", "sitters", "deadlines"):
        if getattr(held, name) != getattr(fresh, name):
            world.wrong.append(
                f"replay: {name} of table {held.id}: {getattr(held, name)} {getattr(fresh, name)}"
            )
    if held.stored.revision != fresh.stored.revision:
        world.wrong.append(f"replay: the revision of table {held.id}")
    if held.phase == "live" and (held.legal != fresh.legal or held.decisions != fresh.decisions):
        world.wrong.append(f"replay: the decisions of table {held.id}: {held.decisions} {fresh.decisions}")


def _on_time(world: World, owner: Owner, table: Table) -> None:
    """Nothing that falls due is forgotten, and nobody waits who is not waited for."""
    now, most = owner.lease_holder.now(), int(1000 * (2 * owner.lease_holder.renew_every + 60))
    for deadline in table.deadlines:
        if deadline.due_at < now - most:
            late = (now - deadline.due_at) // 1000
            world.wrong.append(f"timer: {deadline.kind} of table {table.id} is {late} s late")
    if table.phase == "live" and table.outcome() is not None:
        world.wrong.append(f"timer: table {table.id} was never settled")
    owed(world, table)


def owed(world: World, table: Table) -> None:
    """Whatever a position waits for has a deadline; asked after each change as well."""
    match = bool(table.stored.terms.tournament)  # its clock starts when its message stands
    if table.phase == "lobby" and not match and not any(each.kind == "lobby" for each in table.deadlines):
        world.wrong.append(f"timer: the lobby {table.id} never closes")
    if table.phase != "live" or (table.asleep and table.outcome() is None):
        return
    owed = {(each.kind, each.seat) for each in table.deadlines}
    if table.outcome() is not None and ("settle", -1) not in owed:
        world.wrong.append(f"timer: nobody owes the end of table {table.id}")
    for seat in table.waiting():
        sitter = table.sitters[seat]
        if sitter.user_id is None or table.away(seat):
            if ("opponent", seat) not in owed:
                world.wrong.append(f"timer: nobody owes the turn of seat {seat} at table {table.id}")
        elif table.stored.terms.clock and ("turn", seat) not in owed:
            world.wrong.append(f"timer: no clock runs for seat {seat} at table {table.id}")


def _shows(world: World, table: Table) -> None:
    """The message of a table shows how it stands."""
    stored = table.stored
    if is_hand_only(table):
        return
    room = world.discord.threads.get(stored.channel_id)
    if room is not None and room.deleted:
        return  # its hands tell
    if stored.message_id is None:
        if table.phase != "cancelled":
            world.wrong.append(f"message: table {table.id} ({table.phase}) has none")
        return
    posted = world.discord.channel(stored.channel_id).get(stored.message_id)
    if posted is None or posted.deleted:
        world.wrong.append(f"message: that of table {table.id} is not there")
        return
    if table.phase == "cancelled":
        # its last picture may stay, but nobody is led to it any more
        if not {"hand", "join", "start"}.isdisjoint(posted.verbs()):
            world.wrong.append(f"message: table {table.id} is closed, and can still be pressed")
        return
    expected = board_message(table).view
    if alts(expected) != posted.alts():
        world.wrong.append(f"message: table {table.id} ({table.phase}) shows an old position")
    elif any(user < 0 for user in (*table.people(), *stored.terms.left.values())):
        return  # messages show the name that somebody had
    elif not any(
        _unstamped(texts(board_message(table, watching=n).view)) == _unstamped(posted.texts())
        for n in range(len(world.watchers) + 1)  # who watches no more is not taken off
    ):
        world.wrong.append(f"message: table {table.id} ({table.phase}) says what is no longer true")


def _unstamped(words: list[str]) -> list[str]:
    """Table time stands still while nobody runs, so moments move."""
    return [_STAMP.sub("<t>", each) for each in words]


async def rows_of(world: World, owner: Owner) -> None:
    """Journals, results and what people saw agree with what they did."""

    def read(connection: Connection) -> list[tuple[Any, list[store.Sitter], list[Entry], list[Any]]]:
        found = []
        for table_id in _all(connection):
            game = store.load(connection, table_id)
            results = connection.execute(select(_RESULTS).where(_RESULTS.c.game_id == table_id)).all()
            found.append(
                (game, store.sitters(connection, table_id), store.journal(connection, table_id), results)
            )
        return found

    rows = await owner.database.read_at_once(read)
    seats: dict[int, set[tuple[int, str]]] = {}
    journals = {game.id: journal for game, _, journal, _ in rows}
    world.counts["tables"] = len(rows)
    for game, sitters, journal, results in rows:
        place = world.discord.home_of(game.channel_id) - 7000
        world.counts[f"acts {place}"] += sum(entry.kind in ACTS for entry in journal)
        world.counts[f"played {game.game}"] += 1
        world.counts["timeouts"] += sum(entry.kind == "timeout" for entry in journal)
        world.counts["undone"] += sum(entry.kind == UNDO for entry in journal)
        world.counts[game.phase] += 1
        seats[game.id] = {(s.user_id, str(n)) for n, s in enumerate(sitters) if s.user_id is not None}
        seats[game.id] |= {(user, str(seat)) for seat, user in game.terms.left.items()}
        begun = _copied(game, journal)
        _journal(world, game.id, journal, len(begun))
        if game.terms.practice:
            _tried_again(world, game.id, begun, journals[game.terms.practice])
        _results(world, game, sitters, results)
    gone = whims.asked_to_be_forgotten(world)
    for user, table, viewer in sorted(world.hands):
        if table not in seats:
            continue  # closed before anybody acted, it has vanished since
        held = seats[table]
        if user in gone and any(nobody < 0 and seat == viewer for nobody, seat in held):
            continue
        if (viewer == "None") != (user == 0) or (user and (user, viewer) not in held):
            world.wrong.append(f"leak: person {user} has seen table {table} as seat {viewer} sees it")
    for press, receiver in world.presses:
        lively = receiver.process.alive and not press.troubled and not press.late
        if lively and not press.answered:
            world.wrong.append(f"answer: nobody answered press {press.id} {press.data['custom_id']}")


def _journal(world: World, table: int, journal: list[Entry], begun: int) -> None:
    """Each act that was answered stands there, once, and nothing that nobody did, after the entries with
    which the table has begun."""
    calls = [call for call in world.calls if call.table == table]
    known = {call.seq: call for call in calls if call.out == "ok"}
    unsure = [call for call in calls if call.out in ("", "unknown")]
    done = Counter[tuple[int, int]]()
    told = {call.seq for call in known.values()}
    entries = {entry.seq: entry for entry in journal[begun:] if entry.kind in ACTS}
    if len(told) < sum(call.out == "ok" for call in calls):
        world.wrong.append(f"twice: two answers name the same entry of table {table}")
    for seq in sorted(told - entries.keys()):
        world.wrong.append(f"lost: act {seq} of table {table} was answered and is not there")
    for entry in entries.values():
        call = known.get(entry.seq)
        if call is None:
            # whichever of them it was, it answers a decision that stood before it
            might = [c for c in unsure if _is(c, entry) and (c.decision or 0) < entry.seq]
            call = next((c for c in might if not done[c.seat, c.decision or 0]), might[0] if might else None)
            if call is None:
                world.wrong.append(f"nobody: entry {entry.seq} of table {table} is nobody's act")
                continue
            unsure.remove(call)
        elif not _is(call, entry):
            world.wrong.append(f"lost: entry {entry.seq} of table {table} is another act than was answered")
        if call.decision is not None:
            done[call.seat, call.decision] += 1
    for (seat, decision), count in done.items():
        if count > 1:
            world.wrong.append(
                f"twice: decision {decision} of seat {seat} at table {table} was made {count} times"
            )
    for place, entry in enumerate(journal):
        if entry.kind == UNDO:
            before = standing(journal[:place])
            own = [e.press or e.seq for e in before if e.seat == entry.seat and e.kind == "act"]
            if not own or own[-1] != first_of(entry):
                world.wrong.append(
                    f"undo: entry {entry.seq} of table {table} takes back {entry.data}, not {own[-1:]}"
                )

    _in_one_press(world, table, calls)
    _of_one_press(world, table, journal)


def _copied(game: store.StoredGame, journal: list[Entry]) -> list[Entry]:
    """What the table of a position that is tried again has from the game it comes from."""
    return [entry for entry in journal if game.terms.practice and entry.at == game.created_at]


def _tried_again(world: World, table: int, begun: list[Entry], whole: list[Entry]) -> None:
    """A position that is tried again is one of its game, before the last act."""
    world.counts["acts tried again"] += len(begun)
    acts = [(entry.seat, entry.data) for entry in standing(whole)]
    if len(begun) >= len(acts) or [(entry.seat, entry.data) for entry in begun] != acts[: len(begun)]:
        world.wrong.append(f"again: table {table} has not come as far as its game had")


def _is(call: Call, entry: Entry) -> bool:
    ours = (call.seat, call.kind, list(call.action), call.began)
    return ours == (entry.seat, entry.kind, list(entry.data), entry.press)


def _in_one_press(world: World, table: int, calls: list[Call]) -> None:
    """What a press decides besides follows what it has decided just before, and only where that stands: the
    second of a doubled press decides nothing, and what cannot be done ends the row."""
    presses: dict[int, list[Call]] = {}
    for call in calls:
        if call.press:
            presses.setdefault(call.press, []).append(call)
    for press, row in presses.items():
        for n, call in enumerate(row):
            if n == 0:
                right = call.began is None
            else:
                before = row[n - 1]
                right = before.out == "ok" and (call.began, call.decision) == (row[0].seq, before.seq)
                world.counts["second decisions"] += call.out == "ok"
            if not right:
                world.wrong.append(
                    f"half: press {press} at table {table} decided {call.action} as its {n + 1}., {call}"
                )


def _of_one_press(world: World, table: int, journal: list[Entry]) -> None:
    """Between two decisions of one press nothing else has changed what its seat decides."""
    last: dict[int, Entry] = {}
    for entry in journal:
        if entry.press is not None:
            before = last.get(entry.seat)
            if before is None or entry.press not in (before.seq, before.press):
                world.wrong.append(
                    f"half: entry {entry.seq} of table {table} is of press {entry.press}, after {before}"
                )
        if entry.kind == UNDO:
            last.clear()
        else:
            last[entry.seat] = entry


def _results(world: World, game: Any, sitters: list[store.Sitter], results: list[Any]) -> None:
    """Results are there once: of games that are over, and before that of people who have left."""
    left, seats = set(game.terms.left), {result.seat for result in results}
    if game.terms.daily or game.terms.practice:
        if results:
            world.wrong.append(f"results: table {game.id} counts for nothing and has some")
    elif game.terms.decided:
        people = {seat for seat, sitter in enumerate(sitters) if sitter.user_id is not None}
        if lacking := (left | people) - seats:
            world.wrong.append(f"results: table {game.id} is decided, and {lacking} have none")
    elif game.phase != "over":
        if seats - left:
            world.wrong.append(f"results: table {game.id} is {game.phase} and has some of {seats - left}")
    elif len(results) != len(sitters):
        world.wrong.append(f"results: {len(results)} of {len(sitters)} seats at table {game.id}")
    elif any(result.cards is None for result in results if result.user_id is not None):
        world.wrong.append(f"statistics: those of table {game.id}, which is over, are not stored")


def acts_by_place(world: World) -> list[int]:
    return [world.counts[f"acts {place}"] for place in range(len(world.plan.places))]


def trace(world: World) -> str:
    """A few letters for all that was done and shown; the same for the same run."""
    found = hashlib.blake2b(digest_size=12)
    for call in world.calls:
        found.update(
            repr((call.owner, call.table, call.seat, call.seq, call.out, call.action, call.at)).encode()
        )
    found.update(repr((world.discord.calls, sorted(world.counts.items()), world.wrong)).encode())
    return found.hexdigest()
