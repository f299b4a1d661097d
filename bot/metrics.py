"""Figures about the running bot, for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.workers.pool import Pool


class PortTaken(Exception):
    """Nobody can be answered on this port: something else does, or it is not ours to take."""

    def __init__(self, port: int) -> None:
        super().__init__(f"port {port} is taken")
        self.port = port


_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3)


class _Pools(Collector):
    """How the worker pools stand whenever somebody asks."""

    def __init__(self) -> None:
        self.pools: list[Pool] = []

    def collect(self) -> Iterator[Metric]:
        """The figures of every pool, by its name."""
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
        yield from (happened, *gauges.values())


class Metrics:
    """What the bot counts and times. Labels are verbs of the code, never anything of a person."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._presses = Histogram(
            "valence_press_seconds",
            "From the arrival of a press to its answer",
            ["verb"],
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.failures = Counter(
            "valence_failures", "Failures that nobody foresaw, told in words", registry=self.registry
        )
        self.tables = Gauge("valence_tables", "Tables in memory", registry=self.registry)
        self._pools = _Pools()
        self.registry.register(self._pools)
        self.published = Counter("valence_published", "Table messages shown", registry=self.registry)

    def watch(self, pool: Pool) -> None:
        """Tell how this pool stands, too."""
        self._pools.pools.append(pool)

    @contextmanager
    def press(self, verb: str) -> Iterator[None]:
        """Time the answering of a press."""
        began = perf_counter()
        try:
            yield
        finally:
            self._presses.labels(verb).observe(perf_counter() - began)

    def serve(self, port: int) -> None:
        """Answer Prometheus on this port of the loopback interface.

        Raises:
            PortTaken: nothing can listen there.
        """
        try:
            start_http_server(port, addr="127.0.0.1", registry=self.registry)
        except OSError as error:
            raise PortTaken(port) from error
