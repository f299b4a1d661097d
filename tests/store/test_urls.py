"""DATABASE_URL as hosts hand it out: understood, or refused by name and without a password."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Any

import pytest

from bot.locales import words
from bot.ops.startup import store_words
from bot.store.backend.urls import BadUrl, DatabasePlace, place

PASSWORD = "s3cr3t-pass"

# As the providers' pages show them; names and addresses are made up, shapes are not.
PROVIDERS: dict[str, tuple[str, dict[str, Any]]] = {
    "heroku": (
        f"postgres://u4f:{PASSWORD}@ec2-3-2-1.compute-1.amazonaws.com:5432/d8k",
        {"host": "ec2-3-2-1.compute-1.amazonaws.com", "name": "d8k"},
    ),
    "heroku, with TLS": (
        f"postgres://u4f:{PASSWORD}@ec2-3-2-1.compute-1.amazonaws.com:5432/d8k?sslmode=require",
        {"name": "d8k", "tls": "require"},
    ),
    "neon": (
        f"postgresql://own:{PASSWORD}@ep-cool-1.eu-central-1.aws.neon.tech/neondb"
        "?sslmode=require&channel_binding=require",
        {"name": "neondb", "tls": "require", "left_out": ("channel_binding",)},
    ),
    "neon, pooled": (
        f"postgresql://own:{PASSWORD}@ep-cool-1-pooler.eu-central-1.aws.neon.tech/neondb?sslmode=require",
        {"tls": "require", "pooled": True},
    ),
    "neon, for an old driver": (
        f"postgresql://own:{PASSWORD}@ep-cool-1.aws.neon.tech/neondb?sslmode=require&options=endpoint%3Dep-cool-1",
        {"tls": "require", "server": {"options": "endpoint=ep-cool-1"}},
    ),
    "supabase, direct": (
        f"postgresql://postgres:{PASSWORD}@db.abcdefgh.supabase.co:5432/postgres",
        {"host": "db.abcdefgh.supabase.co"},
    ),
    "supabase, session": (
        f"postgres://postgres.abcdefgh:{PASSWORD}@aws-0-eu-west-1.pooler.supabase.com:5432/postgres",
        {"user": "postgres.abcdefgh", "pooled": False},
    ),
    "supabase, transaction": (
        f"postgres://postgres.abcdefgh:{PASSWORD}@aws-0-eu-west-1.pooler.supabase.com:6543/postgres?pgbouncer=true",
        {"user": "postgres.abcdefgh", "pooled": True},
    ),
    "supabase by vercel": (
        f"postgres://postgres.a:{PASSWORD}@aws-0-eu-west-1.pooler.supabase.com:6543/postgres"
        "?sslmode=require&supa=base-pooler.x",
        {"tls": "require", "pooled": True, "left_out": ("supa",)},
    ),
    "railway": (
        f"postgresql://postgres:{PASSWORD}@containers-us-west-1.railway.app:7432/railway",
        {"port": 7432, "name": "railway"},
    ),
    "railway, inside": (
        f"postgresql://postgres:{PASSWORD}@postgres.railway.internal:5432/railway",
        {"host": "postgres.railway.internal"},
    ),
    "render": (
        f"postgresql://valence:{PASSWORD}@dpg-abc-a.frankfurt-postgres.render.com/valence_x1",
        {"name": "valence_x1"},
    ),
    "fly": (
        f"postgres://postgres:{PASSWORD}@top2.nearest.of.valence-db.internal:5432/valence?sslmode=disable",
        {"tls": "disable"},
    ),
    "aws rds": (
        f"postgresql://admin:{PASSWORD}@db.abc.eu-west-1.rds.amazonaws.com:5432/valence"
        "?sslmode=verify-full&sslrootcert=CERTIFICATE",
        {"tls": "verify-full", "root": True},
    ),
    "digitalocean": (
        f"postgresql://doadmin:{PASSWORD}@db-1-do-user-1-0.b.db.ondigitalocean.com:25060/defaultdb?sslmode=require",
        {"tls": "require", "pooled": False},
    ),
    "digitalocean, pooled": (
        f"postgresql://doadmin:{PASSWORD}@db-1-do-user-1-0.b.db.ondigitalocean.com:25061/pool?sslmode=require",
        {"tls": "require", "pooled": True},
    ),
    "aiven": (
        f"postgres://avnadmin:{PASSWORD}@pg-1-x.aivencloud.com:12345/defaultdb?sslmode=require",
        {"port": 12345, "tls": "require"},
    ),
    "several hosts": (
        f"postgresql://a:{PASSWORD}@one.example:5432,two.example/valence?target_session_attrs=primary",
        {"hosts": ("one.example:5432", "two.example:5432"), "session": "primary"},
    ),
    "for sqlalchemy": (
        f"postgresql+psycopg2://a:{PASSWORD}@one.example/valence?application_name=cards&connect_timeout=3",
        {"server": {"application_name": "cards"}, "timeout": 3.0},
    ),
    "for node": (f"postgres://a:{PASSWORD}@one.example/valence?ssl=true", {"tls": "require"}),
    "for prisma": (
        f"postgresql://a:{PASSWORD}@one.example/valence?schema=cards&connection_limit=5",
        {"server": {"search_path": "cards"}, "left_out": ("connection_limit",)},
    ),
    "by libpq's words": (
        f"postgresql:///?host=/run/postgresql&user=ann&password={PASSWORD}&dbname=valence",
        {"user": "ann", "name": "valence"},
    ),
    "for pgbouncer": (
        f"postgresql://a:{PASSWORD}@one.example/valence?prepared_statement_cache_size=0",
        {"pooled": True},
    ),
    "with caches": (
        f"postgresql://a:{PASSWORD}@one.example/valence?statement_cache_size=50",
        {"pooled": False, "statement_cache_size": 50},
    ),
}


def facts(found: DatabasePlace) -> dict[str, Any]:
    arguments = dict(found.arguments)
    asked = str(arguments.get("dsn", ""))
    return {
        "host": found.url.host,
        "hosts": found.url.query.get("host"),
        "port": found.url.port,
        "user": found.url.username,
        "name": found.url.database,
        "tls": asked.partition("sslmode=")[2].partition("&")[0],
        "root": "sslrootcert=" in asked,
        "pooled": found.pooled,
        "server": arguments.get("server_settings"),
        "session": arguments.get("target_session_attrs"),
        "timeout": arguments.get("timeout"),
        "statement_cache_size": arguments.get("statement_cache_size"),
        "left_out": found.left_out,
    }


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_providers_url_is_understood(provider: str, tmp_path: Path) -> None:
    certificate = tmp_path / "global-bundle.pem"
    certificate.touch()
    url, wanted = PROVIDERS[provider]
    found = place(url.replace("CERTIFICATE", str(certificate)))
    assert found.url.drivername == "postgresql+asyncpg"
    assert found.url.password == PASSWORD
    told = facts(found)
    assert {name: told[name] for name in wanted} == wanted
    assert set(found.url.query) <= {"host", "port"}, "the rest would reach asyncpg, which does not know it"
    if found.pooled:
        assert (
            found.arguments["statement_cache_size"],
            found.arguments["prepared_statement_cache_size"],
        ) == (
            0,
            0,
        )
    assert PASSWORD not in found.shown + repr(dict(found.arguments))


def test_who_the_server_is_can_be_asked_of_all_that_this_machine_trusts() -> None:
    for more in ("", "&sslrootcert=system"):
        context = place(f"postgresql://a@db.example/x?sslmode=verify-full{more}").arguments["ssl"]
        assert isinstance(context, ssl.SSLContext)
        assert context.check_hostname
        assert context.verify_mode is ssl.CERT_REQUIRED


@pytest.mark.parametrize("scheme", ["sqlite", "sqlite+aiosqlite", "SQLite"])
def test_a_sqlite_file(scheme: str) -> None:
    assert place(f"{scheme}:///valence.db").file == Path("valence.db").absolute()
    assert place(f"{scheme}:////data/valence.db").file == Path("/data/valence.db")
    assert place(f"{scheme}:///valence.db").shown == "sqlite:///valence.db"


A = f"postgresql://ann:{PASSWORD}@db.example"


@pytest.mark.parametrize(
    ("url", "key", "says"),
    [
        ("", "empty", "empty"),
        ("   ", "empty", "empty"),
        ("nonsense", "broken", "not understood"),
        (f"ann:{PASSWORD}@db.example/valence", "broken", "not understood"),
        (f"{A}:port/valence", "broken", "not understood"),
        (f"postgresql://ann:{PASSWORD}@s@db.example/valence", "escape", "%40"),
        (f"mysql://ann:{PASSWORD}@db.example/valence", "foreign", "mysql"),
        (f"mysql+pymysql://ann:{PASSWORD}@db.example/valence", "foreign", "mysql"),
        (f"mongodb+srv://ann:{PASSWORD}@db.example/valence", "foreign", "mongodb"),
        (f"rediss://ann:{PASSWORD}@db.example", "foreign", "rediss"),
        ("libsql://valence.turso.io", "foreign", "libsql"),
        ("sqlite://valence.db", "slashes", "three slashes"),
        ("sqlite://", "memory", "lost"),
        ("sqlite:///", "memory", "lost"),
        ("sqlite:///:memory:", "memory", "lost"),
        ("sqlite:///valence.db?mode=ro", "sqlite_parameter", "mode"),
        (f"{A}/valence?sslmod=require", "unknown_near", "sslmode"),
        (f"{A}/valence?favourite=yes", "unknown", "favourite"),
        (f"{A}/valence?sslmode=yes", "value", "verify-full"),
        (f"{A}/valence?target_session_attrs=best", "value", "primary"),
        (f"{A}/valence?connect_timeout=soon", "value", "connect_timeout"),
        (f"{A}/valence?statement_cache_size=-1", "value", "statement_cache_size"),
        (f"{A}/valence?pgbouncer=perhaps", "value", "pgbouncer"),
        (f"{A}/valence?sslmode=verify-full&sslrootcert=no/such.pem", "no_file", "no/such.pem"),
        (f"{A}/valence?sslmode=require&sslrootcert=system", "system_roots", "verify-full"),
        (f"{A}/valence?sslmode=verify-ca", "needs_root", "sslrootcert"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(
    url: str, key: str, says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    with pytest.raises(BadUrl) as found:
        place(url)
    assert found.value.key == key
    line = store_words(found.value)
    assert says in line
    assert "\n" not in line
    assert PASSWORD not in line + str(found.value)
    assert found.value.__cause__ is None, "make_url quotes the whole URL"


def test_all_words_about_urls_are_used() -> None:
    used = {"left_out"}
    source = Path(place.__code__.co_filename).read_text(encoding="utf-8")
    for key in words("en").keys("doctor.url"):
        name = key.rpartition(".")[2]
        assert name in used or f'"{name}"' in source, key
