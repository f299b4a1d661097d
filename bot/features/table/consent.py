"""What is asked of everybody who sits at a table, as it stands in the table's message and in the hands."""

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
    """The words of what is asked, and its answers; nothing where nothing is asked. `viewer`: the person who
    alone sees it: who has asked can only take it back, who has agreed only change their mind."""
    say = words(locale)
    if table.paused:
        return say("table.paused"), [
            button(say("pause.resume"), "resume", table.id, style=ButtonStyle.success)
        ]
    found = asked(table)
    if found is None:
        return "", []
    look = word_look(table, locale)

    def named(user_id: int) -> str:
        seats: list[Seat] = table.seats_of(user_id)
        return look.name(min(seats)) if seats else ""

    if found.no:
        return say(REFUSED[found.kind], name=named(found.no)), []
    unheard = to_agree(table)
    names = joined([named(user_id) for user_id in unheard], locale)
    waiting = say("consent.waiting", names=names) if unheard else say("consent.ready")
    answers: list[Control] = []
    if viewer is None or viewer in unheard or not unheard:  # whoever was still to answer has left or is away
        name = name_of(table, found)
        answers.append(button(say("consent.yes"), "agree", table.id, name, style=ButtonStyle.success))
    never = "consent.withdraw" if viewer == found.by else "consent.no"
    answers.append(button(say(never), "decline", table.id, name_of(table, found)))
    return f"{say(ASKED[found.kind], name=named(found.by))} {waiting}", answers


def open_question(table: Table) -> str:
    """The name of what is asked and not settled yet; nothing where nothing is."""
    found = asked(table)
    return name_of(table, found) if found is not None and not found.no and not table.paused else ""


def may_undo(table: Table, seat: Seat) -> bool:
    """Whether a hand offers to take its last move back: as long as the next move is waited for."""
    going = table.phase == "live" and table.outcome() is None and not table.asleep
    going = going and not table.stored.terms.daily
    return going and table.id > 0 and table.recent.moved(seat) and asked(table) is None
