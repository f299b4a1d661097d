"""The bot's process beside the playground: started, killed and started anew, as often as somebody wants."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence

END_SECONDS = 10.0
"""How long an orderly end may take."""


class Keeper:
    """Keeps one bot. `say` prints a line for who started the playground."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], say: Callable[[str], None]) -> None:
        self._command, self._env, self._say = tuple(command), dict(env), say
        self._bot: asyncio.subprocess.Process | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        self._wanted = False

    @property
    def running(self) -> bool:
        """Whether there is a bot."""
        return self._bot is not None and self._bot.returncode is None

    async def start(self) -> None:
        """Start the bot, unless it runs."""
        async with self._turn:
            await self._start()

    async def kill(self) -> None:
        """End the bot as a power cut would: it hears nothing of it."""
        async with self._turn:
            self._wanted = False
            if self.running and self._bot is not None:
                with contextlib.suppress(ProcessLookupError):
                    self._bot.kill()
                await self._bot.wait()
                self._say("The bot was killed from the page; it can be started there as well.")

    async def restart(self) -> None:
        """End the bot in order, if it runs, and start it anew."""
        async with self._turn:
            await self._end()
            await self._start()

    async def end(self) -> None:
        """End the bot in order; killed where it takes too long."""
        async with self._turn:
            await self._end()

    async def _start(self) -> None:
        if self.running:
            return
        self._bot = await asyncio.create_subprocess_exec(*self._command, env=self._env)
        self._wanted = True
        self._watcher = asyncio.create_task(self._watch(self._bot))

    async def _end(self) -> None:
        self._wanted = False
        if not self.running or self._bot is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._bot.terminate()
        try:
            await asyncio.wait_for(self._bot.wait(), END_SECONDS)
        except TimeoutError:
            self._bot.kill()
            await self._bot.wait()

    async def _watch(self, bot: asyncio.subprocess.Process) -> None:
        code = await bot.wait()
        if self._wanted and bot is self._bot:
            self._say(f"The bot ended with code {code}. The page stays, and starts it again; Ctrl-C ends it.")
