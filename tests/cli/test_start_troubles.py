"""What ends a start: one line that says what to do, and an exit code that tells misuse from bad luck."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.ops.startup import closed_words
from playground import gateway
from playground.server import start
from tests.house.tree import ROOT
from tests.support.share import share

LOG_LINE = re.compile(r"^\d{4}-\d\d-\d\d ")


async def run_bot(
    folder: Path, *, base: str = "", token: str = "any", **settings: str
) -> tuple[int, list[str]]:
    """The unmodified bot with these settings; its exit code, and what it said beside the log."""
    env = {
        name: value for name, value in os.environ.items() if not name.startswith(("VALENCE_", "DATABASE_"))
    }
    env |= {"PYTHONPATH": str(ROOT), "DISCORD_TOKEN": token, "VALENCE_WORKERS": "0"}
    env |= {"VALENCE_DISCORD_BASE": base, "VALENCE_LOG_LEVEL": "ERROR", **settings}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot"), cwd=folder, env=env, stderr=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(60):
            _, said = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    text = said.decode()
    assert "Traceback" not in text, text
    return process.returncode or 0, [line for line in text.splitlines() if not LOG_LINE.match(line)]


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
async def test_a_database_url_that_nobody_understands(tmp_path: Path, url: str, says: str) -> None:
    code, said = await run_bot(tmp_path, DATABASE_URL=url)
    assert code == 2
    assert len(said) == 1
    assert says in said[0]
    assert "secret" not in said[0]


@pytest.mark.long
async def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    """A URL as hosts hand it out, and nobody at its end: that may be bad luck, so another exit code."""
    async with start() as playground:
        url = "postgresql://ann:secret@127.0.0.1:1/valence?sslmode=require&channel_binding=require"
        code, said = await run_bot(tmp_path, base=playground.base, token=playground.token, DATABASE_URL=url)
    assert code == 3
    assert said == [
        "The database cannot be reached. Check DATABASE_URL, and that the folder is there and may be written"
        " to, or that the server answers."
    ]


@pytest.mark.long
async def test_a_port_for_figures_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        async with start() as playground:
            code, said = await run_bot(
                tmp_path, base=playground.base, token=playground.token, VALENCE_METRICS_PORT=port
            )
    assert code == 2
    assert len(said) == 1
    assert f"port {port} is taken" in said[0].lower()


@pytest.mark.parametrize(
    ("close", "says"),
    share(
        [
            (4004, "does not know this DISCORD_TOKEN"),
            (4010, "divided like this"),
            (4011, "divided like this"),
            (4014, "refused the intents"),
            (4012, "Install a newer version"),
            (4013, "refused the intents"),
        ],
        3,
    ),
)
async def test_the_gateway_closes_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, close: int, says: str
) -> None:
    def refuse(self: object, data: str) -> None:
        raise gateway._Closed(close, "")

    monkeypatch.setattr(gateway._Link, "receive", refuse)
    async with start() as playground:
        code, said = await run_bot(tmp_path, base=playground.base, token=playground.token)
    assert code == 2
    assert len(said) == 1
    assert says in said[0]
    with closing(sqlite3.connect(tmp_path / "valence.db")) as connection:
        assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)


def test_a_code_that_nobody_has_heard_of_is_named() -> None:
    assert "(code 4999): no reason given" in closed_words(4999, "")


async def test_discord_does_not_know_the_token(tmp_path: Path) -> None:
    async with start() as playground:
        code, said = await run_bot(tmp_path, base=playground.base, token="another")
    assert (code, len(said)) == (2, 1)
    assert "does not know this DISCORD_TOKEN" in said[0]


@pytest.mark.long
async def test_nobody_answers(tmp_path: Path) -> None:
    code, said = await run_bot(tmp_path, base="http://127.0.0.1:1")
    assert (code, len(said)) == (1, 1)
    assert said[0].startswith("Discord cannot be reached: ")
