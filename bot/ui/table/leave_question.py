"""The question whether somebody wants to leave a table."""

from __future__ import annotations

from discord import ButtonStyle

from bot.store.games import OPEN_PHASES
from bot.tables.ports import Refused
from bot.tables.table import Table
from bot.ui import custom_ids as ids
from bot.ui.components import Control, button, page
from bot.ui.context import Answer


def leave_question(answer: Answer, table: Table) -> tuple[str, Control]:
    """The question whether this person wants to leave a table, and the button that says so.

    Raises:
        Refused: they don't sit there, or it is over.
    """
    say = answer.say
    if not table.seats_of(answer.user_id):
        raise Refused("not_seated")
    if table.outcome() is not None or table.phase not in OPEN_PHASES:
        raise Refused("over")
    last = table.people() == [answer.user_id]
    if table.phase == "lobby":
        stand = button(say("lobby.leave"), ids.make("stand", table.id), style=ButtonStyle.danger)
        return say(f"leave.{'ask_last' if last else 'ask_lobby'}", table=table.id), stand
    key = "ask_match" if table.stored.terms.tournament else "ask_last" if last else "ask"
    yes = button(say("leave.yes"), ids.make("leave-yes", table.id), style=ButtonStyle.danger)
    return say(f"leave.{key}", table=table.id), yes


async def ask_to_leave(answer: Answer, table: Table) -> None:
    """Ask, in a message of its own, whether this person wants to leave a table.

    Raises:
        Refused: they don't sit there, or it is over.
    """
    ask, yes = leave_question(answer, table)
    no = button(answer.say("leave.no"), ids.make("leave-no", table.id))
    await answer.private(page(ask, [yes, no]))
