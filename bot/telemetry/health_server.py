"""The HTTP server for an operator's monitoring tools: `/healthz` and `/metrics`.

It runs in its own thread, so it answers even while the event loop is busy or hung.
"""

from __future__ import annotations

import errno
import json
import socket
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from socketserver import ThreadingMixIn
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer
from wsgiref.types import StartResponse, WSGIEnvironment

import structlog
from prometheus_client import make_wsgi_app

from bot.telemetry.health import Health
from bot.telemetry.metrics import Metrics

log = structlog.get_logger(__name__)

READ_SECONDS: Final = 5.0
"""Seconds to wait for the next part of a request."""
MOST_CONNECTIONS: Final = 32
"""Maximum number of open connections. One more closes the oldest, so a new request is always answered."""
_WHY = {errno.EADDRINUSE: "taken", errno.EACCES: "forbidden", errno.EPERM: "forbidden"}


class PortTaken(Exception):
    """The server cannot listen at this address.

    `why` is `taken` if another process listens there, `forbidden` if the bot lacks the permission, and
    `elsewhere` if this machine has no such address.
    """

    def __init__(self, host: str, port: int, why: str) -> None:
        super().__init__(f"port {port} at {host}: {why}")
        self.host, self.port, self.why = host, port, why


class _Silent(WSGIRequestHandler):
    """A handler that does not log each request of a monitor."""

    timeout = READ_SECONDS

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        pass


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    # with the default of 5, a client that finds no room waits a second or more before it tries again
    request_queue_size = MOST_CONNECTIONS

    def __init__(self, *args: Any) -> None:
        self._lock = threading.Lock()
        self._connections: dict[socket.socket, None] = {}
        """Open connections, oldest first."""
        super().__init__(*args)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, after making room for it."""
        with self._lock:
            if len(self._connections) >= MOST_CONNECTIONS:
                oldest = next(iter(self._connections))
                del self._connections[oldest]
                with suppress(OSError):  # the client has closed it
                    oldest.shutdown(socket.SHUT_RDWR)  # wakes its thread, which then closes it
            self._connections[request] = None
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection that was answered or given up."""
        with self._lock:
            self._connections.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 - the base class's
        """Log a defect, but not a slow or disconnected client."""
        if not isinstance(sys.exception(), OSError):
            log.error("request of a monitor failed", exc_info=True)


class HealthServer:
    """A server at one address, from `open` to `close`."""

    def __init__(self, metrics: Metrics, health: Health) -> None:
        self._figures = make_wsgi_app(metrics.registry)
        self._health = health
        self._server: _Server | None = None

    @property
    def port(self) -> int:
        """The port it listens at, or 0 while it is closed."""
        return self._server.server_port if self._server is not None else 0

    def open(self, host: str, port: int) -> None:
        """Start answering at this address; port 0 picks a free port.

        Raises:
            PortTaken: the address cannot be used.
        """
        server = type("_ServerOf", (_Server,), {"address_family": _family(host)})
        try:
            self._server = server((host, port), _Silent)
        except (OSError, UnicodeError) as error:  # UnicodeError is raised for an impossible host name
            why = _WHY.get(getattr(error, "errno", None) or 0, "elsewhere")
            raise PortTaken(host, port, why) from error
        self._server.set_app(self._answer)
        threading.Thread(target=self._server.serve_forever, name="watchman", daemon=True).start()

    def close(self) -> None:
        """Stop answering. May be called twice."""
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
