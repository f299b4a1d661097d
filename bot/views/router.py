"""From a press to its handler, and from its failure to words. Exactly one first answer for each press."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import discord
import structlog

from bot.locales import Words, words
from bot.render.pool import StudioClosed
from bot.render.scene import Look
from bot.tables.ports import Refused
from bot.views import ids, rights, trouble
from bot.views.names import word_look
from bot.views.parts import Message, Press, page
from engine import catalog

if TYPE_CHECKING:
    from bot.tables.cup import Cup
    from bot.tables.hall import Hall
    from bot.tables.table import Table
    from bot.views.app import App

log = structlog.get_logger(__name__)
Interaction: TypeAlias = discord.Interaction[Any]

PATIENCE = 1.5
"""Seconds after a press at which its answer goes out in words; after three Discord gives up."""


@dataclass(slots=True)
class Answer:
    """The answer to one interaction: the first goes out as the response, later ones as follow-ups."""

    interaction: Interaction
    since: float = field(default_factory=time.monotonic, kw_only=True)
    message_id: int = field(default=0, kw_only=True)
    """The message that shows the answer, where that is known."""
    late: bool = field(default=False, kw_only=True)
    """The answer went out in words, and whoever gave it sees to its pictures."""

    @property
    def app(self) -> App:
        """The bot's own parts."""
        app: App = self.interaction.client.app
        return app

    @property
    def hall(self) -> Hall:
        """All tables."""
        return self.app.hall

    @property
    def user_id(self) -> int:
        """Who pressed."""
        return self.interaction.user.id

    @property
    def locale(self) -> str:
        """The language of the person who pressed."""
        return self.interaction.locale.value

    @property
    def from_private(self) -> bool:
        """Whether what was pressed stands in a message that only this person sees."""
        return self.interaction.message is not None and self.interaction.message.flags.ephemeral

    @property
    def say(self) -> Words:
        """The strings in that language."""
        return words(self.locale)

    @property
    def has_picture(self) -> bool:
        """Whether what was pressed shows a picture or file."""
        return self.interaction.message is not None and bool(self.interaction.message.attachments)

    def _paint(self, message: Message) -> asyncio.Task[list[discord.File]]:
        painting = asyncio.create_task(
            message.attachments(self.app.studio, whose=self.interaction.channel_id)
        )
        # when nobody waits any more, the end of the bot is nobody's surprise
        painting.add_done_callback(lambda done: done.cancelled() or done.exception())
        return painting

    async def _in_time(self, message: Message, painting: asyncio.Task[list[discord.File]]) -> bool:
        """Whether the pictures are there while Discord still waits for the first answer."""
        if not message.pictures or self.interaction.response.is_done():
            return True
        left = max(0.0, self.since + PATIENCE - time.monotonic())
        return bool((await asyncio.wait({painting}, timeout=left))[0])

    def _shown(
        self, message: Message, files: list[discord.File]
    ) -> tuple[discord.ui.LayoutView, list[discord.File]]:
        """View and files of a message; a picture that could not be painted is told in words."""
        if not message.unpainted:
            return message.view, files
        view = message.without(message.unpainted, self.say("picture.failed"), told=True)
        return view, [file for file in files if file.filename not in message.unpainted]

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
            self.hall.spawn(self._bring(message, painting), "late picture")

    async def _bring(self, message: Message, painting: asyncio.Task[list[discord.File]]) -> None:
        try:
            view, files = self._shown(message, await painting)
            if self.app.newest.get(self.message_id, self.interaction.id) == self.interaction.id:
                await self.interaction.edit_original_response(view=view, attachments=files)
        except StudioClosed:
            log.info("late picture not painted: the bot stops")
        except trouble.NOT_DONE as error:
            log.info("late picture not shown", why=trouble.reason(error))

    async def private(self, message: Message, *, follow: bool = True) -> None:
        """Answer with a message that only this person sees.

        Where its pictures take long, the words go out first. The pictures follow; without `follow` the
        caller sees to that when `late` says so.
        """
        response = self.interaction.response
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
            await self.interaction.followup.send(view=view, files=files, ephemeral=True)
        else:
            sent = await response.send_message(view=view, files=files, ephemeral=True)
            self._stands(sent.message_id)

    async def public(self, message: Message) -> discord.InteractionCallbackResponse[Any]:
        """Answer with a message that everybody sees; pictures that take long follow."""
        painting = self._paint(message)
        in_time = await self._in_time(message, painting)
        view, files = (
            self._shown(message, await painting) if in_time else (self._in_words(message), message.ready())
        )
        sent = await self.interaction.response.send_message(
            view=view, files=files, allowed_mentions=discord.AllowedMentions.none()
        )
        self._stands(sent.message_id)
        if not in_time:
            self._follow(message, painting, follow=True)
        return sent

    async def update(self, message: Message, *, keep_files: bool = False, follow: bool = True) -> None:
        """Answer by changing the message that was pressed. With `keep_files` its pictures stay.

        Pictures that take long follow as for `private`.
        """
        response, pressed = self.interaction.response, self.interaction.message
        # named again, or Discord would drop them or the gallery would point nowhere
        kept: list[Any] = list(pressed.attachments) if keep_files and pressed is not None else []
        painting = self._paint(message)
        in_time = await self._in_time(message, painting)
        view, files = (
            self._shown(message, await painting) if in_time else (self._in_words(message), message.ready())
        )
        self._stands(pressed.id if pressed is not None else None)
        if response.is_done():
            await self.interaction.edit_original_response(view=view, attachments=[*files, *kept])
        else:
            await response.edit_message(view=view, attachments=[*files, *kept])
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

    def game(self) -> str:
        """The key of the game that the id names first.

        Raises:
            Forged: there is no such game.
        """
        key = self.ref.word(0)
        if key not in catalog.listed():
            raise ids.Forged(key)
        return key

    async def table(self, place: int = 0, *, anywhere: bool = False) -> Table:
        """The table that the id names, first unless told otherwise.

        What is done with it is done in its own server; `anywhere`: it is private to who sits there, and
        they may do it wherever they are.

        Raises:
            Refused: there is none, or none that can be reached from here.
            Forged: the id names no table.
        """
        table = await self.hall.get(self.ref.number(place))
        return rights.must_reach(self, table, anywhere=anywhere)

    def cup(self) -> Cup:
        """The tournament that the id names first.

        Raises:
            Refused: there is none in this server.
            Forged: the id names none.
        """
        return rights.must_reach_cup(self, self.app.cups.get(self.ref.number(0)))


Handler: TypeAlias = Callable[[Pressed], Awaitable[None]]
_HANDLERS: dict[str, Handler] = {}


def on(verb: str) -> Callable[[Handler], Handler]:
    """Register the handler of a verb."""

    def register(handler: Handler) -> Handler:
        if verb in _HANDLERS:
            raise RuntimeError(f"two handlers for {verb}")
        _HANDLERS[verb] = handler
        return handler

    return register


async def dispatch(interaction: Interaction, custom_id: str) -> None:
    """Answer a press. Never raises: every failure has words."""
    data: Any = interaction.data or {}
    values = tuple(str(value) for value in data.get("values", ()))
    try:
        ref = ids.parse(custom_id)
    except ids.Forged:
        ref = ids.Ref("", ())
    pressed = Pressed(interaction, ref, values)
    handler = _HANDLERS.get(ref.verb, _unknown)
    app = pressed.app
    try:
        if closed := gate(interaction):
            await refuse(pressed, closed)
            return
        with app.metrics.press(ref.verb if ref.verb in _HANDLERS else "unknown"):
            try:
                await handler(pressed)
            except Exception as error:  # noqa: BLE001 - the one place where every failure gets words
                await explain(pressed, error)
    finally:
        _let_go(interaction)


def _let_go(interaction: Interaction) -> None:
    """Free what was pressed as soon as nobody holds it.

    discord.py ties an interaction and its response to each other, and so the whole message that was pressed,
    30 KiB, waited for a full collection: at 60 presses a second 7 MiB more each minute. What may still be
    written, the edit of the answer, does not go through the response.
    """
    interaction.response._parent = None  # type: ignore[assignment]


Press.answer = staticmethod(dispatch)


def gate(interaction: Interaction) -> str:
    """The key of the words for a press that nothing is to come of, or nothing: the bot is stopping, or
    somebody presses faster than the bot can deal. To be asked by the task that gives the answer."""
    client = interaction.client
    client.note_press()
    if client.closing:
        return str(client.closing)
    return "" if client.app.hurry.allows(interaction.user.id) else "refused.hurry"


async def refuse(answer: Answer, key: str) -> None:
    """Say so, without a picture and without asking the database."""
    with contextlib.suppress(*trouble.NOT_DONE):
        await answer.interaction.response.send_message(
            view=page(answer.say(key), accent=None).view, ephemeral=True
        )


async def refuse_form(interaction: Interaction) -> None:
    """Answer a form: this bot sends none. Never raises."""
    answer = Answer(interaction)
    await explain(answer, Refused("not_a_form"))


async def explain(answer: Answer, error: Exception) -> None:
    """Say a failure in words, as the first answer or after it."""
    if isinstance(error, discord.HTTPException) and error.code in (
        trouble.UNKNOWN_INTERACTION,
        trouble.ALREADY_ANSWERED,
        trouble.DEAD_TOKEN,
    ):
        # Discord no longer takes an answer to this press; what it did is stored, and the table shows it
        log.warning("press answered too late", code=error.code)
        return
    if isinstance(error, discord.Forbidden) and answer.interaction.guild_id is not None:
        # told by name where they can be seen; else `words_for` names all that a table needs
        in_thread = isinstance(answer.interaction.channel, discord.Thread)
        if missing := trouble.missing_permissions(answer.interaction.app_permissions, in_thread=in_thread):
            error = trouble.MissingPermissions(missing)
    game, look = "", None
    if isinstance(answer, Pressed) and isinstance(error, ids.Forged):
        text = answer.say("refused.not_a_button")
        log.info("forged or foreign id", verb=answer.ref.verb)
    else:
        if isinstance(answer, Pressed) and answer.ref.word(0).isdecimal():
            table = answer.hall.shelf.get(int(answer.ref.word(0)))
            if table is not None:
                game, look = table.game.key, word_look(table, answer.locale)
        text = trouble.words_for(error, answer.locale, game=game, look=look or Look(locale=answer.locale))
    try:
        await answer.tell(text)
    except trouble.NOT_DONE as second:
        log.warning("could not say what went wrong", why=type(second).__name__, first=type(error).__name__)


async def _unknown(pressed: Pressed) -> None:
    await pressed.tell(pressed.say("refused.not_a_button"))
