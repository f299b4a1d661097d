"""Whether the bot is well: a watch on the event loop, and a look at each part it needs.

The loop writes down how each part is; another thread reads it (`bot.telemetry.server`), and so a loop that
hangs is told of instead of being silent.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import structlog

from bot.telemetry.metrics import Metrics

log = structlog.get_logger(__name__)

BEAT_SECONDS: Final = 1.0
"""How often the event loop shows that it runs."""
STUCK_SECONDS: Final = 5.0
"""After so long without a beat the loop hangs: no press was answered meanwhile."""
LOOK_SECONDS: Final = 10.0
"""How often the parts are looked at."""
PATIENCE: Final = 4.0
"""How long one look may take."""
SLOW_SECONDS: Final = 0.25
"""A loop that wakes so much later than asked is worth a line in the log."""


@dataclass(frozen=True, slots=True)
class Part:
    """How one part is: whether it is well, and what there is to say of it. No fact is anybody's."""

    well: bool
    facts: Mapping[str, float | int | str | bool] = field(default_factory=dict)


Probe: TypeAlias = Callable[[], Awaitable[Part]]


@dataclass(frozen=True, slots=True)
class Report:
    """How all parts are. `status`: `ok`; `starting`, also as a standby that waits for the lease; or `ill`."""

    status: str
    parts: Mapping[str, Part]


class Health:
    """The health of one process, asked for from any thread."""

    def __init__(
        self,
        metrics: Metrics,
        *,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._metrics = metrics
        self._monotonic, self._sleep = monotonic, sleep
        self._probes: dict[str, Probe] = {}
        self._parts: dict[str, Part] = {}
        self._beat = monotonic()
        self._lag = 0.0
        self.ready = False
        """Whether it plays: set once the tables are open and all connections stand."""
        # asked of the thread that tells it: a loop that hangs notes nothing
        metrics.well.labels("loop").set_function(lambda: float(self._loop().well))

    def probe(self, part: str, look: Probe) -> None:
        """Look at this part, too. What `look` raises makes the part ill."""
        self._probes[part] = look

    def report(self) -> Report:
        """How it is now; may be called by any thread."""
        parts = {"loop": self._loop(), **self._parts}
        if not all(part.well for part in parts.values()):
            return Report("ill", parts)
        looked_at = self._probes.keys() <= self._parts.keys()
        return Report("ok" if self.ready and looked_at else "starting", parts)

    def _loop(self) -> Part:
        silent = self._monotonic() - self._beat
        facts = {"lag_ms": round(1000 * self._lag), "silent_s": round(silent, 1)}
        return Part(silent < STUCK_SECONDS, facts)

    async def watch(self) -> None:
        """Beat, and look at the parts, until it is cancelled."""
        looking = asyncio.create_task(self._keep_looking())
        try:
            while True:
                asked = self._monotonic()
                await self._sleep(BEAT_SECONDS)
                self._beat = self._monotonic()
                self._lag = max(0.0, self._beat - asked - BEAT_SECONDS)
                self._metrics.lag.observe(self._lag)
                if self._lag >= SLOW_SECONDS:
                    log.warning("the event loop was held up", seconds=round(self._lag, 3))
        finally:
            looking.cancel()

    async def _keep_looking(self) -> None:
        while True:
            playing, rested = self.ready, 0.0
            await self.look()
            # a part that comes in between, as all do at the start, is looked at within a beat, and so are all
            # once it plays: what they were before is no news of a bot that is well
            while (
                rested < LOOK_SECONDS and self._probes.keys() <= self._parts.keys() and playing is self.ready
            ):
                await self._sleep(BEAT_SECONDS)
                rested += BEAT_SECONDS

    async def look(self) -> None:
        """Look at every part now."""
        names = list(self._probes)
        for name, part in zip(names, await asyncio.gather(*map(self._look_at, names)), strict=True):
            before = self._parts.get(name)
            self._parts[name] = part
            self._metrics.well.labels(name).set(part.well)
            if before is not None and before.well != part.well:
                (log.info if part.well else log.warning)("health", part=name, well=part.well, **part.facts)

    async def _look_at(self, name: str) -> Part:
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._probes[name]()
        except TimeoutError:
            return Part(well=False, facts={"why": f"no answer within {PATIENCE:g} s"})
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a part, it is not well
            return Part(well=False, facts={"why": getattr(error, "kind", type(error).__name__)})
