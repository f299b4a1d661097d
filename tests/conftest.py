"""What all tests share."""

import gc
import os
import random
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import HealthCheck, settings

from bot import presenters
from bot.table.people import friendly_games
from engine import catalog
from tests.support.discord.languages import missing_strings

_quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
# quick: the same examples at each run, so that a rare old fault cannot block an unrelated change. explore:
# twice as many, and others each time, for `make explore`. deep: many more, for `make soak`. Each profile sets
# `derandomize`, because Hypothesis chooses it by itself if the variable CI is set.
settings.register_profile(
    "quick", max_examples=4, deadline=None, derandomize=True, suppress_health_check=_quiet
)
settings.register_profile(
    "explore",
    max_examples=8,
    deadline=None,
    derandomize=False,
    print_blob=True,
    suppress_health_check=_quiet,
)
settings.register_profile(
    "deep",
    max_examples=300,
    deadline=None,
    derandomize=False,
    print_blob=True,
    suppress_health_check=_quiet,
)
PROFILE = os.environ.get("VALENCE_HYPOTHESIS") or "quick"
settings.load_profile(PROFILE)

# With every local value, whole pictures among them, a traceback of a failure that is meant takes a second.
_plain = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
structlog.configure(processors=[*structlog.get_config()["processors"][:-1], _plain])

_logging = structlog.get_config()

# Pytest explains failed asserts of test_*.py alone; these modules have tests that such files run.
pytest.register_assert_rewrite(
    "tests.conformance.laws",
    "tests.support.tables.table_tests",
    "tests.support.tables.tournament_change_tests",
    "tests.support.tables.tournament_tests",
)

# The probe game joins the catalog for the whole test run, so that records, tables and views find it.
catalog.PACKAGES["probe"] = "tests.support.games.probe"
presenters.ELSEWHERE["probe"] = "tests.support.games.probe_presenter"


def pytest_configure(config: pytest.Config) -> None:
    """Choose the seed where examples are drawn anew: one for all processes, so that it can be used again.

    Raises:
        pytest.UsageError: a language lacks a string.
    """
    if missing := missing_strings():
        raise pytest.UsageError("\n".join(missing))
    if hasattr(config, "workerinput"):
        config.option.hypothesis_seed = config.workerinput["hypothesis_seed"]
    elif PROFILE != "quick" and config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(random.SystemRandom().getrandbits(64))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hand the seed to a process that runs tests beside others."""
    node.workerinput["hypothesis_seed"] = node.config.option.hypothesis_seed


def pytest_sessionstart(session: pytest.Session) -> None:
    """Say how the same examples are drawn again; at the start, for a run that is cut off has no end."""
    config = session.config
    if PROFILE != "quick" and (out := config.pluginmanager.get_plugin("terminalreporter")):
        seed = config.option.hypothesis_seed
        out.write_line(f"Examples anew: VALENCE_HYPOTHESIS={PROFILE} pytest --hypothesis-seed={seed}")


@pytest.fixture(autouse=True)
def _deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is drawn by lot comes from the name of the test: the same at each run, others in `make soak`.

    The name has the parameters and not the path, so a file can move without changing a deal. Lots are the
    seeds of tables, who meets whom in a tournament, and the names of opponents. An example plays one deal,
    and what it says of it (who is ahead, what was earned) is true of almost all deals. Drawn from the system
    it would fail once in fifty runs, and nobody could deal it again.
    """
    salt = request.config.option.hypothesis_seed if PROFILE == "deep" else None
    lots = random.Random(f"{salt}/{request.node.name}")
    monkeypatch.setattr(secrets, "token_bytes", lots.randbytes)
    random.seed(lots.getrandbits(64))


@pytest.fixture
def newcomers() -> None:
    """Let people without finished games be newcomers, as they are outside of tests."""


@pytest.fixture(autouse=True)
def _experienced(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take everyone for experienced, so that their games count, unless a test uses `newcomers`."""
    if "newcomers" not in request.fixturenames:
        monkeypatch.setattr(friendly_games, "FIRST_GAMES", 0)


@pytest.fixture(autouse=True)
def _logs() -> Iterator[None]:
    """What a test sets up of logging ends with it: no other test depends on whether this one ran before."""
    yield
    structlog.configure(**_logging)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as long every test that needs a browser, PostgreSQL, or the bot as a separate process.

    A test that runs on both databases stays quick on SQLite.
    """
    whole = Path(__file__).parent / "e2e"
    for item in items:
        if item.path.is_relative_to(whole) or item.get_closest_marker("browser") or _on_postgresql(item):
            item.add_marker("long")


def _on_postgresql(item: pytest.Item) -> bool:
    given = (
        item.callspec.params.values()
        if isinstance(item, pytest.Function) and hasattr(item, "callspec")
        else ()
    )
    return "postgresql" in given or "postgres" in getattr(item, "fixturenames", ())


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what stays to the end: modules and thousands of tests. Each of its
    full rounds looked through them, which took a tenth of the whole run."""
    gc.collect()
    gc.freeze()
