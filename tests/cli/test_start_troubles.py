"""What ends a start: one line that says what to do, and an exit code that tells misuse from bad luck."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from subprocess import PIPE

import pytest

from bot.ops.startup import closed_words
from playground import gateway
from playground.server import start
from tests.house.tree import ROOT
from tests.support.share import share

Bot = Callable[..., Awaitable[tuple[int, list[str]]]]
LOG_LINE = re.compile(r"^\d{4}-\d\d-\d\d ")


def environment(base: str, token: str, **settings: str) -> dict[str, str]:
    env = {
        name: value for name, value in os.environ.items() if not name.startswith(("VALENCE_", "DATABASE_"))
    }
    env |= {"PYTHONPATH": str(ROOT), "DISCORD_TOKEN": token, "VALENCE_WORKERS": "0"}
    return env | {"VALENCE_DISCORD_BASE": base, "VALENCE_LOG_LEVEL": "ERROR", **settings}


def beside_the_log(text: str) -> list[str]:
    assert "Traceback" not in text, text
    return [line for line in text.splitlines() if not LOG_LINE.match(line)]


STARTS = """
import json, os, sys
sys.modules["rich"] = None
import bot.running
from bot.__main__ import main

for line in sys.stdin:
    folder, environment, said = json.loads(line)
    if pid := os.fork():
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
        continue
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT), 2)
    sys.argv = ["valence"]
    sys.exit(main())
"""


@pytest.fixture(scope="module")
def starts() -> Iterator[subprocess.Popen[str]]:
    """A process that has imported the bot, and starts it in forks."""
    if not hasattr(os, "fork"):
        pytest.skip("there are no forks here")
    words, env = [sys.executable, "-c", STARTS], environment("", "any")
    with subprocess.Popen(
        words, env=env, stdin=PIPE, stdout=PIPE, text=True, start_new_session=True
    ) as process:
        yield process
        os.killpg(process.pid, signal.SIGKILL)  # with a bot that hangs


@pytest.fixture
def fork_bot(starts: subprocess.Popen[str], tmp_path: Path) -> Bot:
    """Start the unmodified bot with these settings. Return its exit code, and what it said beside the log."""
    assert starts.stdin is not None
    assert starts.stdout is not None

    async def run(*, base: str = "", token: str = "any", **settings: str) -> tuple[int, list[str]]:
        log = tmp_path / "said.txt"
        print(json.dumps([str(tmp_path), environment(base, token, **settings), str(log)]), file=starts.stdin)
        starts.stdin.flush()
        try:
            async with asyncio.timeout(60):
                code = await asyncio.to_thread(starts.stdout.readline)
        except TimeoutError:
            os.killpg(starts.pid, signal.SIGKILL)
            raise
        return int(code), beside_the_log(log.read_text(encoding="utf-8"))

    return run


@pytest.mark.long
@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("nonsense", "not understood"),
        ("", "empty"),
        ("mysql://ann:secret@127.0.0.1/valence", "mysql"),
        ("postgresql://ann:secret@127.0.0.1/valence?sslmod=require", "sslmode"),
    ],
)
async def test_a_database_url_that_nobody_understands(fork_bot: Bot, url: str, says: str) -> None:
    code, said = await fork_bot(DATABASE_URL=url)
    assert code == 2
    assert len(said) == 1
    assert says in said[0]
    assert "secret" not in said[0]


@pytest.mark.long
async def test_a_server_that_is_not_there(fork_bot: Bot) -> None:
    """A URL as hosts hand it out, and nobody at its end: that may be bad luck, so another exit code."""
    async with start() as playground:
        url = "postgresql://ann:secret@127.0.0.1:1/valence?sslmode=require&channel_binding=require"
        code, said = await fork_bot(base=playground.base, token=playground.token, DATABASE_URL=url)
    assert code == 3
    assert said == [
        "The database cannot be reached. Check DATABASE_URL, and that the folder is there and may be written"
        " to, or that the server answers."
    ]


@pytest.mark.long
async def test_a_port_for_figures_that_is_taken(fork_bot: Bot) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        async with start() as playground:
            code, said = await fork_bot(
                base=playground.base, token=playground.token, VALENCE_METRICS_PORT=port
            )
    assert code == 2
    assert len(said) == 1
    assert f"port {port} is taken" in said[0].lower()


@pytest.mark.parametrize(
    ("close", "says"),
    share(
        [
            (4014, "refused the intents"),
            (4004, "does not know this DISCORD_TOKEN"),
            (4010, "divided like this"),
            (4011, "divided like this"),
            (4012, "Install a newer version"),
            (4013, "refused the intents"),
        ],
        6,
    ),
)
async def test_the_gateway_closes_for_good(
    fork_bot: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, close: int, says: str
) -> None:
    def refuse(self: object, data: str) -> None:
        raise gateway._Closed(close, "")

    monkeypatch.setattr(gateway._Link, "receive", refuse)
    async with start() as playground:
        code, said = await fork_bot(base=playground.base, token=playground.token)
    assert code == 2
    assert len(said) == 1
    assert says in said[0]
    with closing(sqlite3.connect(tmp_path / "valence.db")) as connection:
        assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)


def test_a_code_that_nobody_has_heard_of_is_named() -> None:
    assert "(code 4999): no reason given" in closed_words(4999, "")


async def test_discord_does_not_know_the_token(fork_bot: Bot) -> None:
    async with start() as playground:
        code, said = await fork_bot(base=playground.base, token="another")
    assert (code, len(said)) == (2, 1)
    assert "does not know this DISCORD_TOKEN" in said[0]


@pytest.mark.long
async def test_nobody_answers(fork_bot: Bot) -> None:
    code, said = await fork_bot(base="http://127.0.0.1:1")
    assert (code, len(said)) == (1, 1)
    assert said[0].startswith("Discord cannot be reached: ")
