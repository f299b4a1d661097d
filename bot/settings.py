"""Settings from environment variables or `.env`; `.env.example` explains each."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

import yarl
from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, DotEnvSettingsSource, SettingsConfigDict

from bot.store.backend.paths import MOST_OF_NAME, checked_path
from bot.store.shards import ALL, Shards

PREFIX: Final = "VALENCE_"
FILE: Final = ".env"
MOST_BYTES: Final = 1 << 16
"""Maximum size in bytes of `.env`, whose reader is slow with long files."""
NOT_UTF_8: Final = "{file} is no text in UTF-8; save it again as such"
_HOST = re.compile(r"[\w.:%-]{1,253}")
FOR_TESTS: Final = frozenset(("VALENCE_MUST", "VALENCE_HYPOTHESIS"))
"""Variables read only by the tests (tests/README.md)."""
_SCHEDULER = re.compile(r"(tcp|tls)://[^\s/:@]+|(tcp|tls)://\[[0-9a-fA-F:]+\]")


def a_scheduler(written: str) -> str:
    """Return the address of a scheduler as it is written; empty means none.

    Raises:
        ValueError: the address is invalid; the message says how to write one.
    """
    host, _, port = written.rpartition(":")
    if written and not (_SCHEDULER.fullmatch(host) and port.isdecimal() and 0 < int(port) < 65_536):
        raise ValueError("write it like tcp://10.0.0.5:8786 or tls://10.0.0.5:8786")
    return written


class BadSetting(ValueError):
    """A setting that cannot be used: its name, and a reason that never contains a secret."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name}: {why}")
        self.name = name
        self.why = why


class Settings(BaseSettings):
    """Every setting with its default."""

    model_config = SettingsConfigDict(
        env_file=FILE, env_prefix=PREFIX, extra="ignore", str_strip_whitespace=True
    )

    discord_token: SecretStr = Field(default=SecretStr(""), validation_alias="DISCORD_TOKEN")
    database_url: str = Field(default="sqlite:///valence.db", validation_alias="DATABASE_URL")
    database_seconds: float = Field(default=5.0, ge=1, le=60)
    """Seconds that PostgreSQL may take for one statement."""
    backups: str = ""
    """The backup folder whose age `doctor` reports; empty for none."""
    proxy: str = ""
    """The URL of the proxy to Discord, such as `http://10.0.0.1:3128`; empty for the one in HTTPS_PROXY, if
    any."""
    discord_base: str = ""
    """The address of Discord's API: empty for Discord itself, or the playground's address for a rehearsal."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    pace: float = Field(default=1.2, ge=0, le=30)
    """Seconds that a computer opponent waits before it acts."""
    workers: int = Field(default=1, ge=0, le=16)
    """Processes in which opponents think. With 0 they think in a thread of the bot, which then also paints in
    threads."""
    scheduler: str = ""
    """The scheduler of a Dask cluster in which opponents think, such as `tcp://10.0.0.5:8786`; empty for this
    machine alone."""
    lease_seconds: float = Field(default=10, ge=0.2, le=300)
    """Lease duration in seconds: another process may take over after this time without a heartbeat. Every
    process must use the same value."""
    lease_renew_seconds: float = Field(default=3, ge=0.05, le=100, validate_default=True)
    """Seconds between this process's heartbeats."""
    shards: str = ""
    """The shards of this process, such as `0-1/6` for shards 0 and 1 of 6. If empty, this process runs as
    many as Discord recommends."""
    most_lobbies_of_person: int = Field(default=5, ge=1)
    most_tables_of_person: int = Field(default=10, ge=1)
    most_tables_of_channel: int = Field(default=10, ge=1)
    most_tables_of_server: int = Field(default=50, ge=1)
    """Quotas: maximum numbers of open tables."""
    most_presses_a_second: float = Field(default=5, gt=0)
    """Presses per second per person; short bursts may have twice as many."""
    painters: int = Field(default=0, ge=0, le=64)
    """Maximum number of processes that paint pictures; 0 for one less than the number of cores."""
    cache: str = ""
    """Folder that keeps drawn cards between starts; empty for the user's cache folder, `-` for none."""
    lobby_minutes: int = Field(default=60, ge=1, le=10_080)
    lobby_days: int = Field(default=7, ge=0, le=36_500)
    """Days after which tables at which nothing was played are deleted; 0 for never."""
    fold_days: int = Field(default=30, ge=0, le=36_500)
    """Days after which the moves of a finished game are packed into one row; 0 for never."""
    tournaments_per_server: int = Field(default=5, ge=0, le=1000)
    """Maximum number of unfinished tournaments per server."""
    tournaments_per_person: int = Field(default=2, ge=0, le=1000)
    """Maximum number of unfinished tournaments per organiser."""
    metrics_port: int = Field(default=0, ge=0, le=65_535)
    """The port for `/metrics` and `/healthz`; 0 for none."""
    metrics_host: str = "127.0.0.1"
    """The address for that port; `0.0.0.0` or `::` for all addresses of this machine."""
    sentry_dsn: SecretStr = SecretStr("")
    """The Sentry DSN that failures are reported to; empty for none."""

    @field_validator("shards")
    @classmethod
    def _among_them(cls, written: str) -> str:
        if written:
            Shards.read(written)
        return written

    @field_validator("log_level", mode="before")
    @classmethod
    def _loud(cls, written: object) -> object:
        return written.strip().upper() if isinstance(written, str) else written

    @field_validator("log_format", mode="before")
    @classmethod
    def _low(cls, written: object) -> object:
        return written.strip().lower() if isinstance(written, str) else written

    @field_validator("discord_token")
    @classmethod
    def _bare(cls, token: SecretStr) -> SecretStr:
        return SecretStr(token.get_secret_value().strip())

    @field_validator("discord_base")
    @classmethod
    def _an_address(cls, written: str) -> str:
        if not written:
            return written
        url = yarl.URL(written)
        if url.scheme not in ("http", "https") or not url.host:
            raise ValueError("write it like http://127.0.0.1:8000, or leave it empty for Discord itself")
        return written.rstrip("/")

    @field_validator("proxy")
    @classmethod
    def _a_proxy(cls, written: str) -> str:
        if written and not (written.startswith(("http://", "https://")) and yarl.URL(written).host):
            raise ValueError("write it like http://10.0.0.1:3128 or http://user:password@10.0.0.1:3128")
        return written

    @field_validator("backups", "cache")
    @classmethod
    def _a_path(cls, written: str) -> str:
        return checked_path(written)

    @field_validator("scheduler")
    @classmethod
    def _a_scheduler(cls, written: str) -> str:
        return a_scheduler(written)

    @field_validator("lease_renew_seconds")
    @classmethod
    def _well_before_the_end(cls, seconds: float, info: ValidationInfo) -> float:
        if seconds >= (lease := info.data.get("lease_seconds", seconds + 1)):
            third = "a third of that lets one sign of life be lost"
            raise ValueError(f"it must be less than VALENCE_LEASE_SECONDS, which is {lease:g}; {third}")
        return seconds

    @field_validator("metrics_host")
    @classmethod
    def _said_where(cls, host: str) -> str:
        if not _HOST.fullmatch(host):
            raise ValueError("name an address; 127.0.0.1 is this machine alone, 0.0.0.0 every address")
        return host

    @property
    def own_shards(self) -> Shards:
        """The shards of this process, or all if none are set."""
        return Shards.read(self.shards) if self.shards else ALL

    @cached_property
    def async_database_url(self) -> str:
        """The database URL with the driver that the bot uses."""
        return with_async_driver(self.database_url)


class _Unread(logging.Handler):
    """A handler that records the unreadable lines of `.env`: the reader only logs them and continues."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[int] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Record the line numbers."""
        self.lines += [fact for fact in record.args or () if isinstance(fact, int)]


def settings() -> Settings:
    """Read the settings.

    Raises:
        BadSetting: the environment or `.env` has an invalid value.
    """
    unread, reader = _Unread(), logging.getLogger("dotenv.main")
    reader.addHandler(unread)
    try:
        if Path(FILE).is_file() and Path(FILE).stat().st_size > MOST_BYTES:
            raise BadSetting(
                FILE, f"{Path(FILE).absolute()} is larger than any file of settings; is it another one?"
            )
        if Path(FILE).is_file() and b"\0" in Path(FILE).read_bytes():  # UTF-16 without a byte order mark
            raise BadSetting(FILE, NOT_UTF_8.format(file=Path(FILE).absolute()))
        found = Settings()
        unread.lines += list(_without_values())
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        shown = name if name.isupper() else f"{PREFIX}{name}".upper()
        why = first["msg"].removeprefix("Value error, ")
        raise BadSetting(shown, why[:1].lower() + why[1:]) from None
    except UnicodeDecodeError as error:
        raise BadSetting(FILE, NOT_UTF_8.format(file=Path(FILE).absolute())) from error
    except OSError as error:
        raise BadSetting(FILE, f"{Path(FILE).absolute()} cannot be read ({error.strerror})") from error
    finally:
        reader.removeHandler(unread)
    if unread.lines:  # after an unclosed quote, all lines up to the next quote may be lost
        why = f"line {min(unread.lines)} of {Path(FILE).absolute()} is not NAME=value, or leaves a quote open"
        raise BadSetting(FILE, why)
    return found


def _without_values() -> Iterable[int]:
    """Find lines of `.env` without `=` that lose something: a setting without its value, or a token alone.

    The reader of the file ignores them.
    """
    ours = {str(field.validation_alias) for field in Settings.model_fields.values() if field.validation_alias}
    bare = {
        name.upper()
        for name, value in DotEnvSettingsSource(Settings).env_vars.items()
        if value is None
        and (not name.isidentifier() or name.upper() in ours or name.upper().startswith(PREFIX))
    }
    if bare:
        for number, line in enumerate(Path(FILE).read_text("utf-8-sig").splitlines(), 1):
            if line.partition("#")[0].strip().removeprefix("export ").strip().upper() in bare:
                yield number


def unknown() -> Iterable[tuple[str, str]]:
    """Yield names in the environment and `.env` that look like settings but are unknown, each with the
    setting that was probably meant."""
    bare = {name.upper() for name, field in Settings.model_fields.items() if not field.validation_alias}
    whole = {
        str(field.validation_alias) for field in Settings.model_fields.values() if field.validation_alias
    }
    there = {*os.environ, *(name.upper() for name in DotEnvSettingsSource(Settings).env_vars)}
    for name in sorted(name[:MOST_OF_NAME] for name in there - FOR_TESTS):
        without = name.upper().removeprefix(PREFIX)
        if without == name.upper() or without in bare:
            continue
        if without in whole:
            yield name, without
        else:
            near = get_close_matches(without, sorted(bare), n=1)
            yield name, f"{PREFIX}{near[0]}" if near else ""


def with_async_driver(url: str) -> str:
    """Return `sqlite://…` and `postgres(ql)://…` with their asyncio drivers, and other URLs unchanged."""
    scheme, separator, rest = url.partition("://")
    driver = {
        "sqlite": "sqlite+aiosqlite",
        "postgres": "postgresql+asyncpg",
        "postgresql": "postgresql+asyncpg",
    }.get(scheme, scheme)
    return driver + separator + rest
