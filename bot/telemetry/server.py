"""The address at which an operator's tools ask: `/healthz` and `/metrics`.

It has a thread of its own, so that it answers while the event loop is busy or hangs.
"""

from __future__ import annotations

import errno
import json
import socket
import threading
from collections.abc import Iterable
from dataclasses import asdict
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer
from wsgiref.types import StartResponse, WSGIEnvironment

from prometheus_client import make_wsgi_app

from bot.telemetry.health import Health
from bot.telemetry.metrics import Metrics

_WHY = {errno.EADDRINUSE: "taken", errno.EACCES: "forbidden", errno.EPERM: "forbidden"}


class PortTaken(Exception):
    """Nobody can be answered at this address. `why`: `taken` where something else answers there, `forbidden`
    where it is not ours to take, `elsewhere` where this machine has no such address."""

    def __init__(self, host: str, port: int, why: str) -> None:
        super().__init__(f"port {port} at {host}: {why}")
        self.host, self.port, self.why = host, port, why


class _Silent(WSGIRequestHandler):
    """Nobody reads a line for each question of a monitor."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        pass


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Watchman:
    """Answers at one address from `open` to `close`."""

    def __init__(self, metrics: Metrics, health: Health) -> None:
        self._figures = make_wsgi_app(metrics.registry)
        self._health = health
        self._server: _Server | None = None

    @property
    def port(self) -> int:
        """Where it answers; 0 while it does not."""
        return self._server.server_port if self._server is not None else 0

    def open(self, host: str, port: int) -> None:
        """Answer there from now on; at port 0 wherever there is room.

        Raises:
            PortTaken: nothing can listen there.
        """
        server = type("_ServerOf", (_Server,), {"address_family": _family(host)})
        try:
            self._server = server((host, port), _Silent)
        except (OSError, UnicodeError) as error:  # the second of a name that cannot be one
            why = _WHY.get(getattr(error, "errno", None) or 0, "elsewhere")
            raise PortTaken(host, port, why) from error
        self._server.set_app(self._answer)
        threading.Thread(target=self._server.serve_forever, name="watchman", daemon=True).start()

    def close(self) -> None:
        """Answer no more. May be called twice."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def _answer(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        match environ.get("PATH_INFO"):
            case "/metrics":
                figures: Iterable[bytes] = self._figures(environ, start)
                return figures
            case "/healthz":
                report = self._health.report()
                status = "503 Service Unavailable" if report.status == "ill" else "200 OK"
                return _text(start, status, "application/json", json.dumps(asdict(report)))
        return _text(start, "404 Not Found", "text/plain", "Ask for /healthz or /metrics.")


def _text(start: StartResponse, status: str, kind: str, words: str) -> Iterable[bytes]:
    body = (words + "\n").encode()
    start(status, [("Content-Type", kind), ("Content-Length", str(len(body))), ("Cache-Control", "no-store")])
    return [body]


def _family(host: str) -> int:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
