"""Error kinds by the type and code of an error, never by words that happen to be in it.

The words of an error may quote a table, a path, or advice of a library: SQLAlchemy's "please rollback fully"
once passed for a full disk. Only errors without a code are recognized by their words, and then by a whole
fixed phrase.
"""

from __future__ import annotations

import errno
import socket
import sqlite3
import ssl
from collections.abc import Iterator
from typing import Final, NamedTuple

from sqlalchemy import exc


class ErrorKind(NamedTuple):
    """The kind of a StoreError, and whether the change may be stored nevertheless."""

    kind: str
    doubtful: bool = False


OUT_OF_REACH: Final = ErrorKind("gone", doubtful=True)
"""The kind of what is not known: the connection broke, or the database did not say what happened."""
NO_TABLE: Final = "42P01"
SQLSTATES: Final = {
    "03": "rejected",
    "08": "",
    "0": "rejected",
    "0A000": "unsupported",
    "1": "rejected",
    "2": "rejected",
    "22021": "encoding",
    "22P05": "encoding",
    "23": "conflict",
    "23502": "rejected",  # a value is missing
    "23514": "rejected",  # a value is not allowed
    "25006": "readonly",
    "25P03": "slow",  # idle in a transaction for too long
    "25P04": "slow",  # the transaction took too long
    "26000": "pooler",  # another session prepared this statement
    "28": "refused",
    "3": "rejected",
    "3D000": "refused",
    "3F000": "mixed",  # no schema of the search_path exists
    "40": "locked",
    "40002": "rejected",
    "40003": "",  # the server does not know whether the statement completed
    "42": "rejected",
    "42501": "denied",
    "42701": "mixed",  # a column or table that a migration creates already exists
    "42703": "mixed",  # a column that should exist does not
    "42804": "mixed",  # a column has another type
    "42883": "unsupported",  # the server has no such function
    NO_TABLE: "mixed",
    "42P05": "pooler",
    "42P07": "mixed",
    "44": "rejected",
    "53": "gone",  # the server has no connection or memory to spare
    "53100": "full",
    "54": "rejected",
    "55": "rejected",
    "55006": "locked",
    "55P03": "locked",
    "57014": "slow",  # the statement took too long
    "57P03": "gone",  # the server is starting or stopping, and accepts no connections
    "57P04": "refused",  # the database was dropped
    "72": "locked",  # the snapshot is too old
    "P0": "rejected",
    "XX001": "not_a_database",  # damaged
    "XX002": "not_a_database",
}
"""Error kinds by PostgreSQL's codes, or by the first one or two characters of codes without a line of their
own. In each case the server itself reports that nothing was stored. Other codes, and those with an empty
kind, say that the connection ended or the outcome is unknown."""
SQLITE_CODES: Final = {
    sqlite3.SQLITE_PERM: "readonly",
    sqlite3.SQLITE_ABORT: "locked",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_NOMEM: "gone",
    sqlite3.SQLITE_READONLY: "readonly",
    sqlite3.SQLITE_INTERRUPT: "slow",
    sqlite3.SQLITE_IOERR: "",  # the outcome of a commit is unknown
    sqlite3.SQLITE_IOERR_BLOCKED: "locked",
    sqlite3.SQLITE_IOERR_CORRUPTFS: "not_a_database",
    sqlite3.SQLITE_IOERR_DATA: "not_a_database",
    sqlite3.SQLITE_IOERR_SHMSIZE: "full",  # no room for the index of the write-ahead log
    sqlite3.SQLITE_CORRUPT: "not_a_database",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_CANTOPEN: "gone",
    sqlite3.SQLITE_PROTOCOL: "locked",
    sqlite3.SQLITE_SCHEMA: "locked",  # another process changed the schema, and the next try works
    sqlite3.SQLITE_CONSTRAINT: "conflict",
    sqlite3.SQLITE_CONSTRAINT_CHECK: "rejected",
    sqlite3.SQLITE_CONSTRAINT_NOTNULL: "rejected",
    sqlite3.SQLITE_CONSTRAINT_COMMITHOOK: "rejected",
    sqlite3.SQLITE_CONSTRAINT_FUNCTION: "rejected",
    sqlite3.SQLITE_CONSTRAINT_TRIGGER: "rejected",
    sqlite3.SQLITE_CONSTRAINT_VTAB: "rejected",
    sqlite3.SQLITE_AUTH: "denied",
    sqlite3.SQLITE_FORMAT: "not_a_database",
    sqlite3.SQLITE_NOTADB: "not_a_database",
    sqlite3.SQLITE_ERROR_RETRY: "locked",
    sqlite3.SQLITE_ERROR_SNAPSHOT: "locked",
}
"""Error kinds by SQLite's codes, or by the last byte of extended ones. SQLite rejects everything else, such
as a statement with an error in it."""
SQLITE_PHRASES: Final = (
    ("database is locked", "locked"),
    ("database table is locked", "locked"),
    ("database schema is locked", "locked"),
    ("database or disk is full", "full"),
    ("attempt to write a readonly database", "readonly"),
    ("file is not a database", "not_a_database"),
    ("database disk image is malformed", "not_a_database"),
    ("malformed database schema", "not_a_database"),
    ("no such table: ", "mixed"),
    ("no such column: ", "mixed"),
    ("duplicate column name: ", "mixed"),
    ("no such function: ", "unsupported"),
    ("no such module: ", "unsupported"),
    ("cannot operate on a closed database", ""),
    ("cannot operate on a closed cursor", ""),
)
"""Beginnings of SQLite's sentences for errors that share one code, or that Python raises without any."""
_ALREADY_THERE: Final = " already exists"
CLASSES: Final = (
    ("InvalidCachedStatementError", "locked"),  # an upgrade changed a table, and the next try works
    ("OutdatedSchemaCacheError", "locked"),
    ("DataError", "rejected"),
    ("UnsupportedClientFeatureError", "unsupported"),
    ("UnsupportedServerFeatureError", "unsupported"),
    ("TargetServerAttributeNotMatched", "gone"),
    ("ClientConfigurationError", "refused"),
)
"""Error kinds by asyncpg's classes that have no code. Named, since asyncpg is imported on PostgreSQL only."""
_ROOT_CERTIFICATE: Final = 'root certificate file "'
_NO_TLS: Final = ("postgresql server at ", " rejected ssl upgrade")
LOST: Final = (exc.PendingRollbackError, exc.DisconnectionError, exc.ResourceClosedError)
"""SQLAlchemy's errors after a connection was lost in the middle of a transaction."""

NOBODY_THERE: Final = (ConnectionRefusedError, FileNotFoundError, socket.gaierror)
"""Errors while connecting: no statement was sent, so nothing was stored. The second one means that a Unix
socket is gone, the last one that the server's name cannot be resolved."""
SEVERAL_REFUSED: Final = "multiple exceptions: [errno"
"""The start of asyncio's message if a name has more than one address."""
BROKEN_TLS: Final = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)
"""TLS errors of a connection that broke, not of one that cannot be trusted."""
ERRNOS: Final = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EROFS: "readonly"}


def error_kind(error: BaseException) -> ErrorKind:
    """Return the kind of an error of a driver, of SQLAlchemy, or of the system."""
    chain = list(_chain(error))
    cause = chain[-1]
    if isinstance(error, LOST):
        return OUT_OF_REACH
    if code := next((code for each in chain if (code := getattr(each, "sqlstate", None))), None):
        return _told(_by_sqlstate(code))
    if isinstance(cause, sqlite3.Error):
        return _told(_by_sqlite(cause))
    if isinstance(cause, OSError):
        return _by_system(cause)
    names = {each.__name__ for one in chain for each in type(one).__mro__ if _is_asyncpgs(each)}
    if kind := next((kind for name, kind in CLASSES if name in names), None):
        return ErrorKind("tls" if str(cause).startswith(_ROOT_CERTIFICATE) else kind)
    if isinstance(error, exc.IntegrityError):
        return ErrorKind("conflict")
    if isinstance(error, exc.TimeoutError):
        return ErrorKind("slow")  # all connections are taken
    if isinstance(error, exc.SQLAlchemyError) and not isinstance(error, exc.DBAPIError):
        return ErrorKind("rejected")  # SQLAlchemy itself refuses, before the database is asked
    return OUT_OF_REACH


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, the one that it wraps, and so on, down to the driver's."""
    each: object = error
    while isinstance(each, BaseException):
        yield each
        each = getattr(each, "orig", None)


def _told(kind: str) -> ErrorKind:
    """Return a kind that the database itself told; an empty one leaves the outcome open."""
    return ErrorKind(kind) if kind else OUT_OF_REACH


def _by_sqlstate(code: str) -> str:
    return next((SQLSTATES[part] for part in (code, code[:2], code[:1]) if part in SQLSTATES), "")


def _by_sqlite(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    if code not in (None, sqlite3.SQLITE_ERROR):
        return SQLITE_CODES.get(code, SQLITE_CODES.get(code & 0xFF, "rejected"))
    said = str(error).lower()
    told = next((kind for phrase, kind in SQLITE_PHRASES if said.startswith(phrase)), None)
    if told is not None:
        return told
    if said.endswith(_ALREADY_THERE):
        return "mixed"
    if isinstance(error, sqlite3.IntegrityError):
        return "conflict"
    if isinstance(error, sqlite3.NotSupportedError):
        return "unsupported"
    answered = code is not None or isinstance(error, (sqlite3.ProgrammingError, sqlite3.DataError))
    return "rejected" if answered else ""


def _by_system(error: OSError) -> ErrorKind:
    said = str(error).lower()
    if isinstance(error, ssl.SSLError):
        if isinstance(error, BROKEN_TLS):
            return OUT_OF_REACH
        return ErrorKind("tls", doubtful=not isinstance(error, ssl.SSLCertVerificationError))
    if isinstance(error, NOBODY_THERE) or said.startswith(SEVERAL_REFUSED):
        return ErrorKind("gone")
    if isinstance(error, TimeoutError):
        return ErrorKind("slow", doubtful=True)
    if error.errno in ERRNOS:
        return ErrorKind(ERRNOS[error.errno])
    if isinstance(error, PermissionError) and error.filename is not None:
        return ErrorKind("readonly")
    if said.startswith(_NO_TLS[0]) and said.endswith(_NO_TLS[1]):
        return ErrorKind("tls")
    return OUT_OF_REACH


def _is_asyncpgs(kind: type) -> bool:
    """Return whether a class is asyncpg's, or the one that SQLAlchemy puts in front of it."""
    return kind.__module__.startswith("asyncpg") or kind.__qualname__.startswith("AsyncAdapt_asyncpg_dbapi.")
