"""The process from which workers are forked: it ends with the bot, and no worker depends on it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from multiprocessing import popen_forkserver
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.workers.errors import TooSlow
from bot.workers.pool import Pool
from bot.workers.process_worker import FORKED
from tests.support.processes.pids import gone
from tests.support.waiting import LIMIT_SECONDS, until

pytestmark = pytest.mark.skipif(not FORKED, reason="workers are spawned here")


def loop_for_ever() -> None:
    while True:
        pass


@pytest.fixture
async def pool() -> AsyncIterator[Pool]:
    opened = Pool("test", 2)
    yield opened
    await opened.close(0.1)


async def test_the_fork_server_ends_with_the_bot() -> None:
    code = (
        "import asyncio, os\n"
        "from bot.workers.pool import Pool\n"
        "async def main():\n"
        "    print(await Pool('t', 1).run(os.getppid, deadline=5), flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "if __name__ == '__main__': asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    server = int(await process.stdout.readline())
    assert server != process.pid
    assert not gone(server)
    process.kill()
    await process.wait()
    await until(lambda: gone(server))


async def test_workers_are_started_and_killed_after_the_fork_server_has_died(pool: Pool) -> None:
    server = await pool.run(os.getppid, deadline=5)
    looping = asyncio.create_task(pool.run(loop_for_ever, deadline=0.5))
    (looper,) = pool.pids
    os.kill(server, signal.SIGKILL)
    others = await asyncio.gather(*(pool.run(os.getppid, deadline=5) for _ in range(2)))
    assert server not in others
    with pytest.raises(TooSlow):
        await asyncio.wait_for(looping, LIMIT_SECONDS)
    await until(lambda: gone(looper))


async def test_a_fork_server_that_dies_while_it_forks_is_replaced(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGTERM went to the whole group of processes while a worker was started."""
    launch, died = popen_forkserver.Popen._launch, list[str]()

    def dies_once(popen: popen_forkserver.Popen, process: Any) -> None:
        # `read_signed` would not do: multiprocessing also calls it for the workers of earlier tests
        if not died:
            died.append(process.name)
            raise EOFError("unexpected EOF")
        launch(popen, process)

    monkeypatch.setattr(popen_forkserver.Popen, "_launch", dies_once)
    with capture_logs() as lines:
        assert await pool.run(os.getppid, deadline=5) != os.getpid()
        # another worker may answer before the thread of the first one has written its line
        await until(lambda: any(line["event"] == "worker not started" for line in lines))
    assert len(died) == 1
    started = [line for line in lines if line["event"] == "worker not started"]
    assert [line["why"] for line in started] == ["unexpected EOF"]
    assert not any("exc_info" in line for line in lines)


async def test_workers_have_the_imports_of_the_fork_server_before_their_own() -> None:
    code = (
        "import asyncio\n"
        "from bot.client import SHARED_IMPORTS\n"
        "from bot.workers.pool import Pool\n"
        "from bot.workers.process_worker import preload\n"
        "async def main():\n"
        "    preload(SHARED_IMPORTS)\n"
        "    loaded = await Pool('t', 1).run(eval, 'list(__import__(\"sys\").modules)', deadline=5)\n"
        "    assert SHARED_IMPORTS in loaded\n"
        "if __name__ == '__main__': asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    assert await asyncio.wait_for(process.wait(), LIMIT_SECONDS) == 0


async def test_without_a_folder_for_the_fork_server_workers_are_spawned() -> None:
    code = (
        "import asyncio, os, tempfile\n"
        "from bot.workers.pool import Pool\n"
        "tempfile.tempdir = '/nowhere'\n"
        "async def main():\n"
        "    assert await Pool('t', 1).run(os.getppid, deadline=5) == os.getpid()\n"
        "if __name__ == '__main__': asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    assert await asyncio.wait_for(process.wait(), LIMIT_SECONDS) == 0
