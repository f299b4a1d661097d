"""Error reports to Sentry if a DSN is set: location and type of an error, never the cards in a hand.

Error messages and local variables may name cards, so they are not sent. An event contains the types, the
places in the code, the interaction, and the error code shown to the person, which leads to the log.
"""

from __future__ import annotations

import sys
from collections.abc import MutableMapping
from typing import Any

KEPT = ("code", "press", "task", "table", "game", "level")
"""Fields of a log line that are sent along."""


class NoSentry(Exception):
    """A DSN is set, but the library is not installed."""


class BadDsn(Exception):
    """The configured value is not a valid DSN."""


def connect(dsn: str, release: str) -> None:
    """Report all failures to Sentry from now on.

    Raises:
        NoSentry: the extra `sentry` is not installed.
        BadDsn: the DSN is invalid.
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
    except ValueError as error:  # the library's BadDsn, or urllib's error for a bad port
        raise BadDsn from error


def look_at(dsn: str) -> None:
    """Check that failures could be reported to Sentry, without sending anything. An empty DSN passes.

    Raises:
        NoSentry: the extra `sentry` is not installed.
        BadDsn: the DSN is invalid.
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
    """Return the event without error messages and variables."""
    for error in (event.get("exception") or {}).get("values", ()):
        error["value"] = ""
        for frame in (error.get("stacktrace") or {}).get("frames", ()):
            frame.pop("vars", None)
    return event


def report(_logger: object, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Send log lines that carry an error to Sentry. A processor for structlog."""
    failure = line.get("exc_info")
    if failure is True:
        failure = sys.exc_info()[1]
    elif isinstance(failure, tuple):
        failure = failure[1]
    if isinstance(failure, BaseException) and line.get("level") in ("error", "critical"):
        import sentry_sdk

        with sentry_sdk.new_scope() as scope:
            if line.get("_from_structlog", True):
                scope.set_tag("event", str(line.get("event", "")))
            else:  # a library's line, which may repeat the error message
                scope.set_tag("logger", str(line.get("logger", "")))
            for name in KEPT:
                if name in line:
                    scope.set_tag(name, str(line[name]))
            sentry_sdk.capture_exception(failure)
    return line
