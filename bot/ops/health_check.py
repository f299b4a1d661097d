"""`valence health`: ask the bot on this machine whether it is healthy.

Monitors call this twice a minute, even on small machines. So nothing is imported that this does not need, and
`bot.__main__` does not load the command line for it.
"""

from __future__ import annotations

import http.client
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import msgspec
import yarl

from bot.locales import words
from bot.settings import BadSetting, Settings
from bot.settings import settings as read_settings

PATIENCE = 15.0
"""Seconds to wait for an answer."""

_say = words("en")


class HealthAnswer(StrEnum):
    """The severity of a finding."""

    WELL = "well"
    CARE = "care"
    """Worth knowing, but the bot still runs."""
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: the part, its health, and advice in words."""

    part: str
    health: HealthAnswer
    words: str


class _Part(msgspec.Struct):
    """One part in the report of `/healthz`."""

    well: bool
    facts: dict[str, float | int | str | bool]


class _Report(msgspec.Struct):
    """The report that `/healthz` returns."""

    status: str
    parts: dict[str, _Part]


def check() -> int:
    """Print the health of the bot that these settings start.

    Return exit code 0 if it is healthy, 1 if it is unhealthy or not running, and 2 if it cannot be asked.
    """
    try:
        settings = read_settings()
    except BadSetting as found:
        return _complain(f"{found.name} cannot be used: {found.why}")
    if not settings.metrics_port:
        return _complain("nobody can be asked: set VALENCE_METRICS_PORT")
    findings = list(running(settings))
    sys.stdout.writelines(f"{finding.words}\n" for finding in findings)
    return int(any(finding.health is not HealthAnswer.WELL for finding in findings))


def _complain(line: str) -> int:
    sys.stderr.write(f"valence: {' '.join(line.split())}\n")
    return 2


def running(settings: Settings) -> Iterator[Finding]:
    """Ask the bot on this machine about its parts. Yield nothing if it has no port."""
    if not settings.metrics_port:
        return
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - ask locally if it listens on all addresses
    host = everywhere.get(settings.metrics_host, settings.metrics_host)
    url = yarl.URL.build(scheme="http", host=host, port=settings.metrics_port, path="/healthz")
    try:
        # ignore the machine's proxy settings, because the request stays on this machine
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(str(url), timeout=PATIENCE) as answer:
            body = answer.read()
    except urllib.error.HTTPError as error:
        body = error.read()
    except (OSError, UnicodeError):  # UnicodeError is for an invalid host name
        yield _finding(HealthAnswer.CARE, "silent", url=url)
        return
    except http.client.HTTPException:  # another service that does not speak HTTP
        body = b""
    try:
        report = msgspec.json.decode(body, type=_Report)
    except msgspec.DecodeError:
        yield _finding(HealthAnswer.WRONG, "foreign", url=url)
        return
    for name, part in report.parts.items():
        if not part.well:
            facts = ", ".join(f"{fact} {value}" for fact, value in part.facts.items())
            yield _finding(HealthAnswer.WRONG, "ill", name=name, facts=facts)
    if report.status != "ill":
        yield _finding(HealthAnswer.WELL, "ok" if report.status == "ok" else "starting", url=url)


def _finding(health: HealthAnswer, key: str, **facts: object) -> Finding:
    return Finding("running", health, _say(f"doctor.running.{key}", **facts))
