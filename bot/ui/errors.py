"""Error messages: the text that a person reads instead of a traceback."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

import discord
import structlog

from bot import presenters
from bot.core.errors import Refused, Titles
from bot.locales import words
from bot.presenters.voice import clipped
from bot.render.pool import StudioClosed
from bot.render.scene import Look
from bot.store.database import Conflict, Overtaken, StoreError
from bot.ui.discord_errors import (
    ARCHIVED,
    BROKEN_LINE,
    DELETED,
    FILE_REFUSED,
    FILTERED,
    MANY_THREADS,
    MISSING_ACCESS,
    NOBODY,
    TABLE_PERMISSIONS,
    TOO_LARGE,
    TOO_MANY,
    MissingPermissions,
    is_about_permissions,
    is_page,
    reason,
)
from bot.ui.names import inert, joined
from bot.workers.errors import Closed, NoAnswer
from engine.brackets import BracketError
from engine.game import SETUP_REFUSALS, TURN_REFUSALS, Refusal

log = structlog.get_logger(__name__)


def permission_names(missing: list[str], locale: str) -> str:
    """Return permissions by the names that Discord shows, as one phrase."""
    say = words(locale)
    return joined([f"**{say(f'permission.{name}')}**" for name in missing], locale)


def refusal_words(refusal: Refusal, game: str, look: Look) -> str:
    """Return the message of a broken rule: a shared one for rules of every game, else the presenter's."""
    facts = refusal.facts
    if refusal.rule in SETUP_REFUSALS | TURN_REFUSALS:
        exact = refusal.rule == "seats" and facts["least"] == facts["most"]
        key = "seats_exactly" if exact else refusal.rule
        return words(look.locale)(f"rule.{key}", **_inert(facts))
    return presenters.get(game).why(refusal, look)


def note(error: BaseException, **facts: object) -> str:
    """Log an unforeseen failure. Return the code that identifies it in the log."""
    code = secrets.token_hex(3)
    log.error("unforeseen", code=code, exc_info=error, **facts)
    return code


def words_for(
    error: BaseException,
    locale: str,
    *,
    game: str = "",
    look: Look | None = None,
    at_table: bool = True,
    note: Callable[[BaseException], str] = note,
) -> str:
    """Return a message for a failure. An unforeseen one is logged, and the message names its code.

    With `at_table` the message may refer to **My hand** for the state of the table.
    """
    say = words(locale)

    def variant(key: str) -> str:
        return key if at_table else f"{key}_elsewhere"

    if isinstance(error, StoreError) and not isinstance(error, (Conflict, Overtaken)):
        _note_trouble(error)
    match error:
        case Refused(key=key, facts=facts):
            return say(f"refused.{key}", **_inert(_titled(facts, locale)))
        case BracketError(rule=rule, facts=facts):
            return say(f"bracket.{rule}", **_inert(facts))
        case Refusal():
            return refusal_words(error, game, look or Look(locale=locale))
        case presenters.NoPresenter(game=missing):
            return say("refused.not_offered", game=presenters.title(missing, locale))
        case StoreError(kind="slow"):
            return say(variant("store.slow"))
        case StoreError(kind=kind) if f"store.{kind}" in say:
            return say(f"store.{kind}")
        case MissingPermissions(missing=missing):
            return say("trouble.permissions", permissions=permission_names(missing, locale))
        case StudioClosed() | Closed():
            return say("trouble.stopping")
        case NoAnswer():
            log.warning("no answer from a worker", why=error.why)
            return say("trouble.no_answer")
        case discord.HTTPException() if is_page(error):
            log.warning("answer not delivered", why=reason(error))
            return say(variant("trouble.broken_line"))
        case discord.Forbidden(code=code) if code == MISSING_ACCESS:
            return say("trouble.missing_access")
        case discord.Forbidden() if is_about_permissions(error):
            return say("trouble.permissions", permissions=permission_names(list(TABLE_PERMISSIONS), locale))
        case discord.NotFound(code=code) if code in NOBODY:
            return say("trouble.nobody")
        case discord.HTTPException(code=code) if code == ARCHIVED:
            return say("trouble.locked")
        case discord.HTTPException(code=code) if code == MANY_THREADS:
            return say("trouble.many_threads")
        case discord.HTTPException(code=code) if code in FILTERED:
            log.warning("answer not delivered", why=reason(error))
            return say("trouble.filtered", code=code)
        case discord.HTTPException(status=status, code=code) if (
            status in (403, TOO_LARGE) or code in FILE_REFUSED
        ):
            log.warning("answer not delivered", why=reason(error))
            return say("trouble.not_taken", code=code or status)
    # a message or thread that was deleted before the answer is not the bot's fault either
    is_deleted = getattr(error, "code", 0) in DELETED
    if isinstance(error, BROKEN_LINE) or getattr(error, "status", 0) == TOO_MANY or is_deleted:
        log.warning("answer not delivered", why=reason(error))
        return say(variant("trouble.broken_line"))
    return say(variant("trouble.unexpected"), code=note(error))


def _note_trouble(error: StoreError) -> None:
    """Log database trouble, so that the operator can look into it when a user reports it.

    Only the first line of the error is logged, since the others may quote a row.
    """
    why, *_ = [*str(error).splitlines(), ""]
    log.warning("database trouble", kind=error.kind, why=clipped(why, 200))


def _titled(facts: Mapping[str, object], locale: str) -> dict[str, object]:
    """Return the facts of a refusal with the titles of games in this language."""
    comma = words(locale)("table.comma")
    return {
        key: comma.join(presenters.title(game, locale) for game in fact.games)
        if isinstance(fact, Titles)
        else fact
        for key, fact in facts.items()
    }


def _inert(facts: Mapping[str, object]) -> dict[str, object]:
    """Return the facts of a refusal escaped for Markdown, since they may repeat what a user typed. URLs are
    ours."""
    return {
        key: inert(fact) if isinstance(fact, str) and key != "url" else fact for key, fact in facts.items()
    }
