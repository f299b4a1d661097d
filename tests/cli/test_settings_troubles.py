"""A setting that cannot be used is named in one line, and so is a name that is no setting."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.settings import BadSetting, settings, unknown
from bot.startup import misuse_words, notes
from bot.telemetry import sentry
from bot.telemetry.health import Health
from bot.telemetry.metrics import Metrics
from bot.telemetry.server import Watchman
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


def test_a_file_of_settings_in_another_encoding(place: Path) -> None:
    """As PowerShell writes what is sent to a file."""
    (place / ".env").write_text("DISCORD_TOKEN=abc\n", encoding="utf-16")
    with pytest.raises(BadSetting, match="no text in UTF-8"):
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
        Watchman(Metrics(), Health(Metrics())).open(host, 0)
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
