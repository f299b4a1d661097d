"""`valence health`: ask the bot that runs beside whether it is well.

Whoever watches over a bot asks twice a minute, on a small machine too: nothing is imported here that this
does not need, and `bot.__main__` does not load the command line for it.
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
"""Seconds in which it must have answered."""

_say = words("en")


class Health(StrEnum):
    """How a finding is meant."""

    WELL = "well"
    CARE = "care"
    """Worth knowing; the bot runs all the same."""
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: which part, how it is, and in words what to do."""

    part: str
    health: Health
    words: str


class _Part(msgspec.Struct):
    """One part, as `/healthz` tells of it."""

    well: bool
    facts: dict[str, float | int | str | bool]


class _Report(msgspec.Struct):
    """What `/healthz` answers."""

    status: str
    parts: dict[str, _Part]


def check() -> int:
    """Say how the bot is that these settings start.

    The exit code is 0 where it is well, 1 where it is not or is not there, and 2 where nobody can be asked.
    """
    try:
        settings = read_settings()
    except BadSetting as found:
        return _complain(f"{found.name} cannot be used: {found.why}")
    if not settings.metrics_port:
        return _complain("nobody can be asked: set VALENCE_METRICS_PORT")
    findings = list(running(settings))
    sys.stdout.writelines(f"{finding.words}\n" for finding in findings)
    return int(any(finding.health is not Health.WELL for finding in findings))


def _complain(line: str) -> int:
    sys.stderr.write(f"valence: {' '.join(line.split())}\n")
    return 2


def running(settings: Settings) -> Iterator[Finding]:
    """Ask the bot that runs beside how its parts are; nothing where it has no port to be asked at."""
    if not settings.metrics_port:
        return
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - asked for where it listens everywhere
    host = everywhere.get(settings.metrics_host, settings.metrics_host)
    url = yarl.URL.build(scheme="http", host=host, port=settings.metrics_port, path="/healthz")
    try:
        # whatever proxy the machine has for others: it is asked on the machine itself
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(str(url), timeout=PATIENCE) as answer:
            body = answer.read()
    except urllib.error.HTTPError as error:
        body = error.read()
    except OSError:
        yield _finding(Health.CARE, "silent", url=url)
        return
    except http.client.HTTPException:  # another service, which speaks no HTTP
        body = b""
    try:
        report = msgspec.json.decode(body, type=_Report)
    except msgspec.DecodeError:
        yield _finding(Health.WRONG, "foreign", url=url)
        return
    for name, part in report.parts.items():
        if not part.well:
            facts = ", ".join(f"{fact} {value}" for fact, value in part.facts.items())
            yield _finding(Health.WRONG, "ill", name=name, facts=facts)
    if report.status != "ill":
        yield _finding(Health.WELL, "ok" if report.status == "ok" else "starting", url=url)


def _finding(health: Health, key: str, **facts: object) -> Finding:
    return Finding("running", health, _say(f"doctor.running.{key}", **facts))
