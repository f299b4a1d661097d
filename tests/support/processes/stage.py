"""A whole performance: the local Discord, and the bot in a process of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playground.actions.person import Person
from playground.server import Playground, start
from tests.support.processes.bot_forks import CAN_FORK, Forked, fork
from tests.support.waiting import until

HERE = Path(__file__).parents[3]


def probe_bot(tree: Path = HERE) -> str:
    """Return a program that runs the bot of a checkout with its probe game, wherever that is in its tests."""
    (probe,) = (tree / "tests" / "support").rglob("probe.py")
    module = ".".join(probe.relative_to(tree).with_suffix("").parts)
    return f"""
from engine import catalog
from bot import presenters
catalog.PACKAGES["probe"] = "{module}"
presenters.ELSEWHERE["probe"] = "{module}_presenter"
from bot.__main__ import main
raise SystemExit(main())
"""


async def start_bot(
    program: str, *words: str, env: dict[str, str], cwd: Path, log: Path, can_fork: bool = True
) -> asyncio.subprocess.Process | Forked:
    """Start a bot in a session of its own: this program in a fork, or `python -m bot` if it is empty.

    `can_fork`: False for a program of another checkout. The bot's output is added to `log`.
    """
    with log.open("ab") as output:
        if program and can_fork and CAN_FORK:
            return await fork(program, words, env=env, cwd=cwd, output=output.fileno())
        command = ("-c", program) if program else ("-m", "bot")
        return await asyncio.create_subprocess_exec(
            *(sys.executable, *command, *words),
            env=env,
            cwd=cwd,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


QUOTAS = [
    f"VALENCE_MOST_{kind}"
    for kind in ("LOBBIES_OF_PERSON", "TABLES_OF_PERSON", "TABLES_OF_CHANNEL", "TABLES_OF_SERVER")
]


class Stage:
    """The playground and the bot's process; tests kill and start the bot as they like."""

    def __init__(self, playground: Playground, database: Path, *, probe: bool, pace: float) -> None:
        self.playground = playground
        self.database = database
        self._program = probe_bot() if probe else ""
        self._pace = pace
        # a worker process knows the games of the catalog only
        self._workers = "0" if probe else "1"
        self.bot: asyncio.subprocess.Process | Forked | None = None
        self.people: list[Person] = []

    async def start_bot(self, **extra: str) -> None:
        environment = {
            **os.environ,
            "DISCORD_TOKEN": "playground",
            "DATABASE_URL": f"sqlite:///{self.database}",
            "VALENCE_DISCORD_BASE": self.playground.base,
            "VALENCE_PACE": str(self._pace),
            "VALENCE_LOG_LEVEL": "INFO",
            "VALENCE_WORKERS": self._workers,
            "VALENCE_MOST_PRESSES_A_SECOND": "1000",
            **dict.fromkeys(QUOTAS, "1000"),
            # a bot that was killed is waited for no longer than this
            "VALENCE_LEASE_SECONDS": "2",
            "VALENCE_LEASE_RENEW_SECONDS": "0.5",
            "VALENCE_CACHE": str(self.database.parent / "cache"),
            "PYTHONPATH": str(HERE),
            **extra,
        }
        self.bot = await start_bot(
            self._program,
            "run",
            env=environment,
            cwd=self.database.parent,
            log=self.database.parent / "bot.log",
        )

    async def kill_bot(self, how: signal.Signals = signal.SIGKILL) -> int:
        assert self.bot is not None
        self.bot.send_signal(how)
        code = await self.bot.wait()
        self.bot = None
        return code

    async def person(self, name: str) -> Person:
        person = await Person.connect(self.playground.page_url(name), name)
        self.people.append(person)
        return person

    async def leave(self, person: Person) -> None:
        self.people.remove(person)
        await person.close()

    async def ready(self, person: Person, command: str = "play") -> None:
        """Wait until the bot has told its commands."""

        async def up() -> bool:
            known = await person.commands("card-table")
            return bool(person.bot["connected"]) and any(each["name"] == command for each in known)

        await until(up, but=lambda: "the bot did not come up:\n" + self.log())

    def log(self) -> str:
        path = self.database.parent / "bot.log"
        return path.read_text() if path.exists() else ""


@asynccontextmanager
async def stage(
    folder: Path, *, probe: bool = False, pace: float = 0.0, bot: bool = True, **extra: Any
) -> AsyncIterator[Stage]:
    """The curtain is up while the block runs."""
    async with start() as playground:
        here = Stage(playground, folder / "valence.db", probe=probe, pace=pace)
        if bot:
            await here.start_bot(**extra)
        try:
            yield here
        finally:
            for person in here.people:
                await person.close()
            if here.bot is not None and here.bot.returncode is None:
                await here.kill_bot()
