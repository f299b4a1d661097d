"""The kind of an error follows from its type and code; no word in it changes that."""

from __future__ import annotations

import errno
import inspect
import socket
import sqlite3
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import exc
from sqlalchemy.dialects.postgresql.asyncpg import AsyncAdapt_asyncpg_dbapi

from bot.locales import words
from bot.store.database import StoreError, trouble

HOSTILE = (
    "please rollback() fully; busy, locked, full, no space, ssl certificate, read-only readonly, "
    "not a database, malformed, already exists, no such table: games, duplicate column name: x, "
    "rejected SSL upgrade"
)
"""Words that once decided."""
adapted: Callable[[str, Exception], Exception] = AsyncAdapt_asyncpg_dbapi.Error
"""SQLAlchemy's error around one of asyncpg's."""
REJECTED, GONE = ("rejected", False), ("gone", True)


def found(error: BaseException) -> tuple[str, bool]:
    told = trouble(error)
    return told.kind, told.doubtful


def sqlalchemy_errors() -> list[type[exc.SQLAlchemyError]]:
    kinds = [each for _, each in inspect.getmembers(exc, inspect.isclass)]
    return [each for each in kinds if issubclass(each, exc.SQLAlchemyError)]


def made(kind: type[exc.SQLAlchemyError], said: str) -> exc.SQLAlchemyError:
    """An error of this class with these words, as SQLAlchemy makes it."""
    if issubclass(kind, exc.StatementError):
        return kind(said, said, {}, Exception(said))
    if issubclass(kind, exc.CircularDependencyError):
        return kind(said, [], [])
    if issubclass(kind, exc.UnsupportedCompilationError):
        return exc.UnsupportedCompilationError(said, int)  # type: ignore[arg-type]
    if issubclass(kind, exc.NoReferencedTableError):
        return kind(said, "games")
    if issubclass(kind, exc.NoReferencedColumnError):
        return kind(said, "games", "id")
    if issubclass(kind, exc.DBAPIError):
        return kind(said, {}, Exception(said))
    return kind(said)


SQLALCHEMY = {
    exc.SQLAlchemyError: REJECTED,
    exc.PendingRollbackError: GONE,
    exc.DisconnectionError: GONE,
    exc.InvalidatePoolError: GONE,
    exc.ResourceClosedError: GONE,
    exc.TimeoutError: ("slow", False),
    exc.IntegrityError: ("conflict", False),
}
"""Kinds of SQLAlchemy's own errors, wrapping no error with a code. Of the others each is a fault in a
statement, and each of a driver's that tells no code leaves the outcome open."""


@pytest.mark.parametrize("kind", sqlalchemy_errors(), ids=lambda each: each.__name__)
def test_no_words_of_sqlalchemy_change_the_kind(kind: type[exc.SQLAlchemyError]) -> None:
    wanted = SQLALCHEMY.get(kind, GONE if issubclass(kind, exc.DBAPIError) else REJECTED)
    assert found(made(kind, HOSTILE)) == found(made(kind, "")) == wanted


def test_a_lost_transaction_is_an_outage() -> None:
    error = exc.PendingRollbackError(
        "Can't reconnect until invalid transaction is rolled back. Please rollback() fully before proceeding",
        code="8s2b",
    )
    assert found(error) == GONE


CODES = {
    name: code
    for name in dir(sqlite3)
    if name.startswith("SQLITE_")
    and isinstance(code := getattr(sqlite3, name), int)
    and name.split("_")[1]
    in (
        *("ERROR", "INTERNAL", "PERM", "ABORT", "BUSY", "LOCKED", "NOMEM", "READONLY", "INTERRUPT", "IOERR"),
        *("CORRUPT", "NOTFOUND", "FULL", "CANTOPEN", "PROTOCOL", "SCHEMA", "TOOBIG", "CONSTRAINT"),
        *("MISMATCH", "MISUSE", "NOLFS", "AUTH", "FORMAT", "RANGE", "NOTADB"),
    )
}
SQLITE = {
    "PERM": "readonly",
    "ABORT": "locked",
    "BUSY": "locked",
    "LOCKED": "locked",
    "NOMEM": "gone",
    "READONLY": "readonly",
    "INTERRUPT": "slow",
    "IOERR": "gone",
    "CORRUPT": "not_a_database",
    "FULL": "full",
    "CANTOPEN": "gone",
    "PROTOCOL": "locked",
    "SCHEMA": "locked",
    "CONSTRAINT": "conflict",
    "AUTH": "denied",
    "FORMAT": "not_a_database",
    "NOTADB": "not_a_database",
}
EXTENDED = {
    "ERROR_RETRY": "locked",
    "ERROR_SNAPSHOT": "locked",
    "IOERR_BLOCKED": "locked",
    "IOERR_CORRUPTFS": "not_a_database",
    "IOERR_DATA": "not_a_database",
    "IOERR_SHMSIZE": "full",
    **dict.fromkeys(
        (f"CONSTRAINT_{what}" for what in ("CHECK", "NOTNULL", "COMMITHOOK", "FUNCTION", "TRIGGER", "VTAB")),
        "rejected",
    ),
}


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("wrapped", [False, True], ids=["bare", "wrapped"])
def test_every_code_of_sqlite(name: str, *, wrapped: bool) -> None:
    short = name.removeprefix("SQLITE_")
    wanted = EXTENDED.get(short) or SQLITE.get(short.split("_", maxsplit=1)[0], "rejected")
    error = sqlite3.OperationalError("" if CODES[name] == sqlite3.SQLITE_ERROR else HOSTILE)
    error.sqlite_errorcode = CODES[name]
    kind, doubtful = found(exc.OperationalError(HOSTILE, {}, error) if wrapped else error)
    assert kind == wanted
    assert doubtful == (short.startswith("IOERR") and kind == "gone"), "the outcome of a commit is unknown"


def raised(file: Path, *statements: str) -> sqlite3.Error:
    """The error that SQLite itself raises for the last statement."""
    *before, last = statements
    with closing(sqlite3.connect(file)) as connection:
        for statement in before:
            connection.execute(statement)
        with pytest.raises(sqlite3.Error) as error:
            connection.execute(last)
    return error.value


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("SELECT * FROM missing", "mixed"),
        ("SELECT missing FROM here", "mixed"),
        ("INSERT INTO here (missing) VALUES (1)", "rejected"),
        ("CREATE TABLE here (id INTEGER)", "mixed"),
        ("ALTER TABLE here ADD COLUMN id INTEGER", "mixed"),
        ("SELECT no_such_function()", "unsupported"),
        ("DELETE FROM here RETURNING", "rejected"),
        ("SELECT 'locked', 'full' FORM here", "rejected"),
        ("INSERT INTO here VALUES (NULL)", "rejected"),
        ("INSERT INTO here VALUES (1)", "conflict"),
        ("INSERT INTO here VALUES (-1)", "rejected"),
        ("COMMIT", "rejected"),
    ],
)
def test_what_sqlite_really_says(tmp_path: Path, statement: str, kind: str) -> None:
    table = "CREATE TABLE here (id INTEGER NOT NULL UNIQUE CHECK (id > 0))"
    error = raised(tmp_path / "some.db", table, "INSERT INTO here VALUES (1)", "COMMIT", statement)
    assert found(error) == (kind, False)


def test_a_closed_database_of_sqlite_is_out_of_reach() -> None:
    connection = sqlite3.connect(":memory:")
    connection.close()
    with pytest.raises(sqlite3.ProgrammingError) as error:
        connection.execute("SELECT 1")
    assert found(error.value) == GONE


def asyncpg_errors() -> Iterator[type[Exception]]:
    for _, each in inspect.getmembers(asyncpg.exceptions, inspect.isclass):
        if issubclass(each, Exception) and not issubclass(each, Warning):
            yield each


def sqlstate_kind(code: str) -> tuple[str, bool]:
    """The kind of a code of PostgreSQL, by its class first."""
    exact = {
        "0A000": "unsupported",
        "22021": "encoding",
        "22P05": "encoding",
        "23502": "rejected",
        "23514": "rejected",
        "25006": "readonly",
        "25P03": "slow",
        "25P04": "slow",
        "26000": "pooler",
        "3D000": "refused",
        "3F000": "mixed",
        "40002": "rejected",
        "42501": "denied",
        "42701": "mixed",
        "42703": "mixed",
        "42804": "mixed",
        "42883": "unsupported",
        "42P01": "mixed",
        "42P05": "pooler",
        "42P07": "mixed",
        "53100": "full",
        "55006": "locked",
        "55P03": "locked",
        "57014": "slow",
        "57P03": "gone",
        "57P04": "refused",
        "XX001": "not_a_database",
        "XX002": "not_a_database",
    }
    classes = {"08": GONE, "57": GONE, "58": GONE, "XX": GONE, "F0": GONE, "HV": GONE}
    classes |= {"23": ("conflict", False), "28": ("refused", False), "40": ("locked", False)}
    classes |= {"53": ("gone", False), "72": ("locked", False)}
    if code in exact:
        return exact[code], False
    return GONE if code == "40003" else classes.get(code[:2], REJECTED)


CODELESS = {
    "DataError": REJECTED,
    "ClientConfigurationError": ("refused", False),
    "UnsupportedClientFeatureError": ("unsupported", False),
    "UnsupportedServerFeatureError": ("unsupported", False),
    "TargetServerAttributeNotMatched": ("gone", False),
    "OutdatedSchemaCacheError": ("locked", False),
}
"""Kinds of asyncpg's own errors; after any other the connection is lost."""


@pytest.mark.parametrize("kind", list(asyncpg_errors()), ids=lambda each: each.__name__)
@pytest.mark.parametrize("wrapped", [False, True], ids=["bare", "wrapped"])
def test_every_error_of_asyncpg(kind: type[Exception], *, wrapped: bool) -> None:
    error = kind(HOSTILE)
    code = getattr(error, "sqlstate", None)
    wanted = sqlstate_kind(code) if code else CODELESS.get(kind.__name__, GONE)
    if wrapped:
        error = exc.DBAPIError(HOSTILE, {}, adapted(HOSTILE, error))
    assert found(error) == wanted


def test_a_statement_that_an_upgrade_made_stale() -> None:
    make: Callable[[str], Exception] = AsyncAdapt_asyncpg_dbapi.InvalidCachedStatementError
    stale = make("cached statement plan is invalid")
    assert found(exc.NotSupportedError("SELECT 1", {}, stale)) == ("locked", False)


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), ("full", False)),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), ("full", False)),
        (OSError(errno.EROFS, "Read-only file system"), ("readonly", False)),
        (PermissionError(errno.EACCES, "Permission denied", "/games/valence.db"), ("readonly", False)),
        (PermissionError(errno.EPERM, "Operation not permitted"), GONE),
        (OSError(errno.EIO, "Input/output error"), GONE),
        (OSError(errno.EBUSY, "Device or resource busy"), GONE),
        (ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"), ("gone", False)),
        (FileNotFoundError(errno.ENOENT, "No such file", "/run/full/locked/ssl"), ("gone", False)),
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), ("gone", False)),
        (
            OSError("Multiple exceptions: [Errno 111] Connect call failed, [Errno 111] locked"),
            ("gone", False),
        ),
        (ConnectionResetError(errno.ECONNRESET, "Connection reset by peer"), GONE),
        (ConnectionError('PostgreSQL server at "here:5432" rejected SSL upgrade'), ("tls", False)),
        (ConnectionError("the ssl certificate is locked, busy and full"), GONE),
        (TimeoutError("full"), ("slow", True)),
        (ssl.SSLCertVerificationError("self-signed certificate"), ("tls", False)),
        (ssl.SSLError("wrong version number"), ("tls", True)),
        (ssl.SSLEOFError("EOF occurred in violation of protocol"), GONE),
        (
            asyncpg.ClientConfigurationError('root certificate file "/a" does not exist'),
            ("tls", False),
        ),
    ],
    ids=lambda each: str(each)[:60],
)
def test_errors_of_the_system(error: Exception, wanted: tuple[str, bool]) -> None:
    assert found(error) == wanted


def test_every_kind_has_words_for_the_operator() -> None:
    kinds = {
        *SQLITE.values(),
        *EXTENDED.values(),
        *(sqlstate_kind(code)[0] for each in asyncpg_errors() if (code := getattr(each, "sqlstate", ""))),
    } - {"conflict"}
    missing = [kind for kind in sorted(kinds) if f"doctor.store.{kind}" not in words("en")]
    assert not missing


def test_a_row_that_exists_is_a_lost_race_and_a_missing_value_is_not(tmp_path: Path) -> None:
    table = "CREATE TABLE here (id INTEGER NOT NULL UNIQUE)"
    twice = raised(tmp_path / "a.db", table, "INSERT INTO here VALUES (1)", "INSERT INTO here VALUES (1)")
    empty = raised(tmp_path / "b.db", table, "INSERT INTO here VALUES (NULL)")
    assert (trouble(twice).kind, trouble(empty).kind) == ("conflict", "rejected")
    assert isinstance(trouble(twice), StoreError)
