"""`valence ratings`: made anew, let count for nothing and back again, with a question before."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from bot.features.stats import rows as boards
from bot.store.people import EVERYWHERE
from tests.support.processes.schema import empty
from tests.support.tables.results import finish
from tests.support.tables.tables import patient_database


def on(url: str, work: Any) -> Any:
    async def run() -> Any:
        database = patient_database(url)
        try:
            return await database.write_at_once(work)
        finally:
            await database.close()

    return asyncio.run(run())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with five games, four of them of Ann (1) and Ben (2)."""
    file = tmp_path_factory.mktemp("played") / "valence.db"
    file.write_bytes(empty())
    on(f"sqlite:///{file}", lambda c: [finish(c, (1, 2), (1, 2), at=at) for at in range(4)])
    on(f"sqlite:///{file}", lambda c: finish(c, (2, 3), (1, 2), at=9))
    return file


@pytest.fixture
def url(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a copy of that database."""
    where = f"sqlite:///{shutil.copy(played, tmp_path)}"
    monkeypatch.setenv("DATABASE_URL", where)
    return where


def test_a_rebuild_changes_nothing_and_mends_what_differs(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ratings", "rebuild", "--check"]) == 0
    assert main(["ratings", "rebuild"]) == 0
    assert "from 5 games" in capsys.readouterr().out
    on(url, lambda c: c.exec_driver_sql("DELETE FROM rivals WHERE user_id = 1"))
    assert main(["ratings", "rebuild", "--check"]) == 1
    assert "1 rows are not" in capsys.readouterr().err
    assert main(["ratings", "rebuild"]) == 0
    assert main(["ratings", "rebuild", "--check"]) == 0


def test_games_count_for_nothing_and_again(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def rated() -> dict[int, int]:
        found = {who: on(url, lambda c, w=who: boards.ratings_of(c, w, EVERYWHERE)) for who in (1, 2, 3)}  # type: ignore[misc]
        return {who: sum(rating.games for rating in each.values()) for who, each in found.items()}

    monkeypatch.setattr("typer.confirm", lambda *_, **__: False)
    assert main(["ratings", "void", "--player", "1"]) == 1
    assert rated() == {1: 4, 2: 5, 3: 1}
    assert main(["ratings", "void", "--player", "1", "--yes"]) == 0
    assert "4 games" in capsys.readouterr().out
    assert rated() == {1: 0, 2: 1, 3: 1}
    assert main(["ratings", "unvoid", "--player", "1"]) == 0
    assert rated() == {1: 4, 2: 5, 3: 1}
    assert main(["ratings", "unvoid", "--player", "1"]) == 2
    assert main(["ratings", "void", "--game", "999", "--yes"]) == 2
    assert main(["ratings", "void", "--yes"]) == 2


@pytest.mark.parametrize("number", ["0", "-5", str(2**63), "9" * 23])
@pytest.mark.parametrize(
    "words",
    [
        ("ratings", "void", "--yes", "--player"),
        ("ratings", "unvoid", "--game"),
        ("tables", "revive", "--"),
        ("tables", "close", "--"),
    ],
)
def test_a_number_that_nobody_has_is_one_line_and_2(
    url: str, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], number: str
) -> None:
    assert main([*words, number]) == 2
    said = capsys.readouterr().err
    assert said.startswith("valence: Invalid value")
    assert said.count("\n") == 1


def test_farming_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ratings", "farming", "--games", "1000", "--json"]) == 0
    assert '"sigmas": 0.49' in capsys.readouterr().out
