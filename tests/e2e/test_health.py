"""A real bot that is asked how it is, from outside."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes.bots import people, troupe, until

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no process for a while"),
]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


async def ask(port: int, path: str) -> tuple[int, str]:
    def go() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError as error:
            return 0, str(error)

    return await asyncio.to_thread(go)


async def status(port: int) -> dict[str, Any]:
    code, body = await ask(port, "/healthz")
    return json.loads(body) if code else {"status": "gone"}


async def test_a_bot_tells_how_it_is_while_it_plays_and_a_standby_while_it_waits(backstage: Path) -> None:
    async with troupe(backstage, "health") as bots:
        (ann,) = await people(bots, "ann")
        port, second = free_port(), free_port()
        await (await bots.start(VALENCE_METRICS_PORT=str(port))).until("ready")

        async def well() -> bool:
            found = await status(port)
            return found["status"] == "ok" and {"gateway", "database", "workers", "lease"} <= set(
                found["parts"]
            )

        await until(well)
        assert not (await ann.command("card-table", "play", game="probe")).failed
        figures = (await ask(port, "/metrics"))[1]
        assert re.search(r'valence_answers_total\{outcome="(in_time|late)"\} [1-9]', figures)
        assert 'valence_stage_seconds_count{stage="discord",verb="/play"}' in figures
        assert re.search(r'valence_discord_requests_total\{kind="answer",status="20\d"\} [1-9]', figures)
        await (await bots.start(VALENCE_METRICS_PORT=str(second))).until("standby")

        async def looked_at() -> bool:
            return "lease" in (await status(second)).get("parts", ())

        await until(looked_at)
        waiting = await status(second)
        assert waiting["status"] == "starting"
        # it has no connection to miss, however long it waits
        assert "gateway" not in waiting["parts"]
        assert (await status(port))["status"] == "ok"
