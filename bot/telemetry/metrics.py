"""Prometheus metrics of the running bot."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict
from time import perf_counter
from typing import Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Summary
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.telemetry.trace import Trace, stage
from bot.workers.pool import Pool

LATE_SECONDS = 3.0
"""Seconds after which Discord no longer accepts a first answer."""
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3)


class Cache(Protocol):
    """A cache of pictures or tables."""

    hits: int

    @property
    def missed(self) -> int:
        """Number of lookups that had to create the entry."""


class _Live(Collector):
    """Metrics read at scrape time: worker pools and caches."""

    def __init__(self) -> None:
        self.pools: list[Pool] = []
        self.caches: dict[str, Cache] = {}

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of every pool and cache, labelled by name."""
        happened = CounterMetricFamily(
            "valence_pool_events", "What happened to jobs and workers of a pool", labels=["pool", "event"]
        )
        gauges = {
            name: GaugeMetricFamily(f"valence_pool_{name}", words, labels=["pool"])
            for name, words in (
                ("waiting", "Jobs that wait for their turn"),
                ("busy", "Jobs that are with a worker"),
                ("alive", "Workers that are ready for work"),
                ("down", "Whether workers cannot be started at present"),
            )
        }
        for pool in self.pools:
            for event, count in asdict(pool.counts).items():
                happened.add_metric([pool.name, event], count)
            for name, gauge in gauges.items():
                gauge.add_metric([pool.name], float(getattr(pool, name)))
        looked = CounterMetricFamily(
            "valence_cache",
            "Pictures and tables that were in memory (hit), or had to be painted or read (miss)",
            labels=["cache", "event"],
        )  # fmt: skip
        for name, cache in self.caches.items():
            looked.add_metric([name, "hit"], cache.hits)
            looked.add_metric([name, "miss"], cache.missed)
        yield from (happened, *gauges.values(), looked)


class Metrics:
    """Counters and timers of the bot. Labels are verbs from the code, never personal data."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self._presses = Histogram(
            "valence_press_seconds",
            "From when a press is taken up to the end of its work",
            ["verb"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self._answers = Histogram(
            "valence_answer_seconds",
            "From when a press is taken up until Discord had its first answer",
            ["verb"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self._stages = Summary(
            "valence_stage_seconds",
            "Where the time of an answer went: store, picture, discord, and work for the rest",
            ["verb", "stage"],
            registry=registry,
        )
        self.outcomes = Counter(
            "valence_answers",
            "Presses by what became of their answer: in_time, late, failed (Discord took none), refused",
            ["outcome"],
            registry=registry,
        )
        for outcome in ("in_time", "late", "failed", "refused"):
            self.outcomes.labels(outcome)
        self.failures = Counter(
            "valence_failures", "Failures that nobody foresaw, told in words", registry=registry
        )
        self.requests = Counter(
            "valence_discord_requests",
            "Requests to Discord by what they are for and the status of the answer; 429: too many",
            ["kind", "status"],
            registry=registry,
        )
        self.refused_uploads = Counter(
            "valence_refused_uploads",
            "Requests with files that Discord refused, by status; they are sent again in words",
            ["status"],
            registry=registry,
        )
        self.session_starts = Counter(
            "valence_session_starts",
            "New sessions at Discord (IDENTIFY), of which a bot has 1,000 a day",
            registry=registry,
        )
        self.request_seconds = Histogram(
            "valence_discord_seconds",
            "How long Discord takes",
            ["kind"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self._store = Histogram(
            "valence_store_seconds",
            "How long the database takes for one read or write, waiting for its turn included",
            ["kind"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self.lag = Histogram(
            "valence_loop_lag_seconds",
            "How much later than asked for the event loop woke, looked at once a second",
            buckets=_BUCKETS,
            registry=registry,
        )
        self.tables = Gauge("valence_tables", "Tables in memory", registry=registry)
        self.unreplayed = Gauge(
            "valence_games_unreplayed",
            "Games of the whole database that do not replay: open ones rest, finished ones are not folded",
            ["phase"],
            registry=registry,
        )
        for phase in ("open", "finished"):
            self.unreplayed.labels(phase)
        self.queued = Gauge(
            "valence_outbox_waiting", "Calls to Discord that wait for their turn", registry=registry
        )
        self.published = Counter("valence_published", "Table messages shown", registry=registry)
        self.well = Gauge(
            "valence_well", "Whether a part of the bot is well: 1 or 0", ["part"], registry=registry
        )
        self._live = _Live()
        registry.register(self._live)

    def watch(self, pool: Pool) -> None:
        """Export the state of this pool."""
        self._live.pools.append(pool)

    def watch_cache(self, name: str, cache: Cache) -> None:
        """Export the hits and misses of this cache."""
        self._live.caches[name] = cache

    def ended(self, trace: Trace) -> None:
        """Record that all work for this interaction is done."""
        trace.sent()
        self._presses.labels(trace.verb).observe(perf_counter() - trace.began)
        if trace.seconds is None:
            self.outcomes.labels("failed").inc()

    def store(self, kind: str) -> AbstractContextManager[None]:
        """Time one `read` or `write` of the database, and count it as a stage of the current interaction."""
        return stage("store", self._store.labels(kind).observe)

    def answered(self, trace: Trace) -> None:
        """Record the time at which Discord got the first answer to this interaction."""
        seconds = trace.seconds or 0.0
        self._answers.labels(trace.verb).observe(seconds)
        self.outcomes.labels("in_time" if seconds < LATE_SECONDS else "late").inc()
        for name, spent in trace.stages.items():
            self._stages.labels(trace.verb, name).observe(spent)
