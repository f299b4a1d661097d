"""What can be set from outside, by environment variable or `.env`; `.env.example` explains each."""

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

from bot.store.shards import ALL, Shards

PREFIX: Final = "VALENCE_"
FILE: Final = ".env"
FOR_TESTS: Final = frozenset(("VALENCE_MUST", "VALENCE_HYPOTHESIS"))
"""What only the tests read (tests/README.md)."""
_SCHEDULER = re.compile(r"(tcp|tls)://[^\s/:@]+|(tcp|tls)://\[[0-9a-fA-F:]+\]")


def a_scheduler(written: str) -> str:
    """The address of a scheduler as it is written; empty is none.

    Raises:
        ValueError: it is no address, with how to write one.
    """
    host, _, port = written.rpartition(":")
    if written and not (_SCHEDULER.fullmatch(host) and port.isdecimal() and 0 < int(port) < 65_536):
        raise ValueError("write it like tcp://10.0.0.5:8786 or tls://10.0.0.5:8786")
    return written


class BadSetting(ValueError):
    """A setting that cannot be used: its name, and why in words that never hold a secret."""

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
    """The folder with backups of which `doctor` tells the age; empty for none."""
    discord_base: str = ""
    """Where Discord's API is; empty for Discord itself, the playground's address for a rehearsal."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    pace: float = Field(default=1.2, ge=0, le=30)
    """Seconds that a computer opponent lets pass before it acts."""
    workers: int = Field(default=1, ge=0, le=16)
    """Processes in which opponents think; 0 lets them think in a thread of the bot, which then paints in
    threads as well."""
    scheduler: str = ""
    """The scheduler of a Dask cluster in which opponents think, such as `tcp://10.0.0.5:8786`; empty for this
    machine alone."""
    lease_seconds: float = Field(default=10, ge=0.2, le=300)
    """After so long without a sign of life another process may take over; the same for all processes."""
    lease_renew_seconds: float = Field(default=3, ge=0.05, le=100, validate_default=True)
    """How often this process gives a sign of life."""
    shards: str = ""
    """The shards of this process, as `0-1/6`: shards 0 and 1 of 6; empty for as many as Discord recommends,
    all of them here."""
    most_lobbies_of_person: int = Field(default=5, ge=1)
    most_tables_of_person: int = Field(default=10, ge=1)
    most_tables_of_channel: int = Field(default=10, ge=1)
    most_tables_of_server: int = Field(default=50, ge=1)
    """Quotas: how many tables may be open at a time."""
    most_presses_a_second: float = Field(default=5, gt=0)
    """How fast one person may press; twice as many at once."""
    painters: int = Field(default=0, ge=0, le=64)
    """The most processes in which pictures are painted; 0 for as many as there are cores but one."""
    cache: str = ""
    """Where drawn cards are kept between starts: a folder, empty for the user's, `-` for nowhere."""
    lobby_minutes: int = Field(default=60, ge=1, le=10_080)
    lobby_days: int = Field(default=7, ge=0, le=36_500)
    """Days after which the rows of a table vanish at which nothing was played; 0 for never."""
    fold_days: int = Field(default=30, ge=0, le=36_500)
    """Days after which the moves of a game that has ended are packed into one row; 0 for never."""
    tournaments_per_server: int = Field(default=5, ge=0, le=1000)
    """How many tournaments may go on in a server at a time."""
    tournaments_per_person: int = Field(default=2, ge=0, le=1000)
    """How many of them one person may organise."""
    metrics_port: int = Field(default=0, ge=0, le=65_535)
    """The port at which `/metrics` and `/healthz` can be asked for; 0 for none."""
    metrics_host: str = "127.0.0.1"
    """The address of that port; `0.0.0.0` or `::` for every one of this machine."""
    sentry_dsn: SecretStr = SecretStr("")
    """Where Sentry hears of failures; empty for nowhere."""

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
        if not host:
            raise ValueError("name an address; 127.0.0.1 is this machine alone, 0.0.0.0 every address")
        return host

    @property
    def own_shards(self) -> Shards:
        """The shards of this process; all where none are set."""
        return Shards.read(self.shards) if self.shards else ALL

    @cached_property
    def async_database_url(self) -> str:
        """The database URL with the driver that the bot uses."""
        return with_async_driver(self.database_url)


class _Unread(logging.Handler):
    """Hears which lines of `.env` could not be read: its reader logs them, and goes on without them."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[int] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Note the line."""
        self.lines += [fact for fact in record.args or () if isinstance(fact, int)]


def settings() -> Settings:
    """What is set.

    Raises:
        BadSetting: the environment or `.env` holds what cannot be used.
    """
    unread, reader = _Unread(), logging.getLogger("dotenv.main")
    reader.addHandler(unread)
    try:
        found = Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        shown = name if name.isupper() else f"{PREFIX}{name}".upper()
        why = first["msg"].removeprefix("Value error, ")
        raise BadSetting(shown, why[:1].lower() + why[1:]) from None
    except UnicodeDecodeError as error:
        why = f"{Path(FILE).absolute()} is no text in UTF-8; save it again as such"
        raise BadSetting(FILE, why) from error
    except OSError as error:
        raise BadSetting(FILE, f"{Path(FILE).absolute()} cannot be read ({error.strerror})") from error
    finally:
        reader.removeHandler(unread)
    if unread.lines:  # with a quote that is not closed, all lines up to the next one may be lost
        why = f"line {unread.lines[0]} of {Path(FILE).absolute()} is not NAME=value, or leaves a quote open"
        raise BadSetting(FILE, why)
    return found


def unknown() -> Iterable[tuple[str, str]]:
    """Names in the environment and `.env` that begin like settings and are none, each with the setting that
    was perhaps meant."""
    bare = {name.upper() for name, field in Settings.model_fields.items() if not field.validation_alias}
    whole = {
        str(field.validation_alias) for field in Settings.model_fields.values() if field.validation_alias
    }
    there = {*os.environ, *(name.upper() for name in DotEnvSettingsSource(Settings).env_vars)}
    for name in sorted(there - FOR_TESTS):
        without = name.upper().removeprefix(PREFIX)
        if without == name.upper() or without in bare:
            continue
        if without in whole:
            yield name, without
        else:
            near = get_close_matches(without, sorted(bare), n=1)
            yield name, f"{PREFIX}{near[0]}" if near else ""


def with_async_driver(url: str) -> str:
    """`sqlite://…` and `postgres(ql)://…` with their asyncio drivers; other URLs unchanged."""
    scheme, separator, rest = url.partition("://")
    driver = {
        "sqlite": "sqlite+aiosqlite",
        "postgres": "postgresql+asyncpg",
        "postgresql": "postgresql+asyncpg",
    }.get(scheme, scheme)
    return driver + separator + rest
