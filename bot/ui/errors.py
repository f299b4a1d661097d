"""Every failure has words: what a person reads instead of a traceback."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

import aiohttp
import discord
import structlog

from bot import presenters
from bot.core.errors import Refused, Titles
from bot.locales import words
from bot.presenters.voice import clipped
from bot.render.pool import StudioClosed
from bot.render.scene import Look
from bot.store.database import Conflict, Overtaken, StoreError
from bot.ui.names import inert, joined
from bot.workers.errors import Closed, NoAnswer
from engine.brackets import BracketError
from engine.game import SETUP_REFUSALS, TURN_REFUSALS, Refusal

log = structlog.get_logger(__name__)

UNKNOWN_CHANNEL, UNKNOWN_GUILD, UNKNOWN_MESSAGE, UNKNOWN_INTERACTION = 10003, 10004, 10008, 10062
DELETED = (UNKNOWN_CHANNEL, UNKNOWN_GUILD, UNKNOWN_MESSAGE)
UNKNOWN_MEMBER, UNKNOWN_ROLE, UNKNOWN_USER = 10007, 10011, 10013
NOBODY = frozenset((UNKNOWN_MEMBER, UNKNOWN_ROLE, UNKNOWN_USER))
"""What Discord answers about an account or role that was deleted, or that somebody made up."""
UNKNOWN_WEBHOOK, MISSING_ACCESS, DEAD_TOKEN = 10015, 50001, 50027
MISSING_PERMISSIONS = 50013
FILTERED = frozenset((20009, 200000, 200001, 240000))
"""Codes of Discord's filters: explicit content, AutoMod, harmful links."""
TOO_LARGE = 413
"""The status of a request whose body Discord, or a proxy on the way, does not take."""
FILE_REFUSED = frozenset((40005, 50045, 50046, 50138))
"""Codes about a file: too large, broken, or impossible to resize."""
MANY_COMMANDS = 30034
MANY_THREADS = 160006
"""Discord creates at most 200 commands a day for an application."""
ALREADY_ANSWERED, INVALID_FORM, ARCHIVED = 40060, 50035, 50083
NOT_DONE = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What a call to Discord raises when it was refused, or when the connection broke on the way."""
BROKEN_LINE = (aiohttp.ClientError, ConnectionError, TimeoutError, discord.DiscordServerError)
"""Those among them for which nobody is to blame here: the connection broke, or Discord has trouble itself."""
TOO_MANY = 429
"""The status of a call that Discord has put off more often than discord.py tries it."""
TABLE_PERMISSIONS = ("view_channel", "send_messages", "attach_files")
THREAD_PERMISSIONS = ("create_public_threads", "send_messages_in_threads")


class MissingPermissions(Exception):
    """The bot lacks rights in a channel; `missing` are their names in discord.Permissions."""

    def __init__(self, missing: list[str]) -> None:
        super().__init__(missing)
        self.missing = missing


class Locked(discord.HTTPException):
    """A moderator has locked a thread, so the bot says nothing there, even where Discord would let it."""

    def __init__(self) -> None:
        Exception.__init__(self, "the thread is locked")
        self.status, self.code, self.text = 403, ARCHIVED, "the thread is locked"


def reason(error: BaseException) -> str:
    """Return an error as one line: by its name if it has no words, and without a page of HTML.

    Cloudflare, which stands before Discord, and proxies answer with pages.
    """
    if isinstance(error, discord.HTTPException) and is_page(error):
        return f"{error.status} {error.response.reason}"
    return str(error) or repr(error)


def is_about_permissions(error: discord.HTTPException) -> bool:
    """Return whether Discord refused something because the bot lacks permissions.

    Other codes of status 403 are about what was sent, or about Discord itself.
    """
    return isinstance(error, discord.Forbidden) and error.code in (MISSING_PERMISSIONS, MISSING_ACCESS)


def is_page(error: discord.HTTPException) -> bool:
    """Return whether the answer is a page of HTML, and so not Discord's."""
    return error.text.lstrip().startswith("<")


def missing_permissions(
    have: discord.Permissions, *, thread: bool = False, in_thread: bool = False
) -> list[str]:
    """Which rights a table needs here that the bot has not; `thread`: it is to open one."""
    needed = list(TABLE_PERMISSIONS)
    if in_thread:
        needed[1] = "send_messages_in_threads"
    if thread:
        needed += THREAD_PERMISSIONS
    missing = [name for name in needed if not getattr(have, name)]
    # who may not see a channel has no other right there: nobody knows yet whether more is missing
    return missing[:1] if missing[:1] == ["view_channel"] else missing


def permission_names(missing: list[str], locale: str) -> str:
    """The rights by the names that Discord shows."""
    say = words(locale)
    return joined([f"**{say(f'permission.{name}')}**" for name in missing], locale)


def refusal_words(refusal: Refusal, game: str, look: Look) -> str:
    """The sentence of a rule: the house's for what every game refuses, else the presenter's."""
    facts = refusal.facts
    if refusal.rule in SETUP_REFUSALS | TURN_REFUSALS:
        exact = refusal.rule == "seats" and facts["least"] == facts["most"]
        key = "seats_exactly" if exact else refusal.rule
        return words(look.locale)(f"rule.{key}", **_inert(facts))
    return presenters.get(game).why(refusal, look)


def note(error: BaseException, **facts: object) -> str:
    """Log an unforeseen failure; the code under which the log has it."""
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
    """One clear sentence for a failure. What nobody foresaw is noted under a code that it names. `at_table`:
    there is a table, where **My hand** shows how things stand."""
    say = words(locale)

    def stands(key: str) -> str:
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
            return say(stands("store.slow"))
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
            return say(stands("trouble.broken_line"))
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
    # a message or thread that somebody deleted between the press and its answer is nobody's fault either
    gone = getattr(error, "code", 0) in DELETED
    if isinstance(error, BROKEN_LINE) or getattr(error, "status", 0) == TOO_MANY or gone:
        log.warning("answer not delivered", why=reason(error))
        return say(stands("trouble.broken_line"))
    return say(stands("trouble.unexpected"), code=note(error))


def _note_trouble(error: StoreError) -> None:
    """Log what somebody is told to tell whoever runs the bot; the first line of it, for a database that says
    more may quote a row."""
    why, *_ = [*str(error).splitlines(), ""]
    log.warning("database trouble", kind=error.kind, why=clipped(why, 200))


def _titled(facts: Mapping[str, object], locale: str) -> dict[str, object]:
    """Facts of a refusal with the games among them by their titles in this language."""
    comma = words(locale)("table.comma")
    return {
        key: comma.join(presenters.title(game, locale) for game in fact.games)
        if isinstance(fact, Titles)
        else fact
        for key, fact in facts.items()
    }


def _inert(facts: Mapping[str, object]) -> dict[str, object]:
    """Facts of a refusal for Markdown: what somebody typed comes back among them. An address is ours."""
    return {
        key: inert(fact) if isinstance(fact, str) and key != "url" else fact for key, fact in facts.items()
    }
