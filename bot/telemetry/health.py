"""Health of the bot: a watchdog on the event loop, and a check of each part it needs.

The event loop records the state of each part; another thread reads it (`bot.telemetry.health_server`). A loop
that hangs is therefore reported instead of staying silent.
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
"""Seconds between heartbeats of the event loop."""
STUCK_SECONDS: Final = 5.0
"""Seconds without a heartbeat after which the loop counts as hung.

It answers no interactions in that time.
"""
LOOK_SECONDS: Final = 10.0
"""Seconds between checks of the parts."""
PATIENCE: Final = 4.0
"""Timeout of one check, in seconds."""
SLOW_SECONDS: Final = 0.25
"""Delay in waking the loop, in seconds, from which a log line is written."""


@dataclass(frozen=True, slots=True)
class HealthPart:
    """The state of one part: whether it is well, and facts about it. Facts contain no personal data."""

    well: bool
    facts: Mapping[str, float | int | str | bool] = field(default_factory=dict)


Probe: TypeAlias = Callable[[], Awaitable[HealthPart]]


@dataclass(frozen=True, slots=True)
class HealthReport:
    """The state of all parts.

    `status` is `ok`, `starting` (also for a standby waiting for the lease) or `ill`.
    """

    status: str
    parts: Mapping[str, HealthPart]


class Health:
    """The health of one process, readable from any thread. Two loops run `beat` and `round`."""

    def __init__(
        self,
        metrics: Metrics,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._metrics = metrics
        self._monotonic = monotonic
        self._probes: dict[str, Probe] = {}
        self._parts: dict[str, HealthPart] = {}
        self._beat = monotonic()
        self._due: float | None = None
        """When the next heartbeat is due."""
        self._lag = 0.0
        self._checked_at = monotonic() - LOOK_SECONDS
        self._played = False
        """Whether the bot played when the parts were last checked."""
        self.ready = False
        """Whether the bot plays: set once the tables are open and all connections are up."""
        # computed by the reporting thread, because a hung loop records nothing
        metrics.well.labels("loop").set_function(lambda: float(self._loop().well))

    def probe(self, part: str, look: Probe) -> None:
        """Add a part to check. An exception from `look` makes the part ill."""
        self._probes[part] = look

    def report(self) -> HealthReport:
        """Return the current state. May be called from any thread."""
        parts = {"loop": self._loop(), **self._parts}
        if not all(part.well for part in parts.values()):
            return HealthReport("ill", parts)
        looked_at = self._probes.keys() <= self._parts.keys()
        return HealthReport("ok" if self.ready and looked_at else "starting", parts)

    def _loop(self) -> HealthPart:
        silent = self._monotonic() - self._beat
        facts = {"lag_ms": round(1000 * self._lag), "silent_s": round(silent, 1)}
        return HealthPart(silent < STUCK_SECONDS, facts)

    async def beat(self) -> float:
        """Record a heartbeat of the event loop. Return the seconds until the next one."""
        now = self._monotonic()
        if self._due is not None:
            self._lag = max(0.0, now - self._due)
            self._metrics.lag.observe(self._lag)
            if self._lag >= SLOW_SECONDS:
                log.warning("the event loop was held up", seconds=round(self._lag, 3))
        self._beat, self._due = now, now + BEAT_SECONDS
        return BEAT_SECONDS

    async def round(self) -> float:
        """Check the parts if that is due. Return the seconds until the next round.

        A part that was added since, as all are at the start, is checked in the next round. So are all parts
        once the bot plays: their earlier states say nothing about a healthy bot.
        """
        now = self._monotonic()
        has_news = self._played is not self.ready or not self._probes.keys() <= self._parts.keys()
        if has_news or now - self._checked_at >= LOOK_SECONDS:
            self._checked_at, self._played = now, self.ready
            await self.look()
        return BEAT_SECONDS

    async def look(self) -> None:
        """Check every part now."""
        names = list(self._probes)
        for name, part in zip(names, await asyncio.gather(*map(self._look_at, names)), strict=True):
            before = self._parts.get(name)
            self._parts[name] = part
            self._metrics.well.labels(name).set(part.well)
            if before is not None and before.well != part.well:
                (log.info if part.well else log.warning)("health", part=name, well=part.well, **part.facts)

    async def _look_at(self, name: str) -> HealthPart:
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._probes[name]()
        except TimeoutError:
            return HealthPart(well=False, facts={"why": f"no answer within {PATIENCE:g} s"})
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a part, it is not well
            return HealthPart(well=False, facts={"why": getattr(error, "kind", type(error).__name__)})
