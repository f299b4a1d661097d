"""Who is looking: the pages and programmatic people that are connected, and what they are told."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

import msgspec

from playground import permissions as perm
from playground.clock import PlaygroundClock
from playground.errors import ApiError
from playground.model import Channel, Json, User
from playground.wire import Outgoing
from playground.world import World

_encode = msgspec.json.encode
KEPT_ERRORS = 200


class Hub:
    """Sends events to the people who may see them."""

    def __init__(self, world: World, clock: PlaygroundClock, places: Callable[[User], Json]) -> None:
        self._world = world
        self._clock = clock
        self.links: dict[Outgoing, User] = {}
        self.errors: deque[Json] = deque(maxlen=KEPT_ERRORS)
        self._places = places
        self._places_due = False
        self.changes = 0
        """Grows with everything that is told, whether or not anybody listens."""

    def places_changed(self) -> None:
        """Tell everybody, soon and once, which channels they see now and what they may do there."""
        self.changes += 1
        if not self._places_due and self.links:
            self._places_due = True
            asyncio.get_running_loop().call_soon(self._tell_places)

    def _tell_places(self) -> None:
        self._places_due = False
        for out, user in self.links.items():
            out.send(frame_of("PLACES", self._places(user)))

    def tell(self, users: Iterable[User] | None, event: str, data: object) -> None:
        """Send an event to some people, or to all."""
        self.changes += 1
        if not self.links:
            return
        wanted = None if users is None else set(users)
        frame = frame_of(event, data)
        for out, user in self.links.items():
            if wanted is None or user in wanted:
                out.send(frame)

    def tell_channel(self, channel: Channel, event: str, data: object, owner: User | None = None) -> None:
        """Send an event to everybody who sees the channel, or to the owner of an ephemeral."""
        self.changes += 1
        if not self.links:
            return
        frame = frame_of(event, data)
        for out, user in self.links.items():
            if owner is not None:
                if user is owner:
                    out.send(frame)
            elif self._world.rights(channel, user) & perm.VIEW_CHANNEL:
                out.send(frame)

    def report(self, method: str, path: str, error: ApiError, body: object = None) -> None:
        """Show people that the bot was refused something."""
        entry: Json = {
            "at": self._clock.now(),
            "method": method,
            "path": path,
            "status": error.status,
            "code": error.code,
            "message": error.message,
            "lines": error.lines(),
            "body": _short(body),
        }
        self.errors.append(entry)
        self.tell(None, "PROTOCOL_ERROR", entry)


def frame_of(event: str, data: object) -> bytes:
    """Return the frame that carries an event to a person."""
    return b'{"t":"%b","d":%b}' % (event.encode(), _encode(data))


def _short(body: object) -> str | None:
    if body is None:
        return None
    text = _encode(body).decode()
    return text if len(text) <= 2000 else text[:2000] + "…"
