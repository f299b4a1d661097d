"""Failures to Sentry, for who sets a DSN: where and of what type, never what was in anybody's hand.

The message of an error and the variables around it may name cards, so they stay here: an event bears the
types, the places in the code, the press and the code that the person was told, by which the log is found.
"""

from __future__ import annotations

import sys
from collections.abc import MutableMapping
from typing import Any

KEPT = ("code", "press", "task", "table", "game", "level")
"""What of a log line goes along."""


class NoSentry(Exception):
    """A DSN is set, but the library is not installed."""


class BadDsn(Exception):
    """What is set is no DSN."""


def connect(dsn: str, release: str) -> None:
    """Tell Sentry of each failure from now on.

    Raises:
        NoSentry: the extra `sentry` is not installed.
        BadDsn: that is none.
    """
    try:
        import sentry_sdk
    except ImportError as error:
        raise NoSentry from error
    try:
        sentry_sdk.init(
            dsn=dsn,
            release=release,
            default_integrations=False,
            include_local_variables=False,
            include_source_context=False,
            max_breadcrumbs=0,
            server_name="",
            before_send=without_words,
        )
    except ValueError as error:  # the library's own word for it, and what urllib says of a port
        raise BadDsn from error


def look_at(dsn: str) -> None:
    """Look whether Sentry could be told of failures; nothing is sent. An empty DSN is none, and well.

    Raises:
        NoSentry: the extra `sentry` is not installed.
        BadDsn: that is none.
    """
    if not dsn:
        return
    try:
        from sentry_sdk.utils import Dsn
    except ImportError as error:
        raise NoSentry from error
    try:
        Dsn(dsn)
    except ValueError as error:
        raise BadDsn from error


def without_words(event: Any, _hint: object = None) -> Any:
    """The event without messages of errors and without variables."""
    for error in (event.get("exception") or {}).get("values", ()):
        error["value"] = ""
        for frame in (error.get("stacktrace") or {}).get("frames", ()):
            frame.pop("vars", None)
    return event


def report(_logger: object, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A processor for structlog: what is logged with an error goes to Sentry, too."""
    failure = line.get("exc_info")
    if failure is True:
        failure = sys.exc_info()[1]
    elif isinstance(failure, tuple):
        failure = failure[1]
    if isinstance(failure, BaseException) and line.get("level") in ("error", "critical"):
        import sentry_sdk

        with sentry_sdk.new_scope() as scope:
            scope.set_tag("event", str(line.get("event", "")))
            for name in KEPT:
                if name in line:
                    scope.set_tag(name, str(line[name]))
            sentry_sdk.capture_exception(failure)
    return line
