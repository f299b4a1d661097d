"""All tables of a person, page by page: what `/hand` shows where there is more than one."""

from __future__ import annotations

from bot import presenters
from bot.tables.elsewhere import over_there
from bot.tables.ports import OtherShard, Refused
from bot.tables.table import Table
from bot.ui import custom_ids as ids
from bot.ui.components import Control, Message, button, page, pager
from bot.ui.context import Answer, Handlers, Pressed
from bot.ui.names import joined, word_look

PER_PAGE = 12
"""How many tables stand on a page, each with the button that opens its hand."""
handlers = Handlers[Pressed]()


def tables_message(answer: Answer, tables: list[Table], away: list[OtherShard], at: int = 0) -> Message:
    """These tables of a person and the way to those of other processes; a page of them.

    Raises:
        Refused: the person sits at none.
    """
    told = answer.say
    if not tables and not away:
        raise Refused("none_open")
    pages = max(1, -(-len(tables) // PER_PAGE))
    at = min(at, pages - 1)  # tables may have ended since the page before was shown
    lines, controls = [told("hand.tables")], list[Control]()
    for table in tables[at * PER_PAGE : (at + 1) * PER_PAGE]:
        lines.append(_line(answer, table))
        if table.phase == "live":
            controls.append(button(told("hand.open", table=table.id), ids.make("hand", table.id)))
    lines += [told(f"refused.{each.key}", **each.facts) for each in away]
    return page("\n".join(lines), controls, pager(told, at, pages, "hands"))


def _line(answer: Answer, table: Table) -> str:
    told = answer.say
    title = presenters.get(table.game.key).title(answer.locale)
    direct = table.stored.guild_id is None
    where = told("hand.direct") if direct else f"<#{table.stored.channel_id}>"
    mine = any(seat in table.waiting() for seat in table.seats_of(answer.user_id))
    if table.phase == "lobby":
        state = told("hand.lobby")
    elif table.paused:
        state = told("hand.paused")
    elif table.asleep:
        state = told("hand.sleeps")
    elif mine:
        state = told("hand.your_turn")
    else:
        names = joined([word_look(table, answer.locale).name(s) for s in table.waiting()], answer.locale)
        state = told("hand.their_turn", names=names)
    return f"**{table.id}** · {title} · {where} · {state}"


@handlers.on("hands")
async def _hands(pressed: Pressed) -> None:
    """Another page: `hands:page`."""
    tables = await pressed.tables.of_user(pressed.user_id)
    away = await over_there(pressed.tables, pressed.user_id)
    await pressed.turn(tables_message(pressed, tables, away, pressed.ref.number(0)))
