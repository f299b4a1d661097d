"""Figures about the running bot, for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server


class PortTaken(Exception):
    """Nobody can be answered on this port: something else does, or it is not ours to take."""

    def __init__(self, port: int) -> None:
        super().__init__(f"port {port} is taken")
        self.port = port


_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3)


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
        self.failures = Counter("valence_failures", "Failures that nobody foresaw", registry=self.registry)
        self.tables = Gauge("valence_tables", "Open tables", registry=self.registry)
        self.published = Counter("valence_published", "Table messages shown", registry=self.registry)

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
