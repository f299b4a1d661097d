"""Handlers of the buttons under a table: log, record, end-of-game picture and a closer look."""

from __future__ import annotations

from dataclasses import replace

from bot import custom_ids as ids
from bot import presenters
from bot.core.errors import Refused
from bot.features.table import slots as table_slots
from bot.features.table.board import lines_of
from bot.features.table.names import picture_look, word_look
from bot.features.table.rights import HAND, TABLE
from bot.features.table.side_answers import show_side_answer
from bot.presenters.voice import clipped
from bot.table.registry import Tables
from bot.table.table import Table
from bot.table.thinking import call_by_name
from bot.ui.components import MenuLine, Message, button, page, select
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers
from engine import record
from engine.game import Seat

LOG_LINES = 15
handlers = Handlers[Pressed]()


def viewer_of(answer: Answer, table: Table) -> Seat | None:
    """Return the seat from which this person sees the table, or None for a spectator."""
    seats = table.seats_of(answer.user_id)
    return seats[0] if seats else None


@handlers.on("log", TABLE)
async def _log(pressed: Pressed, table: Table) -> None:
    """Show the log as this person may know it: `log:table`, or `log:table:page` from inside the log."""
    is_log_open = bool(pressed.ref.word(1))
    message = await _log_page(pressed, table, pressed.ref.number(1) if is_log_open else 0)
    await show_side_answer(
        pressed, table, message, *table_slots.TROUBLE.controls(pressed.say, table_slots.Trouble(table))
    )


async def _log_page(pressed: Pressed, table: Table, page_index: int) -> Message:
    say = pressed.say
    events = await pressed.service(Tables).events(table)
    lines = lines_of(events, table, viewer_of(pressed, table), pressed.locale)
    pages = max(1, -(-len(lines) // LOG_LINES))
    page_index = min(page_index, pages - 1)
    end = len(lines) - page_index * LOG_LINES
    shown_lines = "\n".join(lines[max(0, end - LOG_LINES) : end]) or say("table.nothing_yet")
    controls = []
    if pages > 1:
        controls = [
            button(say("log.older"), "log", table.id, page_index + 1, disabled=page_index >= pages - 1),
            button(say("log.newer"), "log", table.id, max(0, page_index - 1), disabled=page_index == 0),
        ]
    foot = say("log.page", page=page_index + 1, pages=pages) if pages > 1 else ""
    return page(say("log.heading", table=table.id), clipped(shown_lines, 3000), foot, controls)


@handlers.on("record", TABLE)
async def _record(pressed: Pressed, table: Table) -> None:
    game_record = await pressed.service(Tables).record(table)
    name = f"valence-{table.id}.json"
    commitment = table.commitment
    seed = pressed.say("table.record_seed", seed=commitment.seed.hex(), nonce=commitment.nonce.hex())
    await pressed.private(page(seed, files={name: record.to_json(game_record)}))


@handlers.on("keepsake", TABLE)
async def _keepsake(pressed: Pressed, table: Table) -> None:
    """Send the end-of-game picture. A worker makes it, which takes a moment."""
    outcome = table.outcome()
    presenter = presenters.get(table.game.key)
    if outcome is None or table.state is None:
        raise Refused("record_early")
    keepsake = presenter.keepsake(outcome, table.state.observe(None), word_look(table, pressed.locale))
    if keepsake is None:
        raise Refused("record_early")
    if keepsake.still is not None and pressed.prefs.still:
        await pressed.private(page(keepsake.text, keepsake.still))
        return
    if keepsake.needs is not None and not keepsake.needs.there:
        raise Refused("not_installed", name=keepsake.needs.name, extra=keepsake.needs.key)
    await pressed.defer(ephemeral=True, thinking=True)
    data = await pressed.service(Tables).thinker.run(
        call_by_name, keepsake.make, dict(keepsake.facts), whose=pressed.user_id
    )
    await pressed.private(page(keepsake.text, raw={keepsake.name: (data, keepsake.alt)}))


@handlers.on("closer", HAND)
async def _closer(pressed: Pressed, table: Table) -> None:
    """Show a part of the table enlarged: `closer:table`, or `closer:table:part` from inside."""
    is_closeup_open = bool(pressed.ref.word(1))
    if table.state is None:
        raise Refused("not_started")
    observation = table.state.observe(viewer_of(pressed, table))
    parts = presenters.get(table.game.key).closeups(observation, picture_look(table, pressed.locale))
    if not parts:
        raise Refused("whole_table")
    index = pressed.ref.number(1) % len(parts) if is_closeup_open else 0
    lines = [MenuLine(str(n), part.title, chosen=n == index) for n, part in enumerate(parts)]
    menu = select(pressed.say("table.part"), lines, "closer-part", table.id)
    await show_side_answer(
        pressed, table, page(f"### {parts[index].title}", parts[index].scene or "", [menu])
    )


@handlers.on("closer-part", HAND)
async def _closer_part(pressed: Pressed, table: Table) -> None:
    part = pressed.value if pressed.value.isdecimal() else "0"
    await _closer(replace(pressed, ref=ids.Ref("closer", (pressed.ref.word(0), part))), table)
