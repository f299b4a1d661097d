"""Two owners, people who press, and everything that can break: afterwards the journal explains every answer.

`python -m tests.jepsen` plays the same rounds from the command line, `make soak` many more of them.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.core.unit import Unit
from bot.store import leases
from bot.store.database import StoreError
from tests.jepsen.rounds import Found, play
from tests.support.share import share

BOTH = pytest.mark.parametrize("database", ["sqlite", "postgresql"])
REAL = pytest.mark.skipif(
    not hasattr(signal, "SIGSTOP") or not hasattr(os, "fork"), reason="processes cannot be stopped here"
)
pytestmark = pytest.mark.filterwarnings("ignore:The garbage collector is trying to clean up")


def held(found: Found, rounds: int) -> dict[str, Any]:
    """What rounds came to, where nothing in them was at odds with anything; prints it."""
    figures = found.figures
    sys.stdout.write(json.dumps(figures) + "\n")
    assert not found.failures, "\n".join(found.failures)
    assert figures["rounds"] == rounds
    assert figures["lost"] == figures["doubled"] == figures["contradicted"] == figures["stuck"] == 0
    # otherwise it proves little
    assert figures["answers"]["ok"] > 4 * rounds
    assert {"stop", "kill", "clock +3 h", "clock -3 h"} <= figures["faults"].keys()
    assert "after COMMIT" in figures["failed_calls"]
    return figures


@pytest.fixture(autouse=True)
def _silence() -> Iterator[None]:
    """What the bots log of their troubles is no news here."""
    with capture_logs():
        yield


@pytest.mark.parametrize(
    ("database", "rounds", "seed"), share([("sqlite", 20, 1), ("postgresql", 6, 1), ("sqlite", 40, 21)], 3)
)
def test_under_virtual_time_every_answer_holds(database: str, rounds: int, seed: int) -> None:
    held(play(rounds, database, virtual=True, seed=seed), rounds)


@pytest.mark.long
@pytest.mark.slow
def test_many_rounds_under_virtual_time() -> None:
    held(play(170, "sqlite", virtual=True, seed=61), 170)


@BOTH
@REAL
@pytest.mark.long
def test_with_real_processes_every_answer_holds(database: str) -> None:
    held(play(10, database, virtual=False), 10)


@BOTH
@REAL
@pytest.mark.soak
@pytest.mark.slow
def test_a_thousand_rounds_with_real_processes(database: str) -> None:
    figures = held(play(1000, database, virtual=False, seed=10_000), 1000)
    assert figures["faults"].get("server ends a line", 0) > 0 or database == "sqlite"


def test_without_the_fence_it_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "are_held", lambda *_args, **_how: True)
    found = play(60, "sqlite", virtual=True, until_it_fails=True)
    assert found.figures["contradicted"] > 0


def test_without_the_question_after_a_lost_answer_it_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    commit = Unit._commit

    async def hasty(unit: Unit, write: Callable[..., None], stored: Callable[[], bool]) -> bool:
        try:
            return await commit(unit, write, stored)
        except StoreError as found:
            # as if "gone" always meant "not stored"
            raise StoreError("gone") if found.kind == "unknown" else found from None

    monkeypatch.setattr(Unit, "_commit", hasty)
    monkeypatch.setattr(Unit, "_ask_again", _nobody_asks)
    found = play(60, "sqlite", virtual=True, until_it_fails=True)
    assert found.figures["contradicted"] > 0


def _nobody_asks(_unit: Unit, _found: Any = None) -> Coroutine[Any, Any, None]:
    async def nothing() -> None:
        """And memory stays as it was."""

    return nothing()
