"""Requests that need everyone's consent, as the table message and the hands show them."""

from __future__ import annotations

from typing import Final

from discord import ButtonStyle

from bot.features.table.names import word_look
from bot.locales import words
from bot.table.people.consent import asked, name_of, to_agree
from bot.table.table import Table
from bot.ui.components import Control, button
from bot.ui.names import joined
from engine.game import Seat

ASKED: Final = {
    "undo": "undo.asked",
    "pause": "pause.asked",
    "hands": "hands.asked",
    "close": "closing.asked",
}
REFUSED: Final = {"undo": "undo.no", "pause": "pause.no", "hands": "hands.no", "close": "closing.no"}


def request(table: Table, locale: str, viewer: int | None = None) -> tuple[str, list[Control]]:
    """Return the text and the buttons of the open request. Both are empty if nothing was asked.

    `viewer` is the person who alone sees it: the requester can only withdraw, and a person who has agreed can
    only change their mind.
    """
    say = words(locale)
    if table.paused:
        return say("table.paused"), [
            button(say("pause.resume"), "resume", table.id, style=ButtonStyle.success)
        ]
    pending = asked(table)
    if pending is None:
        return "", []
    look = word_look(table, locale)

    def named(user_id: int) -> str:
        seats: list[Seat] = table.seats_of(user_id)
        return look.name(min(seats)) if seats else ""

    if pending.no:
        return say(REFUSED[pending.kind], name=named(pending.no)), []
    unanswered = to_agree(table)
    names = joined([named(user_id) for user_id in unanswered], locale)
    waiting = say("consent.waiting", names=names) if unanswered else say("consent.ready")
    answers: list[Control] = []
    # if no answer is missing, the people who had yet to agree have left or are away
    if viewer is None or viewer in unanswered or not unanswered:
        name = name_of(table, pending)
        answers.append(button(say("consent.yes"), "agree", table.id, name, style=ButtonStyle.success))
    decline_key = "consent.withdraw" if viewer == pending.by else "consent.no"
    answers.append(button(say(decline_key), "decline", table.id, name_of(table, pending)))
    return f"{say(ASKED[pending.kind], name=named(pending.by))} {waiting}", answers


def open_question(table: Table) -> str:
    """Return the name of the open request, or an empty string if nothing was asked."""
    pending = asked(table)
    return name_of(table, pending) if pending is not None and not pending.no and not table.paused else ""


def may_undo(table: Table, seat: Seat) -> bool:
    """Return whether a hand offers to undo its last move, which it does until the next move."""
    is_active = table.phase == "live" and table.outcome() is None and not table.asleep
    is_active = is_active and not table.stored.terms.daily
    return is_active and table.id > 0 and table.recent.moved(seat) and asked(table) is None
