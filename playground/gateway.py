"""The gateway: the WebSocket protocol over which the bot hears of the world."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import msgspec
from aiohttp import WSMsgType, web

from playground import payloads
from playground.clock import PlaygroundClock
from playground.model import Json
from playground.wire import Outgoing
from playground.world import World

GUILDS, GUILD_MEMBERS, GUILD_PRESENCES = 1 << 0, 1 << 1, 1 << 8
GUILD_MESSAGES, GUILD_REACTIONS, GUILD_TYPING = 1 << 9, 1 << 10, 1 << 11
DIRECT_MESSAGES, DIRECT_REACTIONS, DIRECT_TYPING = 1 << 12, 1 << 13, 1 << 14
MESSAGE_CONTENT = 1 << 15
PRIVILEGED = GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT
ALL_INTENTS = (1 << 26) - 1

HEARTBEAT_MS = 41_250
MAX_CONCURRENCY, IDENTIFY_SECONDS = 1, 5.0
"""So many shards may IDENTIFY at a time, and no others for so long after them."""
ACK_SECONDS = 0.05
REPLAY = 2000
RESUMABLE_FOR = 120.0
SENDS_PER_MINUTE, MAX_PAYLOAD = 120, 4096

INVALID_SESSION = b'{"op":9,"t":null,"s":null,"d":false}'

_encode = msgspec.json.encode


@dataclass(slots=True, eq=False)
class Session:
    """One identified connection of the bot; it outlives its socket so that it can be resumed."""

    id: str
    intents: int
    shard: tuple[int, int]
    seq: int = 0
    frames: deque[tuple[int, bytes]] = field(default_factory=lambda: deque(maxlen=REPLAY))
    out: Outgoing | None = None
    lost_at: float | None = None

    def wants(self, guild_id: int | None, intent: int) -> bool:
        """Say whether an event of a guild (None: a DM) and intent belongs to this session."""
        if intent and not self.intents & intent:
            return False
        index, count = self.shard
        return ((guild_id >> 22) % count if guild_id else 0) == index


class _Closed(Exception):
    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Gateway:
    """All sessions of the bot."""

    def __init__(self, world: World, clock: PlaygroundClock, token: str, *, privileged: bool = False) -> None:
        self._world = world
        self._clock = clock
        self._token = token
        self._privileged = privileged
        self.sessions: dict[str, Session] = {}
        self._identified: dict[int, float] = {}
        """When each bucket of shards was last identified."""
        self.url = ""
        self.on_change: list[Any] = []

    @property
    def connected(self) -> bool:
        """Whether any session of the bot has a socket now."""
        return any(s.out is not None for s in self.sessions.values())

    def intents(self) -> int:
        """Return the intents of all sessions together."""
        bits = 0
        for session in self.sessions.values():
            bits |= session.intents
        return bits

    def dispatch(
        self, event: str, data: Json, *, guild_id: int | None, intent: int = 0, without_content: bool = False
    ) -> None:
        """Send an event to every session that wants it; those that may be resumed keep it.

        `without_content`: sessions that lack the message content intent get the message emptied.
        """
        full = empty = b""
        for session in self.sessions.values():
            if not session.wants(guild_id, intent):
                continue
            if without_content and not session.intents & MESSAGE_CONTENT:
                empty = empty or _encode(
                    {**data, "content": "", "embeds": [], "components": [], "attachments": []}
                )
                self._send(session, event, empty)
            else:
                full = full or _encode(data)
                self._send(session, event, full)

    def _send(self, session: Session, event: str, encoded: bytes) -> None:
        session.seq += 1
        frame = b'{"op":0,"t":"%b","s":%d,"d":%b}' % (event.encode(), session.seq, encoded)
        session.frames.append((session.seq, frame))
        if session.out is not None:
            session.out.send(frame)

    def drop_all(self, code: int = 4000, *, forget: bool = False) -> None:
        """Close every socket, as Discord does now and then: the bot has to resume, or to identify anew where
        its sessions are forgotten, and never hears what happened until then."""
        for session in self.sessions.values():
            if session.out is not None:
                session.out.close(code)
        if forget:
            self.sessions.clear()

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one WebSocket of the bot from HELLO to its end."""
        socket = web.WebSocketResponse(max_msg_size=1 << 20, compress=False)
        await socket.prepare(request)
        out = Outgoing(socket)
        link = _Link(self, out)
        out.send(_encode({"op": 10, "t": None, "s": None, "d": {"heartbeat_interval": HEARTBEAT_MS}}))
        code: int | None = None
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    raise _Closed(4002, "Error while decoding payload.")
                link.receive(message.data)
        except _Closed as closed:
            out.close(closed.code, closed.reason.encode())
            await asyncio.sleep(0)
            await socket.close(code=closed.code, message=closed.reason.encode())
        finally:
            code = socket.close_code
            await out.stop()
            self._lost(link.session, out, code)
        return socket

    def _lost(self, session: Session | None, out: Outgoing, code: int | None) -> None:
        if session is None or session.out is not out:
            return
        session.out = None
        session.lost_at = self._clock.now()
        # A bot that says goodbye ends its session; one that is cut off may come back to it.
        if code in (1000, 1001) and not out.closing:
            self.sessions.pop(session.id, None)
        self._changed()

    def _changed(self) -> None:
        for listener in self.on_change:
            listener()

    # What the bot sends -------------------------------------------------------------------

    def identify(self, out: Outgoing, data: Json) -> Session | None:
        """Open a session and greet it; None where it comes too early after another shard.

        A bot of one shard may come at any time: whoever tries things out starts it again and again. Raises
        _Closed with Discord's close code.
        """
        if data.get("token") != self._token:
            raise _Closed(4004, "Authentication failed.")
        intents = data.get("intents")
        if not isinstance(intents, int) or intents & ~ALL_INTENTS:
            raise _Closed(4013, "Invalid intent(s).")
        if intents & PRIVILEGED and not self._privileged:
            raise _Closed(4014, "Disallowed intent(s).")
        shard = data.get("shard") or [0, 1]
        if len(shard) != 2 or not 0 <= shard[0] < shard[1]:
            raise _Closed(4010, "Invalid shard.")
        if shard[1] > 1:
            bucket, now = shard[0] % MAX_CONCURRENCY, self._clock.now()
            if now - self._identified.get(bucket, -IDENTIFY_SECONDS) < IDENTIFY_SECONDS:
                return None
            self._identified[bucket] = now
        self._purge()
        session = Session(secrets.token_hex(16), intents, (shard[0], shard[1]), out=out)
        self.sessions[session.id] = session
        world = self._world
        guilds = [
            g for g in world.guilds.values() if g.installed and session.wants(g.id, 0) and intents & GUILDS
        ]
        ready = {
            "v": 10,
            "user": payloads.own_user(world),
            "guilds": [{"id": str(g.id), "unavailable": True} for g in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "shard": list(session.shard),
            "application": {"id": str(world.application_id), "flags": 0},
            "session_type": "normal",
            "private_channels": [],
            "presences": [],
            "relationships": [],
            "geo_ordered_rtc_regions": [],
            "_trace": ["playground"],
        }
        self._send(session, "READY", _encode(ready))
        for guild in guilds:
            body = payloads.guild_create(world, guild, all_members=bool(intents & GUILD_MEMBERS))
            self._send(session, "GUILD_CREATE", _encode(body))
        self._changed()
        return session

    def resume(self, out: Outgoing, data: Json) -> Session | None:
        """Take up an old session again and replay what it missed; None when it is gone."""
        if data.get("token") != self._token:
            raise _Closed(4004, "Authentication failed.")
        self._purge()
        session = self.sessions.get(str(data.get("session_id")))
        seq = data.get("seq")
        if session is None or not isinstance(seq, int):
            return None
        if seq > session.seq:
            raise _Closed(4007, "Invalid sequence.")
        oldest = session.frames[0][0] if session.frames else session.seq + 1
        if seq + 1 < oldest:
            self.sessions.pop(session.id)
            return None
        if session.out is not None:
            session.out.close(4000)
        session.out, session.lost_at = out, None
        for number, frame in session.frames:
            if number > seq:
                out.send(frame)
        self._send(session, "RESUMED", _encode({"_trace": ["playground"]}))
        self._changed()
        return session

    def _purge(self) -> None:
        limit = self._clock.now() - RESUMABLE_FOR
        for session in list(self.sessions.values()):
            if session.lost_at is not None and session.lost_at < limit:
                del self.sessions[session.id]

    def members_chunk(self, session: Session, data: Json) -> None:
        """Answer a request for guild members."""
        guild = self._world.guilds.get(int(data.get("guild_id", 0)))
        if guild is None or not guild.installed:
            return
        wanted = data.get("user_ids")
        query, limit = str(data.get("query") or "").lower(), int(data.get("limit") or 0)
        if wanted is not None:
            ids = {int(i) for i in (wanted if isinstance(wanted, list) else [wanted])}
            found = [m for m in guild.members.values() if m.user.id in ids]
        else:
            if not query and not session.intents & GUILD_MEMBERS:
                return
            found = [m for m in guild.members.values() if m.user.username.lower().startswith(query)]
            found = found[:limit] if limit else found
        body = {
            "guild_id": str(guild.id),
            "members": [payloads.member(m) for m in found],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [],
            "nonce": data.get("nonce"),
        }
        self._send(session, "GUILD_MEMBERS_CHUNK", _encode(body))


class _Link:
    """The reading half of one socket."""

    def __init__(self, gateway: Gateway, out: Outgoing) -> None:
        self._gateway = gateway
        self._out = out
        self._times: deque[float] = deque(maxlen=SENDS_PER_MINUTE)
        self.session: Session | None = None

    def receive(self, text: str) -> None:
        now = asyncio.get_running_loop().time()
        if len(self._times) == SENDS_PER_MINUTE and now - self._times[0] < 60:
            raise _Closed(4008, "You are being rate limited.")
        self._times.append(now)
        if len(text) > MAX_PAYLOAD:
            raise _Closed(4002, "Error while decoding payload.")
        try:
            payload = msgspec.json.decode(text)
            op, data = payload["op"], payload.get("d")
        except (msgspec.DecodeError, KeyError, TypeError, AttributeError):
            raise _Closed(4002, "Error while decoding payload.") from None
        self._act(op, data)

    def _act(self, op: object, data: Any) -> None:
        gateway = self._gateway
        if op == 1:
            # A library notes when it sent the beat only after sending it; on one machine the answer could
            # come before that, and it would believe itself half a minute behind.
            asyncio.get_running_loop().call_later(
                ACK_SECONDS, self._out.send, b'{"op":11,"t":null,"s":null,"d":null}'
            )
        elif op == 2:
            if self.session is not None:
                raise _Closed(4005, "Already authenticated.")
            self.session = gateway.identify(self._out, data or {})
            if self.session is None:
                self._out.send(INVALID_SESSION)
        elif op == 6:
            if self.session is not None:
                raise _Closed(4005, "Already authenticated.")
            self.session = gateway.resume(self._out, data or {})
            if self.session is None:
                self._out.send(INVALID_SESSION)
        elif self.session is None:
            raise _Closed(4003, "Not authenticated.")
        elif op == 8:
            gateway.members_chunk(self.session, data or {})
        elif op not in (3, 4, 31):
            raise _Closed(4001, "Unknown opcode.")
