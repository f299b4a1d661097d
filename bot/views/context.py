"""What an answer needs: the press or command, and the parts of the bot that it may use."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar

import discord
import structlog

from bot.locales import Words, words
from bot.render.pool import StudioClosed
from bot.store.prefs import Prefs
from bot.tables.table import Table
from bot.tables.tables import Tables
from bot.tables.tournament import Tournament
from bot.telemetry.trace import stage
from bot.views import errors, ids, rights
from bot.views.app import App, Interaction
from bot.views.components import Message, page, shown_ids
from bot.views.late_pictures import as_painted, file_numbers
from engine import catalog

log = structlog.get_logger(__name__)

PATIENCE = 1.5
"""Seconds after a press at which its answer goes out in words; after three Discord gives up."""


def mentioning(people: Iterable[int]) -> discord.AllowedMentions:
    """Only these people are called by a message."""
    called = [discord.Object(user) for user in people]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=called or False)


@dataclass(slots=True)
class Answer:
    """The answer to one interaction: the first goes out as the response, later ones as follow-ups."""

    app: App
    interaction: Interaction
    since: float = field(default_factory=time.monotonic, kw_only=True)
    message_id: int = field(default=0, kw_only=True)
    """The message that shows the answer, where that is known."""
    pictures: frozenset[int] | None = field(default=None, kw_only=True)
    """How Discord numbers the files of that message, as soon as it has said so."""
    late: bool = field(default=False, kw_only=True)
    """The answer went out in words, and whoever gave it sees to its pictures."""
    about: Table | None = field(default=None, kw_only=True)
    """The table that it is about, once that was found for the person: for the words of a failure."""

    @classmethod
    def to(cls, interaction: Interaction) -> Self:
        """The answer to this interaction, by the parts of the bot that received it."""
        return cls(interaction.client.app, interaction)

    @property
    def tables(self) -> Tables:
        """All tables."""
        return self.app.tables

    @property
    def user_id(self) -> int:
        """Who pressed."""
        return self.interaction.user.id

    @property
    def locale(self) -> str:
        """The language of the person who pressed: the one that they chose, or that of their Discord."""
        return self.app.preferences.known(self.interaction.user.id).locale or self.interaction.locale.value

    @property
    def from_private(self) -> bool:
        """Whether what was pressed stands in a message that only this person sees."""
        return self.interaction.message is not None and self.interaction.message.flags.ephemeral

    @property
    def prefs(self) -> Prefs:
        """What the person prefers."""
        return self.app.preferences.known(self.user_id)

    @property
    def say(self) -> Words:
        """The strings in that language."""
        return words(self.locale)

    @property
    def has_picture(self) -> bool:
        """Whether what was pressed shows a picture or file."""
        return self.interaction.message is not None and bool(self.interaction.message.attachments)

    def note(self, error: BaseException, **facts: object) -> str:
        """Log and count a failure that nobody foresaw; the code under which the log has it."""
        self.app.metrics.failures.inc()
        return errors.note(error, **facts)

    def _paint(self, message: Message) -> asyncio.Task[list[discord.File]]:
        painting = asyncio.create_task(
            message.attachments(self.app.studio, whose=self.interaction.channel_id),
            name="press and its pictures",
        )
        # when nobody waits any more, the end of the bot is nobody's surprise
        painting.add_done_callback(lambda done: done.cancelled() or done.exception())
        return painting

    async def _in_time(self, message: Message, painting: asyncio.Task[list[discord.File]]) -> bool:
        """Whether the pictures are there while Discord still waits for the first answer."""
        if not message.pictures or self.interaction.response.is_done():
            return True
        left = max(0.0, self.since + PATIENCE - time.monotonic())
        with stage("picture"):
            return bool((await asyncio.wait({painting}, timeout=left))[0])

    def _shown(
        self, message: Message, files: list[discord.File]
    ) -> tuple[discord.ui.LayoutView, list[discord.File]]:
        return as_painted(message, files, self.locale)

    def _in_words(self, message: Message) -> discord.ui.LayoutView:
        return message.without(message.pictures, self.say("picture.coming"))

    def _stands(self, message_id: int | None) -> None:
        """This answer is what the message shows from now on."""
        if message_id is not None:
            self.message_id = message_id
            self.app.newest[message_id] = self.interaction.id

    def _follow(self, message: Message, painting: asyncio.Task[list[discord.File]], *, follow: bool) -> None:
        """The words have gone out: let the pictures follow, or leave that to whoever asked."""
        self.late = not follow
        if follow:
            self.tables.spawn(self._bring(message, painting), "late picture")

    async def _bring(
        self, message: Message, painting: asyncio.Task[list[discord.File]], kept: Sequence[Any] = ()
    ) -> None:
        try:
            view, files = self._shown(message, await painting)
            if self.app.newest.get(self.message_id, self.interaction.id) == self.interaction.id:
                await self.interaction.edit_original_response(view=view, attachments=[*files, *kept])
        except StudioClosed:
            log.info("not shown later: the bot stops")
        except errors.NOT_DONE as error:
            log.info("not shown later", why=errors.reason(error))

    async def private(self, message: Message, *, follow: bool = True) -> None:
        """Answer with a message that only this person sees, as they like to see it.

        Where its pictures take long, the words go out first. The pictures follow; without `follow` the
        caller sees to that when `late` says so.
        """
        response, message = self.interaction.response, message.fitted(self.prefs)
        painting = self._paint(message)
        if not await self._in_time(message, painting):
            sent = await response.send_message(
                view=self._in_words(message), files=message.ready(), ephemeral=True
            )
            self._stands(sent.message_id)
            self._follow(message, painting, follow=follow)
            return
        view, files = self._shown(message, await painting)
        if response.is_done():
            followed = await self.interaction.followup.send(view=view, files=files, ephemeral=True, wait=True)
            if not self.message_id:  # it stands where it was said that an answer comes
                self._stands(followed.id)
        else:
            sent = await response.send_message(view=view, files=files, ephemeral=True)
            self._stands(sent.message_id)
            self.pictures = file_numbers(sent)

    async def public(
        self, message: Message, *, calls: Sequence[int] = ()
    ) -> discord.InteractionCallbackResponse[Any]:
        """Answer with a message that everybody sees; pictures that take long follow. It calls these people,
        and nobody else whom it mentions."""
        painting = self._paint(message)
        in_time = await self._in_time(message, painting)
        view, files = (
            self._shown(message, await painting) if in_time else (self._in_words(message), message.ready())
        )
        sent = await self.interaction.response.send_message(
            view=view, files=files, allowed_mentions=mentioning(calls)
        )
        self._stands(sent.message_id)
        if not in_time:
            self._follow(message, painting, follow=True)
        return sent

    async def publicly(self, message: Message, *, calls: Sequence[int] = ()) -> discord.WebhookMessage:
        """Say it to everybody, after an answer that everybody sees as well; it calls these people."""
        view, files = self._shown(message, await self._paint(message))
        called = mentioning(calls)
        return await self.interaction.followup.send(
            view=view, files=files, allowed_mentions=called, wait=True
        )

    async def update(self, message: Message, *, keep_files: bool = False, follow: bool = True) -> None:
        """Answer by changing the message that was pressed. With `keep_files` its pictures stay.

        Pictures that take long follow as for `private`.
        """
        response, pressed = self.interaction.response, self.interaction.message
        if self.from_private:
            message = message.fitted(self.prefs)
        # named again, or Discord would drop them or the gallery would point nowhere
        kept: list[Any] = list(pressed.attachments) if keep_files and pressed is not None else []
        painting = self._paint(message)
        in_time = await self._in_time(message, painting)
        view, files = (
            self._shown(message, await painting) if in_time else (self._in_words(message), message.ready())
        )
        self._stands(pressed.id if pressed is not None else None)
        if response.is_done():
            edited: object = await self.interaction.edit_original_response(
                view=view, attachments=[*files, *kept]
            )
        else:
            edited = await response.edit_message(view=view, attachments=[*files, *kept])
        self.pictures = file_numbers(edited)
        if not in_time:
            self._follow(message, painting, follow=follow)

    async def turn(self, message: Message, *, keep_files: bool = False, follow: bool = True) -> None:
        """Answer by changing the private message that was pressed.

        A forged press may come from a public message: what is private never goes there.
        """
        if self.from_private:
            await self.update(message, keep_files=keep_files, follow=follow)
        else:
            await self.private(message, follow=follow)

    async def ask(self, form: discord.ui.Modal) -> None:
        """Answer with a form."""
        await self.interaction.response.send_modal(form)

    async def show_later(self, message: Message, *, keep_files: bool = False) -> None:
        """Show this in the place of the answer that was given, unless that has been pressed since. With
        `keep_files` the pictures that were there when it was pressed stay."""
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
        """The id of the control."""
        data: Any = self.interaction.data or {}
        return str(data.get("custom_id", ""))

    @property
    def value(self) -> str:
        """What was chosen in a select.

        Raises:
            Forged: the press is of no select, or chose nothing.
        """
        if not self.values:
            raise ids.Forged("no value")
        return self.values[0]

    def offers(self, custom_id: str) -> bool:
        """Whether the message that was pressed has this control. One that lacks what was pressed is not to be
        changed: the press is forged."""
        message = self.interaction.message
        return message is not None and custom_id in shown_ids(message.components)

    def game(self, place: int = 0) -> str:
        """The key of the game that the id names, first unless told otherwise.

        Raises:
            Forged: there is no such game.
        """
        return _game(self.ref.word(place))

    def chosen_game(self) -> str:
        """The key of the game that was chosen in a select.

        Raises:
            Forged: there is no such game.
        """
        return _game(self.value)

    async def table(self, place: int = 0, *, anywhere: bool = False) -> Table:
        """The table that the id names, first unless told otherwise.

        What is done with it is done in its own server; `anywhere`: it is private to who sits there, and
        they may do it wherever they are.

        Raises:
            Refused: there is none, or none that can be reached from here.
            Forged: the id names no table.
        """
        table = await self.tables.get(self.ref.number(place))
        self.about = rights.must_reach(self.interaction, table, anywhere=anywhere)
        return self.about

    async def first_click(self) -> bool:
        """Whether this is no second click of a double one; that one is answered, and is to change nothing."""
        message = self.interaction.message
        what = f"{self.custom_id} {' '.join(self.values)} {message and message.id}"
        first = self.app.clicks.first(self.user_id, what)
        if not first:
            await self.interaction.response.defer()
        return first

    def tournament(self) -> Tournament:
        """The tournament that the id names first.

        Raises:
            Refused: there is none in this server.
            Forged: the id names none.
        """
        return rights.must_reach_tournament(self.interaction, self.app.tournaments.get(self.ref.number(0)))


def _game(key: str) -> str:
    if key not in catalog.listed():
        raise ids.Forged(key)
    return key


@dataclass(slots=True)
class Submitted(Pressed):
    """A form that came back: `values` are empty, `fields` what was chosen, by the key of the field."""

    fields: dict[str, str]

    def field(self, key: str) -> str:
        """What was chosen there.

        Raises:
            Forged: the form has no such field.
        """
        if key not in self.fields:
            raise ids.Forged(key)
        return self.fields[key]


P = TypeVar("P", bound=Pressed)


class Handlers(dict[str, Callable[[P], Awaitable[None]]], Generic[P]):
    """What answers a press, by the verb of its control; one for each module that has some."""

    def on(self, verb: str) -> Callable[[Callable[[P], Awaitable[None]]], Callable[[P], Awaitable[None]]]:
        """Make the function that follows the handler of this verb."""

        def register(handler: Callable[[P], Awaitable[None]]) -> Callable[[P], Awaitable[None]]:
            if verb in self:
                raise RuntimeError(f"two handlers for {verb}")
            self[verb] = handler
            return handler

        return register
