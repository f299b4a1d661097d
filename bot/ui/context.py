"""The context of an answer: its interaction, and the parts of the bot it may use."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any, Protocol, Self, TypeVar

import discord
import structlog

from bot import custom_ids as ids
from bot.locales import Words, words
from bot.render.pool import StudioClosed
from bot.render.scene import Look
from bot.store.prefs import Prefs, with_language
from bot.telemetry.trace import stage
from bot.ui import discord_errors, errors, slots
from bot.ui.app import App, Interaction, Unpainted
from bot.ui.components import Control, Message, as_it_is, page, shown_ids
from bot.ui.live.picture_delivery import as_painted, change_answer, deliver, file_numbers, in_time
from bot.ui.names import account_name
from bot.ui.notification import Notification
from bot.ui.rate_limiter import IN_CHANNEL, OF_TABLE, PostLimit
from engine import catalog

log = structlog.get_logger(__name__)
R = TypeVar("R")

SELECTS = frozenset(
    kind.value for kind in discord.ComponentType if kind.name == "select" or kind.name.endswith("_select")
)
"""Discord's component types of selects."""
PATIENCE = 1.5
"""Seconds after a press until the answer is sent in words. Discord gives up after three."""


def _now() -> float:
    return time.monotonic()


@dataclass(frozen=True, slots=True)
class _Sent:
    """A message that was looked up because Discord's response was empty."""

    message_id: int
    attachments: Sequence[discord.Attachment]


class Subject(Protocol):
    """The subject of an answer, for error messages."""

    game: str

    def look(self, locale: str) -> Look:
        """Return the look with the names of the players."""

    def controls(self, answer: Answer, code: str) -> list[Control]:
        """Return the controls below the message of an unforeseen failure that was logged under `code`."""


@dataclass(slots=True)
class Answer:
    """The answer to one interaction: the first message is the response, later ones are follow-ups."""

    app: App
    interaction: Interaction
    since: float = field(default_factory=_now, kw_only=True)
    """Time at which the interaction arrived, by the monotonic clock."""
    sent_at: float | None = field(default=None, kw_only=True)
    """Time at which the last answer was sent, by the same clock."""
    message_id: int = field(default=0, kw_only=True)
    """The id of the message that shows the answer, or 0 if unknown."""
    follow_up: int = field(default=0, kw_only=True)
    """The id of the private follow-up that was sent after that answer, or 0."""
    pictures: frozenset[int] | None = field(default=None, kw_only=True)
    """Discord's ids of the files in that message, or None until it has sent them."""
    late: bool = field(default=False, kw_only=True)
    """True if the answer was sent in words and the caller must send its pictures."""
    retry: str = field(default="", kw_only=True)
    """The custom id of **Try the picture again** below the last answer, if a feature answers it."""
    subject: Subject | None = field(default=None, kw_only=True)
    """The subject of the answer, once it was found for the person."""

    @classmethod
    def to(cls, interaction: Interaction) -> Self:
        """Return an answer to this interaction."""
        return cls(interaction.client.app, interaction)

    def service(self, kind: type[R]) -> R:
        """Return the service or other part of the bot of this type."""
        return self.app.service(kind)

    @property
    def user_id(self) -> int:
        """The id of the person who pressed."""
        return self.interaction.user.id

    @property
    def locale(self) -> str:
        """The language of the person who pressed: their chosen one, or that of their Discord."""
        return self.app.preferences.known(self.interaction.user.id).locale or self.interaction.locale.value

    @property
    def from_private(self) -> bool:
        """True if the pressed message is only visible to this person."""
        return self.interaction.message is not None and self.interaction.message.flags.ephemeral

    @property
    def from_select(self) -> bool:
        """True if this answers a choice in a select of a message."""
        data: Any = self.interaction.data or {}
        return data.get("component_type") in SELECTS

    @property
    def prefs(self) -> Prefs:
        """The person's preferences."""
        return self.app.preferences.known(self.user_id)

    @property
    def say(self) -> Words:
        """The strings in the person's language."""
        return words(self.locale)

    @property
    def seconds_left(self) -> float:
        """The seconds that the answer may still wait for something."""
        return max(0.0, self.since + PATIENCE - time.monotonic())

    @property
    def has_picture(self) -> bool:
        """True if the pressed message shows a picture or file."""
        return self.interaction.message is not None and bool(self.interaction.message.attachments)

    def note_language(self) -> None:
        """Store the language for messages sent to this person alone."""
        user, locale = self.interaction.user, self.interaction.locale.value
        if with_language(self.prefs, locale) is self.prefs:
            return
        now = self.app.clock.now()
        noting = self.app.preferences.note_language(user.id, account_name(user), locale, now)
        self.app.tasks.spawn(noting, "language of a person")

    def note(self, error: BaseException, **facts: object) -> str:
        """Log and count an unforeseen failure. Return its code in the log."""
        self.app.metrics.failures.inc()
        return errors.note(error, **facts)

    def claim_post(self, table_id: int | None = None, *, channel_id: int | None = None) -> None:
        """Count a public post that this press asks for. Call this before anything is changed.

        Args:
            table_id: The table that the post is about.
            channel_id: The channel of the post, if it differs from that of the press.

        Raises:
            Refused: too much was posted recently, with the seconds until the next post.
        """
        subjects: dict[PostLimit, Hashable] = {
            IN_CHANNEL: channel_id or self.interaction.channel_id or self.user_id
        }
        if table_id is not None:
            subjects[OF_TABLE] = table_id
        self.app.posts.claim(self.interaction.id, subjects)

    def _paint(self, message: Message) -> asyncio.Future[list[discord.File]]:
        if not message.retry and (message.pictures or message.raw or message.files):
            number = (self.interaction.id, next(self.app.answer_numbers))
            message.retry = self.retry = next(iter(slots.RETRY.items(self.say, number)), "")
        if (files := message.painted(self.app.studio)) is not None:
            # a task would let everything else that is ready run first
            ready: asyncio.Future[list[discord.File]] = asyncio.get_running_loop().create_future()
            ready.set_result(files)
            return ready
        painting = asyncio.create_task(
            message.attachments(self.app.studio, whose=self.user_id),
            name="press and its pictures",
        )
        # if the bot stops, no one waits for this task, and its error must not be reported as unhandled
        painting.add_done_callback(lambda done: done.cancelled() or done.exception())
        return painting

    async def _in_time(self, message: Message, painting: asyncio.Future[list[discord.File]]) -> bool:
        """Return whether the pictures are painted while Discord still waits for the first answer."""
        if painting.done() or not message.pictures or self.interaction.response.is_done():
            return True
        with stage("picture"):
            return await in_time(painting, self.seconds_left)

    def _shown(
        self, message: Message, files: list[discord.File]
    ) -> tuple[discord.ui.LayoutView, list[discord.File]]:
        return as_painted(message, files, self.locale)

    async def _deliver(
        self,
        message: Message,
        view: discord.ui.LayoutView,
        files: list[discord.File],
        send: Callable[[discord.ui.LayoutView, list[discord.File]], Awaitable[R]],
    ) -> R:
        self.sent_at = monotonic()
        sent = await deliver(message, files, self.locale, send, view=view)
        self._note_unpainted(message)
        return sent

    def _note_unpainted(self, message: Message) -> None:
        """Remember a message that lacks pictures, for **Try the picture again**."""
        if message.unpainted and message.retry and message.retry == self.retry:
            self.app.unpainted[message.retry] = Unpainted(self.user_id, message)

    def _in_words(self, message: Message) -> discord.ui.LayoutView:
        return message.without(message.pictures, self.say("picture.coming"))

    def _stands(self, message_id: int | None) -> None:
        """Note that the message shows this answer from now on."""
        if message_id is not None:
            self.message_id = message_id
            self.app.newest[message_id] = self.interaction.id

    def _follow(
        self,
        message: Message,
        painting: asyncio.Future[list[discord.File]],
        *,
        follow: bool,
        kept: Sequence[Any] = (),
    ) -> None:
        """Let the pictures follow an answer sent in words, or leave that to the caller."""
        self.late = not follow
        if follow:
            self.app.tasks.spawn(self._bring(message, painting, kept), "late picture")

    async def _bring(
        self, message: Message, painting: asyncio.Future[list[discord.File]], kept: Sequence[Any] = ()
    ) -> None:
        try:
            files = await painting
            if self.app.newest.get(self.message_id, self.interaction.id) == self.interaction.id:
                await change_answer(self.interaction, message, files, self.locale, kept=kept)
                self._note_unpainted(message)
        except StudioClosed:
            log.info("not shown later: the bot stops")
        except discord_errors.NOT_DONE as error:
            log.info("not shown later", why=discord_errors.reason(error))

    async def _taken(self, answering: Awaitable[R]) -> R | None:
        """Send the first answer. Return Discord's response, or None if it was accepted with an empty one.

        Discord always sends a response, but a proxy may drop it, and discord.py only notices afterwards.
        """
        try:
            return await answering
        except (TypeError, KeyError):
            if not self.interaction.response.is_done():  # the error came before the answer was sent
                raise
            log.info("answer accepted without a word")
            return None

    async def _send(self, **parts: Any) -> discord.InteractionCallbackResponse[Any] | _Sent:
        """Answer with a message. Return its id and attachments."""
        sent = await self._taken(self.interaction.response.send_message(**parts))
        if sent is not None:
            return sent
        original = await self.interaction.original_response()
        return _Sent(original.id, original.attachments)

    async def defer(self, *, ephemeral: bool = False, thinking: bool = False) -> None:
        """Acknowledge the interaction, because the answer comes later or none is needed."""
        await self._taken(self.interaction.response.defer(ephemeral=ephemeral, thinking=thinking))

    async def acknowledge(self) -> None:
        """Acknowledge a press, so that its answer may take longer or be a separate message.

        After a choice in a select, Discord's client sends nothing if the same is chosen again, until the
        message is updated. So the message of a select is updated even if nothing in it changes.
        """
        message = self.interaction.message
        if self.from_select and message is not None:
            view, kept = as_it_is(message), message.attachments
            await self._taken(self.interaction.response.edit_message(view=view, attachments=kept))
        else:
            await self.defer()

    async def _redraw_select(self) -> None:
        """Update the message of a select before another message answers it."""
        if self.from_select and not self.interaction.response.is_done():
            await self.acknowledge()

    async def private(self, message: Message, *, follow: bool = True) -> None:
        """Answer with a message that only this person sees, following their preferences.

        If its pictures take long, the answer is sent in words and the pictures follow. Without `follow` the
        caller must send them if `late` is set.
        """
        response, message = self.interaction.response, message.fitted(self.prefs)
        await self._redraw_select()
        painting = self._paint(message)
        if not await self._in_time(message, painting):
            sent = await self._deliver(
                message,
                self._in_words(message),
                message.ready(),
                lambda view, files: self._send(view=view, files=files, ephemeral=True),
            )
            self._stands(sent.message_id)
            self._follow(message, painting, follow=follow)
            return
        view, files = self._shown(message, await painting)
        if response.is_done():
            follow_up = partial(self.interaction.followup.send, ephemeral=True, wait=True)
            followed = await self._deliver(
                message, view, files, lambda view, files: follow_up(view=view, files=files)
            )
            self.pictures = file_numbers(followed)
            if self.message_id:
                self.follow_up = followed.id
            else:  # the first follow-up replaces the note that an answer will come
                self._stands(followed.id)
        else:
            sent = await self._deliver(
                message, view, files, lambda view, files: self._send(view=view, files=files, ephemeral=True)
            )
            self._stands(sent.message_id)
            self.pictures = file_numbers(sent)

    async def public(self, message: Message) -> int | None:
        """Answer with a message that everyone sees, without pings. Slow pictures follow.

        Return the id of the message.
        """
        await self._redraw_select()
        if self.interaction.response.is_done():
            return (await self.publicly(message)).id
        painting = self._paint(message)
        in_time = await self._in_time(message, painting)
        view, files = (
            self._shown(message, await painting) if in_time else (self._in_words(message), message.ready())
        )
        send = partial(self._send, allowed_mentions=discord.AllowedMentions.none())
        sent = await self._deliver(message, view, files, lambda view, files: send(view=view, files=files))
        self._stands(sent.message_id)
        if not in_time:
            self._follow(message, painting, follow=True)
        return sent.message_id

    async def publicly(self, message: Message) -> discord.WebhookMessage:
        """Post a message that everyone sees, without pings, after the first answer.

        If a deferred private answer is still to come, Discord would make this message private.
        """
        view, files = self._shown(message, await self._paint(message))
        send = partial(
            self.interaction.followup.send, allowed_mentions=discord.AllowedMentions.none(), wait=True
        )
        return await self._deliver(message, view, files, lambda view, files: send(view=view, files=files))

    async def notify(self, notification: Notification) -> int | None:
        """Answer with a notification that everyone sees. Return the id of its message."""
        parts = notification.parts()
        await self._redraw_select()
        if self.interaction.response.is_done():
            return (await self.interaction.followup.send(**parts, wait=True)).id
        return (await self._send(**parts)).message_id

    async def update(self, message: Message, *, keep_files: bool = False, follow: bool = True) -> None:
        """Answer by editing the pressed message. With `keep_files` its pictures stay.

        Slow pictures follow as for `private`.
        """
        response, pressed = self.interaction.response, self.interaction.message
        if self.from_private:
            message = message.fitted(self.prefs)
        # kept files are listed again, or Discord would drop them or the gallery would point nowhere
        new = {*message.pictures, *message.raw, *message.files}
        kept: list[Any] = list(pressed.attachments) if keep_files and pressed is not None else []
        kept = [attachment for attachment in kept if attachment.filename not in new]
        # a message cannot have content and Components V2 at once
        clears: dict[str, Any] = {"content": None} if pressed is not None and pressed.content else {}
        painting = self._paint(message)
        in_time = await self._in_time(message, painting)
        view, files = (
            self._shown(message, await painting) if in_time else (self._in_words(message), message.ready())
        )
        self._stands(pressed.id if pressed is not None else None)

        def edit(view: discord.ui.LayoutView, files: list[discord.File]) -> Awaitable[object]:
            if response.is_done():
                return self.interaction.edit_original_response(
                    view=view, attachments=[*files, *kept], **clears
                )
            return self._taken(response.edit_message(view=view, attachments=[*files, *kept], **clears))

        edited = await self._deliver(message, view, files, edit)
        self.pictures = file_numbers(edited)
        if not in_time:
            self._follow(message, painting, follow=follow, kept=kept)

    async def turn(self, message: Message, *, keep_files: bool = False, follow: bool = True) -> None:
        """Answer by editing the pressed message if it is private, else with a private message.

        A forged press may come from a public message, which must never show private content.
        """
        if self.from_private:
            await self.update(message, keep_files=keep_files, follow=follow)
        else:
            await self.private(message, follow=follow)

    async def ask(self, form: discord.ui.Modal) -> None:
        """Answer with a form."""
        await self._taken(self.interaction.response.send_modal(form))

    async def show_later(self, message: Message, *, keep_files: bool = False) -> None:
        """Replace the answer with this message, unless the answer has been pressed since.

        With `keep_files` the pictures of the message that was pressed stay.
        """
        pressed, message = self.interaction.message, message.fitted(self.prefs)
        kept = pressed.attachments if keep_files and pressed is not None else ()
        await self._bring(message, self._paint(message), kept)

    async def tell(self, text: str) -> None:
        """Answer with a sentence that only this person sees."""
        await self.private(page(text, accent=None))


@dataclass(slots=True)
class Pressed(Answer):
    """A press of a button or select."""

    ref: ids.Ref
    values: tuple[str, ...]

    @property
    def custom_id(self) -> str:
        """The custom id of the control."""
        data: Any = self.interaction.data or {}
        return str(data.get("custom_id", ""))

    @property
    def value(self) -> str:
        """The value chosen in a select.

        Raises:
            InvalidCustomId: nothing was chosen, or the control is not a select.
        """
        if not self.values:
            raise ids.InvalidCustomId("no value")
        return self.values[0]

    def offers(self, custom_id: str) -> bool:
        """Return whether the pressed message has this control.

        If the pressed control is missing there, the press is forged and must not change the message.
        """
        message = self.interaction.message
        return message is not None and custom_id in shown_ids(message.components)

    def game(self, place: int = 0) -> str:
        """Return the key of the game that the custom id names at `place`.

        Raises:
            InvalidCustomId: no such game exists.
        """
        return _game(self.ref.word(place))

    def chosen_game(self) -> str:
        """Return the key of the game that was chosen in a select.

        Raises:
            InvalidCustomId: no such game exists.
        """
        return _game(self.value)

    async def first_click(self) -> bool:
        """Return whether this is not the second click of a double click.

        A second click is acknowledged here and must not change anything.
        """
        message = self.interaction.message
        click = f"{self.custom_id} {' '.join(self.values)} {message and message.id}"
        first = self.app.debouncer.is_first_click(self.user_id, click)
        if not first:
            await self.acknowledge()
        return first


def _game(key: str) -> str:
    if key not in catalog.listed():
        raise ids.InvalidCustomId(key)
    return key


@dataclass(slots=True)
class Submitted(Pressed):
    """A submitted form. `values` is empty, and `fields` holds the answers by the key of the field."""

    fields: dict[str, str]

    @property
    def custom_id(self) -> str:
        """The custom id of the form without its digest, which is that of the control that opened it."""
        return ids.make(self.ref.verb, *self.ref.args)

    def field(self, key: str) -> str:
        """Return the answer in a field.

        Raises:
            InvalidCustomId: the form has no such field.
        """
        if key not in self.fields:
            raise ids.InvalidCustomId(key)
        return self.fields[key]
