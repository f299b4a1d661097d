"""The table message: the picture, whose turn it is, recent events, and the buttons under it."""

from __future__ import annotations

from collections.abc import Sequence

from discord import ButtonStyle

from bot import presenters
from bot.features.table import slots as table_slots
from bot.features.table.closing import absence_lines, closed_by, counts
from bot.features.table.consent import request
from bot.features.table.lobby.messages import lobby_message
from bot.features.table.names import picture_look, word_look
from bot.features.table.terms import terms_line, what_it_counts
from bot.locales import Words, words
from bot.presenters.lines import lines_for
from bot.render.scene import Scene
from bot.table.recent import LATE, UNDONE
from bot.table.table import Table
from bot.ui.components import Control, Message, button, page
from bot.ui.names import joined
from engine.game import Event, Viewer

TABLE_PICTURE = "table.png"
LAST_EVENTS = 6


def board_message(table: Table, news: Sequence[Event] = (), watching: int = 0) -> Message:
    """Return the public message of a table in the language of its channel. A lobby has its own message.

    Args:
        news: The events since it was last shown. The picture may animate them.
        watching: The number of spectators.
    """
    if table.state is None:
        special = table_slots.SPECIAL_LOBBY.items(words(table.stored.locale), table)
        return special[0] if special else lobby_message(table)
    locale = table.stored.locale
    say, presenter = words(locale), presenters.get(table.game.key)
    look = word_look(table, locale)
    observation = table.state.observe(None)
    status = presenter.status(observation, look)
    heading = say("table.heading", game=presenter.title(locale), table=table.id, status=status)
    if rules := terms_line(table, locale):
        heading += f"\n-# {rules}"
    scene = _moving(table, news, presenter.table(observation, picture_look(table, locale)))
    if table.phase == "cancelled":
        if closed := table_slots.CLOSED.items(say, table):
            return page(closed[0], scene, picture_name=TABLE_PICTURE)
        title = presenter.title(locale)
        if table.stored.why == "everybody_left":
            closing = say("lobby.closed_left", game=title, table=table.id)
        else:
            closing = closed_by(table, locale, title)
        return page(closing, scene, counts(table, locale), picture_name=TABLE_PICTURE)
    outcome = table.outcome()
    happened = "\n".join(f"-# {line}" for line in recent_lines(table, None, locale))
    practice = table.stored.terms.practice
    drill = say("table.practice", table=practice) if practice else ""
    if outcome is None:
        turn = "\n".join(filter(None, (turn_words(table, locale), drill)))
        for seat in range(len(table.sitters)):
            if table.away(seat) and not table.asleep:
                turn += "\n" + say("table.held", name=look.name(seat))
        wish, answers = request(table, locale)
        below_picture = "\n".join(filter(None, (turn, happened, _watched(table, watching, say))))
        return page(
            heading, scene, below_picture, wish, answers, _buttons(table, locale), picture_name=TABLE_PICTURE
        )
    absences = absence_lines(table, outcome, locale)
    ending = (
        say("table.over"),
        presenter.ending(outcome, look),
        *table_slots.RESULT.items(say, table),
        *absences,
        say("friendly.over") if table.stored.terms.friendly and what_it_counts(table, locale) else "",
        drill,
        *table_slots.END_NOTE.items(say, table),
    )
    controls: list[tuple[int, Control]] = [
        (50, button(say("table.log"), "log", table.id)),
        (70, button(say("table.record"), "record", table.id)),
    ]
    if keepsake := presenter.keepsake(outcome, observation, look):
        controls.append((80, button(keepsake.label, "keepsake", table.id)))
    after = table_slots.END.controls(say, table, controls)
    return page(heading, scene, "\n".join(filter(None, ending)), after, picture_name=TABLE_PICTURE)


def _moving(table: Table, news: Sequence[Event], scene: Scene) -> Scene:
    """Return the picture of the table, animated if the events are worth it."""
    visible = [cut for event in news if (cut := event.seen_by(None)) is not None]
    if not visible or table.state is None or table.phase == "cancelled":
        return scene
    presenter, look = presenters.get(table.game.key), picture_look(table, table.stored.locale)
    return presenter.motion(visible, table.state.observe(None), scene, look)


def _watched(table: Table, watching: int, say: Words) -> str:
    """Return the line with the number of spectators and a note if they see hands, or an empty string."""
    notes = [say("watch.watching", n=watching)] if watching else []
    if table.stored.terms.hands:
        notes.append(say("watch.hands_open"))
    return f"-# {' · '.join(notes)}" if notes else ""


def turn_words(table: Table, locale: str) -> str:
    """Return a text that names the players to act or says why the table is asleep."""
    say = words(locale)
    if table.paused:
        return ""  # the message says so next to the button that resumes the game
    if table.asleep:
        return say("table.asleep")
    waiting = table.waiting()
    names = joined([word_look(table, locale).name(seat) for seat in waiting], locale)
    return say("table.turn" if len(waiting) == 1 else "table.turn_several", names=names)


def _buttons(table: Table, locale: str) -> list[Control]:
    say = words(locale)
    controls: list[tuple[int, Control]] = [
        (10, button(say("table.hand"), "hand", table.id, style=ButtonStyle.primary, emoji="🃏")),
        (30, button(say("table.status"), "status", table.id)),
        (60, button(say("table.log"), "log", table.id)),
        (80, button(say("table.more"), "more", table.id)),
    ]
    presenter = presenters.get(table.game.key)
    if table.state is not None and presenter.needs_closeups(table.state.observe(None)):
        controls.append((20, button(say("table.closer"), "closer", table.id, emoji="🔍")))
    return table_slots.BOARD.controls(say, table, controls)


def recent_lines(table: Table, viewer: Viewer, locale: str, most: int = LAST_EVENTS) -> list[str]:
    """Return the last events as this viewer may know them, in words, newest last."""
    return lines_of(list(table.recent), table, viewer, locale)[-most:]


def lines_of(events: list[Event], table: Table, viewer: Viewer, locale: str) -> list[str]:
    """Return events in words, as this viewer may know them."""
    look = word_look(table, locale)
    return lines_for(presenters.get(table.game.key), events, viewer, look, late=LATE, undone=UNDONE)
