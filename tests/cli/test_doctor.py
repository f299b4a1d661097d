"""`valence doctor`: each thing that can be wrong, and what it says."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot import presenters
from bot.locales import words
from bot.ops import doctor, doctor_discord, health_check
from bot.ops.backups import name_at
from bot.ops.health_check import Finding, HealthAnswer
from bot.ops.startup import cluster_words, notes
from bot.presenters import extras
from bot.render.assets import asset
from bot.settings import Settings
from bot.store.backend import migrate
from bot.workers.cluster import NoCluster
from engine import catalog
from engine.data import BrokenData
from tests.cli.conftest import Valence, make_database
from tests.support.processes.command_line import TOKEN

pytestmark = pytest.mark.usefixtures("place")


@pytest.mark.parametrize("there", [True, False])
def test_what_is_not_installed_is_no_trouble(monkeypatch: pytest.MonkeyPatch, there: bool) -> None:
    monkeypatch.setattr(extras.Extra, "there", there)
    found = list(doctor._extras())
    assert {one.health for one in found} == {HealthAnswer.WELL}
    told = " ".join(one.words for one in found)
    for key in ("molecules", "print", "sentry", "speed"):
        assert (f"pip install '.[{key}]'" in told) is not there


@pytest.mark.parametrize(
    ("body", "status", "health", "told"),
    [
        (
            b'{"status": "ok", "parts": {"loop": {"well": true, "facts": {}}}}',
            200,
            HealthAnswer.WELL,
            "is well",
        ),
        (b'{"status": "starting", "parts": {}}', 200, HealthAnswer.WELL, "standby"),
        (
            b'{"status": "ill", "parts": {"database": {"well": false, "facts": {"why": "locked"}}}}',
            503,
            HealthAnswer.WRONG,
            "database (why locked)",
        ),
        (b"<html>", 200, HealthAnswer.WRONG, "not Valence"),
    ],
)
def test_the_bot_that_runs_is_asked_how_it_is(
    body: bytes, status: int, health: HealthAnswer, told: str
) -> None:
    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Other) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        (found,) = health_check.running(Settings(metrics_port=server.server_port))
    assert found.health is health
    assert told in found.words


def test_what_speaks_no_http_is_told_in_words() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet() -> None:
            line, _ = server.accept()
            with line:
                line.recv(1000)
                line.sendall(b"SSH-2.0-OpenSSH\r\n")

        threading.Thread(target=greet, daemon=True).start()
        (found,) = health_check.running(Settings(metrics_port=server.getsockname()[1]))
    assert (found.health, "not Valence" in found.words) == (HealthAnswer.WRONG, True)


def test_the_machine_itself_is_asked_whatever_proxy_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    test_the_bot_that_runs_is_asked_how_it_is(
        b'{"status": "ok", "parts": {"loop": {"well": true, "facts": {}}}}', 200, HealthAnswer.WELL, "is well"
    )


def test_a_bot_that_does_not_run_is_no_trouble() -> None:
    (found,) = health_check.running(Settings(metrics_port=1))
    assert found.health is HealthAnswer.CARE
    assert list(health_check.running(Settings())) == []


@pytest.fixture
def shut(place: Path) -> Iterator[Path]:
    """A folder in one that the bot's user may not enter."""
    above = place / "shut"
    (above / "folder").mkdir(parents=True)
    above.chmod(0)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)  # root may enter everything
    yield above / "folder"
    if root:
        os.seteuid(0)
    above.chmod(0o700)


@pytest.mark.skipif(sys.platform == "win32", reason="rights of files")
def test_a_folder_that_may_not_be_entered_is_told_in_words(shut: Path) -> None:
    names = {"backups": str(shut), "cache": str(shut)}
    settings = Settings(_env_file=None, DATABASE_URL=f"sqlite:///{shut}/valence.db", **names)  # type: ignore[call-arg, arg-type]
    found = [*doctor._database(settings), *doctor._backups(settings), *doctor._cache(settings)]
    assert all(str(shut) in one.words for one in found)
    assert [one.part for one in found] == ["database", "backups", "backups", "pictures"]


def test_missing_time_zones_are_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(doctor._time_zones()) == []
    monkeypatch.setattr(doctor, "available_timezones", set)
    (found,) = doctor._time_zones()
    assert (found.health, "tzdata" in found.words) == (HealthAnswer.WRONG, True)


def look(part: str, **settings: Any) -> Finding:
    """The finding on one part, Discord left out."""
    (found,) = [one for one in doctor.examine(Settings(**settings), online=False) if one.part == part]
    return found


def test_a_healthy_place(valence: Valence) -> None:
    valence("db", "upgrade")
    found = doctor.examine(Settings(DISCORD_TOKEN=TOKEN), online=False)
    assert [one.part for one in found] == [
        "token",
        "database",
        "tables",
        "lease",
        "disk",
        "games",
        "pictures",
        *["extras"] * 6,
    ]
    assert {one.health for one in found} == {HealthAnswer.WELL}


@pytest.mark.parametrize(
    ("token", "health", "says"),
    [
        ("", HealthAnswer.WRONG, "not set"),
        ("abc", HealthAnswer.WRONG, "does not look like"),
        (f'"{TOKEN}"', HealthAnswer.WRONG, "does not look like"),
        (f"Bot {TOKEN}", HealthAnswer.WRONG, "does not look like"),
        (TOKEN, HealthAnswer.WELL, "is set"),
    ],
)
def test_the_token(token: str, health: HealthAnswer, says: str) -> None:
    found = look("token", DISCORD_TOKEN=token)
    assert found.health == health
    assert says in found.words
    assert not token or token not in found.words


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [("shards", "0-1/6", "which SQLite is not made for"), ("sentry_dsn", "nonsense", "is no DSN")],
)
def test_a_setting_that_ends_a_start_is_wrong_here_too(name: str, value: str, says: str) -> None:
    pytest.importorskip("sentry_sdk")
    found = look("settings", **{name: value})
    assert found.health is HealthAnswer.WRONG
    assert says in found.words


def test_a_dsn_without_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentry_sdk.utils", None)
    found = look("settings", sentry_dsn="https://public@sentry.example/1")
    assert (found.health, "'.[sentry]'" in found.words) == (HealthAnswer.WRONG, True)


def test_settings_that_can_be_used_are_no_finding() -> None:
    pytest.importorskip("sentry_sdk")
    url = "postgresql://ann:secret@127.0.0.1:1/valence"
    good = Settings(shards="0-1/6", sentry_dsn="https://public@sentry.example/1", DATABASE_URL=url)
    assert [one for one in doctor.examine(good, online=False) if one.part == "settings"] == []


def test_a_database_that_is_not_there_yet_is_not_made(place: Path) -> None:
    found = look("database")
    assert (found.health, "first start makes it" in found.words) == (HealthAnswer.WELL, True)
    assert list(place.iterdir()) == []


def test_a_database_that_is_behind(place: Path) -> None:
    file = place / "valence.db"
    sqlite3.connect(file).close()
    found = look("database")
    assert (found.health, "names another file" in found.words) == (HealthAnswer.CARE, True)
    asyncio.run(migrate.upgrade(f"sqlite:///{file}"))
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0015'")
        connection.commit()
    found = look("database")
    assert (found.health, "next start upgrades it" in found.words) == (HealthAnswer.CARE, True)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("sqlite:///no/such/folder/valence.db", "is not there. Make it"),
        ("mysql://a:b@c/d", "another kind of database (mysql)"),
        ("nonsense", "not understood"),
        ("postgresql://ann:secret@127.0.0.1:1/valence", "cannot be reached"),
    ],
)
def test_a_database_that_cannot_be_used(url: str, says: str) -> None:
    found = look("database", DATABASE_URL=url)
    assert found.health == HealthAnswer.WRONG
    assert says in found.words
    assert "secret" not in found.words


def test_a_file_that_is_no_database(place: Path) -> None:
    (place / "valence.db").write_bytes(b"a letter\n" * 500)
    found = look("database")
    assert (found.health, "no database" in found.words) == (HealthAnswer.WRONG, True)


def findings(part: str, **settings: Any) -> list[tuple[HealthAnswer, str]]:
    """All findings on one part, Discord left out."""
    found = doctor.examine(Settings(**settings), online=False)
    return [(one.health, one.words) for one in found if one.part == part]


def test_a_torn_page_is_found_though_the_schema_is_there(valence: Valence, place: Path) -> None:
    make_database(place / "valence.db")
    file = place / "valence.db"
    with closing(sqlite3.connect(file)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'ratings'").fetchone()
    with file.open("r+b") as raw:
        raw.seek(4096 * (root - 1))
        raw.write(b"\0" * 4096)
    found = findings("database")
    assert [health for health, _ in found] == [HealthAnswer.WELL, HealthAnswer.WRONG]
    assert "valence db restore" in found[-1][1]
    said = valence("db", "check")
    assert (said.code, "is damaged" in said.err, said.err.count("\n")) == (1, True, 1)
    assert valence("db", "check", "--json").json["problem"] == "damaged"


def test_rows_that_belong_to_nothing_are_found(place: Path) -> None:
    make_database(place / "valence.db")
    with closing(sqlite3.connect(place / "valence.db")) as connection:
        connection.execute("INSERT INTO seats (game_id, seat, user_id, name) VALUES (99, 0, 1, 'nobody')")
        connection.commit()
    assert "seats: a row belongs to no row of games" in findings("database")[-1][1]


def test_a_restore_that_was_cut_short(place: Path) -> None:
    make_database(place / "valence.db")
    (place / "valence.db").rename(place / "valence.db.restoring")
    assert findings("database") == [(HealthAnswer.WRONG, words("en")("doctor.store.restoring"))]
    assert not (place / "valence.db").exists()


def test_what_is_left_out_of_a_url_is_told() -> None:
    url = "postgresql://ann:secret@127.0.0.1:1/valence?sslmode=disable&channel_binding=require"
    health, says = findings("database", DATABASE_URL=url)[0]
    assert (health, "channel_binding" in says) == (HealthAnswer.CARE, True)


def test_where_games_are_kept_and_how_much_room_there_is(place: Path) -> None:
    make_database(place / "valence.db")
    ((health, says),) = findings("disk")
    assert health is HealthAnswer.WELL
    assert str(place / "valence.db") in says, "an absolute path, also where the URL has none"
    assert "MiB are free" in says


def test_a_disk_that_fills_and_a_log_that_grows(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_database(place / "valence.db")
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=50 << 20))
    monkeypatch.setattr(doctor, "MOST_WAL_MIB", 2)
    with closing(sqlite3.connect(place / "valence.db")) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("CREATE TABLE fill (x)")
        connection.execute("INSERT INTO fill VALUES (zeroblob(3000000))")
        connection.commit()
        said = [says for health, says in findings("disk") if health is HealthAnswer.CARE]
    little, log = said
    assert "Only 50 MiB" in little
    assert "grown to 3" in log
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=15 << 20))
    assert findings("disk")[0][0] is HealthAnswer.WRONG, "nothing can be stored soon"


def test_a_file_that_others_may_read(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_database(place / "valence.db")
    (place / "valence.db").chmod(0o644)
    # someone else owns it
    monkeypatch.setattr("bot.store.backend.engines.keep_private", lambda _: None)
    assert (HealthAnswer.CARE, True) in [(health, "chmod 600" in says) for health, says in findings("disk")]


@pytest.mark.parametrize(
    ("env", "mounted", "host"),
    [
        ({}, False, None),
        ({"DYNO": "worker.1"}, False, "Heroku"),
        ({"DYNO": "worker.1"}, True, "Heroku"),
        ({"RAILWAY_ENVIRONMENT_ID": "x"}, False, "Railway"),
        ({"RAILWAY_ENVIRONMENT_ID": "x"}, True, None),
        ({"FLY_APP_NAME": "valence"}, False, "Fly.io"),
        ({"FLY_APP_NAME": "valence"}, True, None),
        ({"RENDER": "true"}, False, "Render"),
        ({"RENDER": "true"}, True, None),
        ({"K_SERVICE": "valence"}, False, "Cloud Run"),
    ],
)
def test_a_disk_that_does_not_last(
    env: dict[str, str], mounted: bool, host: str | None, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A volume that is attached is a mount of its own."""
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("os.path.ismount", lambda path: str(path) == "/" or (mounted and path == place))
    wrong = [says for health, says in findings("disk") if health is HealthAnswer.WRONG]
    assert [host in says for says in wrong] == ([True] if host else [])
    told = list(notes(Settings()))
    assert [warning for warning, _ in told] == [bool(host)], "one line at the start too"
    assert str(place / "valence.db") in told[0][1]
    absolute = list(notes(Settings(DATABASE_URL=f"sqlite:///{place}/valence.db")))
    assert [warning for warning, _ in absolute] == ([True] if host else []), (
        "a path that says all needs no line"
    )


def test_railways_own_word_for_its_volume_is_believed(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    monkeypatch.setenv("RAILWAY_VOLUME_MOUNT_PATH", str(place))
    monkeypatch.setattr("os.path.ismount", lambda path: str(path) == "/")
    assert [health for health, _ in findings("disk")] == [HealthAnswer.WELL]


def test_the_age_of_backups(place: Path) -> None:
    make_database(place / "valence.db")
    folder = place / "backups"
    assert findings("backups") == []
    ((health, says),) = findings("backups", backups=str(folder))
    assert (health, "no backup" in says) == (HealthAnswer.CARE, True)
    folder.mkdir()
    now = datetime.now(UTC)
    for hours, wanted, age in (
        (72, HealthAnswer.CARE, "is 72 hours old"),
        (2, HealthAnswer.WELL, "taken 2 hours ago"),
        (1, HealthAnswer.WELL, "taken an hour ago"),
        (0, HealthAnswer.WELL, "taken less than an hour ago"),
    ):
        (folder / name_at(now - timedelta(hours=hours))).touch()
        ((health, says),) = findings("backups", backups=str(folder))
        assert health is wanted
        assert age in says


def test_a_backup_from_the_future_hides_no_old_one(place: Path) -> None:
    make_database(place / "valence.db")
    folder = place / "backups"
    folder.mkdir()
    now = datetime.now(UTC)
    (folder / name_at(now + timedelta(days=400))).touch()
    ((health, says),) = findings("backups", backups=str(folder))
    assert (health, "dated in the future" in says) == (HealthAnswer.CARE, True)
    (folder / name_at(now - timedelta(days=20))).touch()
    (_, ahead), (health, says) = findings("backups", backups=str(folder))
    assert "dated in the future" in ahead
    assert (health, "is 480 hours old" in says) == (HealthAnswer.CARE, True)


def test_a_folder_that_may_not_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.os, "access", lambda *_: False)
    found = look("database")
    assert (found.health, "may not be written" in found.words) == (HealthAnswer.WRONG, True)


@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_a_file_of_another_user(place: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    """Root has run a command, and what it made is root's."""
    make_database(place / "valence.db")
    file = place / f"valence.db{suffix}"
    file.touch()
    monkeypatch.setattr("os.access", lambda path, _mode: path != file)
    found = look("database")
    assert found.health is HealthAnswer.WRONG
    assert f"{file} may not be read or written by whoever runs this" in found.words


def test_a_game_whose_cards_are_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    real = catalog.get

    def get(key: str) -> Any:
        if key == "probe":
            raise BrokenData("probe.json, line 3: no cards")
        return real(key)

    monkeypatch.setattr(catalog, "get", get)
    found = [one for one in doctor.examine(Settings(), online=False) if one.part == "games"]
    assert found[0].health == HealthAnswer.WRONG
    assert "probe cannot be played: probe.json, line 3" in found[0].words
    assert found[-1].health == HealthAnswer.WELL


def test_a_game_whose_presenter_cannot_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(presenters.ELSEWHERE, "probe", "tests.support.games.broken_presenter")
    presenters._imported.cache_clear()
    found = [one for one in doctor.examine(Settings(), online=False) if one.part == "games"]
    presenters._imported.cache_clear()
    assert [one.health for one in found] == [HealthAnswer.WRONG, HealthAnswer.WELL]
    assert "probe cannot be played: its presenter cannot be imported: KeyError: 'nothing'." in found[0].words


def test_fonts_that_are_missing(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    monkeypatch.setattr(doctor, "asset", place.joinpath)
    found = look("pictures")
    assert (found.health, "cannot be drawn" in found.words) == (HealthAnswer.WRONG, True)


def test_one_font_that_is_missing(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    shutil.copytree(asset("fonts"), place / "fonts")
    (place / "fonts" / "NotoSansThai-Medium.ttf").unlink()
    monkeypatch.setattr(doctor, "asset", place.joinpath)
    found = look("pictures")
    assert (found.health, "NotoSansThai-Medium.ttf" in found.words) == (HealthAnswer.WRONG, True)


def test_a_pillow_that_cannot_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "can_shape", lambda: False)
    found = [one for one in doctor.examine(Settings(), online=False) if one.part == "pictures"]
    assert [one.health for one in found][:2] == [HealthAnswer.WELL, HealthAnswer.CARE]
    assert "letter by letter" in found[1].words


def test_a_folder_for_drawn_cards_that_is_none(place: Path) -> None:
    (place / "file").touch()
    for cache, told in ((place / "file", 1), (place / "file" / "deeper", 1), (place / "new", 0), ("-", 0)):
        found = [
            one
            for one in doctor.examine(Settings(cache=str(cache)), online=False)
            if "VALENCE_CACHE" in one.words
        ]
        assert [one.health for one in found] == [HealthAnswer.CARE] * told


def test_the_command_tells_all_and_fails_where_something_is_wrong(valence: Valence) -> None:
    said = valence("doctor", "--offline")
    assert said.code == 1
    assert "wrong  token: DISCORD_TOKEN is not set" in said.out
    assert "   ok  pictures: " in said.out
    told = valence("doctor", "--offline", "--json")
    assert told.code == 1
    assert [one["health"] for one in told.json] == ["wrong", *["well"] * 10]


def test_the_command_is_content_with_what_only_needs_care(
    valence: Valence, monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    sqlite3.connect(place / "valence.db").close()
    said = valence("doctor", "--offline")
    assert (said.code, " note  database: " in said.out) == (0, True)


def test_a_cluster_that_is_away_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.plugins.dask_cluster.CONNECT_SECONDS", 0.2)
    monkeypatch.setitem(sys.modules, "distributed", None)
    (found,) = doctor.cluster(Settings(scheduler="tcp://127.0.0.1:9"))
    assert found.health is HealthAnswer.CARE
    assert "pip install '.[cluster]'" in found.words
    assert "comes back" in found.words
    assert list(doctor.cluster(Settings())) == []


@pytest.mark.parametrize("kind", ["missing", "away", "empty", "version"])
def test_why_a_cluster_cannot_be_used_is_one_sentence_of_words(kind: str) -> None:
    trouble = NoCluster(kind, address="tcp://h:1", worker="tcp://h:2", has="none", wanted="0.1.0")
    assert "tcp://h:" in cluster_words(trouble)


def test_every_finding_has_words_and_all_words_are_used() -> None:
    source = "".join(
        Path(room.__file__).read_text(encoding="utf-8") for room in (doctor, doctor_discord, health_check)
    )
    for key in words("en").keys("doctor"):
        part, name = key.removeprefix("doctor.").split(".", 1)
        assert f'"{name}"' in source or f'.{name}"' in source or part in ("store", "url", "cluster"), key
