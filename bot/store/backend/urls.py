"""Parsing of DATABASE_URL: the database it names, and the driver arguments from its parameters.

Hosts hand out URLs for libpq, psycopg, node-postgres or Prisma. asyncpg uses other names for the same things,
so everything after the `?` is translated here. Unknown parameters are refused by name: silently ignoring a
mistyped `sslmode` would send games over an unencrypted connection.
"""

from __future__ import annotations

import getpass
import os
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import urlencode

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.store.backend.paths import checked_path

SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
SESSIONS = ("any", "primary", "standby", "read-write", "read-only", "prefer-standby")
FILES = ("sslcert", "sslkey", "sslrootcert", "sslcrl")
"""Parameters that name a file."""
TLS = (
    *FILES,
    "sslmode",
    "sslpassword",
    "sslnegotiation",
    "ssl_min_protocol_version",
    "ssl_max_protocol_version",
)
"""Parameters that asyncpg reads under libpq's names, but only from a URL of its own."""
SERVER = ("application_name", "options", "search_path", "TimeZone", "timezone")
"""Parameters passed to the server unchanged."""
NEEDLESS = frozenset(
    (
        *("channel_binding", "gssencmode", "krbsrvname", "require_auth", "load_balance_hosts"),
        *("keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout"),
        *("client_encoding", "fallback_application_name", "connection_limit", "pool_timeout", "pool_size"),
        *("pool", "max_pool_size", "socket_timeout", "supa", "workaround", "uselibpqcompat"),
        *("sslcompression", "sslsni"),
    )
)
"""Parameters of other drivers and tools that have no effect here."""
KNOWN = frozenset(
    (
        *(*TLS, *SERVER, *NEEDLESS, "ssl", "connect_timeout", "target_session_attrs", "pgbouncer"),
        *("prepared_statement_cache_size", "statement_cache_size", "schema", "host", "port", "user"),
        *("password", "dbname", "database"),
    )
)
POOLED: tuple[Callable[[str, int], bool], ...] = (
    lambda host, _port: host.endswith(".neon.tech") and "-pooler." in host,
    lambda host, port: host.endswith((".supabase.co", ".supabase.com")) and port == 6543,
    lambda host, port: host.endswith(".ondigitalocean.com") and port == 25061,
)
"""Addresses of PgBouncer or similar poolers, which share one server connection among many clients."""


_LONGEST = ".before-restore-20260131T060000Z"
"""The longest suffix of a file next to the SQLite file."""


class BadUrl(ValueError):
    """A DATABASE_URL that cannot be used. `key` names the message in "doctor.url.<key>".

    Neither the message nor the facts hold more of the URL than the reader must see: never a password, and
    nothing at all of a URL that could not be parsed.
    """

    def __init__(self, key: str, **facts: str) -> None:
        super().__init__(f"DATABASE_URL: {key} {facts or ''}".rstrip())
        self.key = key
        self.facts = facts


@dataclass(frozen=True, slots=True)
class DatabasePlace:
    """The location of the games: the URL for SQLAlchemy, and the arguments for the driver's `connect`."""

    url: URL
    arguments: Mapping[str, object]
    pooled: bool = False
    """Whether a PgBouncer is in between, so that a session does not last from one transaction to the next."""
    left_out: tuple[str, ...] = ()
    """Parameters that were understood but are not passed on, because the driver has no equivalent."""

    @property
    def sqlite(self) -> bool:
        """Whether it is a SQLite file."""
        return self.url.get_backend_name() == "sqlite"

    @property
    def file(self) -> Path:
        """The SQLite file, as an absolute path."""
        return Path(str(self.url.database)).absolute()

    @property
    def shown(self) -> str:
        """The URL that may be shown to people, without password and parameters."""
        kept = {name: value for name, value in self.url.query.items() if name in ("host", "port")}
        bare = self.url.set(drivername=self.url.get_backend_name(), query=kept)
        return bare.render_as_string(hide_password=True)


def place(url: str) -> DatabasePlace:
    """Parse a URL as people and hosts write it.

    Raises:
        BadUrl: it is empty, names another kind of database, or has unknown parameters.
    """
    text = url.strip()
    if not text:
        raise BadUrl("empty")
    scheme, separator, rest = text.partition("://")
    backend = {"postgres": "postgresql"}.get(dialect := scheme.partition("+")[0].lower(), dialect)
    if separator and backend not in ("sqlite", "postgresql"):
        raise BadUrl("foreign", scheme=scheme if scheme.replace("+", "").isalnum() else "")
    if not separator:
        raise BadUrl("broken")
    if backend == "sqlite":
        return _sqlite(rest)
    try:
        parsed = make_url(f"postgresql+asyncpg://{_one_host(rest)}")
    except (ArgumentError, ValueError):  # the message of this error contains the URL with the password
        raise BadUrl("broken") from None
    if any(sign in (parsed.host or "") for sign in "@/?#"):
        raise BadUrl("escape")  # the part of the password after the sign was taken for the host
    if not all(map(_can_be_host, _hosts(parsed))):
        raise BadUrl("broken")
    return _postgres(parsed)


def _sqlite(rest: str) -> DatabasePlace:
    path, _, parameters = rest.partition("?")
    if not path.startswith("/"):
        raise BadUrl("slashes") if path else BadUrl("memory")
    if path == "/" or path[1:] == ":memory:":
        raise BadUrl("memory")
    if parameters:
        raise BadUrl("sqlite_parameter", name=parameters.partition("=")[0])
    try:
        checked_path(path[1:] + _LONGEST)
    except ValueError:
        raise BadUrl("long") from None
    return DatabasePlace(URL.create("sqlite+aiosqlite", database=path[1:]), {})


def _one_host(rest: str) -> str:
    """Convert several hosts in libpq's format to the query parameters that SQLAlchemy expects."""
    who, at, where = rest.rpartition("@")
    hosts, slash, tail = where.partition("/")
    if "," not in hosts or "?" in hosts:
        return rest
    name, _, parameters = tail.partition("?")
    each = [host if ":" in host else f"{host}:5432" for host in hosts.split(",")]
    asked = "&".join(filter(None, (urlencode([("host", host) for host in each]), parameters)))
    return f"{who}{at}{slash}{name}?{asked}"


def _hosts(parsed: URL) -> list[str]:
    """Return every host of a URL without its port, leaving out folders of sockets."""
    more = parsed.query.get("host", ())
    each = [parsed.host or "", *([more] if isinstance(more, str) else more)]
    return [host.rpartition(":")[0] or host for host in each if host and not host.startswith("/")]


def _can_be_host(name: str) -> bool:
    """Return whether a name can be looked up: no part of it is empty, or longer than 63 characters."""
    try:
        name.encode("idna")
    except UnicodeError:
        return False
    return True


def _one(value: str | tuple[str, ...]) -> str:
    """Return the last value of a parameter that was given more than once, as libpq does."""
    return value if isinstance(value, str) else value[-1]


def _postgres(parsed: URL) -> DatabasePlace:
    given = {name: _one(value) for name, value in parsed.query.items()}
    for name in given:
        if name not in KNOWN:
            near = get_close_matches(name, sorted(KNOWN - NEEDLESS), n=1)
            raise BadUrl("unknown_near", name=name, near=near[0]) if near else BadUrl("unknown", name=name)
    url = _whose(parsed, given)
    if not (url.username or system_user()):
        raise BadUrl("no_user")
    arguments: dict[str, object] = {}
    if "connect_timeout" in given:
        seconds = _number("connect_timeout", given["connect_timeout"])
        if seconds > 0:  # 0 means "forever" to libpq, which no player wants
            arguments["timeout"] = float(seconds)
    if "target_session_attrs" in given:
        arguments["target_session_attrs"] = _among("target_session_attrs", given, SESSIONS)
    server = {name: given[name] for name in SERVER if given.get(name)}
    if given.get("schema", "public") != "public":
        server["search_path"] = given["schema"]
    if server:
        arguments["server_settings"] = server
    _secured(given, arguments)
    caches: dict[str, object] = {
        name: _number(name, given[name])
        for name in ("statement_cache_size", "prepared_statement_cache_size")
        if name in given
    }
    arguments |= caches
    pooled = (
        _flag("pgbouncer", given)
        or 0 in caches.values()
        or any(fits((url.host or "").lower(), url.port or 5432) for fits in POOLED)
    )
    if pooled:
        # a statement prepared on one server connection does not exist on the next
        arguments |= {"statement_cache_size": 0, "prepared_statement_cache_size": 0}
    return DatabasePlace(url, arguments, pooled, tuple(name for name in given if name in NEEDLESS))


def _whose(parsed: URL, given: Mapping[str, str]) -> URL:
    """Return the URL with user, password and database name filled in from the parameters if necessary."""
    url = parsed.set(query={name: parsed.query[name] for name in ("host", "port") if name in parsed.query})
    if "user" in given and url.username is None:
        url = url.set(username=given["user"])
    if "password" in given and url.password is None:
        url = url.set(password=given["password"])
    if not url.database and (name := given.get("dbname") or given.get("database")):
        url = url.set(database=name)
    return url


def system_user() -> str | None:
    """Return the user whom asyncpg takes if a URL names none, or None if this machine has no name for it, as
    in a container that runs under a bare number."""
    try:
        return os.environ.get("PGUSER") or getpass.getuser()
    except (KeyError, ImportError, OSError):  # versions and systems of Python differ in this
        return None


def _secured(given: Mapping[str, str], arguments: dict[str, object]) -> None:
    """Translate the TLS parameters into asyncpg arguments."""
    asked = {name: given[name] for name in TLS if given.get(name)}
    if "ssl" in given and "sslmode" not in asked:
        asked["sslmode"] = {"true": "require", "1": "require", "false": "disable", "0": "disable"}.get(
            given["ssl"].lower(), given["ssl"]
        )
    if not asked:
        return
    if "sslmode" in asked:
        asked["sslmode"] = {"no-verify": "require"}.get(asked["sslmode"], asked["sslmode"])
        _among("sslmode", asked, SSL_MODES)
    if asked.get("sslmode") == "verify-full" and asked.get("sslrootcert", "system") == "system":
        if "sslrootcert" in asked or not _home_certificate().is_file():
            # this machine's trusted roots: the same as libpq's "system", and better than refusing
            context = ssl.create_default_context()
            if "sslcert" in asked:
                _there("sslcert", asked)
                context.load_cert_chain(asked["sslcert"], asked.get("sslkey"), asked.get("sslpassword", ""))
            arguments["ssl"] = context
            return
    elif asked.get("sslrootcert") == "system":
        raise BadUrl("system_roots")
    rooted = "sslrootcert" in asked or _home_certificate().is_file()
    if asked.get("sslmode") == "verify-ca" and not rooted:
        raise BadUrl("needs_root")
    for name in FILES:
        if name in asked:
            _there(name, asked)
    # asyncpg reads these only from a URL, so it gets one that contains nothing else
    arguments["dsn"] = f"postgresql://?{urlencode(asked)}"


def _home_certificate() -> Path:
    try:
        return Path.home() / ".postgresql" / "root.crt"
    except RuntimeError:  # no home folder exists
        return Path("root.crt.of.nobody")


def _there(name: str, asked: Mapping[str, str]) -> None:
    if not Path(asked[name]).is_file():
        raise BadUrl("no_file", name=name, file=asked[name])


def _number(name: str, text: str) -> int:
    if not text.isdecimal():
        raise BadUrl("value", name=name, allowed="0, 1, 2 …")
    return int(text)


def _flag(name: str, given: Mapping[str, str]) -> bool:
    text = given.get(name, "false").lower()
    if text not in ("true", "false", "1", "0", "yes", "no"):
        raise BadUrl("value", name=name, allowed="true, false")
    return text in ("true", "1", "yes")


def _among(name: str, given: Mapping[str, str], allowed: tuple[str, ...]) -> str:
    if given[name] not in allowed:
        raise BadUrl("value", name=name, allowed=", ".join(allowed))
    return given[name]
