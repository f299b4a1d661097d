"""/privacy: what is kept about a person; to take along, or to have deleted after one more question."""

from __future__ import annotations

from functools import partial

from discord import ButtonStyle
from sqlalchemy import Connection

from bot.features.privacy.deletion import delete_person
from bot.features.privacy.export import export
from bot.features.table import TablePublisher, counts_for_leaver, fresh_name
from bot.locales import Words, words
from bot.store.personal_data import personal
from bot.table.registry import Tables
from bot.table.table import Table
from bot.ui.components import Control, Message, button, page
from bot.ui.context import Answer, Pressed
from bot.ui.feature_loader import load
from bot.ui.handlers import Handlers

handlers = Handlers[Pressed]()


def privacy_button(say: Words, _thing: None) -> Control:
    """Return the button that shows what is stored about a person."""
    return button(say("privacy.open"), "privacy")


EXPORT, YES = "privacy-export", "privacy-yes"
FILE = "valence-me.zip"


async def privacy_message(answer: Answer) -> Message:
    """What is kept about whoever asks, in numbers, with the two things that can be done about it."""
    say, user_id = answer.say, answer.user_id
    kept = await answer.app.database.read_at_once(lambda c: personal.kept(c, user_id, answer.app.clock.now()))
    told = (
        say(
            "privacy.rows",
            tables=kept.tables,
            open=kept.open,
            results=kept.results,
            ratings=kept.ratings,
            reviews=kept.reviews,
            tournaments=kept.gatherings,
            settings=kept.settings,
            other=kept.other,
        )
        if kept.some
        else say("privacy.nothing")
    )
    ways = [
        button(say("privacy.export"), EXPORT),
        button(say("privacy.delete"), "privacy-delete", style=ButtonStyle.danger),
    ]
    limits = say("privacy.limits", n=kept.limits) if kept.limits else ""
    return page(say("privacy.heading"), told, limits, say("privacy.why"), ways)


@handlers.on("privacy")
async def _privacy(pressed: Pressed) -> None:
    await pressed.turn(await privacy_message(pressed))


@handlers.on(EXPORT)
async def _export(pressed: Pressed) -> None:
    """One file with everything, for the person alone; once in ten minutes."""
    say = pressed.say
    with pressed.app.debouncer.cooldown(pressed.user_id, EXPORT, "export_again"):
        await pressed.defer(ephemeral=True, thinking=True)
        found = await export(pressed.service(Tables), pressed.user_id, pressed.app.clock.now())
        more = say("privacy.left_out", n=found.left_out) if found.left_out else ""
        await pressed.private(
            page(say("privacy.exported", n=found.records), more, files={FILE: found.data}, accent=None)
        )


def _to_do_first(connection: Connection, user_id: int, say: Words) -> str:
    """Return what a person has to do before they can be deleted, or an empty string."""
    makers = (feature.before_deletion for feature in load().values())
    return "\n".join(filter(None, (make(connection, user_id, say) for make in makers if make is not None)))


@handlers.on("privacy-delete")
async def _delete(pressed: Pressed) -> None:
    """Ask once more, and say what will happen."""
    say, user_id = pressed.say, pressed.user_id
    kept, reason = await pressed.app.database.read_at_once(
        lambda c: (personal.kept(c, user_id, pressed.app.clock.now()), _to_do_first(c, user_id, say))
    )
    back = button(say("privacy.back"), "privacy")
    if reason:
        await pressed.turn(page(reason, [back]))
        return
    yes = button(say("privacy.yes"), YES, style=ButtonStyle.danger)
    await pressed.turn(page(say("privacy.ask", open=kept.open), [yes, back]))


@handlers.on(YES)
async def _yes(pressed: Pressed) -> None:
    """Leave what is open, delete everything, and forget what is in memory; once in ten minutes."""
    say, app, user_id = pressed.say, pressed.app, pressed.user_id
    if await app.database.read_at_once(lambda c: _to_do_first(c, user_id, say)):
        await _delete(pressed)
        return
    with app.debouncer.cooldown(user_id, YES, "deleted_again"):
        await pressed.defer(ephemeral=True, thinking=not pressed.from_private)
        called = partial(fresh_name, chance=app.chance)

        def told(table: Table, name: str, decided: bool) -> None:
            locale = table.stored.locale
            former = words(locale)("privacy.former")
            counts = counts_for_leaver(table, locale, user_id, former, decided_before=decided)
            app.service(TablePublisher).seat_taken(table, name, former, counts)

        await delete_person(pressed.service(Tables), app.services, user_id, called, told)
    app.forget(user_id)
    await pressed.turn(page(say("privacy.done"), accent=None))
