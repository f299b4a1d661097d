"""Names stored outside the source: tables, values in rows, fields of JSON in rows and files."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from types import SimpleNamespace
from typing import Any, TypeAlias

import msgspec
from alembic.script import ScriptDirectory
from msgspec import inspect
from sqlalchemy import Connection, create_engine, select
from sqlalchemy.dialects import postgresql

from bot.cli.external_opponents import Program
from bot.cli.tables import FoundTable
from bot.features.daily import morning_rows as mornings
from bot.features.daily import personal_data as daily_limit
from bot.features.lessons import rows as lessons
from bot.features.privacy import export as exporting
from bot.features.puzzles import rows as puzzles
from bot.features.seek import rows as seekers
from bot.ops.backups import name_at
from bot.ops.health_check import Finding
from bot.store import folds, prefs, servers, terms, unfolded
from bot.store.backend import migrate, other_bot_note
from bot.store.games import ACTS, OPEN_PHASES, UNDO, Deadline, Entry
from bot.store.models import Base, SettingRow, column_privacy, table_of
from bot.store.personal_data import begun_deletion, forgetting, kept_limits, left_servers
from bot.store.terms import GOING_ON
from bot.table.people.reserved_seats import HELD
from bot.table.turns import PASS, POST_GAME, SPOKEN
from engine import catalog, lab, ladder, problem_report, record
from engine.ai.review import Review
from engine.brackets import Bracket
from engine.game import Setup
from engine.puzzles import Puzzle
from tests.support.outside_play import PROBE
from tests.support.outside_running import compared, written

FORMATS: dict[str, type] = {
    "record": record.Record,
    "doctor --json": Finding,
    "tables list --json": FoundTable,
    "report": problem_report.Report,
    "puzzle": Puzzle,
    "ladder line": ladder.Tally,
    "lab line": lab.Batch,
    "setup": Setup,
    "games.terms": terms.Terms,
    "tournaments.terms": terms.TournamentTerms,
    "tournaments.bracket": Bracket,
    "folds.journal": folds._Columns,
    "reviews.data": Review,
    "players.prefs": prefs.Prefs,
    "settings channel pictures": prefs.Pictures,
    "settings channel tables": servers.Opening,
    "settings channel daily": mornings.Morning,
    "settings server tables": servers.Server,
    "settings server left": left_servers.LeftServer,
    "settings person deletion": begun_deletion.BegunDeletion,
    "settings person lesson": lessons.Progress,
    "settings person puzzles": puzzles.PuzzleStanding,
    "settings application other_bot": other_bot_note.OtherBotAnswer,
    "settings table unfolded": unfolded.Unfolded,
}
"""Classes written as JSON, each under a name that stays when its class is renamed."""


def formats() -> Iterator[str]:
    """Fields of JSON in rows, in files and in questions to other programs."""
    for name, kind in FORMATS.items():
        yield from _fields(name, "", kind)
    for key in catalog.listed():
        if key != PROBE:
            yield from _fields(f"observation of {key}", "", catalog.get(key).observation)
    yield f"backup: file {name_at(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))}"
    yield from (f"question to a program: {field}" for field in _question())
    yield from (f"personal export: {line}" for line in asyncio.run(_exported()))
    for table, columns in column_privacy.COLUMNS.items():
        given = (f"{table}.{name} {held.given}" for name, held in columns.items() if held.given != "not")
        yield from (f"personal export: tables.{line}" for line in given)


def _fields(name: str, path: str, kind: type) -> Iterator[str]:
    """The fields of a class and of those inside it, by the names that JSON has."""
    info = inspect.type_info(kind)
    assert isinstance(info, Fields)
    yield from _of_struct(name, path, info)


Fields: TypeAlias = inspect.StructType | inspect.DataclassType | inspect.NamedTupleType


def _is_array(info: Fields) -> bool:
    """Return whether JSON has the fields in a list, where only their order counts."""
    return isinstance(info, inspect.NamedTupleType) or getattr(info, "array_like", False)


def _of_struct(name: str, path: str, info: Fields) -> Iterator[str]:
    if isinstance(info, inspect.StructType) and info.tag is not None:
        yield f"{name}: {path}{info.tag_field} = {json.dumps(info.tag)}"
    for place, field in enumerate(info.fields):
        below = f"{path}{place if _is_array(info) else field.encode_name}"
        yield f"{name}: {below}: {_word(field.type)}{_default(field)}"
        for suffix, inner in _structs(field.type):
            yield from _of_struct(name, f"{below}{suffix}.", inner)


def _default(field: inspect.Field) -> str:
    """The value of a field that was left out."""
    if field.required:
        return ""
    if field.default_factory is not msgspec.NODEFAULT:
        return f" = {msgspec.json.encode(field.default_factory()).decode()}"
    if field.default is msgspec.NODEFAULT:
        return ", may be left out"
    return f" = {msgspec.json.encode(field.default).decode()}"


def _inner(kind: inspect.Type) -> list[tuple[str, inspect.Type]]:
    """The types inside a type, each with the mark of its place in the path."""
    match kind:
        case inspect.UnionType(types=types):
            return [("", each) for each in types]
        case inspect.TupleType(item_types=types):
            return [(f"[{place}]", each) for place, each in enumerate(types)]
        case inspect.DictType(key_type=key, value_type=value):
            return [("{key}", key), ("{}", value)]
        case inspect.CollectionType(item_type=item):
            return [("[]", item)]
    return []


def _structs(kind: inspect.Type) -> Iterator[tuple[str, Fields]]:
    """The structs inside a type, each with its place in the path."""
    if isinstance(kind, Fields):
        yield "", kind
    for mark, each in _inner(kind):
        yield from ((f"{mark}{suffix}", found) for suffix, found in _structs(each))


def _word(kind: inspect.Type) -> str:
    """A type as JSON has it, without the name of any class."""
    inner = [_word(each) for _, each in _inner(kind)]
    match kind:
        case inspect.StructType() | inspect.DataclassType() | inspect.NamedTupleType():
            return "array" if _is_array(kind) else "object"
        case inspect.CustomType():
            return "any"
        case inspect.LiteralType(values=values):
            return "|".join(sorted(map(str, values)))
        case inspect.EnumType(cls=cls):
            return "|".join(sorted(str(each.value) for each in cls))
        case inspect.UnionType():
            return " or ".join(sorted(inner))
        case inspect.TupleType():
            return f"({', '.join(inner)})"
        case inspect.DictType():
            return f"{{{inner[0]}: {inner[1]}}}"
        case inspect.CollectionType():
            return f"[{inner[0]}]"
    return type(kind).__name__.removesuffix("Type").lower()


def _question() -> Iterator[str]:
    """The fields of a question to an opponent in another program."""
    asked = list[str]()

    class Heard(Program):
        def _ask(self, question: str) -> str:
            asked.append(question)
            return "0"

    game = catalog.get("atom_duel")
    state = game.deal(game.setup(2, bytes(32)))
    seat = state.to_act()[0]
    Heard(game, "none")(state.observe(seat), state.legal_actions(seat), Random(1))
    yield from json.loads(asked[0])


async def _exported() -> list[str]:
    """The files of an export, and the fields of the one about the person."""
    answers: Iterator[object] = iter((({}, [7]), []))

    class Stub:
        async def read_at_once(self, _read: object) -> object:
            return next(answers)

        async def run(self, *_work: object, whose: int) -> object:
            return [(whose, b"{}")]

    tables: Any = SimpleNamespace(database=Stub(), thinker=Stub())
    made = await exporting.export(tables, 7, 0)
    with zipfile.ZipFile(io.BytesIO(made.data)) as whole:
        files = whole.namelist()
        return [f"file {name}" for name in files] + list(json.loads(whole.read(files[0])))


def tables() -> Iterator[str]:
    """Tables with their columns, keys and indexes, as PostgreSQL has them, and the numbers of migrations."""
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    for table in Base.metadata.sorted_tables:
        keys = ", ".join(table.primary_key.columns.keys())
        yield f"{table.name} primary key ({keys})"
        for column in table.columns:
            null = "null" if column.nullable else "not null"
            default: Any = column.server_default
            shown = f" default {getattr(default, 'arg', 'identity')}" if default is not None else ""
            yield f"{table.name}.{column.name} {column.type.compile(dialect)} {null}{shown}"
            for key in column.foreign_keys:
                yield f"{table.name}.{column.name} references {key.target_fullname} on delete {key.ondelete}"
        for index in table.indexes:
            kind = "unique index" if index.unique else "index"
            where: Any = index.dialect_options["postgresql"]["where"]
            partial = "" if where is None else f" where {where.compile(dialect=dialect)}"
            parts: list[Any] = list(index.expressions)
            columns = ", ".join(str(part.compile(dialect=dialect)) for part in parts)
            yield f"{table.name} {kind} {index.name} ({columns}){partial}"
    for script in ScriptDirectory(str(migrate.MIGRATIONS)).walk_revisions():
        yield f"migration {script.revision} after {script.down_revision}"


def rows() -> Iterator[str]:
    """Values in rows that queries search for: kinds, phases, and the keys of settings."""
    yield from (f"entries.kind {kind}" for kind in (*ACTS, UNDO, *written(Entry.__name__, 1)))
    deadlines = (*SPOKEN, PASS, POST_GAME, HELD, *written(Deadline.__name__, 1))
    yield from (f"clocks.kind {kind}" for kind in deadlines)
    limits = (daily_limit.PLAYED, kept_limits.HOLIDAY, kept_limits.MET, kept_limits.VOID)
    yield from (f"kept_limits.kind {kind}" for kind in limits)
    phases = (*OPEN_PHASES, *folds.ENDED, *GOING_ON, *compared("phase"))
    yield from (f"phase {phase}" for phase in phases)
    yield from (f"notice {kind}" for kind in written("tell", 1))
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with engine.begin() as connection:
        _put_settings(connection)
        kept = table_of(SettingRow).c
        for scope, key, value in connection.execute(select(kept.scope, kept.key, kept.value)):
            yield f"settings {scope} {key} ({', '.join(sorted(value))})"
    engine.dispose()


def _put_settings(connection: Connection) -> None:
    """Write one of each setting that is stored."""
    prefs.put_pictures(connection, 1, prefs.Pictures(large=True))
    servers.put_server(connection, 1, servers.Server(seek_role=1))
    servers.put_opening(connection, 1, servers.Opening(thread=True))
    mornings.put_morning(connection, 1, mornings.Morning(guild_id=1))
    left_servers.note(connection, 1, 1)
    seekers.claim(connection, 1, 1)
    lessons.keep_progress(connection, 1, "GAME", 1, done=False)
    lessons.first_time(connection, 1, "GAME", 1)
    puzzles.keep_standing(connection, 1, "GAME", puzzles.PuzzleStanding(1, 1))
    other_bot_note.note(connection, 1, 1)
    unfolded.note(connection, {1: unfolded.Unfolded(game="GAME", why="")})
    forgetting.Deletion(1, 0).begin(connection)
    kept_limits.keep(connection, [(kept_limits.KeptLimit("void", "", {}, 0), (1,))])
