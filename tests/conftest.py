"""What all tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from bot import presenters
from engine import catalog

_quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile(
    "quick", max_examples=12, deadline=None, derandomize=True, suppress_health_check=_quiet
)
settings.register_profile("deep", max_examples=300, deadline=None, suppress_health_check=_quiet)
settings.load_profile(os.environ.get("VALENCE_HYPOTHESIS", "quick"))

# The probe game joins the catalog for the whole test run, so that records, tables and views find it.
catalog.PACKAGES["probe"] = "tests.support.probe"
presenters.ELSEWHERE["probe"] = "tests.support.probe_presenter"

# A game under construction joins before it is listed: VALENCE_ALSO="duel52=engine.duel52".
for pair in filter(None, os.environ.get("VALENCE_ALSO", "").split(",")):
    catalog.PACKAGES[pair.split("=")[0]] = pair.split("=")[1]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever drives a browser, or the bot as a process of its own through the local Discord, takes long."""
    whole = Path(__file__).parent / "e2e"
    for item in items:
        if item.path.is_relative_to(whole) or item.get_closest_marker("browser"):
            item.add_marker("long")
