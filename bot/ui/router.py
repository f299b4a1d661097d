"""Routing of presses and forms to their handlers. Each gets exactly one first answer, even if it fails."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from typing import Any, TypeVar

import discord
import structlog

from bot import custom_ids as ids
from bot.core.errors import Refused
from bot.render.scene import Look
from bot.telemetry.trace import following, unanswered
from bot.ui import discord_errors, errors
from bot.ui.app import Interaction
from bot.ui.components import Control, page
from bot.ui.context import Answer, Pressed, Submitted
from bot.ui.feature_loader import load
from bot.ui.forms import answers
from bot.ui.handlers import Handlers
from bot.ui.names import account_name

log = structlog.get_logger(__name__)
P = TypeVar("P", bound=Pressed)


def _merged(parts: Iterable[Handlers[P]]) -> Handlers[P]:
    merged = Handlers[P]()
    for group in parts:
        merged.add(group)
    return merged


@cache
def handlers() -> Handlers[Pressed]:
    """Return the handlers of presses by verb."""
    return _merged(each for feature in load().values() for each in feature.handlers)


@cache
def forms() -> Handlers[Submitted]:
    """Return the handlers of forms by verb."""
    return _merged(each for feature in load().values() for each in feature.forms)


async def dispatch(interaction: Interaction) -> None:
    """Answer a press. Never raises: every failure is reported to the person.

    This answers presses in every message of the bot, even if another process sent it, since the custom id
    contains everything a press needs. So no view is kept waiting, and discord.py does not need to rebuild one
    from the pressed message to find the control (a `DynamicItem`). That took a twentieth of a press, and it
    dropped presses whose control another press had just removed from the message.
    """
    data: Any = interaction.data or {}
    values = tuple(str(value) for value in data.get("values", ()))
    ref = _read(str(data.get("custom_id", "")))
    pressed = Pressed(interaction.client.app, interaction, ref, values)
    await _answer(pressed, handlers(), _unknown)


async def dispatch_form(interaction: Interaction) -> None:
    """Answer a form. Never raises."""
    data: Any = interaction.data or {}
    ref = ids.without_digest(_read(str(data.get("custom_id", ""))))
    fields = answers(data.get("components", ()))
    await _answer(Submitted(interaction.client.app, interaction, ref, (), fields), forms(), _not_a_form)


def _read(custom_id: str) -> ids.Ref:
    try:
        return ids.parse(custom_id)
    except ids.InvalidCustomId:
        return ids.Ref("", ())


async def _answer(pressed: P, by_verb: Handlers[P], fallback: Callable[[P], Awaitable[None]]) -> None:
    verb = pressed.ref.verb
    try:
        with following(pressed.app.reply_priority.press(verb if verb in by_verb else "unknown")) as trace:
            if closed := gate(pressed.interaction):
                await refuse(pressed, closed)
                return
            await pressed.app.preferences.of(pressed.user_id)
            try:
                await by_verb.get(verb, fallback)(pressed)
                pressed.note_language()
            except Exception as error:  # noqa: BLE001 - the one place that explains every failure
                await explain(pressed, error)
            pressed.app.metrics.ended(trace)
    finally:
        _let_go(pressed.interaction)


def _let_go(interaction: Interaction) -> None:
    """Free the pressed message as soon as it is no longer used.

    discord.py makes an interaction and its response refer to each other. The whole message that was pressed,
    30 KiB, waited for a full garbage collection: at 60 presses per second, 7 MiB more each minute. Later
    edits of the answer do not need the response.
    """
    interaction.response._parent = None  # type: ignore[assignment]


def gate(interaction: Interaction) -> str:
    """Return the key of a refusal if an interaction must be rejected, else an empty string.

    The bot may be stopping, or the person may be pressing too fast. Call this in the task that answers.
    """
    client = interaction.client
    client.note_press()
    client.app.accounts[interaction.user.id] = account_name(interaction.user)
    if client.closing:
        return str(client.closing)
    return "" if client.app.rate_limiter.allows(interaction.user.id) else "refused.hurry"


async def refuse(answer: Answer, key: str) -> None:
    """Answer with this refusal, without a picture and without asking the database."""
    answer.app.metrics.outcomes.labels("refused").inc()
    if (trace := unanswered()) is not None:
        trace.refused = True
    with contextlib.suppress(*discord_errors.NOT_DONE):
        await answer.tell(answer.say(key))


async def explain(answer: Answer, error: Exception) -> None:
    """Report a failure to the person, as the first answer or after it."""
    if isinstance(error, discord.HTTPException) and error.code in (
        discord_errors.UNKNOWN_INTERACTION,
        discord_errors.ALREADY_ANSWERED,
        discord_errors.DEAD_TOKEN,
    ):
        # Discord no longer accepts an answer, but its effect is stored and the table shows it
        log.warning("press answered too late", code=error.code)
        return
    forbidden = isinstance(error, discord.HTTPException) and discord_errors.is_about_permissions(error)
    if forbidden and answer.interaction.guild_id is not None:
        # name the missing permissions if they are known; otherwise `words_for` names all that a table needs
        in_thread = isinstance(answer.interaction.channel, discord.Thread)
        if missing := discord_errors.missing_permissions(
            answer.interaction.app_permissions, in_thread=in_thread
        ):
            error = discord_errors.MissingPermissions(missing)
    game, look = "", None
    controls: list[Control] = []
    if isinstance(answer, Pressed) and isinstance(error, ids.InvalidCustomId):
        text = answer.say("refused.not_a_button")
        log.info("forged or foreign id", verb=answer.ref.verb)
    else:
        subject = answer.subject
        if subject is not None:
            game, look = subject.game, subject.look(answer.locale)

        def noted(failure: BaseException) -> str:
            code = answer.note(failure)
            if subject is not None:
                controls.extend(subject.controls(answer, code))
            return code

        look = look or Look(locale=answer.locale)
        at_table = subject is not None
        text = errors.words_for(error, answer.locale, game=game, look=look, at_table=at_table, note=noted)
    try:
        await answer.private(page(text, controls, accent=None))
    except discord_errors.NOT_DONE as second:
        log.warning("could not say what went wrong", why=type(second).__name__, first=type(error).__name__)


async def _unknown(pressed: Pressed) -> None:
    await pressed.tell(pressed.say("refused.not_a_button"))


async def _not_a_form(_submitted: Submitted) -> None:
    raise Refused("not_a_form")
