"""A Discord of messages and interactions: what was sent, changed and deleted, and what it refuses.

A call takes a while to arrive and a while to be heard of; it arrives even if whoever sent it has died since.
The faults of the plan meet the next calls that come after them, whichever these are.
"""

from __future__ import annotations

import contextvars
import re
from collections import deque
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from random import Random
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord

from bot import custom_ids as ids
from bot.ui.discord_errors import (
    ALREADY_ANSWERED,
    DEAD_TOKEN,
    INVALID_FORM,
    UNKNOWN_INTERACTION,
    UNKNOWN_MESSAGE,
)
from tests.sim.channels import BOT, GUILD, Room, channel_of, server_of, thread_under
from tests.sim.loop import VirtualLoop, deliver
from tests.sim.plan import Fault
from tests.support.discord.forging import refusal

_TABLE = re.compile(r"(?:[Tt]able|第) (\d+)")
ANSWER_SECONDS, TOKEN_SECONDS = 3.0, 900.0
"""How long Discord waits for the first answer to a press, and lets later ones change it."""
EDITS_SECONDS, MOST_EDITS = 5.0, 5
"""How much of one channel it takes; who writes more hears 429."""
WRITING = discord.Permissions(send_messages=True, send_messages_in_threads=True)
"""Permissions of everyone in every channel."""
LONGEST_NUMBER = 16
"""The number of a table is shorter; that of a person is not."""
KEPT = "\0"
"""Stands for the content of a message where an edit leaves it as it is."""


PRESS: contextvars.ContextVar[Interaction | None] = contextvars.ContextVar("sim press", default=None)
"""In whose name something is done."""


class Posted:
    """A message that stands somewhere, for everybody or for one person alone."""

    def __init__(
        self, number: int, channel_id: int, view: Any, at: float, *, user_id: int = 0, content: str = ""
    ) -> None:
        self.id = number
        self.channel_id = channel_id
        self.user_id = user_id
        """Who alone sees it; 0 for everybody."""
        self.posted_at = at
        self.edits = 0
        self.said = content
        """The first text of this message."""
        self.repeats: list[tuple[float, str]] = []
        """Times and texts that were sent with the same nonce, which Discord takes for this message."""
        self.deleted = False
        self.by: Interaction | None = None
        """The answer that shows it, of what only one person sees."""
        self.show(view, content)

    def show(self, view: Any, content: str) -> None:
        """Raises HTTPException where there would be plain text and Components V2 at once."""
        if content and view.has_components_v2():
            raise refusal(400, INVALID_FORM)
        self.view, self.content = view, content
        self._offered: list[ids.Ref] | None = None

    @property
    def offered(self) -> list[ids.Ref]:
        """What can be pressed in it; of a select, one for each of its lines, which stands last."""
        if self._offered is None:
            self._offered = list(_offered(self.view))
        return self._offered

    def verbs(self) -> set[str]:
        return {ref.verb for ref in self.offered}

    def table(self) -> int:
        """The number of the table that it is about; 0 for none."""
        for ref in self.offered:
            if ref.word(0).isdecimal() and len(ref.word(0)) < LONGEST_NUMBER:
                return ref.number(0)
        found = next(filter(None, map(_TABLE.search, self.texts())), None)
        return int(found.group(1)) if found else 0

    def texts(self) -> list[str]:
        return [*filter(None, [self.content]), *texts(self.view)]

    def alts(self) -> list[str]:
        return alts(self.view)


def _offered(view: Any) -> Iterable[ids.Ref]:
    for item in view.walk_children():
        custom_id = getattr(item, "custom_id", None)
        if not custom_id or not custom_id.startswith("v:") or getattr(item, "disabled", False):
            continue
        ref = ids.parse(custom_id)
        options = getattr(item, "options", None)
        if options is None:
            yield ref
        else:
            for option in options:
                yield ids.Ref(ref.verb, (*ref.args, "=" + option.value))


def texts(view: Any) -> list[str]:
    """All words of a view, from top to bottom."""
    return [item.content for item in view.walk_children() if isinstance(item, discord.ui.TextDisplay)]


def alts(view: Any) -> list[str]:
    """What its pictures show, in words."""
    galleries = (item for item in view.walk_children() if isinstance(item, discord.ui.MediaGallery))
    return [str(item.description) for gallery in galleries for item in gallery.items]


class Discord:
    """All channels of one world."""

    def __init__(self, loop: VirtualLoop, seed: int, now: Callable[[], int]) -> None:
        self.loop = loop
        self.now = now
        self._rng = Random(f"discord {seed}")
        self.faults: deque[Fault] = deque()
        """What meets the next calls."""
        self.channels: dict[int, dict[int, Posted]] = {}
        self.private: dict[int, dict[int, Posted]] = {}
        self.threads: dict[int, Room] = {}
        self.dated = False
        """Whether numbers say when they were given, as in life; most deals hang on small ones."""
        self._nonces: dict[tuple[int, str], Posted] = {}
        self._numbers = 1_000_000
        self._written: dict[int, deque[float]] = {}
        self.managers: set[int] = set()
        """Who may manage the server."""
        self.calls = 0
        self.seen: list[Callable[[Posted], None]] = []
        """Told of whatever somebody can see from now on."""
        self.loses = 0.0
        """The share of changes to private answers whose answer is lost. Half of them arrive."""
        self.edited: list[Callable[[Interaction], None]] = []
        """Told of each answer that is about to be changed."""

    def luck(self) -> float:
        """A number from 0 to 1 where changes are lost; elsewhere 1, and nothing is drawn."""
        return self._rng.random() if self.loses else 1.0

    def number(self) -> int:
        self._numbers += 1
        return discord.utils.time_snowflake(_at(self.now())) + self._numbers if self.dated else self._numbers

    def time_of(self, press: Interaction) -> int:
        """When it was pressed, in milliseconds of the wall clock."""
        return self.now() - int(1000 * (self.loop.time() - press.at))

    def channel(self, channel_id: int) -> dict[int, Posted]:
        return self.channels.setdefault(channel_id, {})

    # -- threads ------------------------------------------------------------------------------

    def open_thread(self, parent_id: int, name: str, *, number: int = 0) -> Room:
        """A new thread of a channel; one under a message has its number."""
        made = Room(number or self.number(), parent_id, name)
        self.threads[made.id] = made
        return made

    def home_of(self, channel_id: int) -> int:
        """The channel that a thread belongs to; a channel itself."""
        room = self.threads.get(channel_id)
        return channel_id if room is None else room.parent_id

    def rooms_of(self, channel_id: int) -> list[Room]:
        """The threads of a channel that people can look into, oldest first."""
        return [room for room in self.threads.values() if room.parent_id == channel_id and not room.deleted]

    def gone(self, posted: Posted) -> bool:
        """Whether nobody can see a message any more."""
        room = self.threads.get(posted.channel_id)
        return posted.deleted or (room is not None and room.deleted)

    def lost(self, posted: Posted) -> bool:
        """Whether it stood in a thread that is no more: nobody can press it, as quick as they are."""
        room = self.threads.get(posted.channel_id)
        return room is not None and room.deleted

    def spoil(self, how: str) -> None:
        """Somebody archives, locks or deletes the newest thread that can still be read."""
        room = next((room for room in reversed(self.threads.values()) if not room.deleted), None)
        if room is None:
            return
        room.spoil(how)
        if room.deleted:
            for posted in self.channel(room.id).values():
                posted.deleted = True

    async def call(self, act: Callable[[], Any]) -> Any:
        """One request: `act` is done when it arrives."""
        self.calls += 1
        future = self.loop.create_future()
        there, back = self._rng.uniform(0.02, 0.15), self._rng.uniform(0.02, 0.15)
        fault = self.faults.popleft() if self.faults else None
        what = fault.do if fault is not None else ""
        if fault is not None and (press := PRESS.get()) is not None:
            press.troubled = True
        if fault is not None and what == "late":
            there += fault.seconds
        # a request goes on by itself: it belongs to no process any more
        self.loop.call_later(there, self._arrive, act, what, back, future, context=self._outside())
        return await future

    def _outside(self) -> Any:
        return contextvars.Context()

    def _arrive(self, act: Callable[[], Any], what: str, back: float, future: Any) -> None:
        result, error = None, None
        if what == "busy":
            error = refusal(429, 0)
        elif what == "broken":
            error = refusal(500, 0)
        elif what == "dropped":
            error = aiohttp.ServerDisconnectedError()
        else:
            try:
                result = act()
            except discord.HTTPException as refused:
                error = refused
            if what == "lost":
                error = aiohttp.ServerDisconnectedError()
        self.loop.call_later(back, deliver, future, result, error, context=self._outside())

    # -- what stands where --------------------------------------------------------------------

    def room(self, channel_id: int, *, edit: bool = False) -> None:
        """Raises HTTPException where too much is written into a channel at once, or it is shut."""
        if (thread := self.threads.get(channel_id)) is not None:
            thread.write(edit=edit)
        lately, now = self._written.setdefault(channel_id, deque()), self.loop.time()
        while lately and lately[0] <= now - EDITS_SECONDS:
            lately.popleft()
        if len(lately) >= MOST_EDITS:
            raise refusal(429, 0)
        lately.append(now)

    def post(
        self, channel_id: int, view: Any, *, nonce: str | None = None, user_id: int = 0, content: str = ""
    ) -> Posted:
        if nonce is not None and (known := self._nonces.get((channel_id, nonce))) is not None:
            known.repeats.append((self.loop.time(), content))
            return known
        made = Posted(self.number(), channel_id, view, self.loop.time(), user_id=user_id, content=content)
        shelf = self.private.setdefault(user_id, {}) if user_id else self.channel(channel_id)
        shelf[made.id] = made
        if nonce is not None:
            self._nonces[channel_id, nonce] = made
        self._tell(made)
        return made

    def edit(self, posted: Posted | None, view: Any, content: str | None = KEPT) -> Posted:
        if posted is None or posted.deleted:
            raise refusal(404, UNKNOWN_MESSAGE)
        posted.show(view, posted.content if content is KEPT else content or "")
        posted.edits += 1
        self._tell(posted)
        return posted

    def delete(self, posted: Posted | None) -> None:
        if posted is None or posted.deleted:
            raise refusal(404, UNKNOWN_MESSAGE)
        posted.deleted = True

    def _tell(self, posted: Posted) -> None:
        for look in self.seen:
            look(posted)

    def message_of(self, posted: Posted, guild_id: int | None = GUILD) -> Any:
        """A message as discord.py hands it out."""

        async def delete() -> None:
            await self.call(lambda: self.delete(posted))

        async def edit(*, view: Any, content: str | None = KEPT, **_: Any) -> None:
            def act() -> None:
                self.room(posted.channel_id, edit=True)
                self.edit(posted, view, content)

            await self.call(act)

        return SimpleNamespace(
            id=posted.id,
            guild=SimpleNamespace(id=guild_id) if guild_id else None,
            channel=SimpleNamespace(id=posted.channel_id),
            jump_url=f"https://discord.com/channels/{guild_id}/{posted.channel_id}/{posted.id}",
            delete=delete,
            edit=edit,
        )


class Client:
    """What the bot has of discord.py: one of each process."""

    def __init__(self, there: Discord) -> None:
        self.there = there
        self.app: Any = None
        self.application_id = None
        self.closing = ""
        self.user = SimpleNamespace(id=BOT)

    def note_press(self) -> None:
        """Nobody stops this bot gently in the middle."""

    def get_channel(self, _channel_id: int) -> None:
        return None

    def get_guild(self, _guild_id: int) -> Any:
        return server_of(self)

    def get_partial_messageable(self, channel_id: int, *, guild_id: int | None = None) -> Any:
        there = self.there

        async def send(*, view: Any, content: str = "", nonce: str | None = None, **_: Any) -> Any:
            def act() -> Posted:
                there.room(channel_id)
                return there.post(channel_id, view, nonce=nonce, content=content)

            return there.message_of(await there.call(act), guild_id)

        def partial(number: int) -> Any:
            async def edit(*, view: Any, content: str | None = KEPT, **_: Any) -> None:
                def act() -> Posted:
                    there.room(channel_id, edit=True)
                    return there.edit(there.channel(channel_id).get(number), view, content)

                await there.call(act)

            async def delete() -> None:
                def act() -> None:
                    there.room(channel_id, edit=True)
                    there.delete(there.channel(channel_id).get(number))

                await there.call(act)

            return SimpleNamespace(
                delete=delete, edit=edit, create_thread=thread_under(self, channel_id, number)
            )

        return SimpleNamespace(id=channel_id, send=send, get_partial_message=partial)

    async def wait_until_ready(self) -> None:
        """It is."""

    async def fetch_channel(self, channel_id: int) -> Any:
        return await self.there.call(lambda: channel_of(self, channel_id))

    async def create_dm(self, person: Any) -> Any:
        return self.get_partial_messageable(-person.id)


class Interaction:
    """A press or a command, as the process that receives it has it."""

    def __init__(
        self,
        client: Client,
        user_id: int,
        name: str,
        channel_id: int,
        *,
        custom_id: str = "",
        values: tuple[str, ...] = (),
        pressed: Posted | None = None,
        locale: str = "en",
    ) -> None:
        there = self.there = client.there
        self.client = client
        self.id = there.number()
        self.token = f"token of {self.id}"
        self.user = SimpleNamespace(id=user_id, display_name=name, global_name=name)
        self.locale = SimpleNamespace(value=locale)
        self.guild_locale = None
        self.guild_id = GUILD
        self.guild = None
        self.channel_id = channel_id
        self.channel = channel_of(client, channel_id)
        self.context = SimpleNamespace(private_channel=False)
        managers = user_id in there.managers
        self.permissions = discord.Permissions.all() if managers else WRITING
        self.app_permissions = discord.Permissions.all()
        self.data = {"custom_id": custom_id, "values": list(values)}
        self.pressed = pressed
        self.message = _pressed(client, pressed) if pressed is not None else None
        self.at = there.loop.time()
        self.troubled = False
        """Whether something broke in a call in its name."""
        self.late = False
        self.answered = 0
        """How often Discord has taken a first answer: at most once."""
        self.files: list[bytes] = []
        """What was sent with the answer, but for pictures."""
        self.shown: Posted | None = None
        """The message that the answer is or has changed."""
        self.sent_at = self.heard_at = 0.0
        """When its first answer went out, and when the bot heard that it has arrived; 0 before."""
        self.response = Response(self)
        self.followup = SimpleNamespace(send=self._follow_up, edit_message=self._edit_follow_up)

    def is_user_integration(self) -> bool:
        return False

    def is_guild_integration(self) -> bool:
        return True

    def first(self, act: Callable[[], Any]) -> Callable[[], Any]:
        """A first answer, as Discord takes it."""

        def taken() -> Any:
            if self.there.loop.time() - self.at > ANSWER_SECONDS:
                self.late = True
                raise refusal(404, UNKNOWN_INTERACTION)
            if self.answered:
                raise refusal(400, ALREADY_ANSWERED)
            result = act()
            self.answered += 1
            return result

        return taken

    def later(self, act: Callable[[], Any]) -> Callable[[], Any]:
        def taken() -> Any:
            if self.there.loop.time() - self.at > TOKEN_SECONDS or not self.answered:
                raise refusal(401, DEAD_TOKEN)
            return act()

        return taken

    async def _follow_up(self, *, view: Any, ephemeral: bool = False, content: str = "", **_: Any) -> Any:
        user = self.user.id if ephemeral else 0
        posted = await self.there.call(
            self.later(lambda: self.there.post(self.channel_id, view, user_id=user, content=content))
        )
        return self.there.message_of(posted)

    async def _edit_follow_up(self, number: int, *, view: Any, content: str | None = KEPT, **_: Any) -> Any:
        posted = self.there.private[self.user.id][number]
        await self.there.call(self.later(lambda: self.there.edit(posted, view, content)))

    async def edit_original_response(self, *, view: Any, content: str | None = KEPT, **_: Any) -> Any:
        for look in self.there.edited:
            look(self)

        def act() -> Posted:
            edited = self.there.edit(self.shown, view, content)
            edited.by = self
            return edited

        if (chance := self.there.luck()) < self.there.loses:
            self.troubled = True
            self.there.faults.appendleft(Fault(0.0, "lost" if chance < self.there.loses / 2 else "dropped"))
        return await self.there.call(self.later(act))


class Response:
    """The first answer."""

    def __init__(self, interaction: Interaction) -> None:
        self._parent: Any = interaction
        self._whose = interaction
        self._done = False

    def is_done(self) -> bool:
        return self._done

    async def send_message(
        self, *, view: Any, content: str = "", ephemeral: bool = False, files: Iterable[Any] = (), **_: Any
    ) -> Any:
        whose = self._whose
        whose.sent_at = whose.there.loop.time()
        whose.files += [file.fp.read() for file in files if file.filename.endswith(".json")]

        def act() -> Posted:
            user_id = whose.user.id if ephemeral else 0
            whose.shown = whose.there.post(whose.channel_id, view, user_id=user_id, content=content)
            whose.shown.by = whose
            return whose.shown

        posted = await whose.there.call(whose.first(act))
        self._done, whose.heard_at = True, whose.there.loop.time()
        return SimpleNamespace(message_id=posted.id)

    async def edit_message(self, *, view: Any, content: str | None = KEPT, **_: Any) -> None:
        whose = self._whose
        whose.sent_at = whose.there.loop.time()

        def act() -> Posted:
            whose.shown = whose.there.edit(whose.pressed, view, content)
            whose.shown.by = whose
            return whose.shown

        await whose.there.call(whose.first(act))
        self._done, whose.heard_at = True, whose.there.loop.time()

    async def defer(self, *, thinking: bool = False, **_: Any) -> None:
        whose = self._whose

        def act() -> None:
            whose.shown = None if thinking else whose.pressed

        await whose.there.call(whose.first(act))
        self._done = True

    async def send_modal(self, _form: Any) -> None:
        await self._whose.there.call(self._whose.first(lambda: None))
        self._done = True


def _at(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def _pressed(client: Client, posted: Posted) -> Any:
    found = client.there.message_of(posted)
    found.create_thread = thread_under(client, posted.channel_id, posted.id)
    found.flags = SimpleNamespace(ephemeral=bool(posted.user_id))
    found.attachments = []
    found.content = posted.content
    found.components = list(posted.view.children)
    return found
