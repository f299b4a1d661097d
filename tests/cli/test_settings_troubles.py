"""A setting that cannot be used is named in one line, and so is a name that is no setting."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.ops.startup import misuse_words, notes
from bot.settings import BadSetting, settings, unknown
from bot.telemetry import sentry
from bot.telemetry.health import Health
from bot.telemetry.health_server import HealthServer
from bot.telemetry.metrics import Metrics
from tests.cli.conftest import Valence


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder without `.env`, an environment without settings."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("VALENCE_DISCORD_BASE", "nonsense", "http://127.0.0.1:8000"),
        ("VALENCE_DISCORD_BASE", "ftp://x", "http://127.0.0.1:8000"),
        ("VALENCE_DISCORD_BASE", "http://", "http://127.0.0.1:8000"),
        ("VALENCE_SCHEDULER", "10.0.0.5:8786", "tcp://10.0.0.5:8786"),
        ("VALENCE_SCHEDULER", "http://10.0.0.5:8786", "tcp://10.0.0.5:8786"),
        ("VALENCE_SCHEDULER", "tcp://10.0.0.5", "tcp://10.0.0.5:8786"),
        ("VALENCE_SCHEDULER", "tcp://10.0.0.5:87860", "tcp://10.0.0.5:8786"),
        ("VALENCE_METRICS_HOST", "", "0.0.0.0 every address"),
        ("VALENCE_LEASE_RENEW_SECONDS", "10", "less than VALENCE_LEASE_SECONDS, which is 10"),
        ("VALENCE_SHARDS", "6/6", "the first is 0 and the last 5"),
        ("VALENCE_LOG_LEVEL", "LOUD", "'DEBUG', 'INFO'"),
        ("VALENCE_MOST_PRESSES_A_SECOND", "nan", "greater than 0"),
        ("VALENCE_BACKUPS", "a" * 300, "longer than the name of a file or folder can be"),
        ("VALENCE_BACKUPS", "a/" * 3000, "longer than the name of a file or folder can be"),
        ("VALENCE_CACHE", "/tmp/" + "é" * 200, "longer than the name of a file or folder can be"),
        ("VALENCE_METRICS_HOST", "http://127.0.0.1", "name an address"),
        ("VALENCE_METRICS_HOST", "1" * 300, "name an address"),
    ],
)
def test_what_cannot_be_used(name: str, value: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(BadSetting) as found:
        settings()
    assert found.value.name == name
    assert says in found.value.why
    assert "value error" not in found.value.why


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("VALENCE_PACE=2\nDISCORD_TOKEN abc\n", 2),
        ('DATABASE_URL="postgresql://ann@db/valence\nVALENCE_PACE=2\n', 1),
        ("VALENCE_PACE='2\n", 1),
    ],
)
def test_a_line_that_cannot_be_read_is_not_passed_over(
    text: str, line: int, place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (place / ".env").write_text(text)
    with pytest.raises(BadSetting) as found:
        settings()
    assert found.value.name == ".env"
    assert f"line {line} of {place / '.env'}" in found.value.why
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("VALENCE_PACE=2\nMTA1.Gabc.d-ef\n", 2),
        ("\nDISCORD_TOKEN\n", 2),
        ("export valence_pace # 2\n", 1),
    ],
)
def test_a_line_without_an_equals_sign_is_not_passed_over(text: str, line: int, place: Path) -> None:
    """A token alone, or a setting without its value; other programs' variables may have none."""
    (place / ".env").write_text(f"OTHER\nexport HOME\n{text}")
    with pytest.raises(BadSetting) as found:
        settings()
    assert found.value.name == ".env"
    assert f"line {line + 2} of {place / '.env'}" in found.value.why
    assert "Gabc" not in found.value.why


def test_a_file_that_is_too_large_for_settings_is_not_read(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / ".env").write_text("VALENCE_PACE=2\n" * 100)
    assert settings().pace == 2
    monkeypatch.setattr("bot.settings.MOST_BYTES", 1499)
    with pytest.raises(BadSetting, match="larger than any file of settings"):
        settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "postgresql://" + "1" * 60_000),
        ("DATABASE_URL", "postgresql://a..b/valence"),
        ("DATABASE_URL", "postgresql://a..b:1,c..d:2/valence"),
        ("DATABASE_URL", "sqlite:///valence.db?" + "1" * 60_000),
        ("DATABASE_URL", "postgresql://127.0.0.1:1/valence?" + "a" * 60_000 + "=1"),
        ("DATABASE_URL", "sqlite:///" + "a" * 300),
        ("VALENCE_METRICS_HOST", "a..b"),
        ("VALENCE_" + "A" * 5_000, "1"),
    ],
)
def test_the_doctor_tells_of_strange_values_in_short_lines(
    name: str, value: str, valence: Valence, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VALENCE_METRICS_PORT", "1")
    monkeypatch.setenv(name, value)
    told = valence("doctor", "--offline", "--json")
    assert all(len(found["words"]) < 400 for found in told.json)


def test_a_file_as_other_programs_write_it_is_read(place: Path) -> None:
    text = "\ufeff# ours\r\n\r\nexport VALENCE_PACE='2' # slow\r\nVALENCE_WORKERS = 3\r\nOTHER\r\n"
    (place / ".env").write_text(text, newline="")
    assert (settings().pace, settings().workers) == (2, 3)


@pytest.mark.parametrize(
    "address", ["tcp://10.0.0.5:8786", "tls://dask.internal:8786", "tcp://[fd00::5]:8786"]
)
def test_addresses_of_a_scheduler(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VALENCE_SCHEDULER", address)
    assert settings().scheduler == address


def test_spaces_around_a_value_and_large_letters_are_nobodys_wish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", " \t")
    monkeypatch.setenv("VALENCE_DISCORD_BASE", " http://127.0.0.1:8000/ ")
    monkeypatch.setenv("VALENCE_LOG_LEVEL", "warning")
    monkeypatch.setenv("VALENCE_LOG_FORMAT", "JSON")
    found = settings()
    assert (found.log_level, found.log_format) == ("WARNING", "json")
    assert found.discord_token.get_secret_value() == ""
    assert found.discord_base == "http://127.0.0.1:8000"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_file_of_settings_in_another_encoding(place: Path, encoding: str) -> None:
    """As PowerShell writes what is sent to a file, and as some editors save it, without a byte order mark."""
    (place / ".env").write_text("DISCORD_TOKEN=abc\n", encoding=encoding)
    with pytest.raises(BadSetting, match="no text in UTF-8"):
        settings()


def test_a_file_of_settings_from_windows(place: Path) -> None:
    """With a byte order mark and its ends of lines."""
    (place / ".env").write_bytes("\ufeffDISCORD_TOKEN=abc\r\nVALENCE_PACE=2\r\n".encode())
    found = settings()
    assert (found.discord_token.get_secret_value(), found.pace) == ("abc", 2)


def test_a_token_alone_is_found_behind_a_byte_order_mark(place: Path) -> None:
    (place / ".env").write_bytes("\ufeffDISCORD_TOKEN\r\n".encode())
    with pytest.raises(BadSetting, match="line 1"):
        settings()


def test_a_name_that_is_no_setting(place: Path, valence: Valence, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / ".env").write_text("VALENCE_METRIC_PORT=9100\nVALENCE_PACE=2\nOTHER=1\n", encoding="utf-8")
    monkeypatch.setenv("VALENCE_DISCORD_TOKEN", "abc")
    monkeypatch.setenv("VALENCE_FROM_ANOTHER_WORLD", "1")
    assert list(unknown()) == [
        ("VALENCE_DISCORD_TOKEN", "DISCORD_TOKEN"),
        ("VALENCE_FROM_ANOTHER_WORLD", ""),
        ("VALENCE_METRIC_PORT", "VALENCE_METRICS_PORT"),
    ]
    warned = [line for warning, line in notes(settings()) if warning]
    assert "There is no setting VALENCE_METRIC_PORT. Do you mean VALENCE_METRICS_PORT?" in warned
    told = valence("doctor", "--offline").out
    assert all(line in told for line in warned)
    assert "abc" not in told


@pytest.mark.parametrize(
    ("host", "says"), [("nowhere.invalid", "no address of this machine"), ("a..b", "VALENCE_METRICS_HOST")]
)
def test_figures_at_an_address_of_nobody(host: str, says: str) -> None:
    with pytest.raises(Exception, match="elsewhere") as found:
        HealthServer(Metrics(), Health(Metrics())).open(host, 0)
    said = misuse_words(found.value)
    assert said is not None
    assert says in said


@pytest.mark.parametrize("dsn", ["x", "http://", "https://abc@127.0.0.1:99999/1"])
def test_what_is_no_dsn(dsn: str) -> None:
    pytest.importorskip("sentry_sdk")
    with pytest.raises(sentry.BadDsn):
        sentry.connect(dsn, "1")
    with pytest.raises(sentry.BadDsn):
        sentry.look_at(dsn)
