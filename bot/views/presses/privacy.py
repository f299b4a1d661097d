"""/privacy: what is kept about a person; to take along, or to have deleted after one more question."""

from __future__ import annotations

from discord import ButtonStyle
from msgspec.structs import astuple

from bot.store import forgetting, personal
from bot.tables.exporting import export
from bot.tables.leaving import delete_person
from bot.views import ids
from bot.views.components import Message, button, page
from bot.views.context import Answer, Handlers, Pressed
from bot.views.lobby import fresh_name
from bot.views.names import joined, shown

handlers = Handlers[Pressed]()

EXPORT = "privacy-export"
FILE = "valence-me.zip"


async def privacy_message(answer: Answer) -> Message:
    """What is kept about whoever asks, in numbers, with the two things that can be done about it."""
    say, user_id = answer.say, answer.user_id
    kept = await answer.app.database.read_at_once(lambda c: personal.kept(c, user_id))
    some = any(astuple(kept))
    told = (
        say(
            "privacy.rows",
            tables=kept.tables,
            open=kept.open,
            results=kept.results,
            ratings=kept.ratings,
            reviews=kept.reviews,
            tournaments=kept.tournaments,
            settings=kept.settings,
            other=kept.other,
        )
        if some
        else say("privacy.nothing")
    )
    ways = [
        button(say("privacy.export"), ids.make(EXPORT)),
        button(say("privacy.delete"), ids.make("privacy-delete"), style=ButtonStyle.danger),
    ]
    return page(say("privacy.heading"), told, say("privacy.why"), ways)


@handlers.on("privacy")
async def _privacy(pressed: Pressed) -> None:
    await pressed.turn(await privacy_message(pressed))


@handlers.on(EXPORT)
async def _export(pressed: Pressed) -> None:
    """One file with everything, for the person alone; once in ten minutes."""
    say = pressed.say
    if not pressed.app.clicks.rarely(pressed.user_id, EXPORT):
        await pressed.tell(say("privacy.wait"))
        return
    try:
        await pressed.interaction.response.defer(ephemeral=True, thinking=True)
        found = await export(pressed.tables, pressed.user_id, pressed.tables.clock.now())
        more = say("privacy.left_out", n=found.left_out) if found.left_out else ""
        await pressed.private(
            page(say("privacy.exported", n=found.records), more, files={FILE: found.data}, accent=None)
        )
    except BaseException:
        pressed.app.clicks.take_back(pressed.user_id, EXPORT)  # nobody has had a file
        raise


@handlers.on("privacy-delete")
async def _delete(pressed: Pressed) -> None:
    """Ask once more, and say what will happen."""
    say, user_id = pressed.say, pressed.user_id
    kept, organised = await pressed.app.database.read_at_once(
        lambda c: (personal.kept(c, user_id), forgetting.organised(c, user_id))
    )
    back = button(say("privacy.back"), ids.make("privacy"))
    if organised:
        names = joined([f"**{shown(name)}**" for name in organised], pressed.locale)
        await pressed.turn(page(say("privacy.organises", names=names), [back]))
        return
    yes = button(say("privacy.yes"), ids.make("privacy-yes"), style=ButtonStyle.danger)
    await pressed.turn(page(say("privacy.ask", open=kept.open), [yes, back]))


@handlers.on("privacy-yes")
async def _yes(pressed: Pressed) -> None:
    """Leave what is open, delete all in one transaction, and forget what lies in memory."""
    say, app, user_id = pressed.say, pressed.app, pressed.user_id
    organised = await app.database.read_at_once(lambda c: forgetting.organised(c, user_id))
    if organised:
        await _delete(pressed)
        return
    await pressed.interaction.response.defer(ephemeral=True, thinking=not pressed.from_private)
    await delete_person(pressed.tables, app.tournaments, app.nights, user_id, fresh_name)
    app.forget(user_id)
    await pressed.turn(page(say("privacy.done"), accent=None))
