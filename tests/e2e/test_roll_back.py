"""Rolling back, as docs/operations.md says it: the version before plays on, on the schema of this one."""

from __future__ import annotations

import io
import signal
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.store.backend import migrate
from bot.store.models import SCHEMA
from tests.e2e.room import hand_of
from tests.house.tree import ROOT
from tests.support.processes.bots import Bot, dealt, leave, people, rows_of, troupe
from tests.support.processes.must import postgres_server

pytestmark = pytest.mark.asyncio(loop_scope="session")
MIGRATIONS = "bot/store/migrations/versions"


def git(*words: str) -> bytes:
    """What git says in this checkout; skips where it has no history."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"the history is not here: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


@pytest.fixture(scope="module")
def version_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the last code that knew the schema before this one. Python compiles it once."""
    folder = tmp_path_factory.mktemp("before")
    (newest,) = (ROOT / MIGRATIONS).glob(f"{SCHEMA}_*.py")
    added = git("log", "-1", "--diff-filter=A", "--format=%H", "--", f"{MIGRATIONS}/{newest.name}")
    if not added:
        pytest.skip("the newest migration is not committed yet")
    code = git("archive", f"{added.decode().strip()}^", "bot", "engine", "assets", "tests")
    with tarfile.open(fileobj=io.BytesIO(code)) as packed:
        packed.extractall(folder, filter="data")
    return folder


async def stop(bot: Bot) -> None:
    bot.send(signal.SIGTERM)
    assert await bot.gone() == 0
    bot.check()


@contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of a database of this kind with nothing in it."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'valence.db'}"
        return
    with postgres_server() as url:
        yield url


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_the_version_before_plays_on_and_so_does_this_one_again(
    backstage: Path, version_before: Path, tmp_path_factory: pytest.TempPathFactory, kind: str
) -> None:
    with database(kind, tmp_path_factory.mktemp("db")) as url:
        await migrate.upgrade(url)
        async with troupe(backstage, f"roll-back-{kind}") as bots:
            (ann, ben) = await people(bots, "ann", "ben")
            newer = await bots.start(DATABASE_URL=url)
            board = await dealt(bots, newer, ann, ben)
            assert not (await ann.press(await hand_of(ann, board), label="Bid 2")).failed
            await stop(newer)

            older = await bots.start(tree=version_before, DATABASE_URL=url)
            await older.until("ready")
            assert "the database is of a newer version, on which this one still runs" in older.said
            assert not (await ben.press(await hand_of(ben, board), label="Bid 0")).failed
            assert await rows_of(url, "SELECT count(*) FROM entries") == [(2,)]
            await stop(older)

            again = await bots.start(DATABASE_URL=url)
            await again.until("ready")
            assert await rows_of(url, "SELECT version_num FROM alembic_version") == [(SCHEMA,)]
            assert "Round 1 of 2: look" in ann.text(await hand_of(ann, board))
            await stop(again)
            await leave(ann, ben)
